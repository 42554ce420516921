//! Registers with the words that index them.

use source::TextRange;

use super::extensions::SourceExtensions;
use super::instruction::Extras;
use super::{Decoder, Kind, Result, Stop, print};
use crate::ast::{Destination, Index, Indirect, Register, Source, Swizzle, WriteMask};
use crate::words::File;

/// The depth to which indices of indices are followed. Text knows one level, no real stream has
/// more than two.
const DEEPEST_INDEX: u32 = 16;

impl Decoder<'_> {
    /// A destination; `None` where its file is unknown.
    pub(super) fn destination(&mut self, extras: &mut Extras) -> Result<Option<Destination>> {
        let (at, bits) = self.take(Kind::Destination)?;
        if self.flag(Kind::Destination, bits, "Extended") {
            self.destination_extensions(extras)?;
        }
        let mask = WriteMask(self.field(Kind::Destination, bits, "WriteMask") as u8);
        if mask.0 == 0 {
            self.error(at, "the destination writes no component");
        }
        let range = TextRange::default();
        let register = self.register(Kind::Destination, at, bits)?;
        let destination = register.map(|register| Destination { range, register, mask });
        if let Some(destination) = &destination {
            self.mean(at, print::destination(destination));
        }
        Ok(destination)
    }

    /// A source; `None` where its file is unknown.
    pub(super) fn source(&mut self) -> Result<Option<Source>> {
        let (at, bits) = self.take(Kind::Source)?;
        let mut extensions = SourceExtensions {
            swizzle: self.swizzle(Kind::Source, bits),
            absolute: self.flag(Kind::Source, bits, "Absolute"),
            negate: self.flag(Kind::Source, bits, "Negate"),
        };
        if self.flag(Kind::Source, bits, "Extended") {
            self.source_extensions(&mut extensions)?;
        }
        let range = TextRange::default();
        let register = self.register(Kind::Source, at, bits)?;
        let SourceExtensions { swizzle, absolute, negate } = extensions;
        let source = register.map(|register| Source { range, register, swizzle, absolute, negate });
        if let Some(source) = &source {
            self.mean(at, print::source(source));
        }
        Ok(source)
    }

    /// The register of an operand word, with the words that index it.
    fn register(&mut self, kind: Kind, at: usize, bits: u32) -> Result<Option<Register>> {
        let number = self.field(kind, bits, "File");
        let file = self.word_of::<File>(at, number);
        let mut index = Index { offset: self.signed(kind, bits, "Index"), indirect: None };
        if self.flag(kind, bits, "Indirect") {
            index.indirect = self.indirect(0)?;
        }
        let mut dimension = None;
        if self.flag(kind, bits, "Dimension") {
            dimension = Some(self.dimensions(0)?);
        }
        let range = TextRange::default();
        Ok(file.map(|file| Register { range, file, dimension, index }))
    }

    /// A dimension and those chained to it, of which text has no more than one.
    fn dimensions(&mut self, depth: u32) -> Result<Index> {
        let mut first = None;
        loop {
            let (at, bits) = self.take(Kind::Dimension)?;
            if self.flag(Kind::Dimension, bits, "Extended") {
                self.unknown_extensions()?;
            }
            let mut index =
                Index { offset: self.signed(Kind::Dimension, bits, "Index"), indirect: None };
            if self.flag(Kind::Dimension, bits, "Indirect") {
                index.indirect = self.indirect(depth)?;
            }
            self.mean(at, print::index(&index));
            if first.is_some() {
                self.error(at, "text has no form for a third index");
            }
            let index = *first.get_or_insert(index);
            if !self.flag(Kind::Dimension, bits, "Dimension") {
                return Ok(index);
            }
        }
    }

    /// The register that holds an index. Words that index this one in turn
    /// are read and reported: text has no form for them.
    fn indirect(&mut self, depth: u32) -> Result<Option<Indirect>> {
        let (at, bits) = self.take(Kind::Indirect)?;
        if depth > DEEPEST_INDEX {
            self.error(at, "indices are nested too deep");
            return Err(Stop);
        }
        let flag = |name| self.flag(Kind::Indirect, bits, name);
        let nested = flag("Indirect") || flag("Dimension");
        let modified = flag("Negate") || flag("Absolute");
        if flag("Extended") {
            self.unknown_extensions()?;
        }
        if nested {
            self.error(at, "text has no form for an index of an index");
            if self.flag(Kind::Indirect, bits, "Indirect") {
                self.indirect(depth + 1)?;
            }
            if self.flag(Kind::Indirect, bits, "Dimension") {
                self.dimensions(depth + 1)?;
            }
        }
        if modified {
            self.lost(at, "a modifier of an index");
        }
        let number = self.field(Kind::Indirect, bits, "File");
        let file = self.word_of::<File>(at, number);
        let index = self.signed(Kind::Indirect, bits, "Index");
        let Ok(index) = u32::try_from(index) else {
            self.error(at, format!("{index} is no register number"));
            return Ok(None);
        };
        // Where the word has a whole swizzle, only its first component counts.
        let Swizzle([component, ..]) = self.swizzle(Kind::Indirect, bits);
        let array = self.field(Kind::Indirect, bits, "ArrayID");
        let array = (array != 0).then_some(array);
        let indirect = file.map(|file| Indirect { file, index, component, array });
        if let Some(indirect) = &indirect {
            self.mean(at, print::indirect(indirect));
        }
        Ok(indirect)
    }
}
