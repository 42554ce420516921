//! Operands whose value stands in the text: counts of shifts, divisors, bit fields, texel
//! offsets and addresses.
//!
//! Facts: "Integer ISA", "Bitwise ISA", "64-bit Integer ISA", "Compute ISA" and "GLSL ISA" of
//! the Gallium documentation of 2020; the texel offsets that OpenGL promises of every driver.

use source::{Diagnostic, TextEdit};

use super::context::Context;
use super::immediates::{Change, changed};
use crate::ast::{Component, Immediate, Instruction, Source, WriteMask};
use crate::codes;
use crate::coordinates::Coordinates;
use crate::opcodes::{Family, Lookup, OpInfo, Opcode};
use crate::report::Report;
use crate::words::File;

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
    let constants = Constants { context, immediates: &context.immediates, instruction };
    constants.check_numbers(row, report);
    constants.check_offsets(row, report);
    constants.check_address(row, report);
}

/// The bits of a source as they stand, if they do.
pub(super) fn bits(
    immediates: &[&Immediate],
    instruction: &Instruction,
    source: &Source,
) -> Option<[u32; 4]> {
    let plain = !source.negate && !source.absolute && instruction.historic.is_empty();
    let immediate = source.register.immediate(immediates).filter(|_| plain)?;
    Some(source.swizzle.0.map(|component| immediate.bits[component as usize]))
}

struct Constants<'a> {
    context: &'a Context<'a>,
    immediates: &'a [&'a Immediate],
    instruction: &'a Instruction,
}

impl<'a> Constants<'a> {
    fn bits(&self, source: &Source) -> Option<[u32; 4]> {
        bits(self.immediates, self.instruction, source)
    }

    /// A source, and its values in the components that are written.
    fn source(&self, number: usize) -> Option<(&'a Source, Vec<u32>)> {
        let source = self.instruction.sources.get(number)?;
        let bits = self.bits(source)?;
        let written = self.instruction.destinations.first()?.mask;
        Some((source, written.components().map(|it| bits[it as usize]).collect()))
    }

    fn check_numbers(&self, row: &OpInfo, report: &mut Report) {
        let word = row.mnemonic;
        match row.opcode {
            Opcode::SHL | Opcode::ISHR | Opcode::USHR => {
                let Some((source, counts)) = self.source(1) else { return };
                self.check_counts(word, 31, source, &counts, report);
            }
            Opcode::U64SHL | Opcode::I64SHR | Opcode::U64SHR => {
                let Some(source) = self.instruction.sources.get(1) else { return };
                let (Some(bits), Some(written)) = (self.bits(source), self.written()) else {
                    return;
                };
                if written.0 & 3 != 0 {
                    self.check_counts(word, 63, source, &bits[..1], report);
                }
            }
            Opcode::UDIV | Opcode::UMOD | Opcode::IDIV | Opcode::MOD => {
                let Some((source, divisors)) = self.source(1) else { return };
                if divisors.contains(&0) {
                    divides_by_zero(word, source, report);
                }
            }
            Opcode::U64DIV | Opcode::I64DIV | Opcode::U64MOD | Opcode::I64MOD => {
                let bits =
                    self.instruction.sources.get(1).and_then(|it| Some((it, self.bits(it)?)));
                let Some((source, bits)) = bits else { return };
                let mask = self.written().map_or(0, |it| it.0);
                let zero =
                    |first: usize| mask >> first & 3 != 0 && bits[first] | bits[first + 1] == 0;
                if zero(0) || zero(2) {
                    divides_by_zero(word, source, report);
                }
            }
            Opcode::UBFE | Opcode::IBFE => self.check_field(1, 2, word, report),
            Opcode::BFI => self.check_field(2, 3, word, report),
            _ => {}
        }
    }

    /// The components that are written.
    fn written(&self) -> Option<WriteMask> {
        self.instruction.destinations.first().map(|it| it.mask)
    }

    /// The components of a source that stand for those that are written, as `source` lists them.
    fn places(&self, source: &Source) -> Vec<Component> {
        let written = self.written().into_iter().flat_map(WriteMask::components);
        written.map(|it| source.swizzle.0[it as usize]).collect()
    }

    /// A count of a shift is taken with its low bits.
    fn check_counts(
        &self,
        word: &str,
        most: u32,
        source: &Source,
        counts: &[u32],
        report: &mut Report,
    ) {
        let Some(count) = counts.iter().find(|count| **count > most).copied() else { return };
        report.push(|| {
            let taken = count & most;
            let message =
                format!("`{word}` shifts by 0 to {most}; {} is taken as {taken}", count as i32);
            let diagnostic = Diagnostic::warning(codes::OPERAND_VALUE, source.range, message);
            let changes = self.places(source).into_iter().zip(counts);
            let changes =
                changes.map(|(component, count)| Change { component, value: count & most });
            match changed(self.context, source, &changes.collect::<Vec<_>>()) {
                Some(edits) => {
                    diagnostic.with_edits(format!("Shift by {taken}, as it is taken"), edits)
                }
                None => diagnostic,
            }
        });
    }

    /// A bit field ends within 32 bits.
    fn check_field(&self, offset: usize, width: usize, word: &str, report: &mut Report) {
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
        let Some(end) = end.filter(|end| *end > 32) else { return };
        report.push(|| {
            let end =
                if end > 0x7fff_ffff { "a negative number".to_owned() } else { end.to_string() };
            let message =
                format!("offset and width of `{word}` are 32 together at most; this is {end}");
            let diagnostic = Diagnostic::warning(codes::OPERAND_VALUE, place, message);
            match self.ending_at_the_top(&offset, &width) {
                Some(edits) => diagnostic.with_edits("End the field at its register's end", edits),
                None => diagnostic,
            }
        });
    }

    /// Edits for the widths that leave out what of a field is beyond the register.
    fn ending_at_the_top(
        &self,
        offset: &Option<(&Source, Vec<u32>)>,
        width: &Option<(&Source, Vec<u32>)>,
    ) -> Option<Vec<TextEdit>> {
        let ((_, offsets), (source, widths)) = (offset.as_ref()?, width.as_ref()?);
        let fields = offsets.iter().zip(widths);
        let changes = self.places(source).into_iter().zip(fields).map(|(component, field)| {
            let room = 32_u32.checked_sub(*field.0).filter(|room| *room > 0)?;
            Some(Change { component, value: room.min(*field.1) })
        });
        changed(self.context, source, &changes.collect::<Option<Vec<_>>>()?)
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

fn divides_by_zero(word: &str, source: &Source, report: &mut Report) {
    report.warning(codes::OPERAND_VALUE, source.range, || {
        format!("`{word}` divides by zero here: the result differs between drivers")
    });
}
