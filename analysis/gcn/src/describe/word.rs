//! Pages of the words behind mnemonics, rows of `data/words.tsv`: modifiers, counters,
//! targets of exports. Messages and registers of the hardware have numbers, and no more is
//! said of them.

use crate::instruction::names;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A word of operands or modifiers, for readers.
#[derive(Debug)]
pub struct WordInfo {
    /// The word; of those with a number behind it, the letters alone.
    pub name: &'static str,
    /// Tells whether a number belongs to it: `mrt0`.
    is_numbered: bool,
    /// Its spelling, with what belongs to it.
    pub written: &'static str,
    /// Its meaning, in a sentence or two.
    pub summary: &'static str,
    /// The document that the row is from.
    source: &'static str,
}

impl WordInfo {
    /// Returns its page, as Markdown.
    pub fn markdown(&self) -> String {
        let WordInfo { written, summary, source, .. } = self;
        format!("```gcn\n{written}\n```\n{summary}\n\nFrom: {source}.\n")
    }
}

/// Returns every word, in the order of the table.
pub(crate) fn words() -> &'static [WordInfo] {
    &WORDS
}

/// Returns what a word means, in any case; `None` for words that are none of these.
pub fn word(name: &str) -> Option<&'static WordInfo> {
    let name = name.to_ascii_lowercase();
    let letters = name.trim_end_matches(|it: char| it.is_ascii_digit());
    let is = |info: &&WordInfo| match info.is_numbered {
        true => info.name == letters && letters != name,
        false => info.name == name,
    };
    words().iter().find(is)
}

/// Returns what a name of a number is: a message, an operation of one, a register of the
/// hardware.
pub(crate) fn named_number(name: &str) -> Option<String> {
    let named = names::any(name)?;
    Some(format!("**{}**: {} {}", named.name, named.kind.title(), named.number))
}
