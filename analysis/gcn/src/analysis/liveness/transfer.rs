//! Transfer functions of liveness: gen and kill of one instruction, and of a region.

use crate::analysis::cancellation::CancelTicker;
use crate::analysis::def_use::{AccessKind, DefUse};
use crate::analysis::register_set::{LaneSet, RegisterSet};
use crate::behaviour::Unit;
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;

/// No register.
pub(super) const NO_LANES: LaneSet = RegisterSet::EMPTY.vector;

/// Adds a set to another.
pub(super) fn add(own: &mut LaneSet, more: &LaneSet) {
    for (own, more) in own.iter_mut().zip(more) {
        *own |= more;
    }
}

/// The transfer function of a region: what its instructions use, and what they define.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Transfer {
    /// Read by the wave, and by lanes that are active.
    read: RegisterSet,
    /// Read of a lane that is not.
    read_inactive: LaneSet,
    /// Written whole.
    written: RegisterSet,
    /// Two vector registers that are exchanged, by an instruction that is a region alone.
    exchanged: Option<(u16, u16)>,
}

impl Transfer {
    /// Returns the transfer function of a region; an index reaches the registers of `named`.
    pub(super) fn of(
        region: &[DefUse],
        named: &RegisterSet,
        cancel: &CancelTicker<'_>,
    ) -> Transfer {
        let mut transfer = Transfer::default();
        for def_use in region.iter().rev() {
            cancel.step();
            if let Some(both) = exchanged(def_use) {
                transfer.exchanged = Some(both);
                continue;
            }
            back(def_use, named, &mut transfer.read, Some(&mut transfer.read_inactive));
            whole_writes(def_use).for_each(|register| transfer.written.insert(register));
        }
        transfer
    }

    /// Goes back over it with the registers that active lanes need.
    pub(super) fn active(&self, live: &mut LaneSet) {
        if let Some(both) = self.exchanged {
            exchange(both, live);
            return;
        }
        for (index, live) in live.iter_mut().enumerate() {
            *live = *live & !self.written.vector[index] | self.read.vector[index];
        }
    }

    /// Goes back over it with the registers that inactive lanes need.
    pub(super) fn inactive(&self, live: &mut LaneSet) {
        add(live, &self.read_inactive);
    }

    /// Goes back over it with the scalar registers that the wave needs.
    pub(super) fn scalar(&self, live: u128) -> u128 {
        live & !self.written.scalar | self.read.scalar
    }
}

/// Goes back over one instruction with the registers that the wave and its active lanes need,
/// and with those that inactive lanes need, where there are any. An index reaches the registers of
/// `named`.
pub(super) fn back(
    def_use: &DefUse,
    named: &RegisterSet,
    active: &mut RegisterSet,
    mut inactive: Option<&mut LaneSet>,
) {
    if let Some(both) = exchanged(def_use) {
        exchange(both, &mut active.vector);
        return;
    }
    whole_writes(def_use).for_each(|register| active.remove(register));
    let is_matrix = def_use.desc.is_some_and(|desc| desc.behaviour().unit == Unit::Matrix);
    for access in def_use.reads() {
        // FLAT_SCRATCH behind a flat address is a guess: a code that never names it
        // has not set it, and its allocation has no room for it.
        let guess = access.kind == AccessKind::Unknown && access.register.bank == Bank::Scalar;
        let narrowed = access.kind == AccessKind::Indexed || guess;
        // Matrices take the numbers of all lanes.
        let of_all_lanes = is_matrix || access.kind == AccessKind::CrossLane;
        if !narrowed && !of_all_lanes {
            active.insert(access.register);
            continue;
        }
        let mut set = RegisterSet::of(access.register);
        if narrowed {
            set = set.intersection(named);
        }
        active.add_all(&set);
        if let (true, Some(inactive)) = (of_all_lanes, inactive.as_deref_mut()) {
            add(inactive, &set.vector);
        }
    }
}

/// The registers that an instruction writes whole: only such a write ends a live range, since
/// after any other some of the old value may still be read.
fn whole_writes(def_use: &DefUse) -> impl Iterator<Item = Register> {
    let full = def_use.writes().iter().filter(|access| access.kind == AccessKind::Full);
    full.map(|access| access.register)
}

/// The two vector registers that an instruction exchanges.
fn exchanged(def_use: &DefUse) -> Option<(u16, u16)> {
    match def_use.writes() {
        [first, second] if def_use.is(Opcode::v_swap_b32) => {
            Some((first.register.first, second.register.first))
        }
        _ => None,
    }
}

/// Goes back over the exchange of two registers.
fn exchange((first, second): (u16, u16), live: &mut LaneSet) {
    let bit = |register: u16| (usize::from(register / 64), register % 64);
    let ((one, low), (other, high)) = (bit(first), bit(second));
    // Each needs before what the other needs behind; where both or none is live nothing
    // changes.
    if (live[one] >> low ^ live[other] >> high) & 1 == 1 {
        live[one] ^= 1 << low;
        live[other] ^= 1 << high;
    }
}
