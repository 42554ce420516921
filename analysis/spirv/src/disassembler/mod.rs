//! Modules as text, in the form that the field knows: that of `spirv-dis` with its names.

mod names;
mod numbers;

use crate::module::MAGIC;
use crate::words::{EnumerantRow, InstructionRow, Op, OperandKind, ResultKind, Times};
use names::Names;

/// The column at which instructions begin.
const INDENT: usize = 15;
/// Words of a module's header.
const HEADER: usize = 5;

/// Returns a module as text; its words are in the machine's order.
///
/// # Errors
/// If it is no module, or one with instructions that are not written here: the place of the first
/// word that was not understood.
pub fn disassemble(words: &[u32]) -> Result<String, usize> {
    let [MAGIC, version, generator, bound, schema] = *words.get(..HEADER).ok_or(0usize)? else {
        return Err(0);
    };
    let names = Names::of(words)?;
    let mut text = format!(
        "; SPIR-V\n; Version: {}.{}\n; Generator: Khronos; {}\n; Bound: {bound}\n; Schema: {schema}\n",
        version >> 16 & 0xff,
        version >> 8 & 0xff,
        generator & 0xffff,
    );
    for instruction in instructions(words) {
        let instruction = instruction?;
        line(&instruction, &names, &mut text).ok_or(instruction.place)?;
    }
    Ok(text)
}

/// An instruction of a module.
pub(crate) struct Instruction<'a> {
    pub(crate) place: usize,
    pub(crate) row: &'static InstructionRow,
    pub(crate) ty: Option<u32>,
    pub(crate) result: Option<u32>,
    pub(crate) operands: &'a [u32],
}

/// Takes a module's words apart, behind its header.
pub(crate) fn instructions(words: &[u32]) -> impl Iterator<Item = Result<Instruction<'_>, usize>> {
    let mut place = HEADER;
    std::iter::from_fn(move || {
        let first = *words.get(place)?;
        let at = place;
        let length = (first >> 16) as usize;
        let found = (|| {
            let row = Op::row(first as u16)?;
            // A length of 0 is none, and would lead nowhere.
            let rest = words.get(at + 1..at + length)?;
            let (ty, rest) = match row.result {
                ResultKind::Typed => (Some(*rest.first()?), &rest[1..]),
                _ => (None, rest),
            };
            let (result, operands) = match row.result {
                ResultKind::None => (None, rest),
                _ => (Some(*rest.first()?), &rest[1..]),
            };
            Some(Instruction { place: at, row, ty, result, operands })
        })();
        place = match found {
            Some(_) => at + length,
            // Nothing behind it can be told apart.
            None => words.len(),
        };
        Some(found.ok_or(at))
    })
}

/// Writes a line; `None` if operands are missing or too many.
fn line(instruction: &Instruction<'_>, names: &Names, text: &mut String) -> Option<()> {
    match instruction.result {
        Some(result) => {
            let name = format!("%{} = ", names.of_id(result));
            text.push_str(&" ".repeat(INDENT.saturating_sub(name.len())));
            text.push_str(&name);
        }
        None => text.push_str(&" ".repeat(INDENT)),
    }
    text.push_str(instruction.row.name);
    if let Some(ty) = instruction.ty {
        text.push_str(&format!(" %{}", names.of_id(ty)));
    }
    let mut rest = instruction.operands;
    for (kind, times) in instruction.row.operands {
        match times {
            Times::Once => operand(kind, instruction, names, &mut rest, text)?,
            Times::Optional if rest.is_empty() => {}
            Times::Optional => operand(kind, instruction, names, &mut rest, text)?,
            Times::Repeated => {
                while !rest.is_empty() {
                    operand(kind, instruction, names, &mut rest, text)?;
                }
            }
        }
    }
    text.push('\n');
    rest.is_empty().then_some(())
}

/// Writes an operand and takes its words away.
fn operand(
    kind: &OperandKind,
    instruction: &Instruction<'_>,
    names: &Names,
    rest: &mut &[u32],
    text: &mut String,
) -> Option<()> {
    let first = *rest.first()?;
    *rest = &rest[1..];
    match kind {
        OperandKind::Id => text.push_str(&format!(" %{}", names.of_id(first))),
        OperandKind::Literal => text.push_str(&format!(" {first}")),
        OperandKind::Case => {
            let target = *rest.first()?;
            *rest = &rest[1..];
            text.push_str(&format!(" {first} %{}", names.of_id(target)));
        }
        OperandKind::String => {
            let (string, used) = numbers::string(first, rest)?;
            *rest = &rest[used..];
            let escaped = string.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&format!(" \"{escaped}\""));
        }
        OperandKind::Value => {
            let ty = names.number_type(instruction.ty?)?;
            let high = match ty.is_wide() {
                true => {
                    let high = *rest.first()?;
                    *rest = &rest[1..];
                    high
                }
                false => 0,
            };
            text.push(' ');
            text.push_str(&ty.number(u64::from(high) << 32 | u64::from(first)));
        }
        OperandKind::Enumerant(rows) => {
            let row = rows.iter().find(|row| row.number == first)?;
            text.push_str(&format!(" {}", row.name));
            parameters(row, instruction, names, rest, text)?;
        }
        OperandKind::Mask(rows) => {
            let set: Vec<&EnumerantRow> =
                rows.iter().filter(|row| row.number != 0 && first & row.number != 0).collect();
            if set.iter().fold(0, |bits, row| bits | row.number) != first {
                return None;
            }
            let words: Vec<&str> = set.iter().map(|row| row.name).collect();
            let words = if words.is_empty() { "None".to_owned() } else { words.join("|") };
            text.push_str(&format!(" {words}"));
            for row in set {
                parameters(row, instruction, names, rest, text)?;
            }
        }
    }
    Some(())
}

fn parameters(
    row: &EnumerantRow,
    instruction: &Instruction<'_>,
    names: &Names,
    rest: &mut &[u32],
    text: &mut String,
) -> Option<()> {
    row.parameters.iter().try_for_each(|(kind, _)| operand(kind, instruction, names, rest, text))
}

/// Returns the source line that begins at a line of a module's text: of an `OpLine` its line, at
/// the ends of blocks none; `None` where the one before goes on.
pub fn source_line(text: &str) -> Option<Option<u32>> {
    let mut words = text.split_whitespace();
    match words.next()? {
        "OpLine" => words.nth(1)?.parse().ok().map(Some),
        "OpNoLine" | "OpFunctionEnd" => Some(None),
        _ => text.contains("= OpLabel").then_some(None),
    }
}
