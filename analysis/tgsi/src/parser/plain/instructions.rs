//! `  7: OPCODE_SAT TEMP[0].xy, -IN[0].xxxx, SAMP[0], 2D`

use super::super::Parser;
use super::super::instructions::indent;
use super::line::Line;
use crate::ast::{
    Component, Destination, Index, Indirect, Instruction, Register, Source, Spanned, StatementKind,
    Swizzle, WriteMask,
};
use crate::opcodes::OpInfo;
use crate::vocabulary;
use crate::words::{File, TextureTarget};

impl Parser<'_> {
    /// Reads an instruction with the number before it.
    pub(super) fn plain_instruction(
        &self,
        line: &mut Line<'_>,
        kind: &mut StatementKind,
    ) -> Option<()> {
        let mut number = None;
        let mut blanks = None;
        if line.at_digit() {
            number = Some(line.spanned_number()?);
            if !line.eat(b':') {
                return None;
            }
            let colon = line.end();
            line.blanks();
            // One of the blanks belongs to the colon.
            blanks = Some(u32::from(line.here() - colon).saturating_sub(1));
        }
        let indent = blanks.or_else(|| indent(line.before()));
        let start = line.here();
        let spelled = vocabulary::opcode(line.word())?;
        let row = spelled.opcode.row();
        let is_usual = spelled.oddity.is_none() && row.number.is_some() && row.until.is_empty();
        if !is_usual || !row.last_source_since.is_empty() {
            return None;
        }
        *kind = StatementKind::Instruction(Instruction {
            ordinal: self.ordinal + 1,
            number,
            indent,
            opcode: Spanned { value: spelled.opcode, range: line.since(start) },
            saturate: spelled.saturate,
            precise: spelled.precise,
            ..Instruction::default()
        });
        match kind {
            StatementKind::Instruction(instruction) => operands(line, row, instruction),
            _ => None,
        }
    }
}

#[inline]
fn operands(line: &mut Line<'_>, row: &OpInfo, instruction: &mut Instruction) -> Option<()> {
    // A factor may follow a destination that is the last operand, and even stand on the next line.
    let total = row.destinations + row.sources;
    if row.sources == 0 && total > 0 {
        return None;
    }
    for place in 0..total {
        let is_parted = if place == 0 { line.blanks() } else { line.comma() };
        if !is_parted {
            return None;
        }
        if place < row.destinations {
            instruction.destinations.push(destination(line)?);
        } else {
            instruction.sources.push(source(line)?);
        }
    }
    if row.texture {
        if !line.comma() {
            return None;
        }
        let start = line.here();
        let value = TextureTarget::from_word(line.word())?;
        instruction.target = Some(Spanned { value, range: line.since(start) });
    }
    if row.label && line.blanks() && line.eat(b':') {
        instruction.label = Some(line.spanned_number()?);
    }
    Some(())
}

/// `FILE[index].mask`
#[inline]
fn destination(line: &mut Line<'_>) -> Option<Destination> {
    let start = line.here();
    let register = register(line)?;
    let mask = if line.eat(b'.') { line.mask()? } else { WriteMask::ALL };
    Some(Destination { range: line.since(start), register, mask })
}

/// `-|FILE[index].swizzle|`
#[inline]
fn source(line: &mut Line<'_>) -> Option<Source> {
    let start = line.here();
    let negate = line.eat(b'-');
    let absolute = line.eat(b'|');
    let register = register(line)?;
    let swizzle = if line.eat(b'.') { line.swizzle()? } else { Swizzle::IDENTITY };
    if absolute && !line.eat(b'|') {
        return None;
    }
    Some(Source { range: line.since(start), register, swizzle, absolute, negate })
}

/// `FILE[index](n)[index](n)`
#[inline]
fn register(line: &mut Line<'_>) -> Option<Register> {
    let start = line.here();
    let file = file(line)?;
    let mut index = index(line)?;
    let mut dimension = None;
    if line.peek() == b'[' {
        dimension = Some(index);
        index = self::index(line)?;
    }
    Some(Register { range: line.since(start), file, dimension, index })
}

/// A file of today's language.
#[inline]
pub(super) fn file(line: &mut Line<'_>) -> Option<File> {
    let (file, length) = match line.rest() {
        [b'T', b'E', b'M', b'P', b'[', ..] => (File::Temporary, 4),
        [b'I', b'N', b'[', ..] => (File::Input, 2),
        [b'C', b'O', b'N', b'S', b'T', b'[', ..] => (File::Constant, 5),
        [b'O', b'U', b'T', b'[', ..] => (File::Output, 3),
        [b'I', b'M', b'M', b'[', ..] => (File::Immediate, 3),
        [b'S', b'A', b'M', b'P', b'[', ..] => (File::Sampler, 4),
        _ => {
            return vocabulary::file(line.word()).filter(|file| file.row().until.is_empty());
        }
    };
    line.skip(length);
    Some(file)
}

/// `[n]`, `[FILE[n].c+n](n)`
#[inline]
fn index(line: &mut Line<'_>) -> Option<Index> {
    if !line.eat(b'[') {
        return None;
    }
    if !line.at_digit() {
        return indirect_index(line);
    }
    let offset = i32::try_from(line.register_number()?).ok()?;
    line.eat(b']').then_some(Index { offset, indirect: None })
}

fn indirect_index(line: &mut Line<'_>) -> Option<Index> {
    let file = file(line)?;
    if !line.eat(b'[') {
        return None;
    }
    let index = line.register_number()?;
    if !line.eat(b']') {
        return None;
    }
    let mut component = Component::X;
    if line.eat(b'.') {
        let mut letters = line.word().chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
        component = Component::from_letter(letter)?;
    }
    let mut offset = 0;
    let negative = line.eat(b'-');
    if negative || line.eat(b'+') {
        offset = i32::try_from(line.register_number()?).ok()?;
    }
    if !line.eat(b']') {
        return None;
    }
    let mut array = None;
    if line.eat(b'(') {
        array = Some(line.number()?);
        if !line.eat(b')') {
            return None;
        }
    }
    let offset = if negative { -offset } else { offset };
    Some(Index { offset, indirect: Some(Indirect { file, index, component, array }) })
}
