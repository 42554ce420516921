//! How long the classes of instructions take on a chip: `data/issue_clocks.tsv`.

use std::sync::OnceLock;

use super::{Model, Profile};
use crate::Target;
use crate::behaviour::{IssueClass, Unit};
use crate::table::{Row, Table};

/// A part of the compute unit that instructions keep busy, as sums of time tell
/// them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Vector arithmetic, interpolation, matrices.
    Valu,
    /// Scalar arithmetic.
    Salu,
    /// Scalar memory.
    Smem,
    /// Branches and messages.
    Branch,
    /// Local data share.
    Lds,
    /// Exports and the global data share.
    Export,
    /// Vector memory of any kind.
    Vmem,
    /// None: waits, ends, no-operations.
    None,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 8] = [
        Group::Valu,
        Group::Salu,
        Group::Smem,
        Group::Branch,
        Group::Lds,
        Group::Export,
        Group::Vmem,
        Group::None,
    ];

    /// The word used in output: `valu`, `salu`, `smem`, `branch`, `lds`, `export`, `vmem`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Group::Valu => "valu",
            Group::Salu => "salu",
            Group::Smem => "smem",
            Group::Branch => "branch",
            Group::Lds => "lds",
            Group::Export => "export",
            Group::Vmem => "vmem",
            Group::None => "none",
        }
    }

    /// The group of a unit.
    pub fn of(unit: Unit) -> Group {
        match unit {
            Unit::Sequencer => Group::None,
            Unit::Branch | Unit::Message => Group::Branch,
            Unit::Salu => Group::Salu,
            Unit::Smem => Group::Smem,
            Unit::Valu | Unit::Matrix | Unit::Interp => Group::Valu,
            Unit::Lds => Group::Lds,
            Unit::Gds | Unit::Export => Group::Export,
            Unit::Vmem | Unit::Scratch | Unit::Flat => Group::Vmem,
        }
    }

    /// Whether the four SIMDs of a compute unit share it, so that the waves of all
    /// four compete for it.
    fn is_shared(self) -> bool {
        matches!(self, Group::Lds | Group::Export | Group::Vmem)
    }
}

/// Clocks of an issue slot.
pub(super) const SLOT: u32 = 4;
/// SIMDs that share a compute unit.
const SIMDS: u32 = 4;

/// What an instruction of a class costs on a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IssueCost {
    /// Clocks until the wave may issue its next instruction.
    pub(super) issue: u32,
    /// The same where it is a branch that is surely taken.
    pub(super) taken: u32,
    /// Clocks for which a shared unit is taken, in the share of one SIMD.
    shared: Option<u32>,
    /// Whether the model has a figure; else one slot is charged.
    pub(super) known: bool,
}

impl IssueCost {
    /// A slot, for what no model knows.
    pub(super) const SLOT: IssueCost =
        IssueCost { issue: SLOT, taken: SLOT, shared: None, known: false };

    /// Clocks for which its group's unit is busy.
    pub(super) fn busy(&self, group: Group) -> u32 {
        self.shared.filter(|_| group.is_shared()).unwrap_or(self.issue)
    }
}

/// The cost of every class on a chip.
#[derive(Debug, Clone)]
pub(super) struct Costs(Vec<IssueCost>);

impl Costs {
    pub(super) fn new(model: Model, profile: Profile, target: Target) -> Costs {
        let cost = |row: &ClassRow| {
            let own = row.gfx906.filter(|_| target.row().processor == "gfx906");
            let clocks = match (model, own) {
                (Model::Aco, _) => row.aco.on(target, profile),
                (Model::Measured, Some(own)) => Some([own; 2]),
                (Model::Measured, None) => row.measured.on(target, profile),
            };
            let [issue, taken] = clocks.unwrap_or([SLOT; 2]);
            let shared = row.busy.filter(|_| model == Model::Measured).map(|busy| busy * SIMDS);
            IssueCost { issue, taken, shared, known: clocks.is_some() }
        };
        Costs(rows().iter().map(cost).collect())
    }

    /// The cost of a class.
    pub(super) fn of(&self, class: IssueClass) -> IssueCost {
        self.0.get(class as usize).copied().unwrap_or(IssueCost::SLOT)
    }
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
    /// By whether a branch is taken: no, yes.
    ByWay([u32; 2]),
    /// The model has none.
    Unknown,
}

impl Clocks {
    /// The clocks on a chip; of a branch those when it is passed and when it is taken.
    fn on(self, target: Target, profile: Profile) -> Option<[u32; 2]> {
        let clocks = match self {
            Clocks::Fixed(clocks) => clocks,
            Clocks::ByRate(clocks) => match target.row().fp64_rate {
                "1/2" => clocks[0],
                "1/4" => clocks[1],
                "1/8" => clocks[2],
                _ => clocks[3],
            },
            Clocks::ByMultiplyAdd([fast, _]) if target.row().fast_fma => fast,
            Clocks::ByMultiplyAdd([_, slow]) => slow,
            Clocks::ByProfile([mesa22, mesa25]) => match profile {
                Profile::Mesa22 => mesa22,
                Profile::Mesa25 => mesa25,
            },
            Clocks::ByWay(ways) => return Some(ways),
            Clocks::Unknown => return None,
        };
        Some([clocks; 2])
    }

    fn parse(row: &Row<'_>, column: &str) -> Result<Clocks, String> {
        let cell = row.cell(column)?;
        let refuse = || row.refuse(column, cell);
        let list = |separator: char| -> Result<Vec<u32>, String> {
            let numbers = cell.split(separator).map(str::parse);
            numbers.collect::<Result<_, _>>().map_err(|_| refuse())
        };
        let pair = |separator: char| <[u32; 2]>::try_from(list(separator)?).map_err(|_| refuse());
        match cell {
            "-" => Ok(Clocks::Unknown),
            _ if cell.contains('|') => Ok(Clocks::ByMultiplyAdd(pair('|')?)),
            _ if cell.contains(';') => Ok(Clocks::ByProfile(pair(';')?)),
            _ if cell.contains(',') => match *list(',')? {
                [passed, taken] => Ok(Clocks::ByWay([passed, taken])),
                [a, b, c, d] => Ok(Clocks::ByRate([a, b, c, d])),
                _ => Err(refuse()),
            },
            _ => row.number(column).map(Clocks::Fixed),
        }
    }
}

#[derive(Debug)]
struct ClassRow {
    aco: Clocks,
    measured: Clocks,
    gfx906: Option<u32>,
    busy: Option<u32>,
}

/// The rows in the order of [`IssueClass::ALL`].
fn rows() -> &'static [ClassRow] {
    static ROWS: OnceLock<Vec<ClassRow>> = OnceLock::new();
    ROWS.get_or_init(|| match parse(include_str!("../../../data/issue_clocks.tsv")) {
        Ok(rows) => rows,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of issue clocks: {message}"),
    })
}

fn parse(text: &'static str) -> Result<Vec<ClassRow>, String> {
    let table = Table::parse(text)?;
    if let Some(row) = table.rows().find(|row| row.cell("class").map(IssueClass::named) == Ok(None))
    {
        return Err(row.refuse("class", row.cell("class")?));
    }
    let row = |class: &IssueClass| {
        let mut rows = table.rows().filter(|row| row.cell("class") == Ok(class.name()));
        let (Some(row), None) = (rows.next(), rows.next()) else {
            return Err(format!("{} has not one row", class.name()));
        };
        Ok(ClassRow {
            aco: Clocks::parse(&row, "aco")?,
            measured: Clocks::parse(&row, "measured")?,
            gfx906: row.optional_number("gfx906")?,
            busy: row.optional_number("busy")?,
        })
    };
    IssueClass::ALL.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics::mnemonic_info;

    fn issue(mnemonic: &str, model: Model, target: &str) -> u32 {
        let target = Target::find(target).expect(target);
        let info = mnemonic_info(mnemonic).expect(mnemonic);
        let behaviour = info.behaviour(target.generation()).expect(mnemonic);
        Costs::new(model, Profile::Mesa25, target).of(behaviour.issue).issue
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
            assert_eq!(issue(mnemonic, Model::Measured, target), measured, "{mnemonic} {target}");
            assert_eq!(issue(mnemonic, Model::Aco, target), aco, "{mnemonic} {target}");
        }
    }

    #[test]
    fn versions_of_mesa_differ_in_branches() {
        let cost =
            |profile| Costs::new(Model::Aco, profile, Target::default()).of(IssueClass::Branch);
        assert_eq!((cost(Profile::Mesa22).issue, cost(Profile::Mesa25).issue), (8, 4));
    }

    #[test]
    fn shared_units_are_shared_by_four() {
        let costs = Costs::new(Model::Measured, Profile::Mesa25, Target::default());
        let read = costs.of(IssueClass::LdsRead128);
        assert_eq!((read.issue, read.busy(Group::Lds)), (16, 32));
        assert_eq!(costs.of(IssueClass::Trans).busy(Group::Valu), 16);
    }
}
