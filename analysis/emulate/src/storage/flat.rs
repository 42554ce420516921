//! Flat, global and scratch memory: addresses instead of descriptors.
//!
//! Source: Sea Islands ISA, GCN3 ISA and Vega ISA, FLAT. Flat addresses are taken to be
//! of global memory: where the share and scratch are in the address space no shader of
//! ours is told. Scratch is laid out as the Vega ISA says ("scratch address"): from the
//! address in FLAT_SCRATCH on, a dword of each of the 64 lanes after the other.

use gcn::Generation;
use gcn::encoding::Encoding;
use gcn::instruction::Traits;

use super::cell::Cell;
use super::{ADDRESS_BITS, Atomic};
use crate::memory::Memory;
use crate::operand::Fields;
use crate::stop::Reason;
use crate::wave::{LANES, Wave};

/// The code of "no register".
const OFF: u32 = 0x7f;

/// An instruction on flat memory, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flat {
    kind: Kind,
    address: usize,
    data: usize,
    result: usize,
    segment: Segment,
    /// The scalar registers of the address: of global memory the pair that an offset of 32
    /// bits is added to, of scratch the one that holds the offset.
    base: Option<u16>,
    offset: i64,
    returns: bool,
}

/// Which memory the address is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segment {
    Whole,
    /// The lanes' own, with the code of the pair that says where it begins.
    Scratch(u16),
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
        // Loads to the share, and words of status: no compiler of ours asks for them.
        if fields.flag("lds") || fields.flag("tfe") {
            return None;
        }
        let (base, offset) = match fields.encoding {
            Encoding::Scratch | Encoding::Global => {
                let base = Some(fields.get("saddr")).filter(|code| *code != OFF);
                (base.map(|code| code as u16), fields.signed("offset", 13))
            }
            _ => (None, fields.get("offset").into()),
        };
        let segment = match fields.encoding {
            Encoding::Scratch => Segment::Scratch(flat_scratch(fields.generation)),
            _ => Segment::Whole,
        };
        Some(Flat {
            kind,
            address: fields.get("addr") as usize,
            data: fields.get("data") as usize,
            result: fields.get("vdst") as usize,
            segment,
            base,
            offset,
            returns: fields.flag("glc"),
        })
    }

    /// The address of a word of a lane's access, of which so many bytes count.
    fn place(&self, wave: &Wave, lane: usize, word: usize, bytes: usize) -> u64 {
        let more = 4 * word as u64;
        match self.segment {
            Segment::Whole => self.whole(wave, lane).wrapping_add(more) & ADDRESS_BITS,
            Segment::Scratch(base) => {
                let start = match self.base {
                    Some(code) => wave.scalar(code),
                    None => wave.lane(self.address, lane),
                };
                let offset = start.wrapping_add(self.offset as u32).wrapping_add(more as u32);
                // Parts of words lie within one: the low bits of other offsets are dropped.
                let offset = u64::from(offset) & !(bytes.min(4) as u64 - 1);
                let word = offset / 4 * 4 * LANES as u64 + offset % 4;
                wave.pair(base).wrapping_add(word + 4 * lane as u64) & ADDRESS_BITS
            }
        }
    }

    fn whole(&self, wave: &Wave, lane: usize) -> u64 {
        let low = u64::from(wave.lane(self.address, lane));
        let start = match self.base {
            Some(code) => wave.pair(code).wrapping_add(low),
            None => low | u64::from(wave.lane(self.address + 1, lane)) << 32,
        };
        start.wrapping_add(self.offset as u64) & ADDRESS_BITS
    }

    /// Executes it in all active lanes.
    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        memory: &mut Memory,
        instruction: u32,
    ) -> Result<(), Reason> {
        // The result may overwrite the address of a lane, but of no other.
        for lane in wave.active() {
            let place = |wave: &Wave, word, bytes| self.place(wave, lane, word, bytes);
            match self.kind {
                Kind::Load(cell) => {
                    let start: [u64; 4] =
                        std::array::from_fn(|word| place(wave, word, cell.bytes()));
                    for (word, address) in start.into_iter().enumerate().take(cell.words()) {
                        let old = wave.lane(self.result + word, lane);
                        let value = cell.load(memory, address, old)?;
                        wave.set_lane(self.result + word, lane, value);
                    }
                }
                Kind::Store(cell) => {
                    for word in 0..cell.words() {
                        let value = wave.lane(self.data + word, lane);
                        cell.store(memory, place(wave, word, cell.bytes()), value)?;
                    }
                }
                Kind::Atomic(atomic, bits) => {
                    let bytes = usize::from(bits / 8);
                    let start = place(wave, 0, bytes);
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

/// The code of FLAT_SCRATCH.
fn flat_scratch(generation: Generation) -> u16 {
    if generation <= Generation::Gfx7 { 104 } else { 102 }
}
