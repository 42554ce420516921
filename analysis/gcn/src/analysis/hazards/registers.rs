//! The registers through which the first of a pair reaches the second.

use isa::gcn::Hazard;
use isa::gcn::hazard::{Consumer, Producer, Via};

use super::matrix;
use crate::analysis::def_use::{Access, DefUse};
use crate::analysis::register_set::RegisterSet;
use crate::analysis::waitcnt::state::data_of;
use crate::encoding::Extension;
use crate::instruction::code::{EXEC, M0, VCC};
use crate::instruction::form::SlotKind;
use crate::instruction::{Bank, Register};

/// Returns the registers through which a rule's producer can reach a consumer.
pub(super) fn needed(rule: &Hazard, consumer: &DefUse) -> RegisterSet {
    match rule.via {
        Via::Vcc => RegisterSet::of(Register::scalar(VCC, 2)),
        Via::Exec => RegisterSet::of(Register::scalar(EXEC, 2)),
        Via::M0 => RegisterSet::of(Register::scalar(M0, 1)),
        Via::Scalar if rule.consumer == Consumer::LaneSelect => {
            let select = consumer.reads().iter().find(|access| access.operand == Some(2));
            select.map_or(RegisterSet::EMPTY, |access| RegisterSet::of(access.register))
        }
        Via::Scalar => {
            // EXEC is seen to by the hardware, and M0 has rows of its own.
            consumer.reads().iter().map(|access| access.register).filter(is_numbered).collect()
        }
        Via::Descriptor => {
            // An offset is one register.
            let read = consumer.reads().iter().map(|access| access.register);
            read.filter(|it| is_numbered(it) && it.dwords > 2).collect()
        }
        Via::Constant => {
            let named = |it: &&Access| it.operand.is_some() && !is_lane_mask(consumer, it);
            let read = consumer.reads().iter().filter(named).map(|access| access.register);
            read.filter(|it| is_numbered(it) || *it == Register::scalar(EXEC, it.dwords)).collect()
        }
        Via::LaneMask => {
            let masks = consumer.reads().iter().filter(|it| is_lane_mask(consumer, it));
            masks.map(|access| access.register).filter(is_numbered).collect()
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
        Via::Result => of_lanes(match rule.consumer {
            Consumer::Factor => matrix::factors(consumer),
            Consumer::SameDotFactor => matrix::dot_factors(consumer),
            _ => consumer.read_set(),
        }),
        Via::Rewritten => of_lanes(consumer.write_set()),
        Via::Touched => of_lanes(consumer.read_set().union(&consumer.write_set())),
        Via::Overlap | Via::Same | Via::SameOfOther => {
            matrix::sum(consumer).map_or(RegisterSet::EMPTY, RegisterSet::of)
        }
        Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend | Via::Unit => {
            RegisterSet::EMPTY
        }
    }
}

/// Tells whether a register is a scalar one with a number, or VCC.
fn is_numbered(register: &Register) -> bool {
    register.bank == Bank::Scalar && register.first < M0
}

/// Tells whether an access reads a bit for every lane: a carry, or the choice of a select.
fn is_lane_mask(consumer: &DefUse, access: &Access) -> bool {
    let Some(number) = access.operand else {
        // What no operand names and is not EXEC is the carry of a short encoding.
        return access.register == Register::scalar(VCC, 2);
    };
    let operands = consumer.desc.map_or(&[][..], |desc| desc.operands());
    let slot = operands.get(usize::from(number)).map(|(slot, _)| slot.kind);
    matches!(slot, Some(SlotKind::Mask | SlotKind::Vcc))
}

/// Returns those that every lane has: vector and accumulation registers.
fn of_lanes(registers: RegisterSet) -> RegisterSet {
    registers.of_bank(Bank::Vector).union(&registers.of_bank(Bank::Accumulator))
}

/// Says what a consumer does to a result that is not there yet; nothing of rules whose
/// instructions say it.
pub(super) fn phrase(via: Via) -> Option<&'static str> {
    match via {
        Via::Result => Some("it reads the result"),
        Via::Rewritten => Some("it overwrites the result"),
        Via::Touched => Some("it reads or writes the rest of the register"),
        Via::Overlap => Some("it adds to a part of the result, or to more"),
        Via::Same => Some("it adds to the result"),
        Via::SameOfOther => Some("it adds to the result of another opcode"),
        Via::Addend => Some("it overwrites what is still added to"),
        Via::Unit => Some("both are of one unit"),
        Via::Scalar
        | Via::Descriptor
        | Via::Constant
        | Via::LaneMask
        | Via::Vcc
        | Via::Vector
        | Via::Exec
        | Via::M0
        | Via::Hardware
        | Via::SkipMode
        | Via::TrapStatus
        | Via::Data
        | Via::Accumulator => None,
    }
}

/// Tells whether a rule is about registers that its producer reads, beside others that it writes.
pub(super) fn is_by_data(via: Via) -> bool {
    matches!(via, Via::Data | Via::Addend)
}

/// Tells whether a rule is about registers that another write takes out of it.
pub(super) fn ends_with_a_write(via: Via) -> bool {
    match via {
        Via::Hardware | Via::SkipMode | Via::TrapStatus | Via::Data | Via::Addend | Via::Unit => {
            false
        }
        Via::Scalar
        | Via::Descriptor
        | Via::Constant
        | Via::LaneMask
        | Via::Vcc
        | Via::Vector
        | Via::Exec
        | Via::M0
        | Via::Accumulator
        | Via::Result
        | Via::Rewritten
        | Via::Touched
        | Via::Overlap
        | Via::Same
        | Via::SameOfOther => true,
    }
}

/// Takes the registers that an instruction writes, of the file that a rule is about, out of a set.
pub(super) fn remove_written(rule: &Hazard, def_use: &DefUse, needed: &mut RegisterSet) {
    let is_own = |it: &Register| rule.via != Via::Accumulator || it.bank == Bank::Accumulator;
    let written = def_use.writes().iter().map(|access| access.register);
    written.filter(is_own).for_each(|register| needed.remove(register));
}

/// Returns the first of some registers that an instruction writes.
fn first_written(def_use: &DefUse, needed: &RegisterSet) -> Option<Register> {
    // Most pairs have none in common, which is soon seen.
    let meets = def_use.writes().iter().any(|access| needed.touches(access.register));
    if meets { first(def_use.write_set().intersection(needed)) } else { None }
}

/// Returns the first register of a set.
fn first(set: RegisterSet) -> Option<Register> {
    set.registers().next()
}

/// The register that a DPP instruction moves between lanes: the low byte of its second
/// word.
fn moved(consumer: &DefUse) -> Option<Register> {
    let desc = consumer.desc?;
    let first = ((consumer.first_words() >> 32) & 0xff) as u16;
    (desc.extension == Extension::Dpp).then_some(Register::vector(first, 1))
}

/// Tells whether the first of a pair reaches the second, and by which register.
pub(super) fn conflict(
    rule: &Hazard,
    producer: &DefUse,
    consumer: &DefUse,
    needed: &RegisterSet,
) -> Option<Option<Register>> {
    const MODE: u64 = 1;
    const TRAP_STATUS: u64 = 3;
    const SKIP_BIT: u64 = 28;
    let field = |def_use: &DefUse| {
        let words = def_use.first_words();
        (words & 63, words >> 6 & 31, words >> 11 & 31)
    };
    let opcode = |def_use: &DefUse| def_use.desc.map(|it| it.opcode());
    let same_opcode = opcode(producer) == opcode(consumer);
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
        Via::Unit => Some(None),
        Via::Overlap | Via::Same | Via::SameOfOther => {
            let same = matrix::sum(consumer) == matrix::result(producer);
            let holds = match rule.via {
                Via::Overlap => !same,
                Via::Same => same,
                _ => same && !same_opcode,
            };
            if holds { first_written(producer, needed).map(Some) } else { None }
        }
        // Of the same opcode another rule knows.
        Via::Result | Via::Rewritten
            if matches!(rule.consumer, Consumer::OtherOpcode | Consumer::SameDotFactor) =>
        {
            let wanted = same_opcode == (rule.consumer == Consumer::SameDotFactor);
            if wanted { first_written(producer, needed).map(Some) } else { None }
        }
        Via::Accumulator => first(matrix::written(producer).intersection(needed)).map(Some),
        Via::Addend => {
            first(matrix::addend(producer).intersection(&consumer.write_set())).map(Some)
        }
        Via::Data => first(data_of(producer).intersection(&consumer.write_set())).map(Some),
        Via::Scalar
        | Via::Descriptor
        | Via::Constant
        | Via::LaneMask
        | Via::Vector
        | Via::Vcc
        | Via::Exec
        | Via::M0
        | Via::Result
        | Via::Rewritten
        | Via::Touched => first_written(producer, needed).map(Some),
    }
}
