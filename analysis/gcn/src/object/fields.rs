//! Numbers in headers, the lowest byte first.

/// The rest of some bytes.
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Fields<'a> {
        Fields(bytes)
    }

    /// Takes so many bytes; `None` where there are fewer.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Takes 16 bits.
    pub(super) fn short(&mut self) -> Option<u64> {
        self.number(2)
    }

    /// Takes 32 bits.
    pub(super) fn word(&mut self) -> Option<u64> {
        self.number(4)
    }

    /// Takes 64 bits.
    pub(super) fn long(&mut self) -> Option<u64> {
        self.number(8)
    }

    /// Returns how many bytes are left.
    pub(super) fn rest(&self) -> usize {
        self.0.len()
    }
}
