//! Tessellation evaluation: patches in the buffer outside of the chip, points of the
//! tessellator; positions and parameters as exports.

use gcn_emu::{LANES, Wave};
use tgsi::ast::PropertyValue;
use tgsi::words::{File, Primitive, PropertyName, SemanticName};
use tgsi_interp::Resources;
use tgsi_interp::launch::QuadInputs;

use crate::difference::Checked;
use crate::error::Error;
use crate::input_source::InputSource;
use crate::interface::{PATCH_SLOTS, Slots, VERTEX_SLOTS, random_slots};
use crate::layout::Layout;
use crate::outputs::Expected;
use crate::random::{Distribution, Random};
use crate::test_pair::TestPair;

/// Patches of the wave, and the vertices that each has: the most there are.
const PATCHES: usize = 4;
pub(crate) const VERTICES: usize = 32;
/// The number of the first patch.
const FIRST_PATCH: u32 = 20;
/// Bytes before the wave's part of the buffer.
const OFFSET: usize = 64;

/// The patches of a wave.
struct Patches {
    vertices: Vec<Vec<Slots>>,
    shared: Vec<Slots>,
}

impl Patches {
    /// Random ones, or all of them as the one whose inputs are explicit.
    fn of(
        pair: &TestPair<'_>,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> Patches {
        let mut vertex =
            |vertex| pair.vertex_inputs(source, (&mut *random, distribution), vertex, VERTEX_SLOTS);
        let vertices = (0..PATCHES).map(|_| (0..VERTICES).map(&mut vertex).collect()).collect();
        let InputSource::Explicit(inputs) = source else {
            let registers = pair.patch_slots(File::Input);
            let patch = |_| {
                let mut slots = random_slots(random, distribution, PATCH_SLOTS);
                pair.fit_slots(source, random, &registers, &mut slots);
                slots
            };
            return Patches { vertices, shared: (0..PATCHES).map(patch).collect() };
        };
        let mut patch = pair.explicit_patch(inputs);
        let levels = [SemanticName::TessellationOuter, SemanticName::TessellationInner];
        for (slot, name) in levels.into_iter().enumerate() {
            let word = |component| pair.explicit_value(source, name, component, 0);
            if word(0).is_some() {
                patch[slot] = std::array::from_fn(|component| word(component).unwrap_or(0));
            }
        }
        Patches { vertices, shared: vec![patch; PATCHES] }
    }

    /// The buffer: slot by slot the vertices of all patches, then slot by slot what
    /// belongs to the patches; and where that begins, in bytes.
    fn buffer(&self) -> (Vec<u32>, u32) {
        let mut words = vec![0; OFFSET / 4];
        for slot in 0..VERTEX_SLOTS {
            for vertex in self.vertices.iter().flatten() {
                words.extend(vertex[slot]);
            }
        }
        let behind = words.len() * 4 - OFFSET;
        for slot in 0..PATCH_SLOTS {
            for patch in &self.shared {
                words.extend(patch[slot]);
            }
        }
        (words, behind as u32)
    }
}

/// The points of a wave.
pub(crate) struct Points {
    patches: Patches,
    /// The coordinates of each lane's point in its patch.
    places: Vec<[f32; 2]>,
    /// The number of the first patch.
    first: u32,
    vertices_in: u32,
}

fn patch_of(lane: usize) -> usize {
    lane * PATCHES / LANES
}

/// A point in its patch: both coordinates from 0 to 1, and so is their sum.
fn point(lane: usize) -> [f32; 2] {
    let place = lane % (LANES / PATCHES);
    [(place % 4) as f32 / 8.0, (place / 4) as f32 / 8.0]
}

impl TestPair<'_> {
    fn is_triangle(&self) -> bool {
        matches!(
            self.property(PropertyName::EvaluationPrimitiveMode),
            Some(PropertyValue::Number(4) | PropertyValue::Primitive(Primitive::Triangles))
        )
    }

    pub(crate) fn check_points(&self, source: InputSource<'_>) -> Checked {
        let (mut random, distribution) = self.numbers(source);
        let before = self.resources(source, &mut random, distribution);
        let points = self.points(source, &mut random, distribution);
        let expected = self.interpret_points(source, &before, &points)?;
        let mut setup = self.set_up(&before)?;
        let mut wave = Wave::new(self.lanes(source));
        self.set_points(&mut wave, &mut setup.layout, &points)?;
        self.check_waves(vec![wave], setup, &expected)
    }

    /// The points of a wave.
    pub(crate) fn points(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> Points {
        let patches = Patches::of(self, source, random, distribution);
        let vertices_in = self.explicit_value(source, SemanticName::VerticesIn, 0, 0);
        let places = (0..LANES)
            .map(|lane| {
                let explicit = |component| {
                    self.explicit_value(
                        source,
                        SemanticName::TessellationCoordinate,
                        component,
                        lane,
                    )
                };
                let word = |component| explicit(component).map(f32::from_bits);
                word(0).zip(word(1)).map_or(point(lane), |(u, v)| [u, v])
            })
            .collect();
        Points {
            patches,
            places,
            first: self.first_primitive(source, FIRST_PATCH),
            vertices_in: vertices_in.unwrap_or(VERTICES as u32).clamp(1, VERTICES as u32),
        }
    }

    /// Interprets the shader at points.
    pub(crate) fn interpret_points(
        &self,
        source: InputSource<'_>,
        before: &Resources,
        Points { patches, places, first, vertices_in }: &Points,
    ) -> Result<Expected, Error> {
        let is_triangle = self.is_triangle();
        let system = |name: SemanticName, component: usize, lane: usize| {
            let patch = patch_of(lane);
            let [u, v] = places[lane];
            match name {
                SemanticName::TessellationCoordinate => match component {
                    0 => u.to_bits(),
                    1 => v.to_bits(),
                    2 if is_triangle => (1.0 - (u + v)).to_bits(),
                    _ => 0,
                },
                SemanticName::TessellationOuter => patches.shared[patch][0][component],
                SemanticName::TessellationInner => patches.shared[patch][1][component],
                SemanticName::VerticesIn => *vertices_in,
                SemanticName::PrimitiveId => first.wrapping_add(patch as u32),
                SemanticName::SubgroupSize => LANES as u32,
                SemanticName::SubgroupInvocation => lane as u32,
                _ => 0,
            }
        };
        self.interpret(source, before, &|quad, pair| {
            let patch = patch_of(quad * tgsi_interp::LANES);
            QuadInputs {
                inputs: pair.linked_inputs(&patches.vertices[patch], &patches.shared[patch]),
                system_values: pair.system_values(quad, &system),
                mask: 0xf,
                ..QuadInputs::default()
            }
        })
    }

    /// Tells a wave of its points.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn set_points(
        &self,
        wave: &mut Wave,
        layout: &mut Layout,
        Points { patches, places, first, .. }: &Points,
    ) -> Result<(), Error> {
        let (buffer, behind) = patches.buffer();
        let buffer = layout.place(&buffer)?;
        let shape = PATCHES as u32 | (VERTICES as u32) << 6 | behind << 12;
        self.set_uniform(wave, "offchip_layout", shape);
        self.set_uniform(wave, "offchip_address", buffer);
        self.set_uniform(wave, "offchip_offset", OFFSET as u32);
        self.set_parameter(wave, "coordinate_u", &|_, lane| places[lane][0].to_bits());
        self.set_parameter(wave, "coordinate_v", &|_, lane| places[lane][1].to_bits());
        self.set_parameter(wave, "relative_patch", &|_, lane| patch_of(lane) as u32);
        self.set_parameter(wave, "patch_id", &|_, lane| first.wrapping_add(patch_of(lane) as u32));
        Ok(())
    }
}
