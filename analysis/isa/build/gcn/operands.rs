//! The operands of opcodes: the rows of `operands.tsv`.

use tables::print::array;

use super::Input;
use super::families::{self, Resolved};
use super::opcodes::Op;
use crate::plain::operand::{
    Class, Immediate, NumberKind, OpFlags, Operand, OperandSpec, Origin, Type,
};
use tables::{Result, Row};

/// The rows, and which of them each opcode has.
pub(crate) struct Operands {
    pub(crate) rows: Vec<OperandSpec>,
    pub(crate) of: Resolved,
}

/// Returns what opcodes take, and the code for it.
pub(crate) fn read(input: Input<'_>) -> Result<(Operands, String)> {
    let table = input.table("operands")?;
    let rows: Vec<OperandSpec> = table.rows().map(row).collect::<Result<_, _>>()?;
    // No manual says what those take that CLRX alone knows.
    let needs = |op: &Op| !op.source.starts_with("CLRX");
    let of = families::resolve(&table, input, families::fits, needs)?;
    let print = |row: &OperandSpec| {
        let OperandSpec { class, operands, flags, source } = row;
        let operands = operands.iter().map(|it| format!("Operand::{it:?}, ")).collect::<String>();
        format!(
            "    OperandSpec {{ class: {class:?}, operands: &[{operands}], flags: {flags:?}, \
             source: {source:?} }},\n"
        )
    };
    let printed: Vec<String> = rows.iter().map(print).collect();
    let code = array("OPERANDS", "OperandSpec", &printed) + &families::numbers("OPERANDS_OF", &of);
    Ok((Operands { rows, of }, format!("pub(super) {code}")))
}

fn row(row: Row<'_>) -> Result<OperandSpec> {
    let mut flags = OpFlags::default();
    for word in row.cell("flags")?.split_ascii_whitespace() {
        if !flags.add(word) {
            return Err(row.refuse("flags"));
        }
    }
    let operands = row.cell("operands")?.split_ascii_whitespace().map(operand);
    let operands: Option<Vec<Operand>> = operands.collect();
    let operands = operands.ok_or_else(|| row.refuse("operands"))?;
    Ok(OperandSpec {
        class: row.named("class", Class::named)?,
        // Build scripts end soon: what is leaked is never missed.
        operands: operands.leak(),
        flags,
        source: row.cell("source")?.to_owned().leak(),
    })
}

fn operand(word: &str) -> Option<Operand> {
    Some(match word {
        "m" => Operand::Mask,
        "lane" => Operand::Lane,
        "literal" => Operand::Literal,
        "branch" => Operand::Branch,
        "hwreg" => Operand::HardwareRegister,
        "waitcnt" => Operand::WaitCounters,
        "sendmsg" => Operand::Message,
        "gpr_idx" => Operand::IndexMode,
        "attribute" => Operand::Attribute,
        "part" => Operand::AttributePart,
        "probe" => Operand::Probe,
        "+16" => Operand::Immediate(Immediate::Either),
        "+u16" => Operand::Immediate(Immediate::Unsigned),
        "+k16" => Operand::Immediate(Immediate::Cut),
        "+k16?" => Operand::Immediate(Immediate::Optional),
        _ => return number(word),
    })
}

fn number(word: &str) -> Option<Operand> {
    let (origin, rest) = word.split_once(':').unwrap_or(("", word));
    let (rest, sign_extension) = match rest.strip_suffix('~') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let letter = rest.chars().next()?;
    let bits: u8 = rest.get(letter.len_utf8()..)?.parse().ok()?;
    let kind = match letter {
        'f' => NumberKind::Float,
        'i' => NumberKind::Integer,
        'p' => NumberKind::PackedFloat,
        'q' => NumberKind::PackedInteger,
        'u' => NumberKind::UpperFloat,
        'h' => NumberKind::PackedUpperFloat,
        's' => return Some(Operand::Scalar { dwords: bits.div_ceil(32), read: origin == "r" }),
        _ => return Some(Operand::Part { letter, dwords: bits }),
    };
    let from = match origin {
        "" => Origin::Any,
        "v" => Origin::Vector,
        "r" => Origin::Register,
        "inline" => Origin::Inline,
        _ => return None,
    };
    Some(Operand::Number { ty: Type { kind, bits }, from, sign_extension })
}
