//! The attributes behind the registers of a declaration: `, ARRAY(1), GENERIC[0], LINEAR`.
//!
//! The reference parser looks for attributes in one fixed order, which depends
//! on the file and the stage. Here each word is matched against those places
//! of the order that are still to come; a word of a place already passed is
//! named as such.

use source::{Severity, TextEdit, TextRange};

use super::repairs::repair;
use super::stream::TokenSpan;
use super::{Failed, Parser, Result, quote};
use crate::ast::{Declaration, ImageType, SamplerViewType, Semantic, Spanned};
use crate::codes;
use crate::formats;
use crate::lexer::TokenKind;
use crate::vocabulary;
use crate::words::{
    File, Interpolation, InterpolationLocation, MemoryKind, ReturnType, SemanticName, Stage,
};

/// The rank of an attribute: its place in the order of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Array,
    /// An attribute of one file: image, sampler view, buffer, memory.
    OfFile,
    Local,
    Semantic,
    Stream,
    Interpolation,
    Location,
    Wrap,
    Invariant,
}

/// The largest array number of the token format.
pub(super) const MAX_ARRAY: u32 = 0x3ff;

/// The largest vertex stream of the token format.
const MAX_STREAM: u32 = 3;

impl Parser<'_> {
    /// Reads the attributes of a declaration.
    pub(super) fn attributes(&mut self, declaration: &mut Declaration) -> Result<()> {
        let start = self.stream.last_end();
        let mut after_array = start;
        let mut passed = None;
        while self.stream.at(TokenKind::Comma) {
            self.stream.next();
            let item = self.peek_word();
            let Some(item) = item else {
                return Err(self.expected(codes::UNKNOWN_ATTRIBUTE, "an attribute after the comma"));
            };
            let rank = self.rank_of(item, declaration.file.value, passed)?;
            self.attribute(item, rank, declaration)?;
            passed = Some(match (rank, declaration.file.value) {
                // Nothing follows what a view or an image is.
                (Rank::OfFile, File::Image | File::SamplerView | File::Resource) => Rank::Invariant,
                (Rank::OfFile, _) => Rank::Semantic,
                (rank, _) => rank,
            });
            if rank == Rank::Array {
                after_array = self.stream.last_end();
            }
        }
        let attributes = TextRange::new(after_array, self.stream.last_end());
        self.note_leniencies(declaration, attributes);
        Ok(())
    }

    /// The rank in the order, behind those that were passed, that a word belongs to.
    fn rank_of(&mut self, item: TokenSpan, file: File, passed: Option<Rank>) -> Result<Rank> {
        let word = self.stream.word(item);
        if let Some(rank) = self.ranks(word, file).find(|rank| Some(*rank) > passed) {
            return Ok(rank);
        }
        let range = item.range();
        if self.ranks(word, file).next().is_some() {
            let message = || {
                format!(
                    "{} comes too late; the order is ARRAY, LOCAL, semantic, STREAM, \
                     interpolation, location, INVARIANT, each once",
                    quote(word)
                )
            };
            let fix = self.in_order(item);
            return Err(self.report.error_with(codes::ATTRIBUTE_ORDER, range, message, fix));
        }
        let what = match file {
            File::Image => "a texture target, format, `WR` or `RAW`",
            File::SamplerView | File::Resource => "a texture target",
            File::Buffer => "`ATOMIC`",
            _ if word.eq_ignore_ascii_case("STREAM") => {
                "an attribute that outputs of other stages than GEOM have too"
            }
            File::Memory => "`GLOBAL`, `SHARED`, `PRIVATE` or `INPUT`",
            _ => "a semantic, an interpolation, `ARRAY(n)`, `LOCAL` or `INVARIANT`",
        };
        let other = self.glued_index(item).or_else(|| self.second_declaration(item));
        if let Some(fix) = other {
            let message = || format!("expected {what}, found {}", quote(word));
            return Err(self.report.error_with(
                codes::UNKNOWN_ATTRIBUTE,
                range,
                message,
                Some(fix),
            ));
        }
        Err(self.report.unknown_word(
            codes::UNKNOWN_ATTRIBUTE,
            range,
            || format!("expected {what}, found {}", quote(word)),
            || vocabulary::meant("attribute", word, candidates(file).into_iter()),
        ))
    }

    /// The ranks that a word can have, in order.
    fn ranks(&self, word: &str, file: File) -> impl Iterator<Item = Rank> {
        let is = |attribute: &str| word.eq_ignore_ascii_case(attribute);
        let geometry_output = self.stage == Stage::Geometry && file == File::Output;
        let of_file = match file {
            // Their targets and formats are judged when they are read.
            File::Image | File::SamplerView | File::Resource => !is("ARRAY"),
            File::Buffer => is("ATOMIC"),
            File::Memory => MemoryKind::from_word(word).is_some(),
            _ => false,
        };
        let wrap = word.len() > 8
            && word.is_char_boundary(8)
            && word[..8].eq_ignore_ascii_case("CYLWRAP_");
        let matches = [
            (Rank::Array, is("ARRAY")),
            (Rank::OfFile, of_file),
            (Rank::Local, is("LOCAL")),
            (Rank::Semantic, SemanticName::from_word(word).is_some()),
            (Rank::Stream, geometry_output && is("STREAM")),
            (Rank::Interpolation, Interpolation::from_word(word).is_some()),
            (Rank::Location, InterpolationLocation::from_word(word).is_some()),
            (Rank::Wrap, wrap),
            (Rank::Invariant, is("INVARIANT")),
        ];
        matches.into_iter().filter(|(_, matches)| *matches).map(|(rank, _)| rank)
    }

    fn attribute(
        &mut self,
        item: TokenSpan,
        rank: Rank,
        declaration: &mut Declaration,
    ) -> Result<()> {
        let word = self.stream.word(item);
        let range = item.range();
        if rank == Rank::OfFile {
            return self.file_attribute(item, declaration);
        }
        self.stream.next();
        match rank {
            Rank::Array => declaration.array = Some(self.array_number(item)?),
            Rank::Local => declaration.local = true,
            Rank::Semantic => declaration.semantic = Some(self.semantic(item)?),
            Rank::Stream => declaration.streams = Some(self.streams(item)?),
            Rank::Interpolation => {
                declaration.interpolation =
                    Interpolation::from_word(word).map(|value| Spanned { value, range });
            }
            Rank::Location => {
                declaration.location =
                    InterpolationLocation::from_word(word).map(|value| Spanned { value, range });
            }
            Rank::Wrap => self.report.note(codes::CYLINDRICAL_WRAP, range, || {
                "cylindrical wrap was written by dumpers until 2021, but no \
                 parser ever read it"
            }),
            Rank::Invariant => declaration.invariant = true,
            Rank::OfFile => {}
        }
        Ok(())
    }

    /// `ARRAY(n)`, whose number may have a sign.
    fn array_number(&mut self, word: TokenSpan) -> Result<Spanned<u32>> {
        if let Some(fix) = self.array_brackets() {
            let what = "`(` and the number of the array";
            return Err(self.expected_with(codes::MISSING_SIGN, what, Some(fix)));
        }
        self.sign(TokenKind::LeftParenthesis, "`(` and the number of the array")?;
        let minus = self.stream.eat(TokenKind::Minus).is_some();
        let item = self.numeral(codes::BAD_INDEX, "the number of the array")?;
        let number = self.number(item);
        self.sign(TokenKind::RightParenthesis, "`)`")?;
        if minus || number > MAX_ARRAY {
            self.note_large_value(item.range(), 10);
        }
        let value = if minus { number.wrapping_neg() } else { number } & MAX_ARRAY;
        Ok(Spanned { value, range: TextRange::new(word.start(), self.stream.last_end()) })
    }

    /// `GENERIC[3]`
    fn semantic(&mut self, word: TokenSpan) -> Result<Spanned<Semantic>> {
        let Some(name) = SemanticName::from_word(self.stream.word(word)) else {
            return Err(Failed);
        };
        self.note_historic_word(name.row(), word.range());
        let mut index = 0;
        if self.stream.eat(TokenKind::LeftBracket).is_some() {
            let item = self.numeral(codes::BAD_INDEX, "the index of the semantic")?;
            index = self.number(item);
            if index > u32::from(u16::MAX) {
                self.note_large_value(item.range(), 16);
            }
            self.sign(TokenKind::RightBracket, "`]`")?;
        }
        let range = TextRange::new(word.start(), self.stream.last_end());
        Ok(Spanned { value: Semantic { name, index }, range })
    }

    /// `STREAM(a, b, c, d)`
    fn streams(&mut self, word: TokenSpan) -> Result<Spanned<[u32; 4]>> {
        self.sign(TokenKind::LeftParenthesis, "`(` and four stream numbers")?;
        let mut value = [0; 4];
        for (component, stream) in value.iter_mut().enumerate() {
            if component > 0 {
                self.sign(TokenKind::Comma, "`,` and the stream of the next component")?;
            }
            let item = self.numeral(codes::BAD_INDEX, "the number of a stream")?;
            *stream = self.number(item);
            if *stream > MAX_STREAM {
                self.note_large_value(item.range(), 2);
            }
        }
        self.sign(TokenKind::RightParenthesis, "`)`")?;
        Ok(Spanned { value, range: TextRange::new(word.start(), self.stream.last_end()) })
    }

    fn file_attribute(&mut self, item: TokenSpan, declaration: &mut Declaration) -> Result<()> {
        match declaration.file.value {
            File::Image => declaration.image = Some(self.image_type()?),
            File::SamplerView => declaration.sampler_view = Some(self.view_type()?),
            File::Resource => self.resource_type(declaration)?,
            File::Memory => {
                self.stream.next();
                declaration.memory = MemoryKind::from_word(self.stream.word(item))
                    .map(|value| Spanned { value, range: item.range() });
            }
            _ => {
                self.stream.next();
                declaration.atomic = true;
            }
        }
        Ok(())
    }

    /// `2D, WR, PIPE_FORMAT_R32_UINT`
    fn image_type(&mut self) -> Result<ImageType> {
        let target = self.texture_target()?;
        let mut image = ImageType { target, format: None, writable: false, raw: false };
        self.image_access(&mut image)?;
        Ok(image)
    }

    fn image_access(&mut self, image: &mut ImageType) -> Result<()> {
        while self.stream.eat(TokenKind::Comma).is_some() {
            let what = "`WR`, `RAW` or a format such as `PIPE_FORMAT_R32_UINT`";
            let item = self.stream.peek().filter(|_| !self.at_end());
            let Some(item) = item else {
                return Err(self.expected(codes::UNKNOWN_ATTRIBUTE, what));
            };
            let word = self.stream.word(item);
            if word.eq_ignore_ascii_case("WR") {
                image.writable = true;
            } else if word.eq_ignore_ascii_case("RAW") {
                image.raw = true;
            } else if let Some(format) = self.format(item)? {
                image.format = Some(format);
            } else {
                let prefixed = format!("PIPE_FORMAT_{}", word.to_ascii_uppercase());
                return Err(self.report.unknown_word(
                    codes::UNKNOWN_ATTRIBUTE,
                    item.range(),
                    || format!("expected {what}, found {}", quote(word)),
                    || formats::is_known(&prefixed).then_some(&*prefixed),
                ));
            }
            self.stream.next();
        }
        Ok(())
    }

    /// A word with the prefix of formats; `None` for any other word. Does not
    /// take the token.
    pub(super) fn format(&mut self, item: TokenSpan) -> Result<Option<Spanned<String>>> {
        const PREFIX: &str = "PIPE_FORMAT_";
        let word = self.stream.word(item);
        let range = item.range();
        if !word.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX)) {
            return Ok(None);
        }
        if !formats::is_known(word) {
            let closest = || vocabulary::closest(word, formats::names());
            if !formats::is_plausible(word) {
                let message = || format!("unknown format {}", quote(word));
                return Err(self.report.unknown_word(
                    codes::UNKNOWN_FORMAT,
                    range,
                    message,
                    closest,
                ));
            }
            self.report.note((codes::UNKNOWN_FORMAT, Severity::Warning, ""), range, || {
                let closest = closest().map(|closest| format!("; did you mean `{closest}`?"));
                let closest = closest.unwrap_or_default();
                format!("{} is not in Mesa's table of formats{closest}", quote(word))
            });
        }
        Ok(Some(Spanned { value: word.to_ascii_uppercase(), range }))
    }

    /// `2D, FLOAT` with one to four return types.
    fn view_type(&mut self) -> Result<SamplerViewType> {
        let target = self.texture_target()?;
        let mut returns = [ReturnType::Float; 4];
        let mut count = 0;
        while count < 4 {
            let comma = self.stream.eat(TokenKind::Comma);
            if comma.is_none() && count > 0 {
                break;
            }
            let item = self.stream.peek().filter(|_| comma.is_some() && !self.at_end());
            let word = item.map(|item| self.stream.word(item));
            let Some(value) = word.and_then(ReturnType::from_word) else {
                let (range, found) = (self.place(), self.found());
                let ends = self.at_end() && comma.is_none();
                let meant = || vocabulary::misnomer("return", word?);
                let replaced = meant().and_then(|it| repair(format!("Write `{it}`"), range, it));
                let added = repair("Add `FLOAT`", self.here(), ", FLOAT").filter(|_| ends);
                let fix = added.or(replaced);
                let message = || {
                    format!(
                        "a sampler view says what it returns: expected `, FLOAT` or `UNORM`, \
                         `SNORM`, `SINT`, `UINT`; found {found}"
                    )
                };
                return Err(self.report.error_with(codes::UNKNOWN_ATTRIBUTE, range, message, fix));
            };
            self.stream.next();
            returns[count] = value;
            count += 1;
        }
        // The reference repeats the first for those that are missing.
        let first = returns[0];
        returns[count..].fill(first);
        if matches!(count, 2 | 3) {
            let range = TextRange::new(target.range.start(), self.stream.last_end());
            self.report.warning(codes::VIEW_TYPE, range, || {
                format!(
                    "a sampler view returns one type or four; of {count} the first is repeated \
                     for the rest"
                )
            });
        }
        if self.stream.at(TokenKind::Comma) {
            let range = self.place();
            let message = "a sampler view has at most four return types";
            return Err(self.report.error(codes::UNKNOWN_ATTRIBUTE, range, || message));
        }
        Ok(SamplerViewType { target, returns })
    }

    /// A historic `RES`: of 2011 like a sampler view, of 2012 like an image.
    fn resource_type(&mut self, declaration: &mut Declaration) -> Result<()> {
        let returns = self.stream.peek_at(2).map(|item| self.stream.word(item));
        let comma = self.stream.peek_at(1).is_some_and(|item| item.kind == TokenKind::Comma);
        if comma && returns.is_some_and(|word| ReturnType::from_word(word).is_some()) {
            declaration.sampler_view = Some(self.view_type()?);
        } else {
            declaration.image = Some(self.image_type()?);
        }
        Ok(())
    }

    /// Notes combinations that only some readers take.
    fn note_leniencies(&mut self, declaration: &Declaration, attributes: TextRange) {
        let file = declaration.file.value;
        if attributes.is_empty() {
            return;
        }
        if self.stage == Stage::Vertex && file == File::Input {
            self.report.lenient(
                codes::VERTEX_INPUT_ATTRIBUTE,
                attributes,
                || {
                    let message = "inputs of vertex shaders have no semantic since 2010: newer \
                                   readers refuse this";
                    (message, "Remove it")
                },
                Some(TextEdit::replace(attributes, "")),
            );
            return;
        }
        if let Some(interpolation) = declaration.interpolation
            && declaration.semantic.is_none()
        {
            let message = "Mesa since 2019 crashes on an interpolation without a semantic";
            self.report
                .note(codes::INTERPOLATION_WITHOUT_SEMANTIC, interpolation.range, || message);
        }
        if let Some(location) = declaration.location
            && declaration.interpolation.is_none()
        {
            let message = "without an interpolation before it, the location is dropped";
            self.report.note(
                (codes::LOCATION_WITHOUT_INTERPOLATION, Severity::Warning, ""),
                location.range,
                || message,
            );
        }
    }
}

/// The attribute words of a file, for "did you mean".
fn candidates(file: File) -> Vec<&'static str> {
    match file {
        File::Buffer => vec!["ATOMIC"],
        File::Memory => MemoryKind::ALL.iter().map(|kind| kind.word()).collect(),
        _ => {
            let semantics = SemanticName::ALL.iter().map(|name| name.word());
            let interpolations = Interpolation::ALL.iter().map(|entry| entry.word());
            let locations = InterpolationLocation::ALL.iter().map(|entry| entry.word());
            let others = ["ARRAY", "LOCAL", "INVARIANT"];
            semantics.chain(interpolations).chain(locations).chain(others).collect()
        }
    }
}
