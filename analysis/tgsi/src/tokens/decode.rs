//! From words to a shader, and what each word means.
//!
//! A stream may be cut short or hostile: a word is never read that is not
//! there, nothing is allocated by a number that a word claims, and every
//! problem names the word it was found in. What text cannot say is reported,
//! not dropped silently.

use smallvec::SmallVec;
use source::{MAX_DIAGNOSTICS, Severity, TextRange};

use super::Layout;
use super::codec::{self, Codec, STATEMENTS, Token};
use super::encode::{Result, Unencodable};
use super::fields::{self, TokenType};
use super::numbers;
use crate::Opcode;
use crate::ast::{
    Declaration, Immediate, IndexRange, Instruction, Property, Shader, Spanned, Statement,
    StatementKind, Unread,
};
use crate::print;
use crate::words::{ImmediateType, Stage, WordList};

/// The result of decoding a token stream.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// The era it was read as.
    pub layout: Layout,
    /// The shader, all of its ranges empty. `None` where not even the header
    /// could be read.
    pub shader: Option<Shader>,
    /// Canonical text; what could not be read is a comment in it. Empty where
    /// there is no shader.
    pub text: String,
    /// Every word of the stream, in order.
    pub words: Vec<TokenWord>,
    /// Diagnostics in order of the words.
    pub diagnostics: Vec<Diagnostic>,
}

impl Decoded {
    /// Tells whether something could not be read.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }

    /// Tells whether something was read for which text has no form. The text has a comment
    /// in its place.
    pub fn has_losses(&self) -> bool {
        self.diagnostics.iter().any(|found| found.is_loss)
    }
}

/// A word with what it means.
#[derive(Debug, Clone)]
pub struct TokenWord {
    /// The word.
    pub bits: u32,
    /// The kind of word in its place.
    pub kind: TokenType,
    /// The text it stands for: a whole statement for its first word. Empty
    /// where it stands for none.
    pub meaning: String,
    layout: Layout,
}

impl TokenWord {
    /// Its fields in the reference's names, lowest first. Padding is left out.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let named = fields::fields(self.layout, self.kind).iter();
        let named = named.filter(|field| field.name != fields::PADDING);
        named.map(|field| (field.name, field.of(self.bits)))
    }

    /// Returns what it means in a column of its own width: the words of a statement are indented
    /// below its first.
    pub fn meaning_column(&self) -> String {
        let indent = if self.kind.begins_statement() { "" } else { "  " };
        format!("{indent}{:<width$}", self.meaning, width = MEANING_COLUMNS - indent.len())
    }

    /// Its fields as text, each with a blank before it: ` Type=1 NrTokens=2`.
    pub fn fields_text(&self) -> String {
        self.fields().map(|(name, value)| format!(" {name}={value}")).collect()
    }
}

/// The columns that the text of a word gets before its fields.
const MEANING_COLUMNS: usize = 48;

/// Something wrong in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The word's place in the stream, from 0.
    pub word: usize,
    /// The severity.
    pub severity: Severity,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// Set where text has no form for what was read.
    pub is_loss: bool,
}

/// Ways to declare registers in the tokens of 2007.
const BY_RANGE: u32 = 0;
const BY_MASK: u32 = 1;

/// The newest version of the format with a version word.
const VERSION: (u32, u32) = (1, 1);

/// Reads a token stream in an era's layout.
pub fn decode(words: &[u32], layout: Layout) -> Decoded {
    Decoder::read(words, layout).finish()
}

/// A shader of these statements.
fn shader(stage: Stage, statements: Vec<Statement>) -> Shader {
    let broken = statements.iter().filter(|statement| statement.broken);
    let unread = broken.map(|statement| Unread::anything(statement.range)).collect();
    Shader { stage: spanned(stage), statements, unread }
}

/// Reads a stream to see how well it fits an era: the shader, where the stage is known, the
/// places that could not be read, and the words that are not as the era's builders make
/// them. Costs less than decoding.
pub(super) fn survey(words: &[u32], layout: Layout) -> (Option<Shader>, usize, usize) {
    let decoder = Decoder::read(words, layout);
    let errors = decoder.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let errors = errors.count() + decoder.dropped;
    let statements = decoder.statements;
    let shader = decoder.stage.map(|stage| shader(stage, statements));
    (shader, errors, decoder.oddities)
}

#[derive(Default)]
struct Decoder<'a> {
    layout: Layout,
    input: &'a [u32],
    /// The next word.
    at: usize,
    /// No word from here on is read: the end of the body or statement.
    end: usize,
    stage: Option<Stage>,
    words: Vec<TokenWord>,
    statements: Vec<Statement>,
    /// The text of each statement, in lines.
    lines: Vec<String>,
    diagnostics: Vec<Diagnostic>,
    /// The number of problems that are not kept.
    dropped: usize,
    /// The number of words that are not as the era's builders make them.
    oddities: usize,
    /// Set where an error was found in the statement that is being read.
    broken: bool,
    instructions: u32,
    immediates: u32,
}

/// A value without a place in a text.
fn spanned<T>(value: T) -> Spanned<T> {
    Spanned { value, range: TextRange::default() }
}

impl<'a> Decoder<'a> {
    fn read(input: &'a [u32], layout: Layout) -> Decoder<'a> {
        let mut decoder = Decoder {
            layout,
            input,
            end: input.len(),
            words: Vec::with_capacity(input.len()),
            ..Decoder::default()
        };
        // What was read before the stream became unreadable stays.
        let _ = decoder.stream();
        decoder.skip_to(input.len());
        decoder
    }

    fn report(&mut self, word: usize, severity: Severity, message: impl Into<String>) {
        self.broken |= severity == Severity::Error;
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let message = message.into();
            self.diagnostics.push(Diagnostic { word, severity, message, is_loss: false });
        } else {
            self.dropped += 1;
        }
    }

    fn error_at(&mut self, word: usize, message: impl Into<String>) {
        self.report(word, Severity::Error, message);
    }

    /// Reports that the words ended, or that nothing can follow them.
    fn stop_at(&mut self, word: usize, message: impl Into<String>) -> Unencodable {
        self.error_at(word, message);
        Unencodable { range: TextRange::default(), message: String::new() }
    }

    /// Says that text has no form for something in a word.
    fn lost_at(&mut self, word: usize, what: &str) {
        let before = self.diagnostics.len();
        self.report(word, Severity::Warning, format!("text has no form for {what}; it is lost"));
        if let Some(found) = self.diagnostics.get_mut(before) {
            found.is_loss = true;
        }
    }

    /// The word that a number stands for; reports numbers that stand for none.
    fn named(&mut self, at: usize, list: &'static str, number: u32) -> Option<&'static str> {
        let found = numbers::word(self.layout, list, number);
        if found.is_none() {
            self.error_at(at, format!("{number} is the number of no {list} in {}", self.layout));
        }
        found
    }

    /// A field of a word that was taken; 0 where the era's words of its kind have none of the
    /// name.
    fn field(&self, word: &Token, name: &str) -> u32 {
        fields::get(self.layout, word.kind, self.input[word.at], name)
    }

    /// Bits without a meaning are zero in every era; where they are not, the
    /// stream is newer, or of another era.
    fn check_padding(&mut self, word: &Token) {
        let padding = self.field(word, fields::PADDING);
        if padding != 0 {
            self.oddities += 1;
            let message =
                format!("the padding of this {} word is {padding:#x}, not 0", word.kind.name());
            self.report(word.at, Severity::Hint, message);
        }
    }

    /// The next word, which is of a kind. Stops where there is none.
    fn take(&mut self, kind: TokenType) -> Result<Token> {
        self.word(kind, TextRange::default())
    }

    /// Passes over words up to a place.
    fn skip_to(&mut self, end: usize) {
        let end = end.min(self.input.len());
        for bits in self.input.get(self.at..end).unwrap_or_default() {
            let (kind, layout) = (TokenType::Unknown, self.layout);
            self.words.push(TokenWord { bits: *bits, kind, meaning: String::new(), layout });
        }
        self.at = self.at.max(end);
    }

    fn mean(&mut self, word: usize, meaning: impl Into<String>) {
        if let Some(word) = self.words.get_mut(word) {
            word.meaning = meaning.into();
        }
    }

    fn stream(&mut self) -> Result<()> {
        if self.layout.has_extensions() {
            self.version()?;
        }
        let header = self.take(TokenType::Header)?;
        let at = header.at;
        let size = self.field(&header, "HeaderSize") as usize;
        let body = self.field(&header, "BodySize") as usize;
        self.mean(at, format!("{body} words of body"));
        if size == 0 {
            return Err(self.stop_at(at, "a header has at least the size 1"));
        }
        if size == 1 {
            return Err(self.stop_at(at, "there is no processor word: the stage is not known"));
        }
        let processor = self.take(TokenType::Processor)?;
        let stage = self.entry(&processor, "Processor", None)?;
        self.stage = stage.map(|stage| stage.value);
        let Some(stage) = self.stage else { return Ok(()) };
        self.mean(processor.at, stage.word());
        self.skip_to(at + size);
        let end = self.at + body;
        if end > self.input.len() {
            let there = self.input.len() - self.at;
            self.error_at(at, format!("the body is stated to have {body} words, but has {there}"));
        }
        let end = end.min(self.input.len());
        while self.at < end {
            self.end = end;
            self.statement(end)?;
        }
        if end < self.input.len() {
            let more = self.input.len() - end;
            self.report(end, Severity::Warning, format!("{more} words follow the body"));
        }
        Ok(())
    }

    fn version(&mut self) -> Result<()> {
        let word = self.take(TokenType::Version)?;
        let [major, minor] = self.numbers(&word, ["MajorVersion", "MinorVersion"], [0; 2])?;
        let at = word.at;
        self.mean(at, format!("version {major}.{minor}"));
        if major > VERSION.0 {
            let message = format!("version {major} is refused: the highest known is {}", VERSION.0);
            return Err(self.stop_at(at, message));
        }
        if minor > VERSION.1 {
            let message = format!(
                "version {major}.{minor} is newer than {}.{}: it must not be executed",
                VERSION.0, VERSION.1
            );
            self.report(at, Severity::Warning, message);
        }
        Ok(())
    }

    /// Reads one statement or skips it.
    fn statement(&mut self, end: usize) -> Result<()> {
        let start = self.at;
        let bits = self.input[start];
        let found = self.diagnostics.len();
        self.broken = false;
        let number = bits & 0xf;
        let known = |kind: &&TokenType| !fields::fields(self.layout, **kind).is_empty();
        let Some(kind) = STATEMENTS.get(number as usize).filter(known).copied() else {
            return self.unknown_token(start, number);
        };
        let size = fields::get(self.layout, kind, bits, "Size") as usize;
        // Readers since 2009 do not look at the size of instructions, which
        // builders give without the first word.
        let is_sized = kind != TokenType::Instruction || self.layout.has_extensions();
        if is_sized {
            if size == 0 {
                return Err(self.stop_at(start, format!("a {} token of size 0", kind.name())));
            }
            self.end = end.min(start + size);
        }
        let read = match kind {
            TokenType::Declaration => self.declaration(),
            TokenType::Immediate => self.immediate(),
            TokenType::Property => self.property(),
            _ => self.instruction(),
        };
        self.end = end;
        if is_sized {
            if read.is_ok() && self.at < end.min(start + size) {
                let message = format!("unknown words at the end of this {}", kind.name());
                self.report(self.at, Severity::Warning, message);
            }
            self.skip_to(end.min(start + size));
        } else {
            let length = self.at - start;
            if read.is_ok() && size != length - 1 && size != length {
                let message = format!("the size says {size} words, but there are {length}");
                self.report(start, Severity::Hint, message);
            }
        }
        for problem in self.diagnostics.iter().skip(found) {
            if problem.severity == Severity::Error || problem.is_loss {
                self.lines.push(format!("// word {}: {}", problem.word, problem.message));
            }
        }
        if is_sized { Ok(()) } else { read }
    }

    /// Skips a token of an unknown type by its size.
    fn unknown_token(&mut self, start: usize, number: u32) -> Result<()> {
        let kind =
            if self.layout.has_extensions() { TokenType::Declaration } else { TokenType::Property };
        let size = fields::get(self.layout, kind, self.input[start], "Size") as usize;
        if size == 0 {
            return Err(
                self.stop_at(start, format!("a token of the unknown type {number} and of size 0"))
            );
        }
        let message = format!("a token of the unknown type {number} is skipped by its size {size}");
        self.report(start, Severity::Warning, message);
        self.skip_to(self.end.min(start + size));
        Ok(())
    }

    /// Adds a statement that was read, whose first word is at a place.
    fn add(&mut self, at: usize, kind: StatementKind) {
        let range = TextRange::default();
        let statement = Statement { range, broken: self.broken, kind };
        let line = print::statement(&statement);
        if let Some(word) = self.words.get_mut(at) {
            // A mask of 2007 may declare several ranges.
            let gap = if word.meaning.is_empty() { "" } else { "; " };
            word.meaning = format!("{}{gap}{line}", word.meaning);
        }
        self.lines.push(line);
        self.statements.push(statement);
    }

    fn declaration(&mut self) -> Result<()> {
        let at = self.at;
        let mut declaration = Declaration::default();
        let ranges = codec::declaration(self, &mut declaration)?;
        self.implied_dimension(at, &mut declaration);
        for range in ranges {
            let declaration = Declaration { range: spanned(range), ..declaration.clone() };
            self.add(at, StatementKind::Declaration(declaration));
        }
        Ok(())
    }

    /// Text shows the first bracket where the stage implies its size. The first years had
    /// no such stage.
    fn implied_dimension(&mut self, at: usize, declaration: &mut Declaration) {
        let per_patch = declaration.semantic.is_some_and(|it| it.value.name.is_per_patch());
        let file = declaration.file.value;
        if self.stage.is_some_and(|stage| {
            stage.is_per_vertex(file) && (stage == Stage::Geometry || !per_patch)
        }) && !self.layout.has_extensions()
        {
            if declaration.dimension.is_some() {
                self.lost_at(at, "a dimension where the stage implies one");
            }
            declaration.dimension = Some(None);
        }
    }

    /// Ranges, joined where they touch, or a mask of the first 32 registers.
    fn ranges_of_2007(&mut self, word: &Token) -> Result<Vec<IndexRange>> {
        let mut all = Vec::new();
        match self.field(word, "Declare") {
            BY_RANGE => {
                let rest = self.field(word, "Interpolate") as usize;
                while self.at + rest < self.end {
                    all.extend(codec::range(self, Spanned::default())?);
                }
                if all.is_empty() && !self.broken {
                    all.push(IndexRange::default());
                }
            }
            BY_MASK => {
                let mask = self.take(TokenType::Mask)?;
                let bits = self.input[mask.at];
                let set = (0..32).filter(|bit| bits & 1 << bit != 0);
                all.extend(set.map(|bit| IndexRange { first: bit, last: bit }));
                if all.is_empty() {
                    self.report(mask.at, Severity::Warning, "the mask declares no register");
                }
            }
            other => {
                return Err(self.stop_at(
                    word.at,
                    format!("{other} does not name a way to declare registers"),
                ));
            }
        }
        all.sort_unstable_by_key(|range| range.first);
        let mut joined: Vec<IndexRange> = Vec::new();
        for range in all {
            match joined.last_mut() {
                Some(last) if range.first <= last.last + 1 => last.last = last.last.max(range.last),
                _ => joined.push(range),
            }
        }
        Ok(joined)
    }

    fn immediate(&mut self) -> Result<()> {
        let at = self.at;
        let (index, ty) = (Some(spanned(self.immediates)), spanned(ImmediateType::Float32));
        let mut immediate = Immediate { index, ty, bits: [0; 4], values: SmallVec::new() };
        let count = codec::immediate(self, &mut immediate)?;
        self.immediates += 1;
        let Some(count) = count else { return Ok(()) };
        if let 1..=4 = count {
            let values = print::values(immediate.ty.value, immediate.bits);
            // A value of 64 bits is shown at its first word.
            let step = immediate.bits.len() / values.len();
            for (place, value) in (self.at - count..self.at).step_by(step).zip(values) {
                self.mean(place, value);
            }
        }
        if count < immediate.bits.len() {
            let message = format!("{count} values; text has four, the rest is written as zero");
            self.report(at, Severity::Hint, message);
        }
        self.add(at, StatementKind::Immediate(immediate));
        Ok(())
    }

    fn property(&mut self) -> Result<()> {
        let at = self.at;
        let mut property = Property::default();
        codec::property(self, &mut property, TextRange::default())?;
        if property.value.is_some() {
            self.add(at, StatementKind::Property(property));
        }
        Ok(())
    }

    fn instruction(&mut self) -> Result<()> {
        let at = self.at;
        let mut instruction = Instruction::default();
        let is_known = codec::instruction(self, &mut instruction, TextRange::default())?;
        self.instructions += 1;
        instruction.ordinal = self.instructions;
        if is_known {
            self.add(at, StatementKind::Instruction(instruction));
        }
        Ok(())
    }

    fn finish(mut self) -> Decoded {
        self.diagnostics.sort_by_key(|found| found.word);
        if self.dropped > 0 {
            let (word, severity) = (self.input.len(), Severity::Error);
            let message = format!("there are {} more problems", self.dropped);
            self.diagnostics.push(Diagnostic { word, severity, message, is_loss: false });
        }
        let shader = self.stage.map(|stage| shader(stage, self.statements));
        let text = shader.as_ref().map_or(String::new(), |shader| {
            let mut text = format!("{}\n", shader.stage.value);
            for line in &self.lines {
                text.push_str(line);
                text.push('\n');
            }
            print::canonical(text)
        });
        Decoded {
            layout: self.layout,
            shader,
            text,
            words: self.words,
            diagnostics: self.diagnostics,
        }
    }
}

impl Codec for Decoder<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn stage(&self) -> Option<Stage> {
        self.stage
    }

    /// The next word, which is of a kind. Stops where there is none.
    fn word(&mut self, kind: TokenType, range: TextRange) -> Result<Token> {
        let at = self.at;
        if at >= self.end {
            let what = if at >= self.input.len() { "stream" } else { "statement" };
            return Err(
                self.stop_at(at, format!("the {what} ends where a {} word is due", kind.name()))
            );
        }
        let bits = self.input[at];
        self.at += 1;
        self.words.push(TokenWord { bits, kind, meaning: String::new(), layout: self.layout });
        let word = Token { kind, at, range };
        // What kind of extension it is will be seen.
        if kind != TokenType::Extension {
            self.check_padding(&word);
        }
        Ok(word)
    }

    fn extension(
        &mut self,
        extended: &Token,
        kinds: &[TokenType],
        _: Option<(TokenType, TextRange)>,
    ) -> Result<Option<Token>> {
        if self.field(extended, "Extended") == 0 {
            return Ok(None);
        }
        let mut word = self.take(TokenType::Extension)?;
        let number = self.field(&word, "Type");
        let known = |kind: &&TokenType| !fields::fields(self.layout, **kind).is_empty();
        let Some(kind) = kinds.get(number as usize).filter(known) else {
            let message = format!("an extension of the unknown type {number} is skipped");
            self.report(word.at, Severity::Warning, message);
            return Ok(Some(word));
        };
        if let Some(last) = self.words.last_mut() {
            last.kind = *kind;
        }
        word.kind = *kind;
        self.check_padding(&word);
        Ok(Some(word))
    }

    fn number(&mut self, word: &Token, field: &str, _: u32) -> Result<u32> {
        Ok(self.field(word, field))
    }

    fn signed(&mut self, word: &Token, field: &str, _: i32) -> Result<i32> {
        Ok(i32::from(self.field(word, field) as u16 as i16))
    }

    fn listed<'a>(
        &mut self,
        word: &Token,
        field: &str,
        list: &'static str,
        _: Option<Spanned<&'a str>>,
    ) -> Result<Option<&'a str>> {
        let number = self.field(word, field);
        Ok(self.named(word.at, list, number))
    }

    /// Numbers were given again within an era. Where the operands do not fit
    /// the opcode that stayed, but one that went, it is that one.
    fn opcode(&mut self, word: &Token, _: Spanned<Opcode>) -> Result<Option<Opcode>> {
        let number = self.field(word, "Opcode");
        let counts = ["NumDstRegs", "NumSrcRegs"].map(|name| self.field(word, name) as usize);
        let fits = |opcode: &Opcode| [opcode.row().destinations, opcode.row().sources] == counts;
        let opcode = self.named(word.at, numbers::OPCODES, number).and_then(Opcode::find);
        let others = numbers::other_words(self.layout, numbers::OPCODES, number);
        let other = || others.filter_map(Opcode::find).find(fits);
        Ok(opcode.map(|stayed| Some(stayed).filter(fits).or_else(other).unwrap_or(stayed)))
    }

    fn ranges(&mut self, word: &Token, given: Spanned<IndexRange>) -> Result<Vec<IndexRange>> {
        if self.has(word, "Declare") {
            return self.ranges_of_2007(word);
        }
        Ok(codec::range(self, given)?.into_iter().collect())
    }

    fn values(&mut self, bits: &mut [u32; 4]) -> Result<usize> {
        let mut count = 0;
        while self.at < self.end {
            let value = self.take(TokenType::Value)?;
            if let Some(slot) = bits.get_mut(count) {
                *slot = self.input[value.at];
            } else if count == bits.len() {
                self.error_at(value.at, "text has room for four values of an immediate");
            }
            count += 1;
        }
        Ok(count)
    }

    fn set<T: WordList>(
        &mut self,
        word: &Token,
        field: &str,
        _: &[Spanned<T>],
    ) -> Result<Vec<Spanned<T>>> {
        let bits = self.field(word, field);
        let set = (0..u32::BITS).filter(|bit| bits & 1 << bit != 0);
        let words = set.filter_map(|bit| self.named(word.at, T::LIST, bit));
        Ok(words.filter_map(T::from_word).map(spanned).collect())
    }

    fn note_odd(&mut self) {
        self.oddities += 1;
    }

    fn stop(&mut self, word: &Token, message: String) -> Unencodable {
        self.stop_at(word.at, message)
    }

    fn error(&mut self, word: &Token, message: String) {
        self.error_at(word.at, message);
    }

    fn lost(&mut self, word: &Token, what: &str) {
        self.lost_at(word.at, what);
    }

    fn explain(&mut self, word: &Token, meaning: impl FnOnce() -> String) {
        self.mean(word.at, meaning());
    }
}
