//! Registers that a code names: those that its allocation must cover, and those that an index
//! may reach.

use isa::gcn::Feature;

use super::code::Code;
use super::def_use::{Access, AccessKind, DefUse};
use super::register_set::RegisterSet;
use crate::Target;
use crate::behaviour::Unit;
use crate::encoding::Encoding;
use crate::instruction::{Bank, Layout, Register, field};
use crate::occupancy::SpecialSgprs;

/// The registers that a shader's instructions name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegisterUse {
    /// One more than the highest vector register.
    pub vgprs: u32,
    /// One more than the highest accumulation register.
    pub agprs: u32,
    /// One more than the highest numbered scalar register.
    pub numbered_sgprs: u32,
    /// Tells whether VCC is named, or read by the mnemonic itself.
    pub vcc: bool,
    /// Tells whether FLAT_SCRATCH is named.
    pub flat_scratch: bool,
    /// Tells whether XNACK_MASK is named.
    pub xnack_mask: bool,
    /// One more than the highest interpolated attribute.
    pub interpolants: u32,
}

impl RegisterUse {
    /// The scalar registers to allocate: the numbered ones, and above them room for
    /// the special ones. A chip that retries page faults needs its room in every shader.
    pub fn sgprs(&self, target: Target) -> u32 {
        let special = SpecialSgprs {
            vcc: self.vcc,
            flat_scratch: self.flat_scratch,
            xnack_mask: self.xnack_mask || target.row().xnack,
        };
        self.numbered_sgprs + special.count(target)
    }
}

/// All registers that are named, without those that only an index may reach.
pub(crate) fn named(def_use: &[DefUse]) -> RegisterSet {
    let accesses = def_use.iter().flat_map(|def_use| def_use.accesses());
    let named = |access: &Access| match access.kind {
        AccessKind::Unknown => None,
        AccessKind::Indexed => Some(Register { dwords: 1, ..access.register }),
        AccessKind::Full | AccessKind::Partial | AccessKind::CrossLane => Some(access.register),
    };
    accesses.filter_map(|(access, _)| named(access)).collect()
}

/// The registers that indices may reach: all up to the highest named.
pub(crate) fn reachable(named: &RegisterSet) -> RegisterSet {
    let numbers = 0..named.vector_end();
    let vectors = numbers.map(|first| Register { bank: Bank::Vector, first, dwords: 1 });
    let mut all = named.union(&vectors.collect());
    let numbered = named.scalar & ((1 << 106) - 1);
    all.scalar |= match numbered.leading_zeros() {
        128 => 0,
        zeros => u128::MAX >> zeros,
    };
    all
}

/// The registers that a code uses, as its allocation counts them.
pub fn register_use(code: &Code, def_use: &[DefUse]) -> RegisterUse {
    let named = named(def_use);
    let target = code.target;
    let numbered = target.row().limits.sgpr_addressable;
    let (flat, xnack) = match target.generation() {
        crate::Generation::Gfx6 => (0, 0),
        crate::Generation::Gfx7 => (3 << 104, 0),
        _ => (3 << 102, if target.has(Feature::XnackMask) { 3 << 104 } else { 0 }),
    };
    let below = named.scalar & ((1 << numbered) - 1);
    let attribute = field(Layout::Of(Encoding::Vintrp), target.features(), "attr");
    let interpolants = def_use.iter().filter_map(|def_use| {
        let interpolates = def_use.desc?.behaviour().unit == Unit::Interp;
        interpolates.then(|| attribute.map_or(0, |field| field.value(def_use.bits) as u32 + 1))
    });
    RegisterUse {
        vgprs: named.vector_end().into(),
        agprs: named.accumulator_end().into(),
        numbered_sgprs: 128 - below.leading_zeros(),
        vcc: named.scalar & (3 << 106) != 0,
        flat_scratch: named.scalar & flat != 0,
        xnack_mask: named.scalar & xnack != 0,
        interpolants: interpolants.max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_lines::from_lines;

    fn used(chip: &str, text: &str) -> (RegisterUse, u32) {
        let target = Target::find(chip).expect(chip);
        let code = from_lines(target, text).expect(text);
        let found = register_use(&code, &DefUse::of_all(&code, &source::no_checkpoint));
        (found, found.sgprs(target))
    }

    #[test]
    fn the_highest_register_counts() {
        let text = "image_sample v[8:11], v[0:1], s[8:15], s[0:3] dmask:0xf\n\
                    v_add_f32_e64 v2, -v3, |v20| clamp\n\
                    v_mov_b32_sdwa v1, v2 dst_sel:WORD_1 src0_sel:BYTE_0\n\
                    v_mov_b32_dpp v1, v2 quad_perm:[0,1,2,3] row_mask:0xf\n\
                    there:\ns_branch there\nexp mrt0 off, off, off, off";
        let (found, _) = used("vega10", text);
        assert_eq!((found.vgprs, found.numbered_sgprs, found.vcc), (21, 16, false));
    }

    #[test]
    fn special_registers_are_added_once() {
        let sgprs = |chip| used(chip, "v_cmp_lt_f32_e32 vcc, 0.5, v0\ns_mov_b64 exec, s[0:1]").1;
        assert_eq!((sgprs("tahiti"), sgprs("polaris10"), sgprs("vega10")), (4, 4, 4));
        // Retry of page faults takes its room whether or not anything names it.
        assert_eq!(sgprs("raven"), 6);
        let text = "s_mov_b64 flat_scratch, s[0:1]\nthere:\ns_cbranch_vccz there";
        let (found, sgprs) = used("bonaire", text);
        assert!(found.vcc && found.flat_scratch);
        assert_eq!((sgprs, used("polaris10", text).1), (6, 8));
    }

    #[test]
    fn attributes_are_counted() {
        assert_eq!(used("polaris10", "v_interp_p1_f32 v0, v0, attr5.x").0.interpolants, 6);
    }
}
