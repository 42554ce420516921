//! From a parsed shader to words.
//!
//! Words come in the order of the text. Where the text leaves a choice the
//! reference's builder is followed, so that its words come out bit for bit.

mod declaration;
mod operands;

use source::TextRange;

use super::Layout;
use super::fields::{self, Kind};
use super::numbers;
use crate::ast::{
    Immediate, Instruction, Property, PropertyValue, Shader, Spanned, StatementKind, TextureOffset,
};
use crate::opcodes::{has_memory_words, has_offsets};
use crate::words::{Stage, TextureTarget, WordList};

/// The reason for which a shader has no tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unencodable {
    /// The part that cannot be encoded, in bytes of the text that was parsed.
    pub range: TextRange,
    /// The reason, in one sentence without a full stop.
    pub message: String,
}

type Result<T> = std::result::Result<T, Unencodable>;

/// Type that a texture returns if the text names none, as every text.
pub(super) const UNKNOWN_RETURN_TYPE: u32 = 5;

/// Types of the extension words that are written.
mod extension {
    /// Of an instruction: the label.
    pub(super) const LABEL: u32 = 1;
    /// Of an instruction: the texture target.
    pub(super) const TEXTURE: u32 = 2;
    /// Of a source: absolute value and others.
    pub(super) const MODIFIER: u32 = 1;
    /// Of a destination: the predicate.
    pub(super) const DESTINATION_PREDICATE: u32 = 2;
}

/// The token stream of a shader in an era's layout.
///
/// # Errors
/// Where the era has no token for something, a number does not fit its field,
/// or a statement was not understood when the text was read.
pub fn encode(shader: &Shader, layout: Layout) -> Result<Vec<u32>> {
    let stage = shader.stage;
    let mut encoder = Encoder { layout, stage: stage.value, words: Vec::new() };
    let processor = encoder.number_of(stage.value, stage.range)?;
    for statement in &shader.statements {
        let lost = |message: &str| Unencodable { range: statement.range, message: message.into() };
        if statement.broken {
            return Err(lost("a statement with an error has no tokens"));
        }
        match &statement.kind {
            StatementKind::Declaration(declaration) => encoder.declaration(declaration)?,
            StatementKind::Immediate(immediate) => encoder.immediate(immediate)?,
            StatementKind::Property(property) => encoder.property(property, statement.range)?,
            StatementKind::Instruction(instruction) => {
                encoder.instruction(instruction, statement.range)?;
            }
            StatementKind::Unknown => return Err(lost("this text has no tokens")),
        }
    }
    let body = encoder.words;
    let mut words = Vec::with_capacity(body.len() + 3);
    if layout.has_extensions() {
        let version = Word::new(layout, Kind::Version, stage.range);
        words.push(version.with("MajorVersion", 1)?.with("MinorVersion", 1)?.bits);
    }
    let size = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let header = Word::new(layout, Kind::Header, stage.range);
    words.push(header.with("HeaderSize", 2)?.with("BodySize", size)?.bits);
    let processor = Word::new(layout, Kind::Processor, stage.range).with("Processor", processor)?;
    words.push(processor.bits);
    words.extend(body);
    Ok(words)
}

/// A word that is being put together.
#[derive(Debug, Clone, Copy)]
struct Word {
    layout: Layout,
    kind: Kind,
    bits: u32,
    /// The place of its statement, for errors.
    range: TextRange,
}

impl Word {
    fn new(layout: Layout, kind: Kind, range: TextRange) -> Word {
        Word { layout, kind, bits: 0, range }
    }

    /// Sets a field. Fields that an era lacks take nothing but zero.
    fn with(mut self, name: &str, value: u32) -> Result<Word> {
        let all = fields::fields(self.layout, self.kind);
        let Some(field) = all.iter().find(|field| field.name == name) else {
            return if value == 0 { Ok(self) } else { Err(self.missing(name)) };
        };
        if value > field.largest() {
            let message = format!(
                "{value} does not fit the {} bits of {} in a {} token of {}",
                field.width,
                name,
                self.kind.name(),
                self.layout
            );
            return Err(Unencodable { range: self.range, message });
        }
        self.bits = self.bits & !(field.largest() << field.low) | value << field.low;
        Ok(self)
    }

    /// Sets four fields, for x, y, z and w.
    fn with_each(self, names: [&str; 4], values: [u32; 4]) -> Result<Word> {
        names.into_iter().zip(values).try_fold(self, |word, (name, value)| word.with(name, value))
    }

    /// Sets a field of 16 bits with a sign.
    fn with_signed(self, name: &str, value: i32) -> Result<Word> {
        match i16::try_from(value) {
            Ok(value) => self.with(name, u32::from(value as u16)),
            Err(_) => {
                let message = format!("{value} does not fit the signed 16 bits of {name}");
                Err(Unencodable { range: self.range, message })
            }
        }
    }

    #[cold]
    fn missing(&self, name: &str) -> Unencodable {
        let kind = self.kind.name();
        let message = match fields::fields(self.layout, self.kind).is_empty() {
            true => format!("the tokens of {} have no {kind} token", self.layout),
            false => format!("a {kind} token of {} has no {name}", self.layout),
        };
        Unencodable { range: self.range, message }
    }
}

struct Encoder {
    layout: Layout,
    stage: Stage,
    words: Vec<u32>,
}

impl Encoder {
    fn word(&self, kind: Kind, range: TextRange) -> Word {
        Word::new(self.layout, kind, range)
    }

    fn push(&mut self, word: Word) {
        self.words.push(word.bits);
    }

    /// The number of a word.
    fn number(&self, list: &str, word: &str, range: TextRange) -> Result<u32> {
        numbers::number(self.layout, list, word).ok_or_else(|| Unencodable {
            range,
            message: format!("the tokens of {} have no number for {list} `{word}`", self.layout),
        })
    }

    /// The number of an entry of a list.
    fn number_of<T: WordList>(&self, word: T, range: TextRange) -> Result<u32> {
        self.number(T::LIST, word.word(), range)
    }

    /// The number of an entry of a list; 0 where there is none.
    fn optional<T: WordList>(&self, entry: Option<Spanned<T>>) -> Result<u32> {
        entry.map_or(Ok(0), |entry| self.number_of(entry.value, entry.range))
    }

    /// The first word of a statement, whose size is set by [`close`](Self::close).
    fn open(&mut self) -> usize {
        self.words.push(0);
        self.words.len() - 1
    }

    fn close(&mut self, start: usize, word: Word, size: usize) -> Result<()> {
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        self.words[start] = word.with("Size", size)?.bits;
        Ok(())
    }

    fn immediate(&mut self, immediate: &Immediate) -> Result<()> {
        let range = immediate.ty.range;
        let ty = self.number_of(immediate.ty.value, range)?;
        let start = self.open();
        self.words.extend(immediate.bits);
        let word = self.word(Kind::Immediate, range).with("Type", IMMEDIATE)?;
        self.close(start, word.with("DataType", ty)?, 1 + immediate.bits.len())
    }

    fn property(&mut self, property: &Property, range: TextRange) -> Result<()> {
        let (Some(name), Some(value)) = (property.name, property.value) else {
            let message = "a property without name or value has no tokens".to_owned();
            return Err(Unencodable { range, message });
        };
        let number = self.number_of(name.value, name.range)?;
        let data = match value.value {
            PropertyValue::Number(number) => number,
            PropertyValue::Primitive(it) => self.number_of(it, value.range)?,
            PropertyValue::Origin(it) => self.number_of(it, value.range)?,
            PropertyValue::PixelCenter(it) => self.number_of(it, value.range)?,
            PropertyValue::Stage(it) => self.number_of(it, value.range)?,
        };
        let word = self.word(Kind::Property, range).with("Type", PROPERTY)?;
        let start = self.open();
        self.words.push(data);
        self.close(start, word.with("PropertyName", number)?, 2)
    }

    fn instruction(&mut self, instruction: &Instruction, range: TextRange) -> Result<()> {
        let opcode = instruction.opcode;
        let row = opcode.value.row();
        let has_memory =
            has_memory_words(row) && fields::has(self.layout, Kind::Instruction, "Memory");
        let has_texture = has_offsets(row);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let number = self.number(numbers::OPCODES, opcode.value.mnemonic(), opcode.range)?;
        let saturate = match (instruction.saturate, instruction.signed_saturate) {
            (_, true) => SIGNED_SATURATE,
            (true, false) => SATURATE,
            (false, false) => 0,
        };
        if let Some(form) = instruction.historic.first() {
            let message = format!("the historic {} is not encoded", form.kind);
            return Err(Unencodable { range: form.range, message });
        }
        let mut word = self
            .word(Kind::Instruction, range)
            .with("Type", INSTRUCTION)?
            .with("Opcode", number)?
            .with("Saturate", saturate)?
            .with("NumDstRegs", count(instruction.destinations.len()))?
            .with("NumSrcRegs", count(instruction.sources.len()))?
            .with("Precise", u32::from(instruction.precise))?;
        if !has_memory {
            self.refuse_memory_words(instruction, range, row.texture)?;
        }
        let start = self.open();
        if self.layout.has_extensions() {
            word = self.extensions(instruction, word)?;
        } else {
            word = word
                .with("Predicate", u32::from(instruction.predicate.is_some()))?
                .with("Label", u32::from(instruction.label.is_some()))?
                .with("Texture", u32::from(has_texture))?
                .with("Memory", u32::from(has_memory))?;
            self.extra_words(instruction, has_texture)?;
            if has_memory {
                self.memory(instruction, range)?;
            }
        }
        for destination in &instruction.destinations {
            self.destination(destination, instruction.predicate.as_deref())?;
        }
        for source in &instruction.sources {
            self.source(source)?;
        }
        // The builders since 2009 do not count the instruction's own word.
        let size = self.words.len() - start - usize::from(!self.layout.has_extensions());
        self.close(start, word, size)
    }

    fn refuse_memory_words(
        &self,
        instruction: &Instruction,
        range: TextRange,
        texture: bool,
    ) -> Result<()> {
        let target = instruction.target.filter(|_| !texture);
        if target.is_some() || instruction.format.is_some() || !instruction.qualifiers.is_empty() {
            return Err(self.word(Kind::Instruction, range).missing("Memory"));
        }
        Ok(())
    }

    /// Predicate, label and texture words, before the operands.
    fn extra_words(&mut self, instruction: &Instruction, has_texture: bool) -> Result<()> {
        if let Some(predicate) = &instruction.predicate {
            self.predicate(predicate)?;
        }
        if let Some(label) = instruction.label {
            let word = self.word(Kind::Label, label.range).with("Label", label.value)?;
            self.push(word);
        }
        if has_texture {
            let target = self.target(instruction)?;
            let range = instruction.opcode.range;
            let count = u32::try_from(instruction.offsets.len()).unwrap_or(u32::MAX);
            let mut word = self.word(Kind::Texture, range).with("Texture", target)?;
            if fields::has(self.layout, Kind::Texture, "ReturnType") {
                word = word.with("ReturnType", UNKNOWN_RETURN_TYPE)?;
            }
            self.push(word.with("NumOffsets", count)?);
            for offset in &instruction.offsets {
                self.texture_offset(offset)?;
            }
        }
        Ok(())
    }

    /// The number of the texture target; that of `UNKNOWN` where there is none.
    fn target(&self, instruction: &Instruction) -> Result<u32> {
        let (word, range) = match instruction.target {
            Some(target) => (target.value, target.range),
            None => (TextureTarget::Unknown, instruction.opcode.range),
        };
        self.number_of(word, range)
    }

    fn texture_offset(&mut self, offset: &TextureOffset) -> Result<()> {
        let register = &offset.register;
        if register.dimension.is_some() || register.index.indirect.is_some() {
            let message = "the token of a texel offset has room for one plain index".to_owned();
            return Err(Unencodable { range: offset.range, message });
        }
        let [x, y, z] = offset.swizzle.map(|component| component as u32);
        let file = self.number_of(register.file, register.range)?;
        let word = self
            .word(Kind::TextureOffset, offset.range)
            .with_signed("Index", register.index.offset)?
            .with("File", file)?
            .with("SwizzleX", x)?
            .with("SwizzleY", y)?
            .with("SwizzleZ", z)?;
        self.push(word);
        Ok(())
    }

    fn memory(&mut self, instruction: &Instruction, range: TextRange) -> Result<()> {
        let mut qualifiers = 0;
        for qualifier in &instruction.qualifiers {
            qualifiers |= 1 << self.number_of(qualifier.value, qualifier.range)?;
        }
        let target = self.optional(instruction.target)?;
        let format = self.format(instruction.format.as_ref())?;
        let word = self.word(Kind::Memory, range).with("Qualifier", qualifiers)?;
        self.push(word.with("Texture", target)?.with("Format", format)?);
        Ok(())
    }

    /// The number of a format; 0 where there is none.
    fn format(&self, format: Option<&Spanned<String>>) -> Result<u32> {
        let Some(Spanned { value, range }) = format else { return Ok(0) };
        match numbers::number(self.layout, numbers::FORMATS, value) {
            Some(number) => Ok(number),
            None => self.number(numbers::FORMATS, &value.to_ascii_uppercase(), *range),
        }
    }

    /// Label and texture as extension words.
    fn extensions(&mut self, instruction: &Instruction, word: Word) -> Result<Word> {
        if let Some(offset) = instruction.offsets.first() {
            return Err(self.word(Kind::TextureOffset, offset.range).missing("Index"));
        }
        let mut all = Vec::new();
        if let Some(label) = instruction.label {
            let word = self.word(Kind::LabelExtension, label.range);
            all.push(word.with("Type", extension::LABEL)?.with("Label", label.value)?);
        }
        if instruction.opcode.value.row().texture {
            let target = self.target(instruction)?;
            let word = self.word(Kind::TextureExtension, instruction.opcode.range);
            all.push(word.with("Type", extension::TEXTURE)?.with("Texture", target)?);
        }
        self.push_extensions(word, &all)
    }

    /// Adds a chain of extension words, and the mark of it to what they extend.
    fn push_extensions(&mut self, word: Word, all: &[Word]) -> Result<Word> {
        for (place, extension) in all.iter().enumerate() {
            let more = u32::from(place + 1 < all.len());
            let extension = extension.with("Extended", more)?;
            self.push(extension);
        }
        word.with("Extended", u32::from(!all.is_empty()))
    }
}

/// Clamp to 0..1.
pub(super) const SATURATE: u32 = 1;
/// Clamp to -1..1, until 2015.
pub(super) const SIGNED_SATURATE: u32 = 2;

/// The types of statements.
pub(super) const DECLARATION: u32 = 0;
pub(super) const IMMEDIATE: u32 = 1;
pub(super) const INSTRUCTION: u32 = 2;
pub(super) const PROPERTY: u32 = 3;
