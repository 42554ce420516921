//! The chain behind a wait: the operations that it waits for, what these waited for themselves,
//! and the instructions that could run meanwhile.

use rustc_hash::FxHashMap;

use crate::analysis::dataflow::MemberKind;
use crate::analysis::def_use::DefUse;
use crate::analysis::hazards::sets_register;
use crate::analysis::register_set::RegisterSet;
use crate::analysis::report::Report;
use crate::analysis::timing::{self, StallCause};
use crate::behaviour::Control;
use crate::mnemonics::Opcode;

use super::Explainer;
use super::savings::{is_load, orders_memory};
use super::values::WebsOf;

pub use crate::analysis::timing::Awaited as AwaitedResult;

/// A wait and what is behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitExplanation {
    /// The instruction that waits.
    pub instruction: u32,
    /// Clocks that it waits, in the model of time.
    pub stall: u32,
    /// The cause of the last of these clocks; `None` where nothing is waited for.
    pub cause: Option<StallCause>,
    /// The results that it waits for, in the order of their issue by counter.
    pub awaited: Vec<AwaitedResult>,
    /// The chain of operations that leads to the result that comes last, from the first one.
    pub chain: Vec<Link>,
    /// The number of instructions between that operation and the wait, where both are in one
    /// block.
    pub between: u32,
    /// Instructions behind the wait that need nothing that is waited for, and could stand in
    /// front of it.
    pub movable: Vec<u32>,
    /// Clocks of issue of those.
    pub movable_clocks: u32,
    /// Instructions in front of the operation that it does not need, and that it could be issued
    /// before.
    pub passable: Vec<u32>,
    /// Clocks of issue of those.
    pub passable_clocks: u32,
}

/// An operation of a chain, and the wait for what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The instruction.
    pub instruction: u32,
    /// Clocks between its issue and its result.
    pub latency: u32,
    /// Clocks that were waited for it.
    pub stall: u32,
}

/// A chain longer than this is cut at its beginning.
const MOST_LINKS: usize = 8;
/// So many instructions behind a wait, and in front of an operation, are looked at.
const WINDOW: usize = 256;

/// Returns the instructions that wait longest in a run of a code, at most so many, in order.
pub fn longest_waits(report: &Report, most: usize) -> Vec<u32> {
    let waits = (0..).zip(&report.timing.instructions).filter(|(_, time)| time.stall > 0);
    let mut waits: Vec<(u32, f64)> =
        waits.map(|(at, time)| (at, f64::from(time.stall) * time.weight)).collect();
    waits.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut longest: Vec<u32> = waits.into_iter().take(most).map(|(at, _)| at).collect();
    longest.sort_unstable();
    longest
}

impl Explainer<'_> {
    /// Explains the waits of some instructions, in order; those are left out that do not wait and
    /// are no `s_waitcnt`.
    pub fn waits(&mut self, instructions: &[u32]) -> Vec<WaitExplanation> {
        let Explainer { code, report, options, webs, checkpoint } = self;
        let Report { def_use, cfg, timing, .. } = report;
        let waits = |at: &u32| {
            let own = def_use.get(*at as usize).zip(timing.instructions.get(*at as usize));
            own.is_some_and(|(own, time)| time.stall > 0 || own.is(Opcode::s_waitcnt))
        };
        let mut wanted: Vec<u32> = instructions.iter().copied().filter(waits).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut awaited = timing::awaited(code, def_use, cfg, *options, &wanted, *checkpoint);
        let causes = timing.instructions.iter().filter_map(|it| Some((it.cause?, it.stall)));
        let mut stalls = Stalls::default();
        for (cause, stall) in causes {
            stalls.entry(cause.producer).or_insert((cause.latency, stall));
        }
        let explain = |at: &u32| {
            (self.checkpoint)();
            explain(report, webs, &stalls, *at, awaited.remove(at).unwrap_or_default())
        };
        wanted.iter().filter_map(explain).collect()
    }
}

/// Per instruction that something waits for, the clocks that its result takes, and those that
/// are waited.
type Stalls = FxHashMap<u32, (u32, u32)>;

fn explain(
    report: &Report,
    webs: &mut WebsOf<'_>,
    stalls: &Stalls,
    instruction: u32,
    awaited: Vec<AwaitedResult>,
) -> Option<WaitExplanation> {
    let Report { def_use, cfg, .. } = report;
    let at = instruction as usize;
    let time = report.timing.instructions.get(at)?;
    let mut found = WaitExplanation {
        instruction,
        stall: time.stall,
        cause: time.cause,
        awaited,
        chain: Vec::new(),
        between: 0,
        movable: Vec::new(),
        movable_clocks: 0,
        passable: Vec::new(),
        passable_clocks: 0,
    };
    let Some(cause) = time.cause else { return Some(found) };
    let producer = cause.producer as usize;
    let last = Link { instruction: cause.producer, latency: cause.latency, stall: time.stall };
    found.chain = chain(report, webs, stalls, last);
    if cfg.block_of(producer) == cfg.block_of(at) && producer < at {
        found.between = (at - producer - 1) as u32;
    }
    if cause.kind == timing::StallKind::Result {
        let results = found.awaited.iter().filter_map(|it| def_use.get(it.producer as usize));
        let results = results.fold(RegisterSet::EMPTY, |all, it| all.union(&it.write_set()));
        let clocks = |list: &[u32]| {
            let issue =
                |it: &u32| report.timing.instructions.get(*it as usize).map_or(0, |it| it.issue);
            list.iter().map(issue).fold(0, u32::saturating_add)
        };
        found.movable = movable(report, at, results);
        found.movable_clocks = clocks(&found.movable);
        found.passable = passable(report, producer);
        found.passable_clocks = clocks(&found.passable);
    }
    Some(found)
}

/// Follows an operation back to what its operands waited for, and so on.
fn chain(report: &Report, webs: &mut WebsOf<'_>, stalls: &Stalls, last: Link) -> Vec<Link> {
    let mut chain = vec![last];
    while let Some(first) = chain.last().filter(|_| chain.len() < MOST_LINKS) {
        let Some(link) = awaited_before(report, webs, stalls, first.instruction) else { break };
        if chain.iter().any(|known| known.instruction == link.instruction) {
            break;
        }
        chain.push(link);
    }
    chain.reverse();
    chain
}

/// The last load that an operation's operands depend on through arithmetic and that something
/// waits for.
fn awaited_before(
    report: &Report,
    webs: &mut WebsOf<'_>,
    stalls: &Stalls,
    operation: u32,
) -> Option<Link> {
    let mut seen = vec![operation];
    let mut next = vec![operation];
    let mut found: Option<Link> = None;
    while let Some(reader) = next.pop() {
        let sources = report.def_use.get(reader as usize)?.read_set();
        for register in sources.registers() {
            let Some(value) = webs.value(register, reader, MemberKind::Use) else { continue };
            for definition in value.definitions.iter().copied() {
                if seen.len() >= WINDOW || seen.contains(&definition) {
                    continue;
                }
                seen.push(definition);
                if !is_load(report.def_use.get(definition as usize)?) {
                    next.push(definition);
                } else if let Some((latency, stall)) = stalls.get(&definition).copied()
                    && found.is_none_or(|known| known.instruction < definition)
                {
                    found = Some(Link { instruction: definition, latency, stall });
                }
            }
        }
    }
    found
}

/// The instructions behind a wait, in its block, that need neither what is waited for nor what
/// stays behind it.
fn movable(report: &Report, wait: usize, awaited: RegisterSet) -> Vec<u32> {
    let Report { def_use, cfg, .. } = report;
    let Some(block) = cfg.blocks.get(cfg.block_of(wait) as usize) else { return Vec::new() };
    let mut found = Vec::new();
    // The registers that what stays behind writes and reads.
    let (mut written, mut read) = (awaited, RegisterSet::EMPTY);
    for index in (wait + 1..block.end as usize).take(WINDOW) {
        let own = &def_use[index];
        if is_barrier(own) {
            break;
        }
        let (reads, writes) = (own.read_set(), own.write_set());
        let stays = own.is(Opcode::s_waitcnt)
            || is_memory(own)
            || reads.meets(&written)
            || writes.meets(&written)
            || writes.meets(&read);
        match stays {
            true => {
                written.add_all(&writes);
                read.add_all(&reads);
            }
            false => found.push(index as u32),
        }
    }
    found
}

/// The instructions in front of an operation, in its block, that it does not need.
fn passable(report: &Report, operation: usize) -> Vec<u32> {
    let Report { def_use, cfg, .. } = report;
    let Some(block) = cfg.blocks.get(cfg.block_of(operation) as usize) else { return Vec::new() };
    let own = &def_use[operation];
    // The registers that the operation and what it needs read and write.
    let (mut read, mut written) = (own.read_set(), own.write_set());
    let mut found = Vec::new();
    for index in (block.first as usize..operation).rev().take(WINDOW) {
        let passed = &def_use[index];
        if is_barrier(passed) || passed.is(Opcode::s_waitcnt) || orders_memory(passed) {
            break;
        }
        let (reads, writes) = (passed.read_set(), passed.write_set());
        let needed = writes.meets(&read) || writes.meets(&written) || reads.meets(&written);
        match needed || is_memory(passed) {
            true => {
                read.add_all(&reads);
                written.add_all(&writes);
            }
            false => found.push(index as u32),
        }
    }
    found.reverse();
    found
}

/// Tells whether nothing may pass an instruction.
fn is_barrier(own: &DefUse) -> bool {
    own.desc.is_none_or(|desc| {
        desc.control() != Control::Next || sets_register(desc) || own.is(Opcode::s_barrier)
    })
}

/// Tells whether an instruction has to do with memory, exports or messages, whose counts waits
/// are about.
fn is_memory(own: &DefUse) -> bool {
    own.desc.is_none_or(|desc| !desc.behaviour().counters.is_empty()) || orders_memory(own)
}
