//! GCN assembly: the answers about a program, for the file that was asked about, which may
//! be one that the program includes.

use editor_model::{
    Callable, Calls, Completion, Definitions, FileEdit, Fold, Highlight, Hover, Place, References,
    Renameable, SemanticToken, Signature, Symbol,
};
use gcn::service;
use salsa::Database;
use text::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};

use super::LanguageService;
use crate::ide::assembly::{self, Asked};
use crate::ide::costs::{self, Priced};
use crate::ide::{CodeLens, CompiledView, FormatOptions, FormatScope, calls, lenses};
use crate::inputs::{File, FileId};
use crate::queries::costs::CostReport;
use crate::queries::programs::{self, AssemblyKind, WantedFiles};
use crate::queries::rules;

/// Assembly of AMD's GCN.
pub(super) struct Gcn;

impl LanguageService for Gcn {
    fn diagnostics(&self, db: &dyn Database, file: File) -> Vec<Diagnostic> {
        let mut all = programs::diagnostics(db, file);
        rules::apply_settings(db, file, &mut all);
        all
    }

    fn cost_diagnostics(&self, db: &dyn Database, file: File) -> Vec<Diagnostic> {
        costs::diagnostics(db, file)
    }

    fn costs_are_quick(&self, db: &dyn Database, file: File) -> bool {
        crate::queries::costs::are_quick(db, file)
    }

    fn hover(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Hover> {
        assembly::hover(db, file, offset)
    }

    fn completion(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Completion> {
        service::completion::complete(Asked::of(db, file).view(), offset)
    }

    fn completion_page(&self, list: &str, word: &str) -> Option<String> {
        service::completion::page(list, word)
    }

    fn signature_help(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Signature> {
        service::signature::signature(Asked::of(db, file).view(), offset)
    }

    fn symbols(&self, db: &dyn Database, file: File) -> Vec<Symbol> {
        service::outline::outline(Asked::of(db, file).view())
    }

    fn folds(&self, db: &dyn Database, file: File) -> Vec<Fold> {
        service::folding::folds(Asked::of(db, file).view())
    }

    fn selections(&self, db: &dyn Database, file: File, offset: TextSize) -> Vec<TextRange> {
        service::selection::selections(Asked::of(db, file).view(), offset)
    }

    fn semantic_tokens(
        &self,
        db: &dyn Database,
        file: File,
        range: TextRange,
    ) -> Vec<SemanticToken> {
        service::tokens::tokens(Asked::of(db, file).view(), range)
    }

    fn highlights(&self, db: &dyn Database, file: File, offset: TextSize) -> Vec<Highlight> {
        let asked = Asked::of(db, file);
        service::highlight::highlights(asked.view_at(db, offset), offset)
    }

    fn definitions(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<Definitions> {
        assembly::definitions(db, file, offset)
    }

    fn references(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
        wanted: References,
    ) -> Vec<Place> {
        assembly::references(db, files, file, offset, wanted)
    }

    fn prepare_rename(
        &self,
        db: &dyn Database,
        file: File,
        offset: TextSize,
    ) -> Result<Renameable, String> {
        assembly::prepare_rename(db, file, offset)
    }

    fn rename(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
        name: &str,
    ) -> Result<Vec<FileEdit>, String> {
        assembly::rename(db, files, file, offset, name)
    }

    fn callable(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
    ) -> Option<Callable> {
        calls::code(db, files, file, offset)
    }

    fn callers(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
    ) -> Vec<Calls> {
        calls::callers_of_code(db, files, file, offset)
    }

    fn callees(
        &self,
        db: &dyn Database,
        file: File,
        files: &[File],
        offset: TextSize,
    ) -> Vec<Calls> {
        calls::callees_of_code(db, files, file, offset)
    }

    fn formatting(
        &self,
        db: &dyn Database,
        file: File,
        _options: &FormatOptions,
        scope: FormatScope,
    ) -> Vec<TextEdit> {
        let range = match scope {
            FormatScope::Whole => TextRange::up_to(TextSize::of(&*file.text(db))),
            FormatScope::Range(range) | FormatScope::Line(range) => range,
        };
        service::formatting::edits(Asked::of(db, file).view(), range)
    }

    fn indentation(
        &self,
        db: &dyn Database,
        file: File,
        _options: &FormatOptions,
        line: TextSize,
    ) -> Option<String> {
        Some(service::formatting::indentation(Asked::of(db, file).view(), line))
    }

    fn code_lenses(&self, db: &dyn Database, file: File) -> Vec<CodeLens> {
        lenses::of_kernels(db, file)
    }

    fn priced(&self, db: &dyn Database, file: File, _within: TextRange) -> Vec<Priced> {
        costs::of_kernels(db, file)
    }

    fn other_reports(&self, db: &dyn Database, file: File, code: &Priced) -> Vec<CostReport> {
        costs::other_reports_of_kernel(db, file, code)
    }

    fn chip_rows(
        &self,
        db: &dyn Database,
        file: File,
        code: &Priced,
        line: u32,
        index: &LineIndex,
    ) -> String {
        costs::kernel_rows(db, file, code, line, index)
    }

    fn wanted_files(&self, db: &dyn Database, file: File) -> WantedFiles {
        programs::wanted_files(db, file)
    }

    fn evict_caches(&self, db: &dyn Database, file: File) {
        crate::queries::costs::evict_kernels(db, file);
    }

    fn assembly_kind(&self, db: &dyn Database, file: File) -> Option<AssemblyKind> {
        Some(programs::assembly_kind(db, file))
    }

    fn expanded(&self, db: &dyn Database, file: File, offset: TextSize) -> Option<String> {
        assembly::expanded(db, file, offset)
    }

    fn expands(&self, db: &dyn Database, file: File, offset: TextSize) -> bool {
        assembly::expands(db, file, offset)
    }

    fn expanded_view(&self, db: &dyn Database, file: File) -> Option<CompiledView> {
        assembly::expanded_view(db, file)
    }

    fn converted(
        &self,
        db: &dyn Database,
        file: File,
        range: TextRange,
    ) -> Option<(&'static str, Vec<TextEdit>)> {
        assembly::converted(db, file, range)
    }

    fn includes(&self, db: &dyn Database, file: File) -> Vec<(TextRange, FileId)> {
        assembly::includes(db, file)
    }
}
