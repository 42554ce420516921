//! The other engine: a shader compiled for a chip, its machine code in the emulator, what
//! both leave compared.

use std::path::Path;

use diff_exec::{Compiled, EntryPoint, ExplicitInputs, TestPair, Verdict, lowered};
use gcn::Target;
use gcn::compiled::Instruction;
use llvm::{Compiler, Job, Output};
use tgsi::ast::Shader;
use tgsi_interp::Program;
use tgsi_interp::inputs::Inputs;

use super::super::files::SourceFile;
use super::super::{LibraryArgument, Stop, failed, listing, read_target};
use super::skipped::Skipped;
use super::worker;
use crate::jobs::{LibraryState, of_lowered, search};

/// A chip, and a compiler for it.
pub(super) struct Emulator {
    target: Target,
    compiler: Compiler,
    /// The last program: runs of the same one follow each other.
    last: Option<(Job, Output)>,
    /// The instructions that run in place of the compiler's.
    edited: Option<Vec<Instruction>>,
}

impl Emulator {
    /// The emulator of the chip of this name. Complains where there is no such chip, or no
    /// compiler.
    pub(super) fn of(name: &str, library: &LibraryArgument) -> Result<Emulator, Stop> {
        let target = read_target(Some(name))?.ok_or(Stop::Failed)?;
        let worker = worker()?;
        match search(library.wanted(), &worker) {
            (_, Some(configuration)) => Ok(Emulator {
                target,
                compiler: Compiler::new(configuration),
                last: None,
                edited: None,
            }),
            (LibraryState::Missing(advice), None) => Err(failed(advice)),
            (LibraryState::Found(_) | LibraryState::Searching, None) => Err(Stop::Failed),
        }
    }

    /// Reads a listing that runs in place of what shaders are compiled to.
    pub(super) fn read_edited(&mut self, path: &Path) -> Result<(), Stop> {
        let file = SourceFile::read(path)?;
        let edited = listing::assembled(path, &file, self.target).map_err(failed)?;
        self.edited = Some(edited);
        Ok(())
    }

    /// The chip's name.
    pub(super) fn name(&self) -> &str {
        self.target.name()
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
        let lowered = lowered(shader, self.target).map_err(Skipped::compared)?;
        let job = of_lowered(&lowered);
        let output = match self.last.take() {
            Some((last, output)) if last == job => output,
            _ => self.compiler.compile(&job)?,
        };
        let checked = self.check_code(shader, inputs, &lowered.entry, &output);
        self.last = Some((job, output));
        checked
    }

    fn check_code(
        &self,
        shader: &Shader,
        inputs: &Inputs,
        entry: &EntryPoint,
        output: &Output,
    ) -> Result<(Verdict, usize), Skipped> {
        let compiled =
            Compiled { target: self.target, entry, assembly: &output.assembly, code: &output.code };
        let program = Program::prepare(shader).map_err(Skipped::Program)?;
        let mut pair = TestPair::new(shader, &compiled).map_err(Skipped::compared)?;
        if let Some(edited) = &self.edited {
            pair.edit(edited.clone());
        }
        let explicit = ExplicitInputs::of(inputs, &program).map_err(Skipped::compared)?;
        match pair.check_explicit(&explicit) {
            Verdict::Skipped(reason) => Err(Skipped::compared(reason)),
            verdict => Ok((verdict, pair.compared())),
        }
    }
}
