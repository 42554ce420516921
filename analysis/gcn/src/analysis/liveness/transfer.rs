//! Transfer functions of liveness: gen and kill of one instruction or of several.

use crate::analysis::def_use::{AccessKind, DefUse};
use crate::analysis::register_set::{LaneSet, RegisterSet};
use crate::behaviour::Unit;
use crate::instruction::Bank;
use crate::mnemonics::Opcode;

/// No register.
pub(super) const NO_LANES: LaneSet = RegisterSet::EMPTY.vector;

/// Adds a set to another.
pub(super) fn add(own: &mut LaneSet, more: &LaneSet) {
    for (own, more) in own.iter_mut().zip(more) {
        *own |= more;
    }
}

/// The transfer function of one or several instructions: what they use, and what they define.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Transfer {
    /// Read by the wave, and by lanes that are active.
    read: RegisterSet,
    /// Read of a lane that is not.
    read_inactive: LaneSet,
    /// Written whole.
    written: RegisterSet,
    /// Two vector registers that are exchanged, by an instruction alone.
    exchanged: Option<(u16, u16)>,
}

impl Transfer {
    /// Returns the transfer function of an instruction; an index reaches the registers
    /// of `named`.
    pub(super) fn of(def_use: &DefUse, named: &RegisterSet) -> Transfer {
        let mut transfer = Transfer::default();
        if let (true, [first, second]) = (def_use.is(Opcode::v_swap_b32), def_use.writes()) {
            transfer.exchanged = Some((first.register.first, second.register.first));
            return transfer;
        }
        let matrix = def_use.desc.is_some_and(|desc| desc.behaviour().unit == Unit::Matrix);
        for access in def_use.reads() {
            let mut set = RegisterSet::of(access.register);
            // FLAT_SCRATCH behind a flat address is a guess: a code that never names it
            // has not set it, and its allocation has no room for it.
            let guess = access.kind == AccessKind::Unknown && access.register.bank == Bank::Scalar;
            if access.kind == AccessKind::Indexed || guess {
                set = set.intersection(named);
            }
            transfer.read.add_all(&set);
            // Matrices take the numbers of all lanes.
            if matrix || access.kind == AccessKind::CrossLane {
                add(&mut transfer.read_inactive, &set.vector);
            }
        }
        // Only a full write ends a live range: after any other some of the old value may
        // still be read.
        let full = def_use.writes().iter().filter(|access| access.kind == AccessKind::Full);
        transfer.written = full.map(|access| access.register).collect();
        transfer
    }

    /// Goes back over it with the registers that active lanes need.
    pub(super) fn active(&self, live: &mut LaneSet) {
        if let Some((first, second)) = self.exchanged {
            let bit = |register: u16| (usize::from(register / 64), register % 64);
            let ((one, low), (other, high)) = (bit(first), bit(second));
            // Each needs before what the other needs behind; where both or none is live
            // nothing changes.
            if (live[one] >> low ^ live[other] >> high) & 1 == 1 {
                live[one] ^= 1 << low;
                live[other] ^= 1 << high;
            }
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

    /// Composes this one and one that is executed after it, so that whole regions are one
    /// step of the solver.
    pub(super) fn then(self, next: &Transfer) -> Transfer {
        let mut whole = self;
        whole.read = next.read;
        whole.read.scalar = self.scalar(next.read.scalar);
        self.active(&mut whole.read.vector);
        add(&mut whole.read_inactive, &next.read_inactive);
        whole.written.add_all(&next.written);
        whole
    }
}
