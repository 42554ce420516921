//! Texture opcodes: what each reads and asks for.
//!
//! Those of OpenGL name a unit, which is texture and sampler in one, and say
//! their target themselves. Those after Direct3D 10 (`SAMPLE` and its kin) name
//! a view and a sampler; the target stands in the view's declaration, and the
//! view's swizzle applies to the texel.

use texture::Dimension;
use tgsi::ast::{Instruction, Register as Operand};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, TextureTarget};

use crate::operation::Vectors;
use crate::program::Program;
use crate::recorded;
use crate::registers::{LANES, Register, Registers};
use crate::resources::{Resources, Textures};
use crate::sampling;

/// Where a scalar of a look-up stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// w of the coordinates.
    CoordinateW,
    /// x of a source.
    Source(usize),
}

/// Where the level of detail comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// From the neighbours' coordinates; 0 where there are no neighbours,
    /// which is in all stages but fragments.
    Implicit,
    /// The same, and something is added.
    Bias(Scalar),
    Given(Scalar),
    Zero,
    /// From the derivatives in this source and the next.
    Derivatives(usize),
}

/// Where the value to compare with comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    /// The target says so: a component of the coordinates, or x of the source
    /// after them.
    ByTarget,
    /// x of a source, whatever the target.
    Source(usize),
    None,
}

/// Whether the coordinates are divided by their w.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Projection {
    No,
    ByW,
}

/// What a look-up asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sample {
        level: Level,
        reference: Reference,
        projection: Projection,
    },
    /// Four texels' components. Which component stands in x of source 1, or is
    /// the sampler's swizzle.
    Gather,
    /// One texel by its number.
    Fetch {
        level: Level,
        sample: Scalar,
    },
    /// The sizes of the level in source 0, or of level 0.
    Size,
    /// The level of detail that would be looked at.
    Detail,
    /// How many samples a texel has.
    Samples,
    /// Where the sample in x of source 1 lies.
    SamplePosition,
}

/// A texture opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lookup {
    pub(crate) kind: Kind,
    /// Which source names the texture.
    pub(crate) texture: usize,
    /// Which source names the sampler.
    pub(crate) sampler: usize,
    naming: Naming,
}

/// How an opcode names its texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// By a unit; the instruction says the target.
    Unit,
    /// By a view that is declared with a target.
    View,
}

/// A plain sample.
const fn sample(level: Level) -> Kind {
    Kind::Sample { level, reference: Reference::ByTarget, projection: Projection::No }
}

/// A sample of a view, which has something to compare with only if it says so.
const fn view(level: Level, reference: Reference) -> Kind {
    Kind::Sample { level, reference, projection: Projection::No }
}

const fn fetch(level: Level, sample: Scalar) -> Kind {
    Kind::Fetch { level, sample }
}

const W: Scalar = Scalar::CoordinateW;

/// What each opcode asks for, and which source names the texture.
const TABLE: &[(&str, Kind, usize, Naming)] = &[
    ("TEX", sample(Level::Implicit), 1, Naming::Unit),
    ("TEX_LZ", sample(Level::Zero), 1, Naming::Unit),
    ("TXB", sample(Level::Bias(W)), 1, Naming::Unit),
    ("TXL", sample(Level::Given(W)), 1, Naming::Unit),
    ("TXD", sample(Level::Derivatives(1)), 3, Naming::Unit),
    ("TEX2", sample(Level::Implicit), 2, Naming::Unit),
    ("TXB2", sample(Level::Bias(Scalar::Source(1))), 2, Naming::Unit),
    ("TXL2", sample(Level::Given(Scalar::Source(1))), 2, Naming::Unit),
    (
        "TXP",
        Kind::Sample {
            level: Level::Implicit,
            reference: Reference::ByTarget,
            projection: Projection::ByW,
        },
        1,
        Naming::Unit,
    ),
    ("TG4", Kind::Gather, 2, Naming::Unit),
    ("TXF", fetch(Level::Given(W), W), 1, Naming::Unit),
    ("TXF_LZ", fetch(Level::Zero, W), 1, Naming::Unit),
    ("TXQ", Kind::Size, 1, Naming::Unit),
    ("TXQ_LZ", Kind::Size, 0, Naming::Unit),
    ("TXQS", Kind::Samples, 0, Naming::Unit),
    ("LODQ", Kind::Detail, 1, Naming::Unit),
    ("SAMPLE", view(Level::Implicit, Reference::None), 1, Naming::View),
    ("SAMPLE_B", view(Level::Bias(Scalar::Source(3)), Reference::None), 1, Naming::View),
    ("SAMPLE_L", view(Level::Given(Scalar::Source(3)), Reference::None), 1, Naming::View),
    ("SAMPLE_D", view(Level::Derivatives(3), Reference::None), 1, Naming::View),
    ("SAMPLE_C", view(Level::Implicit, Reference::Source(3)), 1, Naming::View),
    ("SAMPLE_C_LZ", view(Level::Zero, Reference::Source(3)), 1, Naming::View),
    ("SAMPLE_I", fetch(Level::Given(W), Scalar::Source(2)), 1, Naming::View),
    ("SAMPLE_I_MS", fetch(Level::Given(W), Scalar::Source(2)), 1, Naming::View),
    ("LOAD_MS", fetch(Level::Given(W), Scalar::Source(2)), 1, Naming::View),
    ("GATHER4", Kind::Gather, 1, Naming::View),
    ("SVIEWINFO", Kind::Size, 1, Naming::View),
    ("RESINFO", Kind::Size, 1, Naming::View),
    ("LOD", Kind::Detail, 1, Naming::View),
    ("SAMPLE_INFO", Kind::Samples, 0, Naming::View),
    ("SAMPLE_POS", Kind::SamplePosition, 0, Naming::View),
];

impl Lookup {
    /// The look-up that a mnemonic names.
    pub(crate) fn find(word: &str) -> Option<Lookup> {
        let (_, kind, texture, naming) = TABLE.iter().find(|row| row.0 == word)?;
        let samples = matches!(kind, Kind::Sample { .. } | Kind::Gather | Kind::Detail);
        let apart = samples && *naming == Naming::View;
        let sampler = texture + usize::from(apart);
        Some(Lookup { kind: *kind, texture: *texture, sampler, naming: *naming })
    }

    /// Whether the texture is named by a view.
    pub(crate) fn names_view(&self) -> bool {
        self.naming == Naming::View
    }

    /// The target that a look-up has.
    pub(crate) fn target(&self, program: &Program, instruction: &Instruction) -> TextureTarget {
        let declared = || {
            let operand = &instruction.sources.get(self.texture)?.register;
            let number = u32::try_from(operand.index.offset).ok()?;
            Some(program.view(number)?.target)
        };
        match self.naming {
            Naming::Unit => instruction.target.map_or(TextureTarget::Unknown, |it| it.value),
            Naming::View => declared().unwrap_or(TextureTarget::Unknown),
        }
    }
}

/// How many coordinates a target has, layers included, and where the shadow
/// reference lies behind them: 2 and 3 are z and w, 4 is the next source's x.
pub(crate) fn coordinates(target: TextureTarget) -> (usize, Option<usize>) {
    use TextureTarget as T;
    match target {
        T::Buffer | T::Texture1D => (1, None),
        T::Shadow1D => (1, Some(2)),
        T::Texture2D | T::Rectangle | T::Array1D | T::Multisample2D => (2, None),
        T::Shadow2D | T::ShadowRectangle | T::ShadowArray1D => (2, Some(2)),
        T::Texture3D | T::Cube | T::Array2D | T::MultisampleArray2D => (3, None),
        T::ShadowArray2D | T::ShadowCube => (3, Some(3)),
        T::CubeArray => (4, None),
        T::ShadowCubeArray => (4, Some(4)),
        T::Unknown => (0, None),
    }
}

/// The kind of texture that a target looks at.
pub(crate) fn dimension(target: TextureTarget) -> Option<Dimension> {
    use TextureTarget as T;
    Some(match target {
        T::Buffer => Dimension::Buffer,
        T::Texture1D | T::Shadow1D => Dimension::One,
        T::Array1D | T::ShadowArray1D => Dimension::OneArray,
        T::Texture2D | T::Shadow2D | T::Rectangle | T::ShadowRectangle => Dimension::Two,
        T::Array2D | T::ShadowArray2D => Dimension::TwoArray,
        T::Texture3D => Dimension::Three,
        T::Cube | T::ShadowCube => Dimension::Cube,
        T::CubeArray | T::ShadowCubeArray => Dimension::CubeArray,
        T::Multisample2D => Dimension::Multisample,
        T::MultisampleArray2D => Dimension::MultisampleArray,
        T::Unknown => return None,
    })
}

/// What becomes of coordinates that were divided: they are not exact. Of the sources, the
/// quotients and the lane.
pub(crate) type Quotients<'a> = &'a dyn Fn(&Vectors, [u32; 4], usize) -> [u32; 4];

/// What a look-up reads besides the coordinates' registers.
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registers: &'a Registers,
    pub(crate) resources: &'a Resources,
    pub(crate) instruction: &'a Instruction,
    pub(crate) lookup: Lookup,
    pub(crate) target: TextureTarget,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        program: &'a Program,
        registers: &'a Registers,
        resources: &'a Resources,
        instruction: &'a Instruction,
        lookup: Lookup,
    ) -> Context<'a> {
        let target = lookup.target(program, instruction);
        Context { program, registers, resources, instruction, lookup, target }
    }

    /// What the look-up gives in every lane; `quotients` are moved within their bounds.
    pub(crate) fn look_up(&self, quotients: Quotients<'_>) -> Register {
        match &self.resources.textures {
            Textures::Recorded(boxes) => recorded::look_up(self, boxes),
            Textures::Sampled(sampled) => sampling::look_up(self, sampled, quotients),
        }
    }

    /// One component of a source in all lanes; 0 where there is no such source.
    pub(crate) fn fetch(&self, source: usize, position: usize, ty: ValueType) -> [u32; LANES] {
        match self.instruction.sources.get(source) {
            Some(source) => {
                self.registers.fetch(self.program, self.resources, source, position, ty)
            }
            None => [0; LANES],
        }
    }

    /// The same as floats.
    pub(crate) fn floats(&self, source: usize, position: usize) -> [f32; LANES] {
        self.fetch(source, position, ValueType::Float).map(f32::from_bits)
    }

    /// The number of the unit that a source names in a lane: its register's
    /// number, or the low word of the handle that a register of another file
    /// holds.
    pub(crate) fn unit(&self, source: usize, lane: usize) -> Option<usize> {
        let register: &Operand = &self.instruction.sources.get(source)?.register;
        match register.file {
            File::Sampler | File::SamplerView | File::Resource => {
                self.registers.index(&register.index, lane)
            }
            _ => Some(self.fetch(source, 0, ValueType::Unsigned)[lane] as usize),
        }
    }

    /// One of up to four texel offsets, 0 where there is none.
    pub(crate) fn offsets(&self, number: usize, lane: usize) -> [i32; 3] {
        let Some(offset) = self.instruction.offsets.get(number) else { return [0; 3] };
        [0, 1, 2]
            .map(|axis| self.registers.offset(self.program, self.resources, offset, axis, lane))
    }
}
