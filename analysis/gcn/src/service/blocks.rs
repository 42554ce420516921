//! Directives that open and close blocks of lines.

use source::TextSize;

use super::View;
use super::statement::{self, Statement};
use crate::assembler::lines::end_of_string;

/// A kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockKind {
    /// The directive that opens it.
    opener: &'static str,
    /// The words that close it.
    closers: &'static [&'static str],
    /// The lines inside.
    pub(crate) content: Content,
}

/// Returns the lines inside a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Statements.
    Statements,
    /// Text of another language.
    Text,
}

const fn statements(opener: &'static str, closers: &'static [&'static str]) -> BlockKind {
    BlockKind { opener, closers, content: Content::Statements }
}

const fn text(opener: &'static str, closers: &'static [&'static str]) -> BlockKind {
    BlockKind { opener, closers, content: Content::Text }
}

const BLOCKS: [BlockKind; 12] = [
    statements(".macro", &[".endm", ".endmacro"]),
    statements(".if", &[".endif"]),
    statements(".rept", &[".endr"]),
    statements(".irp", &[".endr"]),
    statements(".for", &[".endr"]),
    statements(".while", &[".endr"]),
    statements(".rep", &[".endr"]),
    statements(".amdhsa_kernel", &[".end_amdhsa_kernel"]),
    statements(".amd_kernel_code_t", &[".end_amd_kernel_code_t"]),
    text(".amdgpu_metadata", &[".end_amdgpu_metadata"]),
    text(".amd_amdgpu_hsa_metadata", &[".end_amd_amdgpu_hsa_metadata"]),
    statements(".scope", &[".ends", ".endscope"]),
];

impl BlockKind {
    /// The kind of block that a directive in lower case opens.
    pub(crate) fn opened_by(name: &str) -> Option<BlockKind> {
        let opens = |block: &&BlockKind| match block.opener {
            // `.ifdef`, `.ifeq` and so on.
            ".if" => name.starts_with(".if"),
            ".irp" => name == ".irp" || name == ".irpc",
            opener => name == opener,
        };
        BLOCKS.iter().find(opens).copied()
    }

    /// Tells whether a directive in lower case closes such a block.
    pub(crate) fn is_closed_by(&self, name: &str) -> bool {
        self.closers.contains(&name)
    }

    /// Tells whether a directive in lower case begins another part of such a block.
    pub(crate) fn is_divided_by(&self, name: &str) -> bool {
        self.opener == ".if" && name.starts_with(".else")
    }
}

/// The blocks that are open, the outermost first, each with what its reader keeps of it.
#[derive(Debug)]
pub(crate) struct OpenBlocks<T> {
    open: Vec<(BlockKind, T)>,
    /// The number of open blocks of each kind.
    counts: [usize; BLOCKS.len()],
}

impl<T> OpenBlocks<T> {
    /// Returns none.
    pub(crate) fn new() -> OpenBlocks<T> {
        OpenBlocks { open: Vec::new(), counts: [0; BLOCKS.len()] }
    }

    /// The innermost.
    pub(crate) fn last(&self) -> Option<&(BlockKind, T)> {
        self.open.last()
    }

    /// Opens one within the innermost.
    pub(crate) fn push(&mut self, kind: BlockKind, kept: T) {
        self.count(kind, |count| count + 1);
        self.open.push((kind, kept));
    }

    /// Closes the innermost that a directive in lower case closes, with all within it.
    pub(crate) fn close(&mut self, name: &str) -> Option<T> {
        let is_open = |(kind, count): (&BlockKind, &usize)| *count > 0 && kind.is_closed_by(name);
        // What closes nothing must not look at all that is open.
        if !BLOCKS.iter().zip(&self.counts).any(is_open) {
            return None;
        }
        while let Some((kind, kept)) = self.open.pop() {
            self.count(kind, |count| count - 1);
            if kind.is_closed_by(name) {
                return Some(kept);
            }
        }
        None
    }

    fn count(&mut self, kind: BlockKind, change: fn(usize) -> usize) {
        if let Some(place) = BLOCKS.iter().position(|block| *block == kind) {
            self.counts[place] = change(self.counts[place]);
        }
    }
}

/// The block of text of another language that is open while statements are gone through.
#[derive(Debug, Default)]
pub(crate) struct TextBlock(Option<BlockKind>);

impl TextBlock {
    /// Goes past a statement. Returns whether it is a line of such a text.
    pub(crate) fn holds(&mut self, statement: &Statement<'_>) -> bool {
        let word = statement.word().to_ascii_lowercase();
        match self.0 {
            Some(open) if open.is_closed_by(&word) => self.0 = None,
            Some(_) => return true,
            None => {
                self.0 = BlockKind::opened_by(&word).filter(|it| it.content == Content::Text);
            }
        }
        false
    }
}

/// Tells whether a place is in a comment, in quotes or in text of another language, where no
/// word is one of ours.
pub(crate) fn is_foreign(view: View<'_>, offset: TextSize) -> bool {
    let (text, dialect) = (view.text(), view.program.expansion.dialect);
    let mut block = TextBlock::default();
    for statement in statement::statements_from(text, view.line_near(offset), dialect) {
        let is_text = block.holds(&statement);
        let end = statement.start() + statement.length();
        if usize::from(offset) <= end {
            let line = text.get(statement.start()..).unwrap_or_default();
            return is_text || is_quoted(line, usize::from(offset) - statement.start());
        }
    }
    false
}

/// Tells whether a place in a statement is within quotes or a comment that stands in it. One
/// that does not end is typed in at its end.
fn is_quoted(line: &str, place: usize) -> bool {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < place {
        let (end, is_closed) = match bytes[at] {
            b'"' => {
                let end = end_of_string(bytes, at);
                (end, end > at + 1 && bytes[end - 1] == b'"')
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => match line[at + 2..].find("*/") {
                Some(length) => (at + 2 + length + 2, true),
                None => (bytes.len(), false),
            },
            _ => (at + 1, true),
        };
        if place < end || (place == end && !is_closed) {
            return true;
        }
        at = end;
    }
    false
}
