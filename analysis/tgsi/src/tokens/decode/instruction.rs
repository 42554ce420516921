//! Instructions and the words between their first one and the operands.

use source::TextRange;

use super::{Decoder, Kind, Result, numbers, print, spanned};
use crate::Opcode;
use crate::ast::{
    Component, Index, Instruction, Predicate, Register, StatementKind, Swizzle, TextureOffset,
};
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
        let (at, bits) = self.take(Kind::Instruction)?;
        let field = |name| self.field(Kind::Instruction, bits, name);
        let (number, saturate) = (field("Opcode"), field("Saturate"));
        let (destinations, sources) = (field("NumDstRegs"), field("NumSrcRegs"));
        let precise = field("Precise") != 0;
        let opcode = self.named(at, (numbers::OPCODES, number), Opcode::find);
        let counts = (destinations as usize, sources as usize);
        let opcode = opcode.map(|opcode| self.opcode_of_its_year(opcode, number, counts));
        if saturate > SIGNED_SATURATE {
            self.error(at, format!("{saturate} is no way to saturate"));
        }
        let mut extras = Extras::default();
        if self.layout.has_extensions() {
            self.instruction_extensions(bits, &mut extras)?;
        } else {
            self.extra_words(bits, &mut extras)?;
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
        self.check_counts(at, opcode, counts);
        self.check_extras(at, opcode, &mut extras);
        let instruction = Instruction {
            ordinal: self.instructions,
            number: None,
            opcode: spanned(opcode),
            saturate: saturate == SATURATE,
            signed_saturate: saturate == SIGNED_SATURATE,
            precise,
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
        self.add(at, StatementKind::Instruction(instruction));
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

    fn extra_words(&mut self, bits: u32, extras: &mut Extras) -> Result<()> {
        let flag = |name| self.flag(Kind::Instruction, bits, name);
        let (predicate, label) = (flag("Predicate"), flag("Label"));
        let (texture, memory) = (flag("Texture"), flag("Memory"));
        if predicate {
            let (place, bits) = self.take(Kind::Predicate)?;
            let index = self.signed(Kind::Predicate, bits, "Index");
            let predicate = self.predicate(Kind::Predicate, bits, index);
            self.mean(place, print::predicate(&predicate));
            extras.predicate = Some(Box::new(predicate));
        }
        if label {
            let (place, bits) = self.take(Kind::Label)?;
            let label = self.field(Kind::Label, bits, "Label");
            self.mean(place, format!(":{label}"));
            extras.label = Some((place, label));
        }
        if texture {
            self.texture(extras)?;
        }
        if memory {
            self.memory(extras)?;
        }
        Ok(())
    }

    /// The predicate whose swizzle and sign a word of some kind has.
    pub(super) fn predicate(&self, kind: Kind, bits: u32, index: i32) -> Predicate {
        let range = TextRange::default();
        Predicate {
            range,
            register: Register {
                range,
                file: File::Predicate,
                dimension: None,
                index: Index { offset: index, indirect: None },
            },
            swizzle: self.swizzle(kind, bits),
            inverted: self.flag(kind, bits, "Negate"),
        }
    }

    fn texture(&mut self, extras: &mut Extras) -> Result<()> {
        let (place, bits) = self.take(Kind::Texture)?;
        let number = self.field(Kind::Texture, bits, "Texture");
        let target = self.word_of::<TextureTarget>(place, number);
        if let Some(target) = target {
            self.mean(place, target.word());
            extras.target = Some((place, target));
        }
        if fields::has(self.layout, Kind::Texture, "ReturnType")
            && self.field(Kind::Texture, bits, "ReturnType") != UNKNOWN_RETURN_TYPE
        {
            self.oddities += 1;
        }
        let count = self.field(Kind::Texture, bits, "NumOffsets") as usize;
        if count > MAX_OFFSETS {
            self.error(place, format!("{count} texel offsets; there are at most {MAX_OFFSETS}"));
        }
        for _ in 0..count {
            let offset = self.texture_offset()?;
            extras.offsets.extend(offset);
        }
        Ok(())
    }

    fn texture_offset(&mut self) -> Result<Option<TextureOffset>> {
        let (place, bits) = self.take(Kind::TextureOffset)?;
        let number = self.field(Kind::TextureOffset, bits, "File");
        let Some(file) = self.word_of::<File>(place, number) else {
            return Ok(None);
        };
        let offset = self.signed(Kind::TextureOffset, bits, "Index");
        let Swizzle([x, y, z, _]) = self.swizzle(Kind::TextureOffset, bits);
        let range = TextRange::default();
        let index = Index { offset, indirect: None };
        let register = Register { range, file, dimension: None, index };
        let offset = TextureOffset { range, register, swizzle: [x, y, z] };
        self.mean(place, print::offset(&offset));
        Ok(Some(offset))
    }

    fn memory(&mut self, extras: &mut Extras) -> Result<()> {
        let (place, bits) = self.take(Kind::Memory)?;
        let qualifiers = self.field(Kind::Memory, bits, "Qualifier");
        let mut words = Vec::new();
        for bit in (0..4).filter(|bit| qualifiers & 1 << bit != 0) {
            if let Some(qualifier) = self.word_of::<MemoryQualifier>(place, bit) {
                extras.qualifiers.push(qualifier);
                words.push(qualifier.to_string());
            }
        }
        let number = self.field(Kind::Memory, bits, "Texture");
        if number != 0 {
            extras.memory_target = self.word_of(place, number);
            words.extend(extras.memory_target.map(|target| target.to_string()));
        }
        let number = self.field(Kind::Memory, bits, "Format");
        if number != 0 {
            let list = (numbers::FORMATS, number);
            extras.format = self.named(place, list, |word| Some(word.to_owned()));
            words.extend(extras.format.clone());
        }
        self.mean(place, words.join(", "));
        Ok(())
    }

    /// Returns which components a word of some kind reads.
    pub(super) fn swizzle(&self, kind: Kind, bits: u32) -> Swizzle {
        let component = |name| Component::ALL[self.field(kind, bits, name) as usize & 3];
        Swizzle(fields::SWIZZLE.map(component))
    }
}
