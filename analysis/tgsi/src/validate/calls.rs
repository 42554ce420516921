//! Subroutines that call themselves, calls that lead nowhere, and loops that
//! nothing leaves.
//!
//! Facts: "GLSL ISA" of the Gallium documentation of 2020: `CAL` goes to the
//! instruction of its label, counted from 0.

use source::TextRange;

use super::call_graph::CallGraph;
use super::context::Context;
use crate::ast::Instruction;
use crate::codes;
use crate::opcodes::Control;
use crate::report::Report;

/// A subroutine: where it begins, and the calls in it.
struct Subroutine<'a> {
    /// The number of its `BGNSUB`, from 0.
    start: u32,
    calls: Vec<&'a Instruction>,
}

/// Checks calls and loops.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    if context.gaps.steer {
        return;
    }
    check_loops(context, report);
    if context.gaps.count {
        return;
    }
    if context.steps().any(|(_, row)| row.path() == Control::Call) {
        check_calls(context, report);
    }
}

fn check_calls(context: &Context<'_>, report: &mut Report) {
    // What stands in no subroutine belongs to the program itself.
    let mut subroutines = Vec::new();
    let mut outside = Vec::new();
    let mut inside = false;
    for (instruction, row) in context.steps() {
        let path = row.path();
        if path == Control::Subroutine {
            let start = instruction.ordinal.saturating_sub(1);
            subroutines.push(Subroutine { start, calls: Vec::new() });
            inside = true;
        } else if path == Control::EndSubroutine {
            inside = false;
        } else if path == Control::Call {
            match subroutines.last_mut().filter(|_| inside) {
                Some(subroutine) => subroutine.calls.push(instruction),
                None => outside.push(instruction),
            }
        }
    }
    let find = |number: u32| subroutines.binary_search_by_key(&number, |it| it.start).ok();
    let inner = subroutines.iter().flat_map(|subroutine| subroutine.calls.iter().copied());
    let mut calls: Vec<&Instruction> = outside.into_iter().chain(inner).collect();
    calls.sort_by_key(|call| call.ordinal);
    for call in calls {
        let Some(label) = call.label.filter(|label| find(label.value).is_none()) else { continue };
        report.warning(codes::CALL_TARGET, label.range, || {
            format!("instruction {} is not a `BGNSUB`", label.value)
        });
    }
    let callee = |call: &&Instruction| call.label.and_then(|label| find(label.value));
    let callees: Vec<Vec<Option<usize>>> =
        subroutines.iter().map(|it| it.calls.iter().map(callee).collect()).collect();
    for (subroutine, call) in CallGraph::new(&callees).circles {
        let range = subroutines[subroutine].calls[call].opcode.range;
        report.warning(codes::RECURSION, range, || {
            "this call is recursive: it leads back to its own subroutine, and no driver \
             has a stack for that"
        });
    }
}

/// Loops without any way out.
#[deny(clippy::wildcard_enum_match_arm)]
fn check_loops(context: &Context<'_>, report: &mut Report) {
    let mut open: Vec<Open> = Vec::new();
    for (instruction, row) in context.steps() {
        match row.path() {
            Control::Loop => {
                open.push(Open { start: Some(instruction.opcode.range), ..Open::default() });
            }
            Control::Switch => open.push(Open::default()),
            Control::Break => {
                if let Some(block) = open.last_mut() {
                    block.left = true;
                }
            }
            Control::EndLoop | Control::EndSwitch => {
                let Some(block) = open.pop() else { continue };
                if let Some(around) = open.last_mut() {
                    around.ended |= block.ended;
                }
                if let Some(range) = block.start.filter(|_| !block.left && !block.ended) {
                    let message = "this loop never ends: it has neither `BRK` nor `RET`";
                    report.hint(codes::ENDLESS_LOOP, range, || message);
                }
            }
            // Where historic jumps lead is not followed.
            Control::Jump
            | Control::Subroutine
            | Control::EndSubroutine
            | Control::Return
            | Control::End => {
                if let Some(block) = open.last_mut() {
                    block.ended = true;
                }
            }
            Control::Next
            | Control::If
            | Control::Else
            | Control::EndIf
            | Control::Case
            | Control::Default
            | Control::Continue
            | Control::Call => {}
        }
    }
}

/// A block that is open.
#[derive(Default)]
struct Open {
    /// The opcode of a loop.
    start: Option<TextRange>,
    /// Set where a break leaves it.
    left: bool,
    /// Set where something in it leaves every block around it.
    ended: bool,
}
