//! The apertures: the parts of the flat address space that are the local data share and
//! scratch.
//!
//! Source: LLVM, AMDGPUUsage, "Memory Spaces" and "Flat Scratch": of addresses of 64 bits
//! the upper half says whether they are in one of the two apertures, the lower where in
//! it. Code of gfx9 reads the apertures as operands 235 to 238, or as the hardware register
//! SH_MEM_BASES; that of gfx7 and gfx8 finds them in memory, which the launch fills.

use std::ops::RangeInclusive;

/// The apertures of a wave, and where its scratch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Apertures {
    /// The upper half of addresses in the workgroup's share.
    pub shared: u32,
    /// The upper half of addresses in the lane's scratch.
    pub private: u32,
    /// The address that FLAT_SCRATCH is an offset from, on gfx7 and gfx8: the hardware's
    /// register SH_HIDDEN_PRIVATE_BASE_VIMID, which no code can read.
    pub hidden_private: u64,
}

impl Default for Apertures {
    /// As Linux sets gfx9 up (amdkfd, kfd_flat_memory.c): from 2^48 and 2^49 on.
    fn default() -> Apertures {
        Apertures { shared: 1 << 16, private: 1 << 17, hidden_private: 0 }
    }
}

/// The memory that a flat address of 64 bits belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Shared,
    Private,
}

impl Apertures {
    /// The codes of the operands that are ends of apertures: base and limit of the share, then
    /// of scratch.
    pub(crate) const OPERANDS: RangeInclusive<u32> = 235..=238;

    /// Returns the memory that an address belongs to, by its upper half.
    pub(crate) fn space(&self, address: u64) -> Space {
        match (address >> 32) as u32 {
            upper if upper == self.shared => Space::Shared,
            upper if upper == self.private => Space::Private,
            _ => Space::Global,
        }
    }

    /// The first or the last address of an aperture, which has 2^32 bytes, by the operand's
    /// code.
    pub(crate) fn operand(&self, code: u32) -> u64 {
        let upper = if code < 237 { self.shared } else { self.private };
        let lower = if code & 1 == 1 { 0 } else { u32::MAX };
        u64::from(upper) << 32 | u64::from(lower)
    }

    /// SH_MEM_BASES of gfx9: the highest sixteen bits of each aperture's addresses (LLVM,
    /// getSegmentAperture).
    pub(crate) fn bases(&self) -> u32 {
        self.shared & 0xffff_0000 | self.private >> 16
    }
}
