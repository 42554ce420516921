//! From words to a shader, and what each word means.
//!
//! A stream may be cut short or hostile: a word is never read that is not
//! there, nothing is allocated by a number that a word claims, and every
//! problem names the word it was found in. What text cannot say is reported,
//! not dropped silently.

mod declaration;
mod extensions;
mod instruction;
mod operands;

use source::{MAX_DIAGNOSTICS, Severity, TextRange};

use super::Layout;
use super::encode::{DECLARATION, IMMEDIATE, INSTRUCTION, PROPERTY};
use super::fields::{self, Kind};
use super::numbers;
use crate::ast::{
    Component, Immediate, Property, PropertyValue, Shader, Spanned, Statement, StatementKind,
    Swizzle, WriteMask,
};
use crate::print;
use crate::words::{ImmediateType, PropertyName, Stage, WordList};

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
    pub words: Vec<Word>,
    /// Diagnostics in order of the words.
    pub diagnostics: Vec<Diagnostic>,
}

impl Decoded {
    /// Tells whether something could not be read.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }
}

/// A word with what it means.
#[derive(Debug, Clone)]
pub struct Word {
    /// The word.
    pub bits: u32,
    /// The kind of word in its place.
    pub kind: Kind,
    /// The text it stands for: a whole statement for its first word. Empty
    /// where it stands for none.
    pub meaning: String,
    layout: Layout,
}

impl Word {
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

/// A word that was taken, read as its kind in an era.
#[derive(Debug, Clone, Copy)]
struct Taken {
    layout: Layout,
    /// Its place in the stream.
    at: usize,
    kind: Kind,
    bits: u32,
}

impl Taken {
    /// A field; 0 where the era's words of this kind have none of the name.
    fn field(&self, name: &str) -> u32 {
        fields::get(self.layout, self.kind, self.bits, name)
    }

    fn flag(&self, name: &str) -> bool {
        self.field(name) != 0
    }

    /// A field of 16 bits with a sign.
    fn signed(&self, name: &str) -> i32 {
        i32::from(self.field(name) as u16 as i16)
    }

    /// The components that are read.
    fn swizzle(&self) -> Swizzle {
        Swizzle(fields::SWIZZLE.map(|name| Component::ALL[self.field(name) as usize & 3]))
    }

    fn mask(&self, name: &str) -> WriteMask {
        WriteMask(self.field(name) as u8)
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
}

/// The newest version of the format with a version word.
const VERSION: (u32, u32) = (1, 1);

/// Reads a token stream in an era's layout.
pub fn decode(words: &[u32], layout: Layout) -> Decoded {
    Decoder::read(words, layout).finish()
}

/// The likeness of a token stream to an era's layout.
#[derive(Debug)]
pub(super) struct Survey {
    /// The shader; `None` where the stage is not known.
    pub(super) shader: Option<Shader>,
    /// In how many places it could not be read.
    pub(super) errors: usize,
    /// The number of words that are not as the era's builders make them.
    pub(super) oddities: usize,
}

/// Reads a stream to see how well it fits an era. Costs less than decoding.
pub(super) fn survey(words: &[u32], layout: Layout) -> Survey {
    let decoder = Decoder::read(words, layout);
    let errors = decoder.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let errors = errors.count() + decoder.dropped;
    let (statements, oddities) = (decoder.statements, decoder.oddities);
    let shader = decoder.stage.map(|stage| Shader { stage: spanned(stage), statements });
    Survey { shader, errors, oddities }
}

/// The words ended, or nothing can follow them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stop;

type Result<T> = std::result::Result<T, Stop>;

#[derive(Default)]
struct Decoder<'a> {
    layout: Layout,
    input: &'a [u32],
    /// The next word.
    at: usize,
    /// No word from here on is read: the end of the body or statement.
    end: usize,
    stage: Option<Stage>,
    words: Vec<Word>,
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
            self.diagnostics.push(Diagnostic { word, severity, message });
        } else {
            self.dropped += 1;
        }
    }

    fn error(&mut self, word: usize, message: impl Into<String>) {
        self.report(word, Severity::Error, message);
    }

    /// Says that text has no form for something in a word.
    fn lost(&mut self, word: usize, what: &str) {
        self.report(word, Severity::Warning, format!("text has no form for {what}; it is lost"));
    }

    /// The next word, which is of a kind. Stops where there is none.
    fn take(&mut self, kind: Kind) -> Result<Taken> {
        let at = self.at;
        if at >= self.end {
            let what = if at >= self.input.len() { "stream" } else { "statement" };
            self.error(at, format!("the {what} ends where a {} word is due", kind.name()));
            return Err(Stop);
        }
        let bits = self.input[at];
        self.at += 1;
        self.words.push(Word { bits, kind, meaning: String::new(), layout: self.layout });
        let word = Taken { layout: self.layout, at, kind, bits };
        // What kind of extension it is will be seen.
        if kind != Kind::Extension {
            self.check_padding(&word);
        }
        Ok(word)
    }

    /// Bits without a meaning are zero in every era; where they are not, the
    /// stream is newer, or of another era.
    fn check_padding(&mut self, word: &Taken) {
        let padding = word.field(fields::PADDING);
        if padding != 0 {
            self.oddities += 1;
            let message =
                format!("the padding of this {} word is {padding:#x}, not 0", word.kind.name());
            self.report(word.at, Severity::Hint, message);
        }
    }

    /// Passes over words up to a place.
    fn skip_to(&mut self, end: usize) {
        let end = end.min(self.input.len());
        for bits in self.input.get(self.at..end).unwrap_or_default() {
            let (kind, layout) = (Kind::Unknown, self.layout);
            self.words.push(Word { bits: *bits, kind, meaning: String::new(), layout });
        }
        self.at = self.at.max(end);
    }

    fn mean(&mut self, word: usize, meaning: impl Into<String>) {
        if let Some(word) = self.words.get_mut(word) {
            word.meaning = meaning.into();
        }
    }

    /// The word that a number stands for; reports numbers that stand for none.
    fn named<T>(
        &mut self,
        at: usize,
        (list, number): (&'static str, u32),
        from_word: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let found = numbers::word(self.layout, list, number).and_then(from_word);
        if found.is_none() {
            self.error(at, format!("{number} is the number of no {list} in {}", self.layout));
        }
        found
    }

    /// The entry of a list whose number a field has; reports numbers that stand for none.
    fn entry<T: WordList>(&mut self, word: &Taken, field: &str) -> Option<T> {
        self.word_of(word.at, word.field(field))
    }

    /// The entry of a list that a number stands for; reports numbers that stand for none.
    fn word_of<T: WordList>(&mut self, at: usize, number: u32) -> Option<T> {
        self.named(at, (T::LIST, number), T::from_word)
    }

    fn stream(&mut self) -> Result<()> {
        if self.layout.has_extensions() {
            self.version()?;
        }
        let header = self.take(Kind::Header)?;
        let at = header.at;
        let size = header.field("HeaderSize") as usize;
        let body = header.field("BodySize") as usize;
        self.mean(at, format!("{body} words of body"));
        if size == 0 {
            self.error(at, "a header has at least the size 1");
            return Err(Stop);
        }
        if size == 1 {
            self.error(at, "there is no processor word: the stage is not known");
            return Err(Stop);
        }
        let processor = self.take(Kind::Processor)?;
        self.stage = self.entry::<Stage>(&processor, "Processor");
        let Some(stage) = self.stage else { return Err(Stop) };
        self.mean(processor.at, stage.word());
        self.skip_to(at + size);
        let end = self.at + body;
        if end > self.input.len() {
            let there = self.input.len() - self.at;
            self.error(at, format!("the body is said to have {body} words, but has {there}"));
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
        let word = self.take(Kind::Version)?;
        let (at, major, minor) = (word.at, word.field("MajorVersion"), word.field("MinorVersion"));
        self.mean(at, format!("version {major}.{minor}"));
        if major > VERSION.0 {
            let message = format!("version {major} is refused: the highest known is {}", VERSION.0);
            self.error(at, message);
            return Err(Stop);
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
        let kind = match bits & 0xf {
            DECLARATION => Kind::Declaration,
            IMMEDIATE => Kind::Immediate,
            INSTRUCTION => Kind::Instruction,
            PROPERTY if !self.layout.has_extensions() => Kind::Property,
            other => return self.unknown_token(start, other),
        };
        let size = fields::get(self.layout, kind, bits, "Size") as usize;
        // Readers since 2009 do not look at the size of instructions, which
        // builders give without the first word.
        let is_sized = kind != Kind::Instruction || self.layout.has_extensions();
        if is_sized {
            if size == 0 {
                self.error(start, format!("a {} token of size 0", kind.name()));
                return Err(Stop);
            }
            self.end = end.min(start + size);
        }
        let read = match kind {
            Kind::Declaration => self.declaration(),
            Kind::Immediate => self.immediate(),
            Kind::Property => self.property(),
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
            if problem.severity == Severity::Error {
                self.lines.push(format!("// word {}: {}", problem.word, problem.message));
            }
        }
        if is_sized { Ok(()) } else { read }
    }

    /// Skips a token of an unknown type by its size.
    fn unknown_token(&mut self, start: usize, number: u32) -> Result<()> {
        let kind = if self.layout.has_extensions() { Kind::Declaration } else { Kind::Property };
        let size = fields::get(self.layout, kind, self.input[start], "Size") as usize;
        if size == 0 {
            self.error(start, format!("a token of the unknown type {number} and of size 0"));
            return Err(Stop);
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

    fn immediate(&mut self) -> Result<()> {
        let word = self.take(Kind::Immediate)?;
        let at = word.at;
        let ty = self.entry::<ImmediateType>(&word, "DataType");
        let mut bits = [0; 4];
        let (mut count, mut last) = (0, at);
        while self.at < self.end {
            let value = self.take(Kind::Value)?;
            if let Some(slot) = bits.get_mut(count) {
                *slot = value.bits;
            } else if count == bits.len() {
                self.error(value.at, "text has room for four values of an immediate");
            }
            count += 1;
            last = value.at;
        }
        if let (Some(ty), 1..=4) = (ty, count) {
            let values = print::values(ty, bits);
            // A value of 64 bits is shown at its first word.
            let step = bits.len() / values.len();
            let first = last + 1 - count;
            for (place, value) in (first..=last).step_by(step).zip(values) {
                self.mean(place, value);
            }
        }
        let index = self.immediates;
        self.immediates += 1;
        let Some(ty) = ty else { return Ok(()) };
        if count < bits.len() {
            let message = format!("{count} values; text has four, the rest is written as zero");
            self.report(at, Severity::Hint, message);
        }
        let immediate =
            Immediate { index: Some(spanned(index)), ty: spanned(ty), bits, values: Vec::new() };
        self.add(at, StatementKind::Immediate(immediate));
        Ok(())
    }

    fn property(&mut self) -> Result<()> {
        let word = self.take(Kind::Property)?;
        let name = self.entry::<PropertyName>(&word, "PropertyName");
        let data = self.take(Kind::Value)?;
        let Some(name) = name else { return Ok(()) };
        let value = match name.value_list() {
            Some(list) => {
                let listed = (list, data.bits);
                self.named(data.at, listed, |word| PropertyValue::from_word(list, word))
            }
            None => Some(PropertyValue::Number(data.bits)),
        };
        let Some(value) = value else { return Ok(()) };
        self.mean(data.at, print::property_value(value));
        let property = Property { name: Some(spanned(name)), value: Some(spanned(value)) };
        self.add(word.at, StatementKind::Property(property));
        Ok(())
    }

    fn finish(mut self) -> Decoded {
        self.diagnostics.sort_by_key(|found| found.word);
        if self.dropped > 0 {
            let (word, severity) = (self.input.len(), Severity::Error);
            let message = format!("there are {} more problems", self.dropped);
            self.diagnostics.push(Diagnostic { word, severity, message });
        }
        let shader =
            self.stage.map(|stage| Shader { stage: spanned(stage), statements: self.statements });
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
