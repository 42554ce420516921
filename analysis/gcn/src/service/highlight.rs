//! The places to mark while the cursor is on a register or a name.

use editor_model::{Highlight, HighlightKind, SymbolKind};
use source::{TextRange, TextSize};

use super::View;
use super::registers;
use super::statement::{First, OperandWord, WordKind, statement_at, statements};
use crate::assembler::sources::Span;

/// The highlights for the word at an offset: of a name all places that name it, of registers
/// those that read and write the same values. Where those are not known, as in the text
/// of a macro, all places of the same kernel that share a register with the word.
pub fn highlights(view: View<'_>, offset: TextSize) -> Vec<Highlight> {
    let expansion = &view.program.expansion;
    let statement = statement_at(view, offset);
    if !statement.holds(offset) {
        return Vec::new();
    }
    if let Some(name) = expansion.name_at(view.source, offset) {
        let definitions = expansion.definitions(&name);
        let kind = |place: &Span| match definitions.contains(place) {
            true => HighlightKind::Write,
            false => HighlightKind::Read,
        };
        let places = expansion.references(&name).into_iter();
        let here = places.filter(|place| place.source == view.source);
        return here.map(|place| Highlight { range: place.range, kind: kind(&place) }).collect();
    }
    let word = statement.words().into_iter().find(|word| word.range.contains_inclusive(offset));
    let Some(word) = word else { return Vec::new() };
    let uses = registers::uses(view, offset).unwrap_or_default();
    if !uses.is_empty() {
        let here = uses.into_iter().filter(|it| it.span.source == view.source);
        let mut marks: Vec<Highlight> =
            here.map(|it| Highlight { range: it.span.range, kind: it.kind }).collect();
        marks.sort_by_key(|mark| mark.range.start());
        return marks;
    }
    let WordKind::Registers { family, first, last } = word.kind else { return Vec::new() };
    let kernel = kernel_around(view, offset);
    let mut marks = Vec::new();
    for statement in statements(view.text(), expansion.dialect) {
        let is_inside = kernel.intersect(statement.range()).is_some();
        if !is_inside || !matches!(statement.first, First::Word(_)) {
            continue;
        }
        let shares = |word: &OperandWord| {
            matches!(word.kind, WordKind::Registers { family: other, first: from, last: to }
                if other == family && from <= last && to >= first)
        };
        let words = statement.words().into_iter().filter(shares);
        marks.extend(words.map(|it| Highlight { range: it.range, kind: HighlightKind::Text }));
    }
    marks
}

/// From the label of the kernel around a place to the next one's.
fn kernel_around(view: View<'_>, offset: TextSize) -> TextRange {
    let items = super::outline::outline(view).into_iter();
    let mut kernels = items.filter(|it| it.kind == SymbolKind::Shader).map(|it| it.range);
    match kernels.find(|range| range.end() >= offset) {
        Some(range) if range.start() <= offset => range,
        Some(next) => TextRange::up_to(next.start()),
        None => TextRange::up_to(TextSize::of(view.text())),
    }
}
