//! Fragment shaders: a tile of eight by eight pixels, interpolated inputs, colours and
//! depth as exports, and which pixels are alive.

use gcn_emu::texture::flushed;
use gcn_emu::{Attribute, LANES, Wave};
use lower::internal_buffers::COLOR_BUFFER_0;
use tgsi::ast::PropertyValue;
use tgsi::words::{
    File, Interpolation, InterpolationLocation, PixelCenter, PropertyName, SemanticName,
};
use tgsi_interp::Image;
use tgsi_interp::launch::QuadInputs;

use crate::difference::{Checked, Observed};
use crate::error::Error;
use crate::expectation::Expectation;
use crate::input_source::InputSource;
use crate::outputs::{Fate, declared};
use crate::random::{Distribution, Random};
use crate::test_pair::{TestPair, quad_register};

/// Export targets.
const DEPTH: u8 = 8;
/// The contents of the register of the sample's number and the layer.
const SAMPLE: u32 = 2;
const LAYER: u32 = 5;
const COVERAGE: u32 = 1;
/// Pixels of a side of the tile.
const SIDE: usize = 8;

/// An input register as it is declared.
#[derive(Debug, Clone, Copy)]
struct Input {
    register: u32,
    name: Option<SemanticName>,
    interpolation: Interpolation,
    location: InterpolationLocation,
}

/// Returns the position of a lane's pixel in the tile: quads in rows of four.
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

/// The system values of a pixel, as the hardware gives them.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    /// The position; the last component is w, not its reciprocal.
    position: [f32; 4],
    front: bool,
    sample: u32,
    layer: u32,
    coverage: u32,
}

/// The values of an attribute in the pixels of the wave.
#[derive(Debug, Clone, Copy)]
enum Values {
    /// Interpolated from the corners of the triangle.
    Triangle(Attribute),
    /// Explicit values of the pixels of each quad.
    Explicit([[f32; 4]; tgsi_interp::LANES]),
}

impl TestPair<'_> {
    /// Returns the location at which inputs are interpolated.
    fn location(&self, location: InterpolationLocation) -> InterpolationLocation {
        if self.restrictions.interpolation { InterpolationLocation::Center } else { location }
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
        self.property(PropertyName::CoordinatePixelCenter)
            == Some(PropertyValue::PixelCenter(PixelCenter::Integer))
    }

    /// Returns the system values of the pixel of a lane.
    fn pixel(&self, source: InputSource<'_>, lane: usize) -> Pixel {
        let [x, y] = pixel(lane);
        let made_up = Pixel {
            position: [x + 0.5, y + 0.25, 0.25 + x / 16.0, 1.0 + y / 8.0],
            front: !source.seed().is_multiple_of(3),
            sample: SAMPLE,
            layer: LAYER,
            coverage: COVERAGE,
        };
        let Some(inputs) = source.explicit() else { return made_up };
        let input = |wanted: SemanticName, component| {
            let all = self.pixel_inputs();
            let own = all.iter().find(|input| input.name == Some(wanted))?;
            Some(inputs.input(0, own.register as usize, component, lane))
        };
        let value = |name, component| self.explicit_value(source, name, component, lane);
        let shift = self.center_shift();
        let position = std::array::from_fn(|component| {
            let explicit = input(SemanticName::Position, component);
            let explicit =
                explicit.or(value(SemanticName::Position, component)).map(f32::from_bits);
            match (explicit, component) {
                (None, _) => made_up.position[component],
                (Some(explicit), 0 | 1) => explicit - shift,
                (Some(explicit), 3) => 1.0 / explicit,
                (Some(explicit), _) => explicit,
            }
        });
        let front = input(SemanticName::Face, 0).map(|face| f32::from_bits(face) > 0.0);
        let front = front.or(value(SemanticName::Face, 0).map(|mask| mask != 0));
        Pixel {
            position,
            front: front.unwrap_or(true),
            sample: value(SemanticName::SampleId, 0).unwrap_or(SAMPLE) & 0xf,
            layer: value(SemanticName::Layer, 0).unwrap_or(LAYER) & 0x7ff,
            coverage: value(SemanticName::SampleMask, 0).unwrap_or(COVERAGE),
        }
    }

    /// The colours that the pixels of the wave have.
    fn colors(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> [[u32; 4]; LANES] {
        let explicit = source.explicit().map(|inputs| inputs.framebuffer.first().copied());
        let mut color = |lane: usize| match explicit {
            None if self.restrictions.framebuffer => {
                std::array::from_fn(|_| random.value(distribution))
            }
            None => [0; 4],
            Some(register) => {
                register.unwrap_or(tgsi_interp::EMPTY).map(|it| it[lane % tgsi_interp::LANES])
            }
        };
        std::array::from_fn(&mut color)
    }

    /// Returns the shift that is added to the positions of pixels.
    fn center_shift(&self) -> f32 {
        if self.has_integer_centers() { -0.5 } else { 0.0 }
    }

    pub(crate) fn check_pixels(&self, source: InputSource<'_>) -> Checked {
        let (mut random, distribution) = self.numbers(source);
        let before = self.resources(source, &mut random, distribution);
        if source.explicit().is_some() && self.restrictions.interpolation {
            return Err(Error::BetweenPixels.into());
        }
        let inputs = self.pixel_inputs();
        let is_attribute = |input: &&Input| {
            !matches!(input.name, Some(SemanticName::Position | SemanticName::Face))
        };
        let attributes: Vec<(u32, Values)> = inputs
            .iter()
            .filter(is_attribute)
            .map(|input| match source {
                InputSource::Seed(_) => {
                    let mut own = self.attribute(&mut random, distribution);
                    let indices = self.index_inputs(source);
                    for (component, corners) in own.components.iter_mut().enumerate() {
                        let numbers =
                            indices.and_then(|it| it.input(input.register as usize, component));
                        if let Some(numbers) = numbers {
                            *corners = numbers.fit_corners(*corners, &mut random);
                        }
                    }
                    (input.register, Values::Triangle(own))
                }
                InputSource::Explicit(inputs) => {
                    let word =
                        |lane, component| inputs.input(0, input.register as usize, component, lane);
                    let lane = |lane| std::array::from_fn(|it| f32::from_bits(word(lane, it)));
                    (input.register, Values::Explicit(std::array::from_fn(lane)))
                }
            })
            .collect();
        let pixels: Vec<Pixel> = (0..LANES).map(|lane| self.pixel(source, lane)).collect();
        let shift = self.center_shift();
        let place = |component: usize, lane: usize| {
            let value = pixels[lane].position[component];
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
                    if pixels[lane].front {
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
            SemanticName::Face if pixels[lane].front => u32::MAX,
            SemanticName::SampleId => pixels[lane].sample,
            SemanticName::Layer => pixels[lane].layer,
            SemanticName::SampleMask => pixels[lane].coverage,
            SemanticName::SamplePosition if component < 2 => {
                let value = pixels[lane].position[component];
                (value - value.floor()).to_bits()
            }
            SemanticName::SubgroupSize => 64,
            SemanticName::SubgroupInvocation => lane as u32,
            _ => 0,
        };
        let colors = self.colors(source, &mut random, distribution);
        let expected = self.interpret(source, &before, &|quad, pair| {
            let mut registers = vec![tgsi_interp::EMPTY; count];
            for input in &inputs {
                registers[input.register as usize] =
                    quad_register(quad, &|component, lane| value(input, component, lane));
            }
            QuadInputs {
                inputs: vec![registers],
                system_values: pair.system_values(quad, &system),
                framebuffer: vec![quad_register(quad, &|component, lane| colors[lane][component])],
                mask: 0xf,
                ..QuadInputs::default()
            }
        })?;
        let mut wave = Wave::new(self.lanes(source));
        wave.attributes = attributes.iter().map(|(_, values)| values.of_wave()).collect();
        self.set_pixels(&mut wave, &pixels);
        let mut setup = self.set_up(&before)?;
        if self.restrictions.framebuffer {
            let mut texels = vec![[0; 4]; LANES];
            for (lane, color) in colors.iter().enumerate() {
                let [x, y] = pixel(lane).map(|it| it as usize);
                texels[y * SIDE + x] = *color;
            }
            let size = [SIDE as u32, SIDE as u32, 1];
            setup.add_image(COLOR_BUFFER_0, Image { size, texels })?;
        }
        let state = self.launch(setup, [vec![wave]])?;
        let exports = &state.machine.exports;
        let alive = exports.iter().rfind(|export| export.sent.done).map_or(0, |it| it.lanes);
        for lane in 0..LANES {
            let wanted = match expected.fate(lane) {
                Some(Fate::Alive) => true,
                Some(Fate::Killed) => false,
                Some(Fate::Either) | None => continue,
            };
            let found = alive >> lane & 1 == 1;
            if expected.kills() {
                self.count();
            }
            if found != wanted {
                let values = (lane, &Expectation::exactly(wanted.into()), u32::from(found));
                return Err(self.difference(Observed::Alive, values, None, None));
            }
        }
        self.compare_outputs(&expected, &state, &self.color_places())?;
        self.compare_memory(&state, &expected)
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

    fn set_pixels(&self, wave: &mut Wave, pixels: &[Pixel]) {
        let locations = [
            ("sample", InterpolationLocation::Sample),
            ("center", InterpolationLocation::Center),
            ("centroid", InterpolationLocation::Centroid),
        ];
        for (linear, kind) in [(false, "perspective"), (true, "linear")] {
            for (word, location) in locations {
                self.set_parameter(wave, &format!("{kind}_{word}"), &|word, lane| {
                    barycentric(linear, self.location(location), lane)[word & 1].to_bits()
                });
            }
        }
        for (axis, name) in
            ["position_x", "position_y", "position_z", "position_w"].into_iter().enumerate()
        {
            self.set_parameter(wave, name, &|_, lane| pixels[lane].position[axis].to_bits());
        }
        self.set_parameter(wave, "fixed_position", &|_, lane| {
            let [x, y] = pixel(lane).map(|it| it as u32);
            x | y << 16
        });
        self.set_parameter(wave, "front_face", &|_, lane| u32::from(pixels[lane].front));
        self.set_parameter(wave, "ancillary", &|_, lane| {
            pixels[lane].sample << 8 | pixels[lane].layer << 16
        });
        self.set_parameter(wave, "sample_coverage", &|_, lane| pixels[lane].coverage);
    }
}

impl TestPair<'_> {
    /// An attribute whose corners have values of a distribution; half of the ordinary floats, and
    /// all others, are the same at all corners.
    fn attribute(&self, random: &mut Random, distribution: Distribution) -> Attribute {
        let components = std::array::from_fn(|_| {
            let first = f32::from_bits(random.value(distribution));
            let step = |random: &mut Random| match distribution {
                // What has to lie within limits, as depths do, is there in the whole tile.
                Distribution::Ordinary if random.below(2) == 0 => 0.0,
                Distribution::Ordinary | Distribution::Whole => {
                    f32::from_bits(random.value(distribution))
                }
                _ => 0.0,
            };
            [first, step(random), step(random)]
        });
        Attribute { components, ..Attribute::default() }
    }
}

impl Values {
    /// As the wave has them.
    fn of_wave(&self) -> Attribute {
        match self {
            Values::Triangle(attribute) => *attribute,
            Values::Explicit(quad) => Attribute { quad: Some(*quad), ..Attribute::default() },
        }
    }
}

fn interpolated(input: &Input, own: &Values, component: usize, lane: usize) -> u32 {
    let [p0, p10, p20] = match own {
        Values::Triangle(attribute) => attribute.components[component],
        Values::Explicit(quad) => [quad[lane % tgsi_interp::LANES][component], 0.0, 0.0],
    };
    let linear = match input.interpolation {
        Interpolation::Constant => return p0.to_bits(),
        Interpolation::Linear => true,
        Interpolation::Perspective | Interpolation::Color => false,
    };
    let [i, j] = barycentric(linear, input.location, lane);
    let first = flushed(softfloat::fused_f32(p10, i, p0));
    flushed(softfloat::fused_f32(p20, j, first)).to_bits()
}
