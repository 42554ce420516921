//! Lines, indentation and numbers: what stands before and between statements.

use source::{TextRange, TextSize};

use super::statement;
use super::{Numbers, meaning};
use crate::ast::{Instruction, Shader, Statement, StatementKind};
use crate::lexer::{Lexer, TokenKind};
use crate::opcodes::Opcode;
use crate::validate::{Block, Nesting, nesting};

/// A statement and the space before it.
pub(super) struct StatementEdit {
    /// From the end of the statement before to the start of this one.
    pub(super) gap: TextRange,
    /// The new text of the gap; `None` where it stays.
    pub(super) gap_text: Option<String>,
    /// The statement.
    pub(super) body: TextRange,
    /// Its new text; `None` where it stays.
    pub(super) body_text: Option<String>,
}

/// Blanks for each level of nesting.
const BLANKS_PER_LEVEL: usize = 2;

/// Deeper levels are not indented further: the text must not grow with the
/// square of its length. Interpreters nest to 32.
const DEEPEST_LEVEL: usize = 64;

/// The width of `% 3u: `.
const NUMBER_COLUMNS: usize = 5;

/// Lays out the statements of a shader one after the other.
pub(super) struct Layout<'a> {
    text: &'a str,
    shader: &'a Shader,
    base: &'a str,
    line_end: &'static str,
    numbers: Numbers,
    indices: Vec<Option<u32>>,
    /// The number of statements that are done.
    done: usize,
    /// The end of the last one.
    end: TextSize,
    level: usize,
    /// The number of the next instruction, from 0.
    number: u32,
}

impl<'a> Layout<'a> {
    pub(super) fn new(text: &'a str, shader: &'a Shader, base: &'a str, wanted: Numbers) -> Self {
        Layout {
            text,
            shader,
            base,
            line_end: line_end(text),
            numbers: numbers(shader, wanted),
            indices: meaning::immediate_indices(&shader.statements),
            done: 0,
            end: shader.stage.range.end(),
            level: 0,
            number: 0,
        }
    }

    /// The blanks before an instruction that would stand at `offset`.
    pub(super) fn column_after(mut self, offset: TextSize) -> String {
        let statements = &self.shader.statements;
        for statement in statements.iter().take_while(|it| it.range.end() <= offset) {
            if let StatementKind::Instruction(instruction) = &statement.kind {
                let (left, opened) = levels(instruction.opcode.value);
                self.level = self.level.saturating_sub(left) + opened;
            }
        }
        format!("{}{}", self.base, self.blanks(self.numbers == Numbers::Always))
    }

    /// The blanks before an opcode without number at the current level.
    fn blanks(&self, numbered: bool) -> String {
        let level = self.level.min(DEEPEST_LEVEL) * BLANKS_PER_LEVEL;
        " ".repeat(level + if numbered { NUMBER_COLUMNS } else { 0 })
    }

    fn piece(&mut self, statement: &Statement, index: Option<u32>) -> StatementEdit {
        let gap = TextRange::new(self.end, statement.range.start());
        let body = statement.range;
        self.end = body.end();
        let before = self.done.checked_sub(1).map(|last| &self.shader.statements[last]);
        let numbered = self.numbers == Numbers::Always;
        let mut column = String::new();
        let mut body_text = None;
        let mut comment_column = String::new();
        match &statement.kind {
            StatementKind::Instruction(instruction) => {
                let (left, opened) = levels(instruction.opcode.value);
                self.level = self.level.saturating_sub(left);
                comment_column = self.blanks(numbered);
                let spelling = statement::canonical(self.text, statement, index);
                let numbered = match self.numbers {
                    // The number may be what an unfinished statement lacks.
                    _ if before.is_some_and(|before| before.broken) => instruction.number.is_some(),
                    Numbers::Always => true,
                    Numbers::Keep => instruction.number.is_some(),
                    Numbers::Never => false,
                };
                (column, body_text) = self.instruction(instruction, numbered, spelling);
                self.level += opened;
                self.number += 1;
            }
            StatementKind::Unknown => {
                // It keeps its place among the numbers if it was meant as one.
                let word = self.text[body].split([' ', '\t', '[', '\n']).next().unwrap_or_default();
                let other = ["DCL", "IMM", "PROPERTY"];
                if !other.iter().any(|keyword| keyword.eq_ignore_ascii_case(word)) {
                    self.number += 1;
                }
            }
            _ => {
                body_text = statement::canonical(self.text, statement, index);
            }
        }
        // What surrounds a statement with an error may be part of the error.
        let beside_broken = statement.broken || before.is_some_and(|before| before.broken);
        let same_line = !self.text[gap].contains(['\n', '\r']);
        let verbatim = statement.broken || beside_broken && same_line;
        let gap_text = if verbatim { None } else { self.gap(gap, &comment_column, &column) };
        StatementEdit { gap, gap_text, body, body_text: body_text.filter(|_| !statement.broken) }
    }

    /// The column of an instruction, and its text with its number.
    fn instruction(
        &self,
        instruction: &Instruction,
        numbered: bool,
        spelling: Option<String>,
    ) -> (String, Option<String>) {
        match spelling {
            Some(text) if numbered => {
                let number = self.number.to_string();
                let column = " ".repeat(3usize.saturating_sub(number.len()));
                (column, Some(format!("{number}: {}{text}", self.blanks(false))))
            }
            Some(text) => (self.blanks(false), Some(text)),
            // With a comment inside it stays as it is, its number too.
            None => match instruction.number {
                Some(number) => {
                    let digits = usize::from(number.range.len());
                    (" ".repeat(3usize.saturating_sub(digits)), None)
                }
                None => (self.blanks(numbered), None),
            },
        }
    }

    /// The text of a gap: comments where they were, at most one blank line in
    /// a row, and the column of the statement that follows. `None` where the
    /// gap holds text that was not understood.
    fn gap(&self, gap: TextRange, comment_column: &str, column: &str) -> Option<String> {
        let old = &self.text[gap];
        let mut new = String::with_capacity(old.len() + column.len() + 8);
        // Line ends since the last comment or statement, blanks since the last line end.
        let mut lines = 0;
        let mut blanks = "";
        for (kind, range) in Lexer::new(old) {
            let token = &old[range];
            match kind {
                TokenKind::Blank | TokenKind::OddBlank => blanks = token,
                TokenKind::Newline | TokenKind::OddNewline => {
                    lines += line_ends(token);
                    blanks = &token[token.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
                }
                TokenKind::LineComment | TokenKind::BlockComment | TokenKind::UnclosedComment => {
                    if lines == 0 {
                        // Aligned comments stay aligned.
                        let plain = !blanks.is_empty()
                            && blanks.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
                        new.push_str(if plain { blanks } else { " " });
                    } else {
                        self.new_line(lines, &mut new);
                        // A comment at the line's start was put there on purpose.
                        if blanks.len() > self.base.len() {
                            new.push_str(comment_column);
                        }
                    }
                    new.push_str(token);
                    lines = 0;
                    blanks = "";
                }
                _ => return None,
            }
        }
        self.new_line(lines, &mut new);
        new.push_str(column);
        Some(new)
    }

    fn new_line(&self, lines: usize, new: &mut String) {
        new.push_str(self.line_end);
        if lines > 1 {
            new.push_str(self.line_end);
        }
        new.push_str(self.base);
    }
}

impl Iterator for Layout<'_> {
    type Item = StatementEdit;

    fn next(&mut self) -> Option<StatementEdit> {
        let statement = self.shader.statements.get(self.done)?;
        let index = self.indices.get(self.done).copied().flatten();
        let piece = self.piece(statement, index);
        self.done += 1;
        Some(piece)
    }
}

/// Tells whether all, none or some instructions get a number.
fn numbers(shader: &Shader, wanted: Numbers) -> Numbers {
    if wanted != Numbers::Keep {
        return wanted;
    }
    let (with, without): (Vec<_>, Vec<_>) =
        shader.instructions().map(|it| it.number.is_some()).partition(|numbered| *numbered);
    if with.len() > without.len() { Numbers::Always } else { Numbers::Keep }
}

/// Returns how the text ends its lines: as it ends the first one.
fn line_end(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// Returns how many lines white space ends.
fn line_ends(text: &str) -> usize {
    let lone = text.matches('\r').count() - text.matches("\r\n").count();
    text.matches('\n').count() + lone
}

/// Levels that an opcode leaves before it is printed, and those that it opens for what
/// follows. The dumper does not indent `SWITCH`.
fn levels(opcode: Opcode) -> (usize, usize) {
    match nesting(opcode) {
        Some(Nesting::Open(Block::Switch) | Nesting::Close(Block::Switch)) => (0, 0),
        Some(Nesting::Open(_)) => (0, 1),
        Some(Nesting::Else) => (1, 1),
        Some(Nesting::Close(_)) => (1, 0),
        Some(Nesting::Case | Nesting::Break | Nesting::Continue | Nesting::End) | None => (0, 0),
    }
}
