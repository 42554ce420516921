//! Operands with the forms that only the first years had.

use super::{mask, register, swizzle};
use crate::ast::{Destination, HistoricForm, Instruction, Source};
use crate::words::Modifier;

/// The form of a kind that an operand has.
fn form(instruction: &Instruction, operand: usize, kind: Modifier) -> Option<&HistoricForm> {
    instruction.historic.iter().find(|form| form.operand == operand && form.kind == kind)
}

/// `TEMP[0]_2X.xy (EQ.xyzw)`
pub(super) fn destination(instruction: &Instruction, operand: usize, it: &Destination) -> String {
    let form = |kind| form(instruction, operand, kind).map(|form| form.spelling.as_str());
    let factor = form(Modifier::Factor).unwrap_or_default();
    let condition = form(Modifier::ConditionCode).map(|it| format!(" ({it})"));
    let condition = condition.unwrap_or_default();
    format!("{}{factor}{}{condition}", register(&it.register), mask(it.mask))
}

/// `-(|2*((1-(-TEMP[0].x01w))-0.5)|)`, what the source has of it.
pub(super) fn source(instruction: &Instruction, operand: usize, it: &Source) -> String {
    let extended = form(instruction, operand, Modifier::ExtendedSwizzle);
    let letters = match extended {
        Some(form) => format!(".{}", form.spelling.to_ascii_lowercase()),
        None => swizzle(it.swizzle),
    };
    let kinds = [Modifier::Complement, Modifier::Bias, Modifier::Scale, Modifier::Group];
    let signs = kinds.into_iter().find_map(|kind| form(instruction, operand, kind));
    let register = register(&it.register);
    let Some(signs) = signs else {
        let sign = if it.negate { "-" } else { "" };
        let bar = if it.absolute { "|" } else { "" };
        return format!("{sign}{bar}{register}{letters}{bar}");
    };
    let signs = signs.spelling.as_str();
    format!("{signs}{register}{letters}{}", closing(signs))
}

/// Returns what closes signs, the innermost first.
fn closing(signs: &str) -> String {
    const PAIRS: [(&str, &str); 5] =
        [("-(", ")"), ("2*(", ")"), ("1-(", ")"), ("(", ")-0.5"), ("|", "|")];
    let mut closing = String::new();
    let mut rest = signs;
    let opened = |rest: &str| {
        PAIRS.iter().find_map(|(open, close)| Some((rest.strip_prefix(open)?.len(), *close)))
    };
    while let Some((left, close)) = opened(rest) {
        closing.insert_str(0, close);
        rest = &rest[rest.len() - left..];
    }
    closing
}
