//! Products of matrices: the words of `data/gcn/matrix.tsv`.

named! {
    /// The type of a matrix's elements.
    MatrixType {
        /// Floats of 64 bits.
        F64 "f64",
        /// Floats of 32 bits.
        F32 "f32",
        /// Floats of 32 bits of which the unit reads the upper 19.
        Xf32 "xf32",
        /// Floats of 16 bits.
        F16 "f16",
        /// The upper halves of floats of 32 bits.
        Bf16 "bf16",
        /// Integers of 8 bits.
        I8 "i8",
        /// Integers of 32 bits.
        I32 "i32",
        /// Floats of 8 bits with 3 bits of fraction.
        Fp8 "fp8",
        /// Floats of 8 bits with 2 bits of fraction.
        Bf8 "bf8",
        /// Floats of 6 bits with 3 bits of fraction.
        Fp6 "fp6",
        /// Floats of 6 bits with 2 bits of fraction.
        Bf6 "bf6",
        /// Floats of 4 bits.
        Fp4 "fp4",
        /// Whichever of 8, 6 and 4 bits a modifier says.
        ByFormat "f8f6f4",
    }
}

impl MatrixType {
    /// Returns the bits of an element; of [`MatrixType::ByFormat`] the most that it may have.
    pub const fn bits(self) -> u32 {
        match self {
            MatrixType::F64 => 64,
            MatrixType::F32 | MatrixType::Xf32 | MatrixType::I32 => 32,
            MatrixType::F16 | MatrixType::Bf16 => 16,
            MatrixType::I8 | MatrixType::Fp8 | MatrixType::Bf8 | MatrixType::ByFormat => 8,
            MatrixType::Fp6 | MatrixType::Bf6 => 6,
            MatrixType::Fp4 => 4,
        }
    }

    /// Returns the type that a modifier's number stands for, where it is a modifier's to say;
    /// `None` for a number that stands for nothing.
    pub const fn with_format(self, number: u8) -> Option<MatrixType> {
        match (self, number) {
            (MatrixType::ByFormat, 0) => Some(MatrixType::Fp8),
            (MatrixType::ByFormat, 1) => Some(MatrixType::Bf8),
            (MatrixType::ByFormat, 2) => Some(MatrixType::Fp6),
            (MatrixType::ByFormat, 3) => Some(MatrixType::Bf6),
            (MatrixType::ByFormat, 4) => Some(MatrixType::Fp4),
            (MatrixType::ByFormat, _) => None,
            (other, _) => Some(other),
        }
    }
}

named! {
    /// The unit that multiplies, by which wait states differ.
    MatrixKind {
        /// Small floats and integers.
        Xdl "xdl",
        /// Floats of 32 bits.
        Single "sgemm",
        /// Floats of 64 bits.
        Double "dgemm",
    }
}

named! {
    /// The meaning of `cbsz` and `abid`.
    FirstModifier {
        /// The hardware ignores them.
        Ignored "-",
        /// Several blocks take the same block of A.
        Broadcast "broadcast",
        /// The type of A's elements.
        Format "format",
        /// The part of the register of indexes that is read.
        Index "index",
    }
}

named! {
    /// The meaning of `blgp`.
    SecondModifier {
        /// The hardware ignores it.
        Ignored "-",
        /// The lanes of B are rearranged.
        Lanes "lanes",
        /// The type of B's elements.
        Format "format",
        /// A, B and C are negated.
        Negate "negate",
    }
}

named! {
    /// The source for the places of elements.
    LayoutSource {
        /// AMD's matrix instruction calculator.
        Calculator "calculator",
        /// Kernels that ran on the hardware.
        Kernels "kernels",
        /// Nobody: as in the form that is half as deep.
        Analogy "analogy",
    }
}

/// A product of matrices: D = A × B + C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixProduct {
    /// Rows of A, C and D, and columns of B, C and D.
    pub side: u32,
    /// Columns of A and rows of B.
    pub depth: u32,
    /// The products that are made at once.
    pub blocks: u32,
    /// The type of A's elements.
    pub a: MatrixType,
    /// The type of B's elements.
    pub b: MatrixType,
    /// The type of the elements of C and D.
    pub d: MatrixType,
    /// The unit that does it.
    pub kind: MatrixKind,
    /// Four clocks each: how long the unit is busy.
    pub passes: u8,
    /// The passes where A or B has elements of 8 bits.
    pub byte_passes: u8,
    /// The registers of A, B and D; of [`MatrixType::ByFormat`] those of 8 bits.
    pub registers: [u8; 3],
    /// The meaning of `cbsz` and `abid`.
    pub first_modifier: FirstModifier,
    /// The meaning of `blgp`.
    pub second_modifier: SecondModifier,
    /// Clocks in which the SIMD can run other vector instructions meanwhile.
    pub beside: Option<u8>,
    /// The source for the places of elements.
    pub layout: LayoutSource,
    /// The source of the row.
    pub source: &'static str,
}

impl MatrixProduct {
    /// Tells whether two of every four columns of A are there, which indexes name.
    pub fn is_sparse(&self) -> bool {
        self.first_modifier == FirstModifier::Index
    }

    /// Returns the columns of A that registers hold.
    pub fn held_depth(&self) -> u32 {
        if self.is_sparse() { self.depth / 2 } else { self.depth }
    }

    /// Returns the passes for elements of these types.
    pub fn passes_of(&self, a: MatrixType, b: MatrixType) -> u8 {
        if a.bits() == 8 || b.bits() == 8 { self.byte_passes } else { self.passes }
    }

    /// Returns the multiplications and additions of all blocks, as if A were dense.
    pub fn operations(&self) -> u32 {
        2 * self.side * self.side * self.depth * self.blocks
    }
}
