//! Changes of a code that free registers: which are allowed by its data flow.
//!
//! Registers, EXEC, SCC, memory and barriers keep their order; wait states and the counts of
//! waits are the author's to keep.

use crate::analysis::cfg::{Cfg, Uncertainty};
use crate::analysis::check::only_computes;
use crate::analysis::code::Code;
use crate::analysis::dataflow::MemberKind;
use crate::analysis::def_use::{AccessKind, DefUse, sets_index_mode};
use crate::analysis::hazards::sets_register;
use crate::analysis::register_set::RegisterSet;
use crate::analysis::report::Report;
use crate::analysis::waitcnt::state::loads_to_share;
use crate::behaviour::{Control, CounterEvent, Unit};
use crate::encoding::Extension;
use crate::instruction::code::EXEC;
use crate::instruction::{Bank, Class, Register};
use crate::mnemonics::Opcode;

use super::edit::{Edit, Original};
use super::flow::between;
use super::values::{HeldValue, WebsOf, next_reads};

isa::words! {
    /// A kind of change that frees registers.
    SavingKind {
        /// The value is made where it is read first: its instruction moves down.
        Later "later",
        /// The value is computed once more where it is read after the peak.
        Again "again",
        /// The last reader moves up, in front of the peak.
        Earlier "earlier",
        /// Results that nobody reads are not written.
        Narrower "narrower",
    }
}

/// A change and what it frees: by the live ranges of the code with the change, before anybody
/// allocates or schedules it anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Saving {
    /// The kind of change.
    pub kind: SavingKind,
    /// The instruction that moves, is copied or writes less.
    pub instruction: u32,
    /// The instructions before which it would stand, in order; none where it stays.
    pub before: Vec<u32>,
    /// The registers that it frees at the instruction that is asked about.
    pub here: u32,
    /// The registers by which the peak of the whole code falls.
    pub peak: u32,
    /// The waves that fit where the allocation falls by as much as the peak.
    pub waves: u32,
    /// Clocks of issue that it adds to a run of the program; less than 0 where it saves some.
    pub clocks: f64,
    /// Set where what moves is a load: its wait moves with it.
    pub is_load: bool,
}

impl Saving {
    /// Returns the code with the change; `None` where no instruction moves.
    pub fn edited(&self, code: &Code, def_use: &[DefUse]) -> Option<Code> {
        let original = match self.kind {
            SavingKind::Again => Original::Stays,
            SavingKind::Later | SavingKind::Earlier => Original::Goes,
            SavingKind::Narrower => return None,
        };
        let edit = Edit { instruction: self.instruction, before: self.before.clone(), original };
        Some(edit.apply(code, def_use)?.code)
    }
}

/// More copies of an instruction than these are no saving.
const MOST_COPIES: usize = 4;

/// A code whose savings are looked for.
pub(super) struct Search<'a> {
    pub(super) code: &'a Code,
    pub(super) report: &'a Report,
    pub(super) at: usize,
    pub(super) bank: Bank,
}

impl Search<'_> {
    /// Returns the edit that makes a value of one instruction anew where it is read behind the
    /// place that is asked about, if that is allowed.
    pub(super) fn made_anew(
        &self,
        value: &HeldValue,
        webs: &mut WebsOf<'_>,
    ) -> Option<(SavingKind, Edit)> {
        let cfg = &self.report.cfg;
        let definition = value.definition()?;
        let own = &self.report.def_use[definition as usize];
        let desc = own.desc.filter(|desc| only_computes(desc))?;
        let is_load = is_load(own);
        let is_simple = matches!(desc.behaviour().unit, Unit::Valu | Unit::Salu | Unit::Interp);
        let written = own.write_set();
        if !is_load && !is_simple || written.meets(&sources(own)) || is_indexed(own) {
            return None;
        }
        let mut reads = Vec::new();
        for register in written.registers() {
            let of = webs.value(register, definition, MemberKind::Def)?;
            if of.definitions.len() != 1 || !of.given.is_empty() || of.leaves {
                return None;
            }
            reads.extend(&of.reads);
        }
        reads.sort_unstable();
        reads.dedup();
        let (near, far) = self.split(definition, &reads);
        let firsts: Vec<u32> = far.iter().map(|group| group[0]).collect();
        let original = if near.is_empty() { Original::Goes } else { Original::Stays };
        if firsts.is_empty() || firsts.len() > MOST_COPIES {
            return None;
        }
        if is_load
            && (original == Original::Stays || firsts.len() > 1 || {
                cfg.block_of(firsts[0] as usize) != cfg.block_of(definition as usize)
            })
        {
            return None;
        }
        for (first, group) in firsts.iter().zip(&far) {
            if !self.may_stand_before(definition, *first, group, webs) {
                return None;
            }
        }
        let kind = if near.is_empty() { SavingKind::Later } else { SavingKind::Again };
        Some((kind, Edit { instruction: definition, before: firsts, original }))
    }

    /// Splits the readers of what an instruction makes: those that it still serves, and groups
    /// of those that a copy would serve, each in one block.
    fn split(&self, definition: u32, reads: &[u32]) -> (Vec<u32>, Vec<Vec<u32>>) {
        let cfg = &self.report.cfg;
        let at = self.at as u32;
        let block = |instruction: u32| cfg.block_of(instruction as usize);
        let is_behind = |read: u32| block(read) == block(at) && read > at;
        let mut near = Vec::new();
        let mut far: Vec<Vec<u32>> = Vec::new();
        for read in reads.iter().copied() {
            let passes = is_behind(read) && definition <= at;
            if block(read) == block(definition) && read > definition && !passes {
                near.push(read);
                continue;
            }
            let group = far.iter_mut().find(|group| {
                block(group[0]) == block(read) && is_behind(group[0]) == is_behind(read)
            });
            match group {
                Some(group) => group.push(read),
                None => far.push(vec![read]),
            }
        }
        (near, far)
    }

    /// Tells whether an instruction has the same results right before another, for its readers
    /// from there on, and harms nothing there.
    fn may_stand_before(
        &self,
        definition: u32,
        before: u32,
        readers: &[u32],
        webs: &mut WebsOf<'_>,
    ) -> bool {
        let Report { def_use, cfg, liveness, .. } = self.report;
        let own = &def_use[definition as usize];
        let sources = sources(own);
        let is_load = is_load(own);
        let is_fixed = is_load
            || !stays_in_its_lane(own)
            || readers.iter().any(|reader| reads_other_lanes(&def_use[*reader as usize]));
        let exec: RegisterSet = exec_of_lanes(own);
        for index in between(cfg, definition as usize, before as usize) {
            let passed = &def_use[index];
            let writes = passed.write_set();
            let changes = writes.meets(&sources)
                || is_fixed && writes.meets(&exec)
                || is_load && orders_memory(passed)
                || passed.desc.is_none_or(sets_register);
            if changes {
                return false;
            }
        }
        // What else the copy writes must be its own value, or nobody's.
        let needed = liveness.before(before as usize).intersection(&own.write_set());
        let next = next_reads(cfg, def_use, before as usize, needed);
        needed.registers().all(|register| {
            let reader = next.get(&(register.bank, register.first));
            let value = reader.and_then(|it| webs.value(register, *it, MemberKind::Use));
            value.is_some_and(|value| value.definitions == [definition])
        })
    }

    /// Returns the edit that has the one reader behind the place that is asked about read a
    /// value before it, if that is allowed.
    pub(super) fn read_before(&self, value: &HeldValue, webs: &mut WebsOf<'_>) -> Option<Edit> {
        let Report { def_use, cfg, .. } = self.report;
        let block = cfg.block_of(self.at) as usize;
        let range = cfg.blocks.get(block)?.instructions();
        let is_later = |read: &&u32| !(range.start..=self.at).contains(&(**read as usize));
        let mut later = value.reads.iter().filter(is_later);
        let reader = *later.next()? as usize;
        if value.leaves || later.next().is_some() || !range.contains(&reader) || reader < self.at {
            return None;
        }
        let own = &def_use[reader];
        let desc = own.desc.filter(|desc| only_computes(desc))?;
        if is_indexed(own) || !stays_in_its_lane(own) && desc.class() != Class::Image {
            return None;
        }
        let waits_for = self.reads_a_load(reader, webs);
        let (sources, results) = (own.read_set(), own.write_set());
        let is_load = is_load(own);
        let mut place = reader;
        for index in (range.start..reader).rev() {
            let passed = &def_use[index];
            let Some(desc) = passed.desc else { break };
            let conflicts = passed.write_set().meets(&sources)
                || passed.write_set().meets(&results)
                || passed.read_set().meets(&results)
                || passed.is(Opcode::s_waitcnt) && waits_for
                || is_load && orders_memory(passed)
                || sets_register(desc)
                || desc.control() != Control::Next;
            if conflicts {
                break;
            }
            place = index;
        }
        let before = u32::try_from(place).ok()?;
        (place <= self.at).then(|| Edit {
            instruction: reader as u32,
            before: vec![before],
            original: Original::Goes,
        })
    }

    /// Tells whether an instruction reads what memory sends, for which a wait stands before it.
    fn reads_a_load(&self, instruction: usize, webs: &mut WebsOf<'_>) -> bool {
        let own = &self.report.def_use[instruction];
        own.read_set().registers().any(|register| {
            let value = webs.value(register, instruction as u32, MemberKind::Use);
            let is_of_load = |it: &u32| is_load(&self.report.def_use[*it as usize]);
            value.is_none_or(|value| value.definitions.iter().any(is_of_load))
        })
    }

    /// Counts the registers of the bank that the instruction itself writes and nobody reads.
    pub(super) fn unread_results(&self) -> RegisterSet {
        let Report { def_use, cfg, liveness, .. } = self.report;
        let own = &def_use[self.at];
        let narrows = own.desc.is_some_and(only_computes) && is_load(own);
        match narrows {
            true => own.write_set().counted(self.bank).without(liveness.after(cfg, self.at)),
            false => RegisterSet::EMPTY,
        }
    }

    /// The clocks of issue that an edit adds to a run.
    pub(super) fn clocks(&self, edit: &Edit) -> f64 {
        let instructions = &self.report.timing.instructions;
        let runs = |index: u32| instructions.get(index as usize).map_or(0.0, |it| it.weight);
        let own = instructions.get(edit.instruction as usize).map_or(0, |it| it.issue);
        let added: f64 = edit.before.iter().map(|index| runs(*index)).sum();
        let gone = match edit.original {
            Original::Goes => runs(edit.instruction),
            Original::Stays => 0.0,
        };
        (added - gone) * f64::from(own)
    }
}

/// The registers that an instruction's results depend on: all that it reads, but for EXEC where
/// that only says which lanes have a result.
fn sources(own: &DefUse) -> RegisterSet {
    own.read_set().without(&exec_of_lanes(own))
}

/// EXEC, where an instruction reads it only to know which lanes take part.
fn exec_of_lanes(own: &DefUse) -> RegisterSet {
    let exec = Register { bank: Bank::Scalar, first: EXEC, dwords: 2 };
    let in_lanes = own.writes().iter().all(|access| access.register.bank != Bank::Scalar);
    let is_vector =
        own.desc.is_some_and(|desc| !matches!(desc.behaviour().unit, Unit::Salu | Unit::Smem));
    match in_lanes && is_vector {
        true => RegisterSet::of(exec),
        false => RegisterSet::EMPTY,
    }
}

/// Tells whether the result of a lane depends on that lane's registers alone.
fn stays_in_its_lane(own: &DefUse) -> bool {
    own.desc.is_some_and(|desc| desc.extension != Extension::Dpp && desc.class() != Class::Matrix)
        && own.reads().iter().all(|access| access.kind != AccessKind::CrossLane)
}

/// Tells whether an instruction reads what lanes hold that take no part in it: derivatives do.
fn reads_other_lanes(own: &DefUse) -> bool {
    !stays_in_its_lane(own) || own.desc.is_some_and(|desc| desc.class() == Class::Image)
}

/// Tells whether an instruction's results come from memory.
pub(super) fn is_load(own: &DefUse) -> bool {
    own.desc.is_some_and(|desc| {
        desc.behaviour().counters.iter().any(|inc| inc.event == CounterEvent::Result)
    })
}

/// Tells whether an access depends on an index, or an index mode begins or ends here.
fn is_indexed(own: &DefUse) -> bool {
    let indexed = |kind| matches!(kind, AccessKind::Indexed | AccessKind::Partial);
    own.accesses().any(|(access, _)| indexed(access.kind))
        || own.desc.is_some_and(|desc| sets_index_mode(desc.opcode()))
}

/// Tells whether loads may not pass an instruction.
pub(super) fn orders_memory(own: &DefUse) -> bool {
    let Some(desc) = own.desc else { return true };
    let changes = desc.flags().store() || desc.flags().atomic() || loads_to_share(own);
    changes
        || own.is(Opcode::s_barrier)
        || matches!(desc.behaviour().unit, Unit::Message | Unit::Gds)
        || matches!(desc.control(), Control::Call | Control::IndirectCall | Control::Fork)
}

/// Tells whether the values of a code can be followed well enough to edit it: control goes only
/// where it is seen to go, and no operand depends on an index.
pub(super) fn can_edit(code: &Code, def_use: &[DefUse], cfg: &Cfg) -> bool {
    let is_seen = |(at, uncertainty): &(u32, Uncertainty)| {
        let block = cfg.blocks.get(cfg.block_of(*at as usize) as usize);
        *uncertainty == Uncertainty::Irreducible || block.is_some_and(|block| !block.reachable)
    };
    code.gaps.is_empty()
        && code.readings.is_empty()
        && cfg.uncertainties.iter().all(is_seen)
        && !def_use.iter().any(|own| own.desc.is_some_and(|desc| sets_index_mode(desc.opcode())))
}
