//! Hazards: the hardware does not interlock on some results, and `s_nop` or other
//! instructions must keep the distance.
//!
//! The pairs of producer and consumer are the rows of `hazards.tsv` of `isa`. From every
//! consumer the code is walked back over as many states as its rows ask
//! for, into all predecessors where a block begins: at most five instructions a path.

mod kinds;
mod matrix;
#[cfg(test)]
mod tests;

use isa::gcn::Hazard;
use isa::gcn::hazard::{Consumer, Producer, Via};
use source::{Checkpoint, Severity};

use super::cancellation::CancelTicker;
use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::diagnostic::{Change, InstDiagnostic};
use super::register_set::RegisterSet;
use super::waitcnt::state::data_of;
use crate::codes;
use crate::encoding::Extension;
use crate::instruction::code::{EXEC, M0, VCC};
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;
use crate::targets::Generation;
pub(super) use kinds::sets_register;
use kinds::{is_consumer, is_producer};

/// Finds the instructions of a code that violate a hazard. `checkpoint` may unwind.
pub fn hazards(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    checkpoint: Checkpoint<'_>,
) -> Vec<InstDiagnostic> {
    let cancel = CancelTicker::new(checkpoint);
    let own: Vec<&Hazard> = Hazard::of(code.target.features()).collect();
    let finder = Finder { code, def_use, cfg };
    let mut diagnostics = Vec::new();
    for (index, consumer) in def_use.iter().enumerate() {
        cancel.step();
        let Some(desc) = consumer.desc else { continue };
        if !cfg.blocks[cfg.block_of(index) as usize].reachable {
            continue;
        }
        let mut found = own
            .iter()
            .filter(|rule| is_consumer(rule.consumer, desc, consumer))
            .map(|rule| finder.find(rule, index, consumer));
        // Of several the most certain is said, then the farthest from being right.
        let rank = |violation: &Violation<'_>| {
            (violation.rule.only.is_none(), violation.same_block, violation.missing)
        };
        let worst = found.try_fold(None, |known: Option<Violation<'_>>, own| {
            let own = own?;
            let worse = match (&known, &own) {
                (Some(known), Some(own)) => rank(own) > rank(known),
                (known, _) => known.is_none(),
            };
            Ok::<_, Unknown>(if worse { own } else { known })
        });
        let worst = worst.ok().flatten();
        diagnostics.extend(worst.map(|violation| finder.diagnostic(index, &violation)));
    }
    diagnostics
}

/// A pair of instructions that violates a hazard.
struct Violation<'a> {
    rule: &'a Hazard,
    producer: usize,
    missing: u8,
    same_block: bool,
    /// The register through which they conflict.
    register: Option<Register>,
}

/// A line that is not an instruction stands among those before a consumer.
struct Unknown;

struct Finder<'a> {
    code: &'a Code,
    def_use: &'a [DefUse],
    cfg: &'a Cfg,
}

impl Finder<'_> {
    /// Walks back from a consumer, and finds the producer of a rule that is nearest to it.
    fn find<'a>(
        &self,
        rule: &'a Hazard,
        index: usize,
        consumer: &DefUse,
    ) -> Result<Option<Violation<'a>>, Unknown> {
        let needed = needed(rule, consumer);
        let empty = needed.is_empty();
        if empty && matches!(rule.via, Via::Scalar | Via::Vector | Via::Accumulator) {
            return Ok(None);
        }
        let registers = !matches!(
            rule.via,
            Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend
        );
        let block = self.cfg.block_of(index) as usize;
        let mut worst: Option<Violation<'_>> = None;
        // Where the walk goes on: the index behind, the states so far, what is needed. Mostly
        // it ends in the block where it begins.
        let mut stack = Vec::new();
        let mut begin = Some((block, index, 0_u8, needed));
        let mut steps = 0;
        'walk: while let Some((at_block, end, mut states, mut needed)) =
            begin.take().or_else(|| stack.pop())
        {
            let own = &self.cfg.blocks[at_block];
            steps += 1;
            for producer in (own.first as usize..end).rev() {
                let def_use = &self.def_use[producer];
                if let Some(gap) = self.code.gap(producer) {
                    if !registers || !gap.computes_beside(&needed) {
                        return Err(Unknown);
                    }
                    states = states.saturating_add(1);
                    if states >= rule.states {
                        continue 'walk;
                    }
                    continue;
                }
                if is_producer(rule.producer, def_use)
                    && let Some(register) = conflict(rule, def_use, consumer, &needed)
                {
                    let missing = rule.states - states;
                    if worst.as_ref().is_none_or(|known| missing > known.missing) {
                        let same_block = at_block == block && end == index;
                        worst = Some(Violation { rule, producer, missing, same_block, register });
                    }
                    continue 'walk;
                }
                if registers {
                    // Another write of a register ends the hazard by it: the consumer reads
                    // that.
                    needed = needed.without(&written(rule, def_use));
                }
                states = states.saturating_add(self.states_of(def_use));
                if states >= rule.states || registers && needed.is_empty() {
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
                stack.push((predecessor, end, states, needed));
            }
        }
        Ok(worst)
    }

    fn diagnostic(&self, index: usize, violation: &Violation<'_>) -> InstDiagnostic {
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
            violation.rule.states,
            plural(violation.rule.states),
        );
        if !violation.same_block {
            message.push_str(" on one of the paths");
        }
        if let Some((only, other)) = violation.rule.only {
            message.push_str(&format!("; {only} keeps this distance, {other} does not"));
        }
        let severity = match (violation.rule.only, violation.same_block) {
            (Some(_), _) => Severity::Hint,
            (None, true) => Severity::Error,
            (None, false) => Severity::Warning,
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

/// Returns the registers through which a rule's producer can reach a consumer.
fn needed(rule: &Hazard, consumer: &DefUse) -> RegisterSet {
    match rule.via {
        Via::Vcc => RegisterSet::of(Register::scalar(VCC, 2)),
        Via::Exec => RegisterSet::of(Register::scalar(EXEC, 2)),
        Via::M0 => RegisterSet::of(Register::scalar(M0, 1)),
        Via::Scalar => {
            // EXEC is seen to by the hardware, and M0 has rows of its own.
            let numbered = |it: &Register| it.bank == Bank::Scalar && it.first < M0;
            consumer.reads().iter().map(|access| access.register).filter(numbered).collect()
        }
        Via::Accumulator => matrix::needed(rule.consumer, consumer),
        // They read any of their registers so early.
        Via::Vector if matches!(rule.consumer, Consumer::MatrixInput | Consumer::Memory) => {
            consumer.read_set().of_bank(Bank::Vector)
        }
        Via::Vector => {
            // What moves between lanes is the first source.
            let first = consumer.reads().iter().find(|access| access.register.bank == Bank::Vector);
            let moved = if rule.consumer == Consumer::Dpp { moved(consumer) } else { None };
            let register = moved.or(first.map(|access| access.register));
            register.map_or(RegisterSet::EMPTY, RegisterSet::of)
        }
        Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend => {
            RegisterSet::EMPTY
        }
    }
}

/// The registers that an instruction writes, of the file that a rule is about.
fn written(rule: &Hazard, def_use: &DefUse) -> RegisterSet {
    match rule.via {
        Via::Accumulator => matrix::written(def_use),
        _ => def_use.write_set(),
    }
}

/// The register that a DPP instruction moves between lanes: the low byte of its second
/// word.
fn moved(consumer: &DefUse) -> Option<Register> {
    let desc = consumer.desc?;
    let first = ((consumer.bits >> 32) & 0xff) as u16;
    (desc.extension == Extension::Dpp).then_some(Register::vector(first, 1))
}

/// Tells whether the first of a pair reaches the second, and by which register.
fn conflict(
    rule: &Hazard,
    producer: &DefUse,
    consumer: &DefUse,
    needed: &RegisterSet,
) -> Option<Option<Register>> {
    const MODE: u64 = 1;
    const TRAP_STATUS: u64 = 3;
    const SKIP_BIT: u64 = 28;
    let field = |def_use: &DefUse| {
        (
            def_use.first_words() & 63,
            def_use.first_words() >> 6 & 31,
            def_use.first_words() >> 11 & 31,
        )
    };
    let first = |common: RegisterSet| common.registers().next();
    match rule.via {
        Via::Hardware => (field(producer).0 == field(consumer).0).then_some(None),
        Via::TrapStatus => (field(producer).0 == TRAP_STATUS).then_some(None),
        Via::SkipMode => {
            let covers = |def_use: &DefUse| {
                let (register, offset, width) = field(def_use);
                register == MODE && offset <= SKIP_BIT && SKIP_BIT <= offset + width
            };
            // One names the field, unless it is made for the bit or does as the bit says.
            let named = |is: bool, def_use| !is || covers(def_use);
            let both = named(rule.producer == Producer::SetRegister, producer)
                && named(rule.consumer == Consumer::GetRegister, consumer);
            both.then_some(None)
        }
        Via::Accumulator
            if rule.consumer == Consumer::Addend && matrix::forwards_result(producer, consumer) =>
        {
            None
        }
        Via::Accumulator => first(matrix::written(producer).intersection(needed)).map(Some),
        Via::Addend => {
            first(matrix::addend(producer).intersection(&matrix::written(consumer))).map(Some)
        }
        Via::Data => first(data_of(producer).intersection(&consumer.write_set())).map(Some),
        Via::Scalar | Via::Vector | Via::Vcc | Via::Exec | Via::M0 => {
            first(producer.write_set().intersection(needed)).map(Some)
        }
    }
}
