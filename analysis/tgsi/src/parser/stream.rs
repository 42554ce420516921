//! The tokens that the grammar sees, with what it must know of the white
//! space between them.

use source::{TextRange, TextSize};

use crate::lexer::{Lexer, TokenKind, is_word};

/// The space between a token and the one before it.
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
pub(super) struct TokenSpan {
    pub(super) kind: TokenKind,
    pub(super) gap: Gap,
    start: u32,
    end: u32,
}

impl TokenSpan {
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

impl OddTrivia {
    /// Forgets what stands behind a place, from which the text is scanned again.
    fn forget_from(&mut self, place: TextSize) {
        for ranges in [&mut self.comments, &mut self.unclosed_comments, &mut self.white_space] {
            ranges.truncate(ranges.partition_point(|range| range.start() < place));
        }
    }
}

/// The number of tokens that the parser may look at beyond the next one.
const LOOKAHEAD: usize = 4;

/// Room for the tokens scanned and not taken, and the last one taken.
const ROOM: usize = 8;

const _: () = assert!(ROOM.is_power_of_two() && LOOKAHEAD + 2 <= ROOM);

/// Fills the places that hold no token.
const NO_TOKEN: TokenSpan =
    TokenSpan { kind: TokenKind::Unknown, gap: Gap::None, start: 0, end: 0 };

/// The tokens of a region, and a place among them.
///
/// They are scanned as they are taken, a few ahead: a vector of them all would
/// be several times as large as the text and is read only once.
pub(super) struct Stream<'a> {
    pub(super) text: &'a str,
    lexer: Lexer<'a>,
    checkpoint: source::Checkpoint<'a>,
    /// The odd trivia between the tokens that were taken.
    pub(super) odd: OddTrivia,
    /// The last scanned tokens, the n-th at n modulo [`ROOM`].
    items: [TokenSpan; ROOM],
    /// The number of tokens that were scanned.
    scanned: usize,
    /// The number of tokens that were taken.
    position: usize,
    /// The last of the lines that were read without tokens, and the place of the next token; `None`
    /// where tokens are scanned.
    passed: Option<(TextRange, TextSize)>,
    /// Set where lines end as only the grammar knows, so that none is tried without it.
    has_odd_lines: bool,
}

impl<'a> Stream<'a> {
    /// The stream at the first token. Calls `checkpoint` now and then.
    pub(super) fn new(text: &'a str, checkpoint: source::Checkpoint<'a>) -> Stream<'a> {
        let mut stream = Stream {
            text,
            lexer: Lexer::new(text),
            checkpoint,
            odd: OddTrivia::default(),
            items: [NO_TOKEN; ROOM],
            scanned: 0,
            position: 0,
            passed: None,
            has_odd_lines: text
                .lines()
                .next()
                .is_some_and(|line| text[line.len()..].starts_with('\r')),
        };
        for _ in 0..=LOOKAHEAD {
            stream.scan();
        }
        stream
    }

    /// The place of the next token, where it begins a line that may be passed.
    #[inline]
    pub(super) fn line_start(&self) -> Option<TextSize> {
        if self.has_odd_lines {
            return None;
        }
        match self.passed {
            Some((_, next)) => Some(next),
            None => self.peek().filter(|next| next.gap == Gap::Line).map(TokenSpan::start),
        }
    }

    /// Goes on behind a line that was read without tokens, at the place of the next token, which
    /// begins a line too. No token is scanned before [`wake`](Self::wake).
    #[inline]
    pub(super) fn pass(&mut self, line: TextRange, next: TextSize) {
        self.passed = Some((line, next));
    }

    /// Scans tokens again behind the lines that were passed.
    pub(super) fn wake(&mut self) {
        let Some((line, next)) = self.passed.take() else { return };
        self.odd.forget_from(next);
        self.lexer.restart(next);
        self.items[self.position % ROOM] = self.last_token(line);
        self.position += 1;
        self.scanned = self.position;
        for _ in 0..=LOOKAHEAD {
            self.scan();
        }
        self.items[self.position % ROOM].gap = Gap::Line;
    }

    /// The last token of a line that ends in one.
    fn last_token(&self, line: TextRange) -> TokenSpan {
        let text = self.text[line].bytes();
        let word = text.rev().take_while(|byte| is_word(*byte)).count();
        let start = line.end() - TextSize::new(word.max(1) as u32);
        let range = TextRange::new(start, line.end());
        let kind = Lexer::new(&self.text[range]).next().map_or(TokenKind::Unknown, |it| it.0);
        TokenSpan { kind, gap: Gap::None, start: start.into(), end: line.end().into() }
    }

    /// Takes all tokens.
    pub(super) fn skip_all(&mut self) {
        while self.next().is_some() {}
    }

    /// Scans one more token, if there is one.
    #[inline]
    fn scan(&mut self) {
        let mut gap = Gap::None;
        while let Some((kind, range)) = self.lexer.next() {
            match kind {
                TokenKind::Blank => gap = gap.max(Gap::Blank),
                TokenKind::Newline => gap = Gap::Line,
                _ if kind.is_trivia() => gap = gap.max(self.odd(kind, range)),
                _ => {
                    let (start, end) = (range.start().into(), range.end().into());
                    self.items[self.scanned % ROOM] = TokenSpan { kind, gap, start, end };
                    self.scanned += 1;
                    if self.scanned.is_multiple_of(0x1_0000) {
                        (self.checkpoint)();
                    }
                    return;
                }
            }
        }
    }

    /// Notes a comment or odd white space. Returns what it parts.
    #[cold]
    fn odd(&mut self, kind: TokenKind, range: TextRange) -> Gap {
        match kind {
            TokenKind::OddNewline => {
                self.odd.white_space.push(range);
                Gap::Line
            }
            TokenKind::LineComment => {
                self.odd.comments.push(range);
                Gap::Blank
            }
            TokenKind::UnclosedComment => {
                self.odd.unclosed_comments.push(range);
                Gap::Blank
            }
            TokenKind::BlockComment => {
                self.odd.comments.push(range);
                let lines = self.text[range].contains(['\n', '\r']);
                if lines { Gap::Line } else { Gap::Blank }
            }
            _ => {
                self.odd.white_space.push(range);
                Gap::Blank
            }
        }
    }

    /// The next token.
    #[inline]
    pub(super) fn peek(&self) -> Option<TokenSpan> {
        self.peek_at(0)
    }

    /// The token `ahead` places after the next one; at most [`LOOKAHEAD`].
    #[inline]
    pub(super) fn peek_at(&self, ahead: usize) -> Option<TokenSpan> {
        debug_assert!(ahead <= LOOKAHEAD);
        let place = self.position + ahead;
        (place < self.scanned).then(|| self.items[place % ROOM])
    }

    /// Tells whether the next token is of this kind.
    #[inline]
    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.peek().is_some_and(|item| item.kind == kind)
    }

    /// Takes the next token.
    #[inline]
    pub(super) fn next(&mut self) -> Option<TokenSpan> {
        let item = self.peek()?;
        self.position += 1;
        self.scan();
        Some(item)
    }

    /// Takes the next token if it is of this kind.
    #[inline]
    pub(super) fn eat(&mut self, kind: TokenKind) -> Option<TokenSpan> {
        if self.at(kind) { self.next() } else { None }
    }

    /// Returns where among the tokens the next one is.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The last token taken.
    #[inline]
    pub(super) fn last(&self) -> Option<TokenSpan> {
        let place = self.position.checked_sub(1)?;
        Some(self.items[place % ROOM])
    }

    /// The end of the last token taken.
    pub(super) fn last_end(&self) -> TextSize {
        self.last().map_or(TextSize::new(0), |item| item.range().end())
    }

    /// The characters of a token.
    #[inline]
    pub(super) fn word(&self, item: TokenSpan) -> &'a str {
        &self.text[item.start as usize..item.end as usize]
    }
}
