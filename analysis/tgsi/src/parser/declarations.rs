//! `DCL FILE[dimension][range].mask, attributes…`

use source::{Severity, TextRange};

use super::repairs::repair;
use super::{Parser, Result, quote};
use crate::ast::{Declaration, IndexRange, Spanned, StatementKind};
use crate::codes;
use crate::lexer::TokenKind;
use crate::vocabulary;
use crate::words::{File, Stage};

impl Parser<'_> {
    /// Reads a declaration. `None` where not even its registers were
    /// understood; that is reported.
    pub(super) fn declaration(&mut self) -> Option<StatementKind> {
        self.stream.next();
        let mut declaration = self.declared_registers().ok()?;
        // Attributes read before an error stay in the declaration.
        let _ = self.declaration_tail(&mut declaration);
        Some(StatementKind::Declaration(declaration))
    }

    fn declared_registers(&mut self) -> Result<Declaration> {
        let file = self.declared_file()?;
        let (first, bracket) = self.bracket()?;
        let mut dimension = None;
        let mut range = first;
        let mut place = bracket;
        if self.stream.at(TokenKind::LeftBracket) {
            dimension = Some(first.map(|value| Spanned { value, range: bracket }));
            if first.is_none() && !self.implies_dimension(file.value) {
                let message = self.empty_dimension_message(file.value);
                self.report.error(codes::EMPTY_BRACKET, bracket, || message);
            }
            (range, place) = self.bracket()?;
        }
        let Some(range) = range else {
            let message = "expected a register number between the brackets";
            return Err(self.report.error(codes::EMPTY_BRACKET, place, || message));
        };
        let range = Spanned { value: range, range: place };
        Ok(Declaration { file, dimension, range, ..Declaration::default() })
    }

    fn declared_file(&mut self) -> Result<Spanned<File>> {
        let item = self.stream.peek().filter(|item| item.kind == TokenKind::Word && !self.at_end());
        let Some(item) = item else {
            return Err(self.expected(codes::UNKNOWN_FILE, "a register file such as `TEMP`"));
        };
        let word = self.stream.word(item);
        let Some(value) = vocabulary::file(word) else {
            if let Some(fix) = self.glued_number(item) {
                let message = || format!("unknown register file {}", quote(word));
                let range = item.range();
                return Err(self.report.error_with(codes::UNKNOWN_FILE, range, message, Some(fix)));
            }
            return Err(self.report.unknown_word(
                codes::UNKNOWN_FILE,
                item.range(),
                || format!("unknown register file {}", quote(word)),
                || vocabulary::meant("file", word, File::ALL.iter().map(|file| file.word())),
            ));
        };
        self.stream.next();
        self.note_historic_file(value, item.range());
        Ok(Spanned { value, range: item.range() })
    }

    /// Tells whether the first bracket of a declaration may be empty here.
    pub(super) fn implies_dimension(&self, file: File) -> bool {
        match (self.stage, file) {
            (Stage::Geometry, File::Input | File::Output) => self.input_size_known,
            (
                Stage::TessellationControl | Stage::TessellationEvaluation,
                File::Input | File::Output,
            ) => true,
            _ => false,
        }
    }

    fn empty_dimension_message(&self, file: File) -> String {
        if self.stage == Stage::Geometry && matches!(file, File::Input | File::Output) {
            "the size of `[]` is that of the primitive: `PROPERTY GS_INPUT_PRIMITIVE` must come before"
                .to_owned()
        } else {
            format!("nothing implies a size for `[]` of {file} in a {} shader", self.stage)
        }
    }

    /// `[3]`, `[0..7]`, `[]`, and where the inside stands.
    fn bracket(&mut self) -> Result<(Option<IndexRange>, TextRange)> {
        if let Some(fix) = self.other_brackets() {
            let what = "`[` and a register number";
            return Err(self.expected_with(codes::MISSING_SIGN, what, Some(fix)));
        }
        let open = self.sign(TokenKind::LeftBracket, "`[` and a register number")?;
        if let Some(close) = self.stream.eat(TokenKind::RightBracket) {
            return Ok((None, TextRange::new(open.start(), close.range().end())));
        }
        let item = self.numeral(codes::BAD_INDEX, "a register number")?;
        let first = self.register_number(item);
        let mut last = first;
        if let Some(fix) = self.other_range(item) {
            let what = "`..` between the first and the last register";
            return Err(self.expected_with(codes::MISSING_SIGN, what, Some(fix)));
        }
        if self.stream.eat(TokenKind::DotDot).is_some() {
            let item = self.numeral(codes::BAD_INDEX, "the last register number")?;
            last = self.register_number(item);
        }
        let range = TextRange::new(item.start(), self.stream.last_end());
        if last < first {
            let fix = repair(format!("Write `{last}..{first}`"), range, format!("{last}..{first}"));
            let message = || format!("the range ends before it begins: write `{last}..{first}`");
            return Err(self.report.error_with(codes::REVERSED_RANGE, range, message, fix));
        }
        self.sign(TokenKind::RightBracket, "`]`")?;
        Ok((Some(IndexRange { first, last }), range))
    }

    fn declaration_tail(&mut self, declaration: &mut Declaration) -> Result<()> {
        if let Some((value, range)) = self.mask()? {
            declaration.mask = Some(Spanned { value, range });
        }
        if declaration.file.value == File::ImmediateArray && self.stream.at(TokenKind::LeftBrace) {
            return self.initializers(declaration);
        }
        self.attributes(declaration)
    }

    /// `{{ 0.5, 0.4, 0.6, 1.0 }, …}` of the historic `IMMX`.
    fn initializers(&mut self, declaration: &mut Declaration) -> Result<()> {
        self.sign(TokenKind::LeftBrace, "`{`")?;
        loop {
            let bits = self.float_group()?;
            declaration.initializers.push(bits);
            if self.stream.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.sign(TokenKind::RightBrace, "`}`")?;
        Ok(())
    }

    /// Notes a value that its field in the token format cuts off.
    pub(super) fn note_large_value(&mut self, range: TextRange, bits: u32) {
        self.report.note((codes::LARGE_VALUE, Severity::Warning, ""), range, || {
            format!("the token format has {bits} bits for this number, it is cut off")
        });
    }
}
