//! Statements that are typed letter by letter in shaders with planted faults: what is found
//! elsewhere before the first letter and after the last is found at every letter between, and
//! nothing that neither has.

use super::shaders::{Found, LONGEST_TYPED, faults, kind, lone_statement};
use super::{Kind, Told};
use crate::random_shaders::Numbers;

/// The result of typing statements.
#[derive(Debug, Default)]
pub struct Typed {
    /// Texts between the first and the last letter.
    pub steps: usize,
    /// Diagnostics elsewhere that both ends have, once for each step.
    pub steady: usize,
    /// Diagnostics of them that a step has.
    pub kept: usize,
    /// Diagnostics that neither end has, each with its text.
    pub added: Vec<String>,
}

/// Plants faults in each program, and types one of its statements, so many times.
pub fn type_statements(programs: &[String], times: usize, seed: u64) -> Typed {
    let mut random = Numbers::new(seed);
    let mut typed = Typed::default();
    for program in programs.iter().filter(|program| program.len() < LONGEST_TYPED) {
        for _ in 0..times {
            let planted = faults::plant(program, &mut random);
            type_one(&planted, &mut random, &mut typed);
        }
    }
    typed
}

/// Types one statement of a text; does nothing where the one that was drawn has other words on
/// its line, or the text is broken elsewhere.
fn type_one(text: &str, random: &mut Numbers, typed: &mut Typed) -> Option<()> {
    let whole = Found::of(text).filter(|found| found.shader.unread.is_empty())?;
    let statement = &whole.shader.statements[random.below(whole.shader.statements.len().max(1))];
    let line = lone_statement(text, statement)?;
    if kind(&statement.kind) != Kind::Plain {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let with = |words: &str| {
        let mut lines = lines.clone();
        lines[line] = words;
        lines.join("\n") + "\n"
    };
    let elsewhere = |found: Found| -> Vec<Told> {
        found.diagnostics.into_iter().filter(|told| !told.touches(line)).collect()
    };
    let absent = elsewhere(Found::of(&with(""))?);
    let whole = elsewhere(whole);
    let same = |left: &Told, right: &Told| {
        left.code == right.code && left.lines == right.lines && left.subject() == right.subject()
    };
    let has = |all: &[Told], one: &Told| all.iter().any(|other| same(other, one));
    for end in 1..lines[line].len() {
        let Some(words) = lines[line].get(..end) else { continue };
        let text = with(words);
        let found = elsewhere(Found::of(&text)?);
        typed.steps += 1;
        for told in whole.iter().filter(|told| has(&absent, told)) {
            typed.steady += 1;
            typed.kept += usize::from(has(&found, told));
        }
        for told in found.iter().filter(|told| !has(&absent, told) && !has(&whole, told)) {
            typed.added.push(format!("{words:?} in line {line} adds {told:?} to\n{text}"));
        }
    }
    Some(())
}
