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

const FAMILIES: [(&str, &str); 12] = [
    ("plain", "Plain"),
    ("texture", "Texture"),
    ("sample", "Sample"),
    ("view", "View"),
    ("access", "Access"),
    ("atomic", "Atomic"),
    ("store", "Store"),
    ("handle", "Handle"),
    ("interpolate", "Interpolate"),
    ("framebuffer", "Framebuffer"),
    ("immediate", "Immediate"),
    ("historic", "Historic"),
];

const CONTROLS: [(&str, &str); 18] = [
    ("next", "Next"),
    ("if", "If"),
    ("else", "Else"),
    ("endif", "EndIf"),
    ("loop", "Loop"),
    ("endloop", "EndLoop"),
    ("switch", "Switch"),
    ("case", "Case"),
    ("default", "Default"),
    ("endswitch", "EndSwitch"),
    ("break", "Break"),
    ("continue", "Continue"),
    ("return", "Return"),
    ("end", "End"),
    ("call", "Call"),
    ("subroutine", "Subroutine"),
    ("endsubroutine", "EndSubroutine"),
    ("jump", "Jump"),
];

const LOOKUPS: [(&str, &str); 20] = [
    ("none", "None"),
    ("implicit", "Implicit"),
    ("implicit2", "Implicit2"),
    ("zero", "Zero"),
    ("projected", "Projected"),
    ("bias", "Bias"),
    ("bias2", "Bias2"),
    ("level", "Level"),
    ("level2", "Level2"),
    ("derivatives", "Derivatives"),
    ("compared", "Compared"),
    ("compared_zero", "ComparedZero"),
    ("gather", "Gather"),
    ("fetch", "Fetch"),
    ("fetch_zero", "FetchZero"),
    ("fetch_sample", "FetchSample"),
    ("size", "Size"),
    ("samples", "Samples"),
    ("position", "Position"),
    ("detail", "Detail"),
];

const READS: [(&str, &str); 7] = [
    ("mask", "Written"),
    ("x", "Fixed(0b0001)"),
    ("xy", "Fixed(0b0011)"),
    ("xyz", "Fixed(0b0111)"),
    ("xyzw", "Fixed(0b1111)"),
    ("pairs", "Pairs"),
    ("other", "Unknown"),
];

const FLAGS: [(&str, &str); 7] = [
    ("address", "Address"),
    ("bits", "Bits"),
    ("integer", "Integer"),
    ("derivatives", "Derivatives"),
    ("lanes", "Lanes"),
    ("unpack", "Unpack"),
    ("gap", "Gap"),
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
    let list = |column: &str, name: &str, known: &[(&str, &str)]| -> Result<String, String> {
        let words = row.cell(column)?.split(',').filter(|word| !word.is_empty());
        let mut list = String::from("&[");
        for word in words {
            let known = known.iter().find(|it| it.0 == word).ok_or_else(|| row.refuse(column))?;
            write!(list, "{name}::{}, ", known.1).map_err(|error| error.to_string())?;
        }
        Ok(list + "]")
    };
    let number = row.optional_number("number")?;
    let mut code = String::from("    Row {\n");
    let mut field = |name: &str, value: String| code += &format!("        {name}: {value},\n");
    field("opcode", format!("Opcode::{}", row.cell("mnemonic")?));
    field("number", format!("{number:?}"));
    for name in ["destinations", "sources"] {
        field(name, row.number(name)?.to_string());
    }
    for name in ["texture", "label", "store"] {
        field(name, row.flag(name)?.to_string());
    }
    field("family", format!("Family::{}", row.one_of("family", &FAMILIES)?));
    field("control", format!("Control::{}", row.one_of("control", &CONTROLS)?));
    field("lookup", format!("Lookup::{}", row.one_of("lookup", &LOOKUPS)?));
    field("reads", format!("Reads::{}", row.one_of("reads", &READS)?));
    field("flags", list("flags", "Flag", &FLAGS)?);
    field("output", format!("OutputMode::{}", row.one_of("output", &OUTPUTS)?));
    for name in ["destination_types", "source_types"] {
        field(name, list(name, "ValueType", &TYPES)?);
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
    Ok(code + "    },\n")
}
