//! Turns the tables of SPIR-V's words, of emitters and of image formats into enums and constants.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use tables::print::array;
use tables::{Result, Row, Table};

fn main() -> ExitCode {
    tables::generate(&["build.rs"], |data| {
        let enumerants = Table::read(data, "enumerants.tsv")?;
        Ok(vec![
            ("instructions.rs", instructions(data)? + &kinds(&enumerants)?),
            ("emitters.rs", emitters(data)?),
            ("image_formats.rs", image_formats(data)?),
        ])
    })
}

/// Returns the enum of instructions with their numbers and operands.
fn instructions(data: &Path) -> Result<String> {
    let table = Table::read(data, "instructions.tsv")?;
    let (mut variants, mut rows) = (String::new(), Vec::new());
    let mut last = None;
    for row in table.rows() {
        let [name, number] = [row.cell("name")?, row.cell("number")?];
        let value: u16 = row.number("number")?;
        if last.is_some_and(|last| last >= value) {
            return Err(row.error("instructions stand in the order of their numbers"));
        }
        last = Some(value);
        let results = [("none", "None"), ("id", "Id"), ("typed", "Typed")];
        let result = row.one_of("result", &results)?;
        let operands =
            words(row, "operands")?.into_iter().map(operand).collect::<Vec<_>>().join(", ");
        variants += &format!("    /// The instruction `Op{name}`.\n    {name} = {number},\n");
        rows.push(format!(
            "    InstructionRow {{ op: Op::{name}, name: \"Op{name}\", \
             result: ResultKind::{result}, operands: &[{operands}] }},\n"
        ));
    }
    Ok(format!(
        "/// An instruction of SPIR-V that is written here.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\n\
         #[repr(u16)]\npub enum Op {{\n{variants}}}\n{}",
        array("INSTRUCTIONS", "InstructionRow", &rows)
    ))
}

/// Returns an operand of the table as code.
fn operand(word: &str) -> String {
    let (word, times) = match word.strip_suffix('?') {
        Some(word) => (word, "Optional"),
        None => match word.strip_suffix('*') {
            Some(word) => (word, "Repeated"),
            None => (word, "Once"),
        },
    };
    let kind = match word {
        "id" => "OperandKind::Id".to_owned(),
        "literal" => "OperandKind::Literal".to_owned(),
        "string" => "OperandKind::String".to_owned(),
        "value" => "OperandKind::Value".to_owned(),
        "cases" => "OperandKind::Case".to_owned(),
        "ImageOperands" => "OperandKind::Mask(&IMAGE_OPERANDS_ROWS)".to_owned(),
        "FunctionControl" => "OperandKind::Mask(&FUNCTION_CONTROL_ROWS)".to_owned(),
        "LoopControl" => "OperandKind::Mask(&LOOP_CONTROL_ROWS)".to_owned(),
        "SelectionControl" => "OperandKind::Mask(&SELECTION_CONTROL_ROWS)".to_owned(),
        kind => format!("OperandKind::Enumerant(&{}_ROWS)", constant(kind)),
    };
    format!("({kind}, Times::{times})")
}

/// Returns the enum of each kind of operands, and its rows.
fn kinds(table: &Table) -> Result<String> {
    let mut kinds: BTreeMap<&str, (String, Vec<String>)> = BTreeMap::new();
    let mut extensions = String::new();
    for row in table.rows() {
        let [kind, name, number] = [row.cell("kind")?, row.cell("name")?, row.cell("number")?];
        let variant = match name.starts_with(|first: char| first.is_ascii_digit()) {
            true => format!("{kind}{name}"),
            false => name.to_owned(),
        };
        let parameters =
            words(row, "parameters")?.into_iter().map(operand).collect::<Vec<_>>().join(", ");
        let (variants, rows) = kinds.entry(kind).or_default();
        *variants += &format!("    {variant} = {number},\n");
        rows.push(format!(
            "    EnumerantRow {{ number: {number}, name: {name:?}, parameters: &[{parameters}] }},\n"
        ));
        let extension = row.cell("extension")?;
        if !extension.is_empty() {
            extensions += &format!("        {kind}::{name} => Some({extension:?}),\n");
        }
    }
    let mut code = String::new();
    for (kind, (variants, rows)) in kinds {
        code += &format!(
            "/// A value of the kind `{kind}`.\n\
             #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
             #[allow(missing_docs, dead_code)]\n\
             #[repr(u32)]\npub enum {kind} {{\n{variants}}}\n{}",
            array(&format!("{}_ROWS", constant(kind)), "EnumerantRow", &rows)
        );
    }
    Ok(code
        + &format!(
            "impl Capability {{\n    /// Returns the extension that has it, if SPIR-V 1.3 has not.\n    \
             pub fn extension(self) -> Option<&'static str> {{\n        match self {{\n{extensions}            \
             _ => None,\n        }}\n    }}\n}}\n"
        ))
}

/// Returns the name of the constant of a kind: `ImageOperands` is `IMAGE_OPERANDS`.
fn constant(kind: &str) -> String {
    let mut name = String::new();
    for (place, letter) in kind.char_indices() {
        if place > 0 && letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

fn emitters(data: &Path) -> Result<String> {
    let table = Table::read(data, "emitters.tsv")?;
    let mut rows = String::new();
    for row in table.rows() {
        let [opcode, function, arguments] =
            [row.cell("opcode")?, row.cell("function")?, row.cell("arguments")?];
        let emitter = match (row.cell("of")?, arguments) {
            ("values", "") => format!("Values(crate::{function})"),
            ("values", _) => format!("Values(|b, v| crate::{function}(b, {arguments}, v))"),
            ("instruction", "") => format!("Instruction(crate::{function})"),
            ("instruction", _) => {
                format!("Instruction(|l, i| crate::{function}(l, i, {arguments}))")
            }
            _ => return Err(row.refuse("of")),
        };
        rows += &format!("    (Opcode::{opcode}, Emitter::{emitter}),\n");
    }
    let mut refusals = String::new();
    for row in Table::read(data, "refused_opcodes.tsv")?.rows() {
        let [opcode, reason] = [row.cell("opcode")?, row.cell("reason")?];
        refusals += &format!("    (Opcode::{opcode}, {reason:?}),\n");
    }
    Ok(format!(
        "static EMITTERS: ByOpcode<Emitter> = ByOpcode::of(&[&[\n{rows}]]);\n\
         static REFUSALS: ByOpcode<&str> = ByOpcode::of(&[&[\n{refusals}]]);\n"
    ))
}

fn image_formats(data: &Path) -> Result<String> {
    let table = Table::read(data, "image_formats.tsv")?;
    let kinds = [("float", "F32"), ("uint", "U32"), ("sint", "I32")];
    let row = |row: Row<'_>| {
        let format = match row.cell("format")? {
            "" => "Unknown",
            format => format,
        };
        Ok(format!(
            "    ({:?}, ImageFormat::{format}, Scalar::{}),\n",
            row.cell("name")?,
            row.one_of("texels", &kinds)?
        ))
    };
    let rows = table.rows().map(row).collect::<Result<Vec<_>>>()?;
    Ok(array("IMAGE_FORMATS", "(&str, ImageFormat, Scalar)", &rows))
}

/// Returns the words of a cell.
fn words<'a>(row: Row<'a>, column: &str) -> Result<Vec<&'a str>> {
    Ok(row.cell(column)?.split_whitespace().collect())
}
