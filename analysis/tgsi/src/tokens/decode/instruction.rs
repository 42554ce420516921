//! Instructions and the words between their first one and the operands.

use source::TextRange;

use super::{Decoder, Kind, Result, Taken, numbers, print, spanned};
use crate::Opcode;
use crate::ast::{Index, Instruction, Predicate, Register, StatementKind, Swizzle, TextureOffset};
use crate::opcodes::MAX_OFFSETS;
use crate::tokens::encode::{SATURATE, SIGNED_SATURATE, UNKNOWN_RETURN_TYPE};
use crate::tokens::fields;
use crate::words::{File, MemoryQualifier, TextureTarget};

/// Parts of an instruction's words, before it is known to be one.
#[derive(Debug, Default)]
pub(super) struct Extras {
    pub(super) predicate: Option<Box<Predicate>>,
    /// With the place of its word.
    pub(super) label: Option<(usize, u32)>,
    /// With the place of its word.
    pub(super) target: Option<(usize, TextureTarget)>,
    pub(super) offsets: Vec<TextureOffset>,
    pub(super) qualifiers: Vec<MemoryQualifier>,
    pub(super) memory_target: Option<TextureTarget>,
    pub(super) format: Option<String>,
}

impl Decoder<'_> {
    pub(super) fn instruction(&mut self) -> Result<()> {
        let word = self.take(Kind::Instruction)?;
        let (number, saturate) = (word.field("Opcode"), word.field("Saturate"));
        let (destinations, sources) = (word.field("NumDstRegs"), word.field("NumSrcRegs"));
        let opcode = self.named(word.at, (numbers::OPCODES, number), Opcode::find);
        let counts = (destinations as usize, sources as usize);
        let opcode = opcode.map(|opcode| self.opcode_of_its_year(opcode, number, counts));
        if saturate > SIGNED_SATURATE {
            self.error(word.at, format!("{saturate} is no way to saturate"));
        }
        let mut extras = Extras::default();
        if self.layout.has_extensions() {
            self.instruction_extensions(&word, &mut extras)?;
        } else {
            self.extra_words(&word, &mut extras)?;
        }
        let mut written = Vec::new();
        for _ in 0..destinations {
            written.extend(self.destination(&mut extras)?);
        }
        let mut read = Vec::new();
        for _ in 0..sources {
            read.extend(self.source()?);
        }
        self.instructions += 1;
        let Some(opcode) = opcode else { return Ok(()) };
        self.check_counts(word.at, opcode, counts);
        self.check_extras(word.at, opcode, &mut extras);
        let instruction = Instruction {
            ordinal: self.instructions,
            number: None,
            opcode: spanned(opcode),
            saturate: saturate == SATURATE,
            signed_saturate: saturate == SIGNED_SATURATE,
            precise: word.flag("Precise"),
            predicate: extras.predicate,
            historic: Vec::new(),
            destinations: written,
            sources: read,
            target: extras.target.map(|(_, target)| target).or(extras.memory_target).map(spanned),
            offsets: extras.offsets,
            qualifiers: extras.qualifiers.into_iter().map(spanned).collect(),
            format: extras.format.map(spanned),
            label: extras.label.map(|(_, label)| spanned(label)),
        };
        self.add(word.at, StatementKind::Instruction(instruction));
        Ok(())
    }

    /// Numbers were given again within an era. Where the operands do not fit
    /// the opcode that stayed, but one that went, it is that one.
    fn opcode_of_its_year(
        &self,
        opcode: Opcode,
        number: u32,
        (destinations, sources): (usize, usize),
    ) -> Opcode {
        let fits = |opcode: &Opcode| {
            let row = opcode.row();
            (row.destinations, row.sources) == (destinations, sources)
        };
        if fits(&opcode) {
            return opcode;
        }
        let others = numbers::other_words(self.layout, numbers::OPCODES, number);
        others.filter_map(Opcode::find).find(fits).unwrap_or(opcode)
    }

    fn check_counts(&mut self, at: usize, opcode: Opcode, counts: (usize, usize)) {
        let (destinations, sources) = counts;
        let row = opcode.row();
        let fewer = !row.last_source_since.is_empty() && sources + 1 == row.sources;
        if destinations != row.destinations || sources != row.sources && !fewer {
            let message = format!(
                "{opcode:?} has {} destinations and {} sources, not {destinations} and {sources}",
                row.destinations, row.sources
            );
            self.error(at, message);
        }
    }

    /// Leaves out what text has no room for.
    fn check_extras(&mut self, at: usize, opcode: Opcode, extras: &mut Extras) {
        let row = opcode.row();
        match extras.target {
            None if row.texture => self.error(at, format!("{opcode:?} needs a texture word")),
            Some((place, target)) if !row.texture => {
                // Builders give `SAMPLE` and its family an unknown target.
                if target != TextureTarget::Unknown {
                    self.lost(place, "a texture target of this opcode");
                }
                extras.target = None;
            }
            _ => {}
        }
        if let Some((place, _)) = extras.label.filter(|_| !row.label) {
            self.lost(place, "a label of this opcode");
            extras.label = None;
        }
    }

    fn extra_words(&mut self, word: &Taken, extras: &mut Extras) -> Result<()> {
        if word.flag("Predicate") {
            let word = self.take(Kind::Predicate)?;
            self.predicate(&word, word.signed("Index"), extras);
        }
        if word.flag("Label") {
            let word = self.take(Kind::Label)?;
            self.label(&word, extras);
        }
        if word.flag("Texture") {
            self.texture(extras)?;
        }
        if word.flag("Memory") {
            self.memory(extras)?;
        }
        Ok(())
    }

    /// Takes the predicate of a register whose swizzle and sign the word has.
    pub(super) fn predicate(&mut self, word: &Taken, offset: i32, extras: &mut Extras) {
        let range = TextRange::default();
        let index = Index { offset, indirect: None };
        let register = Register { range, file: File::Predicate, dimension: None, index };
        let (swizzle, inverted) = (word.swizzle(), word.flag("Negate"));
        let predicate = Predicate { range, register, swizzle, inverted };
        self.mean(word.at, print::predicate(&predicate));
        extras.predicate = Some(Box::new(predicate));
    }

    fn texture(&mut self, extras: &mut Extras) -> Result<()> {
        let word = self.take(Kind::Texture)?;
        self.texture_target(&word, extras);
        if fields::has(self.layout, Kind::Texture, "ReturnType")
            && word.field("ReturnType") != UNKNOWN_RETURN_TYPE
        {
            self.oddities += 1;
        }
        let count = word.field("NumOffsets") as usize;
        if count > MAX_OFFSETS {
            self.error(word.at, format!("{count} texel offsets; there are at most {MAX_OFFSETS}"));
        }
        for _ in 0..count {
            let offset = self.texture_offset()?;
            extras.offsets.extend(offset);
        }
        Ok(())
    }

    pub(super) fn texture_target(&mut self, word: &Taken, extras: &mut Extras) {
        if let Some(target) = self.entry::<TextureTarget>(word, "Texture") {
            self.mean(word.at, target.word());
            extras.target = Some((word.at, target));
        }
    }

    fn texture_offset(&mut self) -> Result<Option<TextureOffset>> {
        let word = self.take(Kind::TextureOffset)?;
        let Some(file) = self.entry::<File>(&word, "File") else {
            return Ok(None);
        };
        let offset = word.signed("Index");
        let Swizzle([x, y, z, _]) = word.swizzle();
        let range = TextRange::default();
        let index = Index { offset, indirect: None };
        let register = Register { range, file, dimension: None, index };
        let offset = TextureOffset { range, register, swizzle: [x, y, z] };
        self.mean(word.at, print::offset(&offset));
        Ok(Some(offset))
    }

    fn memory(&mut self, extras: &mut Extras) -> Result<()> {
        let word = self.take(Kind::Memory)?;
        let qualifiers = word.field("Qualifier");
        let mut words = Vec::new();
        for bit in (0..4).filter(|bit| qualifiers & 1 << bit != 0) {
            if let Some(qualifier) = self.word_of::<MemoryQualifier>(word.at, bit) {
                extras.qualifiers.push(qualifier);
                words.push(qualifier.to_string());
            }
        }
        if word.flag("Texture") {
            extras.memory_target = self.entry(&word, "Texture");
            words.extend(extras.memory_target.map(|target| target.to_string()));
        }
        let number = word.field("Format");
        if number != 0 {
            let list = (numbers::FORMATS, number);
            extras.format = self.named(word.at, list, |word| Some(word.to_owned()));
            words.extend(extras.format.clone());
        }
        self.mean(word.at, words.join(", "));
        Ok(())
    }
}
