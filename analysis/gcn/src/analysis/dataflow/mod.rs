//! Data flow: the definitions that reach a use, and the webs of uses and definitions that are
//! of one value.
//!
//! A register is a name that many values share. The reads that a write reaches, the
//! writes that reach those reads, and so on, are a [`Web`]: what a compiler would call one
//! variable, and what must stay in one register. Nothing is taken to end a value that
//! does not surely end it: a vector register's old value stays in the lanes that a write
//! leaves alone, which [`super::divergence`] tells apart, and code that is not seen may read
//! and write everything.

mod reaching_definitions;
mod webs;

#[cfg(test)]
mod tests;

use source::Checkpoint;

use super::cfg::{Cfg, Uncertainty};
use super::code::Code;
use super::def_use::{AccessKind, DefUse};
use super::divergence::{Divergence, MaskRegion};
use crate::encoding::Extension;
use crate::instruction::form::SlotKind;
use crate::instruction::modifier::Key;
use crate::instruction::{Bank, Class, Register};
use crate::mnemonics::Opcode;

pub use webs::{Member, Web, Webs};

/// The origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The value was there before: the first instruction where the code is entered.
    Entry(u32),
    /// An instruction wrote it.
    Instruction(u32),
    /// Code elsewhere may have written it, which an instruction called.
    Call(u32),
}

/// The side of a value that a member of its web is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemberKind {
    /// A read.
    Use,
    /// A write.
    Def,
}

/// A code whose values can be followed.
#[derive(Debug)]
pub struct Dataflow {
    /// The code.
    pub code: Code,
    /// The registers that its instructions read and write.
    pub def_use: Vec<DefUse>,
    /// Its control flow.
    pub cfg: Cfg,
    /// The activity of lanes, for registers that each lane has.
    lanes: Divergence,
    /// All are, for registers of the wave.
    wave: Divergence,
}

/// An access of an instruction to one register.
#[derive(Debug, Clone, Copy)]
struct Touch {
    instruction: u32,
    operand: Option<u8>,
    kind: MemberKind,
    /// True if inactive lanes take part.
    everywhere: bool,
    /// True if a write surely leaves nothing of the old value where it takes part.
    ends: bool,
    /// True if a read is of code that is not seen.
    outside: bool,
}

impl Touch {
    /// The classes of lanes that take part.
    fn classes(&self, region: &MaskRegion) -> u64 {
        if self.everywhere { region.reachable } else { region.reachable & region.active() }
    }
}

impl Dataflow {
    /// The values of a code. Where a register says where control goes, all that no
    /// other way leads to may be entered.
    /// `checkpoint` may unwind.
    pub fn of(mut code: Code, checkpoint: Checkpoint<'_>) -> Dataflow {
        let def_use = DefUse::of_all(&code, checkpoint);
        checkpoint();
        let mut cfg = Cfg::of(&code, &def_use);
        let unclear = |uncertainty: &Uncertainty| {
            matches!(uncertainty, Uncertainty::IndirectJump | Uncertainty::Undecodable)
        };
        if cfg.uncertainties.iter().any(|(_, uncertainty)| unclear(uncertainty)) {
            let unseen = cfg.blocks.iter().filter(|block| !block.reachable);
            let firsts = unseen.map(|block| code.instructions[block.first as usize].offset);
            code.entries.extend(firsts);
            cfg = Cfg::of(&code, &def_use);
        }
        checkpoint();
        let lanes = Divergence::of_all_lanes(&def_use, &cfg, checkpoint);
        let wave = Divergence::uniform(&cfg);
        Dataflow { code, def_use, cfg, lanes, wave }
    }

    fn divergence(&self, bank: Bank) -> &Divergence {
        match bank {
            Bank::Scalar => &self.wave,
            Bank::Vector | Bank::Accumulator => &self.lanes,
        }
    }

    /// Everything that is done to a single register, in order; what an instruction reads
    /// comes before what it writes.
    fn touches(&self, register: Register) -> Vec<Touch> {
        let mut touches = Vec::new();
        for (own, instruction) in self.def_use.iter().zip(0..) {
            let matrix = own.desc.is_some_and(|desc| desc.class() == Class::Matrix);
            let whole = !matrix && !may_keep(own);
            for (access, kind) in own.accesses().filter(|(it, _)| it.register.holds(register)) {
                let is_own = matches!(access.kind, AccessKind::Full | AccessKind::Partial);
                touches.push(Touch {
                    instruction,
                    operand: access.operand,
                    kind,
                    // Matrices take the numbers of all lanes.
                    everywhere: matrix || !is_own,
                    ends: kind == MemberKind::Def && whole && access.kind == AccessKind::Full,
                    outside: false,
                });
            }
            if own.is(Opcode::s_trap) {
                touches.push(Touch {
                    instruction,
                    operand: None,
                    kind: MemberKind::Use,
                    everywhere: true,
                    ends: false,
                    outside: true,
                });
            }
        }
        touches
    }
}

/// Tells whether an active lane may keep what it held, since the lane that it would take its
/// value from is inactive.
fn may_keep(def_use: &DefUse) -> bool {
    let Some(desc) = def_use.desc.filter(|it| it.extension == Extension::Dpp) else {
        return false;
    };
    let mut slots = desc.slots().iter();
    let bound =
        slots.find(|slot| matches!(slot.kind, SlotKind::Number { key: Key::BoundCtrl, .. }));
    bound.is_none_or(|slot| slot.value(def_use.bits) == 0)
}

/// The touches of a segment.
fn within<'a>(touches: &'a [Touch], region: &MaskRegion) -> &'a [Touch] {
    let first = touches.partition_point(|touch| touch.instruction < region.first);
    let end = touches.partition_point(|touch| touch.instruction < region.end);
    touches.get(first..end.max(first)).unwrap_or_default()
}
