//! Giving a register another number, where that changes nothing else.
//!
//! Refused is what a renumbering would change the meaning of: inputs of a
//! vertex shader, constants, samplers and the like are bound by number from
//! outside; immediates are numbered by their order; and a register that a
//! computed index may reach cannot move.

use editor_model::{Renameable, Renamed};
use source::{TextEdit, TextRange, TextSize};

use super::accesses::{Access, AccessKind, access_at, accesses};
use super::refactor::{declaration_at, declaration_of, without};
use crate::ast::{IndexRange, Shader};
use crate::lexer::{Lexer, TokenKind};
use crate::vocabulary;
use crate::words::{File, Stage};

/// The reason for which a register gets no other number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// Something else is at the place.
    #[error("only registers can be renumbered")]
    NoRegister,
    /// An input of a vertex shader.
    #[error("the inputs of a vertex shader are bound by number")]
    VertexInput,
    /// An immediate.
    #[error("immediates are numbered by their order")]
    Immediate,
    /// A register of a file that others number.
    #[error("{0} registers are bound by number from outside")]
    Bound(File),
    /// A shader with text that was not understood.
    #[error("the shader has errors")]
    Broken,
    /// A declaration of several registers.
    #[error("this names a range of registers, not one")]
    Range,
    /// A register that a computed number may reach; the text that computes it.
    #[error("`{0}` may reach this register by a computed number")]
    Computed(String),
    /// A register without a declaration of its own.
    #[error("the register is declared nowhere, or in parts")]
    Undeclared,
    /// A new name that names no register of the file.
    #[error("a name such as `{0}[7]` is needed")]
    NoName(File),
    /// A new name of a register in use.
    #[error("{0}[{1}] is in use")]
    InUse(File, u32),
    /// A new name of a register with a meaning of its own.
    #[error("{0}[{1}] is declared, and carries something else")]
    Declared(File, u32),
    /// A register's name without a number.
    #[error("a place that names the register was not understood")]
    NoNumber,
    /// A register that no declaration has.
    #[error("the register is declared nowhere")]
    NoDeclaration,
    /// A register that is declared together with others.
    #[error("the register is part of an array or of a range with a meaning")]
    Part,
    /// A declaration whose text is not where its tree says.
    #[error("the declaration was not understood")]
    Declaration,
}

/// The register at an offset, or the reason why it cannot be renumbered.
///
/// # Errors
/// A sentence for the user.
pub fn prepare(text: &str, shader: &Shader, offset: TextSize) -> Result<Renameable, RenameError> {
    let all = accesses(text, shader);
    let access = renameable(text, shader, &all, offset)?;
    let name = format!("{}[{}]", access.span.file, access.span.first);
    Ok(Renameable { kind: Renamed::Register, range: access.range, name })
}

fn renameable(
    text: &str,
    shader: &Shader,
    all: &[Access],
    offset: TextSize,
) -> Result<Access, RenameError> {
    let access = access_at(all, offset).ok_or(RenameError::NoRegister)?;
    let file = access.span.file;
    let stage = shader.stage.value;
    match file {
        File::Temporary | File::Address | File::SystemValue | File::Predicate => {}
        File::Output => {}
        File::Input if stage != Stage::Vertex => {}
        File::Input => return Err(RenameError::VertexInput),
        File::Immediate => return Err(RenameError::Immediate),
        _ => return Err(RenameError::Bound(file)),
    }
    // What was not understood may name it too.
    if shader.statements.iter().any(|statement| statement.broken) {
        return Err(RenameError::Broken);
    }
    if access.span.first != access.span.last {
        return Err(RenameError::Range);
    }
    let computed = all.iter().find(|other| {
        other.kind != AccessKind::Declaration
            && other.span.file == file
            && other.span.first != other.span.last
            && other.span.overlaps(&access.span)
    });
    if let Some(computed) = computed {
        return Err(RenameError::Computed(text[computed.range].to_owned()));
    }
    let declarations = all
        .iter()
        .filter(|other| other.kind == AccessKind::Declaration && other.span.overlaps(&access.span));
    if declarations.count() != 1 {
        return Err(RenameError::Undeclared);
    }
    Ok(*access)
}

/// The edits that give the register at an offset another name, `TEMP[7]` or
/// `7`.
///
/// # Errors
/// The reason why that would not mean the same.
pub fn rename(
    text: &str,
    shader: &Shader,
    offset: TextSize,
    name: &str,
) -> Result<Vec<TextEdit>, RenameError> {
    let all = accesses(text, shader);
    let access = renameable(text, shader, &all, offset)?;
    let file = access.span.file;
    let number = number(name, file).ok_or(RenameError::NoName(file))?;
    let old = access.span.first;
    if number == old {
        return Ok(Vec::new());
    }
    let taken = super::accesses::Span { first: number, last: number, ..access.span };
    let is_taken = |other: &&Access| other.span.overlaps(&taken);
    if all.iter().any(|other| other.kind != AccessKind::Declaration && is_taken(&other)) {
        return Err(RenameError::InUse(file, number));
    }
    let declared = all.iter().any(|it| it.kind == AccessKind::Declaration && is_taken(&it));
    let mut edits = Vec::new();
    if !declared {
        edits.extend(declare(text, shader, &access, number)?);
    } else if matches!(file, File::Input | File::Output | File::SystemValue) {
        return Err(RenameError::Declared(file, number));
    }
    for other in all.iter().filter(|it| it.kind != AccessKind::Declaration) {
        if other.span.overlaps(&access.span) {
            let digits = last_number(text, other.range).ok_or(RenameError::NoNumber)?;
            edits.push(TextEdit { range: digits, insert: number.to_string() });
        }
    }
    edits.sort_by_key(|edit| edit.range.start());
    Ok(edits)
}

/// The edit that declares the new number in place of the old one.
fn declare(
    text: &str,
    shader: &Shader,
    access: &Access,
    number: u32,
) -> Result<Vec<TextEdit>, RenameError> {
    let old = access.span.first;
    let found = declaration_at(shader, access.span.file, old);
    let (statement, declaration) = found.ok_or(RenameError::NoDeclaration)?;
    let range = declaration.range;
    if range.value.first == range.value.last {
        return Ok(vec![TextEdit { range: range.range, insert: number.to_string() }]);
    }
    if declaration.array.is_some() || declaration.semantic.is_some() {
        return Err(RenameError::Part);
    }
    // The rest of the range stays, in up to two declarations.
    let own = IndexRange { first: number, last: number };
    let parts = without(range.value, old).chain([own]);
    let lines = parts.map(|part| declaration_of(text, statement, declaration, part));
    let lines: Option<Vec<String>> = lines.collect();
    let insert = lines.ok_or(RenameError::Declaration)?.join("\n");
    Ok(vec![TextEdit { range: statement.range, insert }])
}

/// The number of a name: `TEMP[7]` of the right file, or `7`.
fn number(name: &str, file: File) -> Option<u32> {
    let name = name.trim();
    let digits = match name.split_once('[') {
        None => name,
        Some((word, rest)) => {
            vocabulary::file(word.trim()).filter(|it| *it == file)?;
            rest.strip_suffix(']')?.trim()
        }
    };
    let number: u32 = digits.parse().ok()?;
    (number <= 0x7fff).then_some(number)
}

/// The number in the last brackets of a register's name.
pub(super) fn last_number(text: &str, range: TextRange) -> Option<TextRange> {
    let name = text.get(std::ops::Range::<usize>::from(range))?;
    let numbers = Lexer::new(name).filter(|(kind, _)| *kind == TokenKind::Number);
    numbers.last().map(|(_, number)| number + range.start())
}
