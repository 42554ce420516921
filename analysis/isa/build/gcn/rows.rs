//! Tables each of whose rows becomes one constant.

use tables::print::array;

use super::Input;
use super::families;
use super::opcodes;
use crate::plain::OpGroup;
use crate::plain::behaviour::IssueClass;
use crate::plain::hazard::{Certainty, Consumer, Producer, Via};
use crate::plain::names::{Dialect, NameKind, SuffixPlace};
use crate::plain::timing::{Clocks, Operation};
use tables::{Result, Row, Table};

/// Returns the code for all of them.
pub(crate) fn code(input: Input<'_>) -> Result<String> {
    Ok([
        input.constants("messages", "NAMES", "Named", |row| input.message(row))?,
        input.unknown_names()?,
        input.constants("renames", "RENAMES", "&[Opcode]", |row| input.rename(row))?,
        input.constants("image_suffixes", "SUFFIXES", "Suffix", suffix)?,
        input.groups()?,
        input.constants("hazards", "HAZARDS", "Hazard", |row| input.hazard(row))?,
        input.clocks()?,
    ]
    .concat())
}

impl Input<'_> {
    /// Prints the group of each opcode, and the suffixes in the names of those on images.
    fn groups(&self) -> Result<String> {
        use OpGroup::*;
        let table = self.table("groups")?;
        let named: Vec<OpGroup> =
            table.rows().map(|row| row.named("group", OpGroup::named)).collect::<Result<_, _>>()?;
        let of = families::resolve(&table, *self, families::fits, |_| false)?;
        let group = |of: &Vec<Option<usize>>| of.iter().flatten().next().map(|row| named[*row]);
        let groups: Vec<Option<OpGroup>> = of.iter().map(group).collect();
        let table = self.table("image_suffixes")?;
        let words: Vec<&str> =
            table.rows().map(|row| row.cell("suffix")).collect::<Result<_, _>>()?;
        let mut rows = Vec::new();
        for (op, group) in self.ops.iter().zip(&groups) {
            let Some(ImageLoad | ImageStore | ImageSample | ImageGather) = group else {
                continue;
            };
            let mut suffixes = String::new();
            // The first two words say that it is of images, and what it does.
            for word in op.name.split('_').skip(2) {
                let known = words.iter().position(|it| *it == word);
                let known = known.ok_or_else(|| {
                    format!("gcn/image_suffixes.tsv: `{word}` of `{}` is not there", op.name)
                })?;
                suffixes += &format!("&SUFFIXES[{known}], ");
            }
            rows.push(format!("    (Opcode::{}, &[{suffixes}]),\n", op.name));
        }
        let groups = format!("static GROUPS: [Option<OpGroup>; {}] = {groups:?};\n", groups.len());
        Ok(groups + &array("SUFFIXES_OF", "(Opcode, &[&Suffix])", &rows))
    }

    fn constants(
        &self,
        file: &str,
        name: &str,
        ty: &str,
        print: impl Fn(Row<'_>) -> Result<String>,
    ) -> Result<String> {
        let table = self.table(file)?;
        let rows = table.rows().map(print).collect::<Result<Vec<_>, _>>()?;
        Ok(array(name, ty, &rows))
    }

    fn message(&self, row: Row<'_>) -> Result<String> {
        let kind = row.named("kind", NameKind::named)?;
        let number: u8 = row.number("number")?;
        Ok(format!(
            "Named {{ kind: {kind:?}, name: {:?}, number: {number}, when: {} }},\n",
            row.cell("name")?,
            self.features.when(row, "when")?.code()
        ))
    }

    fn opcode(&self, row: Row<'_>, name: &str) -> Result<String> {
        opcodes::find(self.ops, name)
            .map(|number| format!("Opcode::{}", self.ops[number].name))
            .ok_or_else(|| row.error(format!("no opcode is called `{name}`")))
    }

    /// Prints the names that a dialect does not know.
    fn unknown_names(&self) -> Result<String> {
        let table = self.table("spellings")?;
        let print = |row: Row<'_>| {
            Ok(format!(
                "    UnknownName {{ opcode: {}, dialect: {:?}, when: {}, instead: {:?} }},\n",
                self.opcode(row, row.cell("name")?)?,
                row.named("dialect", Dialect::named)?,
                self.features.when(row, "when")?.code(),
                row.cell("stands_for")?
            ))
        };
        let rows = table.rows().filter(|row| row.cell("forms") == Ok("none")).map(print);
        Ok(array("UNKNOWN_NAMES", "UnknownName", &rows.collect::<Result<Vec<_>>>()?))
    }

    fn rename(&self, row: Row<'_>) -> Result<String> {
        let names = row.cell("names")?.split(' ').map(|name| self.opcode(row, name));
        Ok(format!("&[{}],\n", names.collect::<Result<Vec<_>, _>>()?.join(", ")))
    }

    fn hazard(&self, row: Row<'_>) -> Result<String> {
        let states = states(row)?;
        let only = match row.cell("agreed")? {
            "yes" => None,
            other => Some(other.split_once(", not ").ok_or_else(|| row.refuse("agreed"))?),
        };
        Ok(format!(
            "Hazard {{ when: {}, producer: {:?}, via: {:?}, consumer: {:?}, states: {states}, \
             certainty: {:?}, only: {only:?} }},\n",
            self.features.when(row, "when")?.code(),
            row.named("producer", Producer::named)?,
            row.named("via", Via::named)?,
            row.named("consumer", Consumer::named)?,
            row.named("severity", Certainty::named)?,
        ))
    }

    /// Prints the clocks of issue classes and of operations, in the order of their enums.
    fn clocks(&self) -> Result<String> {
        let table = self.table("issue_clocks")?;
        let issue = in_order(&table, "class", IssueClass::ALL.iter().map(|it| it.name()), issue)?;
        let table = self.table("result_clocks")?;
        let names = Operation::ALL.iter().map(|it| it.name());
        let results = in_order(&table, "operation", names, |row| {
            Ok(format!(
                "ResultClocks {{ aco: {:?}, bands: {:?} }},\n",
                row.optional_number("aco")?,
                [row.number::<u32>("best")?, row.number("typical")?, row.number("worst")?]
            ))
        })?;
        let issue = array("ISSUE_CLOCKS", "IssueClocks", &issue);
        Ok(issue + &array("RESULT_CLOCKS", "ResultClocks", &results))
    }
}

/// Prints the states of a hazard: a number, or `2:5 8:11`, which are passes and states.
fn states(row: Row<'_>) -> Result<String> {
    let cell = row.cell("states")?;
    if !cell.contains(':') {
        return Ok(format!("States::Fixed({})", row.number::<u8>("states")?));
    }
    let pair = |word: &str| {
        let (passes, states) = word.split_once(':')?;
        Some((passes.parse::<u8>().ok()?, states.parse::<u8>().ok()?))
    };
    let list: Option<Vec<(u8, u8)>> = cell.split(' ').map(pair).collect();
    Ok(format!("States::ByPasses(&{:?})", list.ok_or_else(|| row.refuse("states"))?))
}

fn suffix(row: Row<'_>) -> Result<String> {
    let place = row.named("place", SuffixPlace::named)?;
    Ok(format!(
        "Suffix {{ word: {:?}, component: {:?}, place: {place:?}, meaning: {:?} }},\n",
        row.cell("suffix")?,
        row.cell("component")?,
        row.cell("meaning")?
    ))
}

fn issue(row: Row<'_>) -> Result<String> {
    let half = row.optional_number("f64-add-half")?;
    Ok(format!(
        "IssueClocks {{ aco: Clocks::{:?}, measured: Clocks::{:?}, f64_add_half: {half:?}, \
         busy: {:?} }},\n",
        clocks(row, "aco")?,
        clocks(row, "measured")?,
        row.optional_number("busy")?
    ))
}

fn clocks(row: Row<'_>, column: &str) -> Result<Clocks> {
    let cell = row.cell(column)?;
    let refuse = || row.refuse(column);
    let list = |separator: char| -> Result<Vec<u32>> {
        let numbers = cell.split(separator).map(str::parse);
        numbers.collect::<Result<_, _>>().map_err(|_| refuse())
    };
    let pair = |separator: char| <[u32; 2]>::try_from(list(separator)?).map_err(|_| refuse());
    match cell {
        "-" => Ok(Clocks::Unknown),
        _ if cell.contains('|') => Ok(Clocks::ByMultiplyAdd(pair('|')?)),
        _ if cell.contains(';') => Ok(Clocks::ByProfile(pair(';')?)),
        _ if cell.contains(',') => match *list(',')? {
            [not_taken, taken] => Ok(Clocks::ByBranch([not_taken, taken])),
            [a, b, c, d] => Ok(Clocks::ByRate([a, b, c, d])),
            _ => Err(refuse()),
        },
        _ => row.number(column).map(Clocks::Fixed),
    }
}

/// Prints the one row of each name, in the order of the names.
fn in_order<'a>(
    table: &Table,
    column: &str,
    names: impl Iterator<Item = &'a str>,
    print: impl Fn(Row<'_>) -> Result<String>,
) -> Result<Vec<String>> {
    let mut printed = Vec::new();
    for name in names {
        let mut rows = table.rows().filter(|row| row.cell(column) == Ok(name));
        let (Some(row), None) = (rows.next(), rows.next()) else {
            return Err(format!("`{name}` has not one row of clocks").into());
        };
        printed.push(print(row)?);
    }
    match table.rows().count() {
        count if count == printed.len() => Ok(printed),
        _ => Err(format!("a {column} of clocks is not known").into()),
    }
}
