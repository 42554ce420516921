//! Registers: destinations, sources, indirect and dimension words.

use source::TextRange;

use super::{Encoder, Kind, Result, Unencodable, Word, extension};
use crate::ast::{Destination, Index, Indirect, Predicate, Register, Source, Swizzle};
use crate::tokens::fields;

impl Encoder {
    /// The predicate word of 2009 to 2017.
    pub(super) fn predicate(&mut self, predicate: &Predicate) -> Result<()> {
        let word = self.word(Kind::Predicate, predicate.range);
        let word = word.with_signed("Index", predicate.register.index.offset)?;
        let word = with_swizzle(word, predicate.swizzle)?;
        self.push(word.with("Negate", u32::from(predicate.inverted))?);
        Ok(())
    }

    pub(super) fn destination(
        &mut self,
        destination: &Destination,
        predicate: Option<&Predicate>,
    ) -> Result<()> {
        let range = destination.range;
        let word = self.word(Kind::Destination, range);
        let word = word.with("WriteMask", u32::from(destination.mask.0))?;
        let mut all = Vec::new();
        if let Some(predicate) = predicate.filter(|_| self.layout.has_extensions()) {
            let index = u32::try_from(predicate.register.index.offset).unwrap_or(u32::MAX);
            let word = self
                .word(Kind::PredicateDestination, predicate.range)
                .with("Type", extension::DESTINATION_PREDICATE)?
                .with("PredSrcIndex", index)?;
            let word = with_swizzle(word, predicate.swizzle)?;
            all.push(word.with("Negate", u32::from(predicate.inverted))?);
        }
        self.register(&destination.register, word, &all)
    }

    pub(super) fn source(&mut self, source: &Source) -> Result<()> {
        let word = with_swizzle(self.word(Kind::Source, source.range), source.swizzle)?;
        if source.absolute && !fields::has(self.layout, Kind::Source, "Absolute") {
            // The sign of the word itself counts before the absolute value,
            // that of the extension after it.
            let modifier = self
                .word(Kind::ModifierExtension, source.range)
                .with("Type", extension::MODIFIER)?
                .with("Absolute", 1)?
                .with("Negate", u32::from(source.negate))?;
            return self.register(&source.register, word, &[modifier]);
        }
        let word = word
            .with("Absolute", u32::from(source.absolute))?
            .with("Negate", u32::from(source.negate))?;
        self.register(&source.register, word, &[])
    }

    /// The word of a register with all that follows: extensions, the register
    /// that indexes it, the dimension, the register that indexes that.
    fn register(&mut self, register: &Register, word: Word, extensions: &[Word]) -> Result<()> {
        let place = self.open();
        let index = &register.index;
        let word = word
            .with("File", self.number_of(register.file, register.range)?)?
            .with("Indirect", u32::from(index.indirect.is_some()))?
            .with("Dimension", u32::from(register.dimension.is_some()))?
            .with_signed("Index", index.offset)?;
        let word = self.push_extensions(word, extensions)?;
        self.words[place] = word.bits;
        if let Some(indirect) = &index.indirect {
            self.indirect(indirect, register.range)?;
        }
        if let Some(dimension) = &register.dimension {
            self.dimension_words(dimension, register.range)?;
        }
        Ok(())
    }

    fn dimension_words(&mut self, dimension: &Index, range: TextRange) -> Result<()> {
        let word = self
            .word(Kind::Dimension, range)
            .with("Indirect", u32::from(dimension.indirect.is_some()))?
            .with_signed("Index", dimension.offset)?;
        self.push(word);
        match &dimension.indirect {
            Some(indirect) => self.indirect(indirect, range),
            None => Ok(()),
        }
    }

    fn indirect(&mut self, indirect: &Indirect, range: TextRange) -> Result<()> {
        let index = i32::try_from(indirect.index).unwrap_or(i32::MAX);
        let component = indirect.component as u32;
        let mut word = self
            .word(Kind::Indirect, range)
            .with("File", self.number_of(indirect.file, range)?)?
            .with_signed("Index", index)?;
        // Where the word is that of a source, it reads one component four times.
        for name in fields::SWIZZLE {
            if fields::has(self.layout, Kind::Indirect, name) {
                word = word.with(name, component)?;
            }
        }
        let array = indirect.array.unwrap_or(0);
        if array > 0 && !fields::has(self.layout, Kind::Indirect, "ArrayID") {
            let message = format!("the tokens of {} have no array numbers", self.layout);
            return Err(Unencodable { range, message });
        }
        self.push(word.with("ArrayID", array)?);
        Ok(())
    }
}

fn with_swizzle(word: Word, Swizzle(components): Swizzle) -> Result<Word> {
    word.with_each(fields::SWIZZLE, components.map(|component| component as u32))
}
