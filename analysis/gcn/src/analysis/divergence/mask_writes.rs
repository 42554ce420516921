//! Writes of lane masks: the operations on scalar pairs that EXEC may be computed from.

use isa::gcn::operation::{Operation, Scalar};

use super::PairSet;
use crate::analysis::def_use::DefUse;
use crate::instruction::code::EXEC;
use crate::instruction::form::SlotKind;
use crate::instruction::form::{InstDesc, Role};
use crate::instruction::{Bank, Class, Operand};
use crate::mnemonics::Opcode;

/// The pair of an even scalar register, from 0.
pub(crate) const fn pair(code: u16) -> u32 {
    code as u32 / 2
}

/// The source of a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaskSource {
    Pair(u8),
    /// All lanes alike.
    Constant(bool),
    Open,
}

/// The value that a lane's bit of a mask gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaskValue {
    /// Anything.
    Open,
    /// A bit of this table: bit 0 for (0, 0), bit 1 for (1, 0), bit 2 for (0, 1).
    Table(u8, MaskSource, MaskSource),
    /// Anything in active lanes, 0 in others.
    ActiveOpen,
    /// One or the other.
    Either(MaskSource, MaskSource),
    /// Set if the source is, else anything.
    Widened(MaskSource),
    /// The same as the first value.
    AsFirst,
}

/// The masks that an instruction writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaskWrite {
    pub(crate) instruction: u32,
    /// All pairs that it writes, those below among them.
    pub(crate) written: PairSet,
    pub(crate) values: [Option<(u8, MaskValue)>; 2],
    /// True if it exchanges registers: it gets a region of its own, since what it needs
    /// depends on what is needed behind it.
    pub(crate) exchanges: bool,
}

/// Tells whether an instruction wakes lanes that were inactive from the start.
pub(crate) fn enables_lanes(write: &MaskWrite) -> bool {
    let exec = write.values.iter().flatten().find(|(own, _)| u32::from(*own) == pair(EXEC));
    match exec {
        Some((_, MaskValue::Widened(_))) => true,
        Some((_, MaskValue::Table(_, first, second))) => {
            [first, second].into_iter().any(|source| *source == MaskSource::Constant(true))
        }
        _ => false,
    }
}

/// The tables of operations on masks.
const COPY: u8 = 0b1010;
const NOT: u8 = 0b0101;
pub(in crate::analysis) const AND: u8 = 0b1000;
pub(in crate::analysis) const OR: u8 = 0b1110;
pub(in crate::analysis) const XOR: u8 = 0b0110;
pub(in crate::analysis) const ANDN2: u8 = 0b0010;
const ORN2: u8 = 0b1011;
const ANDN1: u8 = 0b0100;
const ORN1: u8 = 0b1101;
const NAND: u8 = 0b0111;
const NOR: u8 = 0b0001;
const XNOR: u8 = 0b1001;

/// The way in which an instruction makes masks.
#[derive(Clone, Copy)]
pub(in crate::analysis) enum MaskOperation {
    /// The result is the source.
    Move,
    /// The result is the table of its sources.
    Plain(u8),
    /// The result is what EXEC was, and EXEC the table of the source and that.
    SaveExec(u8),
    /// EXEC is the table of the source and what it was, and so is the result.
    WriteExec(u8),
    /// The result has the source's lanes, and those of their quads.
    Widen,
    /// The result is one source or the other.
    Choose,
    /// The result is the source, or stays.
    ChooseOwn,
}

/// Returns the operation of an instruction on masks.
#[deny(clippy::wildcard_enum_match_arm)]
pub(in crate::analysis) fn operation(opcode: Opcode) -> Option<MaskOperation> {
    use MaskOperation::{Choose, ChooseOwn, Move, Plain, SaveExec, Widen, WriteExec};
    use isa::gcn::operation::{ScalarLogic::*, ScalarMove::*, ScalarSaveExec::*};
    let Operation::Scalar(operation) = opcode.operation() else { return None };
    Some(match operation {
        Scalar::Move(opcode) => match opcode {
            s_mov_b64 => Move,
            s_cselect_b64 => Choose,
            s_cmov_b64 => ChooseOwn,
            s_mov_b32 | s_mov_fed_b32 | s_movk_i32 => return None,
            s_cselect_b32 | s_cmov_b32 | s_cmovk_i32 => return None,
            s_pack_ll_b32_b16 | s_pack_lh_b32_b16 | s_pack_hh_b32_b16 => return None,
        },
        Scalar::Logic(opcode) => match opcode {
            s_and_b64 => Plain(AND),
            s_or_b64 => Plain(OR),
            s_xor_b64 => Plain(XOR),
            s_andn2_b64 => Plain(ANDN2),
            s_orn2_b64 => Plain(ORN2),
            s_nand_b64 => Plain(NAND),
            s_nor_b64 => Plain(NOR),
            s_xnor_b64 => Plain(XNOR),
            s_not_b64 => Plain(NOT),
            s_wqm_b64 => Widen,
            s_and_b32 | s_or_b32 | s_xor_b32 | s_andn2_b32 | s_orn2_b32 => return None,
            s_nand_b32 | s_nor_b32 | s_xnor_b32 | s_not_b32 | s_wqm_b32 => return None,
        },
        Scalar::SaveExec(opcode) => match opcode {
            s_and_saveexec_b64 => SaveExec(AND),
            s_or_saveexec_b64 => SaveExec(OR),
            s_xor_saveexec_b64 => SaveExec(XOR),
            s_andn1_saveexec_b64 => SaveExec(ANDN1),
            s_andn2_saveexec_b64 => SaveExec(ANDN2),
            s_orn1_saveexec_b64 => SaveExec(ORN1),
            s_orn2_saveexec_b64 => SaveExec(ORN2),
            s_nand_saveexec_b64 => SaveExec(NAND),
            s_nor_saveexec_b64 => SaveExec(NOR),
            s_xnor_saveexec_b64 => SaveExec(XNOR),
            s_andn1_wrexec_b64 => WriteExec(ANDN1),
            s_andn2_wrexec_b64 => WriteExec(ANDN2),
        },
        Scalar::Integer(_)
        | Scalar::Bits(_)
        | Scalar::SignedBits(_)
        | Scalar::Compare { .. }
        | Scalar::CompareConstant { .. }
        | Scalar::Control(_)
        | Scalar::Trap
        | Scalar::Undocumented => return None,
    })
}

/// Returns the masks that an instruction writes; `None` where it writes no scalar register.
pub(crate) fn mask_write(index: usize, def_use: &DefUse) -> Option<MaskWrite> {
    let desc = def_use.desc?;
    let mut written = 0;
    // The first result that is a whole pair.
    let mut result = None;
    for access in def_use.writes() {
        let register = access.register;
        if register.bank != Bank::Scalar || register.first >= 128 {
            continue;
        }
        let last = (register.first + u16::from(register.dwords.max(1)) - 1).min(127);
        for own in pair(register.first)..=pair(last) {
            written |= 1 << own;
        }
        if result.is_none() && register.dwords == 2 && register.first.is_multiple_of(2) {
            result = Some(pair(register.first) as u8);
        }
    }
    let exchanges = desc.opcode() == Opcode::v_swap_b32;
    if written == 0 && !exchanges {
        return None;
    }
    let values = result.map_or([None, None], |result| values(desc, def_use, result));
    Some(MaskWrite { instruction: index as u32, written, values, exchanges })
}

fn values(desc: &InstDesc, def_use: &DefUse, result: u8) -> [Option<(u8, MaskValue)>; 2] {
    let exec = pair(EXEC) as u8;
    if desc.class() == Class::Vector {
        // Of vector arithmetic only compares have a mask as their result.
        if desc.operand_spec().operands.first() != Some(&Operand::Mask) {
            return [None, None];
        }
        let second =
            (desc.flags().writes_exec() && result != exec).then_some((exec, MaskValue::AsFirst));
        return [Some((result, MaskValue::ActiveOpen)), second];
    }
    let first = source(desc, def_use, 0);
    let second = source(desc, def_use, 1);
    let old = MaskSource::Pair(exec);
    let value = match operation(desc.opcode()) {
        Some(MaskOperation::Move) => MaskValue::Table(COPY, first, MaskSource::Open),
        Some(MaskOperation::Plain(table)) => MaskValue::Table(table, first, second),
        Some(MaskOperation::Widen) => MaskValue::Widened(first),
        Some(MaskOperation::Choose) => MaskValue::Either(first, second),
        Some(MaskOperation::ChooseOwn) => MaskValue::Either(first, MaskSource::Pair(result)),
        Some(MaskOperation::SaveExec(table)) => {
            let save = MaskValue::Table(COPY, old, MaskSource::Open);
            return [Some((result, save)), Some((exec, MaskValue::Table(table, first, old)))];
        }
        Some(MaskOperation::WriteExec(table)) => {
            let value = MaskValue::Table(table, first, old);
            return [Some((result, value)), Some((exec, MaskValue::AsFirst))];
        }
        None => return [None, None],
    };
    [Some((result, value)), None]
}

/// The mask that a source of a scalar instruction is.
fn source(desc: &InstDesc, def_use: &DefUse, index: usize) -> MaskSource {
    const ZERO: u64 = 128;
    const MINUS_ONE: u64 = 193;
    let mut sources = desc.operands().iter().filter(|(slot, role)| {
        *role == Role::Read && matches!(slot.kind, SlotKind::ScalarSource { .. })
    });
    let Some((slot, _)) = sources.nth(index) else { return MaskSource::Open };
    match slot.value(def_use.bits) {
        code @ 0..=127 if code % 2 == 0 => MaskSource::Pair((code / 2) as u8),
        ZERO => MaskSource::Constant(false),
        MINUS_ONE => MaskSource::Constant(true),
        _ => MaskSource::Open,
    }
}
