//! Statements of a file as they are written, and the words in them.

use std::borrow::Cow;

use source::{TextRange, TextSize, text_range};

use super::View;
use crate::assembler::Dialect;
use crate::assembler::lines::{Head, end_of_string, end_of_word, head, is_word, read_line};
use crate::instruction::Family;
use crate::instruction::form::{InstDesc, SlotKind};

/// One logical line: labels, and what follows them.
#[derive(Debug)]
pub struct Statement<'a> {
    text: Cow<'a, str>,
    start: usize,
    /// The labels' names.
    pub labels: Vec<TextRange>,
    /// The rest behind them.
    pub first: First,
    /// The start of its operands, in the file.
    rest: usize,
}

/// The first word of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Nothing.
    None,
    /// A directive, mnemonic or macro.
    Word(TextRange),
    /// The name of a symbol, before `=`.
    Assigned(TextRange),
}

/// A word of a statement's operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperandWord {
    /// Its range.
    pub(crate) range: TextRange,
    /// Its kind.
    pub(crate) kind: WordKind,
    /// The operand that it is in, counted by commas.
    pub(crate) operand: usize,
}

/// The kind of a word of the operands, by its looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Letters and digits.
    Name,
    /// Digits first.
    Number,
    /// `\name`: the name alone.
    Parameter,
    /// In quotes, with them.
    Text,
    /// Registers by number: `v3`, `s[4:7]`.
    Registers {
        /// The letters before the number.
        family: Family,
        /// The first number.
        first: u32,
        /// The last.
        last: u32,
    },
}

/// The statements of a text in order. Takes time linear in its length.
pub fn statements(text: &str, dialect: Dialect) -> impl Iterator<Item = Statement<'_>> {
    statements_from(text, 0, dialect)
}

/// The same from the start of a line on.
pub(crate) fn statements_from(
    text: &str,
    mut at: usize,
    dialect: Dialect,
) -> impl Iterator<Item = Statement<'_>> {
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let line = read_line(text, at, text.len(), dialect);
        at = line.next.max(at + 1);
        Some(Statement::read(line.text, line.start))
    })
}

/// The statement whose line holds an offset; behind its end, where the next is typed.
pub(crate) fn statement_at(view: View<'_>, offset: TextSize) -> Statement<'_> {
    let (text, dialect) = (view.text(), view.program.expansion.dialect);
    let wanted = usize::from(offset);
    let mut at = view.line_near(offset);
    loop {
        let line = read_line(text, at, text.len(), dialect);
        let next = line.next.max(at + 1);
        let open = next >= text.len() && !text.ends_with(['\n', '\r']);
        if wanted < next || (open && wanted <= text.len()) {
            return Statement::read(line.text, line.start);
        }
        if next >= text.len() {
            return Statement::read(Cow::Borrowed(""), text.len());
        }
        at = next;
    }
}

impl<'a> Statement<'a> {
    /// Reads the text that begins at a place of the file.
    pub(crate) fn read(text: Cow<'a, str>, start: usize) -> Statement<'a> {
        let mut labels = Vec::new();
        let mut from = 0;
        let (first, rest) = loop {
            match head(&text, from, Dialect::Llvm) {
                Head::Empty => break (First::None, text.len()),
                Head::Label { name, rest } => {
                    labels.push(range(start, name));
                    from = rest;
                }
                Head::Assignment { name, rest } => {
                    break (First::Assigned(range(start, name)), rest);
                }
                Head::Word { name, rest } => break (First::Word(range(start, name)), rest),
            }
        };
        Statement { text, start, labels, first, rest: start + rest }
    }

    /// All of it but comments and blanks around; empty for nothing.
    pub fn range(&self) -> TextRange {
        let trimmed = self.text.trim_ascii();
        let from = self.text.len() - self.text.trim_ascii_start().len();
        range(self.start, (from, from + trimmed.len()))
    }

    /// The start of its line.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The length of its line, up to the comment or separator that ends it.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// The start of its operands.
    pub(crate) fn operands_start(&self) -> usize {
        self.rest
    }

    /// The directive, mnemonic or macro that it begins with; empty for none.
    pub fn word(&self) -> &str {
        match self.first {
            First::Word(range) => self.slice(range),
            First::None | First::Assigned(_) => "",
        }
    }

    /// Returns the text behind that word, comments blank, without the blanks at its end.
    pub(crate) fn operands(&self) -> &str {
        self.text.get(self.rest - self.start..).unwrap_or_default().trim_ascii_end()
    }

    /// The text of a range of it, comments blank.
    pub fn slice(&self, range: TextRange) -> &str {
        let from = usize::from(range.start()).saturating_sub(self.start);
        let to = usize::from(range.end()).saturating_sub(self.start);
        self.text.get(from..to).unwrap_or_default()
    }

    /// The text behind a range of it, comments blank.
    pub(crate) fn behind(&self, range: TextRange) -> &str {
        let from = usize::from(range.end()).saturating_sub(self.start);
        self.text.get(from..).unwrap_or_default()
    }

    /// Tells whether an offset stands before the comment that ends the line, if one does.
    pub(crate) fn holds(&self, offset: TextSize) -> bool {
        usize::from(offset) <= self.start + self.text.len()
    }

    /// Returns the operand that an offset is in, counted by commas outside of brackets;
    /// `None` before the operands.
    pub(crate) fn operand_at(&self, offset: TextSize) -> Option<usize> {
        let First::Word(word) = self.first else { return None };
        if offset <= word.end() || !self.holds(offset) {
            return None;
        }
        let from = usize::from(word.end()) - self.start;
        let before = self.text.get(from..usize::from(offset) - self.start)?;
        let mut commas = Commas::default();
        before.bytes().for_each(|byte| commas.pass(byte));
        Some(commas.count)
    }

    /// The same as the slots of a form count: no comma stands behind the target of an export.
    pub(crate) fn slot_at(&self, form: &InstDesc, offset: TextSize) -> Option<usize> {
        let First::Word(word) = self.first else { return None };
        let begins_with_target =
            form.slots().first().is_some_and(|slot| slot.kind == SlotKind::ExportTarget);
        let before = self.slice(TextRange::new(word.end(), offset.max(word.end())));
        let is_behind = begins_with_target && before.trim_ascii_start().contains([' ', '\t']);
        Some(self.operand_at(offset)? + usize::from(is_behind))
    }

    /// The words of the operands.
    pub(crate) fn words(&self) -> Vec<OperandWord> {
        let bytes = self.text.as_bytes();
        let mut at = self.rest - self.start;
        let (mut words, mut commas) = (Vec::new(), Commas::default());
        while at < bytes.len() {
            let byte = bytes[at];
            let mut from = at;
            let kind = match byte {
                b'"' => {
                    at = end_of_string(bytes, at);
                    WordKind::Text
                }
                b'\\' if bytes.get(at + 1).is_some_and(|it| is_word(*it)) => {
                    at = end_of_word(bytes, at + 1);
                    from += 1;
                    WordKind::Parameter
                }
                _ if is_word(byte) => {
                    at = end_of_word(bytes, at);
                    match registers(&self.text, from, at) {
                        Some((kind, end)) => {
                            at = end;
                            kind
                        }
                        None if byte.is_ascii_digit() => WordKind::Number,
                        None => WordKind::Name,
                    }
                }
                _ => {
                    commas.pass(byte);
                    at += 1;
                    continue;
                }
            };
            let range = range(self.start, (from, at));
            words.push(OperandWord { range, kind, operand: commas.count });
        }
        words
    }
}

/// Counts the commas outside of brackets.
#[derive(Default)]
struct Commas {
    count: usize,
    depth: u32,
}

impl Commas {
    fn pass(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' => self.depth += 1,
            b')' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 0 => self.count += 1,
            _ => {}
        }
    }
}

/// Registers whose letters stand at `from..end`, and where they end.
fn registers(text: &str, from: usize, end: usize) -> Option<(WordKind, usize)> {
    let word = &text[from..end];
    let (family, number) = match word.as_bytes().first()? {
        b'v' | b'V' => (Family::Vector, &word[1..]),
        b's' | b'S' => (Family::Scalar, &word[1..]),
        b'a' | b'A' => (Family::Accumulator, &word[1..]),
        _ => (Family::Trap, word.strip_prefix("ttmp")?),
    };
    if !number.is_empty() {
        let first = number.parse().ok().filter(|_| number.len() <= 3)?;
        return Some((WordKind::Registers { family, first, last: first }, end));
    }
    let inside = text[end..].strip_prefix('[')?;
    let close = inside.find(']')?;
    let numbers = &inside[..close];
    let (first, last) = numbers.split_once(':').unwrap_or((numbers, numbers));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some((WordKind::Registers { family, first, last }, end + 1 + close + 1))
}

fn range(base: usize, (from, to): (usize, usize)) -> TextRange {
    text_range(base + from, base + to.max(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, what they are, and what follows them.
    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for statement in statements(text, Dialect::Llvm) {
            found.extend(
                statement.labels.iter().map(|it| format!("Label {}|", statement.slice(*it))),
            );
            let (kind, name) = match statement.first {
                First::None => continue,
                First::Assigned(name) => ("Assignment", name),
                First::Word(name) if statement.slice(name).starts_with('.') => ("Directive", name),
                First::Word(name) => ("Instruction", name),
            };
            found.push(format!("{kind} {}|{}", statement.slice(name), statement.operands()));
        }
        found
    }

    #[test]
    fn statements_of_the_compilers_text() {
        let text = "main:                 ; @main\n\t.loc\t1 25 1 ; shader.tgsi:25:1\r\n\
                    \ts_mov_b32 m0, s0\n; %bb.1:\nBB0_1: s_endpgm // the end\n\t.set x, 2\ny = 3\n";
        assert_eq!(
            words(text),
            [
                "Label main|",
                "Directive .loc|1 25 1",
                "Instruction s_mov_b32|m0, s0",
                "Label BB0_1|",
                "Instruction s_endpgm|",
                "Directive .set|x, 2",
                "Assignment y|3",
            ]
        );
    }

    #[test]
    fn comments_and_strings() {
        let text = "# file\n.ascii \"a;b//c\\\" /*\" ; d\ns_nop /* two\nlines */ s_nop 1\na /* b */ : s_nop";
        assert_eq!(
            words(text),
            [
                "Directive .ascii|\"a;b//c\\\" /*\"",
                "Instruction s_nop|s_nop 1",
                "Label a|",
                "Instruction s_nop|",
            ]
        );
    }

    #[test]
    fn ranges_are_where_the_words_are() {
        let text = "é: /* ö */ v_nop  ü ; \n\n  .x\u{3}y\n!!! 1\n\"";
        for statement in statements(text, Dialect::Llvm) {
            let first = match statement.first {
                First::None => None,
                First::Assigned(name) | First::Word(name) => Some(name),
            };
            for name in statement.labels.iter().copied().chain(first) {
                if !text[statement.range()].contains("/*") {
                    assert_eq!(text[name], *statement.slice(name));
                }
                assert!(statement.range().contains_range(name), "{statement:?}");
            }
        }
        assert_eq!(words(text).len(), 5);
    }
}
