//! Hazards: the hardware does not interlock on some results, and `s_nop` or other
//! instructions must keep the distance.
//!
//! The pairs of producer and consumer are the rows of `hazards.tsv` of `isa`. From every
//! consumer the code is walked back over as many states as its rows ask for, into all
//! predecessors where a block begins: at most twenty instructions a path. Most consumers have
//! no producer so near, which the kinds of the instructions before them tell at once.

mod distances;
mod kinds;
mod matrix;
mod registers;
#[cfg(test)]
mod tests;

use isa::gcn::Hazard;
use isa::gcn::hazard::{Certainty, Consumer, Producer};
use source::{Checkpoint, Severity};

use super::cancellation::CancelTicker;
use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::diagnostic::{Change, InstDiagnostic};
use super::register_set::RegisterSet;
use crate::codes;
use crate::instruction::Register;
use crate::mnemonics::Opcode;
use crate::targets::Generation;
use distances::Distances;
pub(super) use kinds::sets_register;
use kinds::{is_consumer, producers};
pub(super) use matrix::{passes, product};
use registers::{conflict, ends_with_a_write, is_by_data, needed, remove_written};

/// Finds the instructions of a code that violate a hazard. `checkpoint` may unwind.
pub fn hazards(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    checkpoint: Checkpoint<'_>,
) -> Vec<InstDiagnostic> {
    let cancel = CancelTicker::new(checkpoint);
    let rules: Vec<&Hazard> = Hazard::of(code.target.features()).collect();
    let wanted: Vec<Producer> = Producer::ALL
        .into_iter()
        .filter(|kind| rules.iter().any(|it| it.producer == *kind))
        .collect();
    let kinds: Vec<u32> = def_use.iter().map(|it| producers(&wanted, it, code.target)).collect();
    let passes = def_use.iter().map(|it| passes(it, code.target)).collect();
    let by_producer = RulesByProducer::of(&rules);
    let before = Distances::of(&kinds, cfg, by_producer.most(), &cancel);
    let finder = Finder { code, def_use, cfg, kinds, passes, before };
    let mut diagnostics = Vec::new();
    let mut own: Vec<u16> = Vec::new();
    let mut latest = Latest::default();
    for (index, consumer) in def_use.iter().enumerate() {
        cancel.step();
        if let Some(before) = index.checked_sub(1) {
            latest.pass(before, finder.kinds[before]);
        }
        let Some(desc) = consumer.desc else { continue };
        if !cfg.blocks[cfg.block_of(index) as usize].reachable {
            continue;
        }
        own.clear();
        for kind in &by_producer.kinds {
            let near = finder.nearest(kind.producer, index, &latest);
            if near > usize::from(kind.most) {
                continue;
            }
            let may_reach =
                |place: &&u16| near <= usize::from(by_producer.states[**place as usize]);
            let is_own = |place: &&u16| {
                is_consumer(rules[**place as usize].consumer, desc, consumer, code.target)
            };
            own.extend(kind.rules.iter().filter(may_reach).filter(is_own));
        }
        if own.is_empty() {
            continue;
        }
        own.sort_unstable();
        let own = own.iter().map(|place| rules[*place as usize]);
        let found: Result<Vec<_>, Unknown> =
            own.map(|rule| finder.find(rule, index, consumer)).collect();
        let Ok(found) = found else { continue };
        let mut found: Vec<Violation<'_>> = found.into_iter().flatten().collect();
        // Of several the most certain is said, then the farthest from being right.
        let is_sure = |it: &Violation<'_>| it.rule.certainty != Certainty::Hint && !it.takes_long;
        let rank = |it: &Violation<'_>| (is_sure(it), it.same_block, it.missing);
        found.sort_by_key(|violation| std::cmp::Reverse(rank(violation)));
        let Some(worst) = found.first() else { continue };
        // A rule that asks for fewer states may be more certain that they are needed.
        let more_certain =
            |it: &&Violation<'_>| it.same_block == worst.same_block && !it.takes_long;
        let certainty = found.iter().filter(more_certain).map(|it| it.rule.certainty).min();
        let certainty = match worst.takes_long {
            true => Certainty::Hint,
            false => certainty.unwrap_or(worst.rule.certainty),
        };
        diagnostics.push(finder.diagnostic(index, worst, certainty));
    }
    diagnostics
}

/// The rules of a chip by their producers.
struct RulesByProducer {
    kinds: Vec<RulesOfProducer>,
    /// The most states that each rule asks for.
    states: Vec<u8>,
}

/// The rules of one producer, by number.
struct RulesOfProducer {
    producer: Producer,
    rules: Vec<u16>,
    /// The most states that any of them asks for.
    most: u8,
}

impl RulesByProducer {
    fn of(rules: &[&Hazard]) -> RulesByProducer {
        let states: Vec<u8> = rules.iter().map(|it| it.states.most()).collect();
        let kinds = Producer::ALL.into_iter().map(|producer| {
            let own = (0..).zip(rules).filter(|(_, rule)| rule.producer == producer);
            let rules: Vec<u16> = own.map(|(place, _)| place).collect();
            let most = rules.iter().map(|place| states[*place as usize]).max().unwrap_or(0);
            RulesOfProducer { producer, rules, most }
        });
        let kinds = kinds.filter(|it| !it.rules.is_empty()).collect();
        RulesByProducer { kinds, states }
    }

    fn most(&self) -> u8 {
        self.states.iter().copied().max().unwrap_or(0)
    }
}

/// The latest instruction of each kind of producer, among those before the current one.
#[derive(Default)]
struct Latest([Option<usize>; u32::BITS as usize]);

impl Latest {
    fn of(&self, kind: Producer) -> Option<usize> {
        self.0[kind as usize]
    }

    /// Goes on past an instruction, which is of the kinds whose bits are set.
    fn pass(&mut self, index: usize, mut kinds: u32) {
        while kinds != 0 {
            self.0[kinds.trailing_zeros() as usize] = Some(index);
            kinds &= kinds - 1;
        }
    }
}

/// A pair of instructions that violates a hazard.
struct Violation<'a> {
    rule: &'a Hazard,
    producer: usize,
    /// The states that the pair needs.
    states: u8,
    missing: u8,
    /// Set where products between take so long that none are missing in time.
    takes_long: bool,
    same_block: bool,
    /// The register through which they conflict.
    register: Option<Register>,
}

/// A line that is not an instruction stands among those before a consumer.
struct Unknown;

/// A place that the walk back has reached: a block and the index where it goes on, the states
/// so far, the time in states, the registers that are still looked for, and whether a matrix
/// product of 64-bit floats was passed.
#[derive(Clone, Copy)]
struct Step {
    block: usize,
    end: usize,
    states: u8,
    time: u8,
    /// The time from the issue of the nearest product behind: one before it has to be through
    /// by then.
    product: Option<u8>,
    needed: RegisterSet,
    passed_double: bool,
}

impl Step {
    /// The time from the issue of the instruction before, of so many states. The matrix unit
    /// takes the next product when one is through.
    fn issued(&self, passes: Option<u8>, states: u8) -> u8 {
        let busy = passes.zip(self.product).map(|(passes, next)| next.saturating_add(passes));
        self.time.saturating_add(states).max(busy.unwrap_or(0))
    }
}

struct Finder<'a> {
    code: &'a Code,
    def_use: &'a [DefUse],
    cfg: &'a Cfg,
    /// The kinds of producer that each instruction is, a bit each.
    kinds: Vec<u32>,
    /// The passes of each instruction that is a product of matrices.
    passes: Vec<Option<u8>>,
    /// The nearest producers before each block.
    before: Distances,
}

impl Finder<'_> {
    fn is_producer(&self, kind: Producer, index: usize) -> bool {
        self.kinds[index] >> kind as u32 & 1 == 1
    }

    /// Returns the instructions from one back to the nearest producer of a kind, the producer
    /// counted: among the instructions before, of which the latest are given, or before the
    /// block on some path. Zero where nobody knows.
    fn nearest(&self, kind: Producer, index: usize, latest: &Latest) -> usize {
        let block = self.cfg.block_of(index) as usize;
        let first = self.cfg.blocks[block].first as usize;
        let within = latest.of(kind).map(|latest| index - latest);
        if let Some(within) = within.filter(|it| *it <= index - first) {
            return within;
        }
        // A line that is not an instruction may be any producer.
        match self.code.gaps.is_empty() {
            true => index - first + usize::from(self.before.of_kind(block, kind)),
            false => index - first,
        }
    }

    /// Walks back from a consumer, and finds the producer of a rule that is too near to it by
    /// the most.
    fn find<'a>(
        &self,
        rule: &'a Hazard,
        index: usize,
        consumer: &DefUse,
    ) -> Result<Option<Violation<'a>>, Unknown> {
        let needed = needed(rule, consumer);
        let registers = ends_with_a_write(rule.via);
        if registers && needed.is_empty() {
            return Ok(None);
        }
        let most = rule.states.most();
        let block = self.cfg.block_of(index) as usize;
        let mut worst: Option<Violation<'_>> = None;
        // Mostly the walk ends in the block where it begins.
        let mut stack = Vec::new();
        let mut begin = Some(Step {
            block,
            end: index,
            states: 0,
            time: 0,
            product: None,
            needed,
            passed_double: false,
        });
        let mut steps = 0;
        'walk: while let Some(mut at) = begin.take().or_else(|| stack.pop()) {
            let own = &self.cfg.blocks[at.block];
            steps += 1;
            for producer in (own.first as usize..at.end).rev() {
                let def_use = &self.def_use[producer];
                let gap = self.code.gap(producer);
                // Of such a line only the registers that it reads may be unknown.
                let is_known = def_use.desc.is_some() && !is_by_data(rule.via);
                if let Some(gap) = gap.filter(|_| !is_known) {
                    if !registers || !gap.is_beside(&at.needed) {
                        return Err(Unknown);
                    }
                    at.states = at.states.saturating_add(1);
                    at.time = at.time.saturating_add(1);
                    if at.states >= most {
                        continue 'walk;
                    }
                    continue;
                }
                let is_producer = self.is_producer(rule.producer, producer)
                    && (rule.producer != Producer::ValuBeforeDouble || at.passed_double);
                if is_producer && let Some(register) = conflict(rule, def_use, consumer, &at.needed)
                {
                    let passes = self.passes[producer];
                    let states = rule.states.after(passes);
                    let missing = states.saturating_sub(at.states);
                    let takes_long = at.issued(passes, 1) > states;
                    if missing > worst.as_ref().map_or(0, |known| known.missing) {
                        let same_block = at.block == block && at.end == index;
                        worst = Some(Violation {
                            rule,
                            producer,
                            states,
                            missing,
                            takes_long,
                            same_block,
                            register,
                        });
                    }
                    if !registers {
                        continue 'walk;
                    }
                }
                if registers {
                    // Another write of a register ends the hazard by it: the consumer reads
                    // that.
                    remove_written(rule, def_use, &mut at.needed);
                }
                at.passed_double |= self.is_producer(Producer::DoubleProduct, producer);
                let own = self.states_of(def_use);
                let passes = self.passes[producer];
                at.states = at.states.saturating_add(own);
                at.time = at.issued(passes, own);
                at.product = passes.map(|_| at.time).or(at.product);
                if at.states >= most || registers && at.needed.is_empty() {
                    continue 'walk;
                }
            }
            // Blocks of a single instruction with many predecessors each: enough.
            if steps > 64 {
                continue;
            }
            if self.code.is_target_of_gap(own.first) {
                return Err(Unknown);
            }
            for predecessor in own.predecessors.iter().map(|it| *it as usize) {
                let end = self.cfg.blocks[predecessor].end as usize;
                stack.push(Step { block: predecessor, end, ..at });
            }
        }
        Ok(worst)
    }

    fn diagnostic(
        &self,
        index: usize,
        violation: &Violation<'_>,
        certainty: Certainty,
    ) -> InstDiagnostic {
        let what = match violation.register {
            Some(register) => format!("`{}` of ", register.name(self.code.target)),
            None => String::new(),
        };
        let (producer, consumer) =
            (self.def_use[violation.producer].name(), self.def_use[index].name());
        let more = violation.missing;
        let plural = |count: u8| if count == 1 { "" } else { "s" };
        let mut message = format!(
            "`{consumer}` violates a hazard: it needs {} wait state{} after {what}`{producer}`, \
             {more} more than it has",
            violation.states,
            plural(violation.states),
        );
        if !violation.same_block {
            message.push_str(" on one of the paths");
        }
        if let Some(rule) = registers::phrase(violation.rule.via) {
            match self.passes[violation.producer] {
                Some(passes) => message.push_str(&format!(" ({rule}, after {passes} passes)")),
                None => message.push_str(&format!(" ({rule})")),
            }
        }
        if violation.takes_long {
            message.push_str(
                "; LLVM counts instructions, but the products between take longer than that",
            );
        }
        if let Some((only, other)) = violation.rule.only
            && violation.rule.certainty == certainty
        {
            message.push_str(&format!("; {only} keeps this distance, {other} does not"));
        }
        let severity = match (certainty, violation.same_block) {
            (Certainty::Hint, _) => Severity::Hint,
            (Certainty::Error, true) => Severity::Error,
            (Certainty::Warning, true) | (Certainty::Error, false) => Severity::Warning,
            (Certainty::Warning, false) => Severity::Hint,
        };
        let nops = nops(more, self.generation().most_nop_states());
        InstDiagnostic::new(codes::MISSING_WAIT_STATES, severity, index, message)
            .related(violation.producer as u32, format!("`{producer}` is here"))
            .fix(format!("insert {more} wait state{}", plural(more)), Change::InsertBefore(nops))
    }

    fn generation(&self) -> Generation {
        self.code.target.generation()
    }

    /// Returns the wait states that an instruction makes.
    fn states_of(&self, def_use: &DefUse) -> u8 {
        if def_use.is(Opcode::s_nop) {
            self.generation().nop_states(def_use.first_words())
        } else {
            1
        }
    }
}

/// Returns the `s_nop`s that make so many wait states, one a line, of at most `most`
/// states each.
fn nops(states: u8, most: u8) -> String {
    let counts = std::iter::successors(Some(states), |left| Some(left.saturating_sub(most)));
    let lines = counts.take_while(|left| *left > 0).map(|left| left.min(most) - 1);
    lines.map(|operand| format!("s_nop {operand}")).collect::<Vec<_>>().join("\n")
}
