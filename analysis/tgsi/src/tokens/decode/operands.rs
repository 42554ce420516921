//! Registers with the words that index them.

use source::TextRange;

use super::extensions::SourceExtensions;
use super::instruction::Extras;
use super::{Decoder, Kind, Result, Stop, Taken, print};
use crate::ast::{Destination, Index, Indirect, Register, Source, Swizzle};
use crate::words::File;

/// The depth to which indices of indices are followed. Text knows one level, no real stream has
/// more than two.
const DEEPEST_INDEX: u32 = 16;

impl Decoder<'_> {
    /// A destination; `None` where its file is unknown.
    pub(super) fn destination(&mut self, extras: &mut Extras) -> Result<Option<Destination>> {
        let word = self.take(Kind::Destination)?;
        if word.flag("Extended") {
            self.destination_extensions(extras)?;
        }
        let mask = word.mask("WriteMask");
        if mask.0 == 0 {
            self.error(word.at, "the destination writes no component");
        }
        let range = TextRange::default();
        let register = self.register(&word)?;
        let destination = register.map(|register| Destination { range, register, mask });
        if let Some(destination) = &destination {
            self.mean(word.at, print::destination(destination));
        }
        Ok(destination)
    }

    /// A source; `None` where its file is unknown.
    pub(super) fn source(&mut self) -> Result<Option<Source>> {
        let word = self.take(Kind::Source)?;
        let mut extensions = SourceExtensions {
            swizzle: word.swizzle(),
            absolute: word.flag("Absolute"),
            negate: word.flag("Negate"),
        };
        if word.flag("Extended") {
            self.source_extensions(&mut extensions)?;
        }
        let range = TextRange::default();
        let register = self.register(&word)?;
        let SourceExtensions { swizzle, absolute, negate } = extensions;
        let source = register.map(|register| Source { range, register, swizzle, absolute, negate });
        if let Some(source) = &source {
            self.mean(word.at, print::source(source));
        }
        Ok(source)
    }

    /// The register of an operand word, with the words that index it.
    fn register(&mut self, word: &Taken) -> Result<Option<Register>> {
        let file = self.entry::<File>(word, "File");
        let mut index = Index { offset: word.signed("Index"), indirect: None };
        if word.flag("Indirect") {
            index.indirect = self.indirect(0)?;
        }
        let mut dimension = None;
        if word.flag("Dimension") {
            dimension = Some(self.dimensions(0)?);
        }
        let range = TextRange::default();
        Ok(file.map(|file| Register { range, file, dimension, index }))
    }

    /// A dimension and those chained to it, of which text has no more than one.
    fn dimensions(&mut self, depth: u32) -> Result<Index> {
        let mut first = None;
        loop {
            let word = self.take(Kind::Dimension)?;
            if word.flag("Extended") {
                self.unknown_extensions()?;
            }
            let mut index = Index { offset: word.signed("Index"), indirect: None };
            if word.flag("Indirect") {
                index.indirect = self.indirect(depth)?;
            }
            self.mean(word.at, print::index(&index));
            if first.is_some() {
                self.error(word.at, "text has no form for a third index");
            }
            let index = *first.get_or_insert(index);
            if !word.flag("Dimension") {
                return Ok(index);
            }
        }
    }

    /// The register that holds an index. Words that index this one in turn
    /// are read and reported: text has no form for them.
    fn indirect(&mut self, depth: u32) -> Result<Option<Indirect>> {
        let word = self.take(Kind::Indirect)?;
        if depth > DEEPEST_INDEX {
            self.error(word.at, "indices are nested too deep");
            return Err(Stop);
        }
        if word.flag("Extended") {
            self.unknown_extensions()?;
        }
        if word.flag("Indirect") || word.flag("Dimension") {
            self.error(word.at, "text has no form for an index of an index");
            if word.flag("Indirect") {
                self.indirect(depth + 1)?;
            }
            if word.flag("Dimension") {
                self.dimensions(depth + 1)?;
            }
        }
        if word.flag("Negate") || word.flag("Absolute") {
            self.lost(word.at, "a modifier of an index");
        }
        let file = self.entry::<File>(&word, "File");
        let index = word.signed("Index");
        let Ok(index) = u32::try_from(index) else {
            self.error(word.at, format!("{index} is no register number"));
            return Ok(None);
        };
        // Where the word has a whole swizzle, only its first component counts.
        let Swizzle([component, ..]) = word.swizzle();
        let array = word.field("ArrayID");
        let array = (array != 0).then_some(array);
        let indirect = file.map(|file| Indirect { file, index, component, array });
        if let Some(indirect) = &indirect {
            self.mean(word.at, print::indirect(indirect));
        }
        Ok(indirect)
    }
}
