//! Words within the lines: values of immediates and of runs, and at the ends of lines what
//! they became and what they cost. What stands at one place is one hint, and all hints of a
//! line have room for what editors show of them.

use editor_model::{
    ChipCosts, CompiledState, CostedLines, InlayHint, InlayHintKind, LineCost, RegisterCosts,
    WantedHints,
};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use source::{LineIndex, TextRange};
use tgsi::regions::Region;

use crate::ide::compiled::{CompiledRef, compiled_code};
use crate::ide::costs::{self, CostedCode};
use crate::ide::languages::{Query, service};
use crate::ide::run_hints::run_hints;
use crate::ide::value_hints::value_hints;
use crate::inputs::File;
use crate::queries::rules::directives;
use crate::queries::shaders;

/// The characters that VS Code shows of all hints of a line (`editor.inlayHints.maximumLength`).
const MOST_CHARACTERS: usize = 43;

/// The words between the parts of a hint.
const SEPARATOR: &str = " \u{b7} ";

/// The hints of some kinds within a range, in order of the text. What is not wanted is
/// not worked out.
pub(crate) fn inlay_hints(
    db: &dyn Database,
    file: File,
    range: TextRange,
    wanted: &WantedHints,
) -> Vec<InlayHint> {
    let index = shaders::line_index(db, file);
    // The hints of a line share its room, so they are made together.
    let line_at = |offset| index.line_range(index.line(offset)).unwrap_or(range);
    let lines = line_at(range.start()).cover(line_at(range.end()));
    let mut parts = Vec::new();
    if wanted.has(InlayHintKind::Value) {
        parts.extend(value_hints(db, file, lines));
    }
    if wanted.has(InlayHintKind::Run) {
        parts.extend(run_hints(db, file, lines));
    }
    if wanted.lines != CostedLines::Off {
        parts.extend(line_hints(db, file, lines, wanted));
    }
    parts.sort_by_key(|part| part.offset);
    let mut hints = join(parts, &index);
    hints.retain(|hint| range.contains_inclusive(hint.offset));
    hints
}

/// One hint for each place, of its parts in order. A part of costs for which the line has no
/// room is left out, as its tooltip says the same; values end in an ellipsis.
fn join(parts: Vec<InlayHint>, index: &LineIndex) -> Vec<InlayHint> {
    let mut rooms: FxHashMap<u32, usize> = FxHashMap::default();
    let mut hints: Vec<InlayHint> = Vec::new();
    for mut part in parts {
        let room = rooms.entry(index.line(part.offset)).or_insert(MOST_CHARACTERS);
        let hint = hints.last_mut().filter(|hint| hint.offset == part.offset);
        let separator = if hint.is_some() { SEPARATOR } else { "" };
        let is_value = matches!(part.kind, InlayHintKind::Value | InlayHintKind::Run);
        let own = room.saturating_sub(separator.chars().count());
        let length = part.label.chars().count();
        if length > own {
            if is_value && own > 1 {
                part.label = part.label.chars().take(own - 1).chain(['\u{2026}']).collect();
            } else {
                part.label.clear();
            }
        }
        if !part.label.is_empty() {
            *room = own - part.label.chars().count();
        }
        match hint {
            Some(hint) => {
                if !part.label.is_empty() {
                    hint.label.push_str(separator);
                    hint.label.push_str(&part.label);
                }
                if !part.tooltip.is_empty() {
                    hint.tooltip.push_str("\n\n");
                    hint.tooltip.push_str(&part.tooltip);
                }
            }
            None if part.label.is_empty() => {}
            None => hints.push(part),
        }
    }
    hints
}

/// The hints of what lines became and what they cost.
fn line_hints(
    db: &dyn Database,
    file: File,
    range: TextRange,
    wanted: &WantedHints,
) -> Vec<InlayHint> {
    use InlayHintKind::{Clocks, MachineCode, ScalarRegisters, VectorRegisters};
    if ![MachineCode, Clocks, VectorRegisters, ScalarRegisters].iter().any(|it| wanted.has(*it)) {
        return Vec::new();
    }
    let index = shaders::line_index(db, file);
    let mut hints = match wanted.has(MachineCode) {
        true => machine_code_hints(db, file, range),
        false => Vec::new(),
    };
    let mut costs = Vec::new();
    let mut shown = FxHashSet::default();
    for code in service(db, file).costed_code(Query::of(db, file), range) {
        let figures = costs::sums(&code.report);
        let lines = match wanted.lines {
            CostedLines::Important => important(&code, &index, range),
            CostedLines::All | CostedLines::Off => code.lines_within(&index, range),
        };
        for cost in lines.iter().filter(|cost| range.contains_inclusive(cost.range.end())) {
            costs.extend(cost_parts(cost, &figures, wanted));
        }
        shown.extend(lines.iter().map(|cost| cost.line));
    }
    if wanted.lines == CostedLines::Important {
        hints.retain(|hint| shown.contains(&index.line(hint.offset)));
    }
    hints.extend(costs);
    hints
}

/// So small a part of all clocks no line is shown for its stalls.
const SHARE_OF_WAIT: u64 = 50;
/// So large a part of all clocks is worth a word.
const SHARE_OF_COST: u64 = 10;

/// The lines of a code that stand out: they wait, nothing costs more, or there the most
/// registers are needed first.
fn important(code: &CostedCode, index: &LineIndex, range: TextRange) -> Vec<LineCost> {
    if code.range().intersect(range).is_none() {
        return Vec::new();
    }
    let lines = code.lines(index);
    let clocks = |cost: &LineCost| u64::from(cost.issue) + u64::from(cost.stall);
    let all: u64 = lines.iter().map(clocks).sum();
    let most = lines.iter().map(clocks).max();
    let most = lines.iter().find(|cost| Some(clocks(cost)) == most).map(|cost| cost.line);
    let peak = lines.iter().find(|cost| cost.peak).map(|cost| cost.line);
    let stands_out = |cost: &LineCost| {
        let waits = cost.stall > 0 && u64::from(cost.stall) * SHARE_OF_WAIT >= all;
        let line = Some(cost.line);
        waits || clocks(cost) * SHARE_OF_COST >= all || line == most || line == peak
    };
    lines.into_iter().filter(stands_out).collect()
}

/// The figures of a line that are wanted, the first with a tooltip about all.
fn cost_parts(cost: &LineCost, figures: &ChipCosts, wanted: &WantedHints) -> Vec<InlayHint> {
    use InlayHintKind::{Clocks, ScalarRegisters, VectorRegisters};
    let mut parts: Vec<(InlayHintKind, String)> = Vec::new();
    if wanted.has(Clocks) {
        let stall = if cost.stall == 0 { String::new() } else { format!("+{}", cost.stall) };
        parts.push((Clocks, format!("{}{stall} clk", cost.issue)));
    }
    if wanted.has(VectorRegisters) {
        parts.push((VectorRegisters, format!("V {}/{}", cost.vgprs, figures.vgprs.allocated)));
        let agprs = figures.agprs.iter();
        parts.extend(
            agprs.map(|it| (VectorRegisters, format!("A {}/{}", cost.agprs, it.allocated))),
        );
    }
    if wanted.has(ScalarRegisters) {
        parts.push((ScalarRegisters, format!("S {}/{}", cost.sgprs, figures.sgprs.allocated)));
    }
    let mut tooltip = Some(cost_tooltip(cost, figures));
    let hint = |(kind, label)| InlayHint {
        offset: cost.range.end(),
        label,
        tooltip: tooltip.take().unwrap_or_default(),
        kind,
    };
    parts.into_iter().map(hint).collect()
}

/// The meaning of the figures of a cost hint.
fn cost_tooltip(cost: &LineCost, figures: &ChipCosts) -> String {
    let LineCost { issue, stall, vgprs, sgprs, .. } = cost;
    let wait = match cost.cause {
        Some(line) => format!(" for line {}", line + 1),
        None => String::new(),
    };
    let agprs = |it: &RegisterCosts| format!(", {} of {} AGPRs", cost.agprs, it.allocated);
    let agprs = figures.agprs.as_ref().map_or(String::new(), agprs);
    format!(
        "{}: {issue} clocks to issue, {stall} of stall{wait}; {vgprs} of {} VGPRs{agprs} and \
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
        let Some(code) = compiled_code(db, file, &CompiledRef::new(shader, target)) else {
            continue;
        };
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
            .filter(|(source, _)| range.contains_inclusive(source.end()))
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

#[cfg(test)]
mod tests {
    use source::TextSize;

    use super::*;

    fn joined(parts: &[(u32, InlayHintKind, &str)]) -> Vec<(u32, String, String)> {
        let parts = parts.iter().map(|(offset, kind, label)| InlayHint {
            offset: TextSize::new(*offset),
            label: (*label).to_owned(),
            tooltip: format!("<{label}>"),
            kind: *kind,
        });
        let hints =
            join(parts.collect(), &LineIndex::new("one line of a shader\nand another one\n"));
        let shown = hints.into_iter().map(|hint| (hint.offset.into(), hint.label, hint.tooltip));
        shown.collect()
    }

    #[test]
    fn a_place_has_one_hint() {
        use InlayHintKind::{Clocks, MachineCode, Value};
        let hints =
            joined(&[(3, Value, "= 2.0"), (20, MachineCode, "3 GCN"), (20, Clocks, "8 clk")]);
        let expected = [
            (3, "= 2.0".to_owned(), "<= 2.0>".to_owned()),
            (20, "3 GCN \u{b7} 8 clk".to_owned(), "<3 GCN>\n\n<8 clk>".to_owned()),
        ];
        assert_eq!(hints, expected);
    }

    #[test]
    fn no_line_has_more_than_editors_show() {
        use InlayHintKind::{Clocks, Run, Value, VectorRegisters};
        let long = "\u{2192} 0.123456, -0.123456, 1234.5";
        let hints = joined(&[
            (3, Value, "= 0.333333343"),
            (20, Run, long),
            (20, Clocks, "44+8 clk"),
            (20, VectorRegisters, "V 1/4"),
            (30, Clocks, "4 clk"),
        ]);
        let labels: Vec<&str> = hints.iter().map(|(_, label, _)| label.as_str()).collect();
        assert_eq!(labels[0], "= 0.333333343");
        assert_eq!(labels[1], long);
        assert_eq!(labels[2], "4 clk", "another line has its own room");
        assert!(hints[1].2.ends_with("<44+8 clk>\n\n<V 1/4>"), "left out, but told");
        let wide = format!("{long}, {long}");
        let cut = joined(&[(3, Value, "= 0.333333343"), (20, Run, &wide), (20, Clocks, "4 clk")]);
        let length: usize = cut.iter().map(|(_, label, _)| label.chars().count()).sum();
        assert_eq!(length, MOST_CHARACTERS);
        assert!(cut[1].1.ends_with('\u{2026}'), "{}", cut[1].1);
    }
}
