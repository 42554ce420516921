//! Results of a search, for people and for programs.

use std::io;

use advise::{DiffLine, Figures, difference};
use serde::Serialize;

use super::super::Status;
use super::super::output::{Output, Style, conclude};
use crate::advice::{Advice, AdvisedFigures, Ending, told};

/// Lines around a change that are shown.
const CONTEXT: usize = 2;

/// The search for a shader or a kernel on a chip.
pub(super) struct Row {
    pub(super) file: String,
    /// The number of the shader, from 1; `None` of a kernel.
    pub(super) shader: Option<usize>,
    /// The version of the compiler, where one was needed.
    pub(super) llvm: Option<String>,
    /// The text that was given.
    pub(super) before: String,
    pub(super) advice: Advice,
}

impl Row {
    /// The status of the command: a variant that does something else is a defect of ours.
    pub(super) fn status(&self) -> Status {
        match self.advice.ending() {
            Ending::Failed => Status::Failed,
            _ if !self.advice.outcome.differing.is_empty() => Status::Bad,
            _ => Status::Good,
        }
    }

    fn name(&self) -> String {
        match self.shader {
            Some(shader) => format!("{}, shader {shader}", self.file),
            None => self.file.clone(),
        }
    }
}

/// Prints advice for people.
pub(super) fn print(row: &Row, output: &mut Output) -> io::Result<()> {
    let compiler = row.llvm.as_ref().map(|it| format!(", LLVM {it}")).unwrap_or_default();
    output.styled_line(
        Style::Strong,
        &format!("{} on {}{compiler}", row.name(), row.advice.target.name()),
    )?;
    if let (Some(before), Some(found)) = (&row.advice.outcome.before, &row.advice.outcome.found) {
        let head = format!(
            "  {:8}{:>8}{:>8}{:>8}{:>9}   (clocks by the model `measured`)",
            "", "waves", "VGPRs", "SGPRs", "clocks"
        );
        output.styled_line(Style::Faint, &head)?;
        for (name, it) in [("before", before), ("after", &found.figures)] {
            let Figures { waves, vgprs, sgprs, clocks, .. } = it;
            output.line(&format!("  {name:8}{waves:>8}{vgprs:>8}{sgprs:>8}{clocks:>9}"))?;
        }
        for change in told(&found.changes) {
            output.line(&format!("  {change}"))?;
        }
        for assumption in &found.assumes {
            output.styled_line(Style::Place, &format!("  only if {assumption}"))?;
        }
    }
    output.line(&format!("  {}", row.advice.message()))?;
    for (changes, place) in &row.advice.outcome.differing {
        let changes = told(changes).join("; ");
        output
            .styled_line(Style::Bad, &format!("  not offered, it differs: {changes}: {place}"))?;
    }
    if let Some(found) = &row.advice.outcome.found {
        match row.shader {
            // Numbers of instructions mean nothing, and every change moves them.
            Some(_) => {
                changed_lines(&unnumbered(&row.before), &unnumbered(&found.text), output)?;
            }
            None => changed_lines(&row.before, &found.text, output)?,
        }
    }
    output.line("")
}

/// A shader without the numbers of its instructions.
fn unnumbered(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(':') {
        Some((number, rest)) if number.trim().bytes().all(|it| it.is_ascii_digit()) => {
            rest.trim_start()
        }
        _ => line,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The lines of a change with a few around them.
fn changed_lines(before: &str, after: &str, output: &mut Output) -> io::Result<()> {
    let lines = difference(before, after);
    let is_change = |line: &DiffLine<'_>| !matches!(line, DiffLine::Kept(_));
    let mut is_gap = false;
    for (place, line) in lines.iter().enumerate() {
        let around = place.saturating_sub(CONTEXT)..(place + CONTEXT + 1).min(lines.len());
        if !lines[around].iter().any(is_change) {
            is_gap = true;
            continue;
        }
        if std::mem::take(&mut is_gap) {
            output.styled_line(Style::Faint, "  ...")?;
        }
        match line {
            DiffLine::Kept(text) => output.styled_line(Style::Faint, &format!("    {text}"))?,
            DiffLine::Removed(text) => output.styled_line(Style::Bad, &format!("  - {text}"))?,
            DiffLine::Added(text) => output.styled_line(Style::Good, &format!("  + {text}"))?,
        }
    }
    Ok(())
}

/// Prints all advice as a table in Markdown.
pub(super) fn table(rows: &[Row], output: &mut Output) -> io::Result<()> {
    output.line("| shader | chip | waves | VGPRs | clocks | change | proof |")?;
    output.line("|---|---|---|---|---|---|---|")?;
    for row in rows {
        let figure = |pick: fn(&Figures) -> u64| {
            let before = row.advice.outcome.before.as_ref().map(pick);
            let after = row.advice.outcome.found.as_ref().map(|found| pick(&found.figures));
            match (before, after) {
                (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
                (Some(before), _) => before.to_string(),
                _ => String::new(),
            }
        };
        let found = row.advice.outcome.found.as_ref();
        let mut changes =
            found.map_or_else(|| row.advice.message(), |found| told(&found.changes).join("; "));
        for assumption in found.iter().flat_map(|found| &found.assumes) {
            changes.push_str(&format!(" (only if {assumption})"));
        }
        let cells = [
            row.name(),
            row.advice.target.name().to_owned(),
            figure(|it| u64::from(it.waves)),
            figure(|it| u64::from(it.vgprs)),
            figure(|it| it.clocks),
            changes,
            row.advice.proof(),
        ];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        output.line(&format!("| {} |", cells.join(" | ")))?;
    }
    output.line("")?;
    output.line(&summary_line(rows))
}

/// Says on standard error how many got better.
pub(super) fn summary(rows: &[Row]) {
    conclude(&summary_line(rows));
}

fn summary_line(rows: &[Row]) -> String {
    let gains = |is: fn(&Figures, &Figures) -> bool| {
        let both = rows.iter().filter_map(|row| {
            row.advice.outcome.before.as_ref().zip(row.advice.outcome.found.as_ref())
        });
        both.filter(|(before, found)| is(before, &found.figures)).count()
    };
    let waves = gains(|before, after| after.waves > before.waves);
    let clocks = gains(|before, after| after.clocks * 20 <= before.clocks * 19);
    let better = gains(|_, _| true);
    format!(
        "{} of {} better: {waves} in waves, {clocks} by 5 % of clocks or more",
        better,
        rows.len()
    )
}

/// Advice as programs read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonRow<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shader: Option<usize>,
    target: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    llvm: Option<&'a str>,
    model: &'static str,
    status: Ending,
    message: String,
    tried: usize,
    complete: bool,
    before: Option<AdvisedFigures>,
    after: Option<AdvisedFigures>,
    changes: &'a [String],
    assumes: &'a [String],
    proof: Option<JsonProof>,
    /// The whole new text.
    text: Option<&'a str>,
    differing: usize,
}

#[derive(Debug, Serialize)]
struct JsonProof {
    inputs: u32,
    equal: bool,
    open: u64,
}

impl<'a> JsonRow<'a> {
    pub(super) fn of(row: &'a Row) -> JsonRow<'a> {
        let found = row.advice.outcome.found.as_ref();
        JsonRow {
            file: &row.file,
            shader: row.shader,
            target: row.advice.target.name(),
            llvm: row.llvm.as_deref(),
            model: "measured",
            status: row.advice.ending(),
            message: row.advice.message(),
            tried: row.advice.outcome.tried,
            complete: row.advice.outcome.is_complete,
            before: row.advice.outcome.before.as_ref().map(AdvisedFigures::from),
            after: found.map(|it| AdvisedFigures::from(&it.figures)),
            changes: found.map_or(&[], |it| &it.changes),
            assumes: found.map_or(&[], |it| &it.assumes),
            proof: found.map(|it| JsonProof { inputs: it.inputs, equal: true, open: it.open }),
            text: found.map(|it| it.text.as_str()),
            differing: row.advice.outcome.differing.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use advise::{Found, Outcome};

    use super::*;
    use crate::advice::Code;

    fn row(before: (u32, u64), after: Option<(u32, u64)>) -> Row {
        let figures = |(waves, clocks): (u32, u64)| Figures {
            waves,
            clocks,
            vgprs: 9,
            sgprs: 9,
            instructions: 9,
        };
        let found = after.map(|after| Found {
            text: String::new(),
            figures: figures(after),
            changes: Vec::new(),
            assumes: Vec::new(),
            inputs: 32,
            open: 0,
        });
        Row {
            file: "k.s".to_owned(),
            shader: None,
            llvm: None,
            before: String::new(),
            advice: Advice {
                code: Code::Kernel,
                target: gcn::Target::find("gfx900").expect("a chip"),
                refusal: None,
                is_without_time: false,
                outcome: Outcome { before: Some(figures(before)), found, ..Outcome::default() },
            },
        }
    }

    #[test]
    fn gains_are_counted_by_their_kind() {
        let rows = [
            row((4, 1000), Some((5, 1000))),
            row((4, 1000), Some((4, 951))),
            row((4, 1000), Some((4, 950))),
            row((4, 1000), Some((6, 100))),
            row((4, 1000), Some((3, 1000))),
            row((4, 1000), None),
        ];
        let wanted = "5 of 6 better: 2 in waves, 2 by 5 % of clocks or more";
        assert_eq!(summary_line(&rows), wanted);
    }
}
