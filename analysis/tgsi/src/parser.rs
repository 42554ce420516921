//! Tokens to statements. Parsing never fails: it returns what was understood
//! and what was wrong.
//!
//! The parser accepts the union of what the reference parsers of all years
//! read, and names what only some of them read in a hint. A statement gets at
//! most one error; after it the parser goes on at the next statement. It never
//! recurses on input and looks ahead only a few tokens, so its time is linear.

mod attributes;
mod declarations;
mod historic;
mod immediates;
mod instructions;
mod lone_lines;
mod opcode_words;
mod operands;
mod plain;
mod properties;
mod readings;
mod repairs;
mod rewrites;
mod stream;
#[cfg(test)]
mod tests;
mod trivia;
mod unread;

use source::{Code, Diagnostic, Fix, TextEdit, TextRange, TextSize};

use crate::ast::{HistoricForm, Shader, Spanned, Statement, StatementKind, Unread};
use crate::codes;
use crate::lexer::TokenKind;
use crate::opcodes::OpInfo;
use crate::report::{Failed, Report};
use crate::vocabulary;
use crate::words::{File, Stage};
pub(crate) use repairs::Shape;
use stream::{Gap, Stream, TokenSpan};

/// A parsed shader and what is wrong with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parse {
    /// The program; `None` where the text has no header.
    pub shader: Option<Shader>,
    /// Errors and hints, in order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses the text of one region, which begins at its header. Calls
/// `checkpoint` every few thousand tokens.
pub fn parse(text: &str, checkpoint: source::Checkpoint<'_>) -> Parse {
    let (shader, mut report) = read(text, checkpoint);
    if let Some(shader) = &shader {
        lone_lines::repair(text, shader, &mut report);
    }
    Parse { shader, diagnostics: report.finish() }
}

/// Reads a text, line by line.
fn read(text: &str, checkpoint: source::Checkpoint<'_>) -> (Option<Shader>, Report) {
    read_with(text, checkpoint, |parser| parser.plain_statement())
}

/// Reads a text. Statements that `plain` does not take are read by the grammar.
fn read_with(
    text: &str,
    checkpoint: source::Checkpoint<'_>,
    plain: impl Fn(&mut Parser<'_>) -> bool,
) -> (Option<Shader>, Report) {
    checkpoint();
    let mut parser = Parser::new(text, checkpoint);
    let stage = parser.header();
    if stage.is_none() {
        // Nothing can be read without a header.
        parser.stream.skip_all();
    }
    loop {
        if parser.statements.len().is_multiple_of(1024) {
            checkpoint();
        }
        if plain(&mut parser) {
            continue;
        }
        let Some(item) = parser.stream.peek() else { break };
        parser.statement(item);
    }
    trivia::report(text, &parser.stream.odd, &mut parser.report);
    // Nobody knows how much such a comment should have held.
    let unclosed = &parser.stream.odd.unclosed_comments;
    parser.unread.extend(unclosed.iter().map(|range| Unread::anything(*range)));
    parser.unread.sort_by_key(|unread| unread.range.start());
    let mut statements = parser.statements;
    if statements.capacity() > statements.len() / 4 * 5 {
        // They are kept as long as the document is.
        statements.shrink_to_fit();
    }
    let shader = stage.map(|stage| Shader { stage, statements, unread: parser.unread });
    (shader, parser.report)
}

/// The most statements that room is made for before they come.
const MOST_RESERVED: usize = 1 << 14;

type Result<T> = std::result::Result<T, Failed>;

struct Parser<'a> {
    stream: Stream<'a>,
    report: Report,
    stage: Stage,
    /// The place behind the header.
    header_end: TextSize,
    statements: Vec<Statement>,
    /// The effects of the broken ones.
    unread: Vec<Unread>,
    /// The registers that statements declare, as far as a broken one asked for them.
    declared: unread::Declared,
    /// The number of instructions that were read.
    ordinal: u32,
    /// The number that the next immediate must have.
    immediates: u32,
    /// Set where `GS_INPUT_PRIMITIVE` was seen, which `IN[]` of a geometry shader takes its size
    /// from.
    input_size_known: bool,
    /// The opcode whose operands are read.
    row: Option<&'static OpInfo>,
    /// The number of the operand that is read, destinations counted first.
    operand: usize,
    /// The historic forms in the operands of the instruction.
    historic: Vec<HistoricForm>,
    /// Set where a statement was not understood, so that numbers may be off.
    missed: bool,
}

impl<'a> Parser<'a> {
    /// Stands before the first token of a text.
    fn new(text: &'a str, checkpoint: source::Checkpoint<'a>) -> Parser<'a> {
        // Nearly all statements have a line of their own.
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        Parser {
            stream: Stream::new(text, checkpoint),
            report: Report::default(),
            stage: Stage::Vertex,
            header_end: TextSize::new(0),
            statements: Vec::with_capacity(lines.min(MOST_RESERVED)),
            unread: Vec::new(),
            declared: unread::Declared::default(),
            ordinal: 0,
            immediates: 0,
            row: None,
            operand: 0,
            historic: Vec::new(),
            input_size_known: false,
            missed: false,
        }
    }
}

impl Parser<'_> {
    /// Reads `FRAG`, or the historic `FRAG1.1`.
    fn header(&mut self) -> Option<Spanned<Stage>> {
        let Some(item) = self.stream.next() else {
            let range = TextRange::empty(TextSize::new(0));
            self.report.error(codes::MISSING_HEADER, range, || {
                "the text is empty; a shader begins with `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, \
                 `TESS_EVAL` or `COMP`"
            });
            return None;
        };
        let word = self.stream.word(item);
        let Some((stage, version)) = vocabulary::header(word) else {
            self.report.unknown_word(
                codes::MISSING_HEADER,
                item.range(),
                || format!("expected a header such as `FRAG`, found {}", quote(word)),
                || vocabulary::meant("header", word, Stage::ALL.iter().map(|stage| stage.word())),
            );
            return None;
        };
        self.stage = stage;
        let mut range = item.range();
        if !version.is_empty() {
            let mut known = false;
            if self.stream.eat(TokenKind::Dot).is_some()
                && let Some(minor) = self.stream.eat(TokenKind::Number)
            {
                known = version == "1" && self.stream.word(minor) == "1";
            }
            range = TextRange::new(item.start(), self.stream.last_end());
            if known {
                let edit = TextEdit::replace(range, stage.word());
                self.report.lenient(
                    codes::HISTORIC_HEADER,
                    range,
                    || {
                        let message = format!(
                            "headers have no version since 2009: today this is `{}`",
                            stage.word()
                        );
                        (message, format!("Write `{}`", stage.word()))
                    },
                    Some(edit),
                );
            } else {
                let edit = TextEdit::replace(range, stage.word());
                self.report.error_with_fix(
                    codes::BAD_HEADER,
                    range,
                    || format!("no reader knows this version of the header; write `{stage}`"),
                    || (format!("Write `{stage}`"), edit),
                );
            }
        }
        if let Some(next) = self.stream.peek()
            && next.gap == Gap::None
        {
            let fix = self.without_next();
            let found = quote(self.stream.word(next));
            self.report.error_with(
                codes::BAD_HEADER,
                next.range(),
                || format!("only white space may follow the header `{stage}`, found {found}"),
                fix,
            );
            self.recover();
        }
        self.header_end = range.end();
        Some(Spanned { value: stage, range })
    }

    /// Reads one statement, which begins at `item`, and pushes it.
    fn statement(&mut self, item: TokenSpan) {
        self.report.broken = false;
        let counted = (self.missed, self.immediates);
        let before = self.stream.position();
        let kind = self.statement_kind(item);
        if !self.report.broken {
            self.finish_statement(&kind);
        }
        let broken = self.report.broken;
        if broken {
            if self.stream.position() == before {
                self.stream.next();
            }
            self.recover();
        }
        let range = TextRange::new(item.start(), self.stream.last_end());
        // What was not understood may have been a property or an immediate.
        let known = match &kind {
            // `DCL IMM[0] FLT32 {…}`
            StatementKind::Declaration(it) => it.file.value != File::Immediate,
            StatementKind::Immediate(_) => true,
            _ => false,
        };
        if broken && (!known || self.stream.text[range].contains('\n')) {
            self.missed = true;
            self.input_size_known = true;
        }
        if broken {
            self.note_unread(range, &kind);
            self.count_meant(range, &kind, counted);
        }
        self.statements.push(Statement { range, broken, kind });
    }

    /// Counts what a broken statement must have been meant as, where it was read as nothing: before
    /// it statements were missed or not, and there were so many immediates.
    fn count_meant(&mut self, range: TextRange, kind: &StatementKind, counted: (bool, u32)) {
        let last = self.unread.last().filter(|it| it.range == range);
        let Some(meant) = last.and_then(|it| it.meant.as_deref()) else { return };
        if *kind == StatementKind::Unknown {
            let is_immediate = matches!(meant, StatementKind::Immediate(_));
            self.missed = counted.0;
            self.immediates = counted.1.saturating_add(u32::from(is_immediate));
        }
    }

    fn statement_kind(&mut self, item: TokenSpan) -> StatementKind {
        let word = self.stream.word(item);
        let kind = match item.kind {
            TokenKind::Word if word.eq_ignore_ascii_case("DCL") => self.declaration(),
            TokenKind::Word if word.eq_ignore_ascii_case("IMM") => self.immediate(),
            TokenKind::Word if word.eq_ignore_ascii_case("PROPERTY") => self.property(),
            TokenKind::Word | TokenKind::Number | TokenKind::LeftParenthesis => {
                self.numbered_instruction(item)
            }
            _ => {
                let fix = repairs::repair(format!("Remove the {}", quote(word)), item.range(), "");
                let alone = self.stream.peek_at(1).is_none_or(|next| next.gap == Gap::Line);
                self.report.error_with(
                    codes::UNEXPECTED_TEXT,
                    item.range(),
                    || format!("expected a statement, found {}", quote(word)),
                    fix.filter(|_| alone),
                );
                None
            }
        };
        kind.unwrap_or(StatementKind::Unknown)
    }

    /// Checks that a complete statement is followed by white space and
    /// something that can begin a statement, or by nothing.
    fn finish_statement(&mut self, kind: &StatementKind) {
        let Some(next) = self.stream.peek() else { return };
        let may_begin = match next.kind {
            TokenKind::Word | TokenKind::Number => true,
            TokenKind::LeftParenthesis => self.starts_statement(0),
            TokenKind::Unknown => next.gap == Gap::Line,
            _ => false,
        };
        let begins = match next.gap {
            Gap::Line => may_begin,
            Gap::Blank => may_begin && self.starts_statement(0),
            Gap::None => false,
        };
        if begins {
            return;
        }
        let found = quote(self.stream.word(next));
        match kind {
            StatementKind::Instruction(instruction) => {
                let row = instruction.info();
                let operand = matches!(next.kind, TokenKind::Comma)
                    || next.kind == TokenKind::Word
                        && vocabulary::file(self.stream.word(next)).is_some();
                if operand {
                    let fix = self.without_rest();
                    self.report.error_with(
                        codes::EXTRA_OPERAND,
                        next.range(),
                        || {
                            let (word, takes) = (row.mnemonic, instructions::operand_words(row));
                            format!("`{word}` takes {takes}; the statement ends before {found}")
                        },
                        fix,
                    );
                    return;
                }
            }
            StatementKind::Declaration(_) if next.kind == TokenKind::LeftBracket => {
                let message = "a register has at most two brackets";
                self.report.error(codes::BAD_INDEX, next.range(), || message);
                return;
            }
            _ => {}
        }
        let surplus = matches!(next.kind, TokenKind::Unknown | TokenKind::Comma)
            || matches!(
                next.kind,
                TokenKind::RightBracket | TokenKind::RightParenthesis | TokenKind::RightBrace
            );
        let fix = if surplus { self.without_next() } else { self.missing_dot() };
        self.report.error_with(
            codes::UNEXPECTED_TEXT,
            next.range(),
            || format!("expected the end of the statement, found {found}"),
            fix,
        );
    }

    /// Skips to where the next statement probably begins.
    fn recover(&mut self) {
        while let Some(item) = self.stream.peek() {
            let begins = match item.gap {
                Gap::None => false,
                Gap::Blank => !self.after_comma() && self.starts_statement(0),
                Gap::Line => self.begins_on_line(item),
            };
            if begins {
                return;
            }
            self.stream.next();
        }
    }

    fn after_comma(&self) -> bool {
        self.stream.last().is_some_and(|item| item.kind == TokenKind::Comma)
    }

    /// Tells whether the first token of a line begins a statement rather than going on with the one
    /// before.
    fn begins_on_line(&self, item: TokenSpan) -> bool {
        if self.starts_statement(0) {
            return true;
        }
        match item.kind {
            TokenKind::Word => {
                let next = self.stream.peek_at(1).map(|next| next.kind);
                !self.after_comma()
                    && !matches!(next, Some(TokenKind::LeftBracket | TokenKind::Comma))
            }
            TokenKind::Unknown => true,
            _ => false,
        }
    }

    /// Tells whether the token `ahead` surely begins a statement.
    fn starts_statement(&self, ahead: usize) -> bool {
        let Some(item) = self.stream.peek_at(ahead) else { return false };
        let kind_at = |more| self.stream.peek_at(ahead + more).map(|item: TokenSpan| item.kind);
        let next = kind_at(1);
        match item.kind {
            TokenKind::Number => next == Some(TokenKind::Colon),
            TokenKind::LeftParenthesis => match self.stream.peek_at(ahead + 1) {
                Some(inner) => {
                    let word = self.stream.word(inner);
                    word.eq_ignore_ascii_case("PRED") || word == "!"
                }
                None => false,
            },
            TokenKind::Word => {
                let word = self.stream.word(item);
                if word.eq_ignore_ascii_case("IMM") {
                    return match next {
                        Some(TokenKind::LeftBracket) => {
                            kind_at(4) == Some(TokenKind::Word)
                                && self.stream.peek_at(ahead + 4).is_some_and(|ty| {
                                    crate::words::ImmediateType::from_word(self.stream.word(ty))
                                        .is_some()
                                })
                        }
                        Some(TokenKind::Word) => true,
                        _ => false,
                    };
                }
                if next == Some(TokenKind::LeftBracket) {
                    return false;
                }
                word.eq_ignore_ascii_case("DCL")
                    || word.eq_ignore_ascii_case("PROPERTY")
                    || vocabulary::opcode(word).is_some()
            }
            _ => false,
        }
    }

    /// Tells whether the statement ends here: nothing follows, or a new one begins on a new line.
    fn at_end(&self) -> bool {
        match self.stream.peek() {
            None => true,
            Some(item) => item.gap == Gap::Line && self.begins_on_line(item),
        }
    }

    /// Returns the next token if it is a word or a number of this statement.
    fn peek_word(&self) -> Option<TokenSpan> {
        let is_word = |kind| matches!(kind, TokenKind::Word | TokenKind::Number);
        self.stream.peek().filter(|item| is_word(item.kind) && !self.at_end())
    }

    /// Returns the next token if it is a word or a number on this line.
    fn peek_word_on_line(&self) -> Option<TokenSpan> {
        let is_word = |kind| matches!(kind, TokenKind::Word | TokenKind::Number);
        self.stream.peek().filter(|item| is_word(item.kind) && item.gap != Gap::Line)
    }

    /// Returns the range that an error belongs to: the next token, or the last one of the
    /// statement if that has ended.
    fn place(&self) -> TextRange {
        match self.stream.peek() {
            Some(item) if !self.at_end() => item.range(),
            _ => self.stream.last().map_or(TextRange::empty(TextSize::new(0)), TokenSpan::range),
        }
    }

    /// Returns what stands at the place of an error, in words.
    fn found(&self) -> String {
        match self.stream.peek() {
            Some(item) if !self.at_end() => quote(self.stream.word(item)),
            _ => "the end of the statement".to_owned(),
        }
    }

    /// Reports "expected …, found …" at the place of the next token.
    #[cold]
    fn expected(&mut self, code: Code, what: &str) -> Failed {
        let (range, found) = (self.place(), self.found());
        self.report.error(code, range, || format!("expected {what}, found {found}"))
    }

    /// Reports "expected …, found …" with a fix, if one is known.
    #[cold]
    fn expected_with(&mut self, code: Code, what: &str, fix: Option<Fix>) -> Failed {
        let (range, found) = (self.place(), self.found());
        self.report.error_with(code, range, || format!("expected {what}, found {found}"), fix)
    }

    /// Takes a sign that must be here.
    #[inline]
    fn sign(&mut self, kind: TokenKind, what: &str) -> Result<TokenSpan> {
        match self.stream.eat(kind) {
            Some(item) => Ok(item),
            None => Err(self.missing_sign(kind, what)),
        }
    }

    /// Reports a sign that is not there.
    #[cold]
    fn missing_sign(&mut self, kind: TokenKind, what: &str) -> Failed {
        let fix = match kind {
            TokenKind::RightBracket => self.unclosed_bracket(),
            TokenKind::Bar => self.inserted("|"),
            TokenKind::RightBrace => self.inserted("}"),
            TokenKind::RightParenthesis => self.inserted(")"),
            _ => None,
        };
        self.expected_with(codes::MISSING_SIGN, what, fix)
    }

    /// Takes a number that must be here.
    #[inline]
    fn numeral(&mut self, code: Code, what: &str) -> Result<TokenSpan> {
        // The number of an instruction on the next line is none of this statement.
        let item = self.stream.peek();
        let item = item.filter(|item| item.kind == TokenKind::Number && !self.at_end());
        if item.is_some() {
            self.stream.next();
        }
        item.ok_or_else(|| self.expected(code, what))
    }

    /// The value of a number token; the largest where it does not fit 32 bits.
    fn number(&self, item: TokenSpan) -> u32 {
        /// So many digits always fit.
        const SHORT: usize = 9;
        let digits = self.stream.word(item).bytes().map(|digit| u32::from(digit - b'0'));
        if digits.len() <= SHORT {
            return digits.fold(0, |value, digit| value * 10 + digit);
        }
        digits.fold(0, |value: u32, digit| value.saturating_mul(10).saturating_add(digit))
    }

    /// The value of a register number; the token format holds 16 bits.
    fn register_number(&mut self, item: TokenSpan) -> u32 {
        let value = self.number(item);
        if value > u32::from(u16::MAX) {
            let message = "register numbers have 16 bits: this one is cut off silently";
            self.report.note(
                (codes::LARGE_INDEX, source::Severity::Warning, ""),
                item.range(),
                || message,
            );
        }
        value
    }

    /// Notes the use of a historic file.
    fn note_historic_file(&mut self, file: File, range: TextRange) {
        let years = match file {
            File::Predicate => "from 2009 to 2017; use `IF` or `UCMP`",
            File::Loop => "from 2009 to 2010; use `TEMP`",
            File::Resource => "from 2011 to 2016; use `SVIEW`, `IMAGE` or `BUFFER`",
            File::ImmediateArray => "from 2010 to 2013; use `CONST` or `TEMP` with `ARRAY`",
            File::TemporaryArray => "from 2010 to 2013; use `TEMP` with `ARRAY`",
            _ => return,
        };
        let kind = (codes::HISTORIC_FILE, source::Severity::Hint, file.word());
        self.report.note(kind, range, || format!("the file `{file}` was in the language {years}"));
    }
}

/// A word between backquotes, shortened and made printable.
fn quote(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = word.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if word.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
