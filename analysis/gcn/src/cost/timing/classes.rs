//! Which class of issue clocks a mnemonic has, and what a class costs on a chip.
//!
//! The rows are `data/issue_clocks.tsv`. Patterns are matched once for every
//! mnemonic when the table is first asked for; afterwards a class is a number.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{Model, Profile};
use crate::table::{Row, Table};
use crate::{Target, mnemonics};

/// What an instruction keeps busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// The SIMD's vector lanes.
    Valu,
    /// The scalar unit.
    Salu,
    /// Scalar memory.
    Smem,
    /// Branches and messages.
    Branch,
    /// Local data share.
    Lds,
    /// Exports and the global data share.
    Export,
    /// Vector memory: buffers, images, flat.
    Vmem,
    /// None: waits, ends, no-operations.
    None,
}

impl Unit {
    /// All, in the order of [`Unit`] as an index.
    pub const ALL: [Unit; 8] = [
        Unit::Valu,
        Unit::Salu,
        Unit::Smem,
        Unit::Branch,
        Unit::Lds,
        Unit::Export,
        Unit::Vmem,
        Unit::None,
    ];

    /// The word used in output: `valu`, `salu`, `smem`, `branch`, `lds`, `export`, `vmem`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Valu => "valu",
            Unit::Salu => "salu",
            Unit::Smem => "smem",
            Unit::Branch => "branch",
            Unit::Lds => "lds",
            Unit::Export => "export",
            Unit::Vmem => "vmem",
            Unit::None => "none",
        }
    }

    /// Whether the four SIMDs of a compute unit share it, so that the waves of
    /// all four compete for it.
    pub(super) fn is_shared(self) -> bool {
        matches!(self, Unit::Lds | Unit::Export | Unit::Vmem)
    }
}

/// What an instruction of a class costs on one chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IssueCost {
    /// Clocks until the wave may issue its next instruction.
    pub(super) issue: u32,
    /// Clocks of a SIMD's share of the unit.
    pub(super) busy: u32,
    /// The unit.
    pub(super) unit: Unit,
    /// Whether the model has a figure for it; else the class is charged as one slot.
    pub(super) known: bool,
}

/// A class's number: a row of the table.
pub(super) type Class = u8;

#[derive(Debug)]
struct ClassRow {
    name: &'static str,
    unit: Unit,
    aco: Clocks,
    measured: Clocks,
    gfx906: Option<u32>,
    busy: Option<u32>,
}

/// A cell of clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clocks {
    Fixed(u32),
    /// By the rate of 64-bit arithmetic: 1/2, 1/4, 1/8, 1/16.
    ByRate([u32; 4]),
    /// By the rate of 32-bit fused multiply-add: full, or a quarter.
    ByMultiplyAdd([u32; 2]),
    /// By the version of Mesa: 22.3, 25.0.
    ByProfile([u32; 2]),
    /// The model has none.
    Unknown,
}

/// Clocks of an issue slot.
pub(super) const SLOT: u32 = 4;
/// SIMDs that share a compute unit.
const SIMDS: u32 = 4;

#[derive(Debug)]
struct Classes {
    rows: Vec<ClassRow>,
    by_mnemonic: FxHashMap<&'static str, Class>,
    global_share: Class,
    /// What no row fits.
    fallback: Class,
}

/// The class of a mnemonic as the table of mnemonics spells it.
pub(super) fn class_of(mnemonic: &str) -> Class {
    let classes = classes();
    classes.by_mnemonic.get(mnemonic).copied().unwrap_or(classes.fallback)
}

/// The class of data share instructions that go to the global one.
pub(super) fn global_share() -> Class {
    classes().global_share
}

/// The name of a class: `f32_fma`.
pub(super) fn name(class: Class) -> &'static str {
    classes().rows.get(usize::from(class)).map_or("", |row| row.name)
}

/// The cost of every class on a chip, by its number.
pub(super) fn costs(model: Model, profile: Profile, target: Target) -> Vec<IssueCost> {
    let cost = |row: &ClassRow| {
        let clocks = match model {
            Model::Aco => row.aco.on(target, profile),
            Model::Measured => match row.gfx906 {
                Some(own) if target.row().processor == "gfx906" => Some(own),
                _ => row.measured.on(target, profile),
            },
        };
        let issue = clocks.unwrap_or(SLOT);
        let busy = match row.busy {
            Some(busy) if model == Model::Measured && row.unit.is_shared() => busy * SIMDS,
            _ => issue,
        };
        IssueCost { issue, busy, unit: row.unit, known: clocks.is_some() }
    };
    classes().rows.iter().map(cost).collect()
}

impl Clocks {
    fn on(self, target: Target, profile: Profile) -> Option<u32> {
        match self {
            Clocks::Fixed(clocks) => Some(clocks),
            Clocks::ByRate(clocks) => Some(match target.row().fp64_rate {
                "1/2" => clocks[0],
                "1/4" => clocks[1],
                "1/8" => clocks[2],
                _ => clocks[3],
            }),
            Clocks::ByMultiplyAdd([fast, slow]) => {
                Some(if target.row().fast_fma { fast } else { slow })
            }
            Clocks::ByProfile([mesa22, mesa25]) => Some(match profile {
                Profile::Mesa22 => mesa22,
                Profile::Mesa25 => mesa25,
            }),
            Clocks::Unknown => None,
        }
    }

    fn parse(row: &Row<'_>, column: &str) -> Result<Clocks, String> {
        let cell = row.cell(column)?;
        let list = |separator: char| -> Result<Vec<u32>, String> {
            let numbers = cell.split(separator).map(str::parse);
            numbers.collect::<Result<_, _>>().map_err(|_| row.refuse(column, cell))
        };
        let pair = |separator: char| {
            <[u32; 2]>::try_from(list(separator)?).map_err(|_| row.refuse(column, cell))
        };
        match cell {
            "-" => Ok(Clocks::Unknown),
            _ if cell.contains('|') => Ok(Clocks::ByMultiplyAdd(pair('|')?)),
            _ if cell.contains(';') => Ok(Clocks::ByProfile(pair(';')?)),
            _ if cell.contains(',') => {
                let numbers = <[u32; 4]>::try_from(list(',')?);
                Ok(Clocks::ByRate(numbers.map_err(|_| row.refuse(column, cell))?))
            }
            _ => row.number(column).map(Clocks::Fixed),
        }
    }
}

fn classes() -> &'static Classes {
    static CLASSES: OnceLock<Classes> = OnceLock::new();
    CLASSES.get_or_init(|| match parse(include_str!("../../../data/issue_clocks.tsv")) {
        Ok(classes) => classes,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of issue clocks: {message}"),
    })
}

fn parse(text: &'static str) -> Result<Classes, String> {
    let table = Table::parse(text)?;
    let mut rows = Vec::new();
    let mut patterns: Vec<(&str, Class)> = Vec::new();
    for row in table.rows() {
        let class = Class::try_from(rows.len()).map_err(|_| "too many classes".to_owned())?;
        patterns.extend(row.cell("mnemonics")?.split_ascii_whitespace().map(|it| (it, class)));
        let unit = row.cell("unit")?;
        rows.push(ClassRow {
            name: row.cell("class")?,
            unit: Unit::ALL
                .into_iter()
                .find(|it| it.name() == unit)
                .ok_or_else(|| row.refuse("unit", unit))?,
            aco: Clocks::parse(&row, "aco")?,
            measured: Clocks::parse(&row, "measured")?,
            gfx906: row.optional_number("gfx906")?,
            busy: row.optional_number("busy")?,
        });
    }
    let named = |name: &str| {
        let index = rows.iter().position(|row: &ClassRow| row.name == name);
        index.map(|index| index as Class).ok_or_else(|| format!("no class {name}"))
    };
    let (global_share, fallback) = (named("global_share")?, named("wait")?);
    let mut by_mnemonic = FxHashMap::default();
    for info in mnemonics::all() {
        let found = patterns.iter().find(|(pattern, _)| fits(pattern, info.name));
        let (_, class) = found.ok_or_else(|| format!("{} has no class", info.name))?;
        by_mnemonic.insert(info.name, *class);
    }
    Ok(Classes { rows, by_mnemonic, global_share, fallback })
}

/// Whether a name fits a pattern, where `*` stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(head) else { return false };
    if rest.is_empty() {
        return true;
    }
    (0..=name.len()).filter(|at| name.is_char_boundary(*at)).any(|at| fits(rest, &name[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(mnemonic: &str, model: Model, target: &str) -> (u32, Unit) {
        let target = Target::find(target).expect(target);
        let cost = costs(model, Profile::Mesa25, target)[usize::from(class_of(mnemonic))];
        (cost.issue, cost.unit)
    }

    #[test]
    fn rates_are_the_chips() {
        for (mnemonic, target, measured, aco) in [
            ("v_add_f32", "tahiti", 4, 4),
            ("v_fma_f32", "tahiti", 4, 4),
            ("v_fma_f32", "polaris10", 16, 16),
            ("v_add_f64", "tahiti", 8, 32),
            ("v_mul_f64", "tahiti", 16, 64),
            ("v_mul_f64", "hawaii", 32, 64),
            ("v_mul_f64", "vega10", 64, 64),
            ("v_add_f64", "vega20", 8, 32),
            ("v_div_scale_f32", "bonaire", 16, 4),
            ("v_div_fixup_f64", "bonaire", 32, 4),
            ("v_cvt_f32_f64", "bonaire", 32, 16),
            ("v_cmp_lt_f64", "bonaire", 32, 64),
            ("v_cmp_lt_u64", "bonaire", 32, 8),
            ("v_mul_lo_u32", "vega10", 16, 16),
            ("v_mul_lo_u16", "vega10", 4, 4),
            ("s_and_saveexec_b64", "vega10", 8, 4),
            ("s_load_dwordx8", "vega10", 8, 4),
            ("ds_read_b128", "vega10", 16, 4),
            ("s_cbranch_scc0", "vega10", 4, 4),
        ] {
            assert_eq!(cost(mnemonic, Model::Measured, target).0, measured, "{mnemonic} {target}");
            assert_eq!(cost(mnemonic, Model::Aco, target).0, aco, "{mnemonic} {target}");
        }
    }

    #[test]
    fn every_mnemonic_has_the_unit_of_its_name() {
        for info in mnemonics::all() {
            let (_, unit) = cost(info.name, Model::Measured, "vega10");
            let expected = match info.name.split('_').next() {
                Some("v") => unit == Unit::Valu,
                Some("ds") => unit == Unit::Lds,
                Some("exp") => unit == Unit::Export,
                Some("s") => {
                    matches!(unit, Unit::Salu | Unit::Smem | Unit::Branch | Unit::None)
                }
                _ => unit == Unit::Vmem,
            };
            assert!(expected, "{}: {unit:?}", info.name);
        }
    }

    #[test]
    fn patterns() {
        assert!(fits("v_*_f64", "v_add_f64") && !fits("v_*_f64", "v_add_f64x"));
        assert!(fits("s_*", "s_") && !fits("s_", "s_x") && !fits("-", "ds_read_b32"));
        assert!(fits("a*b*c", "axxbyyc") && !fits("a*b*c", "axxc"));
    }
}
