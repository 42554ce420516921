//! Texture look-ups as they are meant: from a shader's operands to what the
//! sampler of the crate `sampler` takes.
//!
//! - Divisions by w are single divisions; cubes' faces are found as GCN's cube
//!   instructions do.
//! - Derivatives are those of a quad, also where only some of its lanes are
//!   active: the others' registers still hold what they last had.
//! - Which face of a cube array is looked at is left open where the layer is not a number, or so
//!   large that none of its single-precision number is left for the face.
//! - Which texel is looked up is left open where w lies outside of the domain in which divisions
//!   have a bound.
//! - A unit without a texture reads as 0, as does a texture of another kind
//!   than the instruction looks for. Without a sampler of its own a unit has
//!   the default one.

use sampler::{Detail, Dimension, Point, Sampler, Space, Texture};
use tgsi::Stage;
use tgsi::opcodes::ValueType;
use tgsi::words::TextureTarget;

use crate::float::Computed;
use crate::lookup::{
    Context, Level, LookupKind, Projection, Quotients, Reference, Scalar, coordinates, dimension,
};
use crate::operation::Vectors;
use crate::precision::{Precision, Promised};
use crate::registers::{EMPTY, LANES, Register};
use crate::resources::Sampled;

/// The least layer of a cube array that loses its face. Layer and face are one number, eight to
/// a layer, and from 2^24 on not every whole number is one in single precision. Code up to gfx8
/// bounds the layer below before it joins both, which keeps the face; gfx9 bounds the layer of
/// the number that it is given, which has none left (radeonsi of Mesa 19.2). No texture has so
/// many layers, and of NaN GLSL promises nothing (4.60, section 4.7.1).
const FACELESS: f32 = (1_u32 << 21) as f32;

/// Returns the texels of every lane.
pub(crate) fn look_up(
    context: &Context<'_>,
    sampled: &Sampled,
    quotients: Quotients<'_>,
) -> Register {
    let Some(dimension) = dimension(context.target) else { return EMPTY };
    let lanes = Lanes::read(context, dimension, quotients);
    let texels: [[u32; 4]; LANES] = std::array::from_fn(|lane| {
        let unit = context.unit(context.lookup.texture, lane);
        let texture = unit.and_then(|unit| sampled.textures.get(unit)?.as_ref());
        let Some(texture) = texture.filter(|it| it.shape().dimension == dimension) else {
            return [0; 4];
        };
        let sampler = context.unit(context.lookup.sampler, lane);
        let sampler = sampler.and_then(|unit| sampled.samplers.get(unit).copied());
        lanes.texel(texture, &sampler.unwrap_or_default(), lane, sampled)
    });
    let result = [0, 1, 2, 3].map(|component| texels.map(|texel| texel[component]));
    match (context.lookup.kind, context.instruction.sources.get(context.lookup.texture)) {
        // A view's swizzle applies to texels, not to answers about it.
        (LookupKind::Sample { .. } | LookupKind::Fetch { .. }, Some(view))
            if context.lookup.names_view() =>
        {
            view.swizzle.0.map(|component| result[component as usize])
        }
        _ => result,
    }
}

/// Tells whether the face or the quotients of a lane's look-up are left open.
pub(crate) fn leaves_open(context: &Context<'_>, lane: usize) -> bool {
    let Some(dimension) = dimension(context.target) else { return false };
    let lanes = Lanes::read(context, dimension, &|_, quotients, _| quotients);
    lanes.loses_face(lane) || lanes.open[lane]
}

/// The operands of a look-up, by lane.
struct Lanes<'a> {
    context: &'a Context<'a>,
    dimension: Dimension,
    space: Space,
    /// The coordinates that the sampler takes: the place, then the layer.
    places: [[f32; 3]; LANES],
    /// The directions into a cube.
    directions: [[f32; 3]; LANES],
    reference: Option<[f32; LANES]>,
    /// True where no document says what the quotients of a projection are.
    open: [bool; LANES],
}

impl<'a> Lanes<'a> {
    fn read(context: &'a Context<'a>, dimension: Dimension, quotients: Quotients<'_>) -> Lanes<'a> {
        use TextureTarget as T;
        let space = match context.target {
            T::Rectangle | T::ShadowRectangle => Space::Texels,
            _ => Space::Normalized,
        };
        let mut values = [0, 1, 2, 3].map(|axis| context.floats(0, axis));
        let mut open = [false; LANES];
        if let LookupKind::Sample { projection: Projection::ByW, .. } = context.lookup.kind {
            let opcode = context.instruction.opcode.value;
            let precision = Precision::of(opcode, Promised::default());
            for lane in 0..LANES {
                let own = values.map(|lanes| lanes[lane]);
                let divided = [0, 1, 2].map(|axis| (own[axis] / own[3]).bits());
                let mut sources = Vectors::default();
                sources[0] = own.map(f32::to_bits);
                sources[1] = [own[3].bits(); 4];
                open[lane] = precision.is_some_and(|it| it.leaves_open(&sources, 0));
                let moved = quotients(&sources, [divided[0], divided[1], divided[2], 0], lane);
                for axis in 0..3 {
                    // A quotient is computed like any other result.
                    let kept = context.program.denormals.apply(moved[axis]);
                    values[axis][lane] = f32::from_bits(kept);
                }
            }
        }
        let directions: [[f32; 3]; LANES] =
            std::array::from_fn(|lane| [0, 1, 2].map(|axis| values[axis][lane]));
        let places = std::array::from_fn(|lane| match dimension {
            Dimension::Cube | Dimension::CubeArray => {
                let place = sampler::cube_place(directions[lane]);
                let layer = match dimension {
                    Dimension::CubeArray => values[3][lane].round_ties_even().max(0.0),
                    _ => 0.0,
                };
                [place.at[0], place.at[1], layer * 8.0 + place.face as f32]
            }
            _ => directions[lane],
        });
        let (_, by_target) = coordinates(context.target);
        let reference = match (context.lookup.kind, by_target) {
            (LookupKind::Sample { reference: Reference::Source(source), .. }, _) => {
                Some(context.floats(source, 0))
            }
            (LookupKind::Sample { reference: Reference::None, .. }, _) => None,
            _ if context.lookup.names_view() => None,
            // The forms with a bias or level of their own have that in x.
            (
                LookupKind::Sample {
                    level: Level::Bias(Scalar::Source(_)) | Level::Given(Scalar::Source(_)),
                    ..
                },
                Some(4),
            ) => Some(context.floats(1, 1)),
            (_, Some(4)) => Some(context.floats(1, 0)),
            (_, Some(component)) => Some(values[component]),
            (_, None) => None,
        };
        Lanes { context, dimension, space, places, directions, reference, open }
    }

    /// Tells whether the face that a lane looks at is left open.
    fn loses_face(&self, lane: usize) -> bool {
        let samples =
            matches!(self.context.lookup.kind, LookupKind::Sample { .. } | LookupKind::Gather);
        let layer = || self.context.floats(0, 3)[lane].round_ties_even();
        let layered = samples && self.dimension == Dimension::CubeArray;
        layered && !(0.0..FACELESS).contains(&layer().abs())
    }

    fn scalar(&self, scalar: Scalar, ty: ValueType) -> [u32; LANES] {
        match scalar {
            Scalar::CoordinateW => self.context.fetch(0, 3, ty),
            Scalar::Source(source) => self.context.fetch(source, 0, ty),
        }
    }

    fn point(&self, lane: usize, offset: [i32; 3]) -> Point {
        let reference = self.reference.map(|values| values[lane]);
        Point { coordinates: self.places[lane], space: self.space, offset, reference }
    }

    /// Returns the texel of a lane's look-up.
    fn texel(
        &self,
        texture: &Texture,
        sampler: &Sampler,
        lane: usize,
        sampled: &Sampled,
    ) -> [u32; 4] {
        let context = self.context;
        match context.lookup.kind {
            LookupKind::Sample { level, .. } => {
                let point = self.point(lane, context.offsets(0, lane));
                sampler::sample(texture, sampler, &point, self.detail(texture, level, lane))
            }
            LookupKind::Gather => self.gather(texture, sampler, lane),
            LookupKind::Fetch { level, sample } => self.fetch(texture, level, sample, lane),
            LookupKind::Size => {
                let level = match context.lookup.texture {
                    0 => 0,
                    _ => context.fetch(0, 0, ValueType::Unsigned)[lane],
                };
                let single = !self.dimension.has_levels() || self.is_rectangle();
                texture.query(if single { 0 } else { level })
            }
            LookupKind::Detail => {
                let detail = self.detail(texture, Level::Implicit, lane);
                let [looked_at, computed] = sampler::query_detail(texture, sampler, detail);
                [looked_at.to_bits(), computed.to_bits(), 0, 0]
            }
            LookupKind::Samples => [texture.shape().samples, 0, 0, 0],
            LookupKind::SamplePosition => {
                let number = context.fetch(1, 0, ValueType::Unsigned)[lane] as usize;
                let single = texture.shape().samples < 2;
                let position = sampled.sample_positions.get(number).filter(|_| !single);
                let [x, y] = position.copied().unwrap_or([0.5; 2]);
                [x.to_bits(), y.to_bits(), 0, 0]
            }
        }
    }

    /// The level of detail of a lane.
    fn detail(&self, texture: &Texture, level: Level, lane: usize) -> Detail {
        let float = |scalar| f32::from_bits(self.scalar(scalar, ValueType::Float)[lane]);
        let implicit = || sampler::implicit_detail(texture, self.space, &self.places);
        let fragments = self.context.program.stage == Stage::Fragment;
        match level {
            Level::Zero => Detail::Explicit(0.0),
            Level::Given(scalar) => Detail::Explicit(float(scalar)),
            Level::Implicit if fragments => Detail::Computed(implicit()),
            Level::Bias(scalar) if fragments => Detail::Computed(implicit() + float(scalar)),
            Level::Implicit | Level::Bias(_) => Detail::Explicit(0.0),
            Level::Derivatives(first) => {
                let along = [first, first + 1].map(|source| {
                    let change = [0, 1, 2].map(|axis| self.context.floats(source, axis)[lane]);
                    if self.dimension.is_cube() {
                        let [s, t] = sampler::cube_derivatives(self.directions[lane], change);
                        [s, t, 0.0]
                    } else {
                        change
                    }
                });
                Detail::Computed(sampler::derivative_detail(texture, self.space, along))
            }
        }
    }

    fn gather(&self, texture: &Texture, sampler: &Sampler, lane: usize) -> [u32; 4] {
        let context = self.context;
        let component = match context.lookup.names_view() {
            true => {
                let sampler = context.instruction.sources.get(context.lookup.sampler);
                sampler.map_or(0, |it| it.swizzle.0[0] as u32)
            }
            false => context.fetch(1, 0, ValueType::Unsigned)[lane],
        };
        let gather = |number: usize| {
            let point = self.point(lane, context.offsets(number, lane));
            sampler::gather(texture, sampler, &point, component as usize)
        };
        match context.instruction.offsets.len() {
            0 | 1 => gather(0),
            // Each offset's own texel is the one towards the origin.
            count => [0, 1, 2, 3].map(|it| if it < count { gather(it)[3] } else { 0 }),
        }
    }

    fn fetch(&self, texture: &Texture, level: Level, sample: Scalar, lane: usize) -> [u32; 4] {
        let context = self.context;
        let offsets = context.offsets(0, lane);
        let axes = self.dimension.axes();
        let at = std::array::from_fn(|axis| {
            let number = context.fetch(0, axis, ValueType::Signed)[lane] as i32;
            if axis < axes { number.wrapping_add(offsets[axis]) } else { number }
        });
        let unsigned = |scalar| self.scalar(scalar, ValueType::Unsigned)[lane];
        match level {
            _ if self.dimension.has_samples() => texture.fetch(at, 0, unsigned(sample)),
            Level::Given(level) if self.dimension.has_levels() && !self.is_rectangle() => {
                texture.fetch(at, unsigned(level), 0)
            }
            _ => texture.fetch(at, 0, 0),
        }
    }

    /// Rectangles have one level and no say about it.
    fn is_rectangle(&self) -> bool {
        self.space == Space::Texels
    }
}
