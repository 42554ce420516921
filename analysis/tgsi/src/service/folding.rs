//! Folds of a shader: shaders, blocks of control flow, and runs of declarations.

use editor_model::{Fold, FoldKind};
use source::{TextRange, TextSize};

use crate::ast::{Shader, Statement, StatementKind};
use crate::validate::{Nesting, nesting};

/// The blocks of a shader, inner ones before outer ones: from the opening
/// statement to the one that ends or turns it. One that never ends has none.
pub(super) fn blocks(shader: &Shader) -> Vec<TextRange> {
    let mut blocks = Vec::new();
    let mut open: Vec<TextSize> = Vec::new();
    for (statement, instruction) in shader.instruction_statements() {
        let range = statement.range;
        match nesting(instruction.opcode.value) {
            Some(Nesting::Open(_)) => open.push(range.start()),
            Some(Nesting::Else | Nesting::Case) => {
                if let Some(start) = open.last_mut() {
                    let begun = std::mem::replace(start, range.start());
                    blocks.push(TextRange::new(begun, range.end()));
                }
            }
            Some(Nesting::Close(_)) => {
                let begun = open.pop();
                blocks.extend(begun.map(|start| TextRange::new(start, range.end())));
            }
            Some(Nesting::Break | Nesting::Continue | Nesting::End) | None => {}
        }
    }
    blocks
}

/// Everything that folds in a shader, in order of the text.
pub fn folds(text: &str, shader: &Shader) -> Vec<Fold> {
    let mut folds = Vec::new();
    if let Some(last) = shader.statements.last() {
        let range = shader.stage.range.cover(last.range);
        folds.push(Fold { range, kind: FoldKind::Shader });
    }
    for run in shader.statements.chunk_by(|left, right| declares(left) == declares(right)) {
        if let [first, .., last] = run
            && declares(first)
        {
            let range = first.range.cover(last.range);
            folds.push(Fold { range, kind: FoldKind::Declarations });
        }
    }
    // Blocks within each other may share a line as long as the text: it is looked through once.
    let ends = line_ends(text);
    // The statement that ends a block stays in sight.
    folds.extend(blocks(shader).into_iter().filter_map(|block| {
        let before = ends.partition_point(|end| end.at < block.end());
        let end = ends.get(before.checked_sub(1)?).filter(|end| end.at >= block.start())?;
        let range = TextRange::new(block.start(), end.kept.max(block.start()));
        Some(Fold { range, kind: FoldKind::Block })
    }));
    let spans_lines = |fold: &Fold| {
        let first = ends.partition_point(|end| end.at < fold.range.start());
        ends.get(first).is_some_and(|end| end.at < fold.range.end())
    };
    folds.retain(spans_lines);
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

/// The end of a line.
struct LineEnd {
    at: TextSize,
    /// The end of the last line before it that is not blank.
    kept: TextSize,
}

fn line_ends(text: &str) -> Vec<LineEnd> {
    let mut kept = TextSize::new(0);
    let mut ends = Vec::new();
    for (at, letter) in text.char_indices() {
        let at = TextSize::new(at as u32);
        if matches!(letter, '\n' | '\r') {
            ends.push(LineEnd { at, kept });
        }
        if !letter.is_whitespace() {
            kept = at + TextSize::of(letter);
        }
    }
    ends
}

fn declares(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Declaration(_) | StatementKind::Immediate(_) | StatementKind::Property(_)
    )
}
