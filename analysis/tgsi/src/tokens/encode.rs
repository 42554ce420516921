//! From a parsed shader to words.
//!
//! Words come in the order of the text. Where the text leaves a choice the
//! reference's builder is followed, so that its words come out bit for bit.

use source::TextRange;

use super::Layout;
use super::codec::{self, Codec, STATEMENTS, Token};
use super::fields::{self, TokenType};
use super::numbers;
use crate::Opcode;
use crate::ast::{Shader, Spanned, Statement, StatementKind};
use crate::words::{Stage, WordList};

/// The reason for which a shader has no tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unencodable {
    /// The part that cannot be encoded, in bytes of the text that was parsed.
    pub range: TextRange,
    /// The reason, in one sentence without a full stop.
    pub message: String,
}

pub(super) type Result<T> = std::result::Result<T, Unencodable>;

/// The token stream of a shader in an era's layout.
///
/// # Errors
/// Where the era has no token for something, a number does not fit its field,
/// or a statement was not understood when the text was read.
pub fn encode(shader: &Shader, layout: Layout) -> Result<Vec<u32>> {
    let stage = shader.stage;
    let mut encoder = Encoder { layout, stage: stage.value, words: Vec::new() };
    if layout.has_extensions() {
        let version = encoder.word(TokenType::Version, stage.range)?;
        encoder.numbers(&version, ["MajorVersion", "MinorVersion"], [1; 2])?;
    }
    let header = encoder.word(TokenType::Header, stage.range)?;
    let processor = encoder.word(TokenType::Processor, stage.range)?;
    encoder.entry(&processor, "Processor", Some(stage))?;
    let start = encoder.words.len();
    for statement in &shader.statements {
        encoder.statement(statement)?;
    }
    let size = u32::try_from(encoder.words.len() - start).unwrap_or(u32::MAX);
    encoder.numbers(&header, ["HeaderSize", "BodySize"], [2, size])?;
    Ok(encoder.words)
}

struct Encoder {
    layout: Layout,
    stage: Stage,
    words: Vec<u32>,
}

impl Encoder {
    fn statement(&mut self, statement: &Statement) -> Result<()> {
        let range = statement.range;
        let lost = |message: &str| Unencodable { range, message: message.to_owned() };
        if statement.broken {
            return Err(lost("a statement with an error has no tokens"));
        }
        let at = self.words.len();
        let kind = match statement.kind.clone() {
            StatementKind::Declaration(mut declaration) => {
                codec::declaration(self, &mut declaration)?;
                TokenType::Declaration
            }
            StatementKind::Immediate(mut immediate) => {
                codec::immediate(self, &mut immediate)?;
                TokenType::Immediate
            }
            StatementKind::Property(mut property) => {
                if property.name.is_none() || property.value.is_none() {
                    return Err(lost("a property without name or value has no tokens"));
                }
                codec::property(self, &mut property, range)?;
                TokenType::Property
            }
            StatementKind::Instruction(mut instruction) => {
                codec::instruction(self, &mut instruction, range)?;
                TokenType::Instruction
            }
            StatementKind::Unknown => return Err(lost("this text has no tokens")),
        };
        let number = STATEMENTS.iter().position(|it| *it == kind).unwrap_or_default();
        // The builders since 2009 do not count an instruction's own word.
        let is_counted = kind != TokenType::Instruction || self.layout.has_extensions();
        let size = self.words.len() - at - usize::from(!is_counted);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let word = Token { kind, at, range };
        self.numbers(&word, ["Type", "Size"], [number as u32, size])?;
        Ok(())
    }

    /// The number of a list's entry. Formats are known in any letter case.
    fn number_of(&self, list: &str, given: Spanned<&str>) -> Result<u32> {
        let Spanned { value, range } = given;
        let number = |word: &str| numbers::number(self.layout, list, word);
        number(value).or_else(|| number(&value.to_ascii_uppercase())).ok_or_else(|| {
            let (layout, word) = (self.layout, value.to_ascii_uppercase());
            let message = format!("the tokens of {layout} have no number for {list} `{word}`");
            Unencodable { range, message }
        })
    }
}

impl Codec for Encoder {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn stage(&self) -> Option<Stage> {
        Some(self.stage)
    }

    fn word(&mut self, kind: TokenType, range: TextRange) -> Result<Token> {
        self.words.push(0);
        Ok(Token { kind, at: self.words.len() - 1, range })
    }

    fn extension(
        &mut self,
        extended: &Token,
        kinds: &[TokenType],
        wanted: Option<(TokenType, TextRange)>,
    ) -> Result<Option<Token>> {
        let Some((kind, range)) = wanted else { return Ok(None) };
        self.flag(extended, "Extended", true)?;
        let word = self.word(kind, range)?;
        let number = kinds.iter().position(|it| *it == kind).unwrap_or_default();
        self.number(&word, "Type", number as u32)?;
        Ok(Some(word))
    }

    /// Sets a field. Fields that an era lacks take nothing but zero.
    fn number(&mut self, word: &Token, name: &str, value: u32) -> Result<u32> {
        let (layout, kind, range) = (self.layout, word.kind, word.range);
        let Some(field) = fields::fields(layout, kind).iter().find(|field| field.name == name)
        else {
            let message = || fields::missing(layout, kind, name);
            return if value == 0 { Ok(0) } else { Err(Unencodable { range, message: message() }) };
        };
        if value > field.largest() {
            let (width, kind) = (field.width, kind.name());
            let message = format!(
                "{value} does not fit the {width} bits of {name} in a {kind} token of {layout}"
            );
            return Err(Unencodable { range, message });
        }
        let bits = &mut self.words[word.at];
        *bits = *bits & !(field.largest() << field.low) | value << field.low;
        Ok(value)
    }

    fn signed(&mut self, word: &Token, field: &str, value: i32) -> Result<i32> {
        let Ok(bits) = i16::try_from(value) else {
            let message = format!("{value} does not fit the signed 16 bits of {field}");
            return Err(Unencodable { range: word.range, message });
        };
        self.number(word, field, u32::from(bits as u16))?;
        Ok(value)
    }

    fn listed<'a>(
        &mut self,
        word: &Token,
        field: &str,
        list: &'static str,
        given: Option<Spanned<&'a str>>,
    ) -> Result<Option<&'a str>> {
        if let Some(given) = given {
            let number = self.number_of(list, given)?;
            self.number(word, field, number)?;
        }
        Ok(given.map(|given| given.value))
    }

    fn opcode(&mut self, word: &Token, given: Spanned<Opcode>) -> Result<Option<Opcode>> {
        self.listed(word, "Opcode", numbers::OPCODES, Some(given.map(Opcode::mnemonic)))?;
        Ok(Some(given.value))
    }

    fn values(&mut self, bits: &mut [u32; 4]) -> Result<usize> {
        self.words.extend(*bits);
        Ok(bits.len())
    }

    fn set<T: WordList>(
        &mut self,
        word: &Token,
        field: &str,
        given: &[Spanned<T>],
    ) -> Result<Vec<Spanned<T>>> {
        let mut bits = 0;
        for entry in given {
            bits |= 1 << self.number_of(T::LIST, entry.map(T::word))?;
        }
        self.number(word, field, bits)?;
        Ok(given.to_vec())
    }

    fn stop(&mut self, word: &Token, message: String) -> Unencodable {
        Unencodable { range: word.range, message }
    }
}
