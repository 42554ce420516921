//! GCN assembly: the answers about a program, for the file that was asked about, which may
//! be one that the program includes.

use editor_model::{
    Callable, Calls, CompiledState, Completion, Definitions, Destination, FileEdit, Fold,
    Highlight, Hover, Location, References, Renameable, Renamed, SemanticToken, Signature, Symbol,
};
use gcn::assembler::sources::SourceId;
use gcn::service;
use rustc_hash::FxHashSet;
use source::{Diagnostic, LineIndex, TextEdit, TextRange, TextSize};

use super::{LanguageService, Query};
use crate::ide::assembly::{FileInProgram, behind_indent, next_includer, uses, written};
use crate::ide::costs::{self, CostedCode};
use crate::ide::diagnostics::bounded;
use crate::ide::explanation::{self, ExplainedCode, ExplainedPart};
use crate::ide::improvable::{self, Improvable};
use crate::ide::views::Document;
use crate::ide::{
    CodeLens, CompiledRef, CompiledView, FormatNumbers, FormatScope, RenameError, budgets, calls,
    lenses,
};
use crate::inputs::{File, FileId};
use crate::queries::costs::CostReport;
use crate::queries::programs::{self, AssemblyKind, WantedFiles};
use crate::queries::{rules, shaders};

/// Text that is written in the other dialect at once, in bytes, at most: it is offered
/// while a selection grows.
const CONVERTED: usize = 1 << 18;

/// Assembly of AMD's GCN.
pub(super) struct Gcn;

impl LanguageService for Gcn {
    fn diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic> {
        let mut all = programs::diagnostics(q.db, q.file);
        rules::apply_settings(q.db, q.file, &mut all);
        bounded(all)
    }

    fn cost_diagnostics(&self, q: Query<'_>) -> Vec<Diagnostic> {
        let mut all = costs::diagnostics(q.db, q.file);
        all.extend(budgets::of_kernels(q.db, q.file));
        all.sort_by_key(|diagnostic| diagnostic.range.start());
        bounded(all)
    }

    fn costs_are_quick(&self, q: Query<'_>) -> bool {
        crate::queries::costs::are_quick(q.db, q.file)
    }

    fn hover(&self, q: Query<'_>, offset: TextSize) -> Option<Hover> {
        let Query { db, file, .. } = q;
        let asked = FileInProgram::of(db, file);
        let mut found = service::hover::hover(asked.view_at(db, offset), offset)?;
        let is_mnemonic = asked
            .view()
            .text()
            .get(std::ops::Range::from(found.range))
            .is_some_and(|word| gcn::mnemonics::op_info(word).is_some());
        if is_mnemonic {
            let reading = programs::assembly_kind(db, file);
            found.markdown.push_str(&format!("\n---\nRead as {}\n", reading.sentence()));
            found.markdown.push_str(&costs::of_place(db, file, offset).unwrap_or_default());
        }
        found.markdown.push_str(&costs::of_chips(db, file, offset).unwrap_or_default());
        Some(found)
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
        let db = q.db;
        let asked = FileInProgram::of(db, q.file);
        let expansion = &asked.program.expansion;
        let Some(name) = expansion.name_at(asked.source, offset) else {
            return written(db, &asked, offset);
        };
        let places = expansion.definitions(&name).into_iter();
        let inputs = asked.inputs(db);
        let destinations: Vec<Destination> = places
            .filter_map(|span| {
                let file = asked.file_of(db, &inputs, span)?;
                Some(Destination { file, range: span.range, selection: span.range })
            })
            .collect();
        (!destinations.is_empty()).then_some(Definitions { origin: name.span.range, destinations })
    }

    /// Places of other programs that read the file that defines it come last.
    fn references(&self, q: Query<'_>, offset: TextSize, wanted: References) -> Vec<Location> {
        let Query { db, file, .. } = q;
        let asked = FileInProgram::of(db, file);
        let own = asked.references(db, asked.source, offset, wanted);
        let defined: Vec<(File, TextSize)> = asked.definitions(db, offset);
        let mut seen = vec![asked.root];
        let mut others: Vec<(File, TextRange)> = Vec::new();
        let known: FxHashSet<(File, TextRange)> = own.iter().copied().collect();
        while let Some((other, source, place)) = next_includer(q, &defined, &seen) {
            seen.push(other);
            let other =
                FileInProgram { program: programs::program(db, other), source, root: other };
            let more = other.references(db, source, place, wanted);
            others.extend(more.into_iter().filter(|place| !known.contains(place)));
        }
        if own.is_empty() {
            return uses(db, &asked, offset, wanted);
        }
        others.sort_by_cached_key(|(file, range)| (file.name(db), range.start()));
        others.dedup();
        let place = |(found, range): (File, TextRange)| Location {
            file: (found != file).then(|| found.id(db)),
            range,
        };
        own.into_iter().chain(others).map(place).collect()
    }

    fn prepare_rename(&self, q: Query<'_>, offset: TextSize) -> Result<Renameable, RenameError> {
        let asked = FileInProgram::of(q.db, q.file);
        let view = asked.view_at(q.db, offset);
        let (kind, (range, name)) = match service::registers::rename::prepare(view, offset) {
            Some(register) => (Renamed::Register, register?),
            None => (Renamed::Name, service::rename::prepare(view, offset)?),
        };
        Ok(Renameable { kind, range, name })
    }

    /// The edits of every file that reads the name: those of the program, and those of other
    /// programs that read an edited file. A register's are those of its file.
    fn rename(
        &self,
        q: Query<'_>,
        offset: TextSize,
        name: &str,
    ) -> Result<Vec<FileEdit>, RenameError> {
        let Query { db, file, .. } = q;
        let asked = FileInProgram::of(db, file);
        let assemble = |text: &str| programs::assembled_text(db, asked.root, None, &text.into());
        let view = asked.view_at(db, offset);
        if let Some(edits) = service::registers::rename::rename(view, offset, name, &assemble) {
            let here = |edit| FileEdit { file: None, edit };
            return Ok(edits?.into_iter().map(here).collect());
        }
        let mut edits: Vec<(File, TextEdit)> = Vec::new();
        let mut seen = vec![asked.root];
        edits.extend(asked.rename(db, offset, name)?);
        let mut known: FxHashSet<(File, TextRange)> =
            edits.iter().map(|(file, edit)| (*file, edit.range)).collect();
        // Each round may edit files that further ones include.
        loop {
            let edited: Vec<_> =
                edits.iter().map(|(file, edit)| (*file, edit.range.start())).collect();
            let Some((other, source, place)) = next_includer(q, &edited, &seen) else { break };
            seen.push(other);
            let other =
                FileInProgram { program: programs::program(db, other), source, root: other };
            if other.program.expansion.name_at(source, place).is_none() {
                continue; // It skips the line.
            }
            let more = other.rename(db, place, name).map_err(|reason| {
                let path = other.root.name(db);
                let file = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
                RenameError::Includer { file, reason: Box::new(reason) }
            })?;
            edits.extend(more.into_iter().filter(|(file, edit)| known.insert((*file, edit.range))));
        }
        let own = |(edited, edit): (File, TextEdit)| FileEdit {
            file: (edited != file).then(|| edited.id(db)),
            edit,
        };
        Ok(edits.into_iter().map(own).collect())
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
        _numbers: FormatNumbers,
        scope: FormatScope,
    ) -> Vec<TextEdit> {
        let range = match scope {
            FormatScope::Whole => TextRange::up_to(TextSize::of(&*q.file.text(q.db))),
            FormatScope::Range(range) | FormatScope::Line(range) => range,
        };
        service::formatting::edits(FileInProgram::of(q.db, q.file).view(), range)
    }

    fn indentation(&self, q: Query<'_>, _numbers: FormatNumbers, line: TextSize) -> Option<String> {
        Some(service::formatting::indentation(FileInProgram::of(q.db, q.file).view(), line))
    }

    fn code_lenses(&self, q: Query<'_>) -> Vec<CodeLens> {
        lenses::of_kernels(q.db, q.file)
    }

    fn costed_code(&self, q: Query<'_>, _within: TextRange) -> Vec<CostedCode> {
        costs::of_kernels(q.db, q.file)
    }

    fn other_reports(&self, q: Query<'_>, code: &CostedCode) -> Vec<CostReport> {
        costs::other_reports_of_kernel(q, code)
    }

    fn chip_rows(&self, q: Query<'_>, code: &CostedCode, line: u32, index: &LineIndex) -> String {
        costs::kernel_rows(q, code, line, index)
    }

    fn explained(
        &self,
        q: Query<'_>,
        compiled: &CompiledRef,
        part: ExplainedPart,
    ) -> Option<ExplainedCode> {
        explanation::of_kernel(q.db, q.file, compiled.shader, part)
    }

    fn kernel_at(&self, q: Query<'_>, offset: TextSize) -> Option<usize> {
        let heads = costs::kernel_heads(q.db, q.file);
        let before = heads.iter().take_while(|(_, head)| head.start() <= offset).last();
        before.or(heads.first()).map(|(number, _)| *number)
    }

    fn improvable(&self, q: Query<'_>, _offset: TextSize) -> Option<Improvable> {
        improvable::kernel(q.db, q.file)
    }

    fn wanted_files(&self, q: Query<'_>) -> WantedFiles {
        programs::wanted_files(q.db, q.file)
    }

    fn evict_caches(&self, q: Query<'_>) {
        crate::queries::costs::evict_kernels(q.db, q.file);
    }

    fn own_assembly_kind(&self, q: Query<'_>) -> Option<AssemblyKind> {
        Some(programs::own_kind(q.db, q.file))
    }

    fn assembly_kind(&self, q: Query<'_>) -> Option<AssemblyKind> {
        Some(programs::assembly_kind(q.db, q.file))
    }

    fn expanded(&self, q: Query<'_>, offset: TextSize) -> Option<String> {
        let asked = FileInProgram::of(q.db, q.file);
        asked.program.expansion.expanded_at(asked.source, behind_indent(&asked, offset))
    }

    fn expands(&self, q: Query<'_>, offset: TextSize) -> bool {
        let asked = FileInProgram::of(q.db, q.file);
        let offset = behind_indent(&asked, offset);
        !asked.program.expansion.expansions_at(asked.source, offset).is_empty()
    }

    /// A line of a macro's text is joined to the outermost call.
    fn expanded_view(&self, q: Query<'_>) -> Option<CompiledView> {
        let Query { db, file, .. } = q;
        let asked = FileInProgram::of(db, file);
        let expansion = &asked.program.expansion;
        let lines = shaders::line_index(db, file);
        let shown = expansion.standalone();
        let mut document = Document::default();
        for (text, statement) in shown.text.lines().zip(&shown.statements) {
            let statement = statement.and_then(|it| expansion.statements.get(it as usize));
            let place = statement.and_then(|statement| match asked.source {
                SourceId::ROOT => Some(expansion.in_root(statement.span, statement.node)),
                included => Some(expansion.in_file(statement.span))
                    .filter(|span| span.source == included)
                    .map(|span| span.range),
            });
            document.line(place.map(|range| lines.line(range.start())), text);
        }
        Some(document.finish(CompiledState::Fresh, None))
    }

    fn converted(&self, q: Query<'_>, range: TextRange) -> Option<(&'static str, Vec<TextEdit>)> {
        let asked = FileInProgram::of(q.db, q.file);
        if usize::from(range.len()) > CONVERTED {
            return None;
        }
        let conversion = gcn::convert::convert(asked.view(), range);
        if !conversion.refused.is_empty() || conversion.edits.is_empty() {
            return None;
        }
        Some((asked.program.expansion.dialect.other().name(), conversion.edits))
    }

    fn includes(&self, q: Query<'_>) -> Vec<(TextRange, FileId)> {
        let asked = FileInProgram::of(q.db, q.file);
        let includes = asked.root.includes(q.db);
        let known = programs::by_name(&includes);
        let named = service::includes::includes(asked.view()).into_iter();
        named.filter_map(|(range, name)| Some((range, known.get(&*name)?.id(q.db)))).collect()
    }
}
