//! The data shares: loads, stores and atomics of bytes to sixteen bytes.
//!
//! Source: ISA manuals, DS. What lies behind the workgroup's part reads as 0 and is not
//! written.

use gcn::Generation;
use gcn::instruction::{Operand, Signature};
use isa::gcn::operation::{self, Atomic, Half};

use super::share_bytes::{ShareBytes, ShareLimit};
use super::share_lanes::Exchange;
use super::share_second::{exchanged, second_place};
use super::{AtomicInputs, apply};
use crate::operand::Fields;
use crate::stop::Reason;
use crate::wave::Wave;

/// An instruction on the share, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    kind: ShareAccess,
    address: usize,
    data: [usize; 2],
    result: usize,
    /// The offset as one number, and as two.
    offset: u32,
    offsets: [u32; 2],
    /// The limit of addresses of the local share.
    limit: ShareLimit,
    /// GDS: the instruction accesses the global share.
    global: bool,
}

#[derive(Debug, Clone, Copy)]
enum ShareAccess {
    Nothing,
    Load {
        bytes: usize,
        signed: bool,
        /// The shift of the register's half that is loaded; `None` for all of it.
        half: Option<u32>,
    },
    Store {
        bytes: usize,
        upper: bool,
    },
    /// Two places: the bytes of each, and the unit of their offsets in bytes.
    LoadTwo(usize, u32),
    StoreTwo(usize, u32),
    ExchangeTwo(usize, u32),
    Atomic {
        atomic: Atomic,
        bits: u8,
        returns: bool,
    },
    /// An atomic whose datum is elsewhere in the share; `None` only moves it.
    Second(Option<Atomic>, u8),
    /// Words that are replaced where the datum's highest bit is set.
    ConditionalExchange(usize),
    /// A counter that is moved by the number of active lanes.
    Append(bool),
    LoadByLane,
    StoreByLane,
    Lanes(Exchange),
}

impl ShareAccess {
    /// Returns that of an operation; `None` for what orders waves.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn of(
        operation: operation::Share,
        row: &Signature,
        generation: Generation,
    ) -> Option<ShareAccess> {
        use operation::Share as Unit;
        let returns =
            || row.operands.iter().any(|it| matches!(it, Operand::Part { letter: 'r', .. }));
        Some(match operation {
            Unit::Nothing => ShareAccess::Nothing,
            Unit::Load { access } => ShareAccess::Load {
                bytes: access.bytes.into(),
                signed: access.signed,
                half: match access.half {
                    Half::Whole => None,
                    Half::Low => Some(0),
                    Half::High => Some(16),
                },
            },
            Unit::Store { access } => {
                ShareAccess::Store { bytes: access.bytes.into(), upper: access.half == Half::High }
            }
            Unit::LoadTwo { bytes, unit } => ShareAccess::LoadTwo(bytes.into(), unit.into()),
            Unit::StoreTwo { bytes, unit } => ShareAccess::StoreTwo(bytes.into(), unit.into()),
            Unit::ExchangeTwo { bytes, unit } => {
                ShareAccess::ExchangeTwo(bytes.into(), unit.into())
            }
            Unit::Atomic { atomic, bits } => {
                ShareAccess::Atomic { atomic, bits, returns: returns() }
            }
            Unit::AtomicSecond { atomic, bits } => ShareAccess::Second(Some(atomic), bits),
            Unit::MoveSecond { bits } => ShareAccess::Second(None, bits),
            Unit::ConditionalExchange { dwords } => ShareAccess::ConditionalExchange(dwords.into()),
            Unit::Append => ShareAccess::Append(true),
            Unit::Consume => ShareAccess::Append(false),
            Unit::LoadByLane => ShareAccess::LoadByLane,
            Unit::StoreByLane => ShareAccess::StoreByLane,
            Unit::Swizzle => ShareAccess::Lanes(Exchange::Swizzle(generation)),
            Unit::Push => ShareAccess::Lanes(Exchange::Push),
            Unit::Pull => ShareAccess::Lanes(Exchange::Pull),
            Unit::OrderedCount => return None,
        })
    }
}

impl Share {
    pub(crate) fn of(
        operation: operation::Share,
        row: &Signature,
        fields: &Fields,
    ) -> Option<Share> {
        let offsets = [fields.get("offset0"), fields.get("offset1")];
        Some(Share {
            kind: ShareAccess::of(operation, row, fields.generation)?,
            address: fields.get("addr") as usize,
            data: [fields.get("data0") as usize, fields.get("data1") as usize],
            result: fields.get("vdst") as usize,
            offset: offsets[0] | offsets[1] << 8,
            offsets,
            limit: ShareLimit::of(fields.generation),
            global: fields.flag("gds"),
        })
    }

    /// Tells whether it accesses the global share.
    pub(crate) fn is_global(&self) -> bool {
        self.global
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        share: &mut [u8],
        instruction: u32,
    ) -> Result<(), Reason> {
        if let ShareAccess::Lanes(exchange) = self.kind {
            exchange.run(wave, self.address, self.data[0], self.result, self.offset as u16);
            wave.note_writer(self.result, 1, instruction);
            return Ok(());
        }
        let mut cells = match self.global {
            true => ShareBytes::of_global(wave, share),
            false => ShareBytes::of_local(wave, share, self.limit),
        };
        if let ShareAccess::Append(up) = self.kind {
            let start = if self.global { 0 } else { wave.m0() & 0xffff };
            let place = start + self.offset;
            let old = cells.load(place.into(), 4);
            let count = u64::from(wave.exec().count_ones());
            let new = if up { old.wrapping_add(count) } else { old.wrapping_sub(count) };
            cells.store(place.into(), 4, new);
            for lane in wave.active() {
                wave.set_lane(self.result, lane, old as u32);
            }
            wave.note_writer(self.result, 1, instruction);
            return Ok(());
        }
        for lane in wave.active() {
            self.run_lane(wave, &mut cells, lane);
        }
        let words = match self.kind {
            ShareAccess::Load { bytes, .. } => bytes.div_ceil(4),
            ShareAccess::LoadTwo(bytes, _) | ShareAccess::ExchangeTwo(bytes, _) => bytes / 2,
            ShareAccess::Atomic { bits, returns: true, .. } => usize::from(bits / 32),
            ShareAccess::LoadByLane => 1,
            ShareAccess::ConditionalExchange(words) => words,
            _ => 0,
        };
        wave.note_writer(self.result, words, instruction);
        Ok(())
    }

    fn run_lane(&self, wave: &mut Wave, cells: &mut ShareBytes<'_>, lane: usize) {
        let start = u64::from(wave.lane(self.address, lane));
        let place = start + u64::from(self.offset);
        let number = |wave: &Wave, source: usize, bytes: usize| {
            let first = self.data[source];
            let high = if bytes > 4 { wave.lane(first + 1, lane) } else { 0 };
            u64::from(wave.lane(first, lane)) | u64::from(high) << 32
        };
        let two = |unit: u32| self.offsets.map(|offset| start + u64::from(offset * unit));
        match self.kind {
            ShareAccess::Nothing | ShareAccess::Append(_) | ShareAccess::Lanes(_) => {}
            ShareAccess::Load { bytes, signed, half } => {
                for word in 0..bytes.div_ceil(4) {
                    let value = cells.load(place + 4 * word as u64, bytes.min(4)) as u32;
                    let value = match (bytes, signed) {
                        (1, true) => value as i8 as u32,
                        (2, true) => value as i16 as u32,
                        _ => value,
                    };
                    let register = self.result + word;
                    let old = wave.lane(register, lane);
                    let value = match half {
                        None => value,
                        Some(shift) => old & !(0xffff << shift) | (value & 0xffff) << shift,
                    };
                    wave.set_lane(register, lane, value);
                }
            }
            ShareAccess::Store { bytes, upper } => {
                for word in 0..bytes.div_ceil(4) {
                    let value = wave.lane(self.data[0] + word, lane);
                    let value = if upper { value >> 16 } else { value };
                    cells.store(place + 4 * word as u64, bytes.min(4), value.into());
                }
            }
            ShareAccess::LoadTwo(bytes, unit) => {
                let values = two(unit).map(|place| cells.load(place, bytes));
                self.write_two(wave, lane, bytes, values);
            }
            ShareAccess::StoreTwo(bytes, unit) => {
                for (source, place) in two(unit).into_iter().enumerate() {
                    cells.store(place, bytes, number(wave, source, bytes));
                }
            }
            ShareAccess::ExchangeTwo(bytes, unit) => {
                let places = two(unit);
                let values = places.map(|place| cells.load(place, bytes));
                for (source, place) in places.into_iter().enumerate() {
                    cells.store(place, bytes, number(wave, source, bytes));
                }
                self.write_two(wave, lane, bytes, values);
            }
            ShareAccess::Atomic { atomic, bits, returns } => {
                let bytes = usize::from(bits / 8);
                let old = cells.load(place, bytes);
                let (mut data, mut other) = (number(wave, 0, bytes), number(wave, 1, bytes));
                // Here the comparand comes first.
                if atomic.compares() {
                    std::mem::swap(&mut data, &mut other);
                }
                let inputs = AtomicInputs { old, data, other };
                cells.store(place, bytes, apply(atomic, inputs, bits, wave.mode));
                if returns {
                    self.write(wave, lane, 0, bytes, old);
                }
            }
            ShareAccess::Second(atomic, bits) => {
                let bytes = usize::from(bits / 8);
                let first = u64::from(start as u32 & 0x1_ffff);
                let data = cells.load(second_place(start as u32, self.offsets).into(), bytes);
                let old = cells.load(first, bytes);
                let inputs = AtomicInputs { old, data, other: 0 };
                let new = atomic.map_or(data, |atomic| apply(atomic, inputs, bits, wave.mode));
                cells.store(first, bytes, new);
            }
            ShareAccess::ConditionalExchange(words) => {
                // Pairs of words lie at multiples of eight.
                let place = place & !7;
                for word in 0..words {
                    let at = place + 4 * word as u64;
                    let old = cells.load(at, 4) as u32;
                    let data = wave.lane(self.data[0] + word, lane);
                    cells.store(at, 4, exchanged(old, data).into());
                    self.write(wave, lane, word, 4, old.into());
                }
            }
            ShareAccess::LoadByLane | ShareAccess::StoreByLane => {
                let base = u64::from(wave.m0() & 0xffff) + u64::from(self.offset);
                let place = base + 4 * lane as u64;
                if matches!(self.kind, ShareAccess::LoadByLane) {
                    let value = cells.load(place, 4);
                    self.write(wave, lane, 0, 4, value);
                } else {
                    cells.store(place, 4, number(wave, 0, 4));
                }
            }
        }
    }

    fn write(&self, wave: &mut Wave, lane: usize, at: usize, bytes: usize, value: u64) {
        wave.set_lane(self.result + at, lane, value as u32);
        if bytes > 4 {
            wave.set_lane(self.result + at + 1, lane, (value >> 32) as u32);
        }
    }

    fn write_two(&self, wave: &mut Wave, lane: usize, bytes: usize, values: [u64; 2]) {
        for (at, value) in values.into_iter().enumerate() {
            self.write(wave, lane, at * bytes / 4, bytes, value);
        }
    }
}
