//! The opcodes of TGSI.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

use tables::print::{array, index};

use crate::words::{Argument, Control, Family, Flag, Lookup, OutputMode, Scale, ValueType};
use tables::{Result, Row, Table};

const READS: [(&str, &str); 7] = [
    ("mask", "Written"),
    ("x", "Fixed(0b0001)"),
    ("xy", "Fixed(0b0011)"),
    ("xyz", "Fixed(0b0111)"),
    ("xyzw", "Fixed(0b1111)"),
    ("pairs", "Pairs"),
    ("other", "Unknown"),
];

/// Facts of an opcode that have tables of their own, as code.
#[derive(Default)]
struct Others {
    not_compiled: BTreeMap<String, String>,
    not_executed: BTreeMap<String, String>,
    precision: BTreeMap<String, String>,
    vulkan_precision: BTreeMap<String, String>,
}

impl Others {
    fn read(data: &Path, names: &[&str]) -> Result<Others> {
        let mut others = Others::default();
        for (table, reasons) in [
            ("tgsi/not_compiled.tsv", &mut others.not_compiled),
            ("tgsi/not_executed.tsv", &mut others.not_executed),
        ] {
            for row in Table::read(data, table)?.rows() {
                let reason = row.cell("reason")?.to_owned();
                if reasons.insert(known(row, names)?, reason).is_some() {
                    return Err(row.error("this opcode stands twice"));
                }
            }
        }
        for (table, precision) in [
            ("tgsi/precision.tsv", &mut others.precision),
            ("tgsi/precision_vulkan.tsv", &mut others.vulkan_precision),
        ] {
            for row in Table::read(data, table)?.rows() {
                let bounds = precision.entry(known(row, names)?).or_default();
                *bounds += &bound(row)?;
            }
        }
        Ok(others)
    }
}

/// Returns the opcode of a row, which must be one of the language.
fn known(row: Row<'_>, names: &[&str]) -> Result<String> {
    let name = row.cell("opcode")?;
    if names.contains(&name) { Ok(name.to_owned()) } else { Err(row.refuse("opcode")) }
}

/// Returns a row of the table of bounds as code.
fn bound(row: Row<'_>) -> Result<String> {
    let number = |column: &str| match row.cell(column)? {
        "-" => Ok(0.0),
        _ => row.number::<f64>(column),
    };
    let power = |column: &str| match row.cell(column)? {
        "-" => Ok(0.0),
        _ => number(column).map(f64::exp2),
    };
    let mut components = 0;
    for letter in row.cell("components")?.chars() {
        components |= 1 << "xyzw".find(letter).ok_or_else(|| row.refuse("components"))?;
    }
    let domain = row.cell("domain")?;
    let (word, limits) = domain.split_once(' ').unwrap_or(("", domain));
    let argument = Argument::named(word).ok_or_else(|| row.refuse("domain"))?;
    let (least, most) = limits.split_once("..").unwrap_or_default();
    let limit = |text: &str, open: &str| -> Result<String> {
        match text {
            "" => Ok(format!("f64::{open}")),
            _ => {
                let limit: f64 = text.parse().map_err(|_| row.refuse("domain"))?;
                Ok(format!("{limit:?}"))
            }
        }
    };
    let mut rule = format!(
        "{}.{}: {} ulp of the {}",
        row.cell("opcode")?,
        row.cell("components")?,
        row.cell("ulps")?,
        row.cell("of")?
    );
    for (column, words) in [
        ("exponent", "ulp for each power of two"),
        ("absolute", "as a power of two"),
        ("angle", "as a power of two, times the angle"),
        ("domain", "is where it is defined"),
    ] {
        if row.cell(column)? != "-" {
            rule += &format!(", {} {words}", row.cell(column)?);
        }
    }
    Ok(format!(
        "Bound {{ components: {components}, ulps: {:?}, of: Scale::{:?}, exponent: {:?}, \
         absolute: {:?}, angle: {:?}, argument: Argument::{argument:?}, domain: [{}, {}], \
         rule: {rule:?} }}, ",
        number("ulps")?,
        row.named("of", Scale::named)?,
        number("exponent")?,
        power("absolute")?,
        power("angle")?,
        limit(least, "NEG_INFINITY")?,
        limit(most, "INFINITY")?,
    ))
}

/// Returns the opcode that a historic one is another name of: the one that stands in its
/// place with the same operands in the same order.
fn successor<'a>(row: Row<'a>, all: &[Row<'a>]) -> Result<Option<&'a str>> {
    let replacement = row.cell("replacement")?;
    let (name, operands) = replacement.split_once(' ').unwrap_or((replacement, ""));
    let named = all.iter().find(|other| other.cell("mnemonic") == Ok(name));
    let Some(named) = named else { return Ok(None) };
    let counts =
        |of: &Row<'_>| Ok((of.number::<u32>("destinations")?, of.number::<u32>("sources")?));
    let (destinations, sources) = counts(&row)?;
    let mut expected = vec!["dst".to_owned(); destinations as usize];
    expected.extend((0..sources).map(|number| format!("src{number}")));
    let unnamed = ["", "TARGET", ":n"];
    let same = operands.split(", ").filter(|operand| !unnamed.contains(operand)).eq(&expected);
    let alike: Result<bool> = counts(named).map(|it| it == (destinations, sources));
    Ok((same && alike?).then_some(name))
}

/// Returns the enum of opcodes, its rows and the index of its mnemonics.
pub(crate) fn opcodes(data: &Path) -> Result<String> {
    let table = Table::read(data, "tgsi/opcodes.tsv")?;
    let (mut variants, mut all, mut rows) = (String::new(), Vec::new(), Vec::new());
    let all_rows: Vec<Row<'_>> = table.rows().collect();
    let mut names: Vec<&str> = Vec::new();
    for row in &all_rows {
        let name = row.cell("mnemonic")?;
        if names.contains(&name) {
            return Err(row.error(format!("`{name}` stands twice")));
        }
        names.push(name);
    }
    let others = Others::read(data, &names)?;
    for (row, name) in all_rows.iter().zip(&names) {
        let description = row.cell("description")?.replace('[', "\\[").replace('<', "\\<");
        variants += &format!("    #[doc = {description:?}]\n    {name},\n");
        all.push(format!("    Opcode::{name},\n"));
        rows.push(descriptor(*row, &all_rows, &others)?);
    }
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    Ok(format!(
        "/// An opcode of TGSI, historic ones included.\n\
         #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         #[repr(u16)]\n\
         #[expect(non_camel_case_types, reason = \"an opcode is spelled as the language spells it\")]\n\
         pub enum Opcode {{\n{variants}}}\n\
         {}{}{}\
         /// The bytes of the longest mnemonic.\n\
         const LONGEST_MNEMONIC: usize = {longest};\n",
        array("ALL", "Opcode", &all),
        array("ROWS", "OpInfo", &rows),
        index("INDEX", &names)
    ))
}

/// Returns the words of a cell as code of a list.
fn list<T: Debug>(
    row: Row<'_>,
    column: &str,
    ty: &str,
    named: impl Fn(&str) -> Option<T>,
) -> Result<String> {
    let word = |word| named(word).map(|it| format!("{ty}::{it:?}, "));
    let words = row.words(column)?.map(word).collect::<Option<String>>();
    Ok(format!("&[{}]", words.ok_or_else(|| row.refuse(column))?))
}

fn descriptor(row: Row<'_>, all: &[Row<'_>], others: &Others) -> Result<String> {
    let number = row.optional_number("number")?;
    let mut code = String::from("    OpInfo {\n");
    let mut field = |name: &str, value: String| code += &format!("        {name}: {value},\n");
    field("opcode", format!("Opcode::{}", row.cell("mnemonic")?));
    field("number", format!("{number:?}"));
    for name in ["destinations", "sources"] {
        field(name, row.number::<u32>(name)?.to_string());
    }
    for name in ["texture", "label", "store"] {
        field(name, row.flag(name)?.to_string());
    }
    field("family", format!("Family::{:?}", row.named("family", Family::named)?));
    field("control", format!("Control::{:?}", row.named("control", Control::named)?));
    field("lookup", format!("Lookup::{:?}", row.named("lookup", Lookup::named)?));
    field("reads", format!("Reads::{}", row.one_of("reads", &READS)?));
    field("flags", list(row, "flags", "Flag", Flag::named)?);
    field("output", format!("OutputMode::{:?}", row.named("output", OutputMode::named)?));
    for name in ["destination_types", "source_types"] {
        field(name, list(row, name, "ValueType", ValueType::named)?);
    }
    field("mnemonic", format!("{:?}", row.cell("mnemonic")?));
    for name in [
        "stages",
        "since",
        "until",
        "last_source_since",
        "last_source",
        "replacement",
        "formula",
        "description",
        "source",
    ] {
        field(name, format!("{:?}", row.cell(name)?));
    }
    let name = row.cell("mnemonic")?;
    let successor = successor(row, all)?.map(|name| format!("Opcode::{name}"));
    field("successor", successor.map_or("None".to_owned(), |name| format!("Some({name})")));
    for (column, reasons) in
        [("not_compiled", &others.not_compiled), ("not_executed", &others.not_executed)]
    {
        field(column, format!("{:?}", reasons.get(name).map_or("", String::as_str)));
    }
    for (column, precision) in
        [("precision", &others.precision), ("vulkan_precision", &others.vulkan_precision)]
    {
        let bounds = precision.get(name).map_or("", String::as_str);
        field(column, format!("&[{bounds}]"));
    }
    Ok(code + "    },\n")
}
