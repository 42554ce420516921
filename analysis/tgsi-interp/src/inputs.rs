//! Files of inputs: what a shader is given, in TOML. Their words stand in [`page`], which
//! users read too.

mod textures;

use std::cell::Cell;

use run_inputs::{Expectation, Reader, Table};
use sampler::InvalidShape;
use thiserror::Error;

use crate::group::Subgroup;
use crate::launch::QuadInputs;
use crate::program::Program;
use crate::registers::{EMPTY, LANES, Register};
use crate::resources::{Image, Resources, Sampled, Textures};
pub use run_inputs::Mistake;
pub use textures::TextureInput;

/// An error of a texture in a file of inputs, for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("texture {unit}: {problem}")]
pub struct TextureError {
    /// The unit.
    pub unit: u32,
    /// The reason for which it cannot be.
    pub problem: TextureProblem,
}

/// The reason for which a texture cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TextureProblem {
    /// The shape cannot be.
    #[error(transparent)]
    Shape(#[from] InvalidShape),
    /// All textures together have more texels than a file may ask for.
    #[error("there are too many texels")]
    TooManyTexels,
}

/// The contents of a file of inputs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    /// The lane that is looked at: of all invocations, from 0.
    pub lane: usize,
    /// The thread groups of a compute shader.
    pub grid: Option<[u32; 3]>,
    /// Input registers by vertex; the first also holds `[in]`.
    pub vertices: Vec<Vec<Register>>,
    /// System values by register.
    pub system_values: Vec<Register>,
    /// Colours that the pixels have.
    pub framebuffer: Vec<Register>,
    /// Everything that is not a texture.
    pub resources: Resources,
    /// Textures by unit.
    pub textures: Vec<Option<TextureInput>>,
    /// Samplers by unit.
    pub samplers: Vec<sampler::Sampler>,
    /// The lanes of a subgroup: no file says them, but whoever runs it.
    pub subgroup: Subgroup,
    /// The values that the run is to leave.
    pub expect: Option<Expectation>,
}

/// The tables of what a run is to leave: outputs and buffers.
const EXPECTED: [Table; 2] =
    [Table { name: "out", by_lane: true }, Table { name: "buf", by_lane: false }];

/// Returns the page on running shaders and files of inputs, in Markdown.
pub fn page() -> &'static str {
    include_str!("../data/running.md")
}

/// Registers that the vertices of a file have together: a few words may name thousands.
pub const MOST_REGISTERS: usize = 1 << 16;

/// Texels of all images of a file, and of all textures.
pub const MOST_TEXELS: u64 = 1 << 22;

/// Words of shared memory that a group has.
const SHARED_WORDS: usize = 65536 / 4;

impl Inputs {
    /// Reads a file of inputs.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &str) -> Result<Inputs, Mistake> {
        let mut inputs = Inputs::default();
        run_inputs::sections(text, |name, value, range| inputs.section(name, value, range))?;
        Ok(inputs)
    }

    fn section(
        &mut self,
        name: &str,
        value: &Reader<'_>,
        range: std::ops::Range<usize>,
    ) -> Result<(), Mistake> {
        const NAMES: &str = "lane, grid, in, vertex, const, sv, framebuffer, buf, hwatomic, img, \
                             tex, samp and expect";
        match name {
            "lane" => self.lane = value.number()? as usize,
            "grid" => self.grid = Some(value.size()?),
            "in" => {
                let registers = value.numbered(register, EMPTY)?;
                self.vertex(0, registers);
            }
            "vertex" => {
                let left = Cell::new(MOST_REGISTERS);
                let registers = |it: &Reader<'_>| {
                    let registers = it.numbered(register, EMPTY)?;
                    spend(&left, registers.len())
                        .ok_or_else(|| it.mistake("too many registers".to_owned()))?;
                    Ok(registers)
                };
                let vertices = value.numbered(registers, Vec::new())?;
                for (number, registers) in vertices.into_iter().enumerate() {
                    self.vertex(number, registers);
                }
            }
            "sv" => self.system_values = value.numbered(register, EMPTY)?,
            "framebuffer" => self.framebuffer = value.numbered(register, EMPTY)?,
            "const" => {
                self.resources.constants = value.numbered(Reader::vectors, Vec::new())?;
            }
            "buf" => self.resources.buffers = value.numbered(Reader::words, Vec::new())?,
            "hwatomic" => self.resources.counters = value.numbered(Reader::words, Vec::new())?,
            "img" => {
                let left = Cell::new(MOST_TEXELS as usize);
                self.resources.images = value.numbered(|it| image(it, &left).map(Some), None)?;
            }
            "tex" => {
                self.textures = value.numbered(|it| TextureInput::read(it).map(Some), None)?;
            }
            "samp" => {
                self.samplers = value.numbered(run_inputs::sampler_state, Default::default())?
            }
            "expect" => self.expect = Some(Expectation::read(value, &EXPECTED)?),
            _ => {
                let message = format!("`{name}`: there are {NAMES}");
                return Err(Mistake { range, message });
            }
        }
        Ok(())
    }

    /// Adds registers of a vertex to those that it has.
    fn vertex(&mut self, number: usize, registers: Vec<Register>) {
        if self.vertices.len() <= number {
            self.vertices.resize(number + 1, Vec::new());
        }
        let mine = &mut self.vertices[number];
        if mine.len() < registers.len() {
            mine.resize(registers.len(), EMPTY);
        }
        for (mine, given) in mine.iter_mut().zip(registers) {
            if given != EMPTY {
                *mine = given;
            }
        }
    }

    /// The inputs of one quad, all its lanes live.
    pub fn quad(&self) -> QuadInputs {
        QuadInputs {
            inputs: self.vertices.clone(),
            system_values: self.system_values.clone(),
            framebuffer: self.framebuffer.clone(),
            mask: 0xf,
            subgroup: self.subgroup,
            ..QuadInputs::default()
        }
    }

    /// The resources for a program: with textures of the kinds that it looks up, unless they are
    /// those of a recorded run.
    ///
    /// # Errors
    /// Says which texture cannot be.
    pub fn resources(&self, program: &Program) -> Result<Resources, TextureError> {
        let mut resources = self.resources.clone();
        resources.shared = vec![0; SHARED_WORDS];
        if matches!(resources.textures, Textures::Recorded(_)) {
            return Ok(resources);
        }
        let mut sampled = Sampled { samplers: self.samplers.clone(), ..Sampled::default() };
        let left = Cell::new(MOST_TEXELS as usize);
        for (unit, dimension, numbers) in program.textures() {
            let given = self.textures.get(unit as usize).and_then(Option::as_ref);
            let Some(given) = given else { continue };
            let made = given.texture(dimension, numbers, unit);
            let refused = |problem| TextureError { unit, problem };
            let made = made.map_err(|error| refused(TextureProblem::Shape(error)))?;
            let texels = made.shape().texels();
            spend(&left, texels as usize).ok_or_else(|| refused(TextureProblem::TooManyTexels))?;
            let place = unit as usize;
            if sampled.textures.len() <= place {
                sampled.textures.resize(place + 1, None);
            }
            sampled.textures[place] = Some(made);
        }
        sampled.make_up(program);
        resources.textures = Textures::Sampled(sampled);
        Ok(resources)
    }
}

/// Takes so many of what is left, if there are.
fn spend(left: &Cell<usize>, count: usize) -> Option<()> {
    left.set(left.get().checked_sub(count)?);
    Some(())
}

/// A vector for all lanes, or one for each.
fn register(value: &Reader<'_>) -> Result<Register, Mistake> {
    let lanes: [[u32; 4]; LANES] = match value.is_nested()? {
        false => [value.vector()?; LANES],
        true => value
            .vectors()?
            .try_into()
            .map_err(|_| value.mistake(format!("not one vector for each of {LANES} lanes")))?,
    };
    Ok(std::array::from_fn(|component| lanes.map(|vector| vector[component])))
}

/// An image: its size and its texels, which are taken from what is left.
fn image(value: &Reader<'_>, left: &Cell<usize>) -> Result<Image, Mistake> {
    let mut image = Image { size: [1; 3], texels: Vec::new() };
    for (name, value) in value.fields()? {
        match name.as_str() {
            "size" => image.size = value.size()?,
            "texels" => image.texels = value.vectors()?,
            other => return Err(value.mistake(format!("`{other}`: an image has size and texels"))),
        }
    }
    let [width, height, depth] = image.size.map(u64::from);
    let count = width.saturating_mul(height).saturating_mul(depth);
    if count > sampler::Shape::MOST_TEXELS || spend(left, count as usize).is_none() {
        return Err(value.mistake("the image is too large".to_owned()));
    }
    image.texels.resize(count as usize, [0; 4]);
    Ok(image)
}

#[cfg(test)]
mod record_tests;
#[cfg(test)]
mod tests;
