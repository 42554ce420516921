//! Buffers: untyped and typed (MUBUF, MTBUF).
//!
//! Source: ISA manuals, MUBUF, MTBUF.

use gcn::encoding::Encoding;
use gcn::instruction::Type;
use gcn::{Generation, Target};
use isa::gcn::Feature;
use isa::gcn::operation::{AccessWidth, Atomic, Buffer as Unit, ComponentBits, TexelFormat};

use super::descriptor::{self, Descriptor, LaneAddress};
use super::format::{Halves, components, is_integer, narrowed, packed, unpacked, widened};
use super::{ADDRESS_BITS, AtomicInputs, apply};
use crate::memory::Memory;
use crate::mode::Mode;
use crate::operand::{Fields, ValueSource};
use crate::stop::Reason;
use crate::wave::Wave;

/// An instruction on a buffer, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Buffer {
    kind: Unit,
    data: usize,
    address: usize,
    resource: u16,
    scalar_offset: ValueSource,
    offset: u32,
    has_index: bool,
    has_offset: bool,
    wide_address: bool,
    returns: bool,
    /// TFE: a word of status follows what is loaded.
    status: bool,
    /// Loads go to the share.
    to_share: bool,
    /// Loads of several words may go there too: on MI350.
    moves_wide: bool,
    /// The format, where the instruction has it and not the descriptor.
    format: Option<(u8, u8)>,
    /// True if two halves share a register.
    packs: bool,
    generation: Generation,
}

impl Buffer {
    pub(crate) fn of(operation: Unit, fields: &Fields, target: Target) -> Option<Buffer> {
        let format = (fields.get("dfmt") as u8, fields.get("nfmt") as u8);
        Some(Buffer {
            kind: operation,
            data: fields.data("vdata"),
            address: fields.get("vaddr") as usize,
            resource: fields.get("srsrc") as u16 * 4,
            scalar_offset: ValueSource::of(fields.get("soffset"), Type::WORD, fields)?,
            offset: fields.get("offset"),
            has_index: fields.flag("idxen"),
            has_offset: fields.flag("offen"),
            wide_address: fields.flag("addr64"),
            returns: fields.flag("glc"),
            status: fields.flag("tfe"),
            to_share: fields.flag("lds"),
            moves_wide: target.has(Feature::Gfx950Insts),
            format: (fields.encoding == Encoding::Mtbuf).then_some(format),
            packs: target.has(Feature::PackedD16),
            generation: fields.generation,
        })
    }

    /// The layout of components in registers.
    fn halves(&self, format: TexelFormat) -> Halves {
        match format.bits {
            ComponentBits::Whole => Halves::No,
            ComponentBits::Half if self.packs => Halves::Packed,
            ComponentBits::Half => Halves::Unpacked,
            ComponentBits::UpperHalf => Halves::High,
        }
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        memory: &mut Memory,
        share: &mut [u8],
        instruction: u32,
    ) -> Result<(), Reason> {
        if self.kind == Unit::Cache {
            return Ok(());
        }
        let moves = match self.kind {
            Unit::Load { .. } => self.words() == 1 || self.moves_wide,
            Unit::LoadFormat { .. } => self.words() == 1,
            Unit::StoreShare => true,
            _ => !self.to_share,
        };
        if self.to_share && !moves {
            return Err(Reason::Unsupported("moving between buffer and share".to_owned()));
        }
        let words = [0, 1, 2, 3].map(|place| wave.scalar(self.resource + place));
        let typing = match self.format {
            Some(_) => descriptor::Typing::Typed,
            None => descriptor::Typing::Untyped,
        };
        let descriptor = Descriptor::of(words, self.generation, typing);
        // Lanes follow each other in the share (GCN3 ISA, "LDS direct").
        let start = (wave.m0() & 0xffff) as usize + self.offset as usize;
        let of_share = |word: usize| start + 4 * word..start + 4 * word + 4;
        for lane in wave.active() {
            let at = Access { own: self, descriptor: &descriptor, at: self.lane(wave, lane) };
            match self.kind {
                Unit::Cache => {}
                Unit::Load { .. } | Unit::LoadFormat { .. } if self.to_share => {
                    let count = self.words();
                    for word in 0..count {
                        let value = match self.kind {
                            Unit::Load { access } => at.load(memory, access, word, 0)?,
                            _ => self.texel(memory, &at)?.0[0],
                        };
                        if let Some(place) = share.get_mut(of_share(count * lane + word)) {
                            place.copy_from_slice(&value.to_le_bytes());
                        }
                    }
                }
                Unit::StoreShare => {
                    let own = share.get(of_share(lane)).unwrap_or(&[0; 4]);
                    let value = own.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                    if let Some(address) = at.place(0, 4) {
                        memory.write(address, 4, value)?;
                    }
                }
                Unit::Load { access } => {
                    for word in 0..access.dwords() {
                        let old = wave.lane(self.data + word, lane);
                        let value = at.load(memory, access, word, old)?;
                        wave.set_lane(self.data + word, lane, value);
                    }
                }
                Unit::Store { access } => {
                    for word in 0..access.dwords() {
                        let value = access.stored(wave.lane(self.data + word, lane));
                        let bytes = access.bytes_each();
                        if let Some(address) = at.place(4 * word as u64, bytes as u64) {
                            memory.write(address, bytes, value.into())?;
                        }
                    }
                }
                Unit::LoadFormat { format } => self.load_format(wave, lane, memory, &at, format)?,
                Unit::StoreFormat { format } => {
                    self.store_format(wave, lane, memory, &at, format)?
                }
                Unit::Atomic { atomic, bits } => {
                    self.atomic(wave, lane, memory, &at, atomic, bits)?;
                }
            }
            if self.status && self.loads() {
                let after = self.data + self.words();
                wave.set_lane(after, lane, 0);
            }
        }
        if self.loads() {
            wave.note_writer(self.data, self.words() + usize::from(self.status), instruction);
        }
        Ok(())
    }

    fn loads(&self) -> bool {
        match self.kind {
            Unit::Load { .. } | Unit::LoadFormat { .. } => !self.to_share,
            Unit::Atomic { .. } => self.returns,
            _ => false,
        }
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    fn words(&self) -> usize {
        match self.kind {
            Unit::Load { access } | Unit::Store { access } => access.dwords(),
            Unit::LoadFormat { format } | Unit::StoreFormat { format } => {
                self.halves(format).words(format.components.into())
            }
            Unit::Atomic { bits, .. } => usize::from(bits / 32),
            Unit::Cache | Unit::StoreShare => 0,
        }
    }

    /// Reads the part of the address that a lane adds to the descriptor.
    fn lane(&self, wave: &Wave, lane: usize) -> LaneAddress {
        let register = |place: usize| wave.lane(self.address + place, lane);
        let index = self.has_index.then(|| register(0));
        let mut offset = u64::from(self.offset);
        if self.wide_address {
            offset = offset.wrapping_add(u64::from(register(0)) | u64::from(register(1)) << 32);
        } else if self.has_offset {
            offset += u64::from(register(usize::from(self.has_index)));
        }
        LaneAddress {
            index,
            offset,
            scalar_offset: self.scalar_offset.read_scalar(wave, 1) as u32,
            lane: lane as u32,
        }
    }

    fn format(&self, at: &Access<'_>) -> Result<([u32; 4], u8, u64), Reason> {
        let own = (at.descriptor.data_format, at.descriptor.number_format);
        let (data, number) = self.format.unwrap_or(own);
        let widths = components(data)
            .ok_or_else(|| Reason::Unsupported(format!("buffers of data format {data}")))?;
        let bytes = u64::from(widths.iter().sum::<u32>() / 8);
        Ok((widths, number, bytes))
    }

    /// The components that are loaded, and the format of their numbers.
    fn texel(&self, memory: &Memory, at: &Access<'_>) -> Result<([u32; 4], u8), Reason> {
        let (widths, number, bytes) = self.format(at)?;
        let one = if is_integer(number) { 1 } else { 1.0_f32.to_bits() };
        // Behind the end all components are 0, alpha as well (ISA manuals, "range checking").
        let mut texel = None;
        if let Some(address) = at.place(0, bytes) {
            let mut found = [0, 0, 0, one];
            let mut bit = 0;
            for (component, width) in widths.into_iter().enumerate().filter(|(_, it)| *it > 0) {
                let start = address + u64::from(bit / 32 * 4);
                let length = if bytes >= 4 { 4 } else { bytes as usize };
                let word = memory.read(start, length)?;
                let bits = (word >> (bit % 32)) & ((1_u64 << width) - 1);
                found[component] = unpacked(bits as u32, width, number);
                bit += width;
            }
            texel = Some(found);
        }
        let result = at.descriptor.select.map(|select| match (texel, select) {
            (None, _) => 0,
            (Some(_), 1) => one,
            (Some(texel), 4..=7) => texel[usize::from(select) - 4],
            _ => 0,
        });
        Ok((result, number))
    }

    fn load_format(
        &self,
        wave: &mut Wave,
        lane: usize,
        memory: &Memory,
        at: &Access<'_>,
        format: TexelFormat,
    ) -> Result<(), Reason> {
        let (mut components, number) = self.texel(memory, at)?;
        if let Some(others) = components.get_mut(usize::from(format.components)..) {
            others.fill(0);
        }
        let half = |bits: u32| if is_integer(number) { bits & 0xffff } else { narrowed(bits) };
        for word in 0..self.words() {
            let old = wave.lane(self.data + word, lane);
            let value = self.halves(format).register(word, components, old, half);
            wave.set_lane(self.data + word, lane, value);
        }
        Ok(())
    }

    fn store_format(
        &self,
        wave: &Wave,
        lane: usize,
        memory: &mut Memory,
        at: &Access<'_>,
        format: TexelFormat,
    ) -> Result<(), Reason> {
        let (widths, number, bytes) = self.format(at)?;
        let Some(address) = at.place(0, bytes) else { return Ok(()) };
        let register = |place: usize| wave.lane(self.data + place, lane);
        let whole = |bits: u32| match number {
            4 => bits & 0xffff,
            5 => bits as u16 as i16 as u32,
            _ => widened(bits),
        };
        let mut bit = 0;
        let mut words = [0_u32; 4];
        for (component, width) in widths.into_iter().enumerate().filter(|(_, it)| *it > 0) {
            let value = match component < usize::from(format.components) {
                true => self.halves(format).component(component, register, whole),
                false => 0,
            };
            let bits = u64::from(packed(value, width, number)) << (bit % 32);
            if let Some(word) = words.get_mut(bit as usize / 32) {
                *word |= bits as u32;
            }
            bit += width;
        }
        for (place, word) in words.into_iter().enumerate().take(bytes.div_ceil(4) as usize) {
            let length = (bytes as usize - 4 * place).min(4);
            memory.write(address + 4 * place as u64, length, word.into())?;
        }
        Ok(())
    }

    fn atomic(
        &self,
        wave: &mut Wave,
        lane: usize,
        memory: &mut Memory,
        at: &Access<'_>,
        atomic: Atomic,
        bits: u8,
    ) -> Result<(), Reason> {
        let bytes = usize::from(bits / 8);
        let dwords = bytes / 4;
        let number =
            |wave: &Wave, place: usize| wave.number(self.data + place * dwords, lane, dwords);
        let mut old = 0;
        if let Some(address) = at.place(0, bytes as u64) {
            old = memory.read(address, bytes)?;
            let other = if atomic.compares() { number(wave, 1) } else { 0 };
            let inputs = AtomicInputs { old, data: number(wave, 0), other };
            memory.write(address, bytes, apply(atomic, inputs, bits, Mode::OF_MEMORY))?;
        }
        if self.returns {
            wave.set_number(self.data, lane, dwords, old);
        }
        Ok(())
    }
}

/// One lane's access.
struct Access<'a> {
    own: &'a Buffer,
    descriptor: &'a Descriptor,
    at: LaneAddress,
}

impl Access<'_> {
    /// The address of a byte of what the lane accesses. Words lie at multiples of four:
    /// the hardware drops the low bits, unless a mode lets it take any address, which
    /// graphics drivers do not (GCN3 ISA, "memory alignment").
    fn place(&self, byte: u64, bytes: u64) -> Option<u64> {
        let aligned = |address: u64| if bytes >= 4 { address & !3 } else { address };
        if self.own.wide_address {
            let sum = self.descriptor.base.wrapping_add(self.at.offset);
            let sum = sum.wrapping_add(self.at.scalar_offset.into()).wrapping_add(byte);
            return Some(aligned(sum & ADDRESS_BITS));
        }
        self.descriptor.place(&self.at, byte, bytes).map(aligned)
    }

    fn load(
        &self,
        memory: &Memory,
        access: AccessWidth,
        word: usize,
        old: u32,
    ) -> Result<u32, Reason> {
        let bytes = access.bytes_each();
        let value = match self.place(4 * word as u64, bytes as u64) {
            Some(address) => memory.read(address, bytes)? as u32,
            None => 0,
        };
        Ok(access.loaded(value, old))
    }
}
