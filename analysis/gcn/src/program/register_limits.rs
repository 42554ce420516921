//! Registers against what the kernel's descriptor asks for.
//!
//! The descriptor says how many registers a wave gets; assemblers do not compare
//! that with the code. A register beyond them is not the wave's own.

use source::{Severity, TextLen, TextRange, TextSize};

use super::DiagnosticSink;
use super::{Kernel, Program};
use crate::assembler::result::Field;
use crate::assembler::sources::{SourceId, Span};
use crate::codes;
use crate::targets::Limits;

/// The registers that a field of a descriptor counts, and the unit.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// 0 for vector registers, 1 for scalar ones.
    bank: usize,
    /// Registers for each unit of the field.
    unit: i64,
    /// Registers beyond the product.
    more: i64,
}

/// The fields that count registers: those of the three kinds of descriptor.
/// In the oldest the granules count, less one; the registers are in words of eight
/// scalar and four vector registers.
const FIELDS: [(&str, Count); 6] = [
    (".amdhsa_next_free_vgpr", Count { bank: 0, unit: 1, more: 0 }),
    (".amdhsa_next_free_sgpr", Count { bank: 1, unit: 1, more: 0 }),
    ("granulated_workitem_vgpr_count", Count { bank: 0, unit: 4, more: 4 }),
    ("granulated_wavefront_sgpr_count", Count { bank: 1, unit: 8, more: 8 }),
    (".vgprsnum", Count { bank: 0, unit: 1, more: 0 }),
    (".sgprsnum", Count { bank: 1, unit: 1, more: 0 }),
];

const KINDS: [&str; 2] = ["vector", "scalar"];
const LETTERS: [char; 2] = ['v', 's'];

impl Program {
    /// Returns the vector and scalar registers that a kernel's descriptor asks for, those
    /// above the numbered ones not counted; `None` where it says nothing.
    pub fn asked_registers(&self, kernel: &Kernel) -> [Option<i64>; 2] {
        let mut asked = [None; 2];
        for (count, registers) in self.descriptor_fields(kernel).iter().filter_map(counted) {
            asked[count.bank] = Some(registers);
        }
        asked
    }
}

/// Returns what a field counts, and the registers that it asks for.
fn counted(field: &Field) -> Option<(Count, i64)> {
    let (_, count) = FIELDS.iter().find(|(name, _)| field.name.eq_ignore_ascii_case(name))?;
    Some((*count, field.value?.saturating_mul(count.unit).saturating_add(count.more)))
}

/// Tells the first register of each kernel and kind that is not granted.
pub(super) fn check(program: &Program, sink: &mut DiagnosticSink) {
    for kernel in &program.kernels {
        for field in program.descriptor_fields(kernel) {
            if let Some((count, asked)) = counted(field) {
                check_field(program, kernel, field, count, asked, sink);
            }
        }
    }
}

fn check_field(
    program: &Program,
    kernel: &Kernel,
    field: &Field,
    count: Count,
    asked: i64,
    sink: &mut DiagnosticSink,
) {
    let granted = granted(asked, count.bank, &program.target.row().limits);
    let range = kernel.instructions.start as usize..kernel.instructions.end as usize;
    let used = |index: usize| {
        let assembled = program.instructions.get(index).and_then(|it| it.assembled);
        assembled.map_or(0, |it| i64::from(it.registers[count.bank]))
    };
    let Some(first) = range.clone().find(|index| used(*index) > granted) else { return };
    let needed = range.map(used).max().unwrap_or(0);
    let instruction = &program.instructions[first];
    let statement = program.statement(instruction);
    let certain = !statement.guessed && !program.expansion.incomplete;
    let severity = if certain { Severity::Warning } else { Severity::Hint };
    let kind = KINDS[count.bank];
    let letter = LETTERS[count.bank];
    let message = format!(
        "`{}` is granted {granted} {kind} registers by `{}`; {letter}{} is not its own",
        kernel.name,
        field.name,
        used(first) - 1,
    );
    let whole = TextRange::up_to(program.text(instruction).text_len());
    let code = codes::REGISTER_COUNT;
    let diagnostic = sink.report(&program.expansion, statement, whole, code, severity, &message);
    let Some(diagnostic) = diagnostic else { return };
    let place = program.expansion.in_file(field.span);
    if place.source != SourceId::ROOT {
        return;
    }
    let related = format!("{} {kind} registers are granted here", granted);
    diagnostic.related.push(source::Related { range: place.range, message: related });
    if count.unit == 1
        && let Some(number) = plain_number(program, field, place)
    {
        let fix = source::Fix {
            title: format!("Ask for {needed} {kind} registers"),
            edits: vec![source::TextEdit::replace(number, needed.to_string())],
        };
        diagnostic.fixes.push(fix);
    }
}

/// Returns the registers that a wave is allocated which asks for some.
fn granted(asked: i64, bank: usize, limits: &Limits) -> i64 {
    let up = |amount: i64, granule: u32| {
        let granule = i64::from(granule.max(1));
        amount.max(1).saturating_add(granule - 1) / granule * granule
    };
    if bank == 0 {
        return up(asked, limits.vgpr_granule);
    }
    // VCC and its like are added, and lie above the registers with numbers; where
    // they are not reserved or not used, what was added can be used.
    let special = limits.extra_vcc.max(limits.extra_xnack).max(limits.extra_flat_scratch);
    let granted = up(asked.saturating_add(i64::from(special)), limits.sgpr_granule);
    granted.max(i64::from(limits.fixed_sgprs.unwrap_or(0)))
}

/// The place of a field's number in the given text, where it is one and no macro's.
fn plain_number(program: &Program, field: &Field, place: Span) -> Option<TextRange> {
    let is_number = !field.text.is_empty() && field.text.bytes().all(|it| it.is_ascii_digit());
    let written = program.expansion.source_text(field.span);
    if !is_number || field.span != place || !written.ends_with(&*field.text) {
        return None;
    }
    let length = TextSize::of(&*field.text);
    Some(TextRange::at(place.range.end() - length, length))
}
