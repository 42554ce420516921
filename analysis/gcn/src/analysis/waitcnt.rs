//! Waits that are missing, and waits for more than anybody needs.
//!
//! A use is wrong for certain where on every path to it the operation may still be
//! under way; where only some path leads there so, the branches between may know
//! better, and it is a warning. The model of the counters is [`super::waitcnt::state`].

mod barrier;
mod lanes;
mod path;
pub(crate) mod state;
#[cfg(test)]
mod tests;
mod too_strict;

pub use path::{CounterState, InFlight, PathWaits};

use source::{Checkpoint, Severity};

use super::cancellation::CancelTicker;
use super::cfg::{Cfg, Direction};
use super::code::{Code, GapKind};
use super::def_use::{Access, AccessKind, DefUse};
use super::diagnostic::{Change, InstDiagnostic};
use super::register_set::RegisterSet;
use crate::behaviour::{Control, Counter, CounterEvent};
use crate::mnemonics::Opcode;
use crate::{Generation, Target, codes};
use lanes::{FirstLane, LanesOnPaths};
use state::{
    COUNTERS, OutstandingOp, ReturnOrder, Wait, WaitcntState, data_of, wait_of, wait_text,
};
use too_strict::OpenWait;

/// Finds the waits of a code that are missing, and those that are too strict, over all of its
/// paths. A workgroup of one wave exchanges nothing with others. `checkpoint` may unwind.
pub fn waits(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    waves_per_group: Option<u32>,
    checkpoint: Checkpoint<'_>,
) -> Vec<InstDiagnostic> {
    let cancel = &CancelTicker::new(checkpoint);
    let walk = Walk::new(code, def_use);
    let mut diagnostics = Vec::new();
    let states = walk.states(cfg, cancel);
    let lanes = LanesOnPaths::new(&walk, cfg, &states, cancel);
    let reads = if waves_per_group == Some(1) { None } else { walk.reads_behind(cfg) };
    for (block, state) in states.iter().enumerate() {
        let Some(mut state) = state.clone() else { continue };
        let mut open: Vec<OpenWait> = Vec::new();
        for index in cfg.blocks[block].instructions() {
            cancel.step();
            if let (Some(reads), true) = (&reads, def_use[index].is(Opcode::s_barrier)) {
                diagnostics.extend(walk.unordered_write(index, block, cfg, reads, &mut state));
            }
            walk.report(index, &lanes, &mut state, &mut open, &mut diagnostics);
        }
    }
    diagnostics
}

/// The rules of the counters for a code.
#[derive(Debug, Clone)]
pub(super) struct Walk<'a> {
    def_use: &'a [DefUse],
    code: &'a Code,
    target: Target,
    generation: Generation,
}

impl<'a> Walk<'a> {
    pub(super) fn new(code: &'a Code, def_use: &'a [DefUse]) -> Walk<'a> {
        Walk { def_use, code, target: code.target, generation: code.target.generation() }
    }

    /// Solves the state at the start of each block; `None` for blocks that control does not
    /// reach.
    fn states(&self, cfg: &Cfg, cancel: &CancelTicker<'_>) -> Vec<Option<WaitcntState>> {
        let mut at_start: Vec<Option<WaitcntState>> = vec![None; cfg.blocks.len()];
        let mut at_end: Vec<Option<WaitcntState>> = vec![None; cfg.blocks.len()];
        cfg.solve(Direction::Forward, &cfg.reverse_postorder, |block| {
            let own = &cfg.blocks[block];
            let entry = cfg.entries.contains(&(block as u32)).then(WaitcntState::default);
            let ends = own.predecessors.iter().filter_map(|it| at_end[*it as usize].as_ref());
            let joined = ends.fold(entry, |joined, end| {
                Some(joined.map_or_else(|| end.clone(), |joined| joined.join(end)))
            });
            let mut state = match self.code.is_target_of_gap(own.first) {
                true => WaitcntState::unknown(),
                false => joined.unwrap_or_default(),
            };
            // Counts grow with every iteration of a loop without a wait: widening makes
            // the lattice finite for them.
            if let Some(known) = &at_start[block] {
                state.widen(known);
                if *known == state {
                    return false;
                }
            }
            at_start[block] = Some(state.clone());
            for index in own.instructions() {
                cancel.step();
                self.step(index, &mut state);
            }
            let changed = at_end[block].as_ref() != Some(&state);
            at_end[block] = Some(state);
            changed
        });
        at_start
    }

    pub(super) fn step(&self, index: usize, state: &mut WaitcntState) {
        let Some(def_use) = self.def_use.get(index) else { return };
        if let Some(wait) = wait_of(def_use, self.generation) {
            state.wait(wait, self.def_use);
            return;
        }
        let gap = self.code.gap(index);
        match gap.map(|gap| (gap.kind, gap.reads.union(&gap.writes))) {
            Some((GapKind::Anything, _)) => *state = WaitcntState::unknown(),
            Some((kind, registers)) => state.pass(&registers, kind, self.def_use),
            None => {}
        }
        state.issue(index, def_use, self.generation);
        // What is called may have waited; unknown words may be anything.
        let leaves =
            matches!(def_use.control(), Control::Call | Control::IndirectCall | Control::Indirect);
        if gap.is_none() && (leaves || def_use.desc.is_none()) {
            *state = WaitcntState::default();
        }
    }

    /// Executes an instruction, and reports its wait, or what it uses too early.
    fn report(
        &self,
        index: usize,
        lanes: &LanesOnPaths<'_>,
        state: &mut WaitcntState,
        open: &mut Vec<OpenWait>,
        diagnostics: &mut Vec<InstDiagnostic>,
    ) {
        let def_use = &self.def_use[index];
        if let Some(wait) = wait_of(def_use, self.generation) {
            self.check_wait(index, wait, state, open, diagnostics);
            state.wait(wait, self.def_use);
            return;
        }
        let (reads, writes) = (def_use.read_set(), def_use.write_set());
        let is_apart = |before: u32| lanes.are_apart(before as usize, index);
        diagnostics.extend(self.too_early(index, state, FirstLane::Inactive, is_apart));
        open.iter_mut().for_each(|open| open.observe(def_use, &reads, &writes));
        self.step(index, state);
    }

    /// Reports a register that an instruction uses before it surely arrived. The operation is
    /// taken to be done from then on, so that it is reported once. `is_apart` tells whether the
    /// lanes of an operation that an instruction issued are not active here.
    fn too_early(
        &self,
        index: usize,
        state: &mut WaitcntState,
        first: FirstLane,
        is_apart: impl Fn(u32) -> bool,
    ) -> Option<InstDiagnostic> {
        let def_use = self.def_use.get(index)?;
        if !state.touches(&def_use.read_set(), &def_use.write_set()) {
            return None;
        }
        let mut needed: Wait = [None; 3];
        let mut worst: Option<(OutstandingOp, RegisterSet, Use)> = None;
        let mut hits = Vec::new();
        let mut unsure = false;
        for entry in &state.entries {
            let Some((registers, kind)) = self.conflict(def_use, entry) else { continue };
            let place = counter_place(entry.counter);
            let value = entry.done_at();
            needed[place] = Some(needed[place].map_or(value, |known| known.min(value)));
            hits.push((entry.instruction, entry.counter));
            unsure |= entry.unsure;
            // The most certain, then the latest, is named.
            let rank =
                |entry: &OutstandingOp| (!entry.waited, entry.on_every_path, entry.instruction);
            if worst.as_ref().is_none_or(|(known, ..)| rank(entry) > rank(known)) {
                worst = Some((*entry, registers, kind));
            }
        }
        let (entry, registers, kind) = worst?;
        // Asked last: it follows the lanes over all paths.
        if self.is_in_other_lanes(def_use, state, first, is_apart) {
            return None;
        }
        let register = registers.registers().next();
        let register = register.map_or(String::new(), |register| register.name(self.target));
        let producer = self.def_use[entry.instruction as usize].name();
        let wait = wait_text(needed);
        let path = if entry.on_every_path { "" } else { " on every path" };
        let message = match kind {
            Use::Read => format!(
                "`{register}` may not have arrived: no wait after `{producer}` covers \
                 it{path}"
            ),
            Use::Overwritten => format!(
                "`{register}` is written here while `{producer}` has yet to write it, and no \
                 wait before this keeps the order{path}"
            ),
            Use::StillRead => format!(
                "`{register}` is written here while `{producer}` may still read it, and no wait \
                 before this keeps the order{path}"
            ),
        };
        let message = match entry.waited {
            true if entry.order == ReturnOrder::Flat => format!(
                "{message}: flat memory may be the local data share too, and only a wait for \
                 zero on both counters covers that"
            ),
            true if entry.beside_flat_stores => format!(
                "{message}: a store to flat memory keeps no order with local memory, though \
                 AMD's own compiler relies on it"
            ),
            true => format!(
                "{message}: operations of several kinds were issued before it, and these do not \
                 finish in order"
            ),
            false => message,
        };
        let certain = entry.on_every_path && !entry.waited && kind != Use::Overwritten;
        let either_way =
            entry.waited && (entry.order == ReturnOrder::Flat || entry.beside_flat_stores);
        let severity = match (certain, either_way) {
            (true, _) => Severity::Error,
            (false, true) => Severity::Hint,
            (false, false) => Severity::Warning,
        };
        let what = match kind {
            Use::StillRead => "reads it",
            Use::Read | Use::Overwritten => "writes it, later",
        };
        let diagnostic = InstDiagnostic::new(codes::MISSING_WAIT, severity, index, message)
            .related(entry.instruction, format!("`{producer}` {what}"))
            .fix(format!("wait with `{wait}`"), Change::InsertBefore(wait));
        state.entries.retain(|entry| !hits.contains(&(entry.instruction, entry.counter)));
        state.collect(self.def_use);
        (!unsure).then_some(diagnostic)
    }

    /// The registers of an operation under way that an instruction uses too early.
    fn conflict(&self, def_use: &DefUse, entry: &OutstandingOp) -> Option<(RegisterSet, Use)> {
        let producer = self.def_use.get(entry.instruction as usize)?;
        let own = match entry.event {
            CounterEvent::Done => return None,
            CounterEvent::Source => data_of(producer),
            CounterEvent::Result => producer.write_set(),
        };
        let some = |set: RegisterSet, kind| (!set.is_empty()).then_some((set, kind));
        // What an index means is not certain to be written.
        let named = def_use.writes().iter().filter(|it| it.kind != AccessKind::Indexed);
        let written = named.map(|it| it.register).collect::<RegisterSet>().intersection(&own);
        if entry.event == CounterEvent::Source {
            // What comes behind the result of the operation itself comes behind its read, too.
            let returned = producer.write_set();
            let early = match self.comes_behind(def_use, producer) {
                true => written.without(&returned),
                false => written,
            };
            return some(early, Use::StillRead);
        }
        // What an index or a guess may mean is not certain to be read.
        let sure = |it: &&Access| !matches!(it.kind, AccessKind::Unknown | AccessKind::Indexed);
        let read: RegisterSet = def_use.reads().iter().filter(sure).map(|it| it.register).collect();
        some(read.intersection(&own), Use::Read).or_else(|| {
            // Another iteration of a loop is no other than another instruction of the kind.
            if self.same_order(def_use, entry) { None } else { some(written, Use::Overwritten) }
        })
    }

    /// Tells whether an instruction's results come behind those of another by themselves.
    fn comes_behind(&self, def_use: &DefUse, producer: &DefUse) -> bool {
        let mut before = WaitcntState::default();
        before.issue(0, producer, self.generation);
        let mut results = before.entries.iter().filter(|own| own.event == CounterEvent::Result);
        results.any(|entry| self.same_order(def_use, entry))
    }

    /// Tells whether an instruction's results come behind those of an operation by
    /// themselves.
    fn same_order(&self, def_use: &DefUse, entry: &OutstandingOp) -> bool {
        let mut own = WaitcntState::default();
        own.issue(0, def_use, self.generation);
        let same = |own: &OutstandingOp| (own.counter, own.order) == (entry.counter, entry.order);
        entry.order.is_in_order() && own.entries.iter().any(same)
    }
}

/// The conflict of an instruction with an outstanding operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Overwritten,
    StillRead,
}

fn counter_place(counter: Counter) -> usize {
    COUNTERS.iter().position(|own| *own == counter).unwrap_or(0)
}
