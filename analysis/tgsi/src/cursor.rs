//! The part of a shader at a place of its text, for hovers and completion.
//!
//! Finds the statement by bisection and the part of it by its ranges; parts
//! that the statement has no range for are read off the text again.

use source::{TextRange, TextSize};

use crate::ast::{
    Declaration, Immediate, Instruction, Property, Register, Shader, Spanned, Statement,
    StatementKind,
};
use crate::lexer::{Lexer, TokenKind};
use crate::word_rows::WordRow;
use crate::words::{Keyword, Modifier, ReturnType, Stage, WordList};
use crate::{Opcode, vocabulary};

/// Something at a place, and all of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'a> {
    /// Its kind.
    pub what: What<'a>,
    /// Its place in the region's text.
    pub range: TextRange,
}

/// A part of a shader that can stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What<'a> {
    /// The header.
    Stage(Stage),
    /// A word of the language, or what has a page of its own beside the words.
    Word(&'static WordRow),
    /// An opcode; the modifiers are part of the range.
    Opcode(Opcode),
    /// A register in an instruction.
    Register(Register),
    /// An image format with its prefix.
    Format(&'a str),
    /// A value of an immediate.
    ImmediateValue,
    /// The label of a branch.
    Label(u32),
    /// A number that means nothing: of an instruction, of an immediate.
    Number,
}

/// Returns what stands at `offset`; `None` for white space, signs and what was not understood.
/// `text` is the region that `shader` was parsed from.
pub fn at<'a>(text: &'a str, shader: &Shader, offset: TextSize) -> Option<Found<'a>> {
    if shader.stage.range.contains_inclusive(offset) {
        return found(What::Stage(shader.stage.value), shader.stage.range);
    }
    let statement = statement_at(shader, offset)?;
    match &statement.kind {
        StatementKind::Declaration(declaration) => in_declaration(text, declaration, offset)
            .or_else(|| in_keyword(text, statement, offset)),
        StatementKind::Immediate(immediate) => {
            in_immediate(immediate, offset).or_else(|| in_keyword(text, statement, offset))
        }
        StatementKind::Property(property) => {
            in_property(property, offset).or_else(|| in_keyword(text, statement, offset))
        }
        StatementKind::Instruction(instruction) => in_instruction(text, instruction, offset),
        StatementKind::Unknown => None,
    }
}

/// The statement that holds or touches an offset.
pub fn statement_at(shader: &Shader, offset: TextSize) -> Option<&Statement> {
    let after = shader.statements.partition_point(|statement| statement.range.start() <= offset);
    let statement = shader.statements.get(after.checked_sub(1)?)?;
    statement.range.contains_inclusive(offset).then_some(statement)
}

fn found(what: What<'_>, range: TextRange) -> Option<Found<'_>> {
    Some(Found { what, range })
}

/// The first spanned value that the offset touches, made into what it is.
fn spanned<'a, T: Copy>(
    value: Option<Spanned<T>>,
    offset: TextSize,
    what: impl FnOnce(T) -> What<'a>,
) -> Option<Found<'a>> {
    let value = value.filter(|value| value.range.contains_inclusive(offset))?;
    found(what(value.value), value.range)
}

/// The same of a word of a list.
fn word<'a, T: WordList>(value: Option<Spanned<T>>, offset: TextSize) -> Option<Found<'a>> {
    spanned(value, offset, |entry| What::Word(entry.row()))
}

fn in_keyword<'a>(text: &'a str, statement: &Statement, offset: TextSize) -> Option<Found<'a>> {
    let (range, word) = word_at(text, statement.range, offset)?;
    let statements = [Keyword::Declaration, Keyword::Immediate, Keyword::Property];
    let keyword = Keyword::from_word(word).filter(|keyword| statements.contains(keyword))?;
    (range.start() == statement.range.start())
        .then_some(Found { what: What::Word(keyword.row()), range })
}

/// The word or number of a part of the text that the offset touches.
pub(crate) fn word_at(
    text: &str,
    within: TextRange,
    offset: TextSize,
) -> Option<(TextRange, &str)> {
    let part = text.get(std::ops::Range::<usize>::from(within))?;
    let offset = offset.checked_sub(within.start())?;
    let (_, range) = Lexer::new(part)
        .take_while(|(_, range)| range.start() <= offset)
        .filter(|(kind, range)| {
            matches!(kind, TokenKind::Word | TokenKind::Number) && range.contains_inclusive(offset)
        })
        .last()?;
    Some((range + within.start(), &part[range]))
}

fn in_declaration<'a>(
    text: &'a str,
    declaration: &Declaration,
    offset: TextSize,
) -> Option<Found<'a>> {
    let file = declaration.file.value.row();
    let image = declaration.image.as_ref();
    let view = declaration.sampler_view;
    let semantic = declaration.semantic.map(|semantic| semantic.map(|it| it.name));
    word(Some(declaration.file), offset)
        .or_else(|| spanned(Some(declaration.range), offset, |_| What::Word(file)))
        .or_else(|| spanned(declaration.dimension.flatten(), offset, |_| What::Word(file)))
        .or_else(|| spanned(declaration.mask, offset, |_| What::Word(Modifier::WriteMask.row())))
        .or_else(|| spanned(declaration.array, offset, |_| What::Word(Keyword::Array.row())))
        .or_else(|| word(semantic, offset))
        .or_else(|| word(declaration.interpolation, offset))
        .or_else(|| word(declaration.location, offset))
        .or_else(|| word(declaration.memory, offset))
        .or_else(|| spanned(declaration.streams, offset, |_| What::Word(Keyword::Stream.row())))
        .or_else(|| word(image.map(|image| image.target), offset))
        .or_else(|| word(view.map(|view| view.target), offset))
        .or_else(|| format_at(text, image?.format.as_ref()?, offset))
        .or_else(|| attribute_at(text, declaration, offset))
}

fn format_at<'a>(text: &'a str, format: &Spanned<String>, offset: TextSize) -> Option<Found<'a>> {
    let word = text.get(std::ops::Range::<usize>::from(format.range))?;
    spanned(Some(Spanned { value: word, range: format.range }), offset, What::Format)
}

/// Attribute words that the declaration has no range for.
fn attribute_at<'a>(
    text: &'a str,
    declaration: &Declaration,
    offset: TextSize,
) -> Option<Found<'a>> {
    const WORDS: [Keyword; 5] =
        [Keyword::Local, Keyword::Invariant, Keyword::Atomic, Keyword::Writable, Keyword::Raw];
    let start = declaration.range.range.end();
    if offset < start {
        return None;
    }
    let line_end = text
        .get(usize::from(offset)..)?
        .find('\n')
        .map_or(text.len(), |length| usize::from(offset) + length);
    let rest = TextRange::new(start, TextSize::new(line_end as u32));
    let (range, word) = word_at(text, rest, offset)?;
    if let Some(keyword) = Keyword::from_word(word).filter(|keyword| WORDS.contains(keyword)) {
        return found(What::Word(keyword.row()), range);
    }
    declaration.sampler_view?;
    found(What::Word(ReturnType::from_word(word)?.row()), range)
}

fn in_immediate<'a>(immediate: &Immediate, offset: TextSize) -> Option<Found<'a>> {
    let value = immediate.values.iter().find(|range| range.contains_inclusive(offset));
    spanned(immediate.index, offset, |_| What::Number)
        .or_else(|| word(Some(immediate.ty), offset))
        .or_else(|| found(What::ImmediateValue, *value?))
}

fn in_property<'a>(property: &Property, offset: TextSize) -> Option<Found<'a>> {
    let name = property.name?.value;
    word(property.name, offset)
        .or_else(|| spanned(property.value, offset, |_| What::Word(name.row())))
}

fn in_instruction<'a>(
    text: &'a str,
    instruction: &Instruction,
    offset: TextSize,
) -> Option<Found<'a>> {
    spanned(Some(instruction.opcode), offset, What::Opcode)
        .or_else(|| spanned(instruction.number, offset, |_| What::Number))
        .or_else(|| {
            let forms =
                instruction.historic.iter().filter(|it| it.range.contains_inclusive(offset));
            let form = forms.min_by_key(|form| form.range.len())?;
            found(What::Word(form.kind.row()), form.range)
        })
        .or_else(|| in_operands(text, instruction, offset))
        .or_else(|| in_predicate(text, instruction, offset))
        .or_else(|| word(instruction.target, offset))
        .or_else(|| spanned(instruction.label, offset, What::Label))
        .or_else(|| {
            let qualifiers = instruction.qualifiers.iter();
            qualifiers.filter_map(|entry| word(Some(*entry), offset)).next()
        })
        .or_else(|| format_at(text, instruction.format.as_deref()?, offset))
}

fn in_predicate<'a>(
    text: &'a str,
    instruction: &Instruction,
    offset: TextSize,
) -> Option<Found<'a>> {
    let predicate = instruction.predicate.as_deref()?;
    if !predicate.range.contains_inclusive(offset) {
        return None;
    }
    in_register(text, &predicate.register, offset)
        .or_else(|| found(What::Word(Modifier::Predicate.row()), predicate.range))
}

fn in_operands<'a>(
    text: &'a str,
    instruction: &Instruction,
    offset: TextSize,
) -> Option<Found<'a>> {
    for destination in &instruction.destinations {
        if destination.range.contains_inclusive(offset) {
            let register = destination.register;
            return in_register(text, &register, offset).or_else(|| {
                found(What::Word(Modifier::WriteMask.row()), after(&register, destination.range))
            });
        }
    }
    for source in &instruction.sources {
        if source.range.contains_inclusive(offset) {
            let register = source.register;
            if offset < register.range.start() {
                return found(What::Register(register), source.range);
            }
            return in_register(text, &register, offset).or_else(|| {
                let swizzle = swizzle_range(text, &register, source.range);
                found(What::Word(Modifier::Swizzle.row()), swizzle)
            });
        }
    }
    for texel in &instruction.offsets {
        if texel.range.contains_inclusive(offset) {
            let swizzle = after(&texel.register, texel.range);
            return in_register(text, &texel.register, offset)
                .or_else(|| found(What::Word(Modifier::Swizzle.row()), swizzle));
        }
    }
    None
}

/// Returns what follows a register in its operand, but for closing bars and parentheses.
fn swizzle_range(text: &str, register: &Register, operand: TextRange) -> TextRange {
    let range = after(register, operand);
    let part = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
    let closing = |sign: char| matches!(sign, '|' | ')') || sign.is_whitespace();
    let length = part.split(closing).next().unwrap_or_default().len();
    TextRange::at(range.start(), TextSize::new(length as u32))
}

/// Returns what follows a register in its operand.
fn after(register: &Register, operand: TextRange) -> TextRange {
    TextRange::new(register.range.end(), operand.end())
}

/// The register, or the one inside of its brackets that the offset is in.
fn in_register<'a>(text: &'a str, register: &Register, offset: TextSize) -> Option<Found<'a>> {
    if !register.range.contains_inclusive(offset) {
        return None;
    }
    let inner = word_at(text, register.range, offset).and_then(|(range, word)| {
        let file = vocabulary::file(word)?;
        let indices = [register.dimension, Some(register.index)].into_iter().flatten();
        let base = indices.filter_map(|index| index.indirect).find(|base| base.file == file)?;
        if range.start() == register.range.start() {
            return None;
        }
        let index = crate::ast::Index { offset: i32::try_from(base.index).ok()?, indirect: None };
        let end = text.get(usize::from(range.end())..)?.find(']')? as u32 + 1;
        let range = TextRange::new(range.start(), range.end() + TextSize::new(end));
        found(What::Register(Register { range, file, dimension: None, index }), range)
    });
    inner.or_else(|| found(What::Register(*register), register.range))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn every_part_of_a_shader_is_found() {
        let text = "FRAG\nDCL IN[0..1].xy, GENERIC[3], PERSPECTIVE, CENTROID, INVARIANT\n\
                    DCL SVIEW[0], 2D, FLOAT\nDCL IMAGE[1], CUBE, WR, PIPE_FORMAT_R32_UINT\n\
                    PROPERTY FS_COORD_ORIGIN LOWER_LEFT\nIMM[0] FLT32 {1, 2.5, 3, 4}\n\
                    7: MOV_SAT TEMP[ADDR[0].x+1].xy, -|CONST[1][2].xxxx|\n\
                    LOAD TEMP[0], IMAGE[1], IN[0], COHERENT, 2D\nIF IN[0].xxxx :9\nFOO\n";
        let shader = crate::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
        let mut out = String::new();
        let mut last = None;
        for offset in 0..text.len() {
            let found = at(text, &shader, TextSize::new(offset as u32));
            if let Some(found) = &found
                && last.as_ref() != Some(found)
            {
                let what = format!("{:?}", found.what);
                let kind = match &found.what {
                    What::Word(row) => row.list,
                    _ => what.split(['(', ' ']).next().unwrap_or_default(),
                };
                out += &format!("{kind} {:?}\n", &text[found.range]);
            }
            last = found;
        }
        expect![[r#"
            Stage "FRAG"
            keyword "DCL"
            file "IN"
            file "0..1"
            modifier ".xy"
            semantic "GENERIC[3]"
            interpolation "PERSPECTIVE"
            location "CENTROID"
            keyword "INVARIANT"
            keyword "DCL"
            file "SVIEW"
            file "0"
            target "2D"
            return "FLOAT"
            keyword "DCL"
            file "IMAGE"
            file "1"
            target "CUBE"
            keyword "WR"
            Format "PIPE_FORMAT_R32_UINT"
            keyword "PROPERTY"
            property "FS_COORD_ORIGIN"
            property "LOWER_LEFT"
            keyword "IMM"
            Number "0"
            immediate "FLT32"
            ImmediateValue "1"
            ImmediateValue "2.5"
            ImmediateValue "3"
            ImmediateValue "4"
            Number "7"
            Opcode "MOV_SAT"
            Register "TEMP[ADDR[0].x+1]"
            Register "ADDR[0]"
            Register "TEMP[ADDR[0].x+1]"
            modifier ".xy"
            Register "-|CONST[1][2].xxxx|"
            Register "CONST[1][2]"
            modifier ".xxxx"
            Opcode "LOAD"
            Register "TEMP[0]"
            Register "IMAGE[1]"
            Register "IN[0]"
            qualifier "COHERENT"
            target "2D"
            Opcode "IF"
            Register "IN[0]"
            modifier ".xxxx"
            Label "9"
        "#]]
        .assert_eq(&out);
    }
}
