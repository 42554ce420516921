//! Registers with the words that index and extend them.

use source::TextRange;

use super::historic::{self, Forms, Signs};
use super::{Codec, Result, Token, TokenType, fields, print};
use crate::ast::{
    Destination, Index, Indirect, Predicate, Register, Source, Spanned, Swizzle, WriteMask,
};
use crate::words::{File, Modifier};

/// The depth to which indices of indices are followed. Text knows one level, no real stream has
/// more than two.
const DEEPEST_INDEX: u32 = 16;

/// The extensions of destinations and sources by their types.
const OF_DESTINATIONS: [TokenType; 3] = [
    TokenType::ConditionDestination,
    TokenType::ModulateDestination,
    TokenType::PredicateDestination,
];
const OF_SOURCES: [TokenType; 2] = [TokenType::SwizzleExtension, TokenType::ModifierExtension];

/// A destination; `None` where its file is unknown. Until 2009 it has the predicate with it.
pub(super) fn destination(
    codec: &mut impl Codec,
    given: Destination,
    predicate: &mut Option<Box<Predicate>>,
    forms: &mut Forms<'_>,
) -> Result<Option<Destination>> {
    let range = given.range;
    let word = codec.word(TokenType::Destination, range)?;
    let form = |kind, word| forms.given(kind).map(|form| (word, form.range));
    let condition = form(Modifier::ConditionCode, TokenType::ConditionDestination);
    let factor = form(Modifier::Factor, TokenType::ModulateDestination);
    let predicated = predicate.as_ref().filter(|_| codec.layout().has_extensions());
    let predicated = predicated.map(|it| (TokenType::PredicateDestination, it.range));
    let mut wanted = condition.into_iter().chain(factor).chain(predicated);
    let mut last = word;
    while let Some(word) = codec.extension(&last, &OF_DESTINATIONS, wanted.next())? {
        match word.kind {
            TokenType::ConditionDestination => historic::condition(codec, &word, forms)?,
            TokenType::ModulateDestination => historic::factor(codec, &word, forms)?,
            TokenType::PredicateDestination => self::predicate(codec, &word, predicate)?,
            _ => {}
        }
        last = word;
    }
    let mask = WriteMask(codec.number(&word, "WriteMask", u32::from(given.mask.0))? as u8);
    if mask.0 == 0 {
        codec.error(&word, "the destination writes no component".to_owned());
    }
    let register = register(codec, &word, given.register)?;
    let destination = register.map(|register| Destination { range, register, mask });
    if let Some(destination) = &destination {
        codec.explain(&word, || print::destination(destination));
    }
    Ok(destination)
}

/// The predicate of an instruction, of which the word has register, swizzle and sign.
pub(super) fn predicate(
    codec: &mut impl Codec,
    word: &Token,
    predicate: &mut Option<Box<Predicate>>,
) -> Result<()> {
    let mut it = predicate.take().unwrap_or_default();
    let offset = it.register.index.offset;
    it.register.file = File::Predicate;
    it.register.index.offset = if word.kind == TokenType::Predicate {
        codec.signed(word, "Index", offset)?
    } else {
        codec.number(word, "PredSrcIndex", u32::try_from(offset).unwrap_or(u32::MAX))? as i32
    };
    it.swizzle = codec.swizzle(word, it.swizzle)?;
    it.inverted = codec.flag(word, "Negate", it.inverted)?;
    codec.explain(word, || print::predicate(&it));
    *predicate = Some(it);
    Ok(())
}

/// A source; `None` where its file is unknown.
pub(super) fn source(
    codec: &mut impl Codec,
    given: Source,
    forms: &mut Forms<'_>,
) -> Result<Option<Source>> {
    let range = given.range;
    let word = codec.word(TokenType::Source, range)?;
    let letters = forms.given(Modifier::ExtendedSwizzle);
    let own = if letters.is_some() { Swizzle::IDENTITY } else { given.swizzle };
    let mut swizzle = codec.swizzle(&word, own)?;
    let signs = Signs::of(codec, &word, &given, forms)?;
    let is_own = codec.has(&word, "Absolute");
    let mut absolute = codec.flag(&word, "Absolute", is_own && given.absolute)?;
    let inner = codec.flag(&word, "Negate", signs.inner)?;
    let mut read = Signs { inner, ..Signs::default() };
    let extended = letters.map(|form| (TokenType::SwizzleExtension, form.range));
    let signed = signs.extend().then_some((TokenType::ModifierExtension, range));
    let mut wanted = extended.into_iter().chain(signed);
    let mut last = word;
    while let Some(word) = codec.extension(&last, &OF_SOURCES, wanted.next())? {
        match word.kind {
            TokenType::SwizzleExtension => {
                swizzle = historic::extended_swizzle(codec, &word, swizzle, forms)?;
            }
            TokenType::ModifierExtension => {
                read = Signs { inner, ..signs.word(codec, &word)? };
                absolute |= read.absolute;
            }
            _ => {}
        }
        last = word;
    }
    read.find(range, forms);
    let negate = read.negate();
    let register = register(codec, &word, given.register)?;
    let source = register.map(|register| Source { range, register, swizzle, absolute, negate });
    if let Some(source) = &source {
        codec.explain(&word, || print::source(source));
    }
    Ok(source)
}

/// The register of an operand's word, with the words that index it; `None` where its file is
/// unknown.
fn register(codec: &mut impl Codec, word: &Token, given: Register) -> Result<Option<Register>> {
    let range = given.range;
    let file = codec.entry(word, "File", Some(Spanned { value: given.file, range }))?;
    let has_dimension = codec.flag(word, "Dimension", given.dimension.is_some())?;
    let index = index(codec, word, given.index, range, 0)?;
    let mut dimension = None;
    if has_dimension {
        dimension = Some(self::dimension(codec, given.dimension.unwrap_or_default(), range, 0)?);
    }
    Ok(file.map(|file| Register { range, file: file.value, dimension, index }))
}

/// An index, whose number the word has, with the words of the register that holds the rest.
fn index(
    codec: &mut impl Codec,
    word: &Token,
    given: Index,
    range: TextRange,
    depth: u32,
) -> Result<Index> {
    let is_indirect = codec.flag(word, "Indirect", given.indirect.is_some())?;
    let offset = codec.signed(word, "Index", given.offset)?;
    let mut indirect = None;
    if is_indirect {
        indirect = self::indirect(codec, given.indirect.unwrap_or_default(), range, depth)?;
    }
    Ok(Index { offset, indirect })
}

/// A dimension and those chained to it, of which text has no more than one.
fn dimension(codec: &mut impl Codec, given: Index, range: TextRange, depth: u32) -> Result<Index> {
    let mut first = None;
    loop {
        let word = codec.word(TokenType::Dimension, range)?;
        codec.no_extensions(&word)?;
        let index = index(codec, &word, given, range, depth)?;
        codec.explain(&word, || print::index(&index));
        if first.is_some() {
            codec.error(&word, "text has no form for a third index".to_owned());
        }
        let index = *first.get_or_insert(index);
        if !codec.flag(&word, "Dimension", false)? {
            return Ok(index);
        }
    }
}

/// The register that holds an index. Words that index this one in turn
/// are read and reported: text has no form for them.
fn indirect(
    codec: &mut impl Codec,
    given: Indirect,
    range: TextRange,
    depth: u32,
) -> Result<Option<Indirect>> {
    let word = codec.word(TokenType::Indirect, range)?;
    if depth > DEEPEST_INDEX {
        return Err(codec.stop(&word, "indices are nested too deep".to_owned()));
    }
    codec.no_extensions(&word)?;
    let is_indirect = codec.flag(&word, "Indirect", false)?;
    let has_dimension = codec.flag(&word, "Dimension", false)?;
    if is_indirect || has_dimension {
        codec.error(&word, "text has no form for an index of an index".to_owned());
    }
    if is_indirect {
        indirect(codec, Indirect::default(), range, depth + 1)?;
    }
    if has_dimension {
        dimension(codec, Index::default(), range, depth + 1)?;
    }
    if codec.numbers(&word, ["Negate", "Absolute"], [0; 2])? != [0; 2] {
        codec.lost(&word, "a modifier of an index");
    }
    let file = codec.entry(&word, "File", Some(Spanned { value: given.file, range }))?;
    let number = i32::try_from(given.index).unwrap_or(i32::MAX);
    let number = codec.signed(&word, "Index", number)?;
    let Ok(index) = u32::try_from(number) else {
        codec.error(&word, format!("{number} is not a register number"));
        return Ok(None);
    };
    let mut component = given.component;
    // Where the word is that of a source it reads one component four times. Only the first
    // counts.
    for name in fields::SWIZZLE.into_iter().rev() {
        if codec.has(&word, name) {
            [component] = codec.components(&word, [name], [component])?;
        }
    }
    let array = given.array.unwrap_or(0);
    if array > 0 && !codec.has(&word, "ArrayID") {
        let message = format!("the tokens of {} have no array numbers", codec.layout());
        return Err(codec.stop(&word, message));
    }
    let array = codec.number(&word, "ArrayID", array)?;
    let array = (array != 0).then_some(array);
    let indirect = file.map(|file| Indirect { file: file.value, index, component, array });
    if let Some(indirect) = &indirect {
        codec.explain(&word, || print::indirect(indirect));
    }
    Ok(indirect)
}
