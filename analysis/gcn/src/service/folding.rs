//! Folds: macros, conditionals, repetitions, descriptors, kernels, and in those the code
//! behind each label; the parts of a dump.

use editor_model::{Fold, FoldKind, Symbol, SymbolKind};
use source::{TextRange, TextSize};

use super::View;
use super::blocks::{BlockKind, OpenBlocks};
use super::outline::outline;
use super::statement::{First, statements};
use crate::dialect::PartKind;

/// The folds of a file, in the order of their beginnings.
pub fn folds(view: View<'_>) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut open = OpenBlocks::new();
    for statement in statements(view.text(), view.program.expansion.dialect) {
        let First::Word(word) = statement.first else { continue };
        let name = statement.slice(word).to_ascii_lowercase();
        if !name.starts_with('.') {
            continue;
        }
        if let Some(start) = open.close(&name) {
            folds.push(Fold { range: TextRange::new(start, word.end()), kind: FoldKind::Block });
            continue;
        }
        if let Some(block) = BlockKind::opened_by(&name) {
            open.push(block, word.start());
        }
    }
    for part in view.parts().iter().filter(|part| part.kind != PartKind::Disassembly) {
        folds.push(Fold { range: part.range, kind: FoldKind::Shader });
    }
    for item in outline(view) {
        fold_code(view.text(), &item, &mut folds);
    }
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

/// Folds of a kernel and of the code behind each label, up to the next label.
fn fold_code(text: &str, item: &Symbol, folds: &mut Vec<Fold>) {
    let kind = match item.kind {
        SymbolKind::Shader => FoldKind::Shader,
        SymbolKind::Label => FoldKind::Block,
        _ => return,
    };
    let trimmed = text.get(std::ops::Range::from(item.range)).unwrap_or_default().trim_end();
    let end = item.range.start() + TextSize::of(trimmed);
    folds.push(Fold { range: TextRange::new(item.range.start(), end), kind });
    // Labels stand in kernels, and nothing stands in labels.
    for child in &item.children {
        fold_code(text, child, folds);
    }
}
