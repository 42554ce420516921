//! The words by which instructions and calls of macros may name a label, macro or symbol.

use source::TextRange;

use super::View;
use super::statement::{First, WordKind, statements};

/// The words of a range that are not registers or numbers and in no directive, with
/// their places, in order. Which of them name something, the program knows.
pub fn names(view: View<'_>, within: TextRange) -> Vec<(String, TextRange)> {
    let mut found = Vec::new();
    for statement in statements(view.text(), view.program.expansion.dialect) {
        if statement.range().intersect(within).is_none_or(TextRange::is_empty) {
            continue;
        }
        let First::Word(first) = statement.first else { continue };
        if statement.slice(first).starts_with('.') {
            continue;
        }
        let words = statement.words().into_iter();
        let words = words.filter(|word| word.kind == WordKind::Name).map(|word| word.range);
        let places = std::iter::once(first).chain(words);
        found.extend(
            places
                .filter(|place| within.contains_range(*place))
                .map(|place| (statement.slice(place).to_owned(), place)),
        );
    }
    found
}
