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
use text::{Checkpoint, Severity};

use super::cancellation::CancelTicker;
use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::diagnostic::{Change, InstDiagnostic, InstFix, register_name};
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
    for (index, then) in def_use.iter().enumerate() {
        cancel.step();
        let Some(desc) = then.desc else { continue };
        let block = cfg.block_of(index);
        if !cfg.blocks.get(block as usize).is_some_and(|block| block.reachable) {
            continue;
        }
        let mut worst: Option<Hit> = None;
        for rule in &own {
            if !is_consumer(rule.consumer, desc, then) {
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
            diagnostics.push(finder.diagnostic(index, &hit));
        }
    }
    diagnostics
}

/// A pair that is too close.
struct Hit {
    first: usize,
    missing: u8,
    states: u8,
    same_block: bool,
    rule_only: Option<(&'static str, &'static str)>,
    /// The register through which they conflict.
    register: Option<Register>,
}

struct Finder<'a> {
    code: &'a Code,
    def_use: &'a [DefUse],
    cfg: &'a Cfg,
}

impl Finder<'_> {
    /// The first instruction of a rule's pair that stands too close before its second.
    fn find(&self, rule: &Hazard, index: usize, then: &DefUse) -> Option<Hit> {
        let needed = needed(rule, then);
        let empty = needed.is_empty();
        if empty && matches!(rule.via, Via::Scalar | Via::Vector | Via::Accumulator) {
            return None;
        }
        let block = self.cfg.block_of(index) as usize;
        let mut worst: Option<Hit> = None;
        // Where the walk goes on: the index behind, the states so far, what is needed.
        let mut stack = vec![(block, index, 0_u8, needed)];
        let mut steps = 0;
        while let Some((at_block, end, mut states, mut needed)) = stack.pop() {
            let Some(own) = self.cfg.blocks.get(at_block) else { continue };
            let mut done = false;
            for first in (own.first as usize..end).rev() {
                let Some(def_use) = self.def_use.get(first) else { break };
                if is_producer(rule.producer, def_use)
                    && let Some(register) = meets(rule, def_use, then, &needed)
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
                needed = needed.without(&written(rule, def_use));
                let registers = !matches!(
                    rule.via,
                    Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend
                );
                states = states.saturating_add(self.states_of(def_use));
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
                let end = self.cfg.blocks.get(predecessor).map_or(0, |block| block.end as usize);
                stack.push((predecessor, end, states, needed));
            }
        }
        worst
    }

    fn diagnostic(&self, index: usize, hit: &Hit) -> InstDiagnostic {
        let features = InstructionSet::of(self.code.target).features();
        let name = |index: usize| {
            let desc = self.def_use.get(index).and_then(|def_use| def_use.desc);
            desc.map_or("an instruction", |desc| desc.name())
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
        let mut diagnostic =
            InstDiagnostic::new(codes::MISSING_WAIT_STATES, severity, index, message);
        diagnostic.related = Some((hit.first as u32, format!("`{first}` is here")));
        diagnostic.fix = Some(InstFix {
            title: format!("insert {more} wait state{plural}"),
            change: Change::InsertBefore(nops(more, self.generation().most_nop_states())),
        });
        diagnostic
    }

    fn generation(&self) -> Generation {
        self.code.target.generation()
    }

    /// Returns the wait states that an instruction makes.
    fn states_of(&self, def_use: &DefUse) -> u8 {
        match def_use.desc {
            Some(desc) if desc.opcode() == Opcode::s_nop => {
                self.generation().nop_states(def_use.bits)
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

fn unit(desc: &InstDesc) -> Unit {
    desc.behaviour().unit
}

/// Tells whether it writes a field of a hardware register.
fn sets_register(desc: &InstDesc) -> bool {
    matches!(desc.opcode(), Opcode::s_setreg_b32 | Opcode::s_setreg_imm32_b32)
}

fn is_valu(desc: &InstDesc) -> bool {
    matches!(unit(desc), Unit::Valu | Unit::Interp | Unit::Matrix)
}

fn is_producer(kind: Producer, def_use: &DefUse) -> bool {
    let Some(desc) = def_use.desc else { return false };
    match kind {
        Producer::Valu => is_valu(desc),
        Producer::Salu => unit(desc) == Unit::Salu,
        Producer::SetRegister => sets_register(desc),
        Producer::SetSkip => desc.opcode() == Opcode::s_setvskip,
        Producer::Interpolation => unit(desc) == Unit::Interp,
        Producer::WideStore => is_wide_store(desc, def_use),
        Producer::Product => matrix::is_product(desc),
        Producer::Product4 => matrix::is_product_of(desc, Traits::tile_4),
        Producer::Product16 => matrix::is_product_of(desc, Traits::tile_16),
        Producer::Product32 => matrix::is_product_of(desc, Traits::tile_32),
        Producer::AccumulatorRead => desc.opcode() == matrix::READ,
        Producer::AccumulatorWrite => desc.opcode() == matrix::WRITE,
    }
}

/// A store of more than 64 bits whose data are read late: of buffers, where no scalar
/// register is the offset; of flat memory.
fn is_wide_store(desc: &InstDesc, def_use: &DefUse) -> bool {
    if !desc.traits().store() || data_of(def_use).vector_count() <= 2 {
        return false;
    }
    match desc.class() {
        Class::Flat => true,
        Class::Buffer => !desc.operands().iter().any(|(slot, _)| {
            let code = def_use.bits >> (slot.low & 63) & 0xff;
            matches!(slot.kind, Kind::ScalarSource { .. }) && code < 128
        }),
        _ => false,
    }
}

fn is_consumer(kind: Consumer, desc: &InstDesc, def_use: &DefUse) -> bool {
    let unit = unit(desc);
    match kind {
        Consumer::ScalarMemory => unit == Unit::Smem,
        Consumer::ScalarBuffer => unit == Unit::Smem && desc.traits().buffer(),
        Consumer::VectorMemory => matches!(unit, Unit::Vmem | Unit::Flat | Unit::Scratch),
        Consumer::LaneSelect => desc.traits().lane() && desc.traits().ignores_exec(),
        Consumer::LaneRead => desc.traits().lane() && desc.opcode() != Opcode::v_writelane_b32,
        Consumer::DivisionStep => desc.traits().reads_vcc() && desc.class() == Class::Vector,
        Consumer::Dpp => desc.extension == Extension::Dpp,
        Consumer::GetRegister => desc.opcode() == Opcode::s_getreg_b32,
        Consumer::SetRegister => sets_register(desc),
        Consumer::Return => {
            matches!(desc.opcode(), Opcode::s_rfe_b64 | Opcode::s_rfe_restore_b64)
        }
        Consumer::Vector => is_valu(desc),
        Consumer::Valu => is_valu(desc),
        Consumer::GlobalShare => {
            matches!(unit, Unit::Gds) || desc.class() == Class::DataShare && def_use.has(Flag::Gds)
        }
        Consumer::Message => unit == Unit::Message,
        Consumer::Interpolation => unit == Unit::Interp,
        Consumer::MoveRelative => {
            desc.class() == Class::Scalar
                && (desc.traits().indirect_source() || desc.traits().indirect_destination())
        }
        Consumer::AddThread => desc.traits().add_thread(),
        Consumer::Factor | Consumer::Addend => matrix::is_product(desc),
        Consumer::AccumulatorRead => desc.opcode() == matrix::READ,
        Consumer::AccumulatorWrite => desc.opcode() == matrix::WRITE,
        Consumer::MatrixInput => matrix::is_product(desc) || desc.opcode() == matrix::WRITE,
        Consumer::Memory => {
            matches!(desc.class(), Class::Buffer | Class::Image | Class::Flat | Class::DataShare)
        }
        Consumer::ShareDirect => has_source(desc, def_use, SHARE_DIRECT),
        Consumer::VccZero => has_source(desc, def_use, VCC_ZERO),
        Consumer::ExecZero => has_source(desc, def_use, EXEC_ZERO),
        Consumer::LoadToShare => desc.class() == Class::Buffer && def_use.has(Flag::Lds),
    }
}

/// Tells whether a vector instruction has a source of a code.
fn has_source(desc: &InstDesc, def_use: &DefUse, wanted: u16) -> bool {
    desc.operands().iter().any(|(slot, _)| {
        let code = def_use.bits >> (slot.low & 63) & 0x1ff;
        matches!(slot.kind, Kind::Source(_) | Kind::VectorOrLds) && code == u64::from(wanted)
    })
}

fn scalar(first: u16, dwords: u8) -> RegisterSet {
    RegisterSet::of(Register { bank: Bank::Scalar, first, dwords })
}

/// The registers through which a rule's first instruction can reach its second.
fn needed(rule: &Hazard, then: &DefUse) -> RegisterSet {
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
fn written(rule: &Hazard, def_use: &DefUse) -> RegisterSet {
    match rule.via {
        Via::Accumulator => matrix::written(def_use),
        _ => def_use.write_set(),
    }
}

/// The register that a DPP instruction moves between lanes: the low byte of its second
/// word.
fn moved(then: &DefUse) -> Option<Register> {
    let desc = then.desc?;
    (desc.extension == Extension::Dpp).then_some(Register {
        bank: Bank::Vector,
        first: ((then.bits >> 32) & 0xff) as u16,
        dwords: 1,
    })
}

/// Tells whether the first of a pair reaches the second, and by which register.
fn meets(
    rule: &Hazard,
    first: &DefUse,
    then: &DefUse,
    needed: &RegisterSet,
) -> Option<Option<Register>> {
    const MODE: u64 = 1;
    const TRAP_STATUS: u64 = 3;
    const SKIP_BIT: u64 = 28;
    let field =
        |def_use: &DefUse| (def_use.bits & 63, def_use.bits >> 6 & 31, def_use.bits >> 11 & 31);
    match rule.via {
        Via::Hardware => (field(first).0 == field(then).0).then_some(None),
        Via::TrapStatus => (field(first).0 == TRAP_STATUS).then_some(None),
        Via::SkipMode => {
            let covers = |def_use: &DefUse| {
                let (register, offset, width) = field(def_use);
                register == MODE && offset <= SKIP_BIT && SKIP_BIT <= offset + width
            };
            // One names the field, unless it is made for the bit or does as the bit says.
            let named = |is: bool, def_use| !is || covers(def_use);
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
