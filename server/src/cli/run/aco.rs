//! The other engine: Mesa's ACO compiles our SPIR-V of a shader for a chip, its machine code runs
//! in the emulator, and what it leaves is compared.

use diff_exec::{Reference, Verdict};
use tgsi::ast::Shader;
use tgsi_interp::inputs::Inputs;

use super::super::{Stop, failed, read_target};
use super::outside::compared;
use super::skipped::Skipped;
use super::worker;
use crate::aco::{Aco, AcoEmulator, Priority};

/// ACO's code for a chip, in the emulator.
pub(super) struct ByAco {
    /// The engine's name.
    name: String,
    emulator: AcoEmulator,
}

impl ByAco {
    /// The engine of a chip. Complains where there is no such chip, or no driver.
    pub(super) fn of(chip: &str) -> Result<ByAco, Stop> {
        let target = read_target(Some(chip))?.ok_or(Stop::Failed)?;
        let worker = worker()?;
        let aco = Aco::find(&worker, Priority::Normal).map_err(failed)?;
        let emulator = AcoEmulator::new(aco, target);
        Ok(ByAco { name: format!("{PREFIX}{}", target.name()), emulator })
    }

    /// The engine's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Runs both engines on the same inputs. Answers with the verdict how many values were
    /// compared.
    ///
    /// # Errors
    /// The reason why they cannot be run.
    pub(super) fn check(
        &mut self,
        shader: &Shader,
        inputs: &Inputs,
    ) -> Result<(Verdict, usize), Skipped> {
        let reference = Reference::in_waves(shader, inputs).map_err(Skipped::compared)?;
        match self.emulator.check(shader, &reference)? {
            Verdict::Skipped(reason) => Err(Skipped::compared(reason)),
            verdict => Ok((verdict, compared(&reference))),
        }
    }
}

/// The beginning of the names of these engines; a chip's follows.
pub(super) const PREFIX: &str = "aco:";
