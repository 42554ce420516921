//! Operations of opcodes, as a type: `operations.tsv`.

use tables::print::array;

use super::Input;
use super::families::{self, Resolved};
use super::opcodes::Op;
use crate::plain::matrix::MatrixType;
use crate::plain::operation::{
    AccessWidth, Atomic, ImageAccess, NarrowRounding, NarrowScale, NumberType, Relations,
    TexelFormat,
};
use tables::{Result, Row};

/// Returns the code for the operations of opcodes, with the enums of families, and the row
/// that each opcode has.
pub(crate) fn read(input: Input<'_>) -> Result<(String, Resolved)> {
    let table = input.table("operations")?;
    let rows: Vec<Row<'_>> = table.rows().collect();
    let of = families::resolve(&table, input, families::fits, |_| true)?;
    let mut families: Vec<(String, &str, Vec<&Op>)> = Vec::new();
    let mut values = Vec::with_capacity(input.ops.len());
    for (op, of) in input.ops.iter().zip(&of) {
        // A row holds for all chips or none.
        let row = of.first().copied().flatten().map(|number| rows[number]);
        let row = row.ok_or_else(|| format!("{}: `{}` has no row", table.path(), op.name))?;
        let patterns = row.cell("mnemonics")?.split(' ');
        let stars = patterns
            .into_iter()
            .find_map(|it| families::captures(it, &op.name))
            .unwrap_or_default();
        let value = operation(row.cell("operation")?, &stars, &op.name);
        values.push(format!("    {},\n", value.ok_or_else(|| row.refuse("operation"))?));
        if let Some(name) = family(row.cell("operation")?) {
            let known = families.iter().position(|it| it.0 == name);
            let place = known.unwrap_or(families.len());
            if known.is_none() {
                families.push((name, row.cell("meaning")?, Vec::new()));
            }
            families[place].2.push(op);
        }
    }
    let enums: String = families.iter().map(printed).collect();
    Ok((enums + &array("OPERATIONS", "Operation", &values), of))
}

/// Returns the name of the enum of a family's opcodes, where the cell asks for one.
fn family(cell: &str) -> Option<String> {
    Some(cell.strip_suffix(" *")?.replace(' ', ""))
}

/// Returns the code for the operation of an opcode.
fn operation(cell: &str, stars: &[&str], name: &str) -> Option<String> {
    let mut words = cell.split(' ');
    let part = words.next()?;
    let value = match (words.next(), family(cell)) {
        (None, _) => return Some(format!("Operation::{part}")),
        (Some("*"), Some(family)) => format!("{family}::{name}"),
        (Some(sort), Some(family)) => format!("{part}::{sort}({family}::{name})"),
        (Some(sort), None) => {
            let fields = words.map(|word| field(word, stars)).collect::<Option<Vec<_>>>()?;
            match fields.is_empty() {
                true => format!("{part}::{sort}"),
                false => format!("{part}::{sort} {{ {} }}", fields.join(", ")),
            }
        }
    };
    Some(format!("Operation::{part}({value})"))
}

/// Returns the code for one number of an operation: `atomic=$1_$2`.
fn field(word: &str, stars: &[&str]) -> Option<String> {
    let (key, value) = word.split_once('=')?;
    let filled = stars.iter().enumerate();
    let value = filled
        .fold(value.to_owned(), |all, (place, it)| all.replace(&format!("${}", place + 1), it));
    let printed = match key {
        "access" => match AccessWidth::named(&value) {
            Some(width) => format!("{width:?}"),
            None => format!("{:?}", ImageAccess::named(&value)?),
        },
        "to" | "from" => format!("{:?}", MatrixType::named(&value)?),
        "scale" => format!("{:?}", NarrowScale::named(&value)?),
        "rounding" => format!("{:?}", NarrowRounding::named(&value)?),
        "atomic" => format!("{:?}", Atomic::named(&value)?),
        "format" => format!("{:?}", TexelFormat::named(&value)?),
        "number" => format!("{:?}", NumberType::named(&value)?),
        "relations" => format!("{:?}", Relations::named(&value)?),
        _ => value.parse::<u16>().ok()?.to_string(),
    };
    Some(format!("{key}: {printed}"))
}

fn printed((name, meaning, ops): &(String, &str, Vec<&Op>)) -> String {
    let variants = ops.iter().map(|op| {
        let Op { name, summary, .. } = op;
        format!("    #[doc = {summary:?}]\n    {name},\n")
    });
    format!(
        "#[doc = {meaning:?}]\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\n\
         #[expect(non_camel_case_types, reason = \"an opcode is spelled as the manuals spell it\")]\n\
         pub enum {name} {{\n{}}}\n",
        variants.collect::<String>()
    )
}
