//! What an instruction means for time: its class, the counters that its results
//! go through, and what it waits for.
//!
//! Read once per instruction from the tables of behaviour and its bits; every
//! walk then goes over these small records. How long results take is
//! `data/result_clocks.tsv`.

use std::sync::OnceLock;

use super::super::effects::Effects;
use super::issue::Group;
use super::{Band, Model};
use crate::Generation;
use crate::behaviour::{Behaviour, Condition, Counter, Event, IssueClass, Raise, Unit};
use crate::instruction::{Field, counter_parts, counter_value, field};
use crate::table::Table;

/// How many counters there are: those of [`Counter`], and one of stores that some
/// models keep apart and only the end waits for.
pub(super) const COUNTERS: usize = 4;
/// The counter of stores.
pub(super) const STORES: usize = 3;

/// Something whose result comes later: a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    VectorLoad,
    VectorStore,
    FlatShare,
    ScalarNear,
    ScalarFar,
    ScalarClock,
    Share,
    Message,
    Export,
    DataRead,
}

impl Operation {
    /// All, with the names of the table.
    pub(super) const ALL: [(Operation, &'static str); 10] = [
        (Operation::VectorLoad, "vector-load"),
        (Operation::VectorStore, "vector-store"),
        (Operation::FlatShare, "flat-share"),
        (Operation::ScalarNear, "scalar-near"),
        (Operation::ScalarFar, "scalar-far"),
        (Operation::ScalarClock, "scalar-clock"),
        (Operation::Share, "share"),
        (Operation::Message, "message"),
        (Operation::Export, "export"),
        (Operation::DataRead, "data-read"),
    ];
}

/// Clocks between the issue of every operation and its result, by its number;
/// `None` where the model knows of no result.
pub(super) fn result_clocks(model: Model, band: Band) -> [Option<u32>; Operation::ALL.len()] {
    let rows = results();
    rows.map(|row| match model {
        Model::Aco => row.aco,
        Model::Measured => Some(row.bands[band as usize]),
    })
}

/// How many results a wait leaves outstanding, by counter. A counter that is not
/// waited for is left at the largest number.
pub(super) type Wait = [u8; COUNTERS];

/// No counter is waited for.
pub(super) const NO_WAIT: Wait = [u8::MAX; COUNTERS];

/// What an instruction means for time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) class: IssueClass,
    pub(super) group: Group,
    /// What it begins, and the counters that know of it.
    pub(super) begins: [Option<(u8, Operation)>; 2],
    /// What it waits for before it issues.
    pub(super) wait: Wait,
    /// Slots that `s_nop` asks for beyond its own.
    pub(super) idle: u8,
    /// Whether it is a jump that is always taken, or mostly, since it closes a loop.
    pub(super) taken: bool,
}

/// What the steps of a generation are read with.
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
    /// That of a generation.
    pub(super) fn of(generation: Generation) -> &'static Reader {
        static READERS: [OnceLock<Reader>; 4] = [const { OnceLock::new() }; 4];
        READERS[generation as usize].get_or_init(|| Reader::new(generation))
    }

    fn new(generation: Generation) -> Reader {
        let scalar = if generation <= Generation::Gfx7 { "SMRD" } else { "SMEM" };
        Reader {
            generation,
            simm16: field("SOPP", generation, "simm16"),
            counters: Counter::ALL
                .iter()
                .map(|counter| counter_parts(&format!("{}cnt", counter.name()), generation))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap_or([None; 3]),
            scalar_imm: field(scalar, generation, "imm"),
            scalar_offset_register: field(scalar, generation, "soffset_en"),
            scalar_offset: field(scalar, generation, "offset"),
            gds: field("DS", generation, "gds"),
        }
    }

    /// Reads an instruction. Words that are no instruction take a slot.
    pub(super) fn step(&self, effects: &Effects) -> Step {
        let mut step = Step {
            class: IssueClass::Sequencer,
            group: Group::None,
            begins: [None; 2],
            wait: NO_WAIT,
            idle: 0,
            taken: false,
        };
        let Some(recipe) = effects.recipe else { return step };
        let Some(behaviour) = &recipe.behaviour else { return step };
        let bits = effects.bits;
        let global = behaviour.unit == Unit::Lds && is_set(self.gds, bits);
        step.class = behaviour.issue;
        step.group = if global { Group::Export } else { Group::of(behaviour.unit) };
        if behaviour.issue == IssueClass::Sequencer {
            self.wait(recipe.name, bits, &mut step);
        }
        step.taken = behaviour.unit == Unit::Branch && !recipe.name.starts_with("s_cbranch");
        let mut begins = behaviour
            .counters
            .iter()
            .filter(|raise| raise.condition == Condition::Always || global)
            .map(|raise| (raise.counter as u8, self.operation(raise, behaviour, effects)));
        step.begins = [begins.next(), begins.next()];
        step
    }

    fn wait(&self, mnemonic: &str, bits: u64, step: &mut Step) {
        let immediate = self.simm16.map_or(0, |field| field.value(bits));
        match mnemonic {
            "s_waitcnt" => {
                for (wait, parts) in step.wait.iter_mut().zip(self.counters) {
                    let value = parts.map_or(u64::MAX, |parts| counter_value(immediate, parts));
                    *wait = u8::try_from(value).unwrap_or(u8::MAX);
                }
            }
            // The hardware waits for everything that is under way.
            "s_endpgm" | "s_endpgm_saved" | "s_endpgm_ordered_ps_done" => {
                step.wait = [0; COUNTERS];
            }
            // Its own issue takes the first state.
            "s_nop" => step.idle = self.generation.nop_states(immediate) - 1,
            _ => {}
        }
    }

    fn operation(&self, raise: &Raise, behaviour: &Behaviour, effects: &Effects) -> Operation {
        let atomic = matches!(
            behaviour.issue,
            IssueClass::VmemAtomic | IssueClass::VmemCompare | IssueClass::ImageAtomic
        );
        match (raise.counter, behaviour.unit, raise.event) {
            (Counter::Vm, _, Event::Result) if !atomic || effects.returns() => {
                Operation::VectorLoad
            }
            (Counter::Vm, ..) => Operation::VectorStore,
            (Counter::Exp, Unit::Export, _) => Operation::Export,
            (Counter::Exp, ..) => Operation::DataRead,
            (Counter::Lgkm, Unit::Flat, _) => Operation::FlatShare,
            (Counter::Lgkm, Unit::Message, _) => Operation::Message,
            (Counter::Lgkm, Unit::Smem, _) => self.scalar(behaviour.issue, effects),
            (Counter::Lgkm, ..) => Operation::Share,
        }
    }

    fn scalar(&self, class: IssueClass, effects: &Effects) -> Operation {
        let bits = effects.bits;
        match class {
            IssueClass::SmemTime | IssueClass::SmemControl => Operation::ScalarClock,
            IssueClass::Smem | IssueClass::Smem8 | IssueClass::Smem16 => {
                let literal = self.generation == Generation::Gfx7
                    && self.scalar_offset.is_some_and(|field| field.value(bits) == 0xff);
                let constant = (is_set(self.scalar_imm, bits) || literal)
                    && !is_set(self.scalar_offset_register, bits);
                let name = effects.recipe.map_or("", |recipe| recipe.name);
                // A base of 64 bits is most likely that of descriptors.
                let near = constant || !name.starts_with("s_buffer_");
                if near { Operation::ScalarNear } else { Operation::ScalarFar }
            }
            _ => Operation::ScalarFar,
        }
    }
}

fn is_set(field: Option<&Field>, bits: u64) -> bool {
    field.is_some_and(|field| field.value(bits) != 0)
}

#[derive(Debug, Clone, Copy)]
struct ResultRow {
    aco: Option<u32>,
    bands: [u32; 3],
}

fn results() -> &'static [ResultRow; Operation::ALL.len()] {
    static RESULTS: OnceLock<[ResultRow; Operation::ALL.len()]> = OnceLock::new();
    RESULTS.get_or_init(|| match parse(include_str!("../../../data/result_clocks.tsv")) {
        Ok(results) => results,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of result clocks: {message}"),
    })
}

fn parse(text: &'static str) -> Result<[ResultRow; Operation::ALL.len()], String> {
    let table = Table::parse(text)?;
    let row = |(_, name): (Operation, &'static str)| {
        let row = table.rows().find(|row| row.cell("operation") == Ok(name));
        let row = row.ok_or_else(|| format!("no operation {name}"))?;
        Ok(ResultRow {
            aco: row.optional_number("aco")?,
            bands: [row.number("best")?, row.number("typical")?, row.number("worst")?],
        })
    };
    let rows = Operation::ALL.into_iter().map(row).collect::<Result<Vec<_>, String>>()?;
    rows.try_into().map_err(|_| "an operation is missing".to_owned())
}
