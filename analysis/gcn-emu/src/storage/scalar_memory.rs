//! Scalar memory: loads of up to sixteen words, stores, atomics, clocks.
//!
//! Source: ISA manuals, SMRD and SMEM. Addresses and offsets are cut to whole words.
//! Scratch counts a register's offset in 64 bytes (Vega ISA, "scalar memory addressing").
//! Buffers have no part of their format here; loads behind their end give 0 and stores
//! there do nothing.

use gcn::Generation;
use gcn::encoding::Encoding;
use gcn::instruction::OpFlags;
use isa::gcn::operation::ScalarMemory as Unit;

use super::{ADDRESS_BITS, AtomicInputs, apply};
use crate::memory::Memory;
use crate::mode::Mode;
use crate::operand::Fields;
use crate::stop::Reason;
use crate::wave::Wave;

/// A scalar memory instruction, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScalarMemory {
    kind: Unit,
    /// The code of the first register of the data.
    data: u16,
    /// The code of the first register of the address or the descriptor.
    base: u16,
    buffer: bool,
    offset: i64,
    /// The code of a register that is added to the offset.
    register: Option<u16>,
    /// Bytes that a unit of that register counts.
    unit: i64,
    returns: bool,
}

impl ScalarMemory {
    pub(crate) fn of(operation: Unit, flags: OpFlags, fields: &Fields) -> ScalarMemory {
        let of_scratch = matches!(operation, Unit::ScratchLoad { .. } | Unit::ScratchStore { .. });
        let old = fields.encoding == Encoding::Smrd;
        let immediate = fields.flag("imm");
        let field = fields.get("offset");
        let (offset, register) = match (old, immediate) {
            (true, true) => (i64::from(field) * 4, None),
            (true, false) => match fields.literal {
                Some(literal) => (i64::from(literal) * 4, None),
                None => (0, Some(field as u16)),
            },
            (false, true) if fields.generation >= Generation::Gfx9 => {
                let register = fields.flag("soffset_en").then(|| fields.get("soffset") as u16);
                (fields.signed("offset", 21), register)
            }
            (false, true) => (field.into(), None),
            (false, false) if fields.flag("soffset_en") => (0, Some(fields.get("soffset") as u16)),
            (false, false) => (0, Some(field as u16 & 127)),
        };
        ScalarMemory {
            kind: operation,
            data: fields.get(if old { "sdst" } else { "sdata" }) as u16,
            base: fields.get("sbase") as u16 * 2,
            buffer: flags.buffer(),
            offset,
            register,
            unit: if of_scratch { 64 } else { 1 },
            returns: fields.flag("glc"),
        }
    }

    /// The address of a word; `None` behind the end of a buffer.
    fn place(&self, wave: &Wave, word: usize) -> Option<u64> {
        let register = self.register.map_or(0, |code| i64::from(wave.scalar(code)));
        let offset = self.offset + register * self.unit;
        let base = wave.pair(self.base) & ADDRESS_BITS;
        let cut = |value: u64| value & !3;
        if !self.buffer {
            let start = cut(base.wrapping_add(cut(offset as u64)));
            return Some(start.wrapping_add(4 * word as u64) & ADDRESS_BITS);
        }
        let words = [0, 1, 2].map(|place| wave.scalar(self.base + place));
        let stride = u64::from(words[1] >> 16 & 0x3fff);
        let size = u64::from(words[2]) * stride.max(1);
        let offset = cut(u64::from(offset as u32)) + 4 * word as u64;
        (offset + 4 <= size).then(|| cut(base).wrapping_add(offset) & ADDRESS_BITS)
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(crate) fn run(&self, wave: &mut Wave, memory: &mut Memory) -> Result<(), Reason> {
        match self.kind {
            Unit::Cache => {}
            Unit::Clock => wave.set_pair(self.data, wave.clock),
            Unit::Load { access } | Unit::ScratchLoad { access } => {
                let words = access.dwords();
                let mut values = [0; 16];
                for (word, value) in values.iter_mut().take(words).enumerate() {
                    if let Some(address) = self.place(wave, word) {
                        *value = memory.word(address)?;
                    }
                }
                for (word, value) in values.into_iter().take(words).enumerate() {
                    wave.set_scalar(self.data + word as u16, value);
                }
            }
            Unit::Store { access } | Unit::ScratchStore { access } => {
                for word in 0..access.dwords() {
                    let value = wave.scalar(self.data + word as u16);
                    if let Some(address) = self.place(wave, word) {
                        memory.write(address, 4, value.into())?;
                    }
                }
            }
            Unit::Atomic { atomic, bits } => {
                let Some(address) = self.place(wave, 0) else { return Ok(()) };
                let bytes = usize::from(bits / 8);
                let number = |wave: &Wave, place: u16| match bits {
                    64 => wave.pair(self.data + 2 * place),
                    _ => wave.scalar(self.data + place).into(),
                };
                let old = memory.read(address, bytes)?;
                let (data, other) = (number(wave, 0), number(wave, 1));
                let inputs = AtomicInputs { old, data, other };
                let new = apply(atomic, inputs, bits, Mode::OF_MEMORY);
                memory.write(address, bytes, new)?;
                match (self.returns, bits) {
                    (false, _) => {}
                    (true, 64) => wave.set_pair(self.data, old),
                    (true, _) => wave.set_scalar(self.data, old as u32),
                }
            }
        }
        Ok(())
    }
}
