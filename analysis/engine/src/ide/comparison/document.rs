//! A comparison as a document. Two columns that are `baseline` and `now` read as a
//! difference, which editors colour by the first letter of a line; others stand side by
//! side.

use std::fmt::Write as _;

use editor_model::{
    Change, ComparedInstruction, ComparedRow, ComparedStatement, CompiledFigures, CompiledState,
};

use super::Comparison;
use crate::ide::views::{CompiledView, Document};

/// The part of a comparison that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonPart {
    /// Every statement.
    All,
    /// The statements whose code differs in more than the numbers of registers.
    Changes,
}

impl Comparison {
    /// The comparison as a document, joined to the source line by line. Its state is that
    /// of the least current column.
    pub fn document(&self, part: ComparisonPart) -> CompiledView {
        let mut document = Document::default();
        document.line(None, &format!("; {}", self.heading));
        for column in &self.columns {
            if let Some(message) = &column.message {
                document.line(None, &format!("; {}: {message}", column.label));
            }
        }
        self.table(&mut document);
        let is_difference = self.columns.first().is_some_and(|it| it.label == "baseline");
        let width = self.width();
        let mut hidden = 0;
        for statement in &self.statements {
            let differs = |row: &ComparedRow| !matches!(row.change, Change::Same | Change::Renamed);
            if part == ComparisonPart::Changes && !statement.rows.iter().any(differs) {
                hidden += 1;
                continue;
            }
            document.line(None, "");
            document.line(statement.line, &heading(statement, is_difference));
            for row in &statement.rows {
                if is_difference {
                    difference(&mut document, statement.line, row);
                } else {
                    document.line(statement.line, &side_by_side(row, width));
                }
            }
        }
        if hidden > 0 {
            document.line(None, "");
            let what = if hidden == 1 { "statement is" } else { "statements are" };
            document.line(None, &format!("; {hidden} more {what} the same code as before"));
        }
        let state = self.columns.iter().map(|column| column.state).max_by_key(|it| rank(*it));
        let messages = self.columns.iter().find_map(|column| column.message.clone());
        document.finish(state.unwrap_or(CompiledState::Unavailable), messages)
    }

    /// The sums of the columns, a line for each kind.
    fn table(&self, document: &mut Document) {
        let mut head = format!("; {:<22}", "");
        for column in &self.columns {
            let _ = write!(head, " {:>14}", column.label); // Writing to a string cannot fail.
        }
        document.line(None, head.trim_end());
        for (name, always, figure) in FIGURES {
            let values: Vec<Option<u64>> =
                self.columns.iter().map(|it| it.figures.as_ref().map(figure)).collect();
            if !always && values.iter().all(|value| value.unwrap_or(0) == 0) {
                continue;
            }
            let mut line = format!("; {name:<22}");
            for value in &values {
                let value = value.map_or_else(|| "-".to_owned(), |value| value.to_string());
                let _ = write!(line, " {value:>14}");
            }
            if let [Some(before), Some(now)] = values[..]
                && before != now
            {
                let sign = if now > before { '+' } else { '-' };
                let _ = write!(line, " {:>10}", format!("{sign}{}", now.abs_diff(before)));
            }
            document.line(None, &line);
        }
        let limiters =
            self.columns.iter().map(|it| Some(&*it.figures.as_ref()?.statistics.limiter));
        let mut line = format!("; {:<22}", "waves limited by");
        for limiter in limiters {
            let _ = write!(line, " {:>14}", limiter.unwrap_or("-"));
        }
        document.line(None, &line);
    }

    /// The width of a column: that of its longest instruction, up to a bound.
    fn width(&self) -> usize {
        const WIDEST: usize = 60;
        let rows = self.statements.iter().flat_map(|statement| &statement.rows);
        let cells = rows.flat_map(|row| row.cells.iter().flatten());
        cells.map(|it| it.text.len()).max().unwrap_or(0).min(WIDEST)
    }
}

/// The less current, the higher.
fn rank(state: CompiledState) -> u8 {
    match state {
        CompiledState::Fresh => 0,
        CompiledState::Stale => 1,
        CompiledState::Outdated => 2,
        CompiledState::Pending => 3,
        CompiledState::Unavailable => 4,
    }
}

/// The name of a sum, whether it is shown where all are 0, and the sum.
type Figure = (&'static str, bool, fn(&CompiledFigures) -> u64);

const FIGURES: [Figure; 11] = [
    ("instructions", true, |it| it.statistics.instructions.into()),
    ("bytes", true, |it| it.statistics.bytes.into()),
    ("VGPRs", true, |it| it.statistics.vgprs.into()),
    ("SGPRs", true, |it| it.statistics.sgprs.into()),
    ("bytes of LDS", false, |it| it.statistics.lds.into()),
    ("bytes of scratch", false, |it| it.statistics.scratch.into()),
    ("VGPRs spilled", false, |it| it.statistics.spilled_vgprs.into()),
    ("SGPRs spilled", false, |it| it.statistics.spilled_sgprs.into()),
    ("clocks", true, |it| it.clocks),
    ("clocks of SIMD a wave", true, |it| it.inverse_throughput),
    ("waves", true, |it| it.statistics.waves.into()),
];

fn heading(statement: &ComparedStatement, is_difference: bool) -> String {
    let place = statement.line.map(|line| format!("{}: ", line + 1));
    let text = match (&statement.text, &place) {
        (None, _) => "shared by several statements, or of none",
        (Some(text), _) => text,
    };
    let gone = if statement.text.is_some() && place.is_none() { "(gone) " } else { "" };
    let before = statement.before.as_ref().map(|before| format!(" (was {before})"));
    let (place, before) = (place.unwrap_or_default(), before.unwrap_or_default());
    let heading = format!("{place}{gone}{text}{before}");
    if is_difference { format!("@@ {heading} @@") } else { format!("; {heading}") }
}

fn text(cell: &Option<ComparedInstruction>) -> &str {
    cell.as_ref().map_or("", |instruction| &instruction.text)
}

/// Lines that begin as those of a difference do.
fn difference(document: &mut Document, line: Option<u32>, row: &ComparedRow) {
    let [before, now] = &row.cells[..] else { return };
    match row.change {
        Change::Same => document.line(line, &format!("  {}", text(now))),
        Change::Renamed => {
            document.line(line, &format!("! {:<52} // was {}", text(now), text(before)));
        }
        Change::Changed => {
            document.line(line, &format!("- {}", text(before)));
            document.line(line, &format!("+ {}", text(now)));
        }
        Change::Removed => document.line(line, &format!("- {}", text(before))),
        Change::Added => document.line(line, &format!("+ {}", text(now))),
    }
}

fn side_by_side(row: &ComparedRow, width: usize) -> String {
    let mark = match row.change {
        Change::Same => ' ',
        Change::Renamed => '~',
        Change::Changed => '!',
        Change::Removed => '-',
        Change::Added => '+',
    };
    let mut line = format!("{mark} ");
    for (number, cell) in row.cells.iter().enumerate() {
        let bar = if number == 0 { "" } else { " | " };
        let _ = write!(line, "{bar}{:<width$}", text(cell)); // Writing to a string cannot fail.
    }
    line.trim_end().to_owned()
}
