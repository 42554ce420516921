//! Registers that a code names: those that its allocation must cover, and those that an index
//! may reach.

use super::code::Code;
use super::def_use::{Access, AccessKind, DefUse};
use super::register_set::RegisterSet;
use crate::behaviour::Unit;
use crate::encoding::Encoding;
use crate::instruction::{Bank, InstructionSet, Layout, Register, field};
use crate::registers::RegisterUse;

/// All registers that are named, without those that only an index may reach.
pub(crate) fn named(def_use: &[DefUse]) -> RegisterSet {
    let accesses =
        def_use.iter().flat_map(|def_use| def_use.reads().iter().chain(def_use.writes()));
    let named = |access: &Access| match access.kind {
        AccessKind::Unknown => None,
        AccessKind::Indexed => Some(Register { dwords: 1, ..access.register }),
        AccessKind::Full | AccessKind::Partial | AccessKind::CrossLane => Some(access.register),
    };
    accesses.filter_map(named).collect()
}

/// The registers that indices may reach: all up to the highest named.
pub(crate) fn reachable(named: &RegisterSet) -> RegisterSet {
    let numbers = named.highest_vector().into_iter().flat_map(|highest| 0..=highest);
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
    let features = InstructionSet::of(code.target).features();
    let numbered = features.addressable_sgprs();
    let (flat, xnack) = match features.generation {
        crate::Generation::Gfx6 => (0, 0),
        crate::Generation::Gfx7 => (3 << 104, 0),
        _ => (3 << 102, if features.xnack_mask { 3 << 104 } else { 0 }),
    };
    let flat_used = named.scalar & flat != 0;
    let below = named.scalar & ((1 << numbered) - 1);
    let attribute = field(Layout::Of(Encoding::Vintrp), features.set, "attr");
    let interpolants = def_use.iter().filter_map(|def_use| {
        let interpolates = def_use.desc?.behaviour().unit == Unit::Interp;
        interpolates.then(|| attribute.map_or(0, |field| field.value(def_use.bits) as u32 + 1))
    });
    RegisterUse {
        vgprs: named.highest_vector().map_or(0, |highest| u32::from(highest) + 1),
        numbered_sgprs: 128 - below.leading_zeros(),
        vcc: named.scalar & (3 << 106) != 0,
        flat_scratch: flat_used,
        xnack_mask: named.scalar & xnack != 0,
        interpolants: interpolants.max().unwrap_or(0),
    }
}
