//! Code with one instruction moved or copied, and the pressure in it.

use source::Checkpoint;

use crate::analysis::cfg::{Cfg, has_target, index_of};
use crate::analysis::code::Code;
use crate::analysis::def_use::DefUse;
use crate::analysis::liveness::Liveness;

/// An instruction of a code that stands elsewhere, or at several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// The instruction.
    pub(super) instruction: u32,
    /// The instructions before which it is put.
    pub(super) before: Vec<u32>,
    /// The fate of the instruction where it stood.
    pub(super) original: Original,
}

/// The fate of an instruction that is put elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Original {
    Stays,
    Goes,
}

/// A code that was edited.
pub(super) struct Edited {
    pub(super) code: Code,
    def_use: Vec<DefUse>,
    /// The place of each of the old instructions among the new ones; of the one that went that
    /// of the next.
    pub(super) places: Vec<usize>,
}

impl Edited {
    /// Works out the live ranges of the edited code.
    pub(super) fn liveness(&self, checkpoint: Checkpoint<'_>) -> Liveness {
        let cfg = Cfg::of(&self.code, &self.def_use);
        Liveness::of(&self.code, &self.def_use, &cfg, checkpoint)
    }
}

impl Edit {
    /// Edits a code. `None` where a jump would no longer reach its target.
    pub(super) fn apply(&self, code: &Code, def_use: &[DefUse]) -> Option<Edited> {
        let moved = self.instruction as usize;
        let count = code.instructions.len();
        let mut order = Vec::with_capacity(count + self.before.len());
        // What leads to an instruction leads to what is put before it.
        let mut starts = Vec::with_capacity(count);
        let mut places = Vec::with_capacity(count);
        for index in 0..count {
            starts.push(order.len());
            if self.before.contains(&(index as u32)) {
                order.push(moved);
            }
            places.push(order.len());
            if index != moved || self.original == Original::Stays {
                order.push(index);
            }
        }
        let first = code.instructions.first()?.offset;
        let mut offsets = Vec::with_capacity(order.len());
        let mut at = first;
        for index in &order {
            let own = &code.instructions[*index];
            offsets.push(at);
            at = at.saturating_add(own.end().saturating_sub(own.offset));
        }
        let new_offset =
            |old: usize| starts.get(old).and_then(|start| offsets.get(*start)).copied();
        let mut edited = Code { instructions: Vec::with_capacity(order.len()), ..code.clone() };
        for (index, offset) in order.iter().zip(&offsets) {
            let old = &code.instructions[*index];
            let mut own = *old;
            own.offset = *offset;
            let target = has_target(def_use[*index].control()).then(|| Code::jump_target(old));
            if let Some(target) = target.and_then(|target| index_of(code, target)) {
                let target = new_offset(target as usize)?;
                own.jump_to(target);
                if Code::jump_target(&own) != i64::from(target) {
                    return None;
                }
            }
            edited.instructions.push(own);
        }
        for entry in &mut edited.entries {
            *entry = index_of(code, i64::from(*entry)).and_then(|it| new_offset(it as usize))?;
        }
        let def_use = order.iter().map(|index| def_use[*index]).collect();
        Some(Edited { code: edited, def_use, places })
    }
}
