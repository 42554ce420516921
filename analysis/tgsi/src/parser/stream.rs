//! The tokens that the grammar sees, with what it must know of the white
//! space between them.

use text::{TextRange, TextSize};

use crate::lexer::{Lexer, TokenKind};

/// What stands between a token and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// Blanks or comments on the same line.
    Blank,
    /// At least one line end.
    Line,
}

/// A token that is neither white space nor comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) kind: TokenKind,
    pub(super) gap: Gap,
    start: u32,
    end: u32,
}

impl Item {
    pub(super) fn range(self) -> TextRange {
        TextRange::new(TextSize::new(self.start), TextSize::new(self.end))
    }

    pub(super) fn start(self) -> TextSize {
        TextSize::new(self.start)
    }
}

/// White space and comments that the reference parser would refuse.
#[derive(Debug, Default)]
pub(super) struct OddTrivia {
    pub(super) comments: Vec<TextRange>,
    pub(super) unclosed_comments: Vec<TextRange>,
    pub(super) white_space: Vec<TextRange>,
}

/// All tokens of a region, and a place among them.
pub(super) struct Stream<'a> {
    pub(super) text: &'a str,
    items: Vec<Item>,
    position: usize,
}

impl<'a> Stream<'a> {
    /// Scans the text. Calls `checkpoint` now and then.
    pub(super) fn new(text: &'a str, checkpoint: text::Checkpoint<'_>) -> (Stream<'a>, OddTrivia) {
        let mut items = Vec::with_capacity(text.len() / 3 + 1);
        let mut odd = OddTrivia::default();
        let mut gap = Gap::None;
        for (kind, range) in Lexer::new(text) {
            if !kind.is_trivia() {
                let (start, end) = (range.start().into(), range.end().into());
                items.push(Item { kind, gap, start, end });
                gap = Gap::None;
                if items.len().is_multiple_of(0x1_0000) {
                    checkpoint();
                }
                continue;
            }
            match kind {
                TokenKind::Blank => gap = gap.max(Gap::Blank),
                TokenKind::Newline => gap = Gap::Line,
                TokenKind::OddBlank => {
                    gap = gap.max(Gap::Blank);
                    odd.white_space.push(range);
                }
                TokenKind::OddNewline => {
                    gap = Gap::Line;
                    odd.white_space.push(range);
                }
                TokenKind::LineComment => {
                    gap = gap.max(Gap::Blank);
                    odd.comments.push(range);
                }
                TokenKind::UnclosedComment => {
                    gap = gap.max(Gap::Blank);
                    odd.unclosed_comments.push(range);
                }
                TokenKind::BlockComment => {
                    let lines = text[range].contains(['\n', '\r']);
                    gap = gap.max(if lines { Gap::Line } else { Gap::Blank });
                    odd.comments.push(range);
                }
                _ => {}
            }
        }
        (Stream { text, items, position: 0 }, odd)
    }

    /// The next token.
    #[inline]
    pub(super) fn peek(&self) -> Option<Item> {
        self.items.get(self.position).copied()
    }

    /// The token `ahead` places after the next one.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<Item> {
        self.items.get(self.position + ahead).copied()
    }

    /// Whether the next token is of this kind.
    #[inline]
    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.peek().is_some_and(|item| item.kind == kind)
    }

    /// Takes the next token.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Item> {
        let item = self.peek()?;
        self.position += 1;
        Some(item)
    }

    /// Takes the next token if it is of this kind.
    #[inline]
    pub(super) fn eat(&mut self, kind: TokenKind) -> Option<Item> {
        let item = self.peek().filter(|item| item.kind == kind)?;
        self.position += 1;
        Some(item)
    }

    /// Where among the tokens the next one is.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The last token taken.
    pub(super) fn last(&self) -> Option<Item> {
        self.items.get(self.position.checked_sub(1)?).copied()
    }

    /// The end of the last token taken.
    pub(super) fn last_end(&self) -> TextSize {
        self.last().map_or(TextSize::new(0), |item| item.range().end())
    }

    /// The characters of a token.
    #[inline]
    pub(super) fn word(&self, item: Item) -> &'a str {
        &self.text[item.start as usize..item.end as usize]
    }
}
