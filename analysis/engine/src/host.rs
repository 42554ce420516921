//! The engine's front: inputs and snapshots.

use std::sync::Arc;

use text::{TextRange, TextSize};

use crate::ide;

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// TGSI text, perhaps in a driver's log.
    Tgsi,
    /// GCN assembly.
    Gcn,
}

/// A file that the host was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// What the user set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The targets that shaders are compiled for; the first is the main one.
    pub targets: Vec<gcn::Target>,
    /// Whether shaders are compiled at all: false where there is no compiler.
    pub compile: bool,
}

/// A job's identity: equal keys give equal results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey(pub u64);

/// A compile job that the engine wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedJob {
    /// The file it belongs to.
    pub file: FileId,
    /// Which shader of the file, from 0.
    pub shader: usize,
    /// The chip.
    pub target: gcn::Target,
    /// The job's identity.
    pub key: JobKey,
    /// LLVM IR.
    pub ir: Arc<str>,
    /// LLVM's feature string.
    pub features: &'static str,
    /// TGSI instructions, which bound the time.
    pub instructions: u32,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The compiler's assembly text and the bytes of its code.
    Compiled {
        /// Verbose assembly.
        assembly: Arc<str>,
        /// Bytes of `.text`.
        code: Arc<[u8]>,
    },
    /// One sentence for the user.
    Failed(String),
}

/// The snapshot was cancelled by a change of the host: ask a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// Owns the inputs.
#[derive(Debug)]
pub struct Host {}

impl Host {
    /// An engine without files.
    pub fn new(settings: Settings) -> Host {
        let _ = settings;
        Host {}
    }

    /// Replaces the settings.
    pub fn set_settings(&mut self, settings: Settings) {
        let _ = settings;
    }

    /// Adds a file, or replaces its text and language. `name` identifies it: a path or URI.
    pub fn set_file(&mut self, name: &str, text: Arc<str>, language: Language) -> FileId {
        let _ = (name, text, language);
        FileId(0)
    }

    /// Forgets a file's text.
    pub fn remove_file(&mut self, file: FileId) {
        let _ = file;
    }

    /// Takes results. Those that no longer match what is wanted are kept only
    /// if nothing newer is known for the same shader and target.
    pub fn finish_jobs(&mut self, results: Vec<(WantedJob, Outcome)>) {
        let _ = results;
    }

    /// A consistent view for another thread. Any change of the host waits
    /// until every snapshot is dropped, and cancels what they compute.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {}
    }
}

/// A consistent view of the inputs.
#[derive(Debug)]
pub struct Snapshot {}

#[allow(missing_docs)]
impl Snapshot {
    /// The text of a file.
    pub fn text(&self, file: FileId) -> Result<Arc<str>, Cancelled> {
        let _ = file;
        Err(Cancelled)
    }

    /// The findings of a file.
    pub fn diagnostics(&self, file: FileId) -> Result<ide::Diagnostics, Cancelled> {
        let _ = file;
        Err(Cancelled)
    }

    /// The jobs wanted for a file: those whose results are neither there nor failed.
    pub fn wanted_jobs(&self, file: FileId) -> Result<Vec<WantedJob>, Cancelled> {
        let _ = file;
        Err(Cancelled)
    }

    /// What to say of the thing at an offset.
    pub fn hover(&self, file: FileId, offset: TextSize) -> Result<Option<ide::Hover>, Cancelled> {
        let _ = (file, offset);
        Err(Cancelled)
    }

    /// The outline.
    pub fn symbols(&self, file: FileId) -> Result<Vec<ide::Symbol>, Cancelled> {
        let _ = file;
        Err(Cancelled)
    }

    /// The hints within a range.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Result<Vec<ide::InlayHint>, Cancelled> {
        let _ = (file, range);
        Err(Cancelled)
    }

    /// The lenses of a file.
    pub fn code_lenses(&self, file: FileId) -> Result<Vec<ide::CodeLens>, Cancelled> {
        let _ = file;
        Err(Cancelled)
    }

    /// The compiled code of a shader as a document; `None` where the file has no such shader.
    pub fn compiled_view(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
    ) -> Result<Option<ide::CompiledView>, Cancelled> {
        let _ = (file, compiled);
        Err(Cancelled)
    }

    /// The index of the shader that holds an offset, or the nearest one before it.
    pub fn shader_at(&self, file: FileId, offset: TextSize) -> Result<Option<usize>, Cancelled> {
        let _ = (file, offset);
        Err(Cancelled)
    }
}
