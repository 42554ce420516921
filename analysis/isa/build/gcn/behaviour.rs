//! The meaning of opcodes to the wave: `behaviour.tsv` for families, `units.tsv`
//! for what whole units read, and what `operands.tsv` says of single opcodes.

use tables::print::array;

use super::Input;
use super::families::{self, Resolved};
use super::operands::Operands;
use super::when::When;
use crate::plain::behaviour::{
    Behaviour, Condition, Control, Counter, CounterEvent, CounterInc, Implicit, IssueClass,
    Special, Unit,
};
use crate::plain::operand::OpFlags;
use tables::{Result, Row};

/// Returns the code for the behaviour of opcodes, its number for each, and the row that each
/// has.
pub(crate) fn read(input: Input<'_>, operands: &Operands) -> Result<(String, Resolved, Resolved)> {
    let units = Units::read(input)?;
    let table = input.table("behaviour")?;
    let rows: Vec<Behaviour> = table.rows().map(row).collect::<Result<_, _>>()?;
    let rows_of = families::resolve(&table, input, families::fits, |_| true)?;
    let mut all: Vec<Behaviour> = Vec::new();
    let mut of = vec![vec![None; input.features.sets().len()]; input.ops.len()];
    for (number, of) in of.iter_mut().enumerate() {
        for (place, set) in input.features.sets().iter().enumerate() {
            let Some(row) = rows_of[number][place] else { continue };
            let flags = operands.of[number][place].map(|row| operands.rows[row].flags);
            let flags = flags.unwrap_or_default();
            let mut reads = units.reads(rows[row].unit, *set);
            if flags.ignores_exec() {
                reads.bits &= !(1 << Special::Exec as u8);
            }
            let behaviour = Behaviour {
                reads: Implicit { bits: reads.bits | self::reads(flags).bits },
                writes: writes(flags),
                ..rows[row]
            };
            of[place] = Some(families::number_in(&mut all, behaviour));
        }
    }
    let print = |it: &Behaviour| {
        let Behaviour { unit, issue, control, counters, reads, writes, source } = it;
        format!(
            "    Behaviour {{ unit: {unit:?}, issue: {issue:?}, control: Control::{control:?}, counters: &{counters:?}, reads: \
             {reads:?}, writes: {writes:?}, source: {source:?} }},\n"
        )
    };
    let printed: Vec<String> = all.iter().map(print).collect();
    let code = array("BEHAVIOURS", "Behaviour", &printed)
        + &families::numbers("BEHAVIOURS_OF", &of)
        + &units.titles()?;
    Ok((format!("pub(super) {code}"), of, rows_of))
}

fn row(row: Row<'_>) -> Result<Behaviour> {
    let counters = row.cell("counters")?.split_ascii_whitespace().map(inc);
    let counters: Option<Vec<CounterInc>> = counters.collect();
    Ok(Behaviour {
        unit: row.named("unit", Unit::named)?,
        issue: row.named("issue", IssueClass::named)?,
        control: row.named("control", Control::named)?,
        counters: counters.ok_or_else(|| row.refuse("counters"))?.leak(),
        reads: Implicit::default(),
        writes: Implicit::default(),
        source: row.cell("source")?.to_owned().leak(),
    })
}

/// Reads `exp:source@gds`.
fn inc(word: &str) -> Option<CounterInc> {
    let (word, condition) = match word.strip_suffix("@gds") {
        Some(word) => (word, Condition::Gds),
        None => (word, Condition::Always),
    };
    let (counter, event) = word.split_once(':')?;
    Some(CounterInc {
        counter: Counter::named(counter)?,
        event: CounterEvent::named(event)?,
        condition,
    })
}

fn reads(flags: OpFlags) -> Implicit {
    implicit([
        (flags.reads_vcc(), Special::Vcc),
        (flags.reads_exec(), Special::Exec),
        (flags.reads_scc(), Special::Scc),
        (flags.reads_m0(), Special::M0),
    ])
}

fn writes(flags: OpFlags) -> Implicit {
    implicit([
        (flags.writes_exec(), Special::Exec),
        (flags.writes_scc(), Special::Scc),
        (flags.writes_m0(), Special::M0),
    ])
}

fn implicit(pairs: impl IntoIterator<Item = (bool, Special)>) -> Implicit {
    let used = pairs.into_iter().filter(|(used, _)| *used);
    used.fold(Implicit::default(), |all, (_, special)| all.with(special))
}

/// The units: for the chips of an expression what each reads, and its title.
struct Units(Vec<(Unit, When, Implicit, String)>);

impl Units {
    fn read(input: Input<'_>) -> Result<Units> {
        let table = input.table("units")?;
        let read = |row: Row<'_>| {
            let mut reads = Implicit::default();
            for word in row.cell("reads")?.split_ascii_whitespace() {
                reads = reads.with(Special::named(word).ok_or_else(|| row.refuse("reads"))?);
            }
            let unit = row.named("unit", Unit::named)?;
            Ok((unit, input.features.when(row, "when")?, reads, row.cell("title")?.to_owned()))
        };
        table.rows().map(read).collect::<Result<_>>().map(Units)
    }

    fn reads(&self, unit: Unit, features: u64) -> Implicit {
        let found = self.0.iter().find(|it| it.0 == unit && it.1.holds(features));
        found.map_or(Implicit::default(), |it| it.2)
    }

    fn titles(&self) -> Result<String> {
        let title = |unit: &Unit| {
            let found = self.0.iter().find(|it| it.0 == *unit);
            found.map(|it| it.3.as_str()).ok_or(format!("gcn/units.tsv: `{}` lacks", unit.name()))
        };
        let titles = Unit::ALL.iter().map(title).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("static UNIT_TITLES: [&str; {}] = {titles:?};\n", titles.len()))
    }
}
