//! Vector and accumulation registers of a wave: of two files, where the larger need is
//! allocated in both, or of one, where the accumulation registers begin behind the vector
//! registers at a multiple of the chip's `accum_granule`.

use super::Usage;
use crate::targets::Limits;

/// Numbers of registers of the two kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) vgprs: u32,
    pub(super) agprs: u32,
}

/// The registers that a wave names.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorRegisters<'a> {
    own: Counts,
    limits: &'a Limits,
}

impl<'a> VectorRegisters<'a> {
    pub(super) fn of(usage: &Usage, limits: &'a Limits) -> VectorRegisters<'a> {
        VectorRegisters { own: Counts { vgprs: usage.vgprs, agprs: usage.agprs }, limits }
    }

    /// Returns the registers that are taken of a file.
    pub(super) fn taken(self) -> u32 {
        match (self.limits.accum_granule, self.own.agprs) {
            (0, agprs) => self.own.vgprs.max(agprs),
            (_, 0) => self.own.vgprs,
            (_, agprs) => self.accum_offset().saturating_add(agprs),
        }
    }

    /// Returns the place of the first accumulation register in the file that both share.
    pub(super) fn accum_offset(self) -> u32 {
        super::allocate(self.own.vgprs.max(1), self.limits.accum_granule)
    }

    /// Tells whether an instruction can name all of them.
    pub(super) fn can_be_named(self) -> bool {
        self.own.vgprs.max(self.own.agprs) <= self.limits.vgpr_addressable
    }

    /// Tells whether the accumulation registers alone decide how many are allocated.
    pub(super) fn accumulators_rule(self) -> bool {
        self.limits.accum_granule == 0 && self.own.agprs > self.own.vgprs
    }

    /// Returns the most registers of each kind within a number of allocated ones, the other
    /// kind as it is; `None` where the other kind alone is too many.
    fn most(self, allocated: u32) -> (Option<u32>, Option<u32>) {
        let (vgprs, agprs) = match (self.limits.accum_granule, self.own.agprs) {
            (0, _) => (Some(allocated), Some(allocated)),
            (granule, agprs) => {
                let vgprs = match agprs {
                    0 => Some(allocated),
                    _ => allocated
                        .checked_sub(agprs)
                        .map(|left| super::floor(left, granule))
                        .filter(|left| *left > 0),
                };
                // Without accumulation registers nothing is lost to their alignment.
                let without = (self.own.vgprs <= allocated).then_some(0);
                (vgprs, allocated.checked_sub(self.accum_offset()).or(without))
            }
        };
        let named = |count: u32| count.min(self.limits.vgpr_addressable);
        (vgprs.map(named), agprs.map(named))
    }

    /// Returns how many more of each kind, the other as it is, need no more than is allocated.
    pub(super) fn spare(self, allocated: u32) -> Counts {
        let (vgprs, agprs) = self.most(allocated);
        Counts {
            vgprs: vgprs.map_or(0, |most| most.saturating_sub(self.own.vgprs)),
            agprs: agprs.map_or(0, |most| most.saturating_sub(self.own.agprs)),
        }
    }

    /// Returns the registers to free for so many allocated ones. Of a file for each kind, both
    /// numbers; of a file that both share either, and 0 for a kind of which there are too few.
    pub(super) fn excess(self, allocated: u32) -> Counts {
        let (vgprs, agprs) = self.most(allocated);
        Counts {
            vgprs: vgprs.map_or(0, |most| self.own.vgprs.saturating_sub(most)),
            agprs: agprs.map_or(0, |most| self.own.agprs.saturating_sub(most)),
        }
    }
}
