//! The values that live at an instruction: where each is made and where it is read.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use source::Checkpoint;

use crate::analysis::cfg::Cfg;
use crate::analysis::code::Code;
use crate::analysis::dataflow::{Dataflow, MemberKind, Origin, Webs};
use crate::analysis::def_use::{AccessKind, DefUse};
use crate::analysis::liveness::Moment;
use crate::analysis::register_set::RegisterSet;
use crate::analysis::report::Report;
use crate::instruction::{Bank, Register};

use super::savings::Saving;

/// A value that holds registers at an instruction: the registers that the same instructions
/// wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldValue {
    /// The registers of the bank that it holds there.
    pub registers: RegisterSet,
    /// The number of them.
    pub count: u32,
    /// The origins of what they hold, in order; none where nobody knows.
    pub origins: Vec<Origin>,
    /// The instructions that read one of them, in order.
    pub reads: Vec<u32>,
    /// Set where code that is not seen may read it, too.
    pub leaves: bool,
    /// The changes that would free some of them, the best first.
    pub savings: Vec<Saving>,
}

impl HeldValue {
    /// The instruction that alone makes it.
    pub fn definition(&self) -> Option<u32> {
        match self.origins[..] {
            [Origin::Instruction(only)] => Some(only),
            _ => None,
        }
    }
}

/// The webs of registers, each worked out once.
pub(super) struct WebsOf<'a> {
    dataflow: Dataflow,
    checkpoint: Checkpoint<'a>,
    known: FxHashMap<(Bank, u16), ValuesOf>,
}

/// The values of one register.
struct ValuesOf {
    values: Vec<Rc<ValueOf>>,
    /// The value that each reader and writer is of, in order.
    members: Vec<(u32, MemberKind, u32)>,
}

/// The reads and writes of one value of a register.
#[derive(Default)]
pub(super) struct ValueOf {
    pub(super) definitions: Vec<u32>,
    pub(super) reads: Vec<u32>,
    pub(super) given: Vec<Origin>,
    pub(super) leaves: bool,
}

impl<'a> WebsOf<'a> {
    pub(super) fn new(code: &Code, checkpoint: Checkpoint<'a>) -> WebsOf<'a> {
        let dataflow = Dataflow::of(code.clone(), checkpoint);
        WebsOf { dataflow, checkpoint, known: FxHashMap::default() }
    }

    /// The value of which an instruction is a reader or writer.
    pub(super) fn value(
        &mut self,
        register: Register,
        instruction: u32,
        kind: MemberKind,
    ) -> Option<Rc<ValueOf>> {
        let key = (register.bank, register.first);
        let own = self.known.entry(key).or_insert_with(|| {
            (self.checkpoint)();
            ValuesOf::of(self.dataflow.webs(register))
        });
        let wanted = (instruction, kind);
        let at = own.members.binary_search_by_key(&wanted, |(at, kind, _)| (*at, *kind));
        let (.., number) = own.members.get(at.ok()?)?;
        own.values.get(*number as usize).cloned()
    }
}

impl ValuesOf {
    fn of(webs: Webs) -> ValuesOf {
        let mut values: Vec<ValueOf> = Vec::with_capacity(webs.webs.len());
        values.extend(webs.webs.into_iter().map(|web| ValueOf {
            given: web.given,
            leaves: web.leaves.is_some(),
            ..ValueOf::default()
        }));
        let mut members = Vec::with_capacity(webs.members.len());
        for member in webs.members {
            members.push((member.instruction, member.kind, member.web));
            let Some(value) = values.get_mut(member.web as usize) else { continue };
            let list = match member.kind {
                MemberKind::Def => &mut value.definitions,
                MemberKind::Use => &mut value.reads,
            };
            if list.last() != Some(&member.instruction) {
                list.push(member.instruction);
            }
        }
        ValuesOf { values: values.into_iter().map(Rc::new).collect(), members }
    }
}

/// The values of some registers that are held at an instruction, in the order of their origins.
pub(super) fn held_values(
    report: &Report,
    webs: &mut WebsOf<'_>,
    at: usize,
    (held, moment): (&RegisterSet, Moment),
    bank: Bank,
) -> Vec<HeldValue> {
    let written = match moment {
        Moment::Results => report.def_use[at].write_set().intersection(held),
        Moment::Sources => RegisterSet::EMPTY,
    };
    let readers = next_reads(&report.cfg, &report.def_use, at, held.without(&written));
    let mut values: Vec<HeldValue> = Vec::new();
    for register in held.registers() {
        let value = match written.touches(register) {
            true => webs.value(register, at as u32, MemberKind::Def),
            false => {
                let reader = readers.get(&(register.bank, register.first));
                reader.and_then(|reader| webs.value(register, *reader, MemberKind::Use))
            }
        };
        let (origins, reads, leaves) = match value {
            Some(value) => {
                let written = value.definitions.iter().copied().map(Origin::Instruction);
                let mut origins: Vec<Origin> = written.chain(value.given.iter().copied()).collect();
                origins.sort_unstable();
                (origins, value.reads.clone(), value.leaves)
            }
            None => (Vec::new(), Vec::new(), true),
        };
        match values.iter_mut().find(|known| known.origins == origins) {
            Some(known) => {
                known.registers.insert(register);
                known.reads.extend(reads);
                known.leaves |= leaves;
            }
            None => values.push(HeldValue {
                registers: RegisterSet::of(register),
                count: 0,
                origins,
                reads,
                leaves,
                savings: Vec::new(),
            }),
        }
    }
    for value in &mut values {
        value.count = value.registers.count(bank);
        value.reads.sort_unstable();
        value.reads.dedup();
    }
    values.sort_by(|one, other| one.origins.cmp(&other.origins));
    values
}

/// A reader of what each register holds before an instruction, found forwards over all ways.
pub(super) fn next_reads(
    cfg: &Cfg,
    def_use: &[DefUse],
    at: usize,
    wanted: RegisterSet,
) -> FxHashMap<(Bank, u16), u32> {
    let mut found = FxHashMap::default();
    let mut seen = vec![RegisterSet::EMPTY; cfg.blocks.len()];
    let mut stack = vec![(cfg.block_of(at) as usize, at, wanted)];
    while let Some((block, first, mut wanted)) = stack.pop() {
        let Some(own) = cfg.blocks.get(block) else { continue };
        let rest = def_use.get(first..own.end as usize).unwrap_or_default();
        for (index, passed) in (first as u32..).zip(rest) {
            let read = passed.read_set().intersection(&wanted);
            for register in read.registers() {
                found.entry((register.bank, register.first)).or_insert(index);
            }
            let full = passed.writes().iter().filter(|it| it.kind == AccessKind::Full);
            let written: RegisterSet = full.map(|it| it.register).collect();
            wanted = wanted.without(&read).without(&written);
            if wanted.is_empty() {
                break;
            }
        }
        for next in own.successors() {
            let more = wanted.without(&seen[next]);
            if !more.is_empty() {
                seen[next].add_all(&more);
                stack.push((next, cfg.blocks[next].first as usize, more));
            }
        }
    }
    found
}
