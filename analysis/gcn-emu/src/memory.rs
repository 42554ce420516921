//! Memory as shaders see it: a few ranges of a large address space.
//!
//! Addresses that nobody mapped have no bytes: on the hardware an access there is a
//! page fault, so here it is an error and no silent zero.

use thiserror::Error;

/// The most bytes that may be mapped in all.
const MOST_BYTES: usize = 1 << 28;

/// An address that is not mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no memory at {address:#x}")]
pub struct Unmapped {
    /// The address, in bytes.
    pub address: u64,
}

/// Memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Ordered by address, apart from each other.
    ranges: Vec<Range>,
    bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Range {
    start: u64,
    bytes: Vec<u8>,
}

impl Memory {
    /// Gives addresses from `start` on their bytes.
    ///
    /// # Errors
    /// Where a byte is mapped already, or too many are.
    pub fn map(&mut self, start: u64, bytes: Vec<u8>) -> Result<(), Unmapped> {
        let refused = Err(Unmapped { address: start });
        let Some(end) = start.checked_add(bytes.len() as u64) else { return refused };
        if self.bytes.saturating_add(bytes.len()) > MOST_BYTES || bytes.is_empty() {
            return refused;
        }
        let place = self.ranges.partition_point(|range| range.start < start);
        let before = place.checked_sub(1).and_then(|place| self.ranges.get(place));
        let after = self.ranges.get(place);
        if before.is_some_and(|before| before.start + before.bytes.len() as u64 > start)
            || after.is_some_and(|after| after.start < end)
        {
            return refused;
        }
        self.bytes += bytes.len();
        self.ranges.insert(place, Range { start, bytes });
        Ok(())
    }

    /// Gives addresses from `start` on words, in the order of memory.
    ///
    /// # Errors
    /// As [`Memory::map`].
    pub fn map_words(&mut self, start: u64, words: &[u32]) -> Result<(), Unmapped> {
        self.map(start, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// The bytes from an address to the end of its range.
    fn from(&self, address: u64) -> Result<&[u8], Unmapped> {
        let place = self.ranges.partition_point(|range| range.start <= address);
        let range = place.checked_sub(1).and_then(|place| self.ranges.get(place));
        range
            .and_then(|range| range.bytes.get(usize::try_from(address - range.start).ok()?..))
            .filter(|bytes| !bytes.is_empty())
            .ok_or(Unmapped { address })
    }

    /// So many bytes from an address on.
    ///
    /// # Errors
    /// One of them is not mapped.
    pub fn bytes_at(&self, address: u64, count: usize) -> Result<&[u8], Unmapped> {
        self.from(address)?.get(..count).ok_or(Unmapped { address })
    }

    /// Up to eight bytes as a number, the lowest first.
    ///
    /// # Errors
    /// One of them is not mapped.
    pub fn read(&self, address: u64, bytes: usize) -> Result<u64, Unmapped> {
        let own = self.bytes_at(address, bytes.min(8))?;
        let mut value = [0; 8];
        value[..own.len()].copy_from_slice(own);
        Ok(u64::from_le_bytes(value))
    }

    /// A word of four bytes.
    ///
    /// # Errors
    /// One of them is not mapped.
    pub fn word(&self, address: u64) -> Result<u32, Unmapped> {
        self.read(address, 4).map(|value| value as u32)
    }

    /// Writes up to eight bytes of a number, the lowest first.
    ///
    /// # Errors
    /// One of them is not mapped; nothing is written then.
    pub fn write(&mut self, address: u64, bytes: usize, value: u64) -> Result<(), Unmapped> {
        let place = self.ranges.partition_point(|range| range.start <= address);
        let range = place.checked_sub(1).and_then(|place| self.ranges.get_mut(place));
        let own = range.and_then(|range| {
            let start = usize::try_from(address - range.start).ok()?;
            range.bytes.get_mut(start..start.checked_add(bytes.min(8))?)
        });
        let own = own.ok_or(Unmapped { address })?;
        own.copy_from_slice(&value.to_le_bytes()[..own.len()]);
        Ok(())
    }

    /// The bytes that are mapped in all.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The words of a range that was mapped at exactly this address.
    pub fn words(&self, start: u64) -> Vec<u32> {
        let range = self.ranges.iter().find(|range| range.start == start);
        let bytes = range.map_or(&[][..], |range| &range.bytes);
        bytes
            .chunks(4)
            .map(|chunk| {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                u32::from_le_bytes(word)
            })
            .collect()
    }
}
