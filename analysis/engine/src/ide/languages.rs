//! The seam between the features and the languages.
//!
//! A language is an implementation of [`LanguageService`] and its row in [`service_of`];
//! nothing else of the features asks which language a file is in. What one language alone
//! has is a method whose default says that there is nothing.

mod gcn;
mod tgsi;

use editor_model::{
    Callable, Calls, Completion, Definitions, FileEdit, Fold, Highlight, Hover, Location,
    References, Renameable, SemanticToken, Signature, Symbol,
};
use salsa::Database;
use source::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};

use super::costs::CostedCode;
use super::explanation::{ExplainedCode, ExplainedPart};
use super::improvable::Improvable;
use super::{
    CodeLens, CompiledRef, CompiledView, FormatNumbers, FormatScope, Refactoring, RenameError,
};
use crate::inputs::{File, FileId, Language};
use crate::queries::costs::CostReport;
use crate::queries::programs::{AssemblyKind, WantedFiles};

/// The file that a question is about, among all there are.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) db: &'a dyn Database,
    pub(crate) files: &'a [File],
    pub(crate) file: File,
}

impl<'a> Query<'a> {
    /// A question that no other file matters for.
    pub(super) fn of(db: &'a dyn Database, file: File) -> Query<'a> {
        Query { db, files: &[], file }
    }
}

/// The language of a file.
pub(crate) fn service(db: &dyn Database, file: File) -> &'static dyn LanguageService {
    service_of(file.language(db))
}

pub(super) fn service_of(language: Language) -> &'static dyn LanguageService {
    match language {
        Language::Tgsi => &tgsi::Tgsi,
        Language::Gcn => &gcn::Gcn,
    }
}

/// Everything that features ask of a language. Offsets are those of the file.
pub(crate) trait LanguageService: Sync {
    /// The diagnostics of the text, in its order.
    fn diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic>;

    /// The diagnostics of the costs of the code, in the order of the text.
    fn cost_diagnostics(&self, _q: Query<'_>) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Tells whether the costs take a few milliseconds at most, so that their diagnostics may be
    /// told together with those of the text.
    fn costs_are_quick(&self, _q: Query<'_>) -> bool {
        true
    }

    /// The page of the thing at an offset.
    fn hover(&self, q: Query<'_>, offset: TextSize) -> Option<Hover>;

    /// Everything that may be written at an offset.
    fn completion(&self, q: Query<'_>, offset: TextSize) -> Option<Completion>;

    /// The documentation of an offer as Markdown, by the page that it names.
    fn completion_page(&self, list: &str, word: &str) -> Option<String>;

    /// The operands of the instruction at an offset.
    fn signature_help(&self, q: Query<'_>, offset: TextSize) -> Option<Signature>;

    /// The outline.
    fn symbols(&self, q: Query<'_>) -> Vec<Symbol>;

    /// Everything that folds away, in order.
    fn folds(&self, q: Query<'_>) -> Vec<Fold>;

    /// The parts of the text around an offset, each within the next.
    fn selections(&self, q: Query<'_>, offset: TextSize) -> Vec<TextRange>;

    /// The coloured words that touch a range, in order. Each stands within one line.
    fn semantic_tokens(&self, q: Query<'_>, range: TextRange) -> Vec<SemanticToken>;

    /// The places to mark while the cursor is at an offset.
    fn highlights(&self, q: Query<'_>, offset: TextSize) -> Vec<Highlight>;

    /// The places where the thing at an offset is declared.
    fn definitions(&self, q: Query<'_>, offset: TextSize) -> Option<Definitions>;

    /// The places that name the thing at an offset.
    fn references(&self, q: Query<'_>, offset: TextSize, wanted: References) -> Vec<Location>;

    /// The name at an offset that can be replaced; else the reason why not.
    fn prepare_rename(&self, q: Query<'_>, offset: TextSize) -> Result<Renameable, RenameError>;

    /// The edits that replace the name at an offset; else the reason why not.
    fn rename(
        &self,
        q: Query<'_>,
        offset: TextSize,
        name: &str,
    ) -> Result<Vec<FileEdit>, RenameError>;

    /// The piece of code that an offset names, or else lies in.
    fn callable(&self, q: Query<'_>, offset: TextSize) -> Option<Callable>;

    /// The callers of the piece of code whose name stands at an offset, in order.
    fn callers(&self, q: Query<'_>, offset: TextSize) -> Vec<Calls>;

    /// The pieces of code that the one whose name stands at an offset calls, in order.
    fn callees(&self, q: Query<'_>, offset: TextSize) -> Vec<Calls>;

    /// The edits that format what lies in a scope: disjoint and in order.
    fn formatting(&self, q: Query<'_>, numbers: FormatNumbers, scope: FormatScope)
    -> Vec<TextEdit>;

    /// The blanks that the empty line at an offset is to begin with; `None` where that is
    /// not known.
    fn indentation(&self, q: Query<'_>, numbers: FormatNumbers, line: TextSize) -> Option<String>;

    /// The lenses, without what they say.
    fn code_lenses(&self, q: Query<'_>) -> Vec<CodeLens>;

    /// The code with costs that a range touches. More may be told.
    fn costed_code(&self, q: Query<'_>, within: TextRange) -> Vec<CostedCode>;

    /// The costs of a code on the other chips of the settings.
    fn other_reports(&self, q: Query<'_>, code: &CostedCode) -> Vec<CostReport>;

    /// The rows of a table that compares a line of a code on the chips of the settings.
    fn chip_rows(&self, q: Query<'_>, code: &CostedCode, line: u32, index: &LineIndex) -> String;

    /// A code with a part of its explanation.
    fn explained(
        &self,
        q: Query<'_>,
        compiled: &CompiledRef,
        part: ExplainedPart,
    ) -> Option<ExplainedCode>;

    /// The number of the kernel at an offset, or the nearest one before it, or the first.
    fn kernel_at(&self, _q: Query<'_>, _offset: TextSize) -> Option<usize> {
        None
    }

    /// The files that a file wants to be read with.
    fn wanted_files(&self, q: Query<'_>) -> WantedFiles;

    /// Empties the caches beside those of the features, of a text that is gone.
    fn evict_caches(&self, _q: Query<'_>) {}

    /// The kind of assembly that a file is taken for.
    fn own_assembly_kind(&self, _q: Query<'_>) -> Option<AssemblyKind> {
        None
    }

    fn assembly_kind(&self, _q: Query<'_>) -> Option<AssemblyKind> {
        None
    }

    /// The readers of a file's shaders, in a line for the user.
    fn shader_readers(&self, _q: Query<'_>) -> Option<String> {
        None
    }

    /// The text that the macro call or repetition at an offset expands to.
    fn expanded(&self, _q: Query<'_>, _offset: TextSize) -> Option<String> {
        None
    }

    /// Tells whether something at an offset expands.
    fn expands(&self, _q: Query<'_>, _offset: TextSize) -> bool {
        false
    }

    /// The whole program expanded, joined to the lines of the file.
    fn expanded_view(&self, _q: Query<'_>) -> Option<CompiledView> {
        None
    }

    /// The lines that touch a range in another dialect, and that one's name.
    fn converted(&self, _q: Query<'_>, _range: TextRange) -> Option<(&'static str, Vec<TextEdit>)> {
        None
    }

    /// The names of included files in the text, and the files they mean.
    fn includes(&self, _q: Query<'_>) -> Vec<(TextRange, FileId)> {
        Vec::new()
    }

    /// The code at an offset, alone, that a faster form may be looked for.
    fn improvable(&self, _q: Query<'_>, _offset: TextSize) -> Option<Improvable> {
        None
    }

    /// The edits of a rewriting at an offset; `None` where it cannot be made.
    fn refactored(
        &self,
        _q: Query<'_>,
        _offset: TextSize,
        _refactoring: Refactoring,
    ) -> Option<Vec<TextEdit>> {
        None
    }
}
