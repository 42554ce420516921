//! The source of the inputs of both sides: a seed that makes them up, or explicit inputs.
//!
//! Said inputs are those of one quad, as the interpreter takes them: the first four lanes
//! of the wave, one primitive, one patch, or the groups of a grid. What the hardware would
//! work out of them (the number of a vertex, the face of a pixel) is turned round.

use tgsi::words::SemanticName;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{Program, Register, Resources};

use crate::error::Error;
use crate::random::{Distribution, Random};
use crate::test_pair::TestPair;

/// Inputs that the user gives.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplicitInputs {
    /// Input registers by vertex: of one quad where the stage has no primitives.
    pub vertices: Vec<Vec<Register>>,
    /// System values by register.
    pub system_values: Vec<Register>,
    /// Colours that the pixels have.
    pub framebuffer: Vec<Register>,
    /// The groups of a compute shader.
    pub grid: [u32; 3],
    /// Constants, buffers, images and textures.
    pub resources: Resources,
}

/// The source of inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InputSource<'a> {
    /// Random inputs of this seed.
    Seed(u64),
    /// Inputs that the user gives.
    Explicit(&'a ExplicitInputs),
}

/// The lanes of explicit inputs.
pub(crate) const QUAD: u64 = 0xf;

impl<'a> InputSource<'a> {
    /// Returns the seed of all that no input determines.
    pub(crate) fn seed(self) -> u64 {
        match self {
            InputSource::Seed(seed) => seed,
            InputSource::Explicit(_) => 0,
        }
    }

    pub(crate) fn explicit(self) -> Option<&'a ExplicitInputs> {
        match self {
            InputSource::Seed(_) => None,
            InputSource::Explicit(inputs) => Some(inputs),
        }
    }
}

impl ExplicitInputs {
    /// Reads the inputs of a file, or in the words of one, for a program.
    ///
    /// # Errors
    /// A texture cannot be.
    pub fn of(inputs: &Inputs, program: &Program) -> Result<ExplicitInputs, Error> {
        Ok(ExplicitInputs {
            vertices: inputs.vertices.clone(),
            system_values: inputs.system_values.clone(),
            framebuffer: inputs.framebuffer.clone(),
            grid: inputs.grid.unwrap_or([1; 3]),
            resources: inputs.resources(program)?,
        })
    }

    /// Returns a word of an input register; 0 where there is none.
    pub(crate) fn input(
        &self,
        vertex: usize,
        register: usize,
        component: usize,
        lane: usize,
    ) -> u32 {
        let registers = self.vertices.get(vertex).map_or(&[][..], Vec::as_slice);
        registers.get(register).map_or(0, |it| it[component & 3][lane % tgsi_interp::LANES])
    }

    /// An input register as one vector: that of the first lane.
    pub(crate) fn vector(&self, vertex: usize, register: usize) -> [u32; 4] {
        std::array::from_fn(|component| self.input(vertex, register, component, 0))
    }
}

impl TestPair<'_> {
    /// Returns a word of an explicit system value; `None` where the shader has no such value,
    /// or inputs are random.
    pub(crate) fn explicit_value(
        &self,
        source: InputSource<'_>,
        name: SemanticName,
        component: usize,
        lane: usize,
    ) -> Option<u32> {
        let inputs = source.explicit()?;
        let (register, _) = self.program.system_values.iter().find(|(_, it)| *it == name)?;
        let register = inputs.system_values.get(*register as usize);
        Some(register.map_or(0, |it| it[component & 3][lane % tgsi_interp::LANES]))
    }

    /// Returns the generator of random inputs, and the distribution of their numbers.
    pub(crate) fn numbers(&self, source: InputSource<'_>) -> (Random, Distribution) {
        (Random::new(source.seed()), self.distribution(source.seed()))
    }

    /// Everything in memory.
    pub(crate) fn resources(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> Resources {
        match source {
            InputSource::Seed(_) => {
                let indices = self.index_inputs(source);
                self.demand.fill(random, distribution, &self.program, indices)
            }
            InputSource::Explicit(inputs) => self.demand.complete(inputs.resources.clone()),
        }
    }
}
