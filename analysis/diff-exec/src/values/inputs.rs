//! Inputs that tell the lines of a shader apart: numbers near those that it compares with, and
//! others.

use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::{File, SemanticName};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{EMPTY, LANES, Program, Register, Resources, Subgroup};

use crate::inputs::Demand;
use crate::random::{Distribution, Random};

/// Registers that are given values.
const MOST_REGISTERS: u32 = 64;

/// Makes inputs.
pub(super) struct Maker<'a> {
    program: &'a Program,
    demand: Demand,
    /// Input registers, up to the last that is declared.
    registers: u32,
    constants: Vec<u32>,
}

impl<'a> Maker<'a> {
    pub(super) fn of(shader: &Shader, program: &'a Program) -> Maker<'a> {
        let mut constants: Vec<u32> = shader.immediates().flat_map(|it| it.bits).collect();
        constants.retain(|bits| *bits != 0);
        constants.sort_unstable();
        constants.dedup();
        let declared = shader.declarations().filter(|it| it.file.value == File::Input);
        let registers = declared.map(|it| it.range.value.last.saturating_add(1)).max().unwrap_or(0);
        let registers = registers.min(MOST_REGISTERS);
        Maker { program, demand: Demand::of(shader), registers, constants }
    }

    /// The inputs of a run.
    pub(super) fn inputs(&self, run: usize) -> Inputs {
        let mut random = Random::new(run as u64 + 1);
        let distribution = match run % 4 {
            0 => Distribution::Ordinary,
            1 => Distribution::Mild,
            2 => Distribution::Integers,
            _ => Distribution::Whole,
        };
        let mut registers = vec![EMPTY; self.registers as usize];
        for register in &mut registers {
            *register = self.register(&mut random, distribution);
            if self.program.stage == Stage::Fragment {
                for word in register.as_flattened_mut() {
                    // Interpolation leaves no denormals.
                    *word = if f32::from_bits(*word).is_normal() {
                        *word
                    } else {
                        random.word() >> 9 | 0x3f80_0000
                    };
                }
            }
        }
        for (number, name) in &self.program.inputs {
            let own = registers.get_mut(*number as usize);
            if let (Some(own), Stage::Fragment, SemanticName::Position) =
                (own, self.program.stage, *name)
            {
                *own = pixels();
            }
        }
        let mut resources = self.demand.fill(&mut random, distribution, self.program, None);
        for vectors in &mut resources.constants {
            for word in vectors.as_flattened_mut() {
                *word = self.value(&mut random, distribution);
            }
        }
        let count = self.program.system_values.iter().map(|it| it.0.saturating_add(1)).max();
        let count = count.unwrap_or(0).min(MOST_REGISTERS) as usize;
        let mut system_values = vec![EMPTY; count];
        for (number, name) in &self.program.system_values {
            let own = system_values.get_mut(*number as usize);
            if let (Some(own), SemanticName::VertexId | SemanticName::VertexIdNoBase) = (own, name)
            {
                own[0] = [0, 1, 2, 3];
            }
        }
        Inputs {
            vertices: vec![registers],
            system_values,
            grid: Some([1; 3]),
            // The same textures are made up again.
            resources: Resources { textures: Default::default(), ..resources },
            subgroup: Subgroup::Wave,
            ..Inputs::default()
        }
    }

    fn register(&self, random: &mut Random, distribution: Distribution) -> Register {
        std::array::from_fn(|_| std::array::from_fn(|_| self.value(random, distribution)))
    }

    /// A number, of two one that is near a constant of the shader.
    fn value(&self, random: &mut Random, distribution: Distribution) -> u32 {
        let count = self.constants.len() as u32;
        if count == 0 || random.below(2) == 0 {
            return random.value(distribution);
        }
        let near = self.constants.get(random.below(count) as usize).copied().unwrap_or(0);
        // A little more or less, of floats by up to a sixteenth.
        near.wrapping_add(random.below(1 << 20)).wrapping_sub(1 << 19)
    }
}

/// The places of the pixels of a quad.
fn pixels() -> Register {
    let place = |at: usize| (at as f32 + 0.5).to_bits();
    let axis = |of: fn(usize) -> usize| std::array::from_fn(|lane: usize| place(of(lane)));
    [axis(|lane| lane % 2), axis(|lane| lane / 2), [0; LANES], [0; LANES]]
}
