//! Instructions that stand too close: the hardware does not wait by itself for some
//! results, and `s_nop` or other instructions must keep the distance.
//!
//! The pairs are the rows of `hazards.tsv` of `isa`. From every instruction that may be
//! the second of a pair the code is walked back over as many states as its rows ask
//! for, into all predecessors where a block begins: at most five instructions a path.

mod matrix;
#[cfg(test)]
mod tests;

use isa::gcn::Hazard;
use isa::gcn::hazard::{Consumer, Producer, Via};
use text::Severity;

use super::cancellation::Pace;
use super::cfg::Flow;
use super::code::Code;
use super::def_use::Effects;
use super::diagnostic::{Change, Finding, Mend, register_name};
use super::register_set::{EXEC, EXEC_ZERO, M0, RegisterSet, SHARE_DIRECT, VCC, VCC_ZERO};
use super::waitcnt::state::data_of;
use crate::behaviour::Unit;
use crate::codes;
use crate::encoding::Extension;
use crate::instruction::InstructionSet;
use crate::instruction::form::InstDesc;
use crate::instruction::form::Kind;
use crate::instruction::modifier::Flag;
use crate::instruction::{Bank, Class, Register, Traits};
use crate::mnemonics::Opcode;
use crate::targets::Generation;

/// The instructions of a code that stand too close.
pub fn hazards(code: &Code, effects: &[Effects], flow: &Flow) -> Vec<Finding> {
    hazards_until(code, effects, flow, &Pace::new(&text::no_checkpoint))
}

pub(super) fn hazards_until(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    pace: &Pace<'_>,
) -> Vec<Finding> {
    let own: Vec<&Hazard> = Hazard::of(code.target.features()).collect();
    let finder = Finder { code, effects, flow };
    let mut findings = Vec::new();
    for (index, then) in effects.iter().enumerate() {
        pace.step();
        let Some(recipe) = then.recipe else { continue };
        let block = flow.block_of(index);
        if !flow.blocks.get(block as usize).is_some_and(|block| block.reachable) {
            continue;
        }
        let mut worst: Option<Hit> = None;
        for rule in &own {
            if !is_consumer(rule.consumer, recipe, then) {
                continue;
            }
            let Some(hit) = finder.find(rule, index, then) else { continue };
            // Of several the most certain is said, then the farthest from being right.
            let rank = |hit: &Hit| (hit.rule_only.is_none(), hit.same_block, hit.missing);
            if worst.as_ref().is_none_or(|known| rank(&hit) > rank(known)) {
                worst = Some(hit);
            }
        }
        if let Some(hit) = worst {
            findings.push(finder.finding(index, &hit));
        }
    }
    findings
}

/// A pair that is too close.
struct Hit {
    first: usize,
    missing: u8,
    states: u8,
    same_block: bool,
    rule_only: Option<(&'static str, &'static str)>,
    /// What lies between them.
    register: Option<Register>,
}

struct Finder<'a> {
    code: &'a Code,
    effects: &'a [Effects],
    flow: &'a Flow,
}

impl Finder<'_> {
    /// The first instruction of a rule's pair that stands too close before its second.
    fn find(&self, rule: &Hazard, index: usize, then: &Effects) -> Option<Hit> {
        let needed = needed(rule, then);
        let empty = needed.is_empty();
        if empty && matches!(rule.via, Via::Scalar | Via::Vector | Via::Accumulator) {
            return None;
        }
        let block = self.flow.block_of(index) as usize;
        let mut worst: Option<Hit> = None;
        // Where the walk goes on: the index behind, the states so far, what is needed.
        let mut stack = vec![(block, index, 0_u8, needed)];
        let mut steps = 0;
        while let Some((at_block, end, mut states, mut needed)) = stack.pop() {
            let Some(own) = self.flow.blocks.get(at_block) else { continue };
            let mut done = false;
            for first in (own.first as usize..end).rev() {
                let Some(effects) = self.effects.get(first) else { break };
                if is_producer(rule.producer, effects)
                    && let Some(register) = meets(rule, effects, then, &needed)
                {
                    let hit = Hit {
                        first,
                        missing: rule.states - states,
                        states: rule.states,
                        same_block: at_block == block && end == index,
                        rule_only: rule.only,
                        register,
                    };
                    if worst.as_ref().is_none_or(|known| hit.missing > known.missing) {
                        worst = Some(hit);
                    }
                    done = true;
                    break;
                }
                needed = needed.without(&written(rule, effects));
                let registers = !matches!(
                    rule.via,
                    Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend
                );
                states = states.saturating_add(self.states_of(effects));
                if states >= rule.states || registers && needed.is_empty() {
                    done = true;
                    break;
                }
            }
            steps += 1;
            // Blocks of a single instruction with many predecessors each: enough.
            if done || steps > 64 {
                continue;
            }
            for predecessor in &own.predecessors {
                let predecessor = *predecessor as usize;
                let end = self.flow.blocks.get(predecessor).map_or(0, |block| block.end as usize);
                stack.push((predecessor, end, states, needed));
            }
        }
        worst
    }

    fn finding(&self, index: usize, hit: &Hit) -> Finding {
        let features = InstructionSet::of(self.code.target).features();
        let name = |index: usize| {
            let recipe = self.effects.get(index).and_then(|effects| effects.recipe);
            recipe.map_or("an instruction", |recipe| recipe.name())
        };
        let what = match hit.register {
            Some(register) => format!("`{}` of ", register_name(register, features)),
            None => String::new(),
        };
        let (first, then) = (name(hit.first), name(index));
        let more = hit.missing;
        let plural = if more == 1 { "" } else { "s" };
        let mut message = format!(
            "`{then}` comes too early for {what}`{first}`: {} wait state{} must stand between \
             them, {more} more",
            hit.states,
            if hit.states == 1 { "" } else { "s" },
        );
        if !hit.same_block {
            message.push_str(" on one of the paths");
        }
        if let Some((only, other)) = hit.rule_only {
            message.push_str(&format!("; {only} keeps this distance, {other} does not"));
        }
        let severity = match (hit.rule_only, hit.same_block) {
            (Some(_), _) => Severity::Hint,
            (None, true) => Severity::Error,
            (None, false) => Severity::Warning,
        };
        let mut finding = Finding::new(codes::MISSING_WAIT_STATES, severity, index, message);
        finding.related = Some((hit.first as u32, format!("`{first}` is here")));
        finding.fix = Some(Mend {
            title: format!("insert {more} wait state{plural}"),
            change: Change::InsertBefore(nops(more, self.generation().most_nop_states())),
        });
        finding
    }

    fn generation(&self) -> Generation {
        self.code.target.generation()
    }

    /// Returns the wait states that an instruction makes.
    fn states_of(&self, effects: &Effects) -> u8 {
        match effects.recipe {
            Some(recipe) if recipe.opcode() == Opcode::s_nop => {
                self.generation().nop_states(effects.bits)
            }
            _ => 1,
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

fn unit(recipe: &InstDesc) -> Unit {
    recipe.behaviour().unit
}

/// Whether it writes a field of a hardware register.
fn sets_register(recipe: &InstDesc) -> bool {
    matches!(recipe.opcode(), Opcode::s_setreg_b32 | Opcode::s_setreg_imm32_b32)
}

fn is_valu(recipe: &InstDesc) -> bool {
    matches!(unit(recipe), Unit::Valu | Unit::Interp | Unit::Matrix)
}

fn is_producer(kind: Producer, effects: &Effects) -> bool {
    let Some(recipe) = effects.recipe else { return false };
    match kind {
        Producer::Valu => is_valu(recipe),
        Producer::Salu => unit(recipe) == Unit::Salu,
        Producer::SetRegister => sets_register(recipe),
        Producer::SetSkip => recipe.opcode() == Opcode::s_setvskip,
        Producer::Interpolation => unit(recipe) == Unit::Interp,
        Producer::WideStore => is_wide_store(recipe, effects),
        Producer::Product => matrix::is_product(recipe),
        Producer::Product4 => matrix::is_product_of(recipe, Traits::tile_4),
        Producer::Product16 => matrix::is_product_of(recipe, Traits::tile_16),
        Producer::Product32 => matrix::is_product_of(recipe, Traits::tile_32),
        Producer::AccumulatorRead => recipe.opcode() == matrix::READ,
        Producer::AccumulatorWrite => recipe.opcode() == matrix::WRITE,
    }
}

/// A store of more than 64 bits whose data are read late: of buffers, where no scalar
/// register is the offset; of flat memory.
fn is_wide_store(recipe: &InstDesc, effects: &Effects) -> bool {
    if !recipe.traits().store() || data_of(effects).vector_count() <= 2 {
        return false;
    }
    match recipe.class() {
        Class::Flat => true,
        Class::Buffer => !recipe.operands().iter().any(|(slot, _)| {
            let code = effects.bits >> (slot.low & 63) & 0xff;
            matches!(slot.kind, Kind::ScalarSource { .. }) && code < 128
        }),
        _ => false,
    }
}

fn is_consumer(kind: Consumer, recipe: &InstDesc, effects: &Effects) -> bool {
    let unit = unit(recipe);
    match kind {
        Consumer::ScalarMemory => unit == Unit::Smem,
        Consumer::ScalarBuffer => unit == Unit::Smem && recipe.traits().buffer(),
        Consumer::VectorMemory => matches!(unit, Unit::Vmem | Unit::Flat | Unit::Scratch),
        Consumer::LaneSelect => recipe.traits().lane() && recipe.traits().ignores_exec(),
        Consumer::LaneRead => recipe.traits().lane() && recipe.opcode() != Opcode::v_writelane_b32,
        Consumer::DivisionStep => recipe.traits().reads_vcc() && recipe.class() == Class::Vector,
        Consumer::Dpp => recipe.extension == Extension::Dpp,
        Consumer::GetRegister => recipe.opcode() == Opcode::s_getreg_b32,
        Consumer::SetRegister => sets_register(recipe),
        Consumer::Return => {
            matches!(recipe.opcode(), Opcode::s_rfe_b64 | Opcode::s_rfe_restore_b64)
        }
        Consumer::Vector => is_valu(recipe),
        Consumer::Valu => is_valu(recipe),
        Consumer::GlobalShare => {
            matches!(unit, Unit::Gds)
                || recipe.class() == Class::DataShare && effects.has(Flag::Gds)
        }
        Consumer::Message => unit == Unit::Message,
        Consumer::Interpolation => unit == Unit::Interp,
        Consumer::MoveRelative => {
            recipe.class() == Class::Scalar
                && (recipe.traits().indirect_source() || recipe.traits().indirect_destination())
        }
        Consumer::AddThread => recipe.traits().add_thread(),
        Consumer::Factor | Consumer::Addend => matrix::is_product(recipe),
        Consumer::AccumulatorRead => recipe.opcode() == matrix::READ,
        Consumer::AccumulatorWrite => recipe.opcode() == matrix::WRITE,
        Consumer::MatrixInput => matrix::is_product(recipe) || recipe.opcode() == matrix::WRITE,
        Consumer::Memory => {
            matches!(recipe.class(), Class::Buffer | Class::Image | Class::Flat | Class::DataShare)
        }
        Consumer::ShareDirect => has_source(recipe, effects, SHARE_DIRECT),
        Consumer::VccZero => has_source(recipe, effects, VCC_ZERO),
        Consumer::ExecZero => has_source(recipe, effects, EXEC_ZERO),
        Consumer::LoadToShare => recipe.class() == Class::Buffer && effects.has(Flag::Lds),
    }
}

/// Whether a vector instruction has a source of a code.
fn has_source(recipe: &InstDesc, effects: &Effects, wanted: u16) -> bool {
    recipe.operands().iter().any(|(slot, _)| {
        let code = effects.bits >> (slot.low & 63) & 0x1ff;
        matches!(slot.kind, Kind::Source(_) | Kind::VectorOrLds) && code == u64::from(wanted)
    })
}

fn scalar(first: u16, dwords: u8) -> RegisterSet {
    RegisterSet::of(Register { bank: Bank::Scalar, first, dwords })
}

/// The registers through which a rule's first instruction can reach its second.
fn needed(rule: &Hazard, then: &Effects) -> RegisterSet {
    match rule.via {
        Via::Vcc => scalar(VCC, 2),
        Via::Exec => scalar(EXEC, 2),
        Via::M0 => scalar(M0, 1),
        Via::Scalar => {
            let mut set = RegisterSet::EMPTY;
            for access in then.reads() {
                // EXEC is seen to by the hardware, and M0 has rows of its own.
                let special = access.register.first >= M0;
                if access.register.bank == Bank::Scalar && !special {
                    set.insert(access.register);
                }
            }
            set
        }
        Via::Accumulator => matrix::needed(rule.consumer, then),
        // They read any of their registers so early.
        Via::Vector if matches!(rule.consumer, Consumer::MatrixInput | Consumer::Memory) => {
            let mut set = then.read_set();
            set.scalar = 0;
            set
        }
        Via::Vector => {
            // What moves between lanes is the first source.
            let first = then.reads().iter().find(|access| access.register.bank == Bank::Vector);
            let moved = if rule.consumer == Consumer::Dpp { moved(then) } else { None };
            let register = moved.or(first.map(|access| access.register));
            register.map_or(RegisterSet::EMPTY, RegisterSet::of)
        }
        Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend => {
            RegisterSet::EMPTY
        }
    }
}

/// The registers that an instruction writes, of the file that a rule is about.
fn written(rule: &Hazard, effects: &Effects) -> RegisterSet {
    match rule.via {
        Via::Accumulator => matrix::written(effects),
        _ => effects.write_set(),
    }
}

/// The register that a DPP instruction moves between lanes: the low byte of its second
/// word.
fn moved(then: &Effects) -> Option<Register> {
    let recipe = then.recipe?;
    (recipe.extension == Extension::Dpp).then_some(Register {
        bank: Bank::Vector,
        first: ((then.bits >> 32) & 0xff) as u16,
        dwords: 1,
    })
}

/// Whether the first of a pair reaches the second, and by which register.
fn meets(
    rule: &Hazard,
    first: &Effects,
    then: &Effects,
    needed: &RegisterSet,
) -> Option<Option<Register>> {
    const MODE: u64 = 1;
    const TRAP_STATUS: u64 = 3;
    const SKIP_BIT: u64 = 28;
    let field =
        |effects: &Effects| (effects.bits & 63, effects.bits >> 6 & 31, effects.bits >> 11 & 31);
    match rule.via {
        Via::Hardware => (field(first).0 == field(then).0).then_some(None),
        Via::TrapStatus => (field(first).0 == TRAP_STATUS).then_some(None),
        Via::SkipMode => {
            let covers = |effects: &Effects| {
                let (register, offset, width) = field(effects);
                register == MODE && offset <= SKIP_BIT && SKIP_BIT <= offset + width
            };
            // One names the field, unless it is made for the bit or does as the bit says.
            let named = |is: bool, effects| !is || covers(effects);
            let both = named(rule.producer == Producer::SetRegister, first)
                && named(rule.consumer == Consumer::GetRegister, then);
            both.then_some(None)
        }
        Via::Accumulator if rule.consumer == Consumer::Addend && matrix::passes_on(first, then) => {
            None
        }
        Via::Accumulator => {
            let common = matrix::written(first).intersection(needed);
            common.registers().next().map(|register| Some(matrix::accumulator(register)))
        }
        Via::Addend => {
            let common = matrix::addend(first).intersection(&matrix::written(then));
            common.registers().next().map(|register| Some(matrix::accumulator(register)))
        }
        Via::Data => {
            let common = data_of(first).intersection(&then.write_set());
            common.registers().next().map(Some)
        }
        _ => {
            let common = first.write_set().intersection(needed);
            common.registers().next().map(Some)
        }
    }
}
