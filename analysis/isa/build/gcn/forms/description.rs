//! The description that analyses need of a form: the registers it reads and writes, and the bits by which
//! it is told from others.

use super::{Chip, Form};
use crate::plain::encoding::Layout;
use crate::plain::operand::{Class, OpFlags, Operand, OperandSpec, Type};
use crate::plain::slot::{Bits, Check, Role, ScalarOffset, Slot, SlotKind};

/// The description of a form.
pub(crate) struct Description {
    /// The slots that name registers, each with what is done to them.
    pub(crate) roles: Vec<(Slot, Role)>,
    /// Says where the fields of the data begin that memory operations move.
    pub(crate) data: Vec<u8>,
    /// Bits that must have these values.
    pub(crate) must_mask: Bits,
    pub(crate) must_value: Bits,
    /// Bits that mean something.
    pub(crate) known: Bits,
    /// Tells whether a result is 16 bits wide, so that it may go to one half.
    pub(crate) half_result: bool,
}

impl Description {
    /// Describes a form.
    pub(crate) fn of(form: &Form, row: &OperandSpec, chip: &Chip<'_>) -> Description {
        let covered = form.slots.iter().fold(0, |mask, slot| mask | slot.covered());
        // Fixed bits that the form has set must be set; others are ignored.
        let mut must_mask = form.base & !covered;
        let mut must_value = must_mask;
        let mut must = |low: u8, width: u8, value: Bits| {
            let mask = ((1 << width) - 1) << low;
            must_mask |= mask;
            must_value = must_value & !mask | value << low;
        };
        for slot in &form.slots {
            match slot.kind {
                SlotKind::Flag(_) if slot.default.is_none() => must(slot.low, 1, 1),
                SlotKind::Off { code } if slot.width > 0 => must(slot.low, slot.width, code.into()),
                // Any other number there is that of a register.
                SlotKind::ScalarOffset(ScalarOffset::Literal) => must(slot.low, slot.width, 0xff),
                _ => {}
            }
        }
        let policy = chip.field(Layout::Of(form.encoding), "glc");
        if let (Check::Returns(returns), Some(field)) = (form.check, policy) {
            must(field.low, 1, returns.into());
        }
        let data = ["vdata", "data", "data0", "data1"].into_iter();
        Description {
            roles: roles(form, row, chip),
            data: data
                .filter_map(|name| chip.field(Layout::Of(form.encoding), name))
                .map(|field| field.low)
                .collect(),
            must_mask,
            must_value,
            known: covered | form.base,
            half_result: matches!(
                row.operands.first(),
                Some(Operand::Number { ty: Type { bits: 16, .. }, .. })
            ),
        }
    }
}

/// The slots that name registers, each with what is done to them.
fn roles(form: &Form, row: &OperandSpec, chip: &Chip<'_>) -> Vec<(Slot, Role)> {
    let mut found = Vec::new();
    let (class, flags) = (row.class, row.flags);
    let is_in = |name: &str, slot: &Slot| {
        chip.field(Layout::Of(form.encoding), name).is_some_and(|field| field.low == slot.low)
    };
    for (index, slot) in form.slots.iter().enumerate() {
        let role = match class {
            Class::Vector | Class::Interpolation => vector_role(form, flags, index, slot),
            Class::Scalar => scalar_role(row, index),
            Class::ScalarMemory => scalar_memory_role(row, flags, index),
            Class::Matrix if index == 0 => Role::Write,
            Class::DataShare | Class::Flat if is_in("vdst", slot) => Role::Write,
            Class::Buffer | Class::Image if is_in("vdata", slot) => data_role(flags),
            Class::Matrix
            | Class::DataShare
            | Class::Flat
            | Class::Buffer
            | Class::Image
            | Class::Export => Role::Read,
        };
        let role = match role {
            Role::Write if flags.reads_destination() && !writes_part(flags, class) => {
                Role::ReadWrite
            }
            role => role,
        };
        if names_registers(slot) {
            found.push((*slot, role));
        }
    }
    found
}

/// Tells whether a destination that counts is not added to, but written in part: one lane,
/// one half.
fn writes_part(flags: OpFlags, class: Class) -> bool {
    match class {
        Class::Vector => flags.mix() || flags.ignores_exec(),
        Class::DataShare | Class::Flat | Class::Buffer | Class::Image => true,
        _ => false,
    }
}

fn names_registers(slot: &Slot) -> bool {
    matches!(
        slot.kind,
        SlotKind::Vector { .. }
            | SlotKind::Vectors
            | SlotKind::VectorOrLds
            | SlotKind::Accumulator { .. }
            | SlotKind::VectorOrAccumulator { .. }
            | SlotKind::Sum { .. }
            | SlotKind::Scalar { .. }
            | SlotKind::Mask
            | SlotKind::Vcc
            | SlotKind::Source(_)
            | SlotKind::ScalarSource { .. }
            | SlotKind::Lane { .. }
            | SlotKind::ExportSource { .. }
    )
}

/// The first operand is the result; a mask behind it is the carry, which some
/// forms do not name.
fn vector_role(form: &Form, flags: OpFlags, index: usize, slot: &Slot) -> Role {
    let is_mask = |slot: &Slot| matches!(slot.kind, SlotKind::Mask | SlotKind::Vcc);
    match index {
        0 => Role::Write,
        1 if flags.exchanges() => Role::ReadWrite,
        // `v_cndmask_b32` has its mask last, behind its sources.
        1 if is_mask(slot) && !form.slots.first().is_some_and(is_mask) => Role::Write,
        _ => Role::Read,
    }
}

fn scalar_role(row: &OperandSpec, index: usize) -> Role {
    match row.operands.get(index) {
        Some(Operand::Scalar { read: false, .. }) => Role::Write,
        _ => Role::Read,
    }
}

fn scalar_memory_role(row: &OperandSpec, flags: OpFlags, index: usize) -> Role {
    let first = row.operands.first();
    match (index, first) {
        (0, Some(Operand::Part { letter: 'r', .. })) => Role::Write,
        (0, Some(Operand::Part { letter: 'd', .. })) => data_role(flags),
        _ => Role::Read,
    }
}

fn data_role(flags: OpFlags) -> Role {
    if flags.atomic() {
        if flags.no_return() { Role::Read } else { Role::Exchange }
    } else if flags.store() {
        Role::Read
    } else {
        Role::Write
    }
}
