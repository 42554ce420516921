//! `PROPERTY NAME value`

use source::{Severity, TextEdit};

use super::stream::Gap;
use super::{Failed, Parser, Result, quote};
use crate::ast::{Property, PropertyValue, Spanned, StatementKind};
use crate::codes;
use crate::lexer::TokenKind;
use crate::vocabulary;
use crate::words::{CoordinateOrigin, PixelCenter, Primitive, PropertyName, Stage};

/// The kind of value that a property has.
#[derive(Debug, Clone, Copy)]
enum ValueKind {
    Number,
    Primitive,
    Origin,
    PixelCenter,
    Stage,
}

impl ValueKind {
    fn of(name: PropertyName) -> ValueKind {
        match name {
            PropertyName::GeometryInputPrimitive | PropertyName::GeometryOutputPrimitive => {
                ValueKind::Primitive
            }
            PropertyName::CoordinateOrigin => ValueKind::Origin,
            PropertyName::CoordinatePixelCenter => ValueKind::PixelCenter,
            PropertyName::NextShader => ValueKind::Stage,
            _ => ValueKind::Number,
        }
    }

    /// Returns what is expected, in words.
    fn words(self) -> String {
        let list = |words: &mut dyn Iterator<Item = &'static str>| {
            let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
            words.join(", ")
        };
        match self {
            ValueKind::Number => "a number without a sign".to_owned(),
            ValueKind::Primitive => list(&mut Primitive::ALL.iter().map(|entry| entry.word())),
            ValueKind::Origin => list(&mut CoordinateOrigin::ALL.iter().map(|entry| entry.word())),
            ValueKind::PixelCenter => list(&mut PixelCenter::ALL.iter().map(|entry| entry.word())),
            ValueKind::Stage => list(&mut Stage::ALL.iter().map(|entry| entry.word())),
        }
    }

    fn read(self, word: &str) -> Option<PropertyValue> {
        match self {
            ValueKind::Number => None,
            ValueKind::Primitive => Primitive::from_word(word).map(PropertyValue::Primitive),
            ValueKind::Origin => CoordinateOrigin::from_word(word).map(PropertyValue::Origin),
            ValueKind::PixelCenter => PixelCenter::from_word(word).map(PropertyValue::PixelCenter),
            ValueKind::Stage => Stage::from_word(word).map(PropertyValue::Stage),
        }
    }
}

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
        let kind = ValueKind::of(name);
        let item = self.peek_word();
        let value = item.and_then(|item| match (kind, item.kind) {
            (ValueKind::Number, TokenKind::Number) => {
                Some(PropertyValue::Number(self.number(item).0))
            }
            (ValueKind::Number, _) => None,
            _ => kind.read(self.stream.word(item)),
        });
        let (Some(item), Some(value)) = (item, value) else {
            let (range, found) = (self.place(), self.found());
            self.report.error(codes::BAD_PROPERTY_VALUE, range, || {
                format!("`{name}` takes {}; found {found}", kind.words())
            });
            return Err(Failed);
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
