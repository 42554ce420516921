//! Shaders with planted faults.

pub(super) mod faults;

use source::no_checkpoint;
use tgsi::ast::{Shader, Statement, StatementKind};
use tgsi::parser::parse;

use super::twins::Twins;
use super::{Kind, Pair, Summary, Told, breaks, compare};
use crate::random_shaders::Numbers;

/// Programs that are longer are left out: others have the same statements.
const LONGEST: usize = 20_000;

/// The same for statements that are typed, which makes a text for each letter.
pub(super) const LONGEST_TYPED: usize = 3_000;

/// Plants faults in each program and breaks one of its statements, so many times.
pub fn break_statements(programs: &[String], times: usize, seed: u64) -> Summary {
    let mut random = Numbers::new(seed);
    let mut summary = Summary::default();
    for program in programs.iter().filter(|program| program.len() < LONGEST) {
        for _ in 0..times {
            let planted = faults::plant(program, &mut random);
            let Some(before) = Found::of(&planted) else { break };
            if !before.shader.unread.is_empty() {
                break;
            }
            let Some(pair) = broken(&planted, &before.shader, &mut random) else { continue };
            let Some(after) = Found::of(&pair.text) else { continue };
            if after.shader.unread.is_empty() {
                continue;
            }
            summary.codes.extend(before.diagnostics.iter().map(|told| told.code.clone()));
            let count = summary.counts.entry(pair.kind).or_default();
            let twins = Twins::of(&planted, &pair);
            let depends = |told: &Told| twins.lack(told);
            compare(&before.diagnostics, &after.diagnostics, &pair, &depends, count);
        }
    }
    summary
}

/// A shader and all that is found in it.
pub(super) struct Found {
    pub(super) shader: Shader,
    pub(super) diagnostics: Vec<Told>,
}

impl Found {
    pub(super) fn of(text: &str) -> Option<Found> {
        let parsed = parse(text, &no_checkpoint);
        let shader = parsed.shader?;
        let validated = tgsi::validate(&shader, &no_checkpoint);
        let all = parsed.diagnostics.iter().chain(&validated);
        let diagnostics: Vec<Told> = all.map(|found| Told::of(found, text)).collect();
        (diagnostics.len() < source::MAX_DIAGNOSTICS / 2).then_some(Found { shader, diagnostics })
    }
}

/// Breaks one line; `None` where it cannot be broken in the way that was drawn.
fn broken(text: &str, shader: &Shader, random: &mut Numbers) -> Option<Pair> {
    let statement = &shader.statements[random.below(shader.statements.len().max(1))];
    let line = lone_statement(text, statement)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let words = &text[std::ops::Range::<usize>::from(statement.range)];
    // An instruction's number stays.
    let body = words.find(": ").filter(|at| *at < 6).map_or(0, |at| at + 2);
    let (way, broken) = breaks::change(&words[body..], random)?;
    lines[line] = format!("{}{broken}", &words[..body]);
    Some(Pair { text: lines.join("\n") + "\n", line, way, kind: kind(&statement.kind) })
}

/// Returns the line of a sound statement that has its line for itself: others on it would be
/// broken with it.
pub(super) fn lone_statement(text: &str, statement: &Statement) -> Option<usize> {
    let (start, end) = (usize::from(statement.range.start()), usize::from(statement.range.end()));
    let first = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let prefix = text[first..start].trim();
    let rest = text[end..].lines().next().unwrap_or_default().trim();
    let is_alone = prefix.is_empty() && rest.is_empty() && !text[start..end].contains('\n');
    (is_alone && !statement.broken).then(|| text[..start].matches('\n').count())
}

/// The kind of a statement.
pub(super) fn kind(statement: &StatementKind) -> Kind {
    match statement {
        StatementKind::Instruction(instruction)
            if tgsi::validate::steers(instruction.opcode.value) =>
        {
            Kind::Structure
        }
        StatementKind::Instruction(_) => Kind::Plain,
        _ => Kind::Declaration,
    }
}
