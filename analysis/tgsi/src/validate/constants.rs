//! Operands whose value stands in the text: counts of shifts, divisors, bit fields, texel
//! offsets, addresses and cases.
//!
//! Facts: "Integer ISA", "Bitwise ISA", "64-bit Integer ISA", "Compute ISA" and "GLSL ISA" of
//! the Gallium documentation of 2020; the texel offsets that OpenGL promises of every driver.

use rustc_hash::FxHashMap;
use source::{Diagnostic, TextRange};

use super::context::Context;
use crate::ast::{Immediate, Instruction, Source};
use crate::codes;
use crate::coordinates::Coordinates;
use crate::opcodes::{Control, Family, Lookup, OpInfo, Opcode};
use crate::report::Report;
use crate::words::{File, ImmediateType};

/// The texel offsets that every driver takes.
const OFFSETS: std::ops::RangeInclusive<i32> = -8..=7;

/// The texel offsets of `TG4` that every driver takes.
const GATHER_OFFSETS: std::ops::RangeInclusive<i32> = -32..=31;

/// Checks the immediates of one instruction.
pub(super) fn check(context: &Context<'_>, instruction: &Instruction, report: &mut Report) {
    if context.immediates.is_empty() {
        return;
    }
    let row = instruction.info();
    let constants = Constants { immediates: &context.immediates, instruction };
    constants.check_numbers(row, report);
    constants.check_offsets(row, report);
    constants.check_address(row, report);
}

struct Constants<'a> {
    immediates: &'a [&'a Immediate],
    instruction: &'a Instruction,
}

impl<'a> Constants<'a> {
    /// The bits of a source as they stand, if they do.
    fn bits(&self, source: &Source) -> Option<[u32; 4]> {
        let plain = !source.negate && !source.absolute && self.instruction.historic.is_empty();
        let immediate = source.register.immediate(self.immediates).filter(|_| plain)?;
        Some(source.swizzle.0.map(|component| immediate.bits[component as usize]))
    }

    /// A source, and its values in the components that are written.
    fn source(&self, number: usize) -> Option<(&'a Source, Vec<u32>)> {
        let source = self.instruction.sources.get(number)?;
        let bits = self.bits(source)?;
        let written = self.instruction.destinations.first()?.mask;
        Some((source, written.components().map(|it| bits[it as usize]).collect()))
    }

    fn check_numbers(&self, row: &OpInfo, report: &mut Report) {
        let mut tell = |range: TextRange, message: String| {
            report.push(|| Diagnostic::warning(codes::OPERAND_VALUE, range, message));
        };
        let word = row.mnemonic;
        match row.opcode {
            Opcode::SHL | Opcode::ISHR | Opcode::USHR => {
                let Some((source, counts)) = self.source(1) else { return };
                if let Some(count) = counts.iter().find(|count| **count > 31) {
                    let (count, taken) = (*count as i32, count & 31);
                    tell(
                        source.range,
                        format!("`{word}` shifts by 0 to 31; {count} is taken as {taken}"),
                    );
                }
            }
            Opcode::U64SHL | Opcode::I64SHR | Opcode::U64SHR => {
                let bits =
                    self.instruction.sources.get(1).and_then(|it| Some((it, self.bits(it)?)));
                let Some((source, bits)) = bits else { return };
                let low =
                    self.instruction.destinations.first().is_some_and(|it| it.mask.0 & 3 != 0);
                if low && bits[0] > 63 {
                    let (count, taken) = (bits[0] as i32, bits[0] & 63);
                    tell(
                        source.range,
                        format!("`{word}` shifts by 0 to 63; {count} is taken as {taken}"),
                    );
                }
            }
            Opcode::UDIV | Opcode::UMOD | Opcode::IDIV | Opcode::MOD => {
                let Some((source, divisors)) = self.source(1) else { return };
                if divisors.contains(&0) {
                    tell(
                        source.range,
                        format!(
                            "`{word}` divides by zero here: the result differs between drivers"
                        ),
                    );
                }
            }
            Opcode::U64DIV | Opcode::I64DIV | Opcode::U64MOD | Opcode::I64MOD => {
                let bits =
                    self.instruction.sources.get(1).and_then(|it| Some((it, self.bits(it)?)));
                let Some((source, bits)) = bits else { return };
                let mask = self.instruction.destinations.first().map_or(0, |it| it.mask.0);
                let zero =
                    |first: usize| mask >> first & 3 != 0 && bits[first] | bits[first + 1] == 0;
                if zero(0) || zero(2) {
                    tell(
                        source.range,
                        format!(
                            "`{word}` divides by zero here: the result differs between drivers"
                        ),
                    );
                }
            }
            Opcode::UBFE | Opcode::IBFE => self.check_field(1, 2, word, &mut tell),
            Opcode::BFI => self.check_field(2, 3, word, &mut tell),
            _ => {}
        }
    }

    /// A bit field ends within 32 bits.
    fn check_field(
        &self,
        offset: usize,
        width: usize,
        word: &str,
        tell: &mut dyn FnMut(TextRange, String),
    ) {
        let (offset, width) = (self.source(offset), self.source(width));
        let place = match (&offset, &width) {
            (Some((first, _)), Some((last, _))) => first.range.cover(last.range),
            (Some((only, _)), None) | (None, Some((only, _))) => only.range,
            (None, None) => return,
        };
        let count = offset.iter().chain(&width).map(|(_, values)| values.len()).max();
        let value = |field: &Option<(&Source, Vec<u32>)>, number: usize| {
            field.as_ref().and_then(|(_, values)| values.get(number)).map_or(0, |it| u64::from(*it))
        };
        let end = (0..count.unwrap_or(0)).map(|it| value(&offset, it) + value(&width, it)).max();
        if let Some(end) = end.filter(|end| *end > 32) {
            let end =
                if end > 0x7fff_ffff { "a negative number".to_owned() } else { end.to_string() };
            tell(
                place,
                format!("offset and width of `{word}` are 32 together at most; this is {end}"),
            );
        }
    }

    fn check_offsets(&self, row: &OpInfo, report: &mut Report) {
        let offsets = &self.instruction.offsets;
        if offsets.is_empty() {
            return;
        }
        let gathers = row.lookup == Lookup::Gather;
        let allowed = if gathers { GATHER_OFFSETS } else { OFFSETS };
        // Layers and what is unknown have no offset.
        let target = self.instruction.target.map(|target| Coordinates::of(target.value));
        let count = target.map_or(1, |it| it.position).min(3);
        for offset in offsets {
            let Some(immediate) = offset.register.immediate(self.immediates) else { continue };
            let values = offset.swizzle[..count].iter();
            let beyond = values
                .map(|component| immediate.bits[*component as usize] as i32)
                .find(|value| !allowed.contains(value));
            if let Some(value) = beyond {
                report.warning(codes::TEXTURE_OFFSET, offset.range, || {
                    let (least, most) = (allowed.start(), allowed.end());
                    format!("texel offsets are {least} to {most} on every driver; this is {value}")
                });
            }
        }
    }

    /// Buffers and memories are reached in words of four bytes.
    fn check_address(&self, row: &OpInfo, report: &mut Report) {
        let (resource, address) = match row.family {
            Family::Access | Family::Atomic => {
                let [resource, address, ..] = self.instruction.sources.as_slice() else { return };
                (resource.register.file, address)
            }
            Family::Store => {
                let destination = self.instruction.destinations.first();
                let address = self.instruction.sources.first();
                let (Some(destination), Some(address)) = (destination, address) else { return };
                (destination.register.file, address)
            }
            _ => return,
        };
        if !matches!(resource, File::Buffer | File::Memory | File::ConstantBuffer) {
            return;
        }
        let Some(bits) = self.bits(address) else { return };
        if !bits[0].is_multiple_of(4) {
            report.warning(codes::UNALIGNED_ACCESS, address.range, || {
                let (word, below) = (row.mnemonic, bits[0] & !3);
                format!(
                    "`{word}` counts in bytes and reaches words of four: {} is not a multiple of 4; \
                     chips take {below} or fail",
                    bits[0]
                )
            });
        }
    }
}

/// Checks that the cases of each switch differ.
pub(super) fn check_cases(context: &Context<'_>, report: &mut Report) {
    if context.gaps.steer {
        return;
    }
    let mut open: Vec<Cases> = Vec::new();
    for (instruction, row) in context.steps() {
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
                    repeated(range, first, "`DEFAULT`".to_owned(), report);
                }
            }
            Control::Case => {
                let Some(cases) = open.last_mut() else { continue };
                let constants = Constants { immediates: &context.immediates, instruction };
                let source = instruction.sources.first();
                let bits = source.and_then(|it| Some((it, constants.bits(it)?[0])));
                let Some((source, value)) = bits else { continue };
                check_case(context, source, value, report);
                let first = *cases.values.entry(value).or_insert(source.range);
                if first != source.range {
                    let what = format!("`CASE` of {}", value as i32);
                    repeated(source.range, first, what, report);
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

fn repeated(range: TextRange, first: TextRange, what: String, report: &mut Report) {
    report.push(|| {
        let message = format!("this switch has a {what} already");
        Diagnostic::warning(codes::DUPLICATE_CASE, range, message)
            .with_related(first, "the first one, which is taken")
    });
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
