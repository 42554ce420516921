//! Cases of switches, which differ.
//!
//! Facts: "GLSL ISA" of the Gallium documentation of 2020.

use std::cell::LazyCell;

use rustc_hash::FxHashMap;
use source::{Diagnostic, TextEdit, TextRange};

use super::constants::bits;
use super::context::Context;
use crate::ast::{Instruction, Source};
use crate::codes;
use crate::opcodes::{Control, Opcode};
use crate::report::Report;
use crate::words::ImmediateType;

/// Checks that the cases of each switch differ.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    if context.gaps.steer {
        return;
    }
    // A target counts the instructions before it.
    let is_plain = |it: &Instruction| it.number.is_none() && it.label.is_none();
    let may_remove = LazyCell::new(|| context.instructions.iter().all(|(it, _)| is_plain(it)));
    let repeated = |place: usize, (range, first): (TextRange, TextRange), what: String| {
        let message = format!("this switch has a {what} already");
        let diagnostic = Diagnostic::warning(codes::DUPLICATE_CASE, range, message)
            .with_related(first, "the first one, which is taken");
        match removal(context, place).filter(|_| *may_remove) {
            Some((title, edit)) => diagnostic.with_edits(title, vec![edit]),
            None => diagnostic,
        }
    };
    let mut open: Vec<Cases> = Vec::new();
    for (place, instruction, row) in context.steps_from(0) {
        match row.path() {
            Control::Switch => open.push(Cases::default()),
            Control::EndSwitch => {
                open.pop();
            }
            Control::Default => {
                let Some(cases) = open.last_mut() else { continue };
                let range = instruction.opcode.range;
                let first = *cases.default.get_or_insert(range);
                if first != range {
                    report.push(|| repeated(place, (range, first), "`DEFAULT`".to_owned()));
                }
            }
            Control::Case => {
                let Some(cases) = open.last_mut() else { continue };
                let source = instruction.sources.first();
                let own = source
                    .and_then(|it| Some((it, bits(&context.immediates, instruction, it)?[0])));
                let Some((source, value)) = own else { continue };
                check_case(context, source, value, report);
                let first = *cases.values.entry(value).or_insert(source.range);
                if first != source.range {
                    let what = || format!("`CASE` of {}", value as i32);
                    report.push(|| repeated(place, (source.range, first), what()));
                }
            }
            _ => {}
        }
    }
}

/// The cases of a switch that is open.
#[derive(Default)]
struct Cases {
    values: FxHashMap<u32, TextRange>,
    default: Option<TextRange>,
}

/// The edit that removes a case, and what belongs to it where nothing comes there in another way.
fn removal(context: &Context<'_>, place: usize) -> Option<(&'static str, TextEdit)> {
    let (instruction, _) = context.instructions.get(place)?;
    let word = instruction.opcode.range;
    let (before, _) = context.instructions.get(place.checked_sub(1)?)?;
    if before.opcode.value != Opcode::BRK {
        let end = instruction.sources.first().map_or(word.end(), |it| it.range.end());
        let range = TextRange::new(word.start(), end);
        return Some(("Remove it: the case before it goes on here", TextEdit::replace(range, "")));
    }
    let mut depth = 0;
    let (_, next, _) = context.steps_from(place + 1).find(|(_, _, row)| {
        match row.path() {
            Control::Switch => depth += 1,
            Control::EndSwitch if depth > 0 => depth -= 1,
            Control::Case | Control::Default | Control::EndSwitch => return depth == 0,
            _ => {}
        }
        false
    })?;
    let range = TextRange::new(word.start(), next.opcode.range.start());
    Some(("Remove it and what never runs", TextEdit::replace(range, "")))
}

/// A case is compared as an integer. The bits of zero are the same.
fn check_case(context: &Context<'_>, source: &Source, value: u32, report: &mut Report) {
    let immediate = source.register.immediate(&context.immediates);
    if value != 0 && immediate.is_some_and(|it| it.ty.value == ImmediateType::Float32) {
        report.warning(
            codes::VALUE_TYPE,
            source.range,
            || "`CASE` compares integers; this immediate holds floats",
        );
    }
}
