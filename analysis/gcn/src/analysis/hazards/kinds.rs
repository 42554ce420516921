//! Kinds of producers and consumers, as predicates of instructions.

use isa::gcn::hazard::{Consumer, Producer};

use super::matrix;
use crate::analysis::def_use::DefUse;
use crate::analysis::waitcnt::state::data_of;
use crate::behaviour::Unit;
use crate::encoding::Extension;
use crate::instruction::code::{EXECZ, LDS_DIRECT, VCCZ};
use crate::instruction::form::{InstDesc, SlotKind};
use crate::instruction::modifier::Flag;
use crate::instruction::{Class, OpFlags};
use crate::mnemonics::Opcode;

fn unit(desc: &InstDesc) -> Unit {
    desc.behaviour().unit
}

/// Tells whether it writes a field of a hardware register.
pub(in crate::analysis) fn sets_register(desc: &InstDesc) -> bool {
    matches!(desc.opcode(), Opcode::s_setreg_b32 | Opcode::s_setreg_imm32_b32)
}

fn is_valu(desc: &InstDesc) -> bool {
    matches!(unit(desc), Unit::Valu | Unit::Interp | Unit::Matrix)
}

/// Tells whether an instruction is of a kind of producers.
pub(super) fn is_producer(kind: Producer, def_use: &DefUse) -> bool {
    let Some(desc) = def_use.desc else { return false };
    match kind {
        Producer::Valu => is_valu(desc),
        Producer::Salu => unit(desc) == Unit::Salu,
        Producer::SetRegister => sets_register(desc),
        Producer::SetSkip => desc.opcode() == Opcode::s_setvskip,
        Producer::Interpolation => unit(desc) == Unit::Interp,
        Producer::WideStore => is_wide_store(desc, def_use),
        Producer::Product => matrix::is_product(desc),
        Producer::Product4 => matrix::is_product_of(desc, OpFlags::tile_4),
        Producer::Product16 => matrix::is_product_of(desc, OpFlags::tile_16),
        Producer::Product32 => matrix::is_product_of(desc, OpFlags::tile_32),
        Producer::AccumulatorRead => desc.opcode() == matrix::READ,
        Producer::AccumulatorWrite => desc.opcode() == matrix::WRITE,
    }
}

/// A store of more than 64 bits whose data are read late: of buffers, where no scalar
/// register is the offset; of flat memory.
fn is_wide_store(desc: &InstDesc, def_use: &DefUse) -> bool {
    if !desc.flags().store() || data_of(def_use).vector_count() <= 2 {
        return false;
    }
    match desc.class() {
        Class::Flat => true,
        Class::Buffer => !desc.operands().iter().any(|(slot, _)| {
            let code = def_use.first_words() >> (slot.low & 63) & 0xff;
            matches!(slot.kind, SlotKind::ScalarSource { .. }) && code < 128
        }),
        _ => false,
    }
}

/// Tells whether an instruction is of a kind of consumers.
#[inline]
pub(super) fn is_consumer(kind: Consumer, desc: &InstDesc, def_use: &DefUse) -> bool {
    let unit = unit(desc);
    match kind {
        Consumer::ScalarMemory => unit == Unit::Smem,
        Consumer::ScalarBuffer => unit == Unit::Smem && desc.flags().buffer(),
        Consumer::VectorMemory => matches!(unit, Unit::Vmem | Unit::Flat | Unit::Scratch),
        Consumer::LaneSelect => desc.flags().lane() && desc.flags().ignores_exec(),
        Consumer::LaneRead => desc.flags().lane() && desc.opcode() != Opcode::v_writelane_b32,
        Consumer::DivisionStep => desc.flags().reads_vcc() && desc.class() == Class::Vector,
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
                && (desc.flags().indirect_source() || desc.flags().indirect_destination())
        }
        Consumer::AddThread => desc.flags().add_thread(),
        Consumer::Factor | Consumer::Addend => matrix::is_product(desc),
        Consumer::AccumulatorRead => desc.opcode() == matrix::READ,
        Consumer::AccumulatorWrite => desc.opcode() == matrix::WRITE,
        Consumer::MatrixInput => matrix::is_product(desc) || desc.opcode() == matrix::WRITE,
        Consumer::Memory => {
            matches!(desc.class(), Class::Buffer | Class::Image | Class::Flat | Class::DataShare)
        }
        Consumer::ShareDirect => has_source(desc, def_use, LDS_DIRECT),
        Consumer::VccZero => has_source(desc, def_use, VCCZ),
        Consumer::ExecZero => has_source(desc, def_use, EXECZ),
        Consumer::LoadToShare => desc.class() == Class::Buffer && def_use.has(Flag::Lds),
    }
}

/// Tells whether a vector instruction has a source of a code.
fn has_source(desc: &InstDesc, def_use: &DefUse, wanted: u16) -> bool {
    desc.operands().iter().any(|(slot, _)| {
        let code = def_use.first_words() >> (slot.low & 63) & 0x1ff;
        matches!(slot.kind, SlotKind::Source(_) | SlotKind::VectorOrLds)
            && code == u64::from(wanted)
    })
}
