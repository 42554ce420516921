//! Words within the lines: values of immediates and of runs, how many machine instructions each
//! TGSI instruction became, and what lines cost, at their ends.

use editor_model::{ChipCosts, InlayHint, InlayHintKind, RegisterCosts};
use salsa::Database;
use source::TextRange;
use tgsi::regions::Region;

use crate::ide::compiled::{CompiledRef, compiled_code};
use crate::ide::costs;
use crate::ide::languages::{Query, service};
use crate::ide::run_hints::run_hints;
use crate::ide::value_hints::value_hints;
use crate::inputs::File;
use crate::queries::rules::directives;
use crate::queries::shaders;
use editor_model::{CompiledState, LineCost};

/// The hints of some kinds within a range, in order of the text. What is not wanted is
/// not worked out.
pub(crate) fn inlay_hints(
    db: &dyn Database,
    file: File,
    range: TextRange,
    wanted: &[InlayHintKind],
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    if wanted.contains(&InlayHintKind::Value) {
        hints.extend(value_hints(db, file, range));
    }
    if wanted.contains(&InlayHintKind::MachineCode) {
        hints.extend(machine_code_hints(db, file, range));
    }
    if wanted.contains(&InlayHintKind::Run) {
        hints.extend(run_hints(db, file, range));
    }
    hints.extend(cost_hints(db, file, range, wanted));
    hints.sort_by_key(|hint| hint.offset);
    hints
}

/// The costs of lines: one hint a line, of the figures that are wanted.
fn cost_hints(
    db: &dyn Database,
    file: File,
    range: TextRange,
    wanted: &[InlayHintKind],
) -> Vec<InlayHint> {
    use InlayHintKind::{Clocks, ScalarRegisters, VectorRegisters};
    let kinds = [Clocks, VectorRegisters, ScalarRegisters];
    let Some(kind) = kinds.into_iter().find(|kind| wanted.contains(kind)) else {
        return Vec::new();
    };
    let index = shaders::line_index(db, file);
    let mut hints = Vec::new();
    for code in service(db, file).costed_code(Query::of(db, file), range) {
        let figures = costs::sums(&code.report);
        let lines = code.lines_within(&index, range).into_iter();
        for cost in lines.filter(|cost| range.contains_inclusive(cost.range.end())) {
            let mut parts = Vec::new();
            if wanted.contains(&Clocks) {
                parts.push(format!("{}+{}", cost.issue, cost.stall));
            }
            if wanted.contains(&VectorRegisters) {
                parts.push(format!("V {}/{}", cost.vgprs, figures.vgprs.allocated));
                let agprs = figures.agprs.iter();
                parts.extend(agprs.map(|it| format!("A {}/{}", cost.agprs, it.allocated)));
            }
            if wanted.contains(&ScalarRegisters) {
                parts.push(format!("S {}/{}", cost.sgprs, figures.sgprs.allocated));
            }
            hints.push(InlayHint {
                offset: cost.range.end(),
                label: parts.join(" \u{b7} "),
                tooltip: tooltip(&cost, &figures),
                kind,
            });
        }
    }
    hints
}

/// The meaning of the figures of a cost hint.
fn tooltip(cost: &LineCost, figures: &ChipCosts) -> String {
    let LineCost { issue, stall, vgprs, sgprs, .. } = cost;
    let wait = match cost.cause {
        Some(line) => format!(" for line {}", line + 1),
        None => String::new(),
    };
    let agprs = |it: &RegisterCosts| format!(", {} of {} AGPRs", cost.agprs, it.allocated);
    let agprs = figures.agprs.as_ref().map_or(String::new(), agprs);
    format!(
        "{}: {issue} clocks to issue, {stall} of waiting{wait}; {vgprs} of {} VGPRs{agprs} and \
         {sgprs} of {} SGPRs hold something that is needed",
        figures.target, figures.vgprs.allocated, figures.sgprs.allocated
    )
}

fn machine_code_hints(db: &dyn Database, file: File, range: TextRange) -> Vec<InlayHint> {
    let regions = shaders::regions(db, file);
    let visible = |shader: &Region| shader.range().intersect(range).is_some();
    let shaders = regions.shaders.iter().enumerate().filter(|(_, shader)| visible(shader));
    let mut hints = Vec::new();
    for (shader, _) in shaders {
        let Some(target) = directives::main_target(db, file, shader) else { continue };
        let Some(code) = compiled_code(db, file, &CompiledRef { shader, target }) else { continue };
        let Some(compiled) = &code.compiled else { continue };
        let state = match code.state {
            CompiledState::Fresh => "",
            _ => " (out of date)",
        };
        let mut found: Vec<(TextRange, usize)> = code
            .sources
            .iter()
            .enumerate()
            .filter_map(|(index, source)| Some(((*source)?, index)))
            .filter(|(source, _)| range.contains(source.end()))
            .collect();
        found.sort_by_key(|(source, index)| (source.start(), *index));
        for run in found.chunk_by(|a, b| a.0 == b.0) {
            let count = run.len();
            let lines: Vec<&str> =
                run.iter().map(|(_, index)| compiled.instructions[*index].text.as_str()).collect();
            let tooltip = format!("{}{state}\n```gcn\n{}\n```", target.name(), lines.join("\n"));
            hints.push(InlayHint {
                offset: run[0].0.end(),
                label: format!("{count} GCN"),
                tooltip,
                kind: InlayHintKind::MachineCode,
            });
        }
    }
    hints
}
