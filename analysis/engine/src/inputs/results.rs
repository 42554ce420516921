//! Results that come back to the engine: of compile jobs, and those that the user keeps.

use std::sync::{Arc, Mutex};

use editor_model::CompiledFigures;
use gcn::compiled::Compiled;
use gcn::program::Program;

/// A job's identity: equal keys give equal results of the same compiler.
///
/// 128 bits, so that of all shaders that anybody compiles no two that differ meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey(pub u128);

/// The results of a shader on a target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CompileSlotState {
    /// The job that ended last, and its failure if it failed.
    pub(crate) newest: Option<(JobKey, Option<String>)>,
    /// The last result that was not a failure.
    pub(crate) good: Option<LastGood>,
}

/// A compiler's output and the instructions it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastGood {
    pub(crate) key: JobKey,
    pub(crate) output: CompilerOutput,
    pub(crate) fingerprints: Arc<[u64]>,
}

/// The code that a compiler made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CompilerOutput {
    /// LLVM's assembly text, bytes of code and warnings.
    Text { assembly: Arc<str>, code: Arc<[u8]>, warnings: Arc<[(u32, String)]> },
    /// Code that was read already, with what is to be said of how it was made.
    Read { compiled: Arc<Compiled>, notes: Arc<[String]> },
}

impl Eq for CompilerOutput {}

/// A result with the statements that it was made from: all that a comparison needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// The statements, in the order of the source; those without code may be missing.
    pub statements: Vec<KeptStatement>,
    /// The machine code, in the order of its addresses.
    pub instructions: Vec<KeptInstruction>,
    /// Its costs.
    pub figures: CompiledFigures,
}

/// A statement of a kept result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptStatement {
    /// Its words without the number before them, on one line.
    pub text: String,
    /// Equal for the same words, whatever the white space and letter case.
    pub(crate) fingerprint: u64,
}

/// A machine instruction of a kept result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptInstruction {
    /// The address, in bytes from the start of the shader.
    pub offset: u32,
    /// Its text.
    pub text: String,
    /// The statement that it comes from, by its place in [`Baseline::statements`].
    pub statement: Option<usize>,
}

/// The last program of a file. Encoding is a function of lines; who kept its results
/// need not compute them again, and gets the same. So this is not an input that anything
/// depends on, only a store that lives as long as the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastProgram(Arc<Mutex<Option<Arc<Program>>>>);

impl LastProgram {
    /// The last program, where there is one.
    pub(crate) fn get(&self) -> Option<Arc<Program>> {
        self.0.lock().map_or(None, |kept| kept.clone())
    }

    /// Keeps a program in place of the last one.
    pub(crate) fn keep(&self, program: Option<Arc<Program>>) {
        let old = self.0.lock().map_or(None, |mut kept| std::mem::replace(&mut *kept, program));
        // Freed after the lock.
        drop(old);
    }
}
