//! Texture opcodes: what each reads and asks for.
//!
//! Those of OpenGL name a unit, which is texture and sampler in one, and say
//! their target themselves. Those after Direct3D 10 (`SAMPLE` and its kin) name
//! a view and a sampler; the target stands in the view's declaration, and the
//! view's swizzle applies to the texel.

use tgsi::Opcode;

use sampler::Dimension;
use tgsi::ast::{Instruction, Register as Operand};
use tgsi::coordinates::Coordinates;
use tgsi::opcodes::{Lookup, ValueType};
use tgsi::words::{File, TextureTarget};

use crate::open::Substitutes;
use crate::operation::Vectors;
use crate::program::{Program, View};
use crate::recorded;
use crate::registers::{LANES, Register, Registers};
use crate::resources::{Resources, Textures};
use crate::sampling;

/// The place of a scalar of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// w of the coordinates.
    CoordinateW,
    /// x of a source.
    Source(usize),
}

/// The source of the level of detail.
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

/// The source of the value to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    /// The target says so: a component of the coordinates, or x of the source
    /// after them.
    ByTarget,
    /// x of a source, whatever the target.
    Source(usize),
    None,
}

/// The division of the coordinates by their w.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Projection {
    No,
    ByW,
}

/// The question of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookupKind {
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
    /// The number of samples of a texel.
    Samples,
    /// The position of the sample in x of source 1.
    SamplePosition,
}

/// A texture opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PreparedLookup {
    pub(crate) kind: LookupKind,
    /// The number of the source that names the texture.
    pub(crate) texture: usize,
    /// The number of the source that names the sampler.
    pub(crate) sampler: usize,
    naming: Naming,
}

/// The way in which an opcode names its texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// By a unit; the instruction says the target.
    Unit,
    /// By a view that is declared with a target.
    View,
}

impl PreparedLookup {
    /// Returns what a texture opcode asks for; `None` for all others.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(crate) const fn of(opcode: Opcode) -> Option<PreparedLookup> {
        let row = opcode.row();
        // What names its target itself names the texture last; the others name a view.
        let naming = if row.texture { Naming::Unit } else { Naming::View };
        // Where coordinates leave no room for a number it has a source of its own.
        let (number, derivatives, sample) = match naming {
            Naming::Unit => (Scalar::CoordinateW, 1, Scalar::CoordinateW),
            Naming::View => (Scalar::Source(3), 3, Scalar::Source(2)),
        };
        let given = match naming {
            Naming::Unit => Reference::ByTarget,
            Naming::View => Reference::None,
        };
        let by_w = Level::Given(Scalar::CoordinateW);
        let kind = match row.lookup {
            Lookup::Implicit | Lookup::Implicit2 => sample_at(Level::Implicit, given),
            Lookup::Zero => sample_at(Level::Zero, given),
            Lookup::Projected => {
                let (level, reference) = (Level::Implicit, given);
                LookupKind::Sample { level, reference, projection: Projection::ByW }
            }
            Lookup::Bias => sample_at(Level::Bias(number), given),
            Lookup::Bias2 => sample_at(Level::Bias(Scalar::Source(1)), given),
            Lookup::Level => sample_at(Level::Given(number), given),
            Lookup::Level2 => sample_at(Level::Given(Scalar::Source(1)), given),
            Lookup::Derivatives => sample_at(Level::Derivatives(derivatives), given),
            Lookup::Compared => sample_at(Level::Implicit, Reference::Source(3)),
            Lookup::ComparedZero => sample_at(Level::Zero, Reference::Source(3)),
            Lookup::Gather => LookupKind::Gather,
            Lookup::Fetch | Lookup::FetchSample => LookupKind::Fetch { level: by_w, sample },
            Lookup::FetchZero => LookupKind::Fetch { level: Level::Zero, sample },
            Lookup::Size => LookupKind::Size,
            Lookup::Samples => LookupKind::Samples,
            Lookup::Position => LookupKind::SamplePosition,
            Lookup::Detail => LookupKind::Detail,
            Lookup::None => return None,
        };
        Some(PreparedLookup::new(opcode, naming, kind))
    }

    const fn new(opcode: Opcode, naming: Naming, kind: LookupKind) -> PreparedLookup {
        let texture = match (naming, kind) {
            (Naming::Unit, _) => opcode.row().sources - 1,
            (Naming::View, LookupKind::Samples | LookupKind::SamplePosition) => 0,
            (Naming::View, _) => 1,
        };
        let samples =
            matches!(kind, LookupKind::Sample { .. } | LookupKind::Gather | LookupKind::Detail);
        let apart = samples && matches!(naming, Naming::View);
        PreparedLookup { kind, texture, sampler: texture + apart as usize, naming }
    }

    /// Tells whether the texture is named by a view.
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

/// A look-up whose coordinates are not divided.
const fn sample_at(level: Level, reference: Reference) -> LookupKind {
    LookupKind::Sample { level, reference, projection: Projection::No }
}

/// Returns the number of coordinates of a target, layers included, and the place of the shadow
/// reference behind them: 2 and 3 are z and w, 4 is the next source's x.
pub(crate) fn coordinates(target: TextureTarget) -> (usize, Option<usize>) {
    let shape = Coordinates::of(target);
    let reference = shape.reference.map(|component| component as usize);
    match target {
        TextureTarget::Unknown => (0, None),
        _ => (shape.place, reference.or(shape.compares.then_some(4))),
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

/// Moves coordinates that were divided, as they are not exact. Takes the sources, the
/// quotients and the lane.
pub(crate) type Quotients<'a> = &'a dyn Fn(&Vectors, [u32; 4], usize) -> [u32; 4];

/// The state that a look-up reads besides the coordinates' registers.
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registers: &'a Registers,
    pub(crate) resources: &'a Resources,
    pub(crate) instruction: &'a Instruction,
    pub(crate) lookup: PreparedLookup,
    pub(crate) target: TextureTarget,
    /// Operands in place of those of the registers.
    substitutes: Option<&'a Substitutes>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        program: &'a Program,
        registers: &'a Registers,
        resources: &'a Resources,
        instruction: &'a Instruction,
        lookup: PreparedLookup,
    ) -> Context<'a> {
        let target = lookup.target(program, instruction);
        let substitutes = None;
        Context { program, registers, resources, instruction, lookup, target, substitutes }
    }

    /// The same look-up with other operands.
    pub(crate) fn with(&self, substitutes: &'a Substitutes) -> Context<'a> {
        let Context { program, registers, resources, instruction, lookup, target, .. } = *self;
        let substitutes = Some(substitutes);
        Context { program, registers, resources, instruction, lookup, target, substitutes }
    }

    /// Returns the components of each source whose values are read, a bit each.
    pub(crate) fn components_read(&self) -> Vec<u8> {
        let (count, reference) = coordinates(self.target);
        let lookup = self.lookup;
        let mut place = (1_u8 << count.min(4)) - 1;
        place |= reference.filter(|it| *it < 4).map_or(0, |it| 1 << it);
        let by_w = |level: Level| {
            matches!(level, Level::Bias(Scalar::CoordinateW) | Level::Given(Scalar::CoordinateW))
        };
        let mut other = 0b11;
        match lookup.kind {
            LookupKind::Sample { level, projection, .. } => {
                if by_w(level) || projection == Projection::ByW {
                    place |= 1 << 3;
                }
                if matches!(level, Level::Derivatives(_)) {
                    let flat = dimension(self.target).filter(|it| !it.is_cube());
                    other |= (1 << flat.map_or(3, Dimension::axes)) - 1;
                }
            }
            LookupKind::Fetch { level, sample } => {
                let samples = dimension(self.target).is_some_and(Dimension::has_samples);
                if by_w(level) || sample == Scalar::CoordinateW && samples {
                    place |= 1 << 3;
                }
            }
            LookupKind::Size => place = 1,
            LookupKind::Samples => (place, other) = (0, 0),
            LookupKind::SamplePosition => (place, other) = (0, 1),
            LookupKind::Gather | LookupKind::Detail => {}
        }
        let sources = self.instruction.sources.iter().enumerate();
        let read = sources.map(|(number, source)| match source.register.file {
            File::Sampler | File::SamplerView | File::Resource => 0,
            _ if number == lookup.texture || number == lookup.sampler => 1,
            _ if number == 0 => place,
            _ => other,
        });
        read.collect()
    }

    /// Returns the units that the program names, for what their texels hold.
    pub(crate) fn texels_are_floats(&self) -> bool {
        match self.lookup.kind {
            LookupKind::Detail | LookupKind::SamplePosition => true,
            LookupKind::Size | LookupKind::Samples => false,
            _ => {
                let operand = self.instruction.sources.get(self.lookup.texture);
                let number = operand.and_then(|it| u32::try_from(it.register.index.offset).ok());
                let view = number.and_then(|number| self.program.view(number));
                view.is_none_or(View::holds_floats)
            }
        }
    }

    /// Tells whether no document says what a look-up answers in a component and lane.
    pub(crate) fn leaves_open(&self, component: usize, lane: usize) -> bool {
        let unit = self.unit(self.lookup.texture, lane);
        let Textures::Sampled(sampled) = &self.resources.textures else { return false };
        let texture = unit.and_then(|unit| sampled.textures.get(unit)?.as_ref());
        let single = texture.is_none_or(|it| !it.shape().dimension.has_samples());
        let cube = dimension(self.target).is_some_and(Dimension::is_cube);
        match self.lookup.kind {
            LookupKind::Samples => single || component > 0,
            LookupKind::SamplePosition => {
                let samples = texture.map_or(0, |it| it.shape().samples);
                let number = self.fetch(1, 0, ValueType::Unsigned)[lane];
                single || component > 1 || number >= samples
            }
            // To which face an offset leads, and texels of cubes have no numbers.
            LookupKind::Fetch { .. } => cube && !self.instruction.offsets.is_empty(),
            _ => sampling::leaves_open(self, lane),
        }
    }

    /// Returns the texels of every lane; `quotients` are moved within their bounds.
    pub(crate) fn look_up(&self, quotients: Quotients<'_>) -> Register {
        match &self.resources.textures {
            Textures::Recorded(boxes) => recorded::look_up(self, boxes),
            Textures::Sampled(sampled) => sampling::look_up(self, sampled, quotients),
        }
    }

    /// One component of a source in all lanes; 0 where there is no such source.
    pub(crate) fn fetch(&self, source: usize, position: usize, ty: ValueType) -> [u32; LANES] {
        if let Some(own) = self.substitutes.and_then(|it| it.get(source)) {
            return own[position & 3];
        }
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
