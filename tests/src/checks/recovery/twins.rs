//! Other sound statements that the same way of breaking turns into the same text.
//!
//! `MUL TEMP[0], TEMP[1], TEMP[2]` and `MUL TEMP[0], TEMP[1], CONST[3]` without their last operands
//! are one text. A diagnostic that the shader has with one of them and not with the other nobody
//! can tell of that text: to keep it in the first shader is to add it in the second.

use tgsi::Opcode;

use super::shaders::Found;
use super::{Pair, Told, breaks};

/// The most statements that are tried for one diagnostic.
const MOST: usize = 48;

/// The statement that was broken, in its sound shader.
pub(super) struct Twins<'a> {
    planted: &'a str,
    pair: &'a Pair,
    /// The number of the instruction, which every way leaves.
    prefix: &'a str,
    words: &'a str,
    broken: &'a str,
}

impl<'a> Twins<'a> {
    /// Finds the statement; both texts have it on the same line.
    pub(super) fn of(planted: &'a str, pair: &'a Pair) -> Twins<'a> {
        let line = |text: &'a str| text.lines().nth(pair.line).unwrap_or_default();
        let (sound, broken) = (line(planted).trim(), line(&pair.text).trim());
        let body = sound.find(": ").filter(|at| *at < 6).map_or(0, |at| at + 2);
        let (prefix, words) = sound.split_at(body);
        let broken = broken.strip_prefix(prefix).unwrap_or(broken);
        Twins { planted, pair, prefix, words, broken }
    }

    /// Tells whether a diagnostic is not there with one of the twins.
    pub(super) fn lack(&self, told: &Told) -> bool {
        let is_twin = |words: &String| breaks::may_become(words, self.broken, self.pair.way);
        let mut twins = self.others(told).into_iter().filter(is_twin).take(MOST);
        twins.any(|words| {
            let line = format!("{}{words}", self.prefix);
            let lines = self.planted.lines().enumerate();
            let lines = lines.map(|(at, it)| if at == self.pair.line { &line } else { it });
            let text = lines.collect::<Vec<_>>().join("\n") + "\n";
            Found::of(&text).is_some_and(|found| {
                found.shader.unread.is_empty() && !found.diagnostics.contains(told)
            })
        })
    }

    /// Statements that may matter to a diagnostic: with its registers, or with another opcode of
    /// as many operands.
    fn others(&self, told: &Told) -> Vec<String> {
        let lines = self.planted.lines();
        let lines = lines.skip(told.lines.0).take(told.lines.1 + 1 - told.lines.0);
        let mut about: Vec<&str> = lines.flat_map(registers).map(|(_, it)| it).collect();
        about.extend(registers(&told.message).into_iter().map(|(_, it)| it));
        about.dedup();
        let mut others = Vec::new();
        for (at, register) in registers(self.words) {
            let (before, behind) = (&self.words[..at], &self.words[at + register.len()..]);
            let rest = behind.find(',').map_or("", |comma| &behind[comma..]);
            for name in about.iter().map(|name| first_of(name)) {
                others.push(format!("{before}{name}{behind}"));
                others.push(format!("{before}{name}{rest}"));
            }
        }
        let end = self.words.find(' ').unwrap_or(self.words.len());
        let (word, operands) = self.words.split_at(end);
        if let Some(own) = Opcode::find(word).map(|own| own.row()) {
            let alike = |it: &Opcode| {
                let row = it.row();
                (row.destinations, row.sources, row.texture)
                    == (own.destinations, own.sources, own.texture)
            };
            let alike = Opcode::all().filter(alike);
            others.extend(alike.map(|it| format!("{}{operands}", it.mnemonic())));
        }
        others
    }
}

/// The registers of a text, each with its place.
fn registers(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('[') {
        let word = text[..open].trim_end_matches(|letter: char| letter.is_ascii_uppercase());
        let end = text[open..].find(']').map(|end| open + end + 1);
        if let Some(end) = end.filter(|_| word.len() < open) {
            found.push((word.len(), &text[word.len()..end]));
        }
    }
    found
}

/// The first register of a range: `TEMP[3]` of `TEMP[3..9]`.
fn first_of(register: &str) -> String {
    match register.split_once("..") {
        Some((first, _)) => format!("{first}]"),
        None => register.to_owned(),
    }
}
