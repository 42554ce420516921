//! A consistent view of the engine for worker threads: plain questions, plain
//! answers. Only this file turns salsa's unwinding into a result.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use source::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};

use crate::ide;
use crate::inputs::{Database, File, FileId};
use crate::queries::compile::{self, WantedJob};
use crate::queries::rules::directives;
use crate::queries::{execution, programs, shaders};

/// The snapshot was cancelled, by a change of the host, after which a new one may be asked,
/// or by a [`Canceller`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// A consistent view of the inputs. Keep it only as long as it is asked: a
/// change of the host waits for it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    files: Arc<Vec<File>>,
    cancelled: Arc<AtomicBool>,
    db: Database,
}

/// Ends from another thread what a snapshot is asked.
#[derive(Debug, Clone)]
pub struct Canceller {
    /// Until the end of the question that is being answered; salsa forgets it then.
    now: salsa::CancellationToken,
    /// For good.
    cancelled: Arc<AtomicBool>,
}

impl Canceller {
    /// Has the snapshot answer nothing any more, the question included that it is at.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        self.now.cancel();
    }
}

/// Asks a question of the database, or one of the language of the file; a pending change of
/// the host answers `Cancelled`.
macro_rules! ask {
    ($self:ident, $file:ident, |$db:ident, $input:ident| $body:expr) => {{
        let $db: &Database = &$self.db;
        let $input = $self.input($file)?;
        catch(|| $body)
    }};
    ($self:ident, $file:ident, $question:ident($($argument:expr),*)) => {
        ask!($self, $file, |db, input| {
            let files = &$self.files;
            ide::service(db, input).$question(ide::Query { db, files, file: input }, $($argument),*)
        })
    };
}

impl Snapshot {
    pub(crate) fn new(db: Database, files: Arc<Vec<File>>) -> Snapshot {
        Snapshot { files, cancelled: Arc::default(), db }
    }

    /// A handle that ends the questions that it is asked.
    pub fn canceller(&self) -> Canceller {
        let now = salsa::Database::cancellation_token(&self.db);
        Canceller { now, cancelled: Arc::clone(&self.cancelled) }
    }

    /// A file that was added after the snapshot was made does not exist for it.
    fn input(&self, file: FileId) -> Result<File, Cancelled> {
        if self.cancelled.load(Ordering::SeqCst) {
            return Err(Cancelled);
        }
        self.files.get(file.0 as usize).copied().ok_or(Cancelled)
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> Result<Arc<str>, Cancelled> {
        ask!(self, file, |db, input| input.text(db))
    }

    /// The name under which a file was added.
    pub fn name(&self, file: FileId) -> Result<Arc<str>, Cancelled> {
        ask!(self, file, |db, input| input.name(db))
    }

    /// The lines of a file's text.
    pub fn line_index(&self, file: FileId) -> Result<Arc<LineIndex>, Cancelled> {
        ask!(self, file, |db, input| shaders::line_index(db, input))
    }

    /// The diagnostics of a file, in order of the text.
    pub fn diagnostics(&self, file: FileId) -> Result<Vec<Diagnostic>, Cancelled> {
        ask!(self, file, diagnostics())
    }

    /// The targets that a shader of a file is compiled for; the first is the main one. None
    /// where its file names a chip that does not exist.
    pub fn targets(&self, file: FileId, shader: usize) -> Result<Arc<[gcn::Target]>, Cancelled> {
        ask!(self, file, |db, input| directives::targets(db, input, shader))
    }

    /// Tells whether a line of a file names the targets of a shader.
    pub fn names_targets(&self, file: FileId, shader: usize) -> Result<bool, Cancelled> {
        ask!(self, file, |db, input| directives::targets_named(db, input, shader).is_some())
    }

    /// The jobs wanted for a file: those whose results are neither there nor failed.
    pub fn wanted_jobs(&self, file: FileId) -> Result<Vec<WantedJob>, Cancelled> {
        ask!(self, file, |db, input| compile::wanted(db, file, input))
    }

    /// The files that a file wants to be read with.
    pub fn wanted_files(&self, file: FileId) -> Result<programs::WantedFiles, Cancelled> {
        ask!(self, file, wanted_files())
    }

    /// The reader of a file's shaders, in a line for the user: the dialect that is chosen, or
    /// those that take them; `None` for a file without shaders.
    pub fn shader_readers(&self, file: FileId) -> Result<Option<String>, Cancelled> {
        ask!(self, file, shader_readers())
    }

    /// The names that a file includes, or is run on, and that nobody has looked for yet.
    pub fn wanted_includes(&self, file: FileId) -> Result<Vec<String>, Cancelled> {
        Ok(self.wanted_files(file)?.includes)
    }

    /// The name of the inputs that a shader of a file is to be run on, if it is to be.
    pub fn inputs_name(&self, file: FileId, shader: usize) -> Result<Option<String>, Cancelled> {
        ask!(self, file, |db, input| execution::inputs_name(db, input, shader))
    }

    /// The chip and language that an assembly file was taken for; `None` for other files.
    pub fn assembly_kind(&self, file: FileId) -> Result<Option<programs::AssemblyKind>, Cancelled> {
        ask!(self, file, assembly_kind())
    }

    /// The hover of the thing at an offset.
    pub fn hover(&self, file: FileId, offset: TextSize) -> Result<Option<ide::Hover>, Cancelled> {
        ask!(self, file, hover(offset))
    }

    /// All that may be written at an offset; `None` where nothing is known of the language.
    pub fn completion(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Option<ide::Completion>, Cancelled> {
        ask!(self, file, completion(offset))
    }

    /// The operands of the instruction at an offset.
    pub fn signature_help(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Option<ide::Signature>, Cancelled> {
        ask!(self, file, signature_help(offset))
    }

    /// The places where the thing at an offset is declared.
    pub fn definitions(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Option<ide::Definitions>, Cancelled> {
        ask!(self, file, definitions(offset))
    }

    /// The places that name the thing at an offset, in order, those of other programs last.
    pub fn references(
        &self,
        file: FileId,
        offset: TextSize,
        wanted: ide::References,
    ) -> Result<Vec<ide::Place>, Cancelled> {
        ask!(self, file, references(offset, wanted))
    }

    /// The piece of code that an offset names, or else lies in.
    pub fn callable(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Option<ide::Callable>, Cancelled> {
        ask!(self, file, callable(offset))
    }

    /// The callers of the piece of code whose name stands at an offset.
    pub fn callers(&self, file: FileId, offset: TextSize) -> Result<Vec<ide::Calls>, Cancelled> {
        ask!(self, file, callers(offset))
    }

    /// The callees of the piece of code whose name stands at an offset.
    pub fn callees(&self, file: FileId, offset: TextSize) -> Result<Vec<ide::Calls>, Cancelled> {
        ask!(self, file, callees(offset))
    }

    /// The expansion of the macro call or repetition at an offset.
    pub fn expanded(&self, file: FileId, offset: TextSize) -> Result<Option<String>, Cancelled> {
        ask!(self, file, expanded(offset))
    }

    /// The lines of an assembly file that touch a range in the other dialect, and that
    /// one's name; `None` where they cannot all be written so.
    pub fn converted(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Result<Option<(&'static str, Vec<TextEdit>)>, Cancelled> {
        ask!(self, file, converted(range))
    }

    /// Tells whether something at an offset expands to other text.
    pub fn expands(&self, file: FileId, offset: TextSize) -> Result<bool, Cancelled> {
        ask!(self, file, expands(offset))
    }

    /// The names of included files in a text, and the files they mean.
    pub fn includes(&self, file: FileId) -> Result<Vec<(TextRange, FileId)>, Cancelled> {
        ask!(self, file, includes())
    }

    /// The codes of diagnostics that comments of a text allow, with their places.
    pub fn allowed_codes(&self, file: FileId) -> Result<Vec<(TextRange, String)>, Cancelled> {
        ask!(self, file, |db, input| crate::queries::rules::allowed_codes(db, input))
    }

    /// The places to mark while the cursor is at an offset.
    pub fn highlights(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Vec<ide::Highlight>, Cancelled> {
        ask!(self, file, highlights(offset))
    }

    /// The name at an offset that can be replaced; else the reason why it cannot.
    pub fn prepare_rename(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Result<ide::Renameable, ide::RenameError>, Cancelled> {
        ask!(self, file, prepare_rename(offset))
    }

    /// The edits that replace the name at an offset everywhere; else the reason why not.
    pub fn rename(
        &self,
        file: FileId,
        offset: TextSize,
        name: &str,
    ) -> Result<Result<Vec<ide::FileEdit>, ide::RenameError>, Cancelled> {
        ask!(self, file, rename(offset, name))
    }

    /// The rewritings of a shader that can be made at an offset.
    pub fn refactorings(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Vec<ide::Refactoring>, Cancelled> {
        ask!(self, file, |db, input| ide::refactorings(db, input, offset))
    }

    /// The edits of one of them: disjoint and in order; `None` where it cannot be made.
    pub fn refactored(
        &self,
        file: FileId,
        offset: TextSize,
        refactoring: ide::Refactoring,
    ) -> Result<Option<Vec<TextEdit>>, Cancelled> {
        ask!(self, file, refactored(offset, refactoring))
    }

    /// The ranges that can be folded away, in order.
    pub fn folds(&self, file: FileId) -> Result<Vec<ide::Fold>, Cancelled> {
        ask!(self, file, folds())
    }

    /// The parts of the text that hold an offset, each within the next.
    pub fn selections(&self, file: FileId, offset: TextSize) -> Result<Vec<TextRange>, Cancelled> {
        ask!(self, file, |db, input| ide::selections(db, input, offset))
    }

    /// The coloured words that touch a range, in order.
    pub fn semantic_tokens(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Result<Vec<ide::SemanticToken>, Cancelled> {
        ask!(self, file, semantic_tokens(range))
    }

    /// The outline.
    pub fn symbols(&self, file: FileId) -> Result<Vec<ide::Symbol>, Cancelled> {
        ask!(self, file, symbols())
    }

    /// The hints of some kinds within a range.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
        wanted: &[ide::InlayHintKind],
    ) -> Result<Vec<ide::InlayHint>, Cancelled> {
        ask!(self, file, |db, input| ide::inlay_hints(db, input, range, wanted))
    }

    /// The costs of the shaders or kernels of a file, in order: kernels of assembly, and
    /// shaders as far as they are compiled for the main target.
    pub fn code_costs(&self, file: FileId) -> Result<Vec<ide::CodeCosts>, Cancelled> {
        ask!(self, file, |db, input| ide::code_costs(db, input))
    }

    /// The diagnostics of the costs of a file, in order of the text. They take longer than
    /// [`Snapshot::diagnostics`], and are none of these.
    pub fn cost_diagnostics(&self, file: FileId) -> Result<Vec<Diagnostic>, Cancelled> {
        ask!(self, file, cost_diagnostics())
    }

    /// The diagnostics of a file and of its costs, in order of the text.
    pub fn all_diagnostics(&self, file: FileId) -> Result<Vec<Diagnostic>, Cancelled> {
        let mut all = self.diagnostics(file)?;
        all.extend(self.cost_diagnostics(file)?);
        all.sort_by_key(|diagnostic| diagnostic.range.start());
        Ok(all)
    }

    /// Empties the caches of a file that was removed. Salsa keeps a result until the query
    /// runs again: of an empty text, which takes no time and little memory.
    pub fn evict_caches(&self, file: FileId) -> Result<(), Cancelled> {
        if !self.text(file)?.is_empty() {
            return Ok(()); // It was added again.
        }
        self.all_diagnostics(file)?;
        self.wanted_jobs(file)?;
        self.symbols(file)?;
        ask!(self, file, evict_caches())
    }

    /// Tells whether the costs of a file are worked out in a few milliseconds at most, so that
    /// their diagnostics may be told together with those of the text.
    pub fn costs_are_quick(&self, file: FileId) -> Result<bool, Cancelled> {
        ask!(self, file, costs_are_quick())
    }

    /// The edits that format what lies in a scope: disjoint and in order.
    pub fn formatting(
        &self,
        file: FileId,
        options: &ide::FormatOptions,
        scope: ide::FormatScope,
    ) -> Result<Vec<TextEdit>, Cancelled> {
        ask!(self, file, formatting(options, scope))
    }

    /// The edits after a line end was typed, behind which `offset` is.
    pub fn on_new_line(
        &self,
        file: FileId,
        options: &ide::FormatOptions,
        offset: TextSize,
    ) -> Result<Vec<TextEdit>, Cancelled> {
        ask!(self, file, |db, input| ide::on_new_line(db, input, options, offset))
    }

    /// The lenses of a file, without what they say.
    pub fn code_lenses(&self, file: FileId) -> Result<Vec<ide::CodeLens>, Cancelled> {
        ask!(self, file, code_lenses())
    }

    /// The text of a lens of a file; `None` where what it stood above is gone.
    pub fn lens_title(
        &self,
        file: FileId,
        measured: &ide::Measured,
    ) -> Result<Option<String>, Cancelled> {
        ask!(self, file, |db, input| ide::lens_title(db, input, measured))
    }

    /// A shader's compiled code, bytes or IR as a document; `None` where the file has no
    /// such shader.
    pub fn compiled_view(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
        kind: ide::ViewKind,
    ) -> Result<Option<ide::CompiledView>, Cancelled> {
        ask!(self, file, |db, input| ide::view(db, input, compiled, kind))
    }

    /// The code of a shader for some targets, side by side; `None` where the file has no
    /// such shader.
    pub fn compare_targets(
        &self,
        file: FileId,
        shader: usize,
        targets: &[gcn::Target],
    ) -> Result<Option<ide::Comparison>, Cancelled> {
        ask!(self, file, |db, input| ide::compare_targets(db, input, shader, targets))
    }

    /// The result that was pinned for a shader beside the present one; `None` where the file has no
    /// such shader.
    pub fn compare_baseline(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
    ) -> Result<Option<ide::Comparison>, Cancelled> {
        ask!(self, file, |db, input| ide::compare_baseline(db, input, compiled))
    }

    /// A kept result beside what the shader is now; `None` where the file has no such
    /// shader.
    pub fn compare_with(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
        kept: &ide::Baseline,
    ) -> Result<Option<ide::Comparison>, Cancelled> {
        ask!(self, file, |db, input| ide::compare_with(db, input, compiled, Some(kept)))
    }

    /// The code that is shown of a shader now, to be kept; `None` where there is none.
    pub fn baseline(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
    ) -> Result<Option<Arc<ide::Baseline>>, Cancelled> {
        ask!(self, file, |db, input| ide::baseline(db, input, compiled))
    }

    /// The result that is pinned for a shader and target.
    pub fn pinned(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
    ) -> Result<Option<Arc<ide::Baseline>>, Cancelled> {
        ask!(self, file, |db, input| ide::pinned(db, input, compiled))
    }

    /// The compiled code of a shader as data; `None` where the file has no such shader.
    pub fn compiled_code(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
    ) -> Result<Option<ide::CompiledCode>, Cancelled> {
        ask!(self, file, |db, input| ide::compiled_code(db, input, compiled))
    }

    /// The LLVM IR that a shader is lowered to; `None` where it has errors or is not lowered.
    pub fn ir(
        &self,
        file: FileId,
        compiled: &ide::CompiledRef,
    ) -> Result<Option<String>, Cancelled> {
        ask!(self, file, |db, input| ide::ir(db, input, compiled))
    }

    /// The shaders of a file in order.
    pub fn shaders(&self, file: FileId) -> Result<Vec<ide::ShaderInfo>, Cancelled> {
        ask!(self, file, |db, input| ide::shader_list(db, input))
    }

    /// The needs that each shader of a file has of a driver, in order.
    pub fn needs(&self, file: FileId) -> Result<Vec<ide::Needs>, Cancelled> {
        ask!(self, file, |db, input| ide::needs(db, input))
    }

    /// The diagnostics between the shaders of some files, taken in order as the
    /// stages of one pipeline, each with its file; `None` where the shaders
    /// are no pipeline.
    pub fn link(&self, files: &[FileId]) -> Result<Option<Vec<(FileId, Diagnostic)>>, Cancelled> {
        let inputs: Result<Vec<File>, Cancelled> =
            files.iter().map(|file| self.input(*file)).collect();
        let inputs = inputs?;
        let db: &Database = &self.db;
        catch(|| {
            let stages = inputs
                .iter()
                .flat_map(|file| shaders::shaders(db, *file).iter().map(|shader| (*file, *shader)));
            let found = crate::queries::rules::link(db, &stages.collect::<Vec<_>>())?;
            let named = found.into_iter().filter_map(|(file, diagnostic)| {
                let place = inputs.iter().position(|input| *input == file)?;
                Some((files[place], diagnostic))
            });
            Some(named.collect())
        })
    }

    /// The index of the shader that holds an offset, or the nearest one before
    /// it, or the first.
    pub fn shader_at(&self, file: FileId, offset: TextSize) -> Result<Option<usize>, Cancelled> {
        ask!(self, file, |db, input| {
            let regions = shaders::regions(db, input);
            let before = regions.shaders.partition_point(|region| region.range().start() <= offset);
            (!regions.shaders.is_empty()).then(|| before.saturating_sub(1))
        })
    }
}

/// Runs a question, and turns salsa's cancellation into a value. A query that
/// waited for one on another thread learns only that it unwound, not whether
/// by cancellation or by a panic; asked again, it will meet the panic itself.
/// Any other panic goes on: the caller answers that one request with an error.
fn catch<T>(question: impl FnOnce() -> T) -> Result<T, Cancelled> {
    salsa::Cancelled::catch(AssertUnwindSafe(question)).map_err(|_| Cancelled)
}
