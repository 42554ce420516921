//! The part of a share that a wave may use, as bytes.
//!
//! Source: ISA manuals, DS: before gfx9 M0 limits the workgroup's part; of the global share
//! it names the part, its start in the upper half, its size in the lower (GCN3 ISA, "GDS").

use gcn::Generation;

use crate::wave::Wave;

/// The bytes that a wave may use.
pub(super) struct ShareBytes<'a> {
    bytes: &'a mut [u8],
}

impl<'a> ShareBytes<'a> {
    /// The workgroup's part of the local share.
    pub(super) fn of_local(
        wave: &Wave,
        share: &'a mut [u8],
        generation: Generation,
    ) -> ShareBytes<'a> {
        let is_limited = generation < Generation::Gfx9;
        let size = if is_limited { wave.m0() as usize } else { usize::MAX };
        ShareBytes::part(share, 0, size)
    }

    /// The part of the global share that M0 names.
    pub(super) fn of_global(wave: &Wave, share: &'a mut [u8]) -> ShareBytes<'a> {
        let m0 = wave.m0() as usize;
        ShareBytes::part(share, m0 >> 16, m0 & 0xffff)
    }

    fn part(share: &'a mut [u8], start: usize, size: usize) -> ShareBytes<'a> {
        let start = start.min(share.len());
        let end = start.saturating_add(size).min(share.len());
        ShareBytes { bytes: share.get_mut(start..end).unwrap_or_default() }
    }

    /// Tells whether all bytes of an access are within the part.
    pub(super) fn has(&self, place: u64, bytes: usize) -> bool {
        self.range(place, bytes).is_some()
    }

    fn range(&self, place: u64, bytes: usize) -> Option<std::ops::Range<usize>> {
        // Words lie at multiples of four; the low bits of other addresses are dropped.
        let start = usize::try_from(place).ok()?;
        let start = if bytes >= 4 { start & !3 } else { start };
        let end = start.checked_add(bytes)?;
        (end <= self.bytes.len()).then_some(start..end)
    }

    /// Loads bytes at a place; 0 outside.
    pub(super) fn load(&self, place: u64, bytes: usize) -> u64 {
        let mut value = [0; 8];
        if let Some(own) = self.range(place, bytes).and_then(|range| self.bytes.get(range)) {
            value[..own.len()].copy_from_slice(own);
        }
        u64::from_le_bytes(value)
    }

    /// Puts bytes to a place, if it is inside.
    pub(super) fn store(&mut self, place: u64, bytes: usize, value: u64) {
        let range = self.range(place, bytes);
        if let Some(own) = range.and_then(|range| self.bytes.get_mut(range)) {
            let length = own.len();
            own.copy_from_slice(&value.to_le_bytes()[..length]);
        }
    }
}
