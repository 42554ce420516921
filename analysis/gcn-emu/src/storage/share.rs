//! The data shares: loads, stores and atomics of bytes to sixteen bytes.
//!
//! Source: ISA manuals, DS. What lies behind the workgroup's part reads as 0 and is not
//! written.

use gcn::Generation;
use gcn::instruction::{Operand, OperandSpec};
use isa::gcn::operation::Share as Unit;

use super::share_bytes::ShareBytes;
use super::share_second::{exchanged, second_place};
use super::{AtomicInputs, apply};
use crate::operand::Fields;
use crate::stop::Reason;
use crate::wave::Wave;

/// An instruction on the share, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub(super) kind: Unit,
    pub(super) address: usize,
    pub(super) data: [usize; 2],
    pub(super) result: usize,
    /// The offset as one number, and as two.
    pub(super) offset: u32,
    offsets: [u32; 2],
    /// True if an atomic returns what memory held.
    returns: bool,
    pub(super) generation: Generation,
    /// GDS: the instruction accesses the global share.
    pub(crate) global: bool,
}

impl Share {
    /// Returns `None` for what orders waves.
    pub(crate) fn of(operation: Unit, row: &OperandSpec, fields: &Fields) -> Option<Share> {
        if operation == Unit::OrderedCount {
            return None;
        }
        let is_result = |it: &Operand| matches!(it, Operand::Part { letter: 'r', .. });
        let offsets = [fields.get("offset0"), fields.get("offset1")];
        Some(Share {
            kind: operation,
            address: fields.get("addr") as usize,
            data: [fields.data("data0"), fields.data("data1")],
            result: fields.data("vdst"),
            offset: offsets[0] | offsets[1] << 8,
            offsets,
            returns: row.operands.iter().any(is_result),
            generation: fields.generation,
            global: fields.flag("gds"),
        })
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        share: &mut [u8],
        instruction: u32,
    ) -> Result<(), Reason> {
        if matches!(self.kind, Unit::Swizzle | Unit::Push | Unit::Pull) {
            self.exchange(wave);
        } else {
            let mut cells = match self.global {
                true => ShareBytes::of_global(wave, share),
                false => ShareBytes::of_local(wave, share, self.generation),
            };
            match self.kind {
                Unit::Append | Unit::Consume => self.count(wave, &mut cells),
                Unit::LoadTransposed { access, bits } => {
                    self.transpose(wave, &cells, access, bits)?;
                }
                _ => wave.active().for_each(|lane| self.run_lane(wave, &mut cells, lane)),
            }
        }
        wave.note_writer(self.result, self.written(), instruction);
        Ok(())
    }

    /// Returns the number of registers that it writes.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn written(&self) -> usize {
        match self.kind {
            Unit::Load { access } | Unit::LoadTransposed { access, .. } => access.dwords(),
            Unit::LoadTwo { bytes, .. } | Unit::ExchangeTwo { bytes, .. } => usize::from(bytes) / 2,
            Unit::Atomic { bits, .. } if self.returns => usize::from(bits / 32),
            Unit::ConditionalExchange { dwords } => dwords.into(),
            Unit::LoadByLane | Unit::Append | Unit::Consume => 1,
            Unit::Swizzle | Unit::Push | Unit::Pull => 1,
            Unit::Nothing
            | Unit::Store { .. }
            | Unit::StoreTwo { .. }
            | Unit::Atomic { .. }
            | Unit::AtomicSecond { .. }
            | Unit::MoveSecond { .. }
            | Unit::StoreByLane
            | Unit::OrderedCount => 0,
        }
    }

    /// Moves a counter by the number of active lanes.
    fn count(&self, wave: &mut Wave, cells: &mut ShareBytes<'_>) {
        let start = if self.global { 0 } else { wave.m0() & 0xffff };
        let place = start + self.offset;
        let old = cells.load(place.into(), 4);
        let count = u64::from(wave.exec().count_ones());
        let up = self.kind == Unit::Append;
        let new = if up { old.wrapping_add(count) } else { old.wrapping_sub(count) };
        cells.store(place.into(), 4, new);
        wave.active().for_each(|lane| wave.set_lane(self.result, lane, old as u32));
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    fn run_lane(&self, wave: &mut Wave, cells: &mut ShareBytes<'_>, lane: usize) {
        let start = u64::from(wave.lane(self.address, lane));
        let place = start + u64::from(self.offset);
        let number = |wave: &Wave, source: usize, bytes: usize| {
            wave.number(self.data[source], lane, bytes.div_ceil(4))
        };
        match self.kind {
            Unit::Nothing | Unit::Append | Unit::Consume | Unit::OrderedCount => {}
            Unit::LoadTransposed { .. } => {}
            Unit::Swizzle | Unit::Push | Unit::Pull => {}
            Unit::Load { access } => {
                for word in 0..access.dwords() {
                    let value = cells.load(place + 4 * word as u64, access.bytes_each()) as u32;
                    let old = wave.lane(self.result + word, lane);
                    wave.set_lane(self.result + word, lane, access.loaded(value, old));
                }
            }
            Unit::Store { access } => {
                for word in 0..access.dwords() {
                    let value = access.stored(wave.lane(self.data[0] + word, lane));
                    cells.store(place + 4 * word as u64, access.bytes_each(), value.into());
                }
            }
            Unit::LoadTwo { bytes, unit }
            | Unit::StoreTwo { bytes, unit }
            | Unit::ExchangeTwo { bytes, unit } => {
                let bytes = usize::from(bytes);
                let places = self.offsets.map(|offset| start + u64::from(offset * u32::from(unit)));
                let values = places.map(|place| cells.load(place, bytes));
                if !matches!(self.kind, Unit::LoadTwo { .. }) {
                    for (source, place) in places.into_iter().enumerate() {
                        cells.store(place, bytes, number(wave, source, bytes));
                    }
                }
                if !matches!(self.kind, Unit::StoreTwo { .. }) {
                    for (at, value) in values.into_iter().enumerate() {
                        self.write(wave, lane, at * bytes / 4, bytes, value);
                    }
                }
            }
            Unit::Atomic { atomic, bits } => {
                let bytes = usize::from(bits / 8);
                let old = cells.load(place, bytes);
                let (mut data, mut other) = (number(wave, 0, bytes), number(wave, 1, bytes));
                // Here the comparand comes first.
                if atomic.compares() {
                    std::mem::swap(&mut data, &mut other);
                }
                let inputs = AtomicInputs { old, data, other };
                cells.store(place, bytes, apply(atomic, inputs, bits, wave.mode));
                if self.returns {
                    self.write(wave, lane, 0, bytes, old);
                }
            }
            Unit::MoveSecond { bits } => self.second(cells, start as u32, bits, &|_, data| data),
            Unit::AtomicSecond { atomic, bits } => {
                self.second(cells, start as u32, bits, &|old, data| {
                    apply(atomic, AtomicInputs { old, data, other: 0 }, bits, wave.mode)
                });
            }
            Unit::ConditionalExchange { dwords } => {
                // Pairs of words lie at multiples of eight.
                let place = place & !7;
                for word in 0..usize::from(dwords) {
                    let at = place + 4 * word as u64;
                    let old = cells.load(at, 4) as u32;
                    let data = wave.lane(self.data[0] + word, lane);
                    cells.store(at, 4, exchanged(old, data).into());
                    self.write(wave, lane, word, 4, old.into());
                }
            }
            Unit::LoadByLane => {
                let value = cells.load(self.place_by_lane(wave, lane), 4);
                self.write(wave, lane, 0, 4, value);
            }
            Unit::StoreByLane => {
                cells.store(self.place_by_lane(wave, lane), 4, number(wave, 0, 4));
            }
        }
    }

    /// The place of a lane's own word.
    fn place_by_lane(&self, wave: &Wave, lane: usize) -> u64 {
        u64::from(wave.m0() & 0xffff) + u64::from(self.offset) + 4 * lane as u64
    }

    /// Changes a number by another one of the share.
    fn second(
        &self,
        cells: &mut ShareBytes<'_>,
        start: u32,
        bits: u8,
        change: &dyn Fn(u64, u64) -> u64,
    ) {
        let bytes = usize::from(bits / 8);
        let first = u64::from(start & 0x1_ffff);
        let data = cells.load(second_place(start, self.offsets).into(), bytes);
        let old = cells.load(first, bytes);
        cells.store(first, bytes, change(old, data));
    }

    fn write(&self, wave: &mut Wave, lane: usize, at: usize, bytes: usize, value: u64) {
        wave.set_number(self.result + at, lane, bytes.div_ceil(4), value);
    }
}
