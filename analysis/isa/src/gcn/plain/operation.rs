//! The numbers of operations: the words of `data/gcn/operations.tsv`.

use std::cmp::Ordering;

named! {
    /// The type of the numbers that a comparison compares.
    NumberType {
        /// Floats of 16 bits.
        F16 "f16",
        /// Floats of 32 bits.
        F32 "f32",
        /// Floats of 64 bits.
        F64 "f64",
        /// Integers of 16 bits.
        I16 "i16",
        /// Integers of 32 bits.
        I32 "i32",
        /// Integers of 64 bits.
        I64 "i64",
        /// Integers of 16 bits without sign.
        U16 "u16",
        /// Integers of 32 bits without sign.
        U32 "u32",
        /// Integers of 64 bits without sign.
        U64 "u64",
    }
}

impl NumberType {
    /// Tells whether they are integers with sign.
    pub fn is_signed(self) -> bool {
        matches!(self, NumberType::I16 | NumberType::I32 | NumberType::I64)
    }
}

/// The relations for which a comparison holds, a bit each: less, equal, greater, unordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relations(pub u8);

impl Relations {
    /// Returns those of a word: `lt`, `nge`.
    pub fn named(word: &str) -> Option<Relations> {
        let words = [
            "f", "lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq",
            "nlt", "tru",
        ];
        let bits = match word {
            "ne" => Some(5),
            "t" => Some(15),
            _ => words.iter().position(|it| *it == word).map(|place| place as u8),
        };
        bits.map(Relations)
    }

    /// Tells whether the comparison holds for an order of two numbers; `None` where one is NaN.
    pub fn hold(self, order: Option<Ordering>) -> bool {
        let bit = match order {
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 4,
            None => 8,
        };
        self.0 & bit != 0
    }
}

spelled! {
    /// The part of a register that is loaded or stored.
    pub enum Half {
        /// All of it: loads extend what they read.
        Whole,
        /// The lower sixteen bits; the others stay.
        Low,
        /// The upper sixteen bits; the others stay.
        High,
    }
}

/// The width of an access to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessWidth {
    /// Bytes: 1, 2, or whole dwords.
    pub bytes: u8,
    /// Tells whether a loaded value of less than a dword has a sign.
    pub signed: bool,
    /// The part of the register.
    pub half: Half,
}

impl AccessWidth {
    /// Returns the one of the end of a name: `dwordx2`, `b64`, `sbyte_d16_hi`.
    pub fn named(word: &str) -> Option<AccessWidth> {
        let (word, half) = match (word.strip_suffix("_d16_hi"), word.strip_suffix("_d16")) {
            (Some(word), _) => (word, Half::High),
            (_, Some(word)) => (word, Half::Low),
            _ => (word, Half::Whole),
        };
        let (bytes, signed) = match word {
            "ubyte" | "byte" | "u8" | "b8" => (1, false),
            "sbyte" | "i8" => (1, true),
            "ushort" | "short" | "u16" | "b16" => (2, false),
            "sshort" | "i16" => (2, true),
            "dword" | "b32" => (4, false),
            "dwordx2" | "b64" => (8, false),
            "dwordx3" | "b96" => (12, false),
            "dwordx4" | "b128" => (16, false),
            "dwordx8" => (32, false),
            "dwordx16" => (64, false),
            _ => return None,
        };
        Some(AccessWidth { bytes, signed, half })
    }

    /// Returns the registers that are loaded or stored.
    pub fn dwords(self) -> usize {
        usize::from(self.bytes).div_ceil(4)
    }

    /// Returns the bytes that each of the registers moves.
    pub fn bytes_each(self) -> usize {
        usize::from(self.bytes).min(4)
    }

    /// Returns the value of a register after a load, from the loaded value and the register's
    /// old one.
    pub fn loaded(self, value: u32, old: u32) -> u32 {
        let value = match (self.bytes, self.signed) {
            (1, true) => value as i8 as u32,
            (2, true) => value as i16 as u32,
            _ => value,
        };
        match self.half {
            Half::Whole => value,
            Half::Low => old & 0xffff_0000 | value & 0xffff,
            Half::High => old & 0xffff | value << 16,
        }
    }

    /// Returns the value that is stored of a register.
    pub fn stored(self, register: u32) -> u32 {
        if self.half == Half::High { register >> 16 } else { register }
    }
}

spelled! {
    /// The bits of a texel's components in registers.
    pub enum ComponentBits {
        /// 32 each.
        Whole,
        /// Sixteen each.
        Half,
        /// Sixteen, in the upper half of the register.
        UpperHalf,
    }
}

/// The layout of a texel's components in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexelFormat {
    /// The number of components.
    pub components: u8,
    /// The bits of each.
    pub bits: ComponentBits,
}

impl TexelFormat {
    /// Returns the one of the end of a name: `xyz`, `d16_xy`, `d16_hi_x`.
    pub fn named(word: &str) -> Option<TexelFormat> {
        let (word, bits) = match (word.strip_prefix("d16_hi_"), word.strip_prefix("d16_")) {
            (Some(word), _) => (word, ComponentBits::UpperHalf),
            (_, Some(word)) => (word, ComponentBits::Half),
            _ => (word, ComponentBits::Whole),
        };
        let place = ["x", "xy", "xyz", "xyzw"].iter().position(|it| *it == word)?;
        Some(TexelFormat { components: place as u8 + 1, bits })
    }
}

spelled! {
    /// An operation on memory that no other access comes between.
    pub enum Atomic {
        /// Writes the datum.
        Swap,
        /// Writes the datum where memory equals the comparand.
        CompareSwap,
        /// Adds the datum.
        Add,
        /// Subtracts the datum.
        Subtract,
        /// Subtracts memory from the datum.
        SubtractFrom,
        /// The smaller of two integers.
        SignedMinimum,
        /// The smaller of two integers without sign.
        UnsignedMinimum,
        /// The larger of two integers.
        SignedMaximum,
        /// The larger of two integers without sign.
        UnsignedMaximum,
        /// Bits that both have.
        And,
        /// Bits that either has.
        Or,
        /// Bits that one of the two has.
        Xor,
        /// Counts up to the datum, then from 0.
        Increment,
        /// Counts down to 0, then from the datum.
        Decrement,
        /// Writes the datum where memory and comparand are equal floats.
        FloatCompareSwap,
        /// The smaller of two floats.
        FloatMinimum,
        /// The larger of two floats.
        FloatMaximum,
        /// Adds floats.
        FloatAdd,
        /// Adds two pairs of halves.
        HalvesAdd,
        /// Adds two pairs of floats of 16 bits (bf16).
        ShortFloatsAdd,
        /// Replaces bits of a mask.
        Mask,
        /// Subtracts the second datum, or adds the first where there is too little.
        Wrap,
    }
}

impl Atomic {
    /// Returns the one of a word: `umax` of memory, `max_u` of the share.
    pub fn named(word: &str) -> Option<Atomic> {
        Some(match word {
            "swap" | "wrxchg_b" => Atomic::Swap,
            "cmpswap" | "cmpst_b" => Atomic::CompareSwap,
            "add" | "add_u" => Atomic::Add,
            "sub" | "sub_u" => Atomic::Subtract,
            "rsub" | "rsub_u" => Atomic::SubtractFrom,
            "smin" | "min_i" => Atomic::SignedMinimum,
            "umin" | "min_u" => Atomic::UnsignedMinimum,
            "smax" | "max_i" => Atomic::SignedMaximum,
            "umax" | "max_u" => Atomic::UnsignedMaximum,
            "and" | "and_b" => Atomic::And,
            "or" | "or_b" => Atomic::Or,
            "xor" | "xor_b" => Atomic::Xor,
            "inc" | "inc_u" => Atomic::Increment,
            "dec" | "dec_u" => Atomic::Decrement,
            "fcmpswap" | "cmpst_f" => Atomic::FloatCompareSwap,
            "fmin" | "min_f" => Atomic::FloatMinimum,
            "fmax" | "max_f" => Atomic::FloatMaximum,
            "fadd" | "add_f" => Atomic::FloatAdd,
            "pk_add_f16" => Atomic::HalvesAdd,
            "pk_add_bf16" => Atomic::ShortFloatsAdd,
            "mskor_b" => Atomic::Mask,
            "wrap_b" => Atomic::Wrap,
            _ => return None,
        })
    }

    /// Tells whether there is a second datum: the comparand of buffers and flat memory.
    pub fn compares(self) -> bool {
        matches!(self, Atomic::CompareSwap | Atomic::FloatCompareSwap)
    }
}

spelled! {
    /// The conversion between texels and registers.
    pub enum Conversion {
        /// As the image's format says.
        Format,
        /// Not at all: registers hold the texel's bits, parts of words without sign.
        Bits,
        /// Not at all: registers hold the texel's bits, parts of words with sign.
        SignedBits,
    }
}

/// The parts of an image's address beside the coordinates, and what becomes of texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageAccess {
    /// Tells whether texels are moved by an offset.
    pub offset: bool,
    /// Tells whether a bias is added to the level of detail.
    pub bias: bool,
    /// Tells whether there is a reference to compare with.
    pub reference: bool,
    /// Tells whether there are derivatives.
    pub derivatives: bool,
    /// Tells whether the level is named.
    pub level: bool,
    /// Tells whether the lowest level is named.
    pub least_level: bool,
    /// Tells whether the level is 0.
    pub level_zero: bool,
    /// The conversion between texels and registers.
    pub conversion: Conversion,
}

impl ImageAccess {
    /// The access that needs nothing but coordinates.
    pub const PLAIN: ImageAccess = ImageAccess {
        offset: false,
        bias: false,
        reference: false,
        derivatives: false,
        level: false,
        least_level: false,
        level_zero: false,
        conversion: Conversion::Format,
    };

    /// Returns the one of the words behind the operation: `_c_d_cl_o`.
    pub fn named(words: &str) -> Option<ImageAccess> {
        let mut access = ImageAccess::PLAIN;
        for word in words.split('_').skip(1) {
            match word {
                "o" => access.offset = true,
                "b" => access.bias = true,
                "c" => access.reference = true,
                "d" | "cd" => access.derivatives = true,
                "l" | "mip" => access.level = true,
                "cl" => access.least_level = true,
                "lz" => access.level_zero = true,
                "pck" => access.conversion = Conversion::Bits,
                "sgn" => access.conversion = Conversion::SignedBits,
                _ => return None,
            }
        }
        Some(access)
    }
}

named! {
    /// The rounding of a conversion to a narrow format.
    NarrowRounding {
        /// To the nearest, ties to even.
        Nearest "nearest",
        /// By random bits.
        Random "random",
    }
}

named! {
    /// The scale of a conversion.
    NarrowScale {
        /// There is none.
        None "none",
        /// The exponent of the last source, a float.
        Last "last",
    }
}
