//! Scalar registers that are allocated above those with numbers.

use isa::gcn::Feature;

use crate::Target;

/// The special registers that a wave uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpecialSgprs {
    /// VCC.
    pub vcc: bool,
    /// FLAT_SCRATCH.
    pub flat_scratch: bool,
    /// XNACK_MASK.
    pub xnack_mask: bool,
}

/// The registers of FLAT_SCRATCH where LLVM allocates them on a chip that has no such register.
const LEAST_FLAT_SCRATCH: u32 = 4;

impl SpecialSgprs {
    /// Returns the registers to allocate for them. They have fixed places below the end of the
    /// allocation, so the largest of their needs counts once. A chip that sets FLAT_SCRATCH up
    /// by itself has its registers in every wave.
    pub fn count(self, target: Target) -> u32 {
        let limits = &target.row().limits;
        let flat_scratch = self.flat_scratch || target.has(Feature::Gfx940Insts);
        let needs = [
            (self.vcc, limits.extra_vcc),
            (self.xnack_mask, limits.extra_xnack),
            (flat_scratch, limits.extra_flat_scratch.max(LEAST_FLAT_SCRATCH)),
        ];
        let needs = needs.into_iter().filter(|(used, _)| *used);
        needs.map(|(_, amount)| amount).max().unwrap_or(0)
    }
}
