//! The other engine: a driver that nobody here wrote executes our SPIR-V of the shader, and what it
//! leaves is compared.

use diff_exec::{Reference, Verdict};
use tgsi::ast::Shader;
use tgsi_interp::inputs::Inputs;

use super::super::{Stop, failed};
use super::skipped::Skipped;
use super::worker;
use crate::lavapipe::Lavapipe;

/// Mesa's software driver.
pub(super) struct Outside {
    lavapipe: Lavapipe,
}

impl Outside {
    /// Looks for the driver. Complains where there is none.
    pub(super) fn find() -> Result<Outside, Stop> {
        let worker = worker()?;
        let lavapipe = Lavapipe::find(&worker).map_err(failed)?;
        Ok(Outside { lavapipe })
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
        let reference = Reference::of(shader, inputs).map_err(Skipped::compared)?;
        let found = self.lavapipe.execute(shader, &reference)?;
        let verdict = reference.check(&found);
        Ok((verdict, compared(&reference)))
    }
}

/// The number of values that were compared.
pub(super) fn compared(reference: &Reference<'_>) -> usize {
    usize::try_from(reference.statistics().compared).unwrap_or(usize::MAX)
}
