//! Texture look-ups under a deterministic model, made to compare interpreters
//! and not to look like a filter: every look-up takes one texel, chosen by the
//! coordinates times the size, rounded down and wrapped into the texture, on
//! every axis and for every target. Faces of cubes, layers, comparisons and
//! levels play no part. A unit without a texture answers with the coordinates
//! themselves, so that their computation is seen.

use tgsi::ast::Instruction;
use tgsi::opcodes::ValueType;
use tgsi::words::TextureTarget;

use crate::program::Program;
use crate::registers::{EMPTY, LANES, Register, Registers};
use crate::resources::{Resources, Texture};

/// A texture opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lookup {
    /// Which source names the unit.
    unit: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sample,
    /// Coordinates and reference are divided by w.
    Projected,
    /// w of the coordinates is a bias or level.
    Modified,
    Fetch,
    Size,
    /// Always 0: there is one level.
    Level,
    Samples,
}

impl Lookup {
    /// The look-up that a mnemonic names.
    pub(crate) fn find(word: &str) -> Option<Lookup> {
        let (unit, kind) = match word {
            "TEX" => (1, Kind::Sample),
            "TXP" => (1, Kind::Projected),
            "TXB" | "TXL" | "TEX_LZ" => (1, Kind::Modified),
            "TEX2" | "TXB2" | "TXL2" | "TG4" => (2, Kind::Sample),
            "TXD" => (3, Kind::Sample),
            "TXF" | "TXF_LZ" => (1, Kind::Fetch),
            "TXQ" => (1, Kind::Size),
            "TXQS" => (0, Kind::Samples),
            "LODQ" => (1, Kind::Level),
            _ => return None,
        };
        Some(Lookup { unit, kind })
    }
}

/// How many coordinates a target has, layers included, and where the shadow
/// reference lies behind them: 2 and 3 are z and w, 4 is the next source's x.
fn shape(target: TextureTarget) -> (usize, Option<usize>) {
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

/// What a look-up reads besides the coordinates' registers.
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registers: &'a Registers,
    pub(crate) resources: &'a Resources,
    pub(crate) instruction: &'a Instruction,
}

impl Context<'_> {
    fn fetch(&self, source: usize, position: usize, ty: ValueType) -> [u32; LANES] {
        match self.instruction.sources.get(source) {
            Some(source) => {
                self.registers.fetch(self.program, self.resources, source, position, ty)
            }
            None => [0; LANES],
        }
    }

    fn texture(&self, lookup: Lookup, lane: usize) -> Option<&Texture> {
        let register = &self.instruction.sources.get(lookup.unit)?.register;
        let unit = self.registers.index(&register.index, lane)?;
        self.resources.textures.get(unit)?.as_ref()
    }

    /// The offsets of a texel in a lane.
    fn offsets(&self, lane: usize) -> [i64; 3] {
        let Some(offset) = self.instruction.offsets.first() else { return [0; 3] };
        [0, 1, 2].map(|axis| {
            i64::from(self.registers.offset(self.program, self.resources, offset, axis, lane))
        })
    }

    /// What the look-up gives in every lane.
    pub(crate) fn look_up(&self, lookup: Lookup) -> Register {
        let target = self.instruction.target.map_or(TextureTarget::Unknown, |it| it.value);
        let (count, reference) = shape(target);
        let mut result = EMPTY;
        match lookup.kind {
            Kind::Level => return result,
            Kind::Samples => return [[1; LANES], [0; LANES], [0; LANES], [0; LANES]],
            _ => {}
        }
        let arguments = match lookup.kind {
            Kind::Fetch | Kind::Size => self.texel_numbers(count),
            _ => self.coordinates(lookup.kind, count, reference),
        };
        for lane in 0..LANES {
            let at = arguments.map(|argument| argument[lane]);
            let texel = match (self.texture(lookup, lane), lookup.kind) {
                (Some(texture), Kind::Size) => {
                    let [width, height, depth] = texture.size;
                    [width, height, depth, 1]
                }
                (Some(texture), Kind::Fetch) => {
                    let offsets = self.offsets(lane);
                    let number = |axis: usize| i64::from(at[axis] as i32) + offsets[axis];
                    texture.texel([number(0), number(1), number(2)])
                }
                (Some(texture), _) => texture.texel(place(texture, at, self.offsets(lane))),
                (None, Kind::Fetch | Kind::Size) => [0; 4],
                (None, _) => at,
            };
            for component in 0..4 {
                result[component][lane] = texel[component];
            }
        }
        result
    }

    fn texel_numbers(&self, count: usize) -> [[u32; LANES]; 4] {
        std::array::from_fn(|axis| match axis {
            0..3 if axis < count => self.fetch(0, axis, ValueType::Signed),
            _ => [0; LANES],
        })
    }

    /// The four numbers that choose a texel or would be compared.
    fn coordinates(&self, kind: Kind, count: usize, reference: Option<usize>) -> [[u32; LANES]; 4] {
        let divisor = match kind {
            Kind::Projected => self.fetch(0, 3, ValueType::Float).map(f32::from_bits),
            _ => [1.0; LANES],
        };
        // Where w is taken, there is no fourth coordinate.
        let free = if matches!(kind, Kind::Projected | Kind::Modified) { 3 } else { 4 };
        std::array::from_fn(|axis| {
            if axis >= free || axis >= count && Some(axis) != reference {
                return [0; LANES];
            }
            let values = self.fetch(0, axis, ValueType::Float);
            match kind {
                Kind::Projected => std::array::from_fn(|lane| {
                    (f32::from_bits(values[lane]) / divisor[lane]).to_bits()
                }),
                _ => values,
            }
        })
    }
}

/// The texel that coordinates choose. Numbers that fit no integer count as the
/// least one, as on the processors that the model was recorded on.
fn place(texture: &Texture, at: [u32; 4], offsets: [i64; 3]) -> [i64; 3] {
    std::array::from_fn(|axis| {
        let size = i64::from(texture.size[axis].max(1));
        let scaled = (f32::from_bits(at[axis]) * size as f32).floor();
        let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&scaled);
        let number = if fits { scaled as i64 } else { i64::from(i32::MIN) };
        (number + offsets[axis]).rem_euclid(size)
    })
}
