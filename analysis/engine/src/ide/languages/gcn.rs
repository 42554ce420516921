//! GCN assembly: the answers about a program, for the file that was asked about, which may
//! be one that the program includes.

use editor_model::{
    Callable, Calls, Completion, Definitions, FileEdit, Fold, Highlight, Hover, Place, References,
    Renameable, SemanticToken, Signature, Symbol,
};
use gcn::service;
use source::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};

use super::{LanguageService, Query};
use crate::ide::assembly::{self, FileInProgram};
use crate::ide::costs::{self, Priced};
use crate::ide::{CodeLens, CompiledView, FormatOptions, FormatScope, RenameError, calls, lenses};
use crate::inputs::FileId;
use crate::queries::costs::CostReport;
use crate::queries::programs::{self, AssemblyKind, WantedFiles};
use crate::queries::rules;

/// Assembly of AMD's GCN.
pub(super) struct Gcn;

impl LanguageService for Gcn {
    fn diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic> {
        let mut all = programs::diagnostics(q.db, q.file);
        rules::apply_settings(q.db, q.file, &mut all);
        all
    }

    fn cost_diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic> {
        costs::diagnostics(q.db, q.file)
    }

    fn costs_are_quick(&self, q: Query<'_>) -> bool {
        crate::queries::costs::are_quick(q.db, q.file)
    }

    fn hover(&self, q: Query<'_>, offset: TextSize) -> Option<Hover> {
        assembly::hover(q.db, q.file, offset)
    }

    fn completion(&self, q: Query<'_>, offset: TextSize) -> Option<Completion> {
        service::completion::complete(FileInProgram::of(q.db, q.file).view(), offset)
    }

    fn completion_page(&self, list: &str, word: &str) -> Option<String> {
        service::completion::page(list, word)
    }

    fn signature_help(&self, q: Query<'_>, offset: TextSize) -> Option<Signature> {
        service::signature::signature(FileInProgram::of(q.db, q.file).view(), offset)
    }

    fn symbols(&self, q: Query<'_>) -> Vec<Symbol> {
        service::outline::outline(FileInProgram::of(q.db, q.file).view())
    }

    fn folds(&self, q: Query<'_>) -> Vec<Fold> {
        service::folding::folds(FileInProgram::of(q.db, q.file).view())
    }

    fn selections(&self, q: Query<'_>, offset: TextSize) -> Vec<TextRange> {
        service::selection::selections(FileInProgram::of(q.db, q.file).view(), offset)
    }

    fn semantic_tokens(&self, q: Query<'_>, range: TextRange) -> Vec<SemanticToken> {
        service::tokens::tokens(FileInProgram::of(q.db, q.file).view(), range)
    }

    fn highlights(&self, q: Query<'_>, offset: TextSize) -> Vec<Highlight> {
        let asked = FileInProgram::of(q.db, q.file);
        service::highlight::highlights(asked.view_at(q.db, offset), offset)
    }

    fn definitions(&self, q: Query<'_>, offset: TextSize) -> Option<Definitions> {
        assembly::definitions(q, offset)
    }

    fn references(&self, q: Query<'_>, offset: TextSize, wanted: References) -> Vec<Place> {
        assembly::references(q, offset, wanted)
    }

    fn prepare_rename(&self, q: Query<'_>, offset: TextSize) -> Result<Renameable, RenameError> {
        assembly::prepare_rename(q, offset)
    }

    fn rename(
        &self,
        q: Query<'_>,
        offset: TextSize,
        name: &str,
    ) -> Result<Vec<FileEdit>, RenameError> {
        assembly::rename(q, offset, name)
    }

    fn callable(&self, q: Query<'_>, offset: TextSize) -> Option<Callable> {
        calls::code(q, offset)
    }

    fn callers(&self, q: Query<'_>, offset: TextSize) -> Vec<Calls> {
        calls::callers_of_code(q, offset)
    }

    fn callees(&self, q: Query<'_>, offset: TextSize) -> Vec<Calls> {
        calls::callees_of_code(q, offset)
    }

    fn formatting(
        &self,
        q: Query<'_>,
        _options: &FormatOptions,
        scope: FormatScope,
    ) -> Vec<TextEdit> {
        let range = match scope {
            FormatScope::Whole => TextRange::up_to(TextSize::of(&*q.file.text(q.db))),
            FormatScope::Range(range) | FormatScope::Line(range) => range,
        };
        service::formatting::edits(FileInProgram::of(q.db, q.file).view(), range)
    }

    fn indentation(
        &self,
        q: Query<'_>,
        _options: &FormatOptions,
        line: TextSize,
    ) -> Option<String> {
        Some(service::formatting::indentation(FileInProgram::of(q.db, q.file).view(), line))
    }

    fn code_lenses(&self, q: Query<'_>) -> Vec<CodeLens> {
        lenses::of_kernels(q.db, q.file)
    }

    fn priced(&self, q: Query<'_>, _within: TextRange) -> Vec<Priced> {
        costs::of_kernels(q.db, q.file)
    }

    fn other_reports(&self, q: Query<'_>, code: &Priced) -> Vec<CostReport> {
        costs::other_reports_of_kernel(q, code)
    }

    fn chip_rows(&self, q: Query<'_>, code: &Priced, line: u32, index: &LineIndex) -> String {
        costs::kernel_rows(q, code, line, index)
    }

    fn wanted_files(&self, q: Query<'_>) -> WantedFiles {
        programs::wanted_files(q.db, q.file)
    }

    fn evict_caches(&self, q: Query<'_>) {
        crate::queries::costs::evict_kernels(q.db, q.file);
    }

    fn assembly_kind(&self, q: Query<'_>) -> Option<AssemblyKind> {
        Some(programs::assembly_kind(q.db, q.file))
    }

    fn expanded(&self, q: Query<'_>, offset: TextSize) -> Option<String> {
        assembly::expanded(q.db, q.file, offset)
    }

    fn expands(&self, q: Query<'_>, offset: TextSize) -> bool {
        assembly::expands(q.db, q.file, offset)
    }

    fn expanded_view(&self, q: Query<'_>) -> Option<CompiledView> {
        assembly::expanded_view(q.db, q.file)
    }

    fn converted(&self, q: Query<'_>, range: TextRange) -> Option<(&'static str, Vec<TextEdit>)> {
        assembly::converted(q, range)
    }

    fn includes(&self, q: Query<'_>) -> Vec<(TextRange, FileId)> {
        assembly::includes(q.db, q.file)
    }
}
