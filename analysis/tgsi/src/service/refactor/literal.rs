//! A number in an operand's place, which the language does not have, becomes an
//! immediate: one that is there already, or a new one.

use source::{TextEdit, TextRange, TextSize};

use super::slice;
use crate::ast::{Component, Shader, StatementKind};
use crate::cursor::statement_at;
use crate::opcodes::{Opcode, ValueType};
use crate::words::ImmediateType;

pub(super) fn edits(text: &str, shader: &Shader, offset: TextSize) -> Option<Vec<TextEdit>> {
    let statement = statement_at(shader, offset).filter(|statement| statement.broken)?;
    let range = number_at(text, statement.range, offset)?;
    let written = slice(text, range)?;
    let (ty, bits) = value(written, ty_of(text, statement.range, range))?;
    let letters = |component: Component| component.letter().to_string().repeat(4);

    // An immediate that holds it already.
    let mut count = 0;
    for (number, immediate) in shader.immediates().enumerate() {
        count = number + 1;
        let wide = immediate.values.len() < 4;
        if wide || immediate.ty.value != ty {
            continue;
        }
        if let Some(component) =
            Component::ALL.into_iter().find(|it| immediate.bits[*it as usize] == bits)
        {
            let insert = format!("IMM[{number}].{}", letters(component));
            return Some(vec![TextEdit { range, insert }]);
        }
    }
    let zero = if ty == ImmediateType::Float32 { "0.0" } else { "0" };
    // The texts of before 2012 number none.
    let numbered = shader.immediates().next().is_none_or(|it| it.index.is_some());
    let name = if numbered { format!("IMM[{count}]") } else { "IMM".to_owned() };
    let shown = match ty {
        ImmediateType::Float32 => format!("{:?}", f32::from_bits(bits)),
        ImmediateType::Signed32 => (bits as i32).to_string(),
        _ => bits.to_string(),
    };
    let line = format!("\n{name} {} {{{shown}, {zero}, {zero}, {zero}}}", ty.word());
    let before = shader.statements.iter().take_while(|statement| {
        !statement.broken && !matches!(statement.kind, StatementKind::Instruction(_))
    });
    let place = before.last().map_or(shader.stage.range.end(), |last| last.range.end());
    let insert = format!("IMM[{count}].{}", letters(Component::X));
    Some(vec![
        TextEdit { range: TextRange::empty(place), insert: line },
        TextEdit { range, insert },
    ])
}

/// The number that an offset touches and that is a whole operand but for its sign.
fn number_at(text: &str, statement: TextRange, offset: TextSize) -> Option<TextRange> {
    let offset = usize::from(offset);
    // A statement that was not understood may end before its line does.
    let start = usize::from(statement.start());
    let end = text[start..].find(['\n', '\r']).map_or(text.len(), |at| start + at);
    let line = text.get(start..end)?;
    let at = offset.checked_sub(start).filter(|at| *at <= line.len())?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
    let bytes = line.as_bytes();
    let mut first = at;
    while first > 0 && is_part(bytes[first - 1]) {
        first -= 1;
    }
    let mut last = at;
    while last < bytes.len() && is_part(bytes[last]) {
        last += 1;
    }
    let digit = bytes.get(first).is_some_and(u8::is_ascii_digit);
    let before = line[..first].trim_end().trim_end_matches('-').trim_end();
    let after = line[last..].trim_start();
    let operand = before.ends_with(',') && (after.is_empty() || after.starts_with(','));
    (digit && operand).then(|| {
        TextRange::new(TextSize::new((start + first) as u32), TextSize::new((start + last) as u32))
    })
}

/// The type that the opcode reads a number as.
fn ty_of(text: &str, statement: TextRange, number: TextRange) -> Option<ValueType> {
    let before = slice(text, TextRange::new(statement.start(), number.start()))?;
    // A number of the instruction may stand before the opcode.
    let words = before.rsplit_once(':').map_or(before, |(_, words)| words);
    let word = words.split_ascii_whitespace().next()?;
    let word = word.split("_SAT").next()?.split("_PRECISE").next()?;
    let row = Opcode::find(word)?.row();
    let operand = words.matches(',').count().checked_sub(row.destinations)?;
    row.source_types.get(operand).copied()
}

/// The type and the bits of a number as it is written.
fn value(written: &str, ty: Option<ValueType>) -> Option<(ImmediateType, u32)> {
    let float = || {
        let value: f32 = written.parse().ok()?;
        value.is_finite().then_some((ImmediateType::Float32, value.to_bits()))
    };
    let is_float = written.contains(['.', 'e', 'E']);
    match ty {
        Some(ValueType::Unsigned) if !is_float => {
            Some((ImmediateType::Unsigned32, written.parse().ok()?))
        }
        Some(ValueType::Signed) if !is_float => {
            let value: i32 = written.parse().ok()?;
            Some((ImmediateType::Signed32, value as u32))
        }
        Some(ValueType::Float) | None => float(),
        Some(ValueType::Untyped) if is_float => float(),
        Some(ValueType::Untyped) => Some((ImmediateType::Unsigned32, written.parse().ok()?)),
        Some(_) => None,
    }
}
