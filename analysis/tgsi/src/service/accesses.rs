//! Every place of a shader that names a register, with what it does there:
//! declares, reads or writes, and which components.
//!
//! References, highlights, hovers and renaming all ask this list. A register
//! with a computed number stands for every register of the array or
//! declaration that it stays in.

use source::{TextRange, TextSize};

use super::declared::Declared;
use super::formula::{self, expand};
use crate::ast::{Declaration, Index, Instruction, Register, Shader, StatementKind, WriteMask};
use crate::lexer::{Lexer, TokenKind};
use crate::vocabulary;
use crate::words::File;

/// A place that names registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The name with its brackets; in a declaration the file and its brackets.
    pub range: TextRange,
    /// The registers it may touch.
    pub span: Span,
    /// The kind of access.
    pub kind: AccessKind,
    /// The components of the register that it touches.
    pub components: WriteMask,
}

/// The kind of access of a place to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// Declares it; an immediate's own line too.
    Declaration,
    /// Reads it.
    Read,
    /// Writes it.
    Write,
}

/// Registers of one file, from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Their file.
    pub file: File,
    /// The buffer of a constant or counter; `None` for any.
    pub buffer: Option<u32>,
    /// The first number.
    pub first: u32,
    /// The last number.
    pub last: u32,
}

impl Span {
    /// One register, of any buffer.
    fn one(file: File, number: u32) -> Span {
        Span { file, buffer: None, first: number, last: number }
    }

    /// Tells whether two places may mean the same register.
    pub fn overlaps(&self, other: &Span) -> bool {
        let same_buffer = match (self.buffer, other.buffer) {
            (Some(left), Some(right)) => left == right,
            _ => true,
        };
        self.file == other.file
            && same_buffer
            && self.first <= other.last
            && other.first <= self.last
    }
}

/// Every place of a shader that names a register, in order of the statements.
/// `text` is what the shader was parsed from.
pub fn accesses(text: &str, shader: &Shader) -> Vec<Access> {
    let declared = Declared::new(shader);
    let mut collector = Collector { text, declared, accesses: Vec::new() };
    let mut immediates = 0;
    for statement in &shader.statements {
        match &statement.kind {
            StatementKind::Declaration(declaration) => collector.declaration(declaration),
            StatementKind::Immediate(immediate) => {
                let start = statement.range.start();
                let end = immediate.index.map_or(immediate.ty.range.end(), |it| it.range.end());
                let name = TextRange::new(start, end.max(start));
                let name = collector.immediate_name(name);
                let span = Span::one(File::Immediate, immediates);
                let kind = AccessKind::Declaration;
                collector.push(name, span, kind, WriteMask::ALL);
                immediates = immediates.saturating_add(1);
            }
            StatementKind::Instruction(instruction) => collector.instruction(instruction),
            StatementKind::Property(_) | StatementKind::Unknown => {}
        }
    }
    collector.accesses
}

/// The place that an offset touches: the innermost, so the address register
/// within a bracket wins over the register around it.
pub fn access_at(accesses: &[Access], offset: TextSize) -> Option<&Access> {
    let touching = accesses.iter().filter(|access| access.range.contains_inclusive(offset));
    touching.min_by_key(|access| access.range.len())
}

/// Tells whether the first bracket of two chooses among declarations. In the other files it is a
/// vertex or a patch.
fn first_is_buffer(file: File) -> bool {
    matches!(file, File::Constant | File::HardwareAtomic | File::TemporaryArray)
}

struct Collector<'a> {
    text: &'a str,
    declared: Declared<'a>,
    accesses: Vec<Access>,
}

impl Collector<'_> {
    fn push(&mut self, range: TextRange, span: Span, kind: AccessKind, components: WriteMask) {
        self.accesses.push(Access { range, span, kind, components });
    }

    /// `IMM[0]` of an immediate's own line, or `IMM` where it has no number.
    fn immediate_name(&self, range: TextRange) -> TextRange {
        let text = self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
        let word = text.bytes().take_while(u8::is_ascii_alphanumeric).count() as u32;
        if !text.contains('[') {
            return TextRange::at(range.start(), TextSize::new(word));
        }
        TextRange::new(range.start(), self.closed(range.end()))
    }

    /// The end of the bracket that closes behind an offset; the offset where none does.
    fn closed(&self, offset: TextSize) -> TextSize {
        let rest = self.text.get(usize::from(offset)..).unwrap_or_default();
        let bracket = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let closed = rest.as_bytes().get(bracket) == Some(&b']');
        offset + TextSize::new(if closed { bracket as u32 + 1 } else { 0 })
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let file = declaration.file.value;
        let start = declaration.file.range.start();
        let end = self.closed(declaration.range.range.end());
        let range = TextRange::new(start, end.max(start));
        let kind = AccessKind::Declaration;
        self.push(range, declared_span(declaration, file), kind, declaration.components());
    }

    fn instruction(&mut self, instruction: &Instruction) {
        if let Some(predicate) = &instruction.predicate {
            self.register(&predicate.register, AccessKind::Read, predicate.swizzle.mask());
        }
        let expanded = expand(&self.declared, instruction);
        for destination in &instruction.destinations {
            self.register(&destination.register, AccessKind::Write, destination.mask);
        }
        for (number, source) in instruction.sources.iter().enumerate() {
            let known = expanded.as_ref().and_then(|it| it.reads.get(number)).copied();
            let read = known.filter(|read| read.0 != 0).unwrap_or(source.swizzle.mask());
            let written = expanded.as_ref().and_then(|it| it.source_written.get(number));
            let written = written.copied().unwrap_or(false);
            let kind = if written { AccessKind::Write } else { AccessKind::Read };
            self.register(&source.register, kind, read);
        }
        for offset in &instruction.offsets {
            let read = offset.swizzle.into_iter().collect();
            self.register(&offset.register, AccessKind::Read, read);
        }
    }

    fn register(&mut self, register: &Register, kind: AccessKind, components: WriteMask) {
        let span = self.span(register);
        self.push(register.range, span, kind, components);
        if !register.is_computed() {
            return;
        }
        let ranges = self.inner_ranges(register);
        for (base, range) in register.indirects().zip(ranges) {
            let span = Span::one(base.file, base.index);
            let component = WriteMask(1 << base.component as u8);
            self.push(range, span, AccessKind::Read, component);
        }
    }

    /// Returns where the registers within the brackets of a register stand.
    fn inner_ranges(&self, register: &Register) -> Vec<TextRange> {
        let Some(text) = self.text.get(std::ops::Range::<usize>::from(register.range)) else {
            return Vec::new();
        };
        let start = register.range.start();
        let mut ranges = Vec::new();
        let mut open: Option<TextSize> = None;
        for (kind, range) in Lexer::new(text) {
            match kind {
                TokenKind::Word
                    if range.start() > TextSize::new(0)
                        && vocabulary::file(&text[range]).is_some() =>
                {
                    open = Some(range.start());
                }
                TokenKind::RightBracket => {
                    if let Some(first) = open.take() {
                        ranges.push(TextRange::new(first, range.end()) + start);
                    }
                }
                _ => {}
            }
        }
        ranges
    }

    /// The registers that an operand may touch.
    fn span(&self, register: &Register) -> Span {
        let file = register.file;
        let number = |index: Index| u32::try_from(index.offset).unwrap_or(0);
        let buffer = match register.dimension {
            _ if !first_is_buffer(file) => None,
            None => Some(0),
            Some(Index { indirect: Some(_), .. }) => None,
            Some(index) => Some(number(index)),
        };
        let first = number(register.index);
        let Some(base) = register.index.indirect else {
            return Span { file, buffer, first, last: first };
        };
        let declared = match base.array {
            Some(array) => self.declared.array(file, array),
            None => self.declared.covering(file, first),
        };
        match declared {
            Some(declaration) => Span { buffer, ..declared_span(declaration, file) },
            None => Span { file, buffer, first: 0, last: u32::MAX },
        }
    }
}

fn declared_span(declaration: &Declaration, file: File) -> Span {
    let range = declaration.range.value;
    let dimension = declaration.dimension.flatten().map(|dimension| dimension.value.first);
    let buffer = first_is_buffer(file).then(|| dimension.unwrap_or(0));
    Span { file, buffer, first: range.first, last: range.last }
}

/// `TEMP[0].xy`: a register with components, the identity left out.
pub fn with_components(register: &Register, components: WriteMask) -> String {
    let mut text = formula::register(register);
    if components != WriteMask::ALL && components.0 != 0 {
        text.push('.');
        text.push_str(&components.letters());
    }
    text
}
