//! Flat, global and scratch memory: addresses instead of descriptors.
//!
//! Source: Sea Islands ISA, GCN3 ISA and Vega ISA, FLAT. Flat addresses are taken to be
//! of global memory: where the share and scratch are in the address space no shader of
//! ours is told.

use gcn::encoding::Encoding;
use gcn::instruction::Traits;

use super::cell::Cell;
use super::{ADDRESS_BITS, Atomic};
use crate::memory::Memory;
use crate::operand::Fields;
use crate::stop::Reason;
use crate::wave::Wave;

/// The code of "no register".
const OFF: u32 = 0x7f;

/// An instruction on flat memory, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flat {
    kind: Kind,
    address: usize,
    data: usize,
    result: usize,
    /// The pair that an offset of 32 bits is added to.
    base: Option<u16>,
    offset: i64,
    returns: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Load(Cell),
    Store(Cell),
    Atomic(Atomic, u8),
}

impl Flat {
    pub(crate) fn of(name: &str, traits: Traits, fields: &Fields) -> Option<Flat> {
        let (_, word) = name.split_once('_')?;
        let kind = if traits.load() {
            Kind::Load(Cell::find(word.strip_prefix("load_")?)?)
        } else if traits.store() {
            Kind::Store(Cell::find(word.strip_prefix("store_")?)?)
        } else {
            let word = word.strip_prefix("atomic_")?;
            match (word.strip_suffix("_x2"), word.strip_suffix("32")) {
                (Some(word), _) => Kind::Atomic(Atomic::find(word)?, 64),
                (_, Some(word)) => Kind::Atomic(Atomic::find(word)?, 32),
                _ => Kind::Atomic(Atomic::find(word)?, 32),
            }
        };
        let (base, offset) = match fields.encoding {
            // Scratch is laid out by lanes, and where it is, is not in the instruction.
            Encoding::Scratch => return None,
            Encoding::Global => {
                let base = Some(fields.get("saddr")).filter(|code| *code != OFF);
                (base.map(|code| code as u16), fields.signed("offset", 13))
            }
            _ => (None, fields.get("offset").into()),
        };
        Some(Flat {
            kind,
            address: fields.get("addr") as usize,
            data: fields.get("data") as usize,
            result: fields.get("vdst") as usize,
            base,
            offset,
            returns: fields.flag("glc"),
        })
    }

    fn place(&self, wave: &Wave, lane: usize) -> u64 {
        let low = u64::from(wave.lane(self.address, lane));
        let start = match self.base {
            Some(code) => wave.pair(code).wrapping_add(low),
            None => low | u64::from(wave.lane(self.address + 1, lane)) << 32,
        };
        start.wrapping_add(self.offset as u64) & ADDRESS_BITS
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        memory: &mut Memory,
        instruction: u32,
    ) -> Result<(), Reason> {
        // The result may overwrite the address of a lane, but of no other.
        for lane in wave.active() {
            let start = self.place(wave, lane);
            match self.kind {
                Kind::Load(cell) => {
                    for word in 0..cell.words() {
                        let old = wave.lane(self.result + word, lane);
                        let value = cell.load(memory, start + 4 * word as u64, old)?;
                        wave.set_lane(self.result + word, lane, value);
                    }
                }
                Kind::Store(cell) => {
                    for word in 0..cell.words() {
                        let value = wave.lane(self.data + word, lane);
                        cell.store(memory, start + 4 * word as u64, value)?;
                    }
                }
                Kind::Atomic(atomic, bits) => {
                    let bytes = usize::from(bits / 8);
                    let number = |place: usize| {
                        let first = self.data + place * bytes / 4;
                        let high = if bits == 64 { wave.lane(first + 1, lane) } else { 0 };
                        u64::from(wave.lane(first, lane)) | u64::from(high) << 32
                    };
                    let old = memory.read(start, bytes)?;
                    let other = if atomic.compares() { number(1) } else { 0 };
                    memory.write(start, bytes, atomic.apply(old, number(0), other, bits))?;
                    if self.returns {
                        wave.set_lane(self.result, lane, old as u32);
                        if bits == 64 {
                            wave.set_lane(self.result + 1, lane, (old >> 32) as u32);
                        }
                    }
                }
            }
        }
        let words = match self.kind {
            Kind::Load(cell) => cell.words(),
            Kind::Atomic(_, bits) if self.returns => usize::from(bits / 32),
            _ => 0,
        };
        wave.note_writer(self.result, words, instruction);
        Ok(())
    }
}
