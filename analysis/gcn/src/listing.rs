//! Assembly text as statements: labels, directives, assignments, instructions.
//!
//! The line syntax of the LLVM assembler, which the compiler's output is written in.
//! Nothing is judged here: every text has statements.

use std::borrow::Cow;

use source::TextRange;

use crate::assembler::lines::{Head, Line, head, read_line};
use crate::dialect::Dialect;
use crate::dialect::words::shifted;

/// One statement; the parts are trimmed, comments within them are blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<'a> {
    /// Its kind.
    pub kind: StatementKind,
    /// The label's or symbol's name, the directive with its point, or the mnemonic.
    pub name: Cow<'a, str>,
    /// The place of the name.
    pub name_range: TextRange,
    /// The text behind the name: operands, arguments, the assigned expression.
    pub rest: Cow<'a, str>,
    /// All of it.
    pub range: TextRange,
}

/// The kinds of statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// `name:`
    Label,
    /// `.name arguments`
    Directive,
    /// `name = expression`
    Assignment,
    /// `mnemonic operands`
    Instruction,
}

/// The statements of a text in order. Takes time linear in its length.
pub fn statements(text: &str) -> Statements<'_> {
    Statements { text, line: read_line("", 0, 0, Dialect::Llvm), done: 0 }
}

/// Goes through the statements of a text.
#[derive(Debug)]
pub struct Statements<'a> {
    text: &'a str,
    /// The line at hand, and how much of it is done.
    line: Line<'a>,
    done: usize,
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        loop {
            let end = self.line.text.trim_ascii_end().len();
            match head(&self.line.text, self.done, Dialect::Llvm) {
                Head::Empty if self.line.next >= self.text.len() => return None,
                Head::Empty => {
                    let start = self.line.next;
                    self.line = read_line(self.text, start, self.text.len(), Dialect::Llvm);
                    self.done = 0;
                }
                Head::Label { name, rest } => {
                    self.done = rest;
                    return Some(self.statement(StatementKind::Label, name, (rest, rest)));
                }
                Head::Assignment { name, rest } => {
                    self.done = self.line.text.len();
                    let value = (rest.min(end), end);
                    return Some(self.statement(StatementKind::Assignment, name, value));
                }
                Head::Word { name, rest } => {
                    self.done = self.line.text.len();
                    let kind = match self.line.text.as_bytes()[name.0] {
                        b'.' => StatementKind::Directive,
                        _ => StatementKind::Instruction,
                    };
                    return Some(self.statement(kind, name, (rest.min(end), end)));
                }
            }
        }
    }
}

impl<'a> Statements<'a> {
    /// The statement with a name and what follows it, as bounds in the line.
    fn statement(
        &self,
        kind: StatementKind,
        name: (usize, usize),
        rest: (usize, usize),
    ) -> Statement<'a> {
        let part = |(from, to): (usize, usize)| match &self.line.text {
            Cow::Borrowed(line) => Cow::Borrowed(&line[from..to]),
            Cow::Owned(line) => Cow::Owned(line[from..to].to_owned()),
        };
        let range = |from: usize, to: usize| shifted(self.line.start, from, to);
        Statement {
            kind,
            name: part(name),
            name_range: range(name.0, name.1),
            rest: part(rest),
            range: range(name.0, rest.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let show = |it: Statement<'_>| format!("{:?} {}|{}", it.kind, it.name, it.rest);
        statements(text).map(show).collect()
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
        for statement in statements(text) {
            if !text[statement.range].contains("/*") {
                assert_eq!(text[statement.name_range], *statement.name);
            }
            assert!(statement.range.contains_range(statement.name_range), "{statement:?}");
        }
        assert_eq!(statements(text).count(), 5);
    }
}
