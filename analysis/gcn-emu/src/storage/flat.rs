//! Flat, global and scratch memory: addresses instead of descriptors.
//!
//! Source: Sea Islands ISA, GCN3 ISA and Vega ISA, FLAT; MI100 ISA, chapter 10. Whether a
//! flat address is of global memory, the share or scratch is asked of its upper half
//! ([`Apertures`](crate::Apertures)). What the manuals call a memory violation ends the
//! run: an address in the share or in scratch behind their ends (MI100 ISA 10.6), a global
//! instruction on either (10.4).
//!
//! Scratch is laid out as LLVM says (AMDGPUUsage, "Memory Spaces", private addresses) and
//! its buffer instructions demand: from its beginning on a dword of each of the 64 lanes
//! after the other. It begins on gfx9 at the address in FLAT_SCRATCH; on gfx7 and gfx8
//! FLAT_SCRATCH holds the bytes that a lane has, and where the wave's begin, counted in
//! 256 bytes from a base that the launch knows (AMDGPUUsage, "Flat Scratch"). MI300's is set up
//! by the launch alone (AMDGPUUsage, architected flat scratch).

use gcn::Generation;
use gcn::encoding::Encoding;
use isa::gcn::Feature;
use isa::gcn::operation::Flat as Unit;

use super::share_bytes::ShareBytes;
use super::{ADDRESS_BITS, AtomicInputs, apply};
use crate::aperture::Space;
use crate::memory::{Memory, Unmapped};
use crate::mode::Mode;
use crate::operand::Fields;
use crate::stop::Reason;
use crate::wave::{LANES, Wave};

/// The code of "no register".
const OFF: u16 = 0x7f;

/// An instruction on flat memory, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flat {
    kind: Unit,
    address: usize,
    data: usize,
    result: usize,
    segment: Segment,
    generation: Generation,
    /// The scalar registers of the address: of global memory the pair that an offset of 32
    /// bits is added to, of scratch the one that holds the offset.
    base: Option<u16>,
    /// SVE: of scratch with a scalar register, the vector register counts too.
    adds_lane: bool,
    scratch_base: ScratchBase,
    offset: i64,
    returns: bool,
}

/// The place where scratch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScratchBase {
    /// FLAT_SCRATCH says it.
    Registers,
    /// The launch knows it: no register that a program names holds it (MI300).
    SetUp,
}

/// The memory that an instruction's addresses may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segment {
    /// The memory that the address's upper half names.
    Flat,
    Global,
    /// The lanes' own: an offset.
    Scratch,
}

/// The location of a part of a lane's access.
#[derive(Debug, Clone, Copy)]
enum Site {
    Memory(u64),
    /// A place in the share, and its address.
    Share(u64, u64),
}

/// The memories that an access reached: only the counters of those wait for its data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) memory: bool,
    pub(crate) share: bool,
}

/// All that addresses may be of.
struct Spaces<'a> {
    memory: &'a mut Memory,
    share: ShareBytes<'a>,
    reached: Reached,
}

impl Spaces<'_> {
    fn read(&mut self, site: Site, bytes: usize) -> Result<u64, Unmapped> {
        self.reach(site, bytes)?;
        match site {
            Site::Memory(address) => self.memory.read(address, bytes),
            Site::Share(place, _) => Ok(self.share.load(place, bytes)),
        }
    }

    fn write(&mut self, site: Site, bytes: usize, value: u64) -> Result<(), Unmapped> {
        self.reach(site, bytes)?;
        match site {
            Site::Memory(address) => self.memory.write(address, bytes, value)?,
            Site::Share(place, _) => self.share.store(place, bytes, value),
        }
        Ok(())
    }

    fn reach(&mut self, site: Site, bytes: usize) -> Result<(), Unmapped> {
        match site {
            Site::Memory(_) => self.reached.memory = true,
            Site::Share(place, _) if self.share.has(place, bytes) => self.reached.share = true,
            Site::Share(_, address) => return Err(Unmapped { address }),
        }
        Ok(())
    }
}

impl Flat {
    /// Returns `None` for flat loads to the share, which no assembler writes, and for words of
    /// status: no compiler of ours asks for them.
    pub(crate) fn of(operation: Unit, fields: &Fields) -> Option<Flat> {
        let has = |feature| fields.features.has(feature);
        let operation = match operation {
            Unit::Load { access } if fields.flag("lds") => Unit::LoadShare { access },
            _ if fields.flag("lds") => return None,
            other => other,
        };
        let to_share = matches!(operation, Unit::LoadShare { .. });
        if to_share && fields.encoding == Encoding::Flat || fields.flag("tfe") {
            return None;
        }
        let is_set_up = has(Feature::Gfx940Insts);
        let base = Some(fields.get("saddr") as u16).filter(|code| *code != OFF);
        let offset = fields.signed("offset", 13);
        let (segment, base, offset) = match fields.encoding {
            Encoding::Scratch => (Segment::Scratch, base, offset),
            Encoding::Global => (Segment::Global, base, offset),
            _ => (Segment::Flat, None, fields.get("offset").into()),
        };
        Some(Flat {
            kind: operation,
            address: fields.get("addr") as usize,
            data: fields.data("data"),
            result: fields.data("vdst"),
            segment,
            generation: fields.generation,
            base,
            adds_lane: !is_set_up || fields.flag("sve"),
            scratch_base: if is_set_up { ScratchBase::SetUp } else { ScratchBase::Registers },
            offset,
            returns: fields.flag("glc"),
        })
    }

    /// Returns the location of a word of a lane's access, of which `bytes` bytes count.
    fn site(&self, wave: &Wave, lane: usize, word: usize, bytes: usize) -> Result<Site, Reason> {
        let more = 4 * word as u64;
        if self.segment == Segment::Scratch {
            let own = || wave.lane(self.address, lane);
            let start = match (self.base, self.scratch_base) {
                (Some(code), ScratchBase::SetUp) if self.adds_lane => {
                    wave.scalar(code).wrapping_add(own())
                }
                (Some(code), _) => wave.scalar(code),
                (None, _) if self.adds_lane => own(),
                (None, _) => 0,
            };
            let offset = start.wrapping_add(self.offset as u32).wrapping_add(more as u32);
            return Ok(Site::Memory(self.scratch(wave, lane, offset, bytes)));
        }
        let address = self.whole(wave, lane).wrapping_add(more);
        match (wave.apertures.space(address), self.segment) {
            (Space::Global, _) => Ok(Site::Memory(address & ADDRESS_BITS)),
            (Space::Shared, Segment::Flat) => Ok(Site::Share(u64::from(address as u32), address)),
            (Space::Private, Segment::Flat) => {
                let offset = address as u32;
                if self.generation < Generation::Gfx9 {
                    // Compilers never ask for several words there, nor is it said what they
                    // would get (AMDGPUUsage, "Memory Spaces").
                    if self.is_wide() {
                        return Err(Reason::Unsupported("several words of scratch".to_owned()));
                    }
                    let end = u64::from(offset) + bytes as u64;
                    if end > u64::from(wave.scalar(flat_scratch(self.generation))) {
                        return Err(Unmapped { address }.into());
                    }
                }
                if matches!(self.kind, Unit::Atomic { .. }) {
                    return Err(Reason::Unsupported("an atomic on scratch".to_owned()));
                }
                Ok(Site::Memory(self.scratch(wave, lane, offset, bytes)))
            }
            _ => Err(Unmapped { address }.into()),
        }
    }

    fn is_wide(&self) -> bool {
        matches!(self.kind, Unit::Load { access } | Unit::Store { access } if access.dwords() > 1)
    }

    /// The address of a byte of a lane's scratch.
    fn scratch(&self, wave: &Wave, lane: usize, offset: u32, bytes: usize) -> u64 {
        // Parts of words lie within one: the low bits of other offsets are dropped.
        let offset = u64::from(offset) & !(bytes.min(4) as u64 - 1);
        let inside = offset / 4 * 4 * LANES as u64 + offset % 4 + 4 * lane as u64;
        let code = flat_scratch(self.generation);
        let base = match self.generation {
            Generation::Gfx9 if self.scratch_base == ScratchBase::SetUp => {
                wave.apertures.hidden_private
            }
            Generation::Gfx9 => wave.pair(code),
            _ => {
                let units = u64::from(wave.scalar(code + 1));
                wave.apertures.hidden_private.wrapping_add(units << 8)
            }
        };
        base.wrapping_add(inside) & ADDRESS_BITS
    }

    /// The place in the share that a lane loads to: one lane after the other (CDNA3 ISA, loads
    /// of memory into the share). M0 is said to hold 16 bits of it, which do not reach all of a
    /// larger share.
    fn place_in_share(&self, wave: &Wave, stride: u64, lane: usize) -> Result<u64, Reason> {
        if wave.m0() > 0xffff {
            let what = "loading into the share beyond 64 KiB, which no document describes";
            return Err(Reason::Unsupported(what.to_owned()));
        }
        let start = u64::from(wave.m0()).wrapping_add(self.offset as u64);
        Ok(start.wrapping_add(stride * lane as u64))
    }

    fn whole(&self, wave: &Wave, lane: usize) -> u64 {
        let low = u64::from(wave.lane(self.address, lane));
        let start = match self.base {
            Some(code) => wave.pair(code).wrapping_add(low),
            None => low | u64::from(wave.lane(self.address + 1, lane)) << 32,
        };
        start.wrapping_add(self.offset as u64)
    }

    /// Executes it in all active lanes.
    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        memory: &mut Memory,
        share: &mut [u8],
        instruction: u32,
    ) -> Result<Reached, Reason> {
        let share = ShareBytes::of_local(wave, share, self.generation);
        let mut spaces = Spaces { memory, share, reached: Reached::default() };
        // The result may overwrite the address of a lane, but of no other.
        for lane in wave.active() {
            match self.kind {
                Unit::Load { access } => {
                    let mut values = [0; 4];
                    for (word, value) in values.iter_mut().enumerate().take(access.dwords()) {
                        let site = self.site(wave, lane, word, access.bytes_each())?;
                        *value = spaces.read(site, access.bytes_each())? as u32;
                    }
                    for (word, value) in values.into_iter().enumerate().take(access.dwords()) {
                        let old = wave.lane(self.result + word, lane);
                        wave.set_lane(self.result + word, lane, access.loaded(value, old));
                    }
                }
                Unit::LoadShare { access } => {
                    let stride = 4 * access.dwords() as u64;
                    let start = self.place_in_share(wave, stride, lane)?;
                    for word in 0..access.dwords() {
                        let site = self.site(wave, lane, word, access.bytes_each())?;
                        let value = spaces.read(site, access.bytes_each())? as u32;
                        let value = access.loaded(value, 0);
                        spaces.share.store(start + 4 * word as u64, 4, value.into());
                    }
                }
                Unit::Store { access } => {
                    for word in 0..access.dwords() {
                        let value = access.stored(wave.lane(self.data + word, lane));
                        let site = self.site(wave, lane, word, access.bytes_each())?;
                        spaces.write(site, access.bytes_each(), value.into())?;
                    }
                }
                Unit::Atomic { atomic, bits } => {
                    let bytes = usize::from(bits / 8);
                    let site = self.site(wave, lane, 0, bytes)?;
                    let dwords = bytes / 4;
                    let number =
                        |place: usize| wave.number(self.data + place * dwords, lane, dwords);
                    let mode = match site {
                        Site::Memory(_) => Mode::OF_MEMORY,
                        Site::Share(..) => wave.mode,
                    };
                    let old = spaces.read(site, bytes)?;
                    let other = if atomic.compares() { number(1) } else { 0 };
                    let inputs = AtomicInputs { old, data: number(0), other };
                    spaces.write(site, bytes, apply(atomic, inputs, bits, mode))?;
                    if self.returns {
                        wave.set_number(self.result, lane, dwords, old);
                    }
                }
            }
        }
        let words = match self.kind {
            Unit::Load { access } => access.dwords(),
            Unit::Atomic { bits, .. } if self.returns => usize::from(bits / 32),
            _ => 0,
        };
        wave.note_writer(self.result, words, instruction);
        Ok(spaces.reached)
    }
}

/// The code of FLAT_SCRATCH.
fn flat_scratch(generation: Generation) -> u16 {
    if generation <= Generation::Gfx7 { 104 } else { 102 }
}
