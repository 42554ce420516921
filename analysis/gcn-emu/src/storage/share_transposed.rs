//! Loads from the share whose elements are transposed among 16 lanes.
//!
//! Each lane loads its own bytes. The elements of sixteen lanes, one lane after the other, are the
//! rows of a matrix with sixteen columns, of which each lane is given one. CDNA4 ISA, 11.4, says
//! for which products the loads are and that every lane must be active; the places of all four
//! widths are those that AMD's tests of rocRoller compare on the chip, and for 8 and 16 bits those
//! of Triton's layouts.

use isa::gcn::operation::AccessWidth;

use super::share::Share;
use super::share_bytes::ShareBytes;
use crate::stop::Reason;
use crate::wave::{LANES, Wave};

/// Lanes that exchange elements.
const GROUP: usize = 16;

impl Share {
    pub(super) fn transpose(
        &self,
        wave: &mut Wave,
        cells: &ShareBytes<'_>,
        access: AccessWidth,
        bits: u8,
    ) -> Result<(), Reason> {
        if wave.exec() != u64::MAX {
            let what = "a transposed load with inactive lanes, which the manual forbids";
            return Err(Reason::Unsupported(what.to_owned()));
        }
        // Three words lie as four do.
        let alignment = u64::from(access.bytes).next_power_of_two();
        let mut rows = [0_u128; LANES];
        for (lane, row) in rows.iter_mut().enumerate() {
            let place = u64::from(wave.lane(self.address, lane)) + u64::from(self.offset);
            if place % alignment != 0 {
                let what = format!("a transposed load from no multiple of {alignment} bytes");
                return Err(Reason::Unsupported(what));
            }
            for word in 0..access.dwords() {
                *row |= u128::from(cells.load(place + 4 * word as u64, 4)) << (32 * word);
            }
        }
        let each = 8 * usize::from(access.bytes) / usize::from(bits);
        let mask = (1_u128 << bits) - 1;
        for lane in 0..LANES {
            let (group, column) = (lane / GROUP * GROUP, lane % GROUP);
            let mut result = 0;
            for row in 0..each {
                let element = row * GROUP + column;
                let from = rows[group + element / each] >> (element % each * usize::from(bits));
                result |= (from & mask) << (row * usize::from(bits));
            }
            for word in 0..access.dwords() {
                wave.set_lane(self.result + word, lane, (result >> (32 * word)) as u32);
            }
        }
        Ok(())
    }
}
