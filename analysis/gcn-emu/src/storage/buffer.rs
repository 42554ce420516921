//! Buffers: untyped and typed (MUBUF, MTBUF).
//!
//! Source: ISA manuals, MUBUF, MTBUF.

use gcn::Target;
use gcn::encoding::Encoding;
use gcn::instruction::{Features, NumberKind, Type};
use isa::gcn::operation::{self, Atomic, ComponentBits, TexelFormat};

use super::access_unit::AccessUnit;
use super::descriptor::{self, Descriptor, LaneAddress};
use super::format::{components, is_integer, packed, unpacked};
use super::{ADDRESS_BITS, AtomicInputs, apply};
use crate::memory::Memory;
use crate::mode::Mode;
use crate::operand::{Fields, ValueSource};
use crate::stop::Reason;
use crate::wave::Wave;
use softfloat::{Rounding, from_half, to_half};

/// An instruction on a buffer, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Buffer {
    kind: BufferAccess,
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
    fields: Fields,
}

#[derive(Debug, Clone, Copy)]
enum BufferAccess {
    Nothing,
    Load(AccessUnit),
    Store(AccessUnit),
    LoadFormat(Formatted),
    StoreFormat(Formatted),
    /// A word of the share for every lane.
    StoreOfShare,
    Atomic(Atomic, u8),
}

/// The layout of components in registers.
#[derive(Debug, Clone, Copy)]
struct Formatted {
    count: usize,
    /// The format, where the instruction has it and not the descriptor.
    format: Option<(u8, u8)>,
    halves: Halves,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Halves {
    /// A register each.
    No,
    /// A register each, half of it used.
    Unpacked,
    /// Two in a register.
    Packed,
    /// One in the upper half.
    High,
}

impl Formatted {
    fn of(format: TexelFormat, fields: &Fields, target: Target) -> Formatted {
        let halves = match format.bits {
            ComponentBits::Whole => Halves::No,
            ComponentBits::Half if Features::of(target).packed_d16 => Halves::Packed,
            ComponentBits::Half => Halves::Unpacked,
            ComponentBits::UpperHalf => Halves::High,
        };
        let own = (fields.get("dfmt") as u8, fields.get("nfmt") as u8);
        Formatted {
            count: format.components.into(),
            format: (fields.encoding == Encoding::Mtbuf).then_some(own),
            halves,
        }
    }

    fn words(self) -> usize {
        match self.halves {
            Halves::Packed => self.count.div_ceil(2),
            Halves::High => 1,
            _ => self.count,
        }
    }
}

impl BufferAccess {
    #[deny(clippy::wildcard_enum_match_arm)]
    fn of(operation: operation::Buffer, fields: &Fields, target: Target) -> BufferAccess {
        use operation::Buffer as Unit;
        match operation {
            Unit::Load { access } => BufferAccess::Load(AccessUnit::of(access)),
            Unit::Store { access } => BufferAccess::Store(AccessUnit::of(access)),
            Unit::LoadFormat { format } => {
                BufferAccess::LoadFormat(Formatted::of(format, fields, target))
            }
            Unit::StoreFormat { format } => {
                BufferAccess::StoreFormat(Formatted::of(format, fields, target))
            }
            Unit::StoreShare => BufferAccess::StoreOfShare,
            Unit::Atomic { atomic, bits } => BufferAccess::Atomic(atomic, bits),
            Unit::Cache => BufferAccess::Nothing,
        }
    }
}

const WORD: Type = Type { kind: NumberKind::Integer, bits: 32 };

impl Buffer {
    pub(crate) fn of(
        operation: operation::Buffer,
        fields: &Fields,
        target: Target,
    ) -> Option<Buffer> {
        Some(Buffer {
            kind: BufferAccess::of(operation, fields, target),
            data: fields.get("vdata") as usize,
            address: fields.get("vaddr") as usize,
            resource: fields.get("srsrc") as u16 * 4,
            scalar_offset: ValueSource::of(fields.get("soffset"), WORD, fields)?,
            offset: fields.get("offset"),
            has_index: fields.flag("idxen"),
            has_offset: fields.flag("offen"),
            wide_address: fields.flag("addr64"),
            returns: fields.flag("glc"),
            status: fields.flag("tfe"),
            to_share: fields.flag("lds"),
            fields: *fields,
        })
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        memory: &mut Memory,
        share: &mut [u8],
        instruction: u32,
    ) -> Result<(), Reason> {
        if matches!(self.kind, BufferAccess::Nothing) {
            return Ok(());
        }
        let moves = match self.kind {
            BufferAccess::Load(cell) => cell.words() == 1,
            BufferAccess::LoadFormat(format) => format.words() == 1,
            BufferAccess::StoreOfShare => true,
            _ => !self.to_share,
        };
        if self.to_share && !moves {
            return Err(Reason::Unsupported("moving between buffer and share".to_owned()));
        }
        let words = [0, 1, 2, 3].map(|place| wave.scalar(self.resource + place));
        let kind = match self.kind {
            BufferAccess::LoadFormat(Formatted { format: Some(_), .. })
            | BufferAccess::StoreFormat(Formatted { format: Some(_), .. }) => {
                descriptor::Typing::Typed
            }
            _ => descriptor::Typing::Untyped,
        };
        let descriptor = Descriptor::of(words, self.fields.generation, kind);
        // Lanes follow each other in the share (GCN3 ISA, "LDS direct").
        let start = (wave.m0() & 0xffff) as usize + self.offset as usize;
        let of_share = |lane: usize| start + 4 * lane..start + 4 * lane + 4;
        for lane in wave.active() {
            let at = Access { own: self, descriptor: &descriptor, at: self.lane(wave, lane) };
            match self.kind {
                BufferAccess::Nothing => {}
                BufferAccess::Load(cell) if self.to_share => {
                    let value = at.load(memory, cell, 0, 0)?;
                    if let Some(place) = share.get_mut(of_share(lane)) {
                        place.copy_from_slice(&value.to_le_bytes());
                    }
                }
                BufferAccess::LoadFormat(format) if self.to_share => {
                    let ([value, ..], _) = self.formatted(memory, &at, format)?;
                    if let Some(place) = share.get_mut(of_share(lane)) {
                        place.copy_from_slice(&value.to_le_bytes());
                    }
                }
                BufferAccess::StoreOfShare => {
                    let own = share.get(of_share(lane)).unwrap_or(&[0; 4]);
                    let value = own.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                    if let Some(address) = at.place(0, 4) {
                        memory.write(address, 4, value)?;
                    }
                }
                BufferAccess::Load(cell) => {
                    for word in 0..cell.words() {
                        let old = wave.lane(self.data + word, lane);
                        let value = at.load(memory, cell, word, old)?;
                        wave.set_lane(self.data + word, lane, value);
                    }
                }
                BufferAccess::Store(cell) => {
                    for word in 0..cell.words() {
                        let value = wave.lane(self.data + word, lane);
                        let byte = 4 * word as u64;
                        if let Some(address) = at.place(byte, cell.bytes() as u64) {
                            cell.store(memory, address, value)?;
                        }
                    }
                }
                BufferAccess::LoadFormat(format) => {
                    self.load_format(wave, lane, memory, &at, format)?
                }
                BufferAccess::StoreFormat(format) => {
                    self.store_format(wave, lane, memory, &at, format)?
                }
                BufferAccess::Atomic(atomic, bits) => {
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
            BufferAccess::Load(_) => !self.to_share,
            BufferAccess::LoadFormat(_) => !self.to_share,
            BufferAccess::Atomic(..) => self.returns,
            _ => false,
        }
    }

    fn words(&self) -> usize {
        match self.kind {
            BufferAccess::Load(cell) | BufferAccess::Store(cell) => cell.words(),
            BufferAccess::LoadFormat(format) | BufferAccess::StoreFormat(format) => format.words(),
            BufferAccess::Atomic(_, bits) => usize::from(bits / 32),
            BufferAccess::Nothing | BufferAccess::StoreOfShare => 0,
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

    fn format(&self, at: &Access<'_>, format: Formatted) -> Result<([u32; 4], u8, u64), Reason> {
        let own = (at.descriptor.data_format, at.descriptor.number_format);
        let (data, number) = format.format.unwrap_or(own);
        let widths = components(data)
            .ok_or_else(|| Reason::Unsupported(format!("buffers of data format {data}")))?;
        let bytes = u64::from(widths.iter().sum::<u32>() / 8);
        Ok((widths, number, bytes))
    }

    /// The components that are loaded, and the format of their numbers.
    fn formatted(
        &self,
        memory: &Memory,
        at: &Access<'_>,
        format: Formatted,
    ) -> Result<([u32; 4], u8), Reason> {
        let (widths, number, bytes) = self.format(at, format)?;
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
        format: Formatted,
    ) -> Result<(), Reason> {
        let (result, number) = self.formatted(memory, at, format)?;
        let half = |place: usize| -> u32 {
            let bits = result.get(place).copied().unwrap_or(0);
            if is_integer(number) {
                bits & 0xffff
            } else {
                to_half(f32::from_bits(bits).into(), Rounding::Nearest).into()
            }
        };
        for (word, whole) in result.into_iter().enumerate().take(format.words()) {
            let register = self.data + word;
            let value = match format.halves {
                Halves::No => whole,
                Halves::Unpacked => half(word),
                Halves::Packed if 2 * word + 1 < format.count => {
                    half(2 * word) | half(2 * word + 1) << 16
                }
                Halves::Packed => half(2 * word),
                Halves::High => wave.lane(register, lane) & 0xffff | half(0) << 16,
            };
            wave.set_lane(register, lane, value);
        }
        Ok(())
    }

    fn store_format(
        &self,
        wave: &Wave,
        lane: usize,
        memory: &mut Memory,
        at: &Access<'_>,
        format: Formatted,
    ) -> Result<(), Reason> {
        let (widths, number, bytes) = self.format(at, format)?;
        let Some(address) = at.place(0, bytes) else { return Ok(()) };
        let register = |place: usize| wave.lane(self.data + place, lane);
        let half = |bits: u32| match number {
            4 => bits & 0xffff,
            5 => bits as u16 as i16 as u32,
            _ => from_half(bits as u16).to_bits(),
        };
        let mut bit = 0;
        let mut words = [0_u32; 4];
        for (component, width) in widths.into_iter().enumerate().filter(|(_, it)| *it > 0) {
            let value = match format.halves {
                _ if component >= format.count => 0,
                Halves::No => register(component),
                Halves::Unpacked => half(register(component)),
                Halves::Packed => half(register(component / 2) >> (16 * (component % 2))),
                Halves::High => half(register(0) >> 16),
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
        let number = |wave: &Wave, place: usize| {
            let first = self.data + place * dwords;
            let high = if dwords > 1 { wave.lane(first + 1, lane) } else { 0 };
            u64::from(wave.lane(first, lane)) | u64::from(high) << 32
        };
        let mut old = 0;
        if let Some(address) = at.place(0, bytes as u64) {
            old = memory.read(address, bytes)?;
            let other = if atomic.compares() { number(wave, 1) } else { 0 };
            let inputs = AtomicInputs { old, data: number(wave, 0), other };
            memory.write(address, bytes, apply(atomic, inputs, bits, Mode::OF_MEMORY))?;
        }
        if self.returns {
            wave.set_lane(self.data, lane, old as u32);
            if dwords > 1 {
                wave.set_lane(self.data + 1, lane, (old >> 32) as u32);
            }
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
            let sum = self.descriptor.base().wrapping_add(self.at.offset);
            let sum = sum.wrapping_add(self.at.scalar_offset.into()).wrapping_add(byte);
            return Some(aligned(sum & ADDRESS_BITS));
        }
        self.descriptor.place(&self.at, byte, bytes).map(aligned)
    }

    fn load(
        &self,
        memory: &Memory,
        cell: AccessUnit,
        word: usize,
        old: u32,
    ) -> Result<u32, Reason> {
        match self.place(4 * word as u64, cell.bytes() as u64) {
            Some(address) => Ok(cell.load(memory, address, old)?),
            None => Ok(cell.loaded(0, old)),
        }
    }
}
