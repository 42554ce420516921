//! One instruction of the timing model: its class, the counters that its results go through,
//! and what it waits for.
//!
//! Read once per instruction from the tables of behaviour and its bits; every
//! walk then goes over these small records. How long results take is
//! `result_clocks.tsv` of `isa`.

pub(super) use isa::gcn::timing::Operation;

use super::super::def_use::DefUse;
use super::super::hazards::{passes, product};
use super::super::waitcnt::state as waitcnt;
use super::issue::{SLOT, UnitGroup};
use super::{Band, Model};
use crate::Target;
use crate::behaviour::{Condition, Control, Counter, CounterEvent, CounterInc, IssueClass, Unit};
use crate::instruction::Field;
use crate::instruction::form::{InstDesc, Slot, SlotKind};
use crate::mnemonics::Opcode;

/// The number of counters: those of [`Counter`], and one of stores that some models keep
/// apart and only the end waits for.
pub(super) const COUNTERS: usize = 4;
/// The counter of stores.
pub(super) const STORES: usize = 3;

/// Clocks between the issue of every operation and its result, by its number;
/// `None` where the model knows of no result.
pub(super) fn result_clocks(model: Model, band: Band) -> [Option<u32>; Operation::ALL.len()] {
    std::array::from_fn(|number| match (model, Operation::ALL[number].clocks()) {
        (Model::Aco, row) => row.aco,
        (Model::Measured, row) => Some(row.bands[band as usize]),
    })
}

/// The results that a wait leaves outstanding, by counter. A counter that is not waited for
/// is left at the largest number.
pub(super) type Wait = [u8; COUNTERS];

/// No counter is waited for.
pub(super) const NO_WAIT: Wait = [u8::MAX; COUNTERS];

/// An instruction of the timing model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimingStep {
    pub(super) class: IssueClass,
    pub(super) group: UnitGroup,
    /// The operations that it begins, with their counters.
    pub(super) begins: [Option<(u8, Operation)>; 2],
    /// The counters that it waits for before it issues.
    pub(super) wait: Wait,
    /// Slots that `s_nop` asks for beyond its own.
    pub(super) idle: u8,
    /// True if it is a jump that is always taken, or mostly, since it closes a loop.
    pub(super) taken: bool,
    /// The clocks of a product of matrices.
    pub(super) matrix: Option<MatrixClocks>,
}

/// The clocks for which a product of matrices keeps units of its SIMD busy, from its issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatrixClocks {
    /// The matrix unit: no other product begins.
    pub(super) matrix: u32,
    /// Vector arithmetic: no other vector instruction begins.
    pub(super) vector: u32,
}

impl MatrixClocks {
    /// A pass is four clocks. Where nobody says how many of them are free for other vector
    /// instructions, all but the slot of the issue are taken to be.
    fn of(def_use: &DefUse, target: Target) -> Option<MatrixClocks> {
        const PASS: u32 = 4;
        let matrix = PASS * u32::from(passes(def_use, target)?);
        let beside = product(def_use, target)?.beside.map(u32::from);
        let vector = beside.map_or(SLOT, |beside| matrix.saturating_sub(beside).max(SLOT));
        Some(MatrixClocks { matrix, vector })
    }
}

/// Reads an instruction. Words that are not an instruction take a slot. `gds` is the field by
/// which instructions of the data share are for the global one.
pub(super) fn step(def_use: &DefUse, target: Target, gds: Option<&Field>) -> TimingStep {
    let generation = target.generation();
    let mut step = TimingStep {
        class: IssueClass::Sequencer,
        group: UnitGroup::None,
        begins: [None; 2],
        wait: NO_WAIT,
        idle: 0,
        taken: false,
        matrix: MatrixClocks::of(def_use, target),
    };
    let Some(desc) = def_use.desc else { return step };
    let behaviour = desc.behaviour();
    let is_global = |field: &Field| field.value(def_use.bits) != 0;
    let global = behaviour.unit == Unit::Lds && gds.is_some_and(is_global);
    step.class = behaviour.issue;
    step.group = if global { UnitGroup::Export } else { UnitGroup::of(behaviour.unit) };
    step.taken = is_taken(desc.opcode());
    if desc.opcode() == Opcode::s_nop {
        // Its own issue takes the first state.
        step.idle = generation.nop_states(def_use.first_words()) - 1;
    }
    if desc.control() == Control::End {
        // The hardware waits for everything that is under way.
        step.wait = [0; COUNTERS];
    }
    let wait = waitcnt::wait_of(def_use, generation).unwrap_or_default();
    for (counter, value) in waitcnt::COUNTERS.into_iter().zip(wait) {
        step.wait[counter as usize] = value.unwrap_or(step.wait[counter as usize]);
    }
    let mut begins = behaviour
        .counters
        .iter()
        .filter(|inc| inc.condition == Condition::Always || global)
        .map(|inc| (inc.counter as u8, operation(inc, desc, def_use)));
    step.begins = [begins.next(), begins.next()];
    step
}

/// Returns the unit that an instruction keeps busy in the eyes of ACO, which takes all that is
/// neither a wait nor a barrier for scalar arithmetic where it has no better word.
pub(super) fn group_of_aco(def_use: &DefUse, group: UnitGroup) -> UnitGroup {
    let waits = [Opcode::s_waitcnt, Opcode::s_barrier];
    match group {
        UnitGroup::None if !waits.into_iter().any(|opcode| def_use.is(opcode)) => UnitGroup::Salu,
        group => group,
    }
}

fn operation(inc: &CounterInc, desc: &InstDesc, def_use: &DefUse) -> Operation {
    let behaviour = desc.behaviour();
    let atomic = matches!(
        behaviour.issue,
        IssueClass::VmemAtomic | IssueClass::VmemCompare | IssueClass::ImageAtomic
    );
    match (inc.counter, behaviour.unit, inc.event) {
        (Counter::Vm, _, CounterEvent::Result) if !atomic || def_use.returns() => {
            Operation::VectorLoad
        }
        (Counter::Vm, ..) => Operation::VectorStore,
        (Counter::Exp, Unit::Export, _) => Operation::Export,
        (Counter::Exp, ..) => Operation::DataRead,
        (Counter::Lgkm, Unit::Flat, _) => Operation::FlatShare,
        (Counter::Lgkm, Unit::Message, _) => Operation::Message,
        (Counter::Lgkm, Unit::Smem, _) => match behaviour.issue {
            IssueClass::SmemTime | IssueClass::SmemControl => Operation::ScalarClock,
            IssueClass::Smem | IssueClass::Smem8 | IssueClass::Smem16 if is_near(desc) => {
                Operation::ScalarNear
            }
            _ => Operation::ScalarFar,
        },
        (Counter::Lgkm, ..) => Operation::Share,
    }
}

/// Tells whether a scalar load most likely finds its data near: a constant offset, or a base
/// of 64 bits, which is most likely that of descriptors.
fn is_near(desc: &InstDesc) -> bool {
    let is_constant = |slot: &Slot| matches!(slot.kind, SlotKind::ScalarOffset(_));
    !desc.flags().buffer() || desc.slots().iter().any(is_constant)
}

/// Tells whether an instruction jumps whatever holds.
fn is_taken(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::s_branch
            | Opcode::s_setpc_b64
            | Opcode::s_swappc_b64
            | Opcode::s_call_b64
            | Opcode::s_rfe_b64
            | Opcode::s_rfe_restore_b64
            | Opcode::s_trap
    )
}
