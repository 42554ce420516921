//! What each `s_waitcnt` waits for, which waits are missing and which wait for more
//! than anybody needs.
//!
//! A use is wrong for certain where on every path to it the operation may still be
//! under way; where only some path leads there so, the branches between may know
//! better, and it is a warning. The model of the counters is [`super::waitcnt::state`].

mod path;
pub(crate) mod state;
#[cfg(test)]
mod tests;

pub use path::PathWaits;

use text::Severity;

use super::cancellation::Pace;
use super::cfg::Flow;
use super::code::Code;
use super::def_use::{Effects, Manner};
use super::diagnostic::{Change, Finding, Mend, register_name};
use super::register_set::RegisterSet;
use crate::Generation;
use crate::behaviour::Control;
use crate::behaviour::{Counter, Event};
use crate::codes;
use crate::instruction::Features;
use crate::instruction::InstructionSet;
use state::{COUNTERS, InFlight, Order, Pending, Wait, data_of, wait_of, wait_text};

/// What an `s_waitcnt` is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitedFor {
    /// The `s_waitcnt`.
    pub instruction: u32,
    /// The instructions whose operations are surely done behind it, and were not before.
    pub producers: Vec<u32>,
}

/// The waits of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waits {
    /// Every `s_waitcnt` in a reachable block, in order.
    pub waits: Vec<WaitedFor>,
    /// Missing waits, and those that are too strict.
    pub findings: Vec<Finding>,
}

/// What follows a wait until it is known what of it was needed.
struct Open {
    instruction: usize,
    counter: usize,
    value: u8,
    /// What it waited for, how many operations had followed each, and whether it was
    /// used since.
    released: Vec<(Pending, RegisterSet, bool)>,
    registers: RegisterSet,
    ordered: bool,
    /// Operations of the counter since.
    issued: u8,
}

/// The rules of the counters for a code.
#[derive(Debug, Clone)]
pub(super) struct Walk<'a> {
    effects: &'a [Effects],
    features: &'static Features,
    generation: Generation,
}

impl Waits {
    /// The waits of a code.
    pub fn of(code: &Code, effects: &[Effects], flow: &Flow) -> Waits {
        Waits::of_until(code, effects, flow, &Pace::new(&text::no_checkpoint))
    }

    pub(super) fn of_until(
        code: &Code,
        effects: &[Effects],
        flow: &Flow,
        pace: &Pace<'_>,
    ) -> Waits {
        let walk = Walk::new(code, effects);
        let states = walk.states(flow, pace);
        let mut report = Waits { waits: Vec::new(), findings: Vec::new() };
        let mut blocks = flow.order.clone();
        blocks.sort_unstable();
        for block in blocks {
            let state = states.get(block as usize).cloned().flatten().unwrap_or_default();
            walk.report(flow, block as usize, state, &mut report, pace);
        }
        report
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(code: &Code, effects: &'a [Effects]) -> Walk<'a> {
        let features = InstructionSet::of(code.target).features();
        Walk { effects, features, generation: features.generation }
    }

    pub(super) fn effects(&self) -> &'a [Effects] {
        self.effects
    }

    /// What is under way where each block begins; `None` for blocks that control does
    /// not reach.
    fn states(&self, flow: &Flow, pace: &Pace<'_>) -> Vec<Option<InFlight>> {
        let mut at_start: Vec<Option<InFlight>> = vec![None; flow.blocks.len()];
        let mut at_end: Vec<Option<InFlight>> = vec![None; flow.blocks.len()];
        let mut waiting = vec![true; flow.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in flow.order.iter().map(|block| *block as usize) {
                if !std::mem::take(&mut waiting[block]) {
                    continue;
                }
                let own = &flow.blocks[block];
                let mut joined: Option<InFlight> =
                    flow.entries.contains(&(block as u32)).then(InFlight::default);
                for predecessor in &own.predecessors {
                    let Some(Some(end)) = at_end.get(*predecessor as usize) else { continue };
                    joined = Some(match joined {
                        Some(joined) => joined.join(end),
                        None => end.clone(),
                    });
                }
                let mut state = joined.unwrap_or_default();
                if let Some(known) = &at_start[block] {
                    state.widen(known);
                    if *known == state {
                        continue;
                    }
                }
                at_start[block] = Some(state.clone());
                for index in own.instructions() {
                    pace.step();
                    self.step(index, &mut state, &mut |_| {});
                }
                if at_end[block].as_ref() != Some(&state) {
                    at_end[block] = Some(state);
                    for successor in own.successors() {
                        waiting[successor] = true;
                        changed = true;
                    }
                }
            }
        }
        at_start
    }

    pub(super) fn step(&self, index: usize, state: &mut InFlight, done: &mut dyn FnMut(&Pending)) {
        let Some(effects) = self.effects.get(index) else { return };
        if let Some(wait) = wait_of(effects, self.generation) {
            state.wait(wait, self.effects, done);
            return;
        }
        state.issue(index, effects, self.generation);
        let control = effects.recipe.map(|recipe| recipe.control());
        // What is called may have waited; unknown words may be anything.
        if matches!(control, None | Some(Control::Call | Control::IndirectCall | Control::Indirect))
        {
            state.clear();
        }
    }

    fn report(
        &self,
        flow: &Flow,
        block: usize,
        mut state: InFlight,
        report: &mut Waits,
        pace: &Pace<'_>,
    ) {
        let Some(own) = flow.blocks.get(block) else { return };
        let mut open: Vec<Open> = Vec::new();
        for index in own.instructions() {
            pace.step();
            let Some(effects) = self.effects.get(index) else { continue };
            if let Some(wait) = wait_of(effects, self.generation) {
                let before = state.clone();
                let mut producers = Vec::new();
                state.wait(wait, self.effects, &mut |entry| {
                    if !producers.contains(&entry.instruction) {
                        producers.push(entry.instruction);
                    }
                });
                self.judge(index, wait, &before, &mut open, report);
                report.waits.push(WaitedFor { instruction: index as u32, producers });
                continue;
            }
            let (reads, writes) = (effects.read_set(), effects.write_set());
            report.findings.extend(self.too_early(index, &mut state));
            for open in &mut open {
                let meets = |set: &RegisterSet| !set.intersection(&open.registers).is_empty();
                if meets(&reads) || meets(&writes) {
                    for (_, registers, used) in &mut open.released {
                        let meets = |set: &RegisterSet| !set.intersection(registers).is_empty();
                        *used |= meets(&reads) || meets(&writes);
                    }
                }
                let raised = |counter: Counter| {
                    effects
                        .recipe
                        .map(|recipe| recipe.behaviour())
                        .is_some_and(|it| it.counters.iter().any(|raise| raise.counter == counter))
                };
                if raised(COUNTERS[open.counter]) {
                    open.issued = open.issued.saturating_add(1);
                }
            }
            self.step(index, &mut state, &mut |_| {});
        }
    }

    /// What an instruction uses though it has not surely arrived; what is found is taken
    /// to be done from then on, so that it is said once.
    pub(super) fn too_early(&self, index: usize, state: &mut InFlight) -> Option<Finding> {
        let effects = self.effects.get(index)?;
        if !state.touches(&effects.read_set(), &effects.write_set()) {
            return None;
        }
        let mut needed: Wait = [None; 3];
        let mut worst: Option<(Pending, RegisterSet, Use)> = None;
        let mut hits = Vec::new();
        for entry in &state.entries {
            let Some((registers, kind)) = self.conflict(index, effects, entry) else { continue };
            let place = counter_place(entry.counter);
            let value = if state.is_ordered(entry.counter) { entry.least } else { 0 };
            needed[place] = Some(needed[place].map_or(value, |known| known.min(value)));
            hits.push((entry.instruction, entry.counter));
            // The most certain, then the latest, is named.
            let rank = |entry: &Pending| (!entry.waited, entry.certain, entry.instruction);
            if worst.as_ref().is_none_or(|(known, ..)| rank(entry) > rank(known)) {
                worst = Some((*entry, registers, kind));
            }
        }
        let (entry, registers, kind) = worst?;
        let name = |instruction: usize| {
            let recipe = self.effects.get(instruction).and_then(|effects| effects.recipe);
            recipe.map_or("this instruction", |recipe| recipe.name())
        };
        let register = registers.registers().next();
        let register =
            register.map_or(String::new(), |register| register_name(register, self.features));
        let producer = name(entry.instruction as usize);
        let wait = wait_text(needed);
        let path = if entry.certain { "" } else { " on every path" };
        let message = match kind {
            Use::Read => format!(
                "`{register}` may not have arrived: `{producer}` is under way, and no wait \
                 before this makes sure of it{path}"
            ),
            Use::Overwritten => format!(
                "`{register}` is written here while `{producer}` is still to write it, and no \
                 wait before this makes sure of the order{path}"
            ),
            Use::StillRead => format!(
                "`{register}` is written here while `{producer}` may still read it, and no wait \
                 before this makes sure of the order{path}"
            ),
        };
        let message = match entry.waited {
            true if entry.order == Order::Flat => format!(
                "{message}: flat memory may be the local data share too, and only a wait for \
                 zero on both counters covers that"
            ),
            true => format!(
                "{message}: what came before it was of several kinds, which keep no order among \
                 each other"
            ),
            false => message,
        };
        let certain = entry.certain && !entry.waited && kind != Use::Overwritten;
        let either_way = entry.waited && entry.order == Order::Flat;
        let severity = match (certain, either_way) {
            (true, _) => Severity::Error,
            (false, true) => Severity::Hint,
            (false, false) => Severity::Warning,
        };
        let mut finding = Finding::new(codes::MISSING_WAIT, severity, index, message);
        let what = match kind {
            Use::StillRead => "reads it",
            _ => "writes it, later",
        };
        finding.related = Some((entry.instruction, format!("`{producer}` {what}")));
        finding.fix =
            Some(Mend { title: format!("wait with `{wait}`"), change: Change::InsertBefore(wait) });
        state.entries.retain(|entry| !hits.contains(&(entry.instruction, entry.counter)));
        state.collect(self.effects);
        Some(finding)
    }

    /// The registers of an operation under way that an instruction uses too early.
    fn conflict(
        &self,
        index: usize,
        effects: &Effects,
        entry: &Pending,
    ) -> Option<(RegisterSet, Use)> {
        let producer = self.effects.get(entry.instruction as usize)?;
        let own = match entry.event {
            Event::Done => return None,
            Event::Source => data_of(producer),
            Event::Result => producer.write_set(),
        };
        let some = |set: RegisterSet, kind| (!set.is_empty()).then_some((set, kind));
        // What an index means is not certain to be written.
        let mut written = RegisterSet::EMPTY;
        for access in effects.writes().iter().filter(|it| it.manner != Manner::Relative) {
            written.insert(access.register);
        }
        let written = written.intersection(&own);
        if entry.event == Event::Source {
            return some(written, Use::StillRead);
        }
        let mut read = RegisterSet::EMPTY;
        for access in effects.reads() {
            // What an index or a guess may mean is not certain to be read.
            if !matches!(access.manner, Manner::Guess | Manner::Relative) {
                read.insert(access.register);
            }
        }
        some(read.intersection(&own), Use::Read).or_else(|| {
            let same = index != entry.instruction as usize && self.same_order(effects, entry);
            if same { None } else { some(written, Use::Overwritten) }
        })
    }

    /// Whether an instruction's results come behind those of an operation by themselves.
    fn same_order(&self, effects: &Effects, entry: &Pending) -> bool {
        let mut own = InFlight::default();
        own.issue(0, effects, self.generation);
        own.entries.iter().any(|own| {
            own.counter == entry.counter
                && own.order == entry.order
                && !matches!(own.order, Order::Scalar | Order::Flat)
        })
    }

    /// Whether a wait was of use, and begins to watch what follows it.
    fn judge(
        &self,
        index: usize,
        wait: Wait,
        before: &InFlight,
        open: &mut Vec<Open>,
        report: &mut Waits,
    ) {
        let mut useless = Vec::new();
        for (place, value) in wait.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let counter = COUNTERS[place];
            let at = open.iter().position(|open| open.counter == place);
            let earlier = at.map(|at| open.swap_remove(at));
            // Who loosens the earlier one needs this one.
            let relied_upon = earlier.is_some_and(|earlier| self.close(&earlier, value, report));
            let own: Vec<&Pending> =
                before.entries.iter().filter(|entry| entry.counter == counter).collect();
            let ordered = before.is_ordered(counter);
            let released: Vec<Pending> = own
                .iter()
                .filter(|entry| value == 0 || ordered && entry.most >= value)
                .map(|entry| **entry)
                .collect();
            if released.is_empty() {
                if !relied_upon && own.iter().all(|entry| ordered && entry.most < value) {
                    useless.push(place);
                }
                continue;
            }
            // What may be there for the order of memory, or is on some path only, is left
            // alone.
            let plain = released.iter().all(|entry| {
                entry.event == Event::Result && entry.certain && entry.least == entry.most
            });
            if plain {
                let mut registers = RegisterSet::EMPTY;
                let released: Vec<(Pending, RegisterSet, bool)> = released
                    .into_iter()
                    .map(|entry| {
                        let effects = self.effects.get(entry.instruction as usize);
                        let set = effects.map_or(RegisterSet::EMPTY, Effects::write_set);
                        registers.add_all(&set);
                        (entry, set, false)
                    })
                    .collect();
                open.push(Open {
                    instruction: index,
                    counter: place,
                    value,
                    released,
                    registers,
                    ordered,
                    issued: 0,
                });
            }
        }
        if !useless.is_empty() {
            let mut left = wait;
            useless.iter().for_each(|place| left[*place] = None);
            let names: Vec<String> = useless
                .iter()
                .map(|place| wait_text(only(*place, wait[*place])).replace("s_waitcnt ", ""))
                .collect();
            let message = format!(
                "`{}` waits for nothing: no operation is under way on any path that it would wait for",
                names.join(" ")
            );
            let mut finding = Finding::new(codes::TOO_STRICT_WAIT, Severity::Hint, index, message);
            finding.fix = Some(loosen(left));
            report.findings.push(finding);
        }
    }

    /// What of a wait was used before the next one of its counter, which would have
    /// done the rest. Whether there is something to say.
    fn close(&self, open: &Open, next: u8, report: &mut Waits) -> bool {
        let used = open.released.iter().filter(|(_, _, used)| *used).map(|(entry, ..)| entry.least);
        let better = used.min();
        let covered = open.released.iter().filter(|(_, _, used)| !used).all(|(entry, ..)| {
            next == 0 || open.ordered && entry.least.saturating_add(open.issued) >= next
        });
        let improves = match better {
            None => true,
            Some(better) => open.ordered && better > open.value,
        };
        if !covered || !improves {
            return false;
        }
        let Some(effects) = self.effects.get(open.instruction) else { return false };
        let Some(mut wait) = wait_of(effects, self.generation) else { return false };
        let old = wait_text(only(open.counter, Some(open.value))).replace("s_waitcnt ", "");
        wait[open.counter] = better;
        let message = match better {
            Some(_) => {
                let new = wait_text(only(open.counter, better)).replace("s_waitcnt ", "");
                format!(
                    "`{old}` waits for more than is used before the next wait: `{new}` is enough"
                )
            }
            None => format!("`{old}` is not needed here: nothing is used before the next wait"),
        };
        let mut finding =
            Finding::new(codes::TOO_STRICT_WAIT, Severity::Hint, open.instruction, message);
        finding.fix = Some(loosen(wait));
        report.findings.push(finding);
        true
    }
}

/// How an instruction meets an operation that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Overwritten,
    StillRead,
}

fn counter_place(counter: Counter) -> usize {
    COUNTERS.iter().position(|own| *own == counter).unwrap_or(0)
}

fn only(place: usize, value: Option<u8>) -> Wait {
    let mut wait = [None; 3];
    wait[place] = value;
    wait
}

fn loosen(wait: Wait) -> Mend {
    if wait.iter().all(Option::is_none) {
        return Mend { title: "remove the wait".to_owned(), change: Change::Remove };
    }
    let text = wait_text(wait);
    Mend { title: format!("wait with `{text}`"), change: Change::Replace(text) }
}
