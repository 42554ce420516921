//! Registers with the words that index and extend them.

use source::TextRange;

use super::{Codec, Result, Token, TokenType, fields, print};
use crate::ast::{
    Component, Destination, Index, Indirect, Predicate, Register, Source, Spanned, Swizzle,
    WriteMask,
};
use crate::words::File;

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

/// The condition that is always true, which new condition words are filled
/// with. The enumerators were renumbered once, without a trace in the version.
const ALWAYS: [u32; 2] = [6, 7];

/// The divisor that is one.
const DIVIDE_BY_ONE: u32 = 5;

/// A destination; `None` where its file is unknown. Until 2009 it has the predicate with it.
pub(super) fn destination(
    codec: &mut impl Codec,
    given: Destination,
    predicate: &mut Option<Box<Predicate>>,
) -> Result<Option<Destination>> {
    let range = given.range;
    let word = codec.word(TokenType::Destination, range)?;
    let predicated = predicate.as_ref().filter(|_| codec.layout().has_extensions());
    let mut wanted = predicated.map(|it| (TokenType::PredicateDestination, it.range));
    let mut last = word;
    while let Some(word) = codec.extension(&last, &OF_DESTINATIONS, wanted.take())? {
        match word.kind {
            TokenType::ConditionDestination
                if !ALWAYS.contains(&codec.number(&word, "CondMask", 0)?) =>
            {
                codec.lost(&word, "a condition of the destination");
            }
            TokenType::ModulateDestination if codec.flag(&word, "Modulate", false)? => {
                codec.lost(&word, "a factor of the destination");
            }
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
pub(super) fn source(codec: &mut impl Codec, given: Source) -> Result<Option<Source>> {
    let range = given.range;
    let word = codec.word(TokenType::Source, range)?;
    let mut swizzle = codec.swizzle(&word, given.swizzle)?;
    let is_extended = given.absolute && !codec.has(&word, "Absolute");
    let mut wanted = is_extended.then_some((TokenType::ModifierExtension, range));
    let mut absolute = codec.flag(&word, "Absolute", given.absolute && !is_extended)?;
    let mut negate = codec.flag(&word, "Negate", given.negate && !is_extended)?;
    let mut last = word;
    while let Some(word) = codec.extension(&last, &OF_SOURCES, wanted.take())? {
        match word.kind {
            TokenType::SwizzleExtension => {
                if let Some((read, sign)) = extended_swizzle(codec, &word)? {
                    (swizzle, negate) = (read, sign);
                }
            }
            TokenType::ModifierExtension => {
                let is_absolute = codec.flag(&word, "Absolute", given.absolute)?;
                let is_negative = codec.flag(&word, "Negate", given.negate)?;
                if codec.numbers(&word, ["Complement", "Bias", "Scale2X"], [0; 3])? != [0; 3] {
                    codec.lost(&word, "complement, bias and scale");
                }
                // The first sign counts before the absolute value, which
                // swallows it; two signs in a row cancel out.
                negate = is_negative != (negate && !is_absolute);
                absolute |= is_absolute;
            }
            _ => {}
        }
        last = word;
    }
    let register = register(codec, &word, given.register)?;
    let source = register.map(|register| Source { range, register, swizzle, absolute, negate });
    if let Some(source) = &source {
        codec.explain(&word, || print::source(source));
    }
    Ok(source)
}

/// The swizzle and sign that take the place of those of the source's own word; `None` where
/// text has no form for them.
fn extended_swizzle(codec: &mut impl Codec, word: &Token) -> Result<Option<(Swizzle, bool)>> {
    let names = ["ExtSwizzleX", "ExtSwizzleY", "ExtSwizzleZ", "ExtSwizzleW"];
    let components = codec.numbers(word, names, [0; 4])?;
    let signs = codec.numbers(word, ["NegateX", "NegateY", "NegateZ", "NegateW"], [0; 4])?;
    if codec.has(word, "ExtDivide") && codec.number(word, "ExtDivide", 0)? != DIVIDE_BY_ONE {
        codec.lost(word, "division by a component");
    }
    if components.iter().any(|component| *component as usize >= Component::ALL.len()) {
        codec.lost(word, "zero and one as components");
        return Ok(None);
    }
    if signs != [signs[0]; 4] {
        codec.lost(word, "signs of single components");
        return Ok(None);
    }
    let swizzle = Swizzle(components.map(|component| Component::ALL[component as usize]));
    codec.explain(word, || print::swizzle(swizzle));
    Ok(Some((swizzle, signs[0] != 0)))
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
