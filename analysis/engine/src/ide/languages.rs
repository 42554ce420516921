//! The seam between the features and the languages.
//!
//! A language is an implementation of [`LanguageService`] and its row in [`service_of`];
//! nothing else of the features asks which language a file is in. What one language alone
//! has is a method whose default says that there is nothing.

mod gcn;
mod tgsi;

use editor_model::{
    Callable, Calls, Completion, Definitions, FileEdit, Fold, Highlight, Hover, Place, References,
    Renameable, SemanticToken, Signature, Symbol,
};
use salsa::Database;
use text::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};

use super::costs::Priced;
use super::{CodeLens, CompiledView, FormatOptions, FormatScope, Refactoring};
use crate::inputs::{File, FileId, Language};
use crate::queries::costs::CostReport;
use crate::queries::programs::{AssemblyKind, WantedFiles};

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
    /// What is wrong with the text, in its order.
    fn diagnostics(&self, db: &dyn Database, file: File) -> Vec<Diagnostic>;

    /// What is wrong with the costs of the code, in the order of the text.
    fn cost_diagnostics(&self, _db: &dyn Database, _file: File) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Whether the costs take a few milliseconds at most, so that their diagnostics may be
    /// told together with those of the text.
    fn costs_are_quick(&self, _db: &dyn Database, _file: File) -> bool {
        true
    }

    /// The page of the thing at an offset.
    fn hover(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Hover>;

    /// Everything that may be written at an offset.
    fn completion(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Completion>;

    /// The documentation of an offer as Markdown, by the page that it names.
    fn completion_page(&self, list: &str, word: &str) -> Option<String>;

    /// The operands of the instruction at an offset.
    fn signature_help(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Signature>;

    /// The outline.
    fn symbols(&self, db: &dyn Database, file: File) -> Vec<Symbol>;

    /// Everything that folds away, in order.
    fn folds(&self, db: &dyn Database, file: File) -> Vec<Fold>;

    /// The parts of the text around an offset, each within the next.
    fn selections(&self, db: &dyn Database, file: File, offset: TextSize) -> Vec<TextRange>;

    /// The coloured words that touch a range, in order. Each stands within one line.
    fn semantic_tokens(
        &self,
        db: &dyn Database,
        file: File,
        range: TextRange,
    ) -> Vec<SemanticToken>;

    /// The places to mark while the cursor is at an offset.
    fn highlights(&self, db: &dyn Database, file: File, offset: TextSize) -> Vec<Highlight>;

    /// Where the thing at an offset is declared.
    fn definitions(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Definitions>;

    /// The places that name the thing at an offset. `files` are all there are.
    fn references(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
        wanted: References,
    ) -> Vec<Place>;

    /// The name at an offset that can be replaced; else a sentence why not.
    fn prepare_rename(
        &self,
        db: &dyn Database,
        file: File,
        offset: TextSize,
    ) -> Result<Renameable, String>;

    /// The edits that replace the name at an offset; else a sentence why not.
    fn rename(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
        name: &str,
    ) -> Result<Vec<FileEdit>, String>;

    /// The piece of code that an offset names, or else lies in.
    fn callable(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
    ) -> Option<Callable>;

    /// Who calls the piece of code whose name stands at an offset, in order.
    fn callers(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
    ) -> Vec<Calls>;

    /// The pieces of code that the one whose name stands at an offset calls, in order.
    fn callees(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
    ) -> Vec<Calls>;

    /// The edits that format what lies in a scope: disjoint and in order.
    fn formatting(
        &self,
        db: &dyn Database,
        file: File,
        options: &FormatOptions,
        scope: FormatScope,
    ) -> Vec<TextEdit>;

    /// The blanks that the empty line at an offset is to begin with; `None` where that is
    /// not known.
    fn indentation(
        &self,
        db: &dyn Database,
        file: File,
        options: &FormatOptions,
        line: TextSize,
    ) -> Option<String>;

    /// The lenses, without what they say.
    fn code_lenses(&self, db: &dyn Database, file: File) -> Vec<CodeLens>;

    /// The code with costs that a range touches. More may be told.
    fn priced(&self, db: &dyn Database, file: File, within: TextRange) -> Vec<Priced>;

    /// The costs of a code on the other chips of the settings.
    fn other_reports(&self, db: &dyn Database, file: File, code: &Priced) -> Vec<CostReport>;

    /// The rows of a table that compares a line of a code on the chips of the settings.
    fn chip_rows(
        &self,
        db: &dyn Database,
        file: File,
        code: &Priced,
        line: u32,
        index: &LineIndex,
    ) -> String;

    /// The files that a file wants to be read with.
    fn wanted_files(&self, db: &dyn Database, file: File) -> WantedFiles;

    /// Empties the caches beside those of the features, of a text that is gone.
    fn evict_caches(&self, _db: &dyn Database, _file: File) {}

    /// The kind of assembly that a file is taken for.
    fn assembly_kind(&self, _db: &dyn Database, _file: File) -> Option<AssemblyKind> {
        None
    }

    /// The readers of a file's shaders, in a line for the user.
    fn shader_readers(&self, _db: &dyn Database, _file: File) -> Option<String> {
        None
    }

    /// The text that the macro call or repetition at an offset expands to.
    fn expanded(&self, _db: &dyn Database, _file: File, _offset: TextSize) -> Option<String> {
        None
    }

    /// Whether something at an offset expands.
    fn expands(&self, _db: &dyn Database, _file: File, _offset: TextSize) -> bool {
        false
    }

    /// The whole program expanded, joined to the lines of the file.
    fn expanded_view(&self, _db: &dyn Database, _file: File) -> Option<CompiledView> {
        None
    }

    /// The lines that touch a range in another dialect, and that one's name.
    fn converted(
        &self,
        _db: &dyn Database,
        _file: File,
        _range: TextRange,
    ) -> Option<(&'static str, Vec<TextEdit>)> {
        None
    }

    /// The names of included files in the text, and the files they mean.
    fn includes(&self, _db: &dyn Database, _file: File) -> Vec<(TextRange, FileId)> {
        Vec::new()
    }

    /// The edits of a rewriting at an offset; `None` where it cannot be made.
    fn refactored(
        &self,
        _db: &dyn Database,
        _file: File,
        _offset: TextSize,
        _refactoring: Refactoring,
    ) -> Option<Vec<TextEdit>> {
        None
    }
}
