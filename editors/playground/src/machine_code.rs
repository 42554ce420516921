//! Assembly to machine code and back.

use std::fmt::Write as _;

use gcn::Target;
use gcn::dialect::detect;
use gcn::object::{self, CodeLine};
use gcn::program::{Options, assemble};
use serde_json::{Value, json};
use source::LineIndex;

/// Digits that are read at most.
const MOST_DIGITS: usize = 1 << 20;

/// Returns the words of each line.
pub(crate) fn assembled(text: &str, target: Target) -> Value {
    let shown = detect(text);
    let options = Options {
        target: Some(target),
        dialect: shown.dialect,
        listing: shown.listing,
        ..Options::default()
    };
    let program = assemble(text, &options, &|_| None, &source::no_checkpoint);
    let lines = LineIndex::new(text);
    let code = program.instructions.iter().filter_map(|instruction| {
        let statement = program.expansion.statements.get(instruction.statement as usize)?;
        let words = instruction.assembled.as_ref()?.words();
        let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
        Some(json!({
            "line": lines.line(statement.span.range.start()),
            "offset": instruction.offset,
            "words": words.join(" "),
        }))
    });
    Value::Array(code.collect())
}

/// Returns the instructions of bytes in hexadecimal digits, in order of memory.
pub(crate) fn disassembled(digits: &str, target: Target) -> Result<String, String> {
    let bytes = bytes(digits)?;
    let code = object::code(&bytes, Some(target)).map_err(|error| error.to_string())?;
    let (mut text, mut lines) = (String::new(), code.lines());
    while let Some(line) = lines.next_line() {
        let _ = match line {
            CodeLine::Instruction { text: line, .. } => writeln!(text, "{line}"),
            CodeLine::Word { word, .. } => writeln!(text, ".long {word:#010x}"),
            CodeLine::Data { .. } | CodeLine::Rest(_) => Ok(()),
        };
    }
    Ok(text)
}

fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let text = text.replace("0x", " ");
    let digits = text.chars().filter(|sign| !sign.is_whitespace() && !",[]".contains(*sign));
    let digits: Option<Vec<u32>> =
        digits.take(MOST_DIGITS + 1).map(|sign| sign.to_digit(16)).collect();
    let digits = digits.ok_or("These are not hexadecimal digits.")?;
    if digits.len() > MOST_DIGITS {
        return Err(format!("More than {MOST_DIGITS} digits are not read here."));
    }
    let (pairs, rest) = digits.as_chunks::<2>();
    match rest {
        [] => Ok(pairs.iter().map(|[high, low]| (high << 4 | low) as u8).collect()),
        _ => Err("The number of digits is odd: two make a byte.".to_owned()),
    }
}
