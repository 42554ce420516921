//! Registers against what the kernel's descriptor asks for.
//!
//! The descriptor says how many registers a wave gets; assemblers do not compare
//! that with the code. A register beyond them is not the wave's own.

use source::{Severity, TextLen, TextRange, TextSize};

use super::DiagnosticSink;
use super::{Kernel, Program};
use crate::assembler::descriptor::{ACCUM_OFFSET, NEXT_VGPR, vector_registers};
use crate::assembler::result::{DescriptorKind, Field};
use crate::assembler::sources::{SourceId, Span};
use crate::codes;
use crate::targets::Limits;

/// The registers that a field of a descriptor counts, and the unit.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// 0 for vector registers, 1 for scalar ones, 2 for accumulation registers.
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

/// The unit of fields that count registers together with others: none of them is a number of
/// registers that would do.
const SHARED: i64 = 0;

const KINDS: [&str; 3] = ["vector", "scalar", "accumulation"];
const LETTERS: [char; 3] = ['v', 's', 'a'];

/// The registers that a kernel's descriptor asks for; `None` where it says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// Vector registers.
    pub vgprs: Option<i64>,
    /// Accumulation registers, which a descriptor counts where both kinds share a file.
    pub agprs: Option<i64>,
    /// Scalar registers, those above the numbered ones not counted.
    pub sgprs: Option<i64>,
}

impl Program {
    /// Returns the registers that a kernel's descriptor asks for.
    pub fn asked_registers(&self, kernel: &Kernel) -> Asked {
        let mut asked = Asked::default();
        for (count, registers) in self.descriptor_fields(kernel).iter().filter_map(counted) {
            *[&mut asked.vgprs, &mut asked.sgprs][count.bank] = Some(registers);
        }
        if let Some([vgprs, agprs]) = self.shared_registers(kernel) {
            (asked.vgprs, asked.agprs) = (Some(vgprs), Some(agprs));
        }
        asked
    }

    /// Returns the vector and accumulation registers that a descriptor asks for of one file.
    fn shared_registers(&self, kernel: &Kernel) -> Option<[i64; 2]> {
        let descriptor = self.expansion.kernels.get(kernel.descriptor? as usize)?;
        let is_shared = self.target.row().limits.accum_granule > 0
            && descriptor.kind == DescriptorKind::Amdhsa
            && field(&descriptor.fields, ACCUM_OFFSET).is_some_and(|it| it.value.is_some());
        is_shared.then(|| vector_registers(descriptor, self.target)).flatten()
    }
}

/// Finds the first field of a descriptor by its name.
pub(super) fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|it| it.name.eq_ignore_ascii_case(name))
}

/// Returns what a field counts, and the registers that it asks for.
fn counted(field: &Field) -> Option<(Count, i64)> {
    let (_, count) = FIELDS.iter().find(|(name, _)| field.name.eq_ignore_ascii_case(name))?;
    Some((*count, field.value?.saturating_mul(count.unit).saturating_add(count.more)))
}

/// Tells the first register of each kernel and kind that is not granted.
pub(super) fn check(program: &Program, sink: &mut DiagnosticSink) {
    let limits = &program.target.row().limits;
    for kernel in &program.kernels {
        let fields = program.descriptor_fields(kernel);
        let shared = program.shared_registers(kernel);
        for field in fields {
            let Some((count, asked)) = counted(field) else { continue };
            let granted = granted(asked, count.bank, limits);
            if shared.is_none() || count.bank != 0 {
                check_field(program, kernel, field, count, granted, sink);
            }
        }
        let both = [ACCUM_OFFSET, NEXT_VGPR].map(|name| self::field(fields, name));
        let (Some([vgprs, agprs]), [Some(offset), Some(all)]) = (shared, both) else { continue };
        let granted = granted(vgprs.saturating_add(agprs), 0, limits);
        let start = offset.value.unwrap_or(0);
        let of = |bank| Count { bank, unit: SHARED, more: 0 };
        // Where the code names no accumulation register, nothing is in the way of the others.
        let (first, most) = match agprs > 0 && names_accumulators(program, kernel) {
            true => (offset, vgprs),
            false => (all, granted),
        };
        check_field(program, kernel, first, of(0), most, sink);
        check_field(program, kernel, all, of(2), (granted - start).max(0), sink);
    }
}

/// Tells whether an instruction of a kernel names an accumulation register.
fn names_accumulators(program: &Program, kernel: &Kernel) -> bool {
    let range = kernel.instructions.start as usize..kernel.instructions.end as usize;
    let own = program.instructions.get(range).unwrap_or_default();
    own.iter().any(|it| it.assembled.is_some_and(|it| it.registers[2] > 0))
}

fn check_field(
    program: &Program,
    kernel: &Kernel,
    field: &Field,
    count: Count,
    granted: i64,
    sink: &mut DiagnosticSink,
) {
    let range = kernel.instructions.start as usize..kernel.instructions.end as usize;
    let used = |index: usize| {
        let assembled = program.instructions.get(index).and_then(|it| it.assembled);
        assembled.map_or(0, |it| i64::from(it.registers[count.bank]))
    };
    let Some(first) = range.clone().find(|index| used(*index) > granted) else { return };
    let needed = range.map(used).max().unwrap_or(0);
    let instruction = &program.instructions[first];
    let statement = program.statement(instruction);
    let certain = !statement.is_guessed() && !program.expansion.incomplete;
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
