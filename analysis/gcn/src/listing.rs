//! Assembly text as statements: labels, directives, assignments, instructions.
//!
//! The line syntax of the LLVM assembler, which the compiler's output and most
//! files are written in. Comments begin with `;` or `//`, with `#` at the start
//! of a line, or stand between `/*` and `*/`. Nothing is judged here: every text
//! has statements.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use source::{TextRange, TextSize};

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
    Statements { text, line_start: 0, line: Cow::Borrowed(""), done: 0, base: 0, in_comment: false }
}

/// Goes through the statements of a text.
#[derive(Debug)]
pub struct Statements<'a> {
    text: &'a str,
    /// The start of the next line.
    line_start: usize,
    /// The line at hand up to its comment, and how much of it is done.
    line: Cow<'a, str>,
    done: usize,
    /// The start of the line at hand.
    base: usize,
    in_comment: bool,
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        loop {
            let rest = &self.line[self.done..];
            let code = rest.trim_ascii_start();
            self.done += rest.len() - code.len();
            if !code.is_empty() {
                return Some(self.take_statement());
            }
            if self.line_start >= self.text.len() {
                return None;
            }
            self.next_line();
        }
    }
}

impl<'a> Statements<'a> {
    fn next_line(&mut self) {
        let rest = &self.text[self.line_start..];
        let length = find(rest, |byte| matches!(byte, b'\n' | b'\r'));
        self.base = self.line_start;
        self.line_start += (length + 1).min(rest.len());
        self.line = without_comments(&rest[..length], &mut self.in_comment);
        self.done = 0;
    }

    /// The statement at `done`, which is no blank.
    fn take_statement(&mut self) -> Statement<'a> {
        let start = self.done;
        let code = &self.line[start..];
        let (kind, name, rest, end) = split(code);
        let (name, rest, end) =
            ((start, start + name), (start + rest.0, start + rest.1), start + end);
        self.done = end;
        let part = |(from, to): (usize, usize)| match &self.line {
            Cow::Borrowed(line) => Cow::Borrowed(&line[from..to]),
            Cow::Owned(line) => Cow::Owned(line[from..to].to_owned()),
        };
        let range =
            |from: usize, to: usize| TextRange::new(self.offset(from), self.offset(to.max(from)));
        Statement {
            kind,
            name: part(name),
            name_range: range(name.0, name.1),
            rest: part(rest),
            range: range(start, if rest.1 > rest.0 { rest.1 } else { end }),
        }
    }

    fn offset(&self, within: usize) -> TextSize {
        TextSize::new(u32::try_from(self.base + within).unwrap_or(u32::MAX))
    }
}

/// The kind of the statement at the start of `code`, the length of its name, the
/// bounds of what follows, and where the statement ends.
fn split(code: &str) -> (StatementKind, usize, (usize, usize), usize) {
    let name = find(code, |byte| !is_symbol(byte));
    let next = code[name..].trim_ascii_start();
    let after = code.len() - next.len();
    if name > 0 && next.starts_with(':') && !next.starts_with("::") {
        return (StatementKind::Label, name, (after + 1, after + 1), after + 1);
    }
    let end = code.trim_ascii_end().len();
    if name > 0 && next.starts_with('=') && !next.starts_with("==") {
        let value = code.len() - next[1..].trim_ascii_start().len();
        return (StatementKind::Assignment, name, (value.min(end), end), code.len());
    }
    // A word that no symbol begins is a name too: the statement must go somewhere.
    let name = if name > 0 { name } else { find(code, |byte| byte.is_ascii_whitespace()) };
    let from = code.len() - code[name..].trim_ascii_start().len();
    let kind =
        if code.starts_with('.') { StatementKind::Directive } else { StatementKind::Instruction };
    (kind, name.min(end), (from.min(end), end), code.len())
}

/// The first byte that answers yes, or the end. Only ASCII may be asked for.
fn find(text: &str, wanted: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(wanted).unwrap_or(text.len())
}

/// Bytes of other alphabets count as letters: no name is cut within a character.
fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || !byte.is_ascii()
        || matches!(byte, b'_' | b'.' | b'$' | b'@' | b'\\')
}

/// A line up to its comment; comments that end within it become blanks, so that
/// columns stay. `in_comment` carries `/*` from line to line.
fn without_comments<'a>(line: &'a str, in_comment: &mut bool) -> Cow<'a, str> {
    let bytes = line.as_bytes();
    let mut blanked: Option<Vec<u8>> = None;
    let mut in_string = false;
    let mut at = 0;
    let mut end = bytes.len();
    while at < bytes.len() {
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied();
        if *in_comment {
            let copy = blanked.get_or_insert_with(|| bytes.to_vec());
            let width = if byte == b'*' && next == Some(b'/') { 2 } else { 1 };
            *in_comment = width == 1;
            copy[at..at + width].fill(b' ');
            at += width;
        } else if in_string {
            in_string = byte != b'"';
            at += if byte == b'\\' { 2 } else { 1 };
        } else if byte == b'/' && next == Some(b'*') {
            *in_comment = true;
            blanked.get_or_insert_with(|| bytes.to_vec())[at..at + 2].fill(b' ');
            at += 2;
        } else if byte == b';'
            || (byte == b'/' && next == Some(b'/'))
            || (byte == b'#' && line[..at].trim_ascii_start().is_empty())
        {
            end = at;
            break;
        } else {
            in_string = byte == b'"';
            at += 1;
        }
    }
    match blanked {
        None => Cow::Borrowed(&line[..end]),
        // Whole comments were blanked byte by byte: what is left is UTF-8.
        Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes[..end]).into_owned()),
    }
}

/// A kernel or label of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: OutlineKind,
    /// From the name to the next item of its kind.
    pub range: TextRange,
    /// The name.
    pub selection: TextRange,
    /// A kernel's labels.
    pub children: Vec<OutlineItem>,
}

/// The kinds of entries of an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    /// A shader, kernel or function: a symbol that a directive declares as one.
    Kernel,
    /// Any other label.
    Label,
}

/// The kernels of a file, with their labels; labels before any kernel stand beside them.
pub fn outline(text: &str) -> Vec<OutlineItem> {
    let declared = declared_kernels(text);
    let end = TextSize::new(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let mut outline: Vec<OutlineItem> = Vec::new();
    for statement in statements(text) {
        let directive = statement.kind == StatementKind::Directive;
        let opens = directive && statement.name.eq_ignore_ascii_case(".kernel");
        if statement.kind != StatementKind::Label && !opens {
            continue;
        }
        let name = if opens { first_word(&statement.rest) } else { &*statement.name };
        let is_kernel = opens || declared.contains(name);
        let item = OutlineItem {
            name: name.to_owned(),
            kind: if is_kernel { OutlineKind::Kernel } else { OutlineKind::Label },
            range: TextRange::new(statement.range.start(), end),
            selection: statement.name_range,
            children: Vec::new(),
        };
        let start = item.range.start();
        let kernel = outline.last_mut().filter(|last| last.kind == OutlineKind::Kernel);
        match kernel {
            Some(kernel) if !is_kernel => push(&mut kernel.children, item),
            Some(kernel) => {
                close(&mut kernel.children, start);
                push(&mut outline, item);
            }
            None => push(&mut outline, item),
        }
    }
    outline
}

/// Appends an item; the one before it ends where it begins.
fn push(items: &mut Vec<OutlineItem>, item: OutlineItem) {
    close(items, item.range.start());
    items.push(item);
}

fn close(items: &mut [OutlineItem], end: TextSize) {
    if let Some(last) = items.last_mut() {
        last.range = TextRange::new(last.range.start(), end);
    }
}

/// The symbols that directives call functions or kernels.
fn declared_kernels(text: &str) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    for statement in statements(text).filter(|it| it.kind == StatementKind::Directive) {
        match &*statement.name {
            ".amdhsa_kernel" | ".amdgpu_hsa_kernel" => {}
            ".type" if statement.rest.contains("function") => {}
            ".type" if statement.rest.contains("STT_AMDGPU_HSA_KERNEL") => {}
            _ => continue,
        }
        names.insert(first_word(&statement.rest).to_owned());
    }
    names
}

fn first_word(arguments: &str) -> &str {
    arguments.split([',', ' ', '\t']).next().unwrap_or_default()
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
                "Instruction s_nop|",
                "Instruction s_nop|1",
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

    #[test]
    fn an_outline_of_kernels_and_labels() {
        let text = "before:\n.type main,@function\nmain:\n s_nop 0\nBB0_1:\n s_endpgm\n.kernel other\nx:\n";
        let found = outline(text);
        let names: Vec<&str> = found.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["before", "main", "other"]);
        assert_eq!(found[1].kind, OutlineKind::Kernel);
        assert_eq!(found[1].children[0].name, "BB0_1");
        assert_eq!(&text[found[1].range], "main:\n s_nop 0\nBB0_1:\n s_endpgm\n");
        assert_eq!(&text[found[1].children[0].range], "BB0_1:\n s_endpgm\n");
        assert_eq!(found[2].children[0].name, "x");
    }
}
