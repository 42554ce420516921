//! What executing an instruction means to the wave: the unit that takes it, the
//! counters it raises, its class of issue time, and the registers it uses
//! without naming them.
//!
//! The rows are `data/behaviour.tsv` (families of mnemonics) and
//! `data/units.tsv`; what single instructions read and write unnamed is with
//! their operands in `data/operands.tsv`. Clocks are no matter of these tables:
//! a model of time attaches them to the classes.

mod kinds;

use std::sync::OnceLock;

pub use kinds::{Condition, Counter, Event, Implicit, IssueClass, Raise, Special, Unit};

use crate::Generation;
use crate::instruction::{Traits, signature};
use crate::mnemonics::{self, MnemonicInfo};
use crate::patterns::Patterns;
use crate::table::{Row, Table};

/// What executing a mnemonic means in a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    /// The unit that takes it.
    pub unit: Unit,
    /// Its class of issue time.
    pub issue: IssueClass,
    /// The counters that it raises.
    pub counters: &'static [Raise],
    /// What it reads unnamed.
    pub reads: Implicit,
    /// What it writes unnamed.
    pub writes: Implicit,
    /// Where the row is from.
    pub source: &'static str,
}

impl Unit {
    /// What it is called in sentences.
    pub fn title(self) -> &'static str {
        let found = tables().units.iter().find(|row| row.unit == self);
        found.map_or(self.name(), |row| row.title)
    }
}

impl MnemonicInfo {
    /// What executing it means in a generation; `None` where the generation lacks it.
    pub fn behaviour(&self, generation: Generation) -> Option<Behaviour> {
        let tables = tables();
        let index = mnemonics::index_of(self.name)?;
        let row = tables.rows.get(tables.by_mnemonic[index][generation as usize]? as usize)?;
        let traits = signature(self.name, generation).map(|row| row.traits).unwrap_or_default();
        let of_unit = tables
            .units
            .iter()
            .find(|unit| unit.unit == row.unit && has(unit.generations, generation))
            .map_or(Implicit::default(), |unit| unit.reads);
        let of_unit = if traits.ignores_exec() { of_unit.without(Special::Exec) } else { of_unit };
        Some(Behaviour {
            unit: row.unit,
            issue: row.issue,
            counters: &row.counters,
            reads: Implicit { bits: of_unit.bits | reads(traits).bits },
            writes: writes(traits),
            source: row.source,
        })
    }
}

fn reads(traits: Traits) -> Implicit {
    Implicit::of([
        (traits.reads_vcc(), Special::Vcc),
        (traits.reads_exec(), Special::Exec),
        (traits.reads_scc(), Special::Scc),
        (traits.reads_m0(), Special::M0),
    ])
}

fn writes(traits: Traits) -> Implicit {
    Implicit::of([
        (traits.writes_exec(), Special::Exec),
        (traits.writes_scc(), Special::Scc),
        (traits.writes_m0(), Special::M0),
    ])
}

#[derive(Debug)]
struct Family {
    patterns: &'static str,
    generations: &'static str,
    unit: Unit,
    issue: IssueClass,
    counters: Vec<Raise>,
    source: &'static str,
}

#[derive(Debug)]
struct UnitRow {
    unit: Unit,
    generations: &'static str,
    title: &'static str,
    reads: Implicit,
}

#[derive(Debug)]
struct Tables {
    rows: Vec<Family>,
    units: Vec<UnitRow>,
    /// For every mnemonic its row in each generation that has it.
    by_mnemonic: Vec<[Option<u16>; 4]>,
}

fn has(generations: &str, generation: Generation) -> bool {
    let digit = generation.name().as_bytes()[3];
    generations.bytes().any(|byte| byte == digit)
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| match parse() {
        Ok(tables) => tables,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the tables of behaviour: {message}"),
    })
}

fn parse() -> Result<Tables, String> {
    let table = Table::parse(include_str!("../../data/behaviour.tsv"))?;
    let rows = table.rows().map(|row| family(&row)).collect::<Result<Vec<_>, _>>()?;
    let table = Table::parse(include_str!("../../data/units.tsv"))?;
    let units = table.rows().map(|row| unit(&row)).collect::<Result<Vec<_>, _>>()?;
    let patterns = Patterns::of(rows.iter().map(|row| row.patterns));
    let find = |info: &MnemonicInfo, generation| {
        if !info.generations().any(|it| it == generation) {
            return None;
        }
        let found = patterns.find(info.name, |row| has(rows[row].generations, generation));
        found.and_then(|index| u16::try_from(index).ok())
    };
    let by_mnemonic = mnemonics::all()
        .iter()
        .map(|info| Generation::ALL.map(|generation| find(info, generation)))
        .collect();
    Ok(Tables { rows, units, by_mnemonic })
}

fn family(row: &Row<'_>) -> Result<Family, String> {
    let (unit, issue) = (row.cell("unit")?, row.cell("issue")?);
    Ok(Family {
        patterns: row.cell("mnemonics")?,
        generations: row.cell("generations")?,
        unit: Unit::named(unit).ok_or_else(|| row.refuse("unit", unit))?,
        issue: IssueClass::named(issue).ok_or_else(|| row.refuse("issue", issue))?,
        counters: row
            .cell("counters")?
            .split_ascii_whitespace()
            .map(|word| raise(word).ok_or_else(|| row.refuse("counters", word)))
            .collect::<Result<_, _>>()?,
        source: row.cell("source")?,
    })
}

/// `exp:source@gds`
fn raise(word: &str) -> Option<Raise> {
    let (word, condition) = match word.strip_suffix("@gds") {
        Some(word) => (word, Condition::Gds),
        None => (word, Condition::Always),
    };
    let (counter, event) = word.split_once(':')?;
    Some(Raise { counter: Counter::named(counter)?, event: Event::named(event)?, condition })
}

fn unit(row: &Row<'_>) -> Result<UnitRow, String> {
    let (name, reads) = (row.cell("unit")?, row.cell("reads")?);
    let mut all = Implicit::default();
    for word in reads.split_ascii_whitespace() {
        let special = Special::ALL.into_iter().find(|special| special.name() == word);
        all = all.with(special.ok_or_else(|| row.refuse("reads", word))?);
    }
    Ok(UnitRow {
        unit: Unit::named(name).ok_or_else(|| row.refuse("unit", name))?,
        generations: row.cell("generations")?,
        title: row.cell("title")?,
        reads: all,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics::mnemonic_info;

    fn of(name: &str, generation: Generation) -> Behaviour {
        let info = mnemonic_info(name).unwrap_or_else(|| panic!("no {name}"));
        info.behaviour(generation).unwrap_or_else(|| panic!("{name} has no row"))
    }

    /// The counters as the table writes them.
    fn counters(name: &str, generation: Generation) -> String {
        let raises = of(name, generation).counters.iter().map(|raise| {
            let suffix = if raise.condition == Condition::Gds { "@gds" } else { "" };
            format!("{}:{}{suffix}", raise.counter.name(), raise.event.name())
        });
        raises.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_mnemonic_has_a_row_where_it_exists() {
        let mut count = 0;
        for info in mnemonics::all() {
            for generation in Generation::ALL {
                let exists =
                    !info.generation_forms(generation).is_empty() || info.is_later(generation);
                count += usize::from(exists);
                assert!(
                    !exists || info.behaviour(generation).is_some(),
                    "{generation} {}",
                    info.name
                );
            }
        }
        eprintln!("{count} mnemonics of generations have unit, counters and class");
        assert!(count > 3_800, "{count}");
    }

    #[test]
    fn every_class_and_unit_is_used() {
        let all: Vec<Behaviour> = mnemonics::all()
            .iter()
            .flat_map(|info| Generation::ALL.into_iter().filter_map(|it| info.behaviour(it)))
            .collect();
        for class in IssueClass::ALL {
            assert!(all.iter().any(|it| it.issue == *class), "{}", class.name());
        }
        for unit in Unit::ALL {
            assert!(all.iter().any(|it| it.unit == *unit), "{}", unit.name());
        }
    }

    #[test]
    fn counters_follow_generation_and_kind() {
        use Generation::{Gfx6, Gfx8, Gfx9};
        assert_eq!(counters("buffer_store_dword", Gfx6), "vm:done exp:source");
        assert_eq!(counters("buffer_store_dword", Gfx8), "vm:done");
        assert_eq!(counters("flat_load_dword", Gfx9), "vm:result lgkm:result");
        assert_eq!(counters("global_load_dword", Gfx9), "vm:result");
        assert_eq!(counters("ds_add_u32", Gfx8), "lgkm:done exp:source@gds");
        assert_eq!(counters("s_buffer_load_dwordx8", Gfx9), "lgkm:result");
        assert_eq!(counters("tbuffer_load_format_xy", Gfx8), "vm:result");
        assert_eq!(counters("buffer_wbinvl1", Gfx8), "");
        assert_eq!(counters("exp", Gfx6), "exp:source");
    }

    #[test]
    fn classes_follow_the_operation() {
        use Generation::{Gfx8, Gfx9};
        for (name, class) in [
            ("v_rcp_f32", IssueClass::Trans),
            ("v_rcp_f64", IssueClass::F64Trans),
            ("v_cmpx_lt_u64", IssueClass::I64Compare),
            ("v_cmp_class_f64", IssueClass::F64Compare),
            ("v_cvt_f64_i32", IssueClass::Convert64),
            ("v_ldexp_f64", IssueClass::F64Simple),
            ("v_mul_hi_u32_u24", IssueClass::Valu32),
            ("v_mul_hi_u32", IssueClass::Imul),
            ("v_lshlrev_b64", IssueClass::Shift64),
            ("s_lshl_b64", IssueClass::Salu),
            ("s_setprio", IssueClass::Sequencer),
            ("s_and_saveexec_b64", IssueClass::SaveExec),
            ("s_load_dwordx16", IssueClass::Smem16),
            ("ds_min_rtn_f64", IssueClass::LdsAtomic64),
            ("buffer_load_format_xyzw", IssueClass::VmemLoad4),
            ("image_sample_c_d_cl_o", IssueClass::ImageSample),
        ] {
            assert_eq!(of(name, Gfx8).issue, class, "{name}");
        }
        assert_eq!(of("v_pk_fma_f16", Gfx9).issue, IssueClass::Packed);
    }

    #[test]
    fn registers_that_nobody_names() {
        use Generation::{Gfx6, Gfx8, Gfx9};
        let names = |set: Implicit| set.iter().map(Special::name).collect::<Vec<_>>().join(" ");
        let reads = |name, generation| names(of(name, generation).reads);
        let writes = |name, generation| names(of(name, generation).writes);
        assert_eq!(reads("v_add_f32", Gfx6), "exec");
        assert_eq!(reads("v_readlane_b32", Gfx6), "");
        assert_eq!(reads("v_readfirstlane_b32", Gfx6), "exec");
        assert_eq!(reads("v_div_fmas_f64", Gfx8), "vcc exec");
        assert_eq!(reads("ds_read_b32", Gfx8), "exec m0");
        assert_eq!(reads("ds_read_b32", Gfx9), "exec");
        assert_eq!(reads("flat_store_dword", Gfx8), "exec m0 flat_scratch");
        assert_eq!(reads("scratch_load_dword", Gfx9), "exec flat_scratch");
        assert_eq!(reads("v_interp_p1_f32", Gfx6), "exec m0");
        assert_eq!(reads("s_addc_u32", Gfx6), "scc");
        assert_eq!(writes("s_addc_u32", Gfx6), "scc");
        assert_eq!(writes("v_cmpx_lt_f32", Gfx9), "exec");
        assert_eq!(writes("s_or_saveexec_b64", Gfx9), "exec scc");
        assert_eq!(writes("s_mul_i32", Gfx9), "");
    }
}
