//! The words of statements, said once for whoever writes them and whoever reads them.
//!
//! A function here takes a part of a shader, brings it to its words, and returns the part
//! that the words stand for. A [`Codec`] knows the direction: the encoder writes the values
//! that it is given and returns them, the decoder returns those that it reads.

mod declaration;
mod historic;
mod instruction;
mod operands;

use source::TextRange;

use super::encode::{Result, Unencodable};
use super::fields::{self, TokenType};
use super::{Layout, numbers};
use crate::Opcode;
use crate::ast::{Component, Immediate, IndexRange, Property, PropertyValue, Spanned, Swizzle};
use crate::print;
use crate::words::{Stage, WordList};

pub(super) use declaration::{declaration, range};
pub(super) use instruction::instruction;

/// The kinds of statements by their types.
pub(super) const STATEMENTS: [TokenType; 4] =
    [TokenType::Declaration, TokenType::Immediate, TokenType::Instruction, TokenType::Property];

/// A word of a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenType,
    /// Its place in the stream.
    pub(super) at: usize,
    /// The text that it is written for, for errors.
    pub(super) range: TextRange,
}

/// A direction in which the words of a stream are gone through.
pub(super) trait Codec: Sized {
    fn layout(&self) -> Layout;

    fn stage(&self) -> Option<Stage>;

    /// The next word, which is of a kind.
    fn word(&mut self, kind: TokenType, range: TextRange) -> Result<Token>;

    /// The word that extends another, if one does: the wanted one, or the one that is there,
    /// whose kind is the one of its type.
    fn extension(
        &mut self,
        extended: &Token,
        kinds: &[TokenType],
        wanted: Option<(TokenType, TextRange)>,
    ) -> Result<Option<Token>>;

    /// A field; 0 where the era has none of the name.
    fn number(&mut self, word: &Token, field: &str, value: u32) -> Result<u32>;

    /// A field of 16 bits with a sign.
    fn signed(&mut self, word: &Token, field: &str, value: i32) -> Result<i32>;

    /// A field that has the number of a list's entry. Nothing is written where none is given,
    /// none is read where the number stands for none, which is reported.
    fn listed<'a>(
        &mut self,
        word: &Token,
        field: &str,
        list: &'static str,
        given: Option<Spanned<&'a str>>,
    ) -> Result<Option<&'a str>>;

    /// The opcode of an instruction.
    fn opcode(&mut self, word: &Token, given: Spanned<Opcode>) -> Result<Option<Opcode>>;

    /// The ranges of a declaration.
    fn ranges(&mut self, _: &Token, given: Spanned<IndexRange>) -> Result<Vec<IndexRange>> {
        Ok(range(self, given)?.into_iter().collect())
    }

    /// The values of an immediate, up to the end of the statement. Returns how many there are.
    fn values(&mut self, bits: &mut [u32; 4]) -> Result<usize>;

    /// A set of entries, one bit each.
    fn set<T: WordList>(
        &mut self,
        word: &Token,
        field: &str,
        given: &[Spanned<T>],
    ) -> Result<Vec<Spanned<T>>>;

    /// Says why it goes no further. What cannot be read is reported instead.
    fn stop(&mut self, word: &Token, message: String) -> Unencodable;

    /// Notes a word that is not as the era's builders make them.
    fn note_odd(&mut self) {}

    /// Says what is wrong with a word that was read.
    fn error(&mut self, _: &Token, _: String) {}

    /// Says that text has no form for something in a word that was read.
    fn lost(&mut self, _: &Token, _: &str) {}

    /// Says what a word stands for.
    fn explain(&mut self, _: &Token, _: impl FnOnce() -> String) {}

    /// Tells whether the era has a field.
    fn has(&self, word: &Token, field: &str) -> bool {
        fields::has(self.layout(), word.kind, field)
    }

    fn flag(&mut self, word: &Token, field: &str, value: bool) -> Result<bool> {
        Ok(self.number(word, field, u32::from(value))? != 0)
    }

    /// The number of parts that follow, of which there are `given` so far.
    fn count(&mut self, word: &Token, field: &str, given: usize) -> Result<usize> {
        let given = u32::try_from(given).unwrap_or(u32::MAX);
        Ok(self.number(word, field, given)? as usize)
    }

    /// Fields in a row.
    fn numbers<const N: usize>(
        &mut self,
        word: &Token,
        names: [&str; N],
        mut values: [u32; N],
    ) -> Result<[u32; N]> {
        for (name, value) in names.into_iter().zip(&mut values) {
            *value = self.number(word, name, *value)?;
        }
        Ok(values)
    }

    /// Components of a register.
    fn components<const N: usize>(
        &mut self,
        word: &Token,
        names: [&str; N],
        given: [Component; N],
    ) -> Result<[Component; N]> {
        let numbers = self.numbers(word, names, given.map(|component| component as u32))?;
        Ok(numbers.map(|number| Component::ALL[number as usize & 3]))
    }

    /// The components that x, y, z and w read.
    fn swizzle(&mut self, word: &Token, given: Swizzle) -> Result<Swizzle> {
        self.components(word, fields::SWIZZLE, given.0).map(Swizzle)
    }

    /// A field that has the number of an entry.
    fn entry<T: WordList>(
        &mut self,
        word: &Token,
        field: &str,
        given: Option<Spanned<T>>,
    ) -> Result<Option<Spanned<T>>> {
        let given = given.map(|it| it.map(T::word));
        let found = self.listed(word, field, T::LIST, given)?.and_then(T::from_word);
        Ok(found.map(|value| Spanned { value, range: word.range }))
    }

    /// A field that has the number of an entry, or 0.
    fn optional<T: WordList>(
        &mut self,
        word: &Token,
        field: &str,
        given: Option<Spanned<T>>,
    ) -> Result<Option<Spanned<T>>> {
        if !self.flag(word, field, given.is_some())? {
            return Ok(None);
        }
        self.entry(word, field, given)
    }

    /// The format of an image.
    fn format(
        &mut self,
        word: &Token,
        given: Option<&Spanned<String>>,
    ) -> Result<Option<Spanned<String>>> {
        let given = given.map(|it| Spanned { value: it.value.as_str(), range: it.range });
        let found = self.listed(word, "Format", numbers::FORMATS, given)?;
        Ok(found.map(|value| Spanned { value: value.to_owned(), range: word.range }))
    }

    /// Passes over the extensions of a word that has none.
    fn no_extensions(&mut self, word: &Token) -> Result<()> {
        let mut last = *word;
        while let Some(word) = self.extension(&last, &[], None)? {
            last = word;
        }
        Ok(())
    }
}

/// The words of an immediate. Returns how many values there are; nothing where the type is
/// unknown.
pub(super) fn immediate(
    codec: &mut impl Codec,
    immediate: &mut Immediate,
) -> Result<Option<usize>> {
    let word = codec.word(TokenType::Immediate, immediate.ty.range)?;
    let ty = codec.entry(&word, "DataType", Some(immediate.ty))?;
    let count = codec.values(&mut immediate.bits)?;
    Ok(ty.map(|ty| {
        immediate.ty = ty;
        count
    }))
}

/// The words of a property, whose name and value are none where they are unknown.
pub(super) fn property(
    codec: &mut impl Codec,
    property: &mut Property,
    range: TextRange,
) -> Result<()> {
    let word = codec.word(TokenType::Property, range)?;
    property.name = codec.entry(&word, "PropertyName", property.name)?;
    let given = property.value;
    let data = codec.word(TokenType::Value, given.map_or(range, |value| value.range))?;
    let Some(name) = property.name else { return Ok(()) };
    let number = match given.map(|value| value.value) {
        Some(PropertyValue::Number(number)) => Some(number),
        _ => None,
    };
    let value = match name.value.value_list().filter(|_| number.is_none()) {
        Some(list) => {
            let given = given.map(|value| value.map(PropertyValue::word));
            let word = codec.listed(&data, "Value", list, given)?;
            word.and_then(|word| PropertyValue::from_word(list, word))
        }
        None => Some(PropertyValue::Number(codec.number(&data, "Value", number.unwrap_or(0))?)),
    };
    if let Some(value) = value {
        codec.explain(&data, || print::property_value(value));
    }
    property.value = value.map(|value| Spanned { value, range: data.range });
    Ok(())
}
