//! Who wrote what an instruction reads, and which reads and writes of a register are of
//! one value.
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

use text::Checkpoint;

use super::cfg::{Doubt, Flow};
use super::code::Code;
use super::def_use::{Access, Effects, Manner};
use super::divergence::{Masks, Segment};
use crate::encoding::Extension;
use crate::instruction::form::Kind;
use crate::instruction::modifier::Key;
use crate::instruction::{Bank, Class, Register};
use crate::mnemonics::Opcode;

pub use webs::{Member, Web, Webs};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// It was there before: the first instruction where the code is entered.
    Entry(u32),
    /// An instruction wrote it.
    Instruction(u32),
    /// Code elsewhere may have written it, which an instruction called.
    Call(u32),
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// A code whose values can be followed.
#[derive(Debug)]
pub struct Dataflow {
    /// The code.
    pub code: Code,
    /// What its instructions read and write.
    pub effects: Vec<Effects>,
    /// Where control goes.
    pub flow: Flow,
    /// Which lanes are active, for registers of lanes.
    lanes: Masks,
    /// All are, for registers of the wave.
    wave: Masks,
}

/// What an instruction does to one register.
#[derive(Debug, Clone, Copy)]
struct Touch {
    instruction: u32,
    operand: Option<u8>,
    kind: AccessKind,
    /// Whether inactive lanes take part.
    everywhere: bool,
    /// Whether a write surely leaves nothing of the old value where it takes part.
    ends: bool,
    /// Whether a read is of code that is not seen.
    outside: bool,
}

impl Touch {
    /// The classes of lanes that take part.
    fn classes(&self, segment: &Segment) -> u64 {
        if self.everywhere { segment.feasible } else { segment.feasible & segment.active() }
    }
}

impl Dataflow {
    /// The values of a code. Where a register says where control goes, all that no
    /// other way leads to may be entered.
    pub fn of(code: Code) -> Dataflow {
        Dataflow::of_until(code, &text::no_checkpoint)
    }

    /// The same; `checkpoint` is called between the steps, and may unwind.
    pub fn of_until(mut code: Code, checkpoint: Checkpoint<'_>) -> Dataflow {
        let effects = Effects::of_all(&code);
        checkpoint();
        let mut flow = Flow::of(&code, &effects);
        let unclear = |doubt: &Doubt| matches!(doubt, Doubt::IndirectJump | Doubt::Undecodable);
        if flow.doubts.iter().any(|(_, doubt)| unclear(doubt)) {
            let unseen = flow.blocks.iter().filter(|block| !block.reachable);
            let firsts = unseen.filter_map(|block| code.instructions.get(block.first as usize));
            let entries: Vec<u32> = firsts.map(|instruction| instruction.offset).collect();
            code.entries.extend(entries);
            flow = Flow::of(&code, &effects);
        }
        checkpoint();
        let lanes = Masks::of_all_lanes(&code, &effects, &flow);
        let wave = Masks::none(&flow);
        Dataflow { code, effects, flow, lanes, wave }
    }

    fn masks(&self, bank: Bank) -> &Masks {
        match bank {
            Bank::Scalar => &self.wave,
            Bank::Vector | Bank::Accumulator => &self.lanes,
        }
    }

    /// Everything that is done to a single register, in order; what an instruction reads
    /// comes before what it writes.
    fn touches(&self, register: Register) -> Vec<Touch> {
        let mut touches = Vec::new();
        for (own, instruction) in self.effects.iter().zip(0..) {
            let matrix = own.recipe.is_some_and(|recipe| recipe.class() == Class::Matrix);
            let mut add = |access: &Access, kind, everywhere, ends| {
                if access.register.holds(register) {
                    let operand = access.operand;
                    let outside = false;
                    touches.push(Touch { instruction, operand, kind, everywhere, ends, outside });
                }
            };
            for access in own.reads() {
                // Matrices take the numbers of all lanes.
                let everywhere = matrix || !matches!(access.manner, Manner::Whole | Manner::Part);
                add(access, AccessKind::Read, everywhere, false);
            }
            let whole = !matrix && !may_keep(own);
            for access in own.writes() {
                let everywhere = matrix || !matches!(access.manner, Manner::Whole | Manner::Part);
                let ends = whole && access.manner == Manner::Whole;
                add(access, AccessKind::Write, everywhere, ends);
            }
            if own.recipe.is_some_and(|recipe| recipe.opcode() == Opcode::s_trap) {
                touches.push(Touch {
                    instruction,
                    operand: None,
                    kind: AccessKind::Read,
                    everywhere: true,
                    ends: false,
                    outside: true,
                });
            }
        }
        touches
    }
}

/// Whether an active lane may keep what it held, since the lane that it would take its
/// value from is inactive.
fn may_keep(effects: &Effects) -> bool {
    let Some(recipe) = effects.recipe.filter(|it| it.extension == Extension::Dpp) else {
        return false;
    };
    let mut slots = recipe.slots().iter();
    let bound = slots.find(|slot| matches!(slot.kind, Kind::Number { key: Key::BoundCtrl, .. }));
    bound.is_none_or(|slot| effects.bits >> (slot.low & 63) & 1 == 0)
}

/// The touches of a segment.
fn within<'a>(touches: &'a [Touch], segment: &Segment) -> &'a [Touch] {
    let first = touches.partition_point(|touch| touch.instruction < segment.first);
    let end = touches.partition_point(|touch| touch.instruction < segment.end);
    touches.get(first..end.max(first)).unwrap_or_default()
}

/// The numbers of the bits of a set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
