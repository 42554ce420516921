//! Rewriting a shader so that it still means the same.
//!
//! Each rewriting is offered only where it is sure to: what a computed number may
//! reach, what stands behind a branch, or what was not understood is left alone.

mod inline_move;
mod literal;
mod renumber;
mod split;

use source::{TextEdit, TextRange, TextSize};

use crate::ast::{Declaration, IndexRange, Shader, Statement, StatementKind};
use crate::print;
use crate::words::File;

/// A rewriting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refactoring {
    /// Temporaries are numbered in the order of their use, without gaps.
    RenumberTemporaries,
    /// A number in an operand's place becomes an immediate.
    ExtractImmediate,
    /// The reads of a `MOV`'s result read its source.
    InlineMove,
    /// A declaration of several registers becomes one for each.
    SplitRange,
}

impl Refactoring {
    /// All of them.
    pub const ALL: [Refactoring; 4] = [
        Refactoring::RenumberTemporaries,
        Refactoring::ExtractImmediate,
        Refactoring::InlineMove,
        Refactoring::SplitRange,
    ];

    /// Returns what users read.
    pub fn title(self) -> &'static str {
        match self {
            Refactoring::RenumberTemporaries => "Number temporaries in order of use",
            Refactoring::ExtractImmediate => "Make this number an immediate",
            Refactoring::InlineMove => "Inline this `MOV`",
            Refactoring::SplitRange => "Declare each register by itself",
        }
    }

    /// A word for it that stays the same.
    pub fn id(self) -> &'static str {
        match self {
            Refactoring::RenumberTemporaries => "renumber-temporaries",
            Refactoring::ExtractImmediate => "extract-immediate",
            Refactoring::InlineMove => "inline-move",
            Refactoring::SplitRange => "split-range",
        }
    }

    /// The rewriting of a word.
    pub fn find(id: &str) -> Option<Refactoring> {
        Refactoring::ALL.into_iter().find(|refactoring| refactoring.id() == id)
    }
}

/// The edits of a rewriting at an offset: disjoint and in order. `None` where it would
/// change the meaning, or nothing at all. `text` is what the shader was parsed from.
pub fn edits(
    text: &str,
    shader: &Shader,
    offset: TextSize,
    refactoring: Refactoring,
) -> Option<Vec<TextEdit>> {
    let is_sound = shader.statements.iter().all(|statement| !statement.broken);
    let mut edits = match refactoring {
        Refactoring::ExtractImmediate => literal::edits(text, shader, offset)?,
        _ if !is_sound => return None,
        Refactoring::RenumberTemporaries => renumber::edits(text, shader, offset)?,
        Refactoring::InlineMove => inline_move::edits(text, shader, offset)?,
        Refactoring::SplitRange => split::edits(text, shader, offset)?,
    };
    edits.sort_by_key(|edit| edit.range.start());
    let disjoint = edits.is_sorted_by(|a, b| a.range.end() <= b.range.start());
    disjoint.then_some(edits)
}

fn slice(text: &str, range: TextRange) -> Option<&str> {
    text.get(std::ops::Range::<usize>::from(range))
}

/// A statement with its line, where nothing else stands in it.
fn with_line(text: &str, range: TextRange) -> TextRange {
    let (before, after) = (&text[..range.start().into()], &text[range.end().into()..]);
    // No further than the blanks: a line may be as long as the text.
    let before = before.trim_end_matches(is_blank);
    let rest = after.trim_start_matches(is_blank);
    let end = rest.strip_prefix('\n').or(rest.is_empty().then_some(rest));
    // The header's line stays.
    match end {
        Some(rest) if before.ends_with('\n') => {
            TextRange::new(TextSize::of(before), TextSize::new((text.len() - rest.len()) as u32))
        }
        _ => range,
    }
}

/// Tells whether a character is white space within a line.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() && letter != '\n'
}

/// The declaration of a register, with its statement.
pub(super) fn declaration_at(
    shader: &Shader,
    file: File,
    number: u32,
) -> Option<(&Statement, &Declaration)> {
    shader.statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::Declaration(declaration)
            if declaration.file.value == file && declaration.range.value.contains(number) =>
        {
            Some((statement, declaration))
        }
        _ => None,
    })
}

/// A declaration with another range of numbers.
pub(super) fn declaration_of(
    text: &str,
    statement: &Statement,
    declaration: &Declaration,
    numbers: IndexRange,
) -> Option<String> {
    let numbers = print::range(numbers);
    let range = declaration.range.range;
    let before = slice(text, TextRange::new(statement.range.start(), range.start()))?;
    let after = slice(text, TextRange::new(range.end(), statement.range.end()))?;
    Some(format!("{before}{numbers}{after}"))
}

/// The parts of a range that stay without a number of it.
pub(super) fn without(range: IndexRange, number: u32) -> impl Iterator<Item = IndexRange> {
    let before = (range.first < number).then(|| IndexRange { last: number - 1, ..range });
    let behind = (number < range.last).then(|| IndexRange { first: number + 1, ..range });
    before.into_iter().chain(behind)
}

/// The blanks before a statement in its line.
fn indentation<'t>(text: &'t str, statement: &Statement) -> &'t str {
    let before = &text[..usize::from(statement.range.start())];
    let rest = before.trim_end_matches(is_blank);
    if rest.is_empty() || rest.ends_with('\n') { &before[rest.len()..] } else { "" }
}
