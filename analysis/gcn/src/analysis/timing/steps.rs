//! One instruction of the timing model: its class, the counters that its results go through,
//! and what it waits for.
//!
//! Read once per instruction from the tables of behaviour and its bits; every
//! walk then goes over these small records. How long results take is
//! `result_clocks.tsv` of `isa`.

use std::sync::OnceLock;

pub(super) use isa::gcn::timing::Operation;

use super::super::def_use::DefUse;
use super::issue::Group;
use super::{Band, Model};
use crate::Generation;
use crate::behaviour::{Behaviour, Condition, Counter, CounterEvent, CounterInc, IssueClass, Unit};
use crate::encoding::Encoding;
use crate::instruction::form::InstDesc;
use crate::instruction::{Field, Layout, counter_parts, counter_value, field};
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
pub(super) struct Step {
    pub(super) class: IssueClass,
    pub(super) group: Group,
    /// The operations that it begins, with their counters.
    pub(super) begins: [Option<(u8, Operation)>; 2],
    /// The counters that it waits for before it issues.
    pub(super) wait: Wait,
    /// Slots that `s_nop` asks for beyond its own.
    pub(super) idle: u8,
    /// True if it is a jump that is always taken, or mostly, since it closes a loop.
    pub(super) taken: bool,
}

/// The reader of a generation's steps.
pub(super) struct Reader {
    generation: Generation,
    simm16: Option<&'static Field>,
    counters: [Option<[(u32, u32); 2]>; 3],
    scalar_imm: Option<&'static Field>,
    scalar_offset_register: Option<&'static Field>,
    scalar_offset: Option<&'static Field>,
    gds: Option<&'static Field>,
}

impl Reader {
    /// Returns the reader of a generation.
    pub(super) fn of(generation: Generation) -> &'static Reader {
        static READERS: [OnceLock<Reader>; 4] = [const { OnceLock::new() }; 4];
        READERS[generation as usize].get_or_init(|| Reader::new(generation))
    }

    fn new(generation: Generation) -> Reader {
        let old = generation <= Generation::Gfx7;
        let scalar = if old { Encoding::Smrd } else { Encoding::Smem };
        let field = |encoding, name| field(Layout::Of(encoding), generation.features(), name);
        Reader {
            generation,
            simm16: field(Encoding::Sopp, "simm16"),
            counters: Counter::ALL
                .iter()
                .map(|counter| counter_parts(&format!("{}cnt", counter.name()), generation))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap_or([None; 3]),
            scalar_imm: field(scalar, "imm"),
            scalar_offset_register: field(scalar, "soffset_en"),
            scalar_offset: field(scalar, "offset"),
            gds: field(Encoding::Ds, "gds"),
        }
    }

    /// Reads an instruction. Words that are no instruction take a slot.
    pub(super) fn step(&self, def_use: &DefUse) -> Step {
        let mut step = Step {
            class: IssueClass::Sequencer,
            group: Group::None,
            begins: [None; 2],
            wait: NO_WAIT,
            idle: 0,
            taken: false,
        };
        let Some(desc) = def_use.desc else { return step };
        let behaviour = desc.behaviour();
        let bits = def_use.bits;
        let global = behaviour.unit == Unit::Lds && is_set(self.gds, bits);
        step.class = behaviour.issue;
        step.group = if global { Group::Export } else { Group::of(behaviour.unit) };
        if behaviour.issue == IssueClass::Sequencer {
            self.wait(desc, bits, &mut step);
        }
        step.taken = is_taken(desc.opcode());
        let mut begins = behaviour
            .counters
            .iter()
            .filter(|inc| inc.condition == Condition::Always || global)
            .map(|inc| (inc.counter as u8, self.operation(inc, behaviour, def_use)));
        step.begins = [begins.next(), begins.next()];
        step
    }

    fn wait(&self, desc: &InstDesc, bits: u64, step: &mut Step) {
        let immediate = self.simm16.map_or(0, |field| field.value(bits));
        match desc.opcode() {
            Opcode::s_waitcnt => {
                for (wait, parts) in step.wait.iter_mut().zip(self.counters) {
                    let value = parts.map_or(u64::MAX, |parts| counter_value(immediate, parts));
                    *wait = u8::try_from(value).unwrap_or(u8::MAX);
                }
            }
            // The hardware waits for everything that is under way.
            Opcode::s_endpgm | Opcode::s_endpgm_saved | Opcode::s_endpgm_ordered_ps_done => {
                step.wait = [0; COUNTERS];
            }
            // Its own issue takes the first state.
            Opcode::s_nop => step.idle = self.generation.nop_states(immediate) - 1,
            _ => {}
        }
    }

    fn operation(&self, inc: &CounterInc, behaviour: &Behaviour, def_use: &DefUse) -> Operation {
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
            (Counter::Lgkm, Unit::Smem, _) => self.scalar(behaviour.issue, def_use),
            (Counter::Lgkm, ..) => Operation::Share,
        }
    }

    fn scalar(&self, class: IssueClass, def_use: &DefUse) -> Operation {
        let bits = def_use.bits;
        match class {
            IssueClass::SmemTime | IssueClass::SmemControl => Operation::ScalarClock,
            IssueClass::Smem | IssueClass::Smem8 | IssueClass::Smem16 => {
                let literal = self.generation == Generation::Gfx7
                    && self.scalar_offset.is_some_and(|field| field.value(bits) == 0xff);
                let constant = (is_set(self.scalar_imm, bits) || literal)
                    && !is_set(self.scalar_offset_register, bits);
                let of_buffer = def_use.desc.is_some_and(|desc| desc.traits().buffer());
                // A base of 64 bits is most likely that of descriptors.
                let near = constant || !of_buffer;
                if near { Operation::ScalarNear } else { Operation::ScalarFar }
            }
            _ => Operation::ScalarFar,
        }
    }
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

fn is_set(field: Option<&Field>, bits: u64) -> bool {
    field.is_some_and(|field| field.value(bits) != 0)
}
