//! Kinds of producers and consumers, as predicates of instructions.

use isa::gcn::hazard::{Consumer, Producer};
use isa::gcn::matrix::MatrixKind;
use isa::gcn::{Layout, OpGroup, Target};

use super::matrix;
use crate::analysis::def_use::DefUse;
use crate::analysis::register_set::RegisterSet;
use crate::analysis::waitcnt::state::{data_of, loads_to_share};
use crate::behaviour::{IssueClass, Unit};
use crate::encoding::{Encoding, Extension};
use crate::instruction::Class;
use crate::instruction::code::{EXECZ, LDS_DIRECT, VCCZ};
use crate::instruction::form::{InstDesc, SlotKind};
use crate::instruction::modifier::{Flag, Key};
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

/// Returns the kinds of producers that an instruction is, of those that matter, a bit each.
pub(super) fn producers(wanted: &[Producer], def_use: &DefUse, target: Target) -> u32 {
    let Some(desc) = def_use.desc else { return 0 };
    let own = wanted.iter().filter(|kind| is_producer(**kind, desc, def_use, target));
    own.fold(0, |bits, kind| bits | 1 << *kind as u32)
}

fn is_product_of(kind: MatrixKind, def_use: &DefUse, target: Target) -> bool {
    matrix::product(def_use, target).is_some_and(|product| product.kind == kind)
}

/// Tells whether an instruction is of a kind of producers.
fn is_producer(kind: Producer, desc: &InstDesc, def_use: &DefUse, target: Target) -> bool {
    match kind {
        Producer::Valu => is_valu(desc),
        Producer::Salu => unit(desc) == Unit::Salu,
        Producer::SetRegister => sets_register(desc),
        Producer::SetSkip => desc.opcode() == Opcode::s_setvskip,
        Producer::Interpolation => unit(desc) == Unit::Interp,
        Producer::WideStore => is_wide_store(desc, def_use),
        Producer::Load => is_memory(desc),
        Producer::Product => matrix::is_product(desc),
        Producer::SmallProduct => is_product_of(MatrixKind::Xdl, def_use, target),
        Producer::SingleProduct => is_product_of(MatrixKind::Single, def_use, target),
        Producer::DoubleProduct => is_product_of(MatrixKind::Double, def_use, target),
        Producer::PlainValu => is_valu(desc) && !matrix::is_product(desc) && !is_dot(desc),
        Producer::ValuBeforeDouble => is_valu(desc) && !matrix::is_product(desc),
        Producer::Dot => is_dot(desc),
        Producer::Transcendental => is_transcendental(desc),
        Producer::PartialWrite => is_partial_write(desc, def_use, target),
        Producer::AccumulatorRead => desc.opcode() == matrix::READ,
        Producer::AccumulatorWrite => desc.opcode() == matrix::WRITE,
    }
}

/// A store of more than 64 bits whose data are read late: of buffers, where no scalar
/// register is the offset; of flat memory.
fn is_wide_store(desc: &InstDesc, def_use: &DefUse) -> bool {
    if !desc.flags().store() || is_short(&data_of(def_use)) {
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

/// Tells whether data are of at most 64 bits.
fn is_short(data: &RegisterSet) -> bool {
    data.vector_count() + data.accumulator_count() <= 2
}

/// Tells whether an instruction is of a kind of consumers.
#[inline]
pub(super) fn is_consumer(
    kind: Consumer,
    desc: &InstDesc,
    def_use: &DefUse,
    target: Target,
) -> bool {
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
        Consumer::Factor | Consumer::Addend | Consumer::Product => matrix::is_product(desc),
        Consumer::SmallAddend => is_product_of(MatrixKind::Xdl, def_use, target),
        Consumer::SingleAddend => is_product_of(MatrixKind::Single, def_use, target),
        Consumer::DoubleAddend => is_product_of(MatrixKind::Double, def_use, target),
        Consumer::NoProduct => is_valu(desc) && !matrix::is_product(desc),
        Consumer::OtherOpcode => !matrix::is_product(desc) && (is_valu(desc) || is_memory(desc)),
        Consumer::SameDotFactor => is_dot(desc),
        Consumer::NoTranscendental => {
            is_valu(desc) && !matrix::is_product(desc) && !is_transcendental(desc)
        }
        Consumer::DoubleFma => is_of(OpGroup::DoubleFma, desc),
        Consumer::Lane => desc.flags().lane(),
        Consumer::RowSwap => is_of(OpGroup::RowSwap, desc),
        Consumer::AccumulatorRead => desc.opcode() == matrix::READ,
        Consumer::AccumulatorWrite => desc.opcode() == matrix::WRITE,
        Consumer::MatrixInput => matrix::is_product(desc) || desc.opcode() == matrix::WRITE,
        Consumer::Memory => is_memory(desc),
        Consumer::ShareDirect => has_source(desc, def_use, LDS_DIRECT),
        Consumer::VccZero => has_source(desc, def_use, VCCZ),
        Consumer::ExecZero => has_source(desc, def_use, EXECZ),
        Consumer::BufferToShare => desc.class() == Class::Buffer && loads_to_share(def_use),
        Consumer::FlatToShare => desc.class() == Class::Flat && loads_to_share(def_use),
    }
}

fn is_memory(desc: &InstDesc) -> bool {
    matches!(desc.class(), Class::Buffer | Class::Image | Class::Flat | Class::DataShare)
}

fn is_of(group: OpGroup, desc: &InstDesc) -> bool {
    desc.opcode().group() == Some(group)
}

fn is_dot(desc: &InstDesc) -> bool {
    is_of(OpGroup::Dot, desc)
}

fn is_transcendental(desc: &InstDesc) -> bool {
    matches!(desc.behaviour().issue, IssueClass::Trans | IssueClass::F64Trans)
}

/// Tells whether it keeps a part of its result's register: a part of a dword by SDWA, the upper
/// half, or the byte or half that a conversion chooses.
fn is_partial_write(desc: &InstDesc, def_use: &DefUse, target: Target) -> bool {
    if desc.class() != Class::Vector {
        return false;
    }
    const DWORD: u64 = 6;
    let value = |layout, name| {
        isa::gcn::field(layout, target.features(), name).map(|field| field.value(def_use.bits))
    };
    match desc.extension {
        Extension::Sdwa => value(Layout::Sdwa, "dst_sel").is_some_and(|part| part != DWORD),
        Extension::Dpp => false,
        _ => {
            let group = desc.opcode().group();
            let has_list = || {
                let is_list = |kind| matches!(kind, SlotKind::List { key: Key::OpSel, .. });
                desc.slots().iter().any(|slot| is_list(slot.kind))
            };
            // Bit 3 chooses the upper half of the destination, of bytes both bits one of four.
            let bits = if group == Some(OpGroup::ToBytes) { 0b1100 } else { 0b1000 };
            let chosen = || {
                let value = value(Layout::Of(Encoding::Vop3), "op_sel");
                value.is_some_and(|value| value & bits != 0)
            };
            desc.encoding == Encoding::Vop3
                && (group == Some(OpGroup::ToNibbles) || has_list() && chosen())
        }
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
