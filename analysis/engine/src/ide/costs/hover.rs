//! The full story of a line's costs as Markdown: clocks, what it waits for, registers and
//! what holds them, waves, other chips.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use editor_model::{ChipCosts, CompiledState, LineCost};
use gcn::analysis::{RegisterSet, Report};
use gcn::occupancy::ReliefKind;
use salsa::Database;
use source::{LineIndex, TextRange, TextSize};

use super::{CostedCode, of_kernels, on_chips, sums};
use crate::ide::compiled::{CompiledRef, compiled_sources};
use crate::ide::explanation::runs;
use crate::ide::languages::{Query, service};
use crate::ide::views::cut_line;
use crate::inputs::File;
use crate::queries::compile;
use crate::queries::costs::{self, CostReport};
use crate::queries::rules::directives;
use crate::queries::shaders;

/// So many lines of a list are shown.
const MOST_LINES: usize = 16;
/// A statement longer than this is cut.
const MOST_CHARACTERS: usize = 48;

/// The costs of the line at an offset; nothing where it became no instruction.
pub(in crate::ide) fn of_place(db: &dyn Database, file: File, offset: TextSize) -> Option<String> {
    let text = file.text(db);
    let index = shaders::line_index(db, file);
    let line = index.line(offset);
    let code = code_at(db, file, line, &index)?;
    let cost = code
        .lines_within(&index, index.line_range(line)?)
        .into_iter()
        .find(|cost| cost.line == line)?;
    let story = Story { code: &code, text: &text, index: &index };
    let mut markdown = story.of_line(&cost);
    if cost.peak {
        markdown.push_str(&story.holders(&cost));
    }
    let others = side_by_side(db, file, &code, line, &index);
    markdown.push_str(&others);
    Some(markdown)
}

/// The sums of the kernel whose label stands at an offset, chip by chip.
pub(in crate::ide) fn of_chips(db: &dyn Database, file: File, offset: TextSize) -> Option<String> {
    let codes = of_kernels(db, file);
    let code = codes.iter().find(|code| {
        code.head.contains_inclusive(offset)
            && code.sources.iter().flatten().all(|it| *it != code.head)
    })?;
    Some(format!("\n---\n{}", figures_table(&on_chips(db, file, code))))
}

/// The code that has instructions from a line.
fn code_at(db: &dyn Database, file: File, line: u32, index: &LineIndex) -> Option<CostedCode> {
    let here = index.line_range(line)?;
    let has =
        |code: &CostedCode| code.sources.iter().flatten().any(|range| here.contains(range.start()));
    let costed_code = service(db, file).costed_code(Query::of(db, file), here);
    costed_code.into_iter().find(has)
}

/// The line's figures on the chips of the settings, where there are several.
fn side_by_side(
    db: &dyn Database,
    file: File,
    code: &CostedCode,
    line: u32,
    index: &LineIndex,
) -> String {
    let rows = service(db, file).chip_rows(Query::of(db, file), code, line, index);
    if rows.lines().count() < 2 {
        return String::new();
    }
    format!(
        "\n| chip | issue | wait | VGPRs | SGPRs | waves | clocks of all |\n\
         |---|--:|--:|--:|--:|--:|--:|\n{rows}"
    )
}

/// The rows of a line of a shader, whose code is another one on each chip.
pub(in crate::ide) fn shader_rows(
    q: Query<'_>,
    code: &CostedCode,
    line: u32,
    index: &LineIndex,
) -> String {
    let Query { db, file, .. } = q;
    let row_of = |target| {
        let wanted = CompiledRef::new(code.number, target);
        let slot = compile::slot(db, file, wanted.shader, target)?;
        let report = costs::compiled_report(db, slot)?;
        let sources = compiled_sources(db, file, &wanted)?;
        line_row(&report, &instructions_of(&sources, line, index))
    };
    directives::targets(db, file, code.number).iter().copied().filter_map(row_of).collect()
}

/// The rows of a line of assembly. On another chip a line may be other instructions;
/// where there are as many in all, they are the same ones in the same order.
pub(in crate::ide) fn kernel_rows(
    q: Query<'_>,
    code: &CostedCode,
    line: u32,
    index: &LineIndex,
) -> String {
    let own = instructions_of(&code.sources, line, index);
    let mut reports = vec![code.report.clone()];
    reports.extend(super::other_reports_of_kernel(q, code));
    let same = |it: &&CostReport| it.timing.instructions.len() == code.sources.len();
    reports.iter().filter(same).filter_map(|report| line_row(report, &own)).collect()
}

/// The instructions that came from a line.
fn instructions_of(sources: &[Option<TextRange>], line: u32, index: &LineIndex) -> Vec<usize> {
    let Some(line) = index.line_range(line) else { return Vec::new() };
    let here = |source: &Option<TextRange>| source.is_some_and(|it| line.contains(it.start()));
    sources.iter().enumerate().filter(|(_, source)| here(source)).map(|(place, _)| place).collect()
}

/// A chip's row for some instructions; `None` where it has none of them.
fn line_row(report: &Report, instructions: &[usize]) -> Option<String> {
    let costs: Vec<_> = instructions.iter().filter_map(|it| report.instruction(*it)).collect();
    let issue = costs.iter().fold(0_u32, |sum, it| sum.saturating_add(it.time.issue));
    let stall = costs.iter().fold(0_u32, |sum, it| sum.saturating_add(it.time.stall));
    let vgprs = costs.iter().map(|it| it.live.vgprs).max()?;
    let sgprs = costs.iter().map(|it| it.live.sgprs).max()?;
    let ChipCosts { target, waves, clocks, .. } = sums(report);
    Some(format!("| {target} | {issue} | {stall} | {vgprs} | {sgprs} | {waves} | {clocks} |\n"))
}

/// Sums chip by chip.
fn figures_table(all: &[ChipCosts]) -> String {
    let mut table = "| chip | VGPRs | SGPRs | waves | limited by | clocks | best | worst | clocks of a SIMD per wave | bound by |\n\
         |---|--:|--:|--:|---|--:|--:|--:|--:|---|\n"
        .to_owned();
    for figures in all {
        let ChipCosts { target, waves, limiter, clocks, best, worst, bound, .. } = figures;
        let agprs = in_addition(figures);
        let whole = in_groups(figures);
        let _ = writeln!(
            table,
            "| {target} | {}{agprs} | {} | {waves}{whole} | {limiter} | {clocks} | {best} | {worst} | {} | {bound} |",
            figures.vgprs.used, figures.sgprs.used, figures.inverse_throughput
        );
    }
    if let Some(figures) = all.first() {
        let _ = writeln!(table, "\n{}", edges(figures));
    }
    table
}

/// The accumulation registers behind the vector registers: `, 60 AGPRs`, and in one file
/// `, 60 AGPRs, 160 together`.
pub(in crate::ide) fn in_addition(figures: &ChipCosts) -> String {
    let agprs = figures.agprs.map_or(String::new(), |it| format!(", {} AGPRs", it.used));
    match figures.total_vgprs {
        Some(total) => format!("{agprs}, {} together", total.used),
        None => agprs,
    }
}

/// The waves of whole workgroups in parentheses, where they are fewer.
pub(in crate::ide) fn in_groups(figures: &ChipCosts) -> String {
    figures.whole_groups.map_or(String::new(), |it| format!(" ({it})"))
}

/// The distance to the next wave, and to the next loss.
pub(in crate::ide) fn edges(figures: &ChipCosts) -> String {
    let agprs = figures.agprs.map_or(String::new(), |it| format!(", {} more AGPRs", it.spare));
    let mut words = format!(
        "{} more VGPRs{agprs} or {} more SGPRs cost no wave",
        figures.vgprs.spare, figures.sgprs.spare
    );
    if let Some(relief) = figures.relief {
        let parts = relief.words(|kind, count| {
            let what = match kind {
                ReliefKind::Vgprs => "VGPRs",
                ReliefKind::Agprs => "AGPRs",
                ReliefKind::Sgprs => "SGPRs",
                ReliefKind::Lds => "bytes of LDS",
            };
            format!("{count} {what}")
        });
        if !parts.is_empty() {
            let _ = write!(words, "; {parts} fewer give {} waves", relief.waves);
        }
    }
    words
}

/// A code in its text.
struct Story<'a> {
    code: &'a CostedCode,
    text: &'a str,
    index: &'a LineIndex,
}

impl Story<'_> {
    fn of_line(&self, cost: &LineCost) -> String {
        let report = &self.code.report;
        let figures = sums(report);
        let age = match self.code.state {
            CompiledState::Fresh => "",
            _ => " (out of date)",
        };
        let mut words = format!("\n---\n**{}**{age}: {} clocks", report.target.name(), cost.issue);
        if cost.stall > 0 {
            let _ = write!(words, " + {} stall", cost.stall);
        }
        words.push_str("  \n");
        for (instruction, time) in self.times(cost).filter(|(_, time)| time.stall > 0) {
            let Some(cause) = time.cause else { continue };
            if let Some(unit) = cause.kind.unit() {
                let _ = writeln!(
                    words,
                    "stalls {} clocks for {unit}, which {} keeps busy for {}; more waves do not help  ",
                    time.stall,
                    self.place(cause.producer, instruction),
                    cause.latency,
                );
                continue;
            }
            let _ = writeln!(
                words,
                "stalls {} clocks on {} (latency {}, {} hidden); {} would hide it, {} fit  ",
                time.stall,
                self.place(cause.producer, instruction),
                cause.latency,
                cause.hidden,
                waves(cause.waves),
                figures.waves,
            );
        }
        let _ = writeln!(
            words,
            "{} VGPRs live here, {} at the peak, {} allocated; {} SGPRs, {} at the peak, {} allocated  ",
            cost.vgprs,
            figures.vgprs.peak,
            figures.vgprs.allocated,
            cost.sgprs,
            figures.sgprs.peak,
            figures.sgprs.allocated,
        );
        if let Some(agprs) = figures.agprs {
            let (peak, allocated) = (agprs.peak, agprs.allocated);
            let _ = writeln!(
                words,
                "{} AGPRs live here, {peak} at the peak, {allocated} allocated  ",
                cost.agprs
            );
            if let Some(total) = figures.total_vgprs {
                let _ = writeln!(
                    words,
                    "both share a file: {} live here, {} at the peak, {} allocated  ",
                    cost.vgprs + cost.agprs,
                    total.peak,
                    total.allocated
                );
            }
        }
        let (born, dying) = self.changes(cost);
        if !born.is_empty() {
            let _ = writeln!(words, "becomes live: {}  ", self.names(&born));
        }
        if !dying.is_empty() {
            let _ = writeln!(words, "last use: {}  ", self.names(&dying));
        }
        let _ = writeln!(
            words,
            "{}{}, limited by {}; {}",
            waves(figures.waves),
            in_groups(&figures),
            figures.limiter,
            edges(&figures)
        );
        words
    }

    /// The instructions of a line with their times.
    fn times<'b>(
        &'b self,
        cost: &LineCost,
    ) -> impl Iterator<Item = (u32, gcn::analysis::timing::InstructionTime)> + use<'b> {
        let range = cost.range;
        let here = move |source: &Option<TextRange>| {
            source.is_some_and(|source| range.contains_range(source))
        };
        let sources = self.code.sources.iter().zip(0_u32..);
        sources.filter(move |(source, _)| here(source)).filter_map(|(_, index)| {
            Some((index, *self.code.report.timing.instructions.get(index as usize)?))
        })
    }

    /// The registers that hold a value from this line on, and those that do not any more.
    fn changes(&self, cost: &LineCost) -> (RegisterSet, RegisterSet) {
        let report = &self.code.report;
        let (mut born, mut dying) = (RegisterSet::EMPTY, RegisterSet::EMPTY);
        for (index, _) in self.times(cost) {
            let index = index as usize;
            let before = report.liveness.before(index);
            let after = report.liveness.after(&report.cfg, index);
            let written = report.def_use.get(index).map(|it| it.write_set()).unwrap_or_default();
            born.add_all(&after.intersection(&written).without(before));
            dying.add_all(&before.without(after));
        }
        // What comes and goes within the line is nobody's matter.
        let within = born.intersection(&dying);
        (born.without(&within), dying.without(&within))
    }

    /// The values that hold the registers where most are needed: the lines that wrote them.
    fn holders(&self, cost: &LineCost) -> String {
        let report = &self.code.report;
        let peak = report.liveness.peak().vgprs;
        let at = self.times(cost).map(|(index, _)| index as usize);
        let Some(at) = { at }.find(|it| report.liveness.pressure(*it).vgprs == peak) else {
            return String::new();
        };
        let mut holders: BTreeMap<Option<(u32, String)>, RegisterSet> = BTreeMap::new();
        for live_across in report.liveness.live_across(&report.cfg, &report.def_use, at) {
            if live_across.register.bank != gcn::instruction::Bank::Vector {
                continue;
            }
            let writer = live_across.definitions.first().map(|writer| {
                let source = self.code.source(*writer);
                let line = source.map_or(u32::MAX, |it| self.index.line(it.start()));
                (line, self.place(*writer, at as u32))
            });
            holders.entry(writer).or_default().insert(live_across.register);
        }
        let figures = sums(report);
        let fewer = figures.relief.filter(|relief| relief.vgprs > 0);
        let next = fewer.map_or(String::new(), |relief| {
            let most = figures.vgprs.used.saturating_sub(relief.vgprs);
            format!(", {} at {most} used", waves(relief.waves))
        });
        let mut words = format!(
            "\nThe peak of VGPRs{next}. *Explain Registers* says what would free some. They hold:\n\n"
        );
        for (writer, registers) in holders.iter().take(MOST_LINES) {
            let names = self.names(registers);
            let _ = match writer {
                Some((_, place)) => writeln!(words, "- {names}: of {place}"),
                None => writeln!(words, "- {names}: from the start"),
            };
        }
        if holders.len() > MOST_LINES {
            let _ = writeln!(words, "- and values of {} more lines", holders.len() - MOST_LINES);
        }
        words
    }

    /// The place of an instruction, in words; `asked` is the one that is spoken of.
    fn place(&self, instruction: u32, asked: u32) -> String {
        let Some(source) = self.code.source(instruction) else {
            return "what the compiler added".to_owned();
        };
        let line = self.index.line(source.start()) + 1;
        if self.code.source(asked) == Some(source) {
            return format!("line {line} (this line)");
        }
        let statement = cut_line(self.text, source, MOST_CHARACTERS).replace('`', "'");
        format!("line {line} (`{statement}`)")
    }

    /// The names of registers, neighbours together: `v[3:5]`, `s7`.
    fn names(&self, set: &RegisterSet) -> String {
        let target = self.code.report.target;
        let runs = runs(set, target);
        let names = runs.iter().take(MOST_LINES).map(|it| format!("`{}`", it.name(target)));
        let names: Vec<String> = names.collect();
        let more = runs.len().saturating_sub(MOST_LINES);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &rest
    }
}

fn waves(count: u32) -> String {
    if count == 1 { "1 wave".to_owned() } else { format!("{count} waves") }
}
