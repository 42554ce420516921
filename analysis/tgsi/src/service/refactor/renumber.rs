//! Temporaries in the order of their use, without gaps and without those that nothing
//! uses.

use rustc_hash::FxHashMap;
use source::{TextEdit, TextSize};

use super::with_line;
use crate::ast::{Declaration, IndexRange, Shader, Statement, StatementKind};
use crate::cursor::statement_at;
use crate::opcodes::Opcode;
use crate::service::accesses::{Access, AccessKind, accesses};
use crate::service::declared::Declared;
use crate::service::rename::last_number;
use crate::words::File;

/// Opcodes whose last source names the first of several registers, the rows of a matrix: the
/// others stand nowhere.
const MATRICES: [Opcode; 6] =
    [Opcode::M4X4, Opcode::M4X3, Opcode::M3X4, Opcode::M3X3, Opcode::M3X2, Opcode::MULTIPLYMATRIX];

pub(super) fn edits(text: &str, shader: &Shader, offset: TextSize) -> Option<Vec<TextEdit>> {
    // Offered where the cursor is on a declaration of temporaries.
    let here = &statement_at(shader, offset)?.kind;
    let is_temporary = |declaration: &Declaration| declaration.file.value == File::Temporary;
    if !matches!(here, StatementKind::Declaration(declaration) if is_temporary(declaration)) {
        return None;
    }
    let declarations: Vec<(&Statement, &Declaration)> = shader
        .statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Declaration(declaration) if is_temporary(declaration) => {
                Some((statement, declaration))
            }
            _ => None,
        })
        .collect();
    let (first, one) = *declarations.first()?;
    // All are of one kind, so that one declaration can say it of all.
    let alike = |it: &Declaration| {
        it.array.is_none() && it.mask.is_none() && it.dimension.is_none() && it.local == one.local
    };
    if !declarations.iter().all(|(_, declaration)| alike(declaration)) {
        return None;
    }
    let mut uses: Vec<Access> = accesses(text, shader);
    uses.retain(|it| it.span.file == File::Temporary && it.kind != AccessKind::Declaration);
    let declared = Declared::new(shader);
    let is_declared = |number| declared.covering(File::Temporary, number).is_some();
    if uses.iter().any(|it| it.span.first != it.span.last || !is_declared(it.span.first)) {
        return None;
    }
    if shader.instructions().any(|it| MATRICES.contains(&it.opcode.value)) {
        return None;
    }
    uses.sort_by_key(|it| it.range.start());
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    for access in &uses {
        let next = numbers.len() as u32;
        numbers.entry(access.span.first).or_insert(next);
    }
    let last = (numbers.len() as u32).checked_sub(1)?;
    let range = one.range.value;
    let done = numbers.iter().all(|(old, new)| old == new);
    if done && declarations.len() == 1 && (range.first, range.last) == (0, last) {
        return None;
    }
    let mut edits = Vec::new();
    for access in &uses {
        let new = numbers[&access.span.first];
        if new != access.span.first {
            let insert = new.to_string();
            edits.push(TextEdit { range: last_number(text, access.range)?, insert });
        }
    }
    let whole = super::declaration_of(text, first, one, IndexRange { first: 0, last })?;
    edits.push(TextEdit { range: first.range, insert: whole });
    for (statement, _) in &declarations[1..] {
        edits.push(TextEdit { range: with_line(text, statement.range), insert: String::new() });
    }
    Some(edits)
}
