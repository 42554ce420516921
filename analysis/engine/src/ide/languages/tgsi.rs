//! TGSI: the answers about a shader, in positions of the file that holds it.

use editor_model::{
    Callable, Calls, Completion, Definitions, Destination, FileEdit, Fold, Highlight, Hover,
    Location, References, Renameable, SemanticToken, Signature, Symbol,
};
use source::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};
use tgsi::service;

use super::{LanguageService, Query};
use crate::ide::costs::{self, CostedCode};
use crate::ide::diagnostics::bounded;
use crate::ide::explanation::{self, ExplainedCode, ExplainedPart};
use crate::ide::improvable::{self, Improvable};
use crate::ide::{
    CodeLens, CompiledRef, FormatNumbers, FormatScope, Refactoring, RenameError, budgets, calls,
    completion, diagnostics, formatting, hover, lenses, placed, symbols,
};
use crate::queries::costs::CostReport;
use crate::queries::programs::WantedFiles;
use crate::queries::{execution, rules};

/// TGSI text, perhaps in a driver's log.
pub(super) struct Tgsi;

impl LanguageService for Tgsi {
    fn diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic> {
        diagnostics::of_shaders(q.db, q.file)
    }

    fn cost_diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic> {
        bounded(budgets::of_shaders(q.db, q.file))
    }

    fn hover(&self, q: Query<'_>, offset: TextSize) -> Option<Hover> {
        hover::hover(q.db, q.file, offset)
    }

    fn completion(&self, q: Query<'_>, offset: TextSize) -> Option<Completion> {
        completion::completion(q.db, q.file, offset)
    }

    fn completion_page(&self, list: &str, word: &str) -> Option<String> {
        service::completion::page(list, word)
    }

    fn signature_help(&self, q: Query<'_>, offset: TextSize) -> Option<Signature> {
        match placed::at(q.db, q.file, offset) {
            Some((placed, place)) => service::signature::signature(&placed.text, place),
            // Behind a blank at the end of the last line, which is not part of the shader.
            None => service::signature::signature(&q.file.text(q.db), offset),
        }
    }

    fn symbols(&self, q: Query<'_>) -> Vec<Symbol> {
        symbols::of_shaders(q.db, q.file)
    }

    fn folds(&self, q: Query<'_>) -> Vec<Fold> {
        let mut folds = Vec::new();
        for placed in placed::all(q.db, q.file) {
            let Some(shader) = &placed.parse.shader else { continue };
            let found = service::folding::folds(&placed.text, shader).into_iter();
            folds.extend(found.map(|fold| Fold { range: placed.to_file(fold.range), ..fold }));
        }
        folds
    }

    fn selections(&self, q: Query<'_>, offset: TextSize) -> Vec<TextRange> {
        let Some((placed, place)) = placed::at(q.db, q.file, offset) else { return Vec::new() };
        let Some(shader) = &placed.parse.shader else { return Vec::new() };
        let found = service::selection::selections(&placed.text, shader, place);
        found.into_iter().map(|range| placed.to_file(range)).collect()
    }

    fn semantic_tokens(&self, q: Query<'_>, range: TextRange) -> Vec<SemanticToken> {
        let text = q.file.text(q.db);
        let mut found = Vec::new();
        for placed in placed::all(q.db, q.file) {
            q.db.unwind_if_revision_cancelled();
            if placed.map.range().intersect(range).is_none() {
                continue;
            }
            let within = if placed.map.is_contiguous() {
                range.intersect(placed.map.range()).unwrap_or_default() - placed.map.range().start()
            } else {
                TextRange::up_to(TextSize::of(&*placed.text))
            };
            let tokens = service::tokens::tokens(&placed.text, within).into_iter();
            let tokens =
                tokens.map(|token| SemanticToken { range: placed.to_file(token.range), ..token });
            found.extend(tokens.filter(|token| {
                // A word that a log cuts in two has no one place.
                let whole = text.get(std::ops::Range::<usize>::from(token.range));
                whole.is_some_and(|whole| !whole.contains(['\n', '\r']))
                    && token.range.intersect(range).is_some()
            }));
        }
        found
    }

    fn highlights(&self, q: Query<'_>, offset: TextSize) -> Vec<Highlight> {
        let Some((placed, place)) = placed::at(q.db, q.file, offset) else { return Vec::new() };
        let Some(shader) = &placed.parse.shader else { return Vec::new() };
        let found = service::navigation::highlights(&placed.text, shader, place).into_iter();
        found.map(|it| Highlight { range: placed.to_file(it.range), ..it }).collect()
    }

    fn definitions(&self, q: Query<'_>, offset: TextSize) -> Option<Definitions> {
        let (placed, place) = placed::at(q.db, q.file, offset)?;
        let shader = placed.parse.shader.as_ref()?;
        let found = service::navigation::definitions(&placed.text, shader, place)?;
        let destinations = found.destinations.iter().map(|it| Destination {
            range: placed.to_file(it.range),
            selection: placed.to_file(it.selection),
            ..*it
        });
        let destinations = destinations.collect();
        Some(Definitions { origin: placed.to_file(found.origin), destinations })
    }

    fn references(&self, q: Query<'_>, offset: TextSize, wanted: References) -> Vec<Location> {
        let Some((placed, place)) = placed::at(q.db, q.file, offset) else { return Vec::new() };
        let Some(shader) = &placed.parse.shader else { return Vec::new() };
        let found = service::navigation::references(&placed.text, shader, place, wanted);
        let found = found.into_iter();
        found.map(|range| Location { file: None, range: placed.to_file(range) }).collect()
    }

    fn prepare_rename(&self, q: Query<'_>, offset: TextSize) -> Result<Renameable, RenameError> {
        let (placed, place) = placed::at(q.db, q.file, offset).ok_or(RenameError::NoShader)?;
        let shader = placed.parse.shader.as_ref().ok_or(RenameError::NoShader)?;
        let found = service::rename::prepare(&placed.text, shader, place)?;
        Ok(Renameable { range: placed.to_file(found.range), ..found })
    }

    fn rename(
        &self,
        q: Query<'_>,
        offset: TextSize,
        name: &str,
    ) -> Result<Vec<FileEdit>, RenameError> {
        let (placed, place) = placed::at(q.db, q.file, offset).ok_or(RenameError::NoShader)?;
        let shader = placed.parse.shader.as_ref().ok_or(RenameError::NoShader)?;
        let edits = service::rename::rename(&placed.text, shader, place, name)?;
        let here = |edit| FileEdit { file: None, edit };
        let edits = edits.into_iter().map(|edit| placed.map.edit_to_file(&edit).map(here));
        edits.collect::<Option<Vec<FileEdit>>>().ok_or(RenameError::DoesNotFit)
    }

    fn callable(&self, q: Query<'_>, offset: TextSize) -> Option<Callable> {
        calls::subroutine(q.db, q.file, offset)
    }

    fn callers(&self, q: Query<'_>, offset: TextSize) -> Vec<Calls> {
        calls::of_subroutine(q.db, q.file, offset, |call, piece| {
            (call.callee == piece).then_some(call.caller)
        })
    }

    fn callees(&self, q: Query<'_>, offset: TextSize) -> Vec<Calls> {
        calls::of_subroutine(q.db, q.file, offset, |call, piece| {
            (call.caller == piece).then_some(call.callee)
        })
    }

    fn formatting(
        &self,
        q: Query<'_>,
        numbers: FormatNumbers,
        scope: FormatScope,
    ) -> Vec<TextEdit> {
        formatting::of_shaders(q.db, q.file, numbers, scope)
    }

    fn indentation(&self, q: Query<'_>, numbers: FormatNumbers, line: TextSize) -> Option<String> {
        formatting::indentation(q.db, q.file, numbers, line)
    }

    fn code_lenses(&self, q: Query<'_>) -> Vec<CodeLens> {
        lenses::of_shaders(q.db, q.file)
    }

    fn costed_code(&self, q: Query<'_>, within: TextRange) -> Vec<CostedCode> {
        costs::of_shaders(q.db, q.file, within)
    }

    fn other_reports(&self, q: Query<'_>, code: &CostedCode) -> Vec<CostReport> {
        costs::other_reports_of_shader(q, code)
    }

    fn chip_rows(&self, q: Query<'_>, code: &CostedCode, line: u32, index: &LineIndex) -> String {
        costs::shader_rows(q, code, line, index)
    }

    fn explained(
        &self,
        q: Query<'_>,
        compiled: &CompiledRef,
        part: ExplainedPart,
    ) -> Option<ExplainedCode> {
        explanation::of_shader(q.db, q.file, compiled, part)
    }

    fn wanted_files(&self, q: Query<'_>) -> WantedFiles {
        let includes = execution::wanted_inputs(q.db, q.file);
        WantedFiles { includes, ..WantedFiles::default() }
    }

    fn shader_readers(&self, q: Query<'_>) -> Option<String> {
        rules::shader_readers(q.db, q.file)
    }

    fn improvable(&self, q: Query<'_>, offset: TextSize) -> Option<Improvable> {
        improvable::shader(q.db, q.file, offset)
    }

    fn refactored(
        &self,
        q: Query<'_>,
        offset: TextSize,
        refactoring: Refactoring,
    ) -> Option<Vec<TextEdit>> {
        let (placed, place) = placed::at(q.db, q.file, offset)?;
        let shader = placed.parse.shader.as_ref()?;
        let edits = service::refactor::edits(&placed.text, shader, place, refactoring)?;
        // All or nothing: the file around the shader may not hold one of them.
        edits.iter().map(|edit| placed.map.edit_to_file(edit)).collect()
    }
}
