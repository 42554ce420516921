//! The opcodes of TGSI.

use std::fmt::Write;
use std::path::Path;

use crate::index;
use crate::table::{Row, Table};

const OUTPUTS: [(&str, &str); 5] = [
    ("none", "None"),
    ("componentwise", "Componentwise"),
    ("replicate", "Replicate"),
    ("chan_dependent", "ChannelDependent"),
    ("other", "Other"),
];

const TYPES: [(&str, &str); 7] = [
    ("untyped", "Untyped"),
    ("float", "Float"),
    ("int", "Signed"),
    ("uint", "Unsigned"),
    ("double", "Double"),
    ("int64", "Signed64"),
    ("uint64", "Unsigned64"),
];

/// Returns the enum of opcodes, its rows and the index of its mnemonics.
pub(crate) fn opcodes(data: &Path) -> Result<String, String> {
    let table = Table::read(data, "tgsi/opcodes.tsv")?;
    let (mut variants, mut all, mut rows) = (String::new(), String::new(), String::new());
    let mut names: Vec<&str> = Vec::new();
    for row in table.rows() {
        let name = row.cell("mnemonic")?;
        if names.contains(&name) {
            return Err(row.error(&format!("`{name}` stands twice")));
        }
        names.push(name);
        let description = row.cell("description")?.replace('[', "\\[").replace('<', "\\<");
        writeln!(variants, "    #[doc = {description:?}]\n    {name},")
            .map_err(|e| e.to_string())?;
        writeln!(all, "    Opcode::{name},").map_err(|e| e.to_string())?;
        rows += &descriptor(row)?;
    }
    let (count, slots) = (names.len(), index(&names));
    Ok(format!(
        "/// An opcode of TGSI, historic ones included.\n\
         #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         #[repr(u16)]\n\
         #[expect(non_camel_case_types, reason = \"an opcode is spelled as the language spells it\")]\n\
         pub enum Opcode {{\n{variants}}}\n\
         static ALL: [Opcode; {count}] = [\n{all}];\n\
         static ROWS: [Row; {count}] = [\n{rows}];\n\
         static INDEX: [u16; {}] = {slots:?};\n",
        slots.len()
    ))
}

fn descriptor(row: Row<'_>) -> Result<String, String> {
    let types = |column: &str| -> Result<String, String> {
        let words = row.cell(column)?.split(',').filter(|word| !word.is_empty());
        let mut list = String::from("&[");
        for word in words {
            let known = TYPES.iter().find(|it| it.0 == word).ok_or_else(|| row.refuse(column))?;
            write!(list, "ValueType::{}, ", known.1).map_err(|error| error.to_string())?;
        }
        Ok(list + "]")
    };
    let number = row.optional_number("number")?;
    let mut code = String::from("    Row {\n");
    let mut field = |name: &str, value: String| code += &format!("        {name}: {value},\n");
    field("number", format!("{number:?}"));
    for name in ["destinations", "sources"] {
        field(name, row.number(name)?.to_string());
    }
    for name in ["texture", "label", "store"] {
        field(name, row.flag(name)?.to_string());
    }
    field("output", format!("OutputMode::{}", row.one_of("output", &OUTPUTS)?));
    for name in ["destination_types", "source_types"] {
        field(name, types(name)?);
    }
    field("mnemonic", format!("{:?}", row.cell("mnemonic")?));
    for name in ["stages", "since", "until", "replacement", "formula", "description", "source"] {
        field(name, format!("{:?}", row.cell(name)?));
    }
    Ok(code + "    },\n")
}
