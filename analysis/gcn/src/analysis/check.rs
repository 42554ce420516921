//! All findings of a code in one list, with those that follow from the needs: dead
//! writes, registers that nobody initialises, code that control never reaches.

use text::{Checkpoint, Severity};

use super::cancellation::Pace;
use super::cfg::{Doubt, Flow};
use super::code::Code;
use super::def_use::{Effects, Manner};
use super::diagnostic::{Change, Finding, Mend, register_name};
use super::hazards::hazards_until;
use super::liveness::Liveness;
use super::register_set::{EXEC, M0, RegisterSet, SCC};
use super::stale_vccz::stale_vccz;
use super::waitcnt::Waits;
use crate::behaviour::Control;
use crate::behaviour::{Event, Unit};
use crate::codes;
use crate::instruction::InstructionSet;
use crate::instruction::form::InstDesc;
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;

/// No launch of a wave fills vector registers from here on: the most that any stage is
/// given are the inputs of pixel shaders.
const VECTOR_INPUTS: u16 = 32;
/// Nor scalar registers from here on: user data, and what the stages add.
const SCALAR_INPUTS: u16 = 48;

/// Everything that is wrong with a code or could be better, in the order of its
/// instructions. `inputs` are the registers that hold something at the start, where
/// that is known.
pub fn check(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    liveness: &Liveness,
    inputs: Option<&RegisterSet>,
) -> Vec<Finding> {
    check_until(code, effects, flow, liveness, inputs, &text::no_checkpoint)
}

/// The same; `checkpoint` is called every thousand instructions or so, and may unwind.
pub fn check_until(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    liveness: &Liveness,
    inputs: Option<&RegisterSet>,
    checkpoint: Checkpoint<'_>,
) -> Vec<Finding> {
    let pace = &Pace::new(checkpoint);
    let mut findings = Waits::of_until(code, effects, flow, pace).findings;
    findings.extend(hazards_until(code, effects, flow, pace));
    findings.extend(stale_vccz(code, effects, flow));
    dead_writes(code, effects, flow, liveness, &mut findings, pace);
    uninitialised(code, effects, flow, liveness, inputs, &mut findings);
    unreachable(effects, flow, &mut findings);
    findings.sort_by_key(|finding| finding.instruction);
    findings
}

/// Whether it changes how others are executed.
fn sets_mode(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::s_setreg_b32
            | Opcode::s_setreg_imm32_b32
            | Opcode::s_set_gpr_idx_idx
            | Opcode::s_set_gpr_idx_mode
            | Opcode::s_set_gpr_idx_off
            | Opcode::s_set_gpr_idx_on
    )
}

/// Whether an instruction is there for its results alone.
fn only_computes(recipe: &InstDesc) -> bool {
    let behaviour = recipe.behaviour();
    let changes = recipe.traits().store() || recipe.traits().atomic();
    let loads = behaviour.counters.iter().all(|raise| raise.event == Event::Result);
    recipe.control() == Control::Next
        && !changes
        && loads
        && match behaviour.unit {
            Unit::Salu => !sets_mode(recipe.opcode()),
            Unit::Valu | Unit::Interp | Unit::Lds | Unit::Vmem | Unit::Flat | Unit::Scratch => true,
            // Times are read for their own sake, and keep instructions apart.
            Unit::Smem => recipe.traits().load(),
            _ => false,
        }
}

/// The registers that may be part of an image's address where nobody says how many
/// there are.
fn perhaps_addresses(effects: &[Effects]) -> RegisterSet {
    const MOST: u8 = 12;
    let mut set = RegisterSet::EMPTY;
    for access in effects.iter().flat_map(|effects| effects.reads()) {
        if access.manner == Manner::Guess && access.register.bank == Bank::Vector {
            set.insert(Register { dwords: MOST, ..access.register });
        }
    }
    set
}

fn dead_writes(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    liveness: &Liveness,
    findings: &mut Vec<Finding>,
    pace: &Pace<'_>,
) {
    let features = InstructionSet::of(code.target).features();
    let maybe = perhaps_addresses(effects);
    for block in flow.blocks.iter().filter(|block| block.reachable) {
        for index in block.instructions() {
            pace.step();
            let Some(own) = effects.get(index) else { continue };
            let Some(recipe) = own.recipe.filter(|recipe| only_computes(recipe)) else { continue };
            let after = liveness.after(flow, index);
            // EXEC and M0 rule more than the registers that are followed here.
            let counts = |register: Register| {
                register.bank == Bank::Accumulator
                    || register.bank == Bank::Scalar && (M0..=EXEC + 1).contains(&register.first)
            };
            let mut first = None;
            let needed = own.writes().iter().any(|access| {
                if !(access.register.bank == Bank::Scalar && access.register.first == SCC) {
                    first = first.or(Some(access.register));
                }
                counts(access.register) || after.touches(access.register)
            });
            let Some(register) = first.filter(|_| !needed) else { continue };
            if maybe.touches(register) {
                continue;
            }
            let name = register_name(register, features);
            let message = format!("nothing reads `{name}` of this `{}` again", recipe.name());
            let mut finding = Finding::new(codes::DEAD_WRITE, Severity::Hint, index, message);
            finding.fix =
                Some(Mend { title: "remove the instruction".to_owned(), change: Change::Remove });
            findings.push(finding);
        }
    }
}

fn uninitialised(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    liveness: &Liveness,
    inputs: Option<&RegisterSet>,
    findings: &mut Vec<Finding>,
) {
    let Some(entry) = flow.blocks.first() else { return };
    // A function has what its caller left there.
    let is_function =
        flow.entries.len() > 1 || flow.doubts.iter().any(|(_, doubt)| *doubt != Doubt::Irreducible);
    if is_function {
        return;
    }
    let features = InstructionSet::of(code.target).features();
    let mut written = RegisterSet::EMPTY;
    effects.iter().for_each(|effects| written.add_all(&effects.write_set()));
    let mut open = RegisterSet::EMPTY;
    for register in liveness.before(entry.first as usize).registers() {
        let given = match (inputs, register.bank) {
            (Some(inputs), _) => inputs.touches(register),
            (None, Bank::Vector) => register.first < VECTOR_INPUTS,
            // The special registers of the upper end are set at launch, or by nobody.
            (None, _) => register.first < SCALAR_INPUTS || register.first >= 100,
        };
        if !given && !written.touches(register) {
            open.insert(register);
        }
    }
    if open.is_empty() {
        return;
    }
    for (index, own) in effects.iter().enumerate() {
        for access in own.reads() {
            let sure = matches!(access.manner, Manner::Whole | Manner::Lane);
            if !sure || !open.touches(access.register) {
                continue;
            }
            let own = RegisterSet::of(access.register).intersection(&open);
            open = open.without(&own);
            let names: Vec<String> =
                own.registers().take(4).map(|register| register_name(register, features)).collect();
            let message = format!(
                "`{}` is read, but nothing in the code writes it and no wave starts with it",
                names.join("`, `")
            );
            findings.push(Finding::new(
                codes::UNINITIALISED_REGISTER,
                Severity::Warning,
                index,
                message,
            ));
        }
    }
}

fn unreachable(effects: &[Effects], flow: &Flow, findings: &mut Vec<Finding>) {
    // Where a jump leads is not known everywhere: what seems dead may be its target.
    let unclear =
        |doubt: &Doubt| matches!(doubt, Doubt::IndirectJump | Doubt::Call | Doubt::Undecodable);
    if flow.doubts.iter().any(|(_, doubt)| unclear(doubt)) {
        return;
    }
    let mut before = false;
    for block in &flow.blocks {
        // What is said of the first block of a stretch holds for the rest.
        let again = before;
        before = !block.reachable;
        if block.reachable || again {
            continue;
        }
        // Padding, and the end that some compilers put behind an endless loop.
        let padding = |index: usize| {
            let recipe = effects.get(index).and_then(|effects| effects.recipe);
            recipe.is_some_and(|recipe| {
                recipe.opcode() == Opcode::s_nop || recipe.control() == Control::End
            })
        };
        let first = block.instructions().find(|index| !padding(*index));
        let Some(first) = first else { continue };
        let message = "control never comes here".to_owned();
        findings.push(Finding::new(codes::UNREACHABLE_CODE, Severity::Hint, first, message));
    }
}
