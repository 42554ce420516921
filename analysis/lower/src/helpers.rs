//! Helper lanes: killed lanes that go on for their neighbours' derivatives.

use tgsi::Opcode;
use tgsi::ast::Instruction;
use tgsi::opcodes::{Control, Flag};

use crate::opcodes::meaning;

/// Tells whether killed lanes must go on for their neighbours' derivatives: a kill stands before
/// an instruction that takes some, or in a loop with one.
pub(crate) fn needed_after_kill<'a>(instructions: impl Iterator<Item = &'a Instruction>) -> bool {
    let mut killed = false;
    let mut loops = 0_u32;
    let mut derivative_in_loop = false;
    for instruction in instructions {
        let row = meaning(instruction.opcode.value).row();
        if row.control == Control::Loop {
            loops += 1;
        } else if row.control == Control::EndLoop {
            loops = loops.saturating_sub(1);
            derivative_in_loop &= loops > 0;
        } else if matches!(row.opcode, Opcode::KILL | Opcode::KILL_IF) {
            if derivative_in_loop {
                return true;
            }
            killed = true;
        } else if row.has(Flag::Derivatives) {
            if killed {
                return true;
            }
            derivative_in_loop |= loops > 0;
        }
    }
    false
}

/// Tells whether an instruction takes derivatives, for lanes killed before the first.
pub(crate) fn takes_derivatives<'a>(
    mut instructions: impl Iterator<Item = &'a Instruction>,
) -> bool {
    instructions.any(|instruction| meaning(instruction.opcode.value).row().has(Flag::Derivatives))
}
