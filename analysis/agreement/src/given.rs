//! Where the inputs of both sides come from: a seed makes them up, or somebody says them.
//!
//! Said inputs are those of one quad, as the interpreter takes them: the first four lanes
//! of the wave, one primitive, one patch, or the groups of a grid. What the hardware would
//! work out of them (the number of a vertex, the face of a pixel) is turned round.

use run::inputs::Inputs;
use run::{Program, Register, Resources};
use tgsi::words::SemanticName;

use crate::random::{Flavour, Random};
use crate::subject::Subject;

/// Inputs that somebody says.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
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

/// Where inputs come from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// They are made up.
    Seed(u64),
    /// Somebody says them.
    Given(&'a Given),
}

/// The lanes of said inputs.
pub(crate) const QUAD: u64 = 0xf;

impl<'a> Source<'a> {
    /// The number that chooses what no input says.
    pub(crate) fn seed(self) -> u64 {
        match self {
            Source::Seed(seed) => seed,
            Source::Given(_) => 0,
        }
    }

    pub(crate) fn given(self) -> Option<&'a Given> {
        match self {
            Source::Seed(_) => None,
            Source::Given(given) => Some(given),
        }
    }
}

impl Given {
    /// What a file of inputs, or somebody in its words, says for a program.
    ///
    /// # Errors
    /// A texture cannot be.
    pub fn of(inputs: &Inputs, program: &Program) -> Result<Given, String> {
        Ok(Given {
            vertices: inputs.vertices.clone(),
            system_values: inputs.system_values.clone(),
            framebuffer: inputs.framebuffer.clone(),
            grid: inputs.grid.unwrap_or([1; 3]),
            resources: inputs.resources(program)?,
        })
    }

    /// A word of an input register; 0 where none is said.
    pub(crate) fn input(
        &self,
        vertex: usize,
        register: usize,
        component: usize,
        lane: usize,
    ) -> u32 {
        let registers = self.vertices.get(vertex).map_or(&[][..], Vec::as_slice);
        registers.get(register).map_or(0, |it| it[component & 3][lane % run::LANES])
    }

    /// An input register as one vector: that of the first lane.
    pub(crate) fn vector(&self, vertex: usize, register: usize) -> [u32; 4] {
        std::array::from_fn(|component| self.input(vertex, register, component, 0))
    }
}

impl Subject<'_> {
    /// A word of a system value that is said; `None` where the shader has no such value,
    /// or inputs are made up.
    pub(crate) fn said(
        &self,
        source: Source<'_>,
        name: SemanticName,
        component: usize,
        lane: usize,
    ) -> Option<u32> {
        let given = source.given()?;
        let (register, _) = self.program.system_values.iter().find(|(_, it)| *it == name)?;
        let register = given.system_values.get(*register as usize);
        Some(register.map_or(0, |it| it[component & 3][lane % run::LANES]))
    }

    /// The numbers that inputs are made up of, and their kind.
    pub(crate) fn numbers(&self, source: Source<'_>) -> (Random, Flavour) {
        (Random::new(source.seed()), self.flavour(source.seed()))
    }

    /// Everything in memory.
    pub(crate) fn resources(
        &self,
        source: Source<'_>,
        random: &mut Random,
        flavour: Flavour,
    ) -> Resources {
        match source {
            Source::Seed(_) => self.demand.fill(random, flavour, &self.program),
            Source::Given(given) => self.demand.complete(given.resources.clone()),
        }
    }
}
