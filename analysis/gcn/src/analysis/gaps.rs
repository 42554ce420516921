//! The effects that lines of unknown effect may have on others: what one of them may still read
//! behind a place, and what one before it may have written.

use super::cfg::{Cfg, Direction};
use super::code::{Code, Gap, GapKind};
use super::def_use::{AccessKind, DefUse};
use super::register_set::RegisterSet;
use crate::instruction::code::EXEC;
use crate::instruction::{Bank, Register};

impl Gap {
    /// Tells whether it waits for nothing, and has to do with other registers than these.
    pub(super) fn is_beside(&self, registers: &RegisterSet) -> bool {
        self.kind != GapKind::Anything && !self.reads.union(&self.writes).meets(registers)
    }
}

/// The registers that may be read behind each block: by a line of unknown effect, or by anything
/// where such a line may change which lanes are active.
///
/// Vector registers are followed without their lanes, so that only what is written again in the
/// same block, while the same lanes are active, is known not to be read.
pub(super) struct ReadsAhead<'a> {
    code: &'a Code,
    def_use: &'a [DefUse],
    starts: Vec<RegisterSet>,
    /// True if the lanes that are active behind such a line are not known.
    masks: bool,
}

impl<'a> ReadsAhead<'a> {
    /// Follows the lines of unknown effect of a code, backwards.
    pub(super) fn of(code: &'a Code, def_use: &'a [DefUse], cfg: &Cfg) -> ReadsAhead<'a> {
        let masks = code.gaps.iter().any(|gap| gap.masks || gap.steers);
        let starts = vec![RegisterSet::EMPTY; cfg.blocks.len()];
        let mut ahead = ReadsAhead { code, def_use, starts, masks };
        if code.gaps.is_empty() {
            return ahead;
        }
        cfg.solve(Direction::Backward, &cfg.reverse_postorder, |block| {
            let mut at = ahead.at_end(cfg, block);
            cfg.blocks[block].instructions().rev().for_each(|index| ahead.back(index, &mut at));
            let changed = ahead.starts[block] != at.read;
            ahead.starts[block] = at.read;
            changed
        });
        ahead
    }

    /// The end of a block.
    pub(super) fn at_end(&self, cfg: &Cfg, block: usize) -> Ahead {
        let mut read = RegisterSet::EMPTY;
        cfg.blocks[block].successors().for_each(|to| read.add_all(&self.starts[to]));
        Ahead { read, written: RegisterSet::EMPTY }
    }

    /// Goes back over an instruction.
    pub(super) fn back(&self, index: usize, at: &mut Ahead) {
        // Mostly there are none, and nothing to follow.
        if self.code.gaps.is_empty() {
            return;
        }
        if let Some(gap) = self.code.gap(index) {
            at.read.add_all(&gap.reads);
            at.written = match gap.masks || gap.steers {
                true => RegisterSet::EMPTY,
                false => at.written.without(&gap.reads),
            };
            return;
        }
        let own = &self.def_use[index];
        for access in own.writes().iter().filter(|access| access.kind == AccessKind::Full) {
            match access.register.bank {
                Bank::Scalar => at.read.remove(access.register),
                Bank::Vector | Bank::Accumulator => at.written.insert(access.register),
            }
        }
        if own.write_set().touches(Register::scalar(EXEC, 2)) {
            at.written = RegisterSet::EMPTY;
        }
        let reads = own.read_set();
        at.written = at.written.without(&reads);
        if self.masks {
            at.read.add_all(&reads);
        }
    }
}

/// A place of a code, and what may be read behind it.
pub(super) struct Ahead {
    read: RegisterSet,
    /// The vector registers that are written again before that.
    written: RegisterSet,
}

impl Ahead {
    /// Tells whether a register may be read behind the place.
    pub(super) fn reads(&self, register: Register) -> bool {
        self.read.without(&self.written).touches(register)
    }
}

/// The registers that lines of unknown effect may have written before each block.
pub(super) struct WritesBefore<'a> {
    code: &'a Code,
    ends: Vec<RegisterSet>,
    /// The registers that those may write which lead anywhere.
    anywhere: Option<RegisterSet>,
}

impl<'a> WritesBefore<'a> {
    /// Follows the lines of unknown effect of a code.
    pub(super) fn of(code: &'a Code, cfg: &Cfg) -> WritesBefore<'a> {
        let steering = code.gaps.iter().filter(|gap| gap.steers);
        let anywhere = steering.map(|gap| gap.writes).reduce(|all, own| all.union(&own));
        let ends = vec![RegisterSet::EMPTY; cfg.blocks.len()];
        let mut before = WritesBefore { code, ends, anywhere };
        if code.gaps.is_empty() {
            return before;
        }
        cfg.solve(Direction::Forward, &cfg.reverse_postorder, |block| {
            let mut at = before.at_start(cfg, block);
            cfg.blocks[block].instructions().for_each(|index| before.go_on(index, &mut at));
            let changed = before.ends[block] != at;
            before.ends[block] = at;
            changed
        });
        before
    }

    /// The registers that they may have written before a block.
    pub(super) fn at_start(&self, cfg: &Cfg, block: usize) -> RegisterSet {
        let own = &cfg.blocks[block];
        let mut written = RegisterSet::EMPTY;
        own.predecessors.iter().for_each(|from| written.add_all(&self.ends[*from as usize]));
        match &self.anywhere {
            Some(all) if self.code.is_target_of_gap(own.first) => written.union(all),
            _ => written,
        }
    }

    /// Goes on over an instruction.
    pub(super) fn go_on(&self, index: usize, written: &mut RegisterSet) {
        if let Some(gap) = self.code.gap(index) {
            written.add_all(&gap.writes);
        }
    }
}
