//! Data that waves exchange through the local data share: a barrier says that all waves are
//! there, and not that what they wrote is.

use isa::gcn::operation::{Operation, Share};
use source::Severity;

use super::state::{OutstandingOp, Wait, WaitcntState, loads_to_share, wait_text};
use super::{Walk, counter_place};
use crate::analysis::cfg::{Cfg, Direction};
use crate::analysis::def_use::DefUse;
use crate::analysis::diagnostic::{Change, InstDiagnostic};
use crate::behaviour::Counter;
use crate::codes;
use crate::instruction::modifier::Flag;
use crate::mnemonics::Opcode;

/// By block the first read of the share that control comes to from its start before another
/// barrier.
pub(super) struct ReadsBehind(Vec<Option<u32>>);

impl Walk<'_> {
    /// Finds the reads of the share; `None` for a code without barriers.
    pub(super) fn reads_behind(&self, cfg: &Cfg) -> Option<ReadsBehind> {
        self.def_use.iter().find(|def_use| def_use.is(Opcode::s_barrier))?;
        let mut first = vec![None; cfg.blocks.len()];
        cfg.solve(Direction::Backward, &cfg.reverse_postorder, |block| {
            let own = cfg.blocks[block].instructions();
            let found = self.first_read(own, cfg, block, &first);
            std::mem::replace(&mut first[block], found) != found
        });
        Some(ReadsBehind(first))
    }

    /// The first read of the share in a part of a block or behind it.
    fn first_read(
        &self,
        mut part: std::ops::Range<usize>,
        cfg: &Cfg,
        block: usize,
        first: &[Option<u32>],
    ) -> Option<u32> {
        // A line with an error may be anything.
        let ends = |index: usize, def_use: &DefUse| {
            def_use.is(Opcode::s_barrier) || reads_share(def_use) || self.code.is_gap(index)
        };
        match part.find(|index| self.def_use.get(*index).is_some_and(|it| ends(*index, it))) {
            Some(index) => reads_share(&self.def_use[index]).then_some(index as u32),
            None => {
                let edges = cfg.blocks[block].edges.iter().flatten();
                edges.filter_map(|edge| first[edge.to as usize]).min()
            }
        }
    }

    /// Reports writes of the share that may be under way at a barrier with a read of the share
    /// behind it. They are taken to be done from then on.
    pub(super) fn unordered_write(
        &self,
        index: usize,
        block: usize,
        cfg: &Cfg,
        reads: &ReadsBehind,
        state: &mut WaitcntState,
    ) -> Option<InstDiagnostic> {
        let writes: Vec<OutstandingOp> =
            state.entries.iter().filter(|entry| self.writes_share(entry)).copied().collect();
        let rank = |entry: &&OutstandingOp| (entry.on_every_path, entry.instruction);
        let worst = *writes.iter().max_by_key(rank)?;
        let part = index + 1..cfg.blocks[block].end as usize;
        let read = self.first_read(part, cfg, block, &reads.0)?;
        let mut needed: Wait = [None; 3];
        for entry in &writes {
            let own = &mut needed[counter_place(entry.counter)];
            *own = Some(own.map_or(entry.done_at(), |known: u8| known.min(entry.done_at())));
        }
        let hits: Vec<_> = writes.iter().map(|it| (it.instruction, it.counter)).collect();
        state.entries.retain(|entry| !hits.contains(&(entry.instruction, entry.counter)));
        state.collect(self.def_use);
        // Addresses are not known: the read may be of what was there before.
        let severity = match worst.on_every_path && !worst.waited {
            true => Severity::Warning,
            false => Severity::Hint,
        };
        let producer = self.def_use[worst.instruction as usize].name();
        let wait = wait_text(needed);
        let message = format!(
            "`{producer}` may still be in flight at this barrier: a wave that reads the local data \
             share after it may read the old value"
        );
        let diagnostic = InstDiagnostic::new(codes::UNORDERED_SHARE, severity, index, message)
            .related(worst.instruction, format!("`{producer}` writes"))
            .related(read, format!("`{}` reads", self.def_use[read as usize].name()))
            .fix(format!("wait with `{wait}`"), Change::InsertBefore(wait));
        Some(diagnostic)
    }

    /// Tells whether an operation under way writes the share.
    fn writes_share(&self, entry: &OutstandingOp) -> bool {
        let Some(own) = self.def_use.get(entry.instruction as usize) else { return false };
        match entry.counter {
            Counter::Lgkm => share(own).is_some_and(|share| {
                !matches!(share, Share::Load { .. } | Share::LoadTwo { .. } | Share::LoadByLane)
            }),
            Counter::Vm => loads_to_share(own),
            Counter::Exp => false,
        }
    }
}

/// The operation on the local data share; `None` for what does not touch it.
fn share(def_use: &DefUse) -> Option<Share> {
    match def_use.desc?.opcode().operation() {
        Operation::Share(
            Share::Nothing | Share::Swizzle | Share::Push | Share::Pull | Share::OrderedCount,
        ) => None,
        Operation::Share(share) if !def_use.has(Flag::Gds) => Some(share),
        _ => None,
    }
}

/// Tells whether an instruction's result or effect depends on what the share holds.
fn reads_share(def_use: &DefUse) -> bool {
    share(def_use).is_some_and(|share| {
        !matches!(share, Share::Store { .. } | Share::StoreTwo { .. } | Share::StoreByLane)
    })
}
