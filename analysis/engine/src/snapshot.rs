//! A consistent view of the engine for worker threads: plain questions, plain
//! answers. Only this file turns salsa's unwinding into a result.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use source::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};
use thiserror::Error;

use crate::ide;
use crate::inputs::{Database, File, FileId};
use crate::queries::compile::{self, WantedJob};
use crate::queries::rules::directives;
use crate::queries::{execution, programs, shaders};

/// The snapshot was cancelled, by a change of the host, after which a new one may be asked,
/// or by a [`Canceller`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the analysis was cancelled")]
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

/// Asks a question of the database; a pending change of the host answers `Cancelled`.
macro_rules! ask {
    ($self:ident, $file:ident, |$db:ident, $input:ident| $body:expr) => {{
        let $db: &Database = &$self.db;
        let $input = $self.input($file)?;
        catch(|| $body)
    }};
}

/// For each row a question about a file: what it takes beside the file, the answer, and the
/// function of the database that gives it; where none is named, the language of the file does.
macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $answer:ty
        $(= $function:path)?;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self, file: FileId $(, $argument: $type)*) -> Result<$answer, Cancelled> {
            ask!(self, file, |db, input| answer!(
                self, db, input, $name($($argument),*) $(= $function)?
            ))
        }
    )*};
}

/// The answer of one row.
macro_rules! answer {
    ($self:ident, $db:ident, $file:ident, $name:ident($($argument:ident),*)) => {{
        let files = &$self.files;
        let query = ide::Query { db: $db, files, file: $file };
        ide::service($db, $file).$name(query, $($argument),*)
    }};
    ($self:ident, $db:ident, $file:ident, $name:ident($($argument:ident),*) = $function:path) => {
        $function($db, $file, $($argument),*)
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

    questions! {
        /// The lines of a file's text.
        line_index() -> Arc<LineIndex> = shaders::line_index;

        /// The diagnostics of a file, in order of the text.
        diagnostics() -> Vec<Diagnostic>;

        /// The number of the kernel of an assembly file at an offset, or the nearest one before it,
        /// or the first; `None` for other files.
        kernel_at(offset: TextSize) -> Option<usize>;

        /// The targets that a shader of a file is compiled for; the first is the main one. None
        /// where its file names a chip that does not exist.
        targets(shader: usize) -> Arc<[gcn::Target]> = directives::targets;

        /// The jobs wanted for a file: those whose results are neither there nor failed.
        wanted_jobs() -> Vec<WantedJob> = compile::wanted;

        /// The files that a file wants to be read with.
        wanted_files() -> programs::WantedFiles;

        /// The symbols of a file of assembly that have no value and decide what is read of it.
        undefined_symbols() -> Vec<String> = programs::undefined_symbols;

        /// The reader of a file's shaders, in a line for the user: the dialect that is chosen, or
        /// those that take them; `None` for a file without shaders.
        shader_readers() -> Option<String>;

        /// The name of the inputs that a shader of a file is to be run on, if it is to be.
        inputs_name(shader: usize) -> Option<String> = execution::inputs_name;

        /// The lane of a shader of a file whose values are to be shown, where something says it.
        inputs_lane(shader: usize) -> Option<usize> = execution::inputs_lane;

        /// The chip and language that an assembly file was taken for; `None` for other files.
        assembly_kind() -> Option<programs::AssemblyKind>;

        /// The same as far as its own words, its name and its settings say it: nothing is
        /// assembled for it.
        own_assembly_kind() -> Option<programs::AssemblyKind>;

        /// The hover of the thing at an offset.
        hover(offset: TextSize) -> Option<ide::Hover>;

        /// All that may be written at an offset; `None` where nothing is known of the language.
        completion(offset: TextSize) -> Option<ide::Completion>;

        /// The operands of the instruction at an offset.
        signature_help(offset: TextSize) -> Option<ide::Signature>;

        /// The places where the thing at an offset is declared.
        definitions(offset: TextSize) -> Option<ide::Definitions>;

        /// The places that name the thing at an offset, in order, those of other programs last.
        references(offset: TextSize, wanted: ide::References) -> Vec<ide::Location>;

        /// The piece of code that an offset names, or else lies in.
        callable(offset: TextSize) -> Option<ide::Callable>;

        /// The callers of the piece of code whose name stands at an offset.
        callers(offset: TextSize) -> Vec<ide::Calls>;

        /// The callees of the piece of code whose name stands at an offset.
        callees(offset: TextSize) -> Vec<ide::Calls>;

        /// The expansion of the macro call or repetition at an offset.
        expanded(offset: TextSize) -> Option<String>;

        /// The lines of an assembly file that touch a range in the other dialect, and that
        /// one's name; `None` where they cannot all be written so.
        converted(range: TextRange) -> Option<(&'static str, Vec<TextEdit>)>;

        /// Tells whether something at an offset expands to other text.
        expands(offset: TextSize) -> bool;

        /// The names of included files in a text, and the files they mean.
        includes() -> Vec<(TextRange, FileId)>;

        /// The codes of diagnostics that comments of a text allow, with their places.
        allowed_codes() -> Vec<(TextRange, String)> = crate::queries::rules::allowed_codes;

        /// The places to mark while the cursor is at an offset.
        highlights(offset: TextSize) -> Vec<ide::Highlight>;

        /// The name at an offset that can be replaced; else the reason why it cannot.
        prepare_rename(offset: TextSize) -> Result<ide::Renameable, ide::RenameError>;

        /// The edits that replace the name at an offset everywhere; else the reason why not.
        rename(offset: TextSize, name: &str) -> Result<Vec<ide::FileEdit>, ide::RenameError>;

        /// The rewritings of a shader that can be made at an offset.
        refactorings(offset: TextSize) -> Vec<ide::Refactoring> = ide::refactorings;

        /// The edits of one of them: disjoint and in order; `None` where it cannot be made.
        refactored(offset: TextSize, refactoring: ide::Refactoring) -> Option<Vec<TextEdit>>;

        /// The shader or kernel at an offset, alone, that a faster form may be looked for.
        improvable(offset: TextSize) -> Option<ide::Improvable>;

        /// The ranges that can be folded away, in order.
        folds() -> Vec<ide::Fold>;

        /// The parts of the text that hold an offset, each within the next.
        selections(offset: TextSize) -> Vec<TextRange> = ide::selections;

        /// The coloured words that touch a range, in order.
        semantic_tokens(range: TextRange) -> Vec<ide::SemanticToken>;

        /// The outline.
        symbols() -> Vec<ide::Symbol>;

        /// The hints of some kinds within a range.
        inlay_hints(range: TextRange, wanted: &ide::WantedHints) -> Vec<ide::InlayHint>
            = ide::inlay_hints;

        /// The costs of the shaders or kernels of a file, in order: kernels of assembly, and
        /// shaders as far as they are compiled for the main target.
        code_costs() -> Vec<ide::CodeCosts> = ide::code_costs;

        /// The diagnostics of the costs of a file, in order of the text. They take longer than
        /// [`Snapshot::diagnostics`], and are none of these.
        cost_diagnostics() -> Vec<Diagnostic>;

        /// Tells whether the costs of a file are worked out in a few milliseconds at most, so that
        /// their diagnostics may be told together with those of the text.
        costs_are_quick() -> bool;

        /// The edits that format what lies in a scope: disjoint and in order.
        formatting(numbers: ide::FormatNumbers, scope: ide::FormatScope) -> Vec<TextEdit>;

        /// The edits after a line end was typed, behind which `offset` is.
        on_new_line(numbers: ide::FormatNumbers, offset: TextSize) -> Vec<TextEdit>
            = ide::on_new_line;

        /// The lenses of a file, without what they say.
        code_lenses() -> Vec<ide::CodeLens>;

        /// The text of a lens of a file; `None` where what it stood above is gone.
        lens_title(measured: &ide::Measured) -> Option<String> = ide::lens_title;

        /// A shader's compiled code, bytes or IR as a document; `None` where the file has no
        /// such shader.
        compiled_view(compiled: &ide::CompiledRef, kind: ide::ViewKind) -> Option<ide::CompiledView>
            = ide::view;

        /// The code of a shader for some targets, side by side; `None` where the file has no
        /// such shader.
        compare_targets(shader: usize, targets: &[gcn::Target]) -> Option<ide::Comparison>
            = ide::compare_targets;

        /// The code of a shader of some builds, side by side; `None` where the file has no such
        /// shader.
        compare_builds(shader: usize, builds: &[crate::Build]) -> Option<ide::Comparison>
            = ide::compare_builds;

        /// The builds of a shader, in order.
        builds(shader: usize) -> Arc<[crate::Build]> = directives::builds;

        /// The result that was pinned for a shader beside the present one; `None` where the file
        /// has no such shader.
        compare_baseline(compiled: &ide::CompiledRef) -> Option<ide::Comparison>
            = ide::compare_baseline;

        /// The code that is shown of a shader now, to be kept; `None` where there is none.
        baseline(compiled: &ide::CompiledRef) -> Option<Arc<ide::Baseline>> = ide::baseline;

        /// The result that is pinned for a shader and target.
        pinned(compiled: &ide::CompiledRef) -> Option<Arc<ide::Baseline>> = ide::pinned;

        /// The compiled code of a shader as data; `None` where the file has no such shader.
        compiled_code(compiled: &ide::CompiledRef) -> Option<ide::CompiledCode>
            = ide::compiled_code;

        /// The SPIR-V of a shader, for compilers that take it; `None` where the file has no such
        /// shader.
        spirv_module(compiled: &ide::CompiledRef)
            -> Option<Result<crate::SpirvShader, ide::Problem>> = ide::spirv_module;

        /// The code that another compiler than LLVM made of a shader's current text, joined to
        /// its statements by the ordinals that it states.
        code_of_other(
            compiled: &ide::CompiledRef,
            code: &Result<Arc<gcn::compiled::Compiled>, ide::Problem>
        ) -> Option<ide::CompiledCode> = ide::code_of_other;

        /// The LLVM IR that a shader is lowered to; `None` where it has errors or is not lowered.
        ir(compiled: &ide::CompiledRef) -> Option<String> = ide::ir;

        /// The SPIR-V module of a shader, or why there is none; `None` where the file has no such
        /// shader.
        spirv(shader: usize) -> Option<Result<std::sync::Arc<spirv::Module>, ide::Problem>>
            = ide::spirv;

        /// The shaders that hosts can be asked about, by their numbers, with their texts.
        askable() -> Vec<(usize, Arc<str>)> = ide::askable;

        /// The places of the statements of a shader in its file, in order.
        statement_ranges(shader: usize) -> Vec<source::TextRange> = ide::statement_ranges;

        /// The GLSL of a shader for a host, as a document; `None` where the file has no such
        /// shader.
        glsl_view(shader: usize, host: &str) -> Option<ide::CompiledView> = ide::glsl_view;

        /// The verdicts of hosts about a shader, as a document; `None` where the file has no
        /// such shader.
        hosts_view(shader: usize, hosts: &[String]) -> Option<ide::CompiledView>
            = ide::hosts_view;

        /// The shaders of a file in order.
        shaders() -> Vec<ide::ShaderInfo> = ide::shader_list;

        /// The needs that each shader of a file has of a driver, in order.
        needs() -> Vec<ide::Needs> = ide::needs;
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> Result<Arc<str>, Cancelled> {
        ask!(self, file, |db, input| input.text(db))
    }

    /// The name under which a file was added.
    pub fn name(&self, file: FileId) -> Result<Arc<str>, Cancelled> {
        ask!(self, file, |db, input| input.name(db))
    }

    /// Tells whether a line of a file names the targets of a shader.
    pub fn names_targets(&self, file: FileId, shader: usize) -> Result<bool, Cancelled> {
        ask!(self, file, |db, input| directives::targets_named(db, input, shader).is_some())
    }

    /// The names that a file includes, or is run on, and that nobody has looked for yet.
    pub fn wanted_includes(&self, file: FileId) -> Result<Vec<String>, Cancelled> {
        Ok(self.wanted_files(file)?.includes)
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
        ask!(self, file, |db, input| answer!(self, db, input, evict_caches()))
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

    /// The diagnostics between the shaders of some files, taken in order as the
    /// stages of one pipeline, each with its file; `None` where the shaders
    /// are not a pipeline.
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

    /// Tells whether an offset is in the text of a shader.
    pub fn is_in_shader(&self, file: FileId, offset: TextSize) -> Result<bool, Cancelled> {
        ask!(self, file, |db, input| shaders::at(db, input, offset).is_some())
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
