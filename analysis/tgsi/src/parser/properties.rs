//! `PROPERTY NAME value`

use source::{Severity, TextEdit};

use super::stream::Gap;
use super::{Parser, Result, quote};
use crate::ast::{Property, PropertyValue, Spanned, StatementKind};
use crate::codes;
use crate::lexer::TokenKind;
use crate::vocabulary;
use crate::word_rows;
use crate::words::PropertyName;

impl Parser<'_> {
    /// Reads a property.
    pub(super) fn property(&mut self) -> Option<StatementKind> {
        self.stream.next();
        let mut property = Property { name: None, value: None };
        // An error is reported; what was read stays.
        let _ = self.property_parts(&mut property);
        Some(StatementKind::Property(property))
    }

    fn property_parts(&mut self, property: &mut Property) -> Result<()> {
        let item = self.stream.peek().filter(|item| item.kind == TokenKind::Word && !self.at_end());
        let Some(item) = item else {
            return Err(self.expected(codes::UNKNOWN_PROPERTY, "the name of a property"));
        };
        let word = self.stream.word(item);
        self.stream.next();
        let Some(name) = PropertyName::from_word(word) else {
            self.unknown_property(word, item.range());
            return Ok(());
        };
        property.name = Some(Spanned { value: name, range: item.range() });
        self.note_historic_word(name.row(), item.range());
        let list = name.value_list();
        let item = self.peek_word();
        let value = item.and_then(|item| match (list, item.kind) {
            (None, TokenKind::Number) => Some(PropertyValue::Number(self.number(item))),
            (None, _) => None,
            (Some(list), _) => PropertyValue::from_word(list, self.stream.word(item)),
        });
        let (Some(item), Some(value)) = (item, value) else {
            let (range, found) = (self.place(), self.found());
            let message = || format!("`{name}` takes {}; found {found}", value_words(list));
            let fix = self.other_value(list);
            return Err(self.report.error_with(codes::BAD_PROPERTY_VALUE, range, message, fix));
        };
        self.stream.next();
        property.value = Some(Spanned { value, range: item.range() });
        if name == PropertyName::GeometryInputPrimitive {
            self.input_size_known = true;
        }
        Ok(())
    }

    /// Only virglrenderer goes on after a property that it does not know; it
    /// skips the rest of the line.
    fn unknown_property(&mut self, word: &str, range: source::TextRange) {
        let closest = vocabulary::closest(word, PropertyName::ALL.iter().map(|name| name.word()));
        // Each name that was meant has its own diagnostic.
        self.report.lenient(
            (codes::UNKNOWN_PROPERTY, Severity::Warning, closest.unwrap_or_default()),
            range,
            || {
                let message =
                    format!("unknown property {}, which only virglrenderer skips", quote(word));
                match closest {
                    Some(closest) => {
                        let message = format!("{message}; did you mean `{closest}`?");
                        (message, format!("Replace by `{closest}`"))
                    }
                    None => (message, String::new()),
                }
            },
            closest.map(|closest| TextEdit::replace(range, closest)),
        );
        // It may be a misspelt one that the size of inputs depends on.
        self.input_size_known = true;
        while self.stream.peek().is_some_and(|item| item.gap != Gap::Line) {
            self.stream.next();
        }
    }
}

/// Returns what values there are, in words.
fn value_words(list: Option<&str>) -> String {
    let Some(list) = list else { return "a number without a sign".to_owned() };
    let words: Vec<String> = word_rows::of(list).map(|row| format!("`{}`", row.word)).collect();
    words.join(", ")
}
