//! The names in `.include` directives.

use source::{TextRange, TextSize};

use super::View;
use super::statement::{WordKind, statements};

/// The places of the names, without quotes, and the names.
pub fn includes(view: View<'_>) -> Vec<(TextRange, String)> {
    let mut found = Vec::new();
    for statement in statements(view.text(), view.program.expansion.dialect) {
        if !statement.word().eq_ignore_ascii_case(".include") {
            continue;
        }
        let words = statement.words();
        let Some(quoted) = words.first().filter(|word| word.kind == WordKind::Text) else {
            continue;
        };
        let text = statement.slice(quoted.range);
        let Some(name) = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
            continue;
        };
        let start = quoted.range.start() + TextSize::new(1);
        found.push((TextRange::at(start, TextSize::of(name)), name.to_owned()));
    }
    found
}
