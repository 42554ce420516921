//! The table of pairs, and the kinds of instructions that it names.

use std::sync::OnceLock;

use crate::table::Table;

/// Kinds of instruction with the names of the table.
macro_rules! kinds {
    ($type:ident { $($member:ident $name:literal,)* }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $type { $($member,)* }

        impl $type {
            fn named(name: &str) -> Option<$type> {
                match name { $($name => Some($type::$member),)* _ => None }
            }
        }
    };
}

kinds! {
    First {
        Valu "valu",
        Salu "salu",
        SetRegister "setreg",
        SetSkip "setvskip",
        WideStore "wide-store",
        Interpolation "interp",
        Product "mfma",
        Product4 "mfma-4x4",
        Product16 "mfma-16x16",
        Product32 "mfma-32x32",
        AccumulatorRead "accvgpr-read",
        AccumulatorWrite "accvgpr-write",
    }
}

kinds! {
    Through {
        Scalar "sgpr",
        Vcc "vcc",
        Vector "vgpr",
        Exec "exec",
        M0 "m0",
        Hardware "hwreg",
        SkipMode "vskip",
        TrapStatus "trapsts",
        Data "data",
        Accumulator "agpr",
        Addend "mfma-c",
    }
}

kinds! {
    Then {
        ScalarMemory "smem",
        ScalarBuffer "smem-buffer",
        VectorMemory "vmem",
        LaneSelect "lane-select",
        LaneRead "lane-read",
        DivisionStep "div-fmas",
        VccZero "vccz-source",
        ExecZero "execz-source",
        Dpp "dpp",
        GetRegister "getreg",
        SetRegister "setreg",
        Vector "vector",
        Return "rfe",
        GlobalShare "gds",
        Message "message",
        Interpolation "interp",
        MoveRelative "movrel",
        AddThread "addtid",
        LoadToShare "lds-dma",
        ShareDirect "lds-direct",
        Valu "valu",
        Factor "mfma-ab",
        Addend "mfma-c",
        AccumulatorRead "accvgpr-read",
        AccumulatorWrite "accvgpr-write",
        MatrixInput "matrix-input",
        Memory "memory",
    }
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) generations: &'static str,
    pub(super) first: First,
    pub(super) through: Through,
    pub(super) then: Then,
    pub(super) states: u8,
    /// Who asks for the states and who does without, where they do not agree.
    pub(super) only: Option<(&'static str, &'static str)>,
}

/// All of them.
pub(super) fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| match parse() {
        Ok(rules) => rules,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of hazards: {message}"),
    })
}

fn parse() -> Result<Vec<Rule>, String> {
    let table = Table::parse(include_str!("../../../data/hazards.tsv"))?;
    table
        .rows()
        .map(|row| {
            let cell = |column: &str| row.cell(column);
            let (first, through, then) = (cell("first")?, cell("through")?, cell("then")?);
            let states = row.number("states")?;
            Ok(Rule {
                generations: cell("generations")?,
                first: First::named(first).ok_or_else(|| row.refuse("first", first))?,
                through: Through::named(through).ok_or_else(|| row.refuse("through", through))?,
                then: Then::named(then).ok_or_else(|| row.refuse("then", then))?,
                states: u8::try_from(states).map_err(|_| row.refuse("states", "many"))?,
                only: match cell("agreed")? {
                    "yes" => None,
                    other => Some(
                        other.split_once(", not ").ok_or_else(|| row.refuse("agreed", other))?,
                    ),
                },
            })
        })
        .collect()
}
