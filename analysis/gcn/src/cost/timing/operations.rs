//! What an instruction means for time: its class, the counters that its results
//! go through, and what it waits for.
//!
//! Read from mnemonic and bits once per instruction; every model then walks over
//! these small records. How long results take is `data/result_clocks.tsv`.

use std::sync::OnceLock;

use super::classes::{self, Class};
use super::{Band, Model};
use crate::Generation;
use crate::encoding::Encoding;
use crate::instruction::{Field, counter_parts, counter_value, field};
use crate::table::Table;

/// A wait counter, or what a model keeps like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counter {
    /// Vector memory.
    Vm,
    /// Exports.
    Exp,
    /// Local data share, global data share, scalar memory, messages.
    Lgkm,
    /// Stores to vector memory where a model keeps them apart; only the end waits for them.
    Stores,
}

/// How many counters there are.
pub(super) const COUNTERS: usize = 4;

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
    Export,
}

impl Operation {
    const ALL: [(Operation, &'static str); 8] = [
        (Operation::VectorLoad, "vector_load"),
        (Operation::VectorStore, "vector_store"),
        (Operation::FlatShare, "flat_share"),
        (Operation::ScalarNear, "scalar_near"),
        (Operation::ScalarFar, "scalar_far"),
        (Operation::ScalarClock, "scalar_clock"),
        (Operation::Share, "share"),
        (Operation::Export, "export"),
    ];
}

/// When the result of an operation is there, and which counter knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResultClocks {
    pub(super) counter: Counter,
    aco: u32,
    bands: [u32; 3],
}

impl ResultClocks {
    /// The row of an operation.
    pub(super) fn of(operation: Operation) -> ResultClocks {
        results()[operation as usize]
    }

    /// Clocks after the issue.
    pub(super) fn clocks(&self, model: Model, band: Band) -> u32 {
        match model {
            Model::Aco => self.aco,
            Model::Measured => self.bands[band as usize],
        }
    }
}

/// How many results a wait leaves outstanding, by [`Counter`]. A counter that is
/// not waited for is left at the largest number.
pub(super) type Wait = [u8; COUNTERS];

/// No counter is waited for.
pub(super) const NO_WAIT: Wait = [u8::MAX; COUNTERS];

/// What an instruction means for time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) class: Class,
    /// What it begins; a flat access may go two ways.
    pub(super) results: [Option<Operation>; 2],
    /// What it waits for before it issues.
    pub(super) wait: Wait,
    /// Slots that `s_nop` asks for beyond its own.
    pub(super) idle: u8,
}

/// Where the bits are that matter, in one generation.
struct Places {
    generation: Generation,
    simm16: Option<&'static Field>,
    counters: [Option<[(u32, u32); 2]>; 3],
    scalar_imm: Option<&'static Field>,
    scalar_offset_register: Option<&'static Field>,
    scalar_offset: Option<&'static Field>,
    gds: Option<&'static Field>,
    glc_buffer: Option<&'static Field>,
    glc_image: Option<&'static Field>,
    glc_flat: Option<&'static Field>,
}

impl Places {
    fn of(generation: Generation) -> &'static Places {
        static PLACES: OnceLock<[Places; 4]> = OnceLock::new();
        let all = PLACES.get_or_init(|| Generation::ALL.map(Places::find));
        &all[generation as usize]
    }

    fn find(generation: Generation) -> Places {
        let scalar = if generation <= Generation::Gfx7 { "SMRD" } else { "SMEM" };
        Places {
            generation,
            simm16: field("SOPP", generation, "simm16"),
            counters: ["vmcnt", "expcnt", "lgkmcnt"].map(|name| counter_parts(name, generation)),
            scalar_imm: field(scalar, generation, "imm"),
            scalar_offset_register: field(scalar, generation, "soffset_en"),
            scalar_offset: field(scalar, generation, "offset"),
            gds: field("DS", generation, "gds"),
            glc_buffer: field("MUBUF", generation, "glc"),
            glc_image: field("MIMG", generation, "glc"),
            glc_flat: field("FLAT", generation, "glc"),
        }
    }
}

fn is_set(field: Option<&Field>, bits: u64) -> bool {
    field.is_some_and(|field| field.value(bits) != 0)
}

impl Step {
    /// Reads an instruction: its mnemonic as the tables spell it, and its words,
    /// the first one lowest.
    pub(super) fn read(
        mnemonic: &'static str,
        encoding: Encoding,
        bits: u64,
        generation: Generation,
    ) -> Step {
        let places = Places::of(generation);
        let class = match encoding {
            Encoding::Ds if is_set(places.gds, bits) => classes::global_share(),
            _ => classes::class_of(mnemonic),
        };
        let mut step = Step { class, results: [None; 2], wait: NO_WAIT, idle: 0 };
        let vector = |glc: Option<&Field>| {
            let atomic = mnemonic.contains("_atomic_");
            let stores = mnemonic.contains("_store_") || mnemonic.contains("wbinv");
            let loads = if atomic { is_set(glc, bits) } else { !stores };
            Some(if loads { Operation::VectorLoad } else { Operation::VectorStore })
        };
        match encoding {
            Encoding::Sopp => places.control(mnemonic, bits, &mut step),
            Encoding::Smrd | Encoding::Smem => step.results[0] = places.scalar(mnemonic, bits),
            Encoding::Ds => step.results[0] = Some(Operation::Share),
            Encoding::Exp => step.results[0] = Some(Operation::Export),
            Encoding::Mubuf | Encoding::Mtbuf => step.results[0] = vector(places.glc_buffer),
            Encoding::Mimg => step.results[0] = vector(places.glc_image),
            Encoding::Flat => {
                step.results = [vector(places.glc_flat), Some(Operation::FlatShare)];
            }
            Encoding::Global | Encoding::Scratch => step.results[0] = vector(places.glc_flat),
            _ => {}
        }
        step
    }
}

impl Places {
    fn control(&self, mnemonic: &str, bits: u64, step: &mut Step) {
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
            // Older chips read three bits of the number, newer ones four.
            "s_nop" => {
                let most = if self.generation <= Generation::Gfx7 { 7 } else { 15 };
                step.idle = (immediate & most) as u8;
            }
            _ => {}
        }
    }

    fn scalar(&self, mnemonic: &str, bits: u64) -> Option<Operation> {
        let loads = mnemonic.contains("_load_");
        if !loads {
            let writes = mnemonic.contains("_store_") || mnemonic.contains("_atomic_");
            return Some(if writes { Operation::ScalarFar } else { Operation::ScalarClock });
        }
        let literal = self.generation == Generation::Gfx7
            && self.scalar_offset.is_some_and(|field| field.value(bits) == 0xff);
        let constant = (is_set(self.scalar_imm, bits) || literal)
            && !is_set(self.scalar_offset_register, bits);
        let descriptor = !mnemonic.starts_with("s_buffer_");
        Some(if descriptor || constant { Operation::ScalarNear } else { Operation::ScalarFar })
    }
}

fn results() -> &'static [ResultClocks; 8] {
    static RESULTS: OnceLock<[ResultClocks; 8]> = OnceLock::new();
    RESULTS.get_or_init(|| match parse(include_str!("../../../data/result_clocks.tsv")) {
        Ok(results) => results,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of result clocks: {message}"),
    })
}

fn parse(text: &'static str) -> Result<[ResultClocks; 8], String> {
    let table = Table::parse(text)?;
    let rows: Vec<_> = table.rows().collect();
    let mut results = Vec::new();
    for (operation, name) in Operation::ALL {
        let row = rows.iter().find(|row| row.cell("operation") == Ok(name));
        let row = row.filter(|_| results.len() == operation as usize);
        let row = row.ok_or_else(|| format!("no operation {name}"))?;
        let counter = row.cell("counter")?;
        results.push(ResultClocks {
            counter: match counter {
                "vm" => Counter::Vm,
                "exp" => Counter::Exp,
                "lgkm" => Counter::Lgkm,
                "stores" => Counter::Stores,
                _ => return Err(row.refuse("counter", counter)),
            },
            aco: row.number("aco")?,
            bands: [row.number("best")?, row.number("typical")?, row.number("worst")?],
        });
    }
    results.try_into().map_err(|_| "an operation is missing".to_owned())
}
