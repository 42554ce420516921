//! One declaration for each register of a range.

use source::{TextEdit, TextRange, TextSize};

use super::{declaration_of, indentation, slice};
use crate::ast::{Declaration, IndexRange, Shader, Statement, StatementKind};
use crate::cursor::statement_at;

/// The most registers that become lines of their own.
const MOST: u32 = 64;

pub(super) fn edits(text: &str, shader: &Shader, offset: TextSize) -> Option<Vec<TextEdit>> {
    let statement = statement_at(shader, offset)?;
    let StatementKind::Declaration(declaration) = &statement.kind else { return None };
    let range = declaration.range.value;
    let count = range.last.checked_sub(range.first)?;
    // The registers of an array belong together.
    if count == 0
        || count >= MOST
        || declaration.array.is_some_and(|array| array.value != 0)
        || !declaration.initializers.is_empty()
    {
        return None;
    }
    let lines: Option<Vec<String>> =
        (0..=count).map(|more| line(text, statement, declaration, more)).collect();
    let insert = lines?.join(&format!("\n{}", indentation(text, statement)));
    Some(vec![TextEdit { range: statement.range, insert }])
}

/// The declaration of the register that is so much further than the first.
fn line(text: &str, statement: &Statement, declaration: &Declaration, more: u32) -> Option<String> {
    let number = declaration.range.value.first + more;
    let Some(semantic) = declaration.semantic else {
        return declaration_of(
            text,
            statement,
            declaration,
            IndexRange { first: number, last: number },
        );
    };
    // Semantics count along with the registers.
    let range = declaration.range.range;
    let before = slice(text, TextRange::new(statement.range.start(), range.start()))?;
    let between = slice(text, TextRange::new(range.end(), semantic.range.start()))?;
    let after = slice(text, TextRange::new(semantic.range.end(), statement.range.end()))?;
    let name = semantic.value.name;
    let index = semantic.value.index.checked_add(more)?;
    let name = match index {
        0 => slice(text, semantic.range)?.to_owned(),
        index => format!("{name}[{index}]"),
    };
    Some(format!("{before}{number}{between}{name}{after}"))
}
