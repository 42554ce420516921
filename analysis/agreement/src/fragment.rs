//! Fragment shaders: a tile of eight by eight pixels, interpolated inputs, colours and
//! depth as exports, and which pixels are alive.

use emulate::{Attribute, LANES, Machine, Wave};
use run::launch::QuadInputs;
use tgsi::ast::PropertyValue;
use tgsi::words::{
    File, Interpolation, InterpolationLocation, PixelCenter, PropertyName, SemanticName,
};

use crate::difference::{Place, Verdict};
use crate::outputs::{Exported, declared, outputs_written};
use crate::random::{Flavour, Random};
use crate::subject::{Subject, laid_out, quad_register};
use crate::textures::TextureUnit;

/// Export targets.
const DEPTH: u8 = 8;
/// What is in the register of the sample's number and the layer.
const SAMPLE: u32 = 2;
const LAYER: u32 = 5;
const COVERAGE: u32 = 1;

/// An input register as it is declared.
#[derive(Debug, Clone, Copy)]
struct Input {
    register: u32,
    name: Option<SemanticName>,
    interpolation: Interpolation,
    location: InterpolationLocation,
}

/// Where a lane's pixel is in the tile: quads in rows of four.
fn pixel(lane: usize) -> [f32; 2] {
    let (quad, inside) = (lane / 4, lane % 4);
    [(quad % 4 * 2 + inside % 2) as f32, (quad / 4 * 2 + inside / 2) as f32]
}

/// The coordinates of a pixel in its triangle: by kind of interpolation and place.
fn barycentric(linear: bool, location: InterpolationLocation, lane: usize) -> [f32; 2] {
    let [x, y] = pixel(lane);
    let shift = match location {
        InterpolationLocation::Center => 0.0,
        InterpolationLocation::Centroid => 1.0 / 128.0,
        InterpolationLocation::Sample => 1.0 / 64.0,
    };
    let bend = if linear { 1.0 / 32.0 } else { 0.0 };
    [0.125 + x / 32.0 + y / 64.0 + shift + bend, 0.25 - x / 64.0 + y / 32.0 + shift - bend]
}

fn position(lane: usize) -> [f32; 4] {
    let [x, y] = pixel(lane);
    [x + 0.5, y + 0.5, 0.25 + x / 16.0, 1.0 + y / 8.0]
}

fn is_front(seed: u64) -> bool {
    !seed.is_multiple_of(3)
}

/// All bits set for triangles that are seen from the front.
fn front_mask(seed: u64) -> u32 {
    if is_front(seed) { u32::MAX } else { 0 }
}

/// Denormals are zero in this unit too.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

impl Subject<'_> {
    /// Where inputs are interpolated.
    fn location(&self, location: InterpolationLocation) -> InterpolationLocation {
        if self.narrow.interpolation { InterpolationLocation::Center } else { location }
    }

    fn pixel_inputs(&self) -> Vec<Input> {
        let mut all = Vec::new();
        for declaration in self.shader.declarations() {
            if declaration.file.value != File::Input {
                continue;
            }
            let range = declaration.range.value;
            for register in range.first..=range.last.min(range.first.saturating_add(80)) {
                all.push(Input {
                    register,
                    name: declaration.semantic.map(|it| it.value.name),
                    interpolation: declaration
                        .interpolation
                        .map_or(Interpolation::Constant, |it| it.value),
                    location: declaration
                        .location
                        .map_or(InterpolationLocation::Center, |it| it.value),
                });
            }
        }
        all.sort_by_key(|input| input.register);
        all.dedup_by_key(|input| input.register);
        all
    }

    fn has_integer_centers(&self) -> bool {
        self.shader.properties().any(|property| {
            property.name.is_some_and(|it| it.value == PropertyName::CoordinatePixelCenter)
                && property
                    .value
                    .is_some_and(|it| it.value == PropertyValue::PixelCenter(PixelCenter::Integer))
        })
    }

    pub(crate) fn judge_pixels(&self, seed: u64) -> Result<Verdict, String> {
        let mut random = Random::new(seed).without_negatives(self.narrow.power);
        let flavour = self.flavour(seed);
        let mut resources = self.demand.fill(&mut random, flavour, &self.program);
        let inputs = self.pixel_inputs();
        let is_attribute = |input: &&Input| {
            !matches!(input.name, Some(SemanticName::Position | SemanticName::Face))
        };
        let attributes: Vec<(u32, Attribute)> = inputs
            .iter()
            .filter(is_attribute)
            .map(|input| (input.register, self.attribute(&mut random, flavour)))
            .collect();
        let shift = if self.has_integer_centers() { -0.5 } else { 0.0 };
        let place = |component: usize, lane: usize| {
            let value = position(lane)[component];
            match component {
                0 | 1 => (value + shift).to_bits(),
                3 => (1.0 / value).to_bits(),
                _ => value.to_bits(),
            }
        };
        let value = |input: &Input, component: usize, lane: usize| -> u32 {
            let single = matches!(input.name, Some(SemanticName::Face | SemanticName::Fog));
            match (input.name, component) {
                (Some(SemanticName::Position), _) => place(component, lane),
                (_, 3) if single => 1.0_f32.to_bits(),
                (_, 1 | 2) if single => 0,
                (Some(SemanticName::Face), _) => {
                    if is_front(seed) {
                        1.0_f32.to_bits()
                    } else {
                        (-1.0_f32).to_bits()
                    }
                }
                _ => {
                    let own = attributes.iter().find(|(register, _)| *register == input.register);
                    let input = Input { location: self.location(input.location), ..*input };
                    own.map_or(0, |(_, own)| interpolated(&input, own, component, lane))
                }
            }
        };
        let count = inputs.last().map_or(0, |input| input.register as usize + 1);
        let system = |name: SemanticName, component: usize, lane: usize| match name {
            SemanticName::Position => place(component, lane),
            SemanticName::Face => front_mask(seed),
            SemanticName::SampleId => SAMPLE,
            SemanticName::Layer => LAYER,
            SemanticName::SampleMask => COVERAGE,
            SemanticName::SamplePosition if component < 2 => {
                let value = position(lane)[component];
                (value - value.floor()).to_bits()
            }
            SemanticName::SubgroupSize => 64,
            SemanticName::SubgroupInvocation => lane as u32,
            _ => 0,
        };
        let before = resources.clone();
        let expected = self.interpret(seed, &mut resources, &|quad, subject| {
            let mut registers = vec![run::EMPTY; count];
            for input in &inputs {
                registers[input.register as usize] =
                    quad_register(quad, &|component, lane| value(input, component, lane));
            }
            QuadInputs {
                inputs: vec![registers],
                system_values: subject.system_values(quad, &system),
                mask: 0xf,
                ..QuadInputs::default()
            }
        })?;
        let (layout, lists) = laid_out(self, &before)?;
        let mut wave = Wave::new(self.lanes(seed));
        wave.attributes = attributes.iter().map(|(_, attribute)| *attribute).collect();
        self.give_memory(&mut wave, 0, &lists);
        self.give_pixels(&mut wave, seed);
        let mut machine =
            Machine { waves: vec![wave], memory: layout.memory, ..Machine::default() };
        self.map_scratch(&mut machine, 1)?;
        let mut textures = TextureUnit::new(&before, &self.demand, self.generation())?;
        if let Err(verdict) = self.run(&mut machine, &mut textures) {
            return Ok(verdict);
        }
        let exported = Exported::of(&machine.exports);
        let alive = machine.exports.iter().rfind(|export| export.done).map_or(0, |it| it.lanes);
        for lane in 0..LANES {
            let Some(killed) = expected.killed(lane) else { continue };
            let found = alive >> lane & 1 == 1;
            if found == killed {
                let values = [lane as u32, u32::from(!killed), u32::from(found)];
                return Ok(self.difference(Place::Alive, values, None, None));
            }
        }
        let written = outputs_written(self.shader);
        for (register, component, target) in self.color_places() {
            if written.contains(&(register, component)) {
                let verdict =
                    self.compare_output(&expected, &exported, register, component, target);
                if let Some(verdict) = verdict {
                    return Ok(verdict);
                }
            }
        }
        Ok(self.compare_memory(&lists, &machine, &expected, &textures.images))
    }

    /// Registers, components, and where these are exported.
    fn color_places(&self) -> Vec<(u32, usize, (u8, usize))> {
        let mut places = Vec::new();
        let outputs = declared(self.shader, File::Output);
        for (register, semantic) in outputs {
            let Some(semantic) = semantic else { continue };
            match semantic.name {
                SemanticName::Color if semantic.index < 8 => {
                    let target = semantic.index as u8;
                    places.extend((0..4).map(|it| (register, it, (target, it))));
                }
                SemanticName::Position => places.push((register, 2, (DEPTH, 0))),
                _ => {}
            }
        }
        places
    }

    fn give_pixels(&self, wave: &mut Wave, seed: u64) {
        let locations = [
            ("sample", InterpolationLocation::Sample),
            ("center", InterpolationLocation::Center),
            ("centroid", InterpolationLocation::Centroid),
        ];
        for (linear, kind) in [(false, "perspective"), (true, "linear")] {
            for (word, location) in locations {
                self.give(wave, &format!("{kind}_{word}"), &|word, lane| {
                    barycentric(linear, self.location(location), lane)[word & 1].to_bits()
                });
            }
        }
        for (axis, name) in
            ["position_x", "position_y", "position_z", "position_w"].into_iter().enumerate()
        {
            self.give(wave, name, &|_, lane| position(lane)[axis].to_bits());
        }
        self.give_all(wave, "front_face", u32::from(is_front(seed)));
        self.give_all(wave, "ancillary", SAMPLE << 8 | LAYER << 16);
        self.give_all(wave, "sample_coverage", COVERAGE);
    }
}

impl Subject<'_> {
    /// An attribute whose corners have values of a flavour; those that are no ordinary
    /// floats are the same at all corners.
    fn attribute(&self, random: &mut Random, flavour: Flavour) -> Attribute {
        let components = std::array::from_fn(|component| {
            if component == 3 && self.narrow.division {
                return [[0.5, 1.0, 2.0][random.below(3) as usize % 3], 0.0, 0.0];
            }
            let first = f32::from_bits(random.value(flavour));
            let step = |random: &mut Random| match flavour {
                Flavour::Ordinary | Flavour::Whole => f32::from_bits(random.value(flavour)),
                Flavour::Special | Flavour::Mild | Flavour::Integers => 0.0,
            };
            [first, step(random), step(random)]
        });
        Attribute { components }
    }
}

fn interpolated(input: &Input, own: &Attribute, component: usize, lane: usize) -> u32 {
    let [p0, p10, p20] = own.components[component];
    let linear = match input.interpolation {
        Interpolation::Constant => return p0.to_bits(),
        Interpolation::Linear => true,
        Interpolation::Perspective | Interpolation::Color => false,
    };
    let [i, j] = barycentric(linear, input.location, lane);
    let first = flushed(p10.mul_add(i, p0));
    flushed(p20.mul_add(j, first)).to_bits()
}
