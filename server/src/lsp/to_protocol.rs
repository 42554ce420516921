//! Our words to the client's.

use std::cell::Cell;
use std::sync::Arc;

use engine::{Cancelled, FileId, Snapshot, ide};
use source::{ColumnUnit, LineIndex, Printable, Severity, Tag, TextRange, TextSize};
use tower_lsp::ls_types::{
    self as protocol, Command, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentSymbol, HoverContents, InlayHintLabel, InlayHintTooltip, Location, MarkupContent,
    MarkupKind, NumberOrString, Position, Range, SymbolKind, Uri,
};

use crate::limits::ANSWER_ENTRIES;

use super::extensions::{OPEN_COMPILED_CODE, OpenCompiledCode};

/// A text with its lines, for positions in the client's unit.
pub(crate) struct Lines {
    text: Arc<str>,
    index: Arc<LineIndex>,
    unit: ColumnUnit,
    /// True if a column is the same in every unit.
    ascii: bool,
    /// The last offset and its position: offsets mostly come in order, and a
    /// line may be very long.
    last: Cell<(TextSize, Position)>,
}

impl Lines {
    /// The lines of a text that nobody has looked for yet.
    pub(crate) fn new(text: Arc<str>, unit: ColumnUnit) -> Lines {
        let index = Arc::new(LineIndex::new(&text));
        Lines::known(text, index, unit)
    }

    /// The lines of a file of the engine, which finds them once for everybody.
    pub(crate) fn of(
        snapshot: &Snapshot,
        file: FileId,
        unit: ColumnUnit,
    ) -> Result<Lines, Cancelled> {
        Ok(Lines::known(snapshot.text(file)?, snapshot.line_index(file)?, unit))
    }

    fn known(text: Arc<str>, index: Arc<LineIndex>, unit: ColumnUnit) -> Lines {
        let ascii = text.is_ascii();
        Lines { text, index, unit, ascii, last: Cell::default() }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Its lines.
    pub(crate) fn index(&self) -> &LineIndex {
        &self.index
    }

    /// The unit of columns.
    pub(crate) fn unit(&self) -> ColumnUnit {
        self.unit
    }

    /// The position of a byte offset.
    pub(crate) fn position(&self, offset: TextSize) -> Position {
        let unit = if self.ascii { ColumnUnit::Utf8 } else { self.unit };
        let (last_offset, last) = self.last.get();
        let near = (last_offset <= offset && self.index.line(offset) == last.line)
            .then(|| self.text.get(usize::from(last_offset)..usize::from(offset)))
            .flatten();
        let position = match near {
            Some(between) => {
                let width = match unit {
                    ColumnUnit::Utf8 => between.len(),
                    ColumnUnit::Utf16 => between.chars().map(char::len_utf16).sum(),
                    ColumnUnit::Utf32 => between.chars().count(),
                };
                Position::new(last.line, last.character + width as u32)
            }
            None => {
                let place = self.index.line_column(&self.text, offset, unit);
                Position::new(place.line, place.column)
            }
        };
        if near.is_some() || self.text.is_char_boundary(usize::from(offset)) {
            self.last.set((offset, position));
        }
        position
    }

    /// The range of a byte range.
    pub(crate) fn range(&self, range: TextRange) -> Range {
        Range::new(self.position(range.start()), self.position(range.end()))
    }
}

/// A diagnostic. For clients that do not show related places the message says what is there.
pub(crate) fn diagnostic(
    lines: &Lines,
    related_in: Option<&Uri>,
    diagnostic: source::Diagnostic,
) -> protocol::Diagnostic {
    let mut message = diagnostic.message;
    if related_in.is_none() {
        for related in &diagnostic.related {
            let line = lines.position(related.range.start()).line + 1;
            message.push_str(&format!("\nline {line}: {}", related.message));
        }
    }
    let related = related_in.map(|uri| {
        let places = diagnostic.related.into_iter();
        let places = places.map(|related| DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), lines.range(related.range)),
            message: Printable::text(&related.message).into_string(),
        });
        places.collect::<Vec<_>>()
    });
    let tags: Vec<DiagnosticTag> = diagnostic.tags.iter().map(|tag| diagnostic_tag(*tag)).collect();
    protocol::Diagnostic {
        range: lines.range(diagnostic.range),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(diagnostic.code.0.to_owned())),
        source: Some("tungsten".to_owned()),
        message: Printable::text(&message).into_string(),
        related_information: related.filter(|related| !related.is_empty()),
        tags: (!tags.is_empty()).then_some(tags),
        ..protocol::Diagnostic::default()
    }
}

fn diagnostic_tag(tag: Tag) -> DiagnosticTag {
    match tag {
        Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
        Tag::Deprecated => DiagnosticTag::DEPRECATED,
    }
}

/// A hover, with links to what it leads to below.
pub(crate) fn hover(lines: &Lines, uri: &Uri, hover: ide::Hover) -> protocol::Hover {
    let mut text = hover.markdown;
    for (number, link) in hover.links.iter().enumerate() {
        let line = lines.position(link.range.start()).line + 1;
        let lead = if number == 0 { "\n" } else { " \u{b7} " };
        let uri = uri.as_str();
        text.push_str(&format!("{lead}[`{}`]({uri}#L{line})", link.title));
    }
    if !hover.links.is_empty() {
        text.push('\n');
    }
    protocol::Hover {
        contents: HoverContents::Markup(markdown(text)),
        range: Some(lines.range(hover.range)),
    }
}

/// An entry of the outline with what stands in it.
pub(crate) fn symbol(lines: &Lines, symbol: ide::Symbol) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> =
        symbol.children.into_iter().map(|child| self::symbol(lines, child)).collect();
    #[allow(deprecated)] // The field has to be named to be left out.
    DocumentSymbol {
        // Clients refuse an empty name.
        name: if symbol.name.is_empty() { "?".to_owned() } else { symbol.name },
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: lines.range(symbol.range),
        selection_range: lines.range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

/// The kind of a symbol.
pub(crate) fn symbol_kind(kind: ide::SymbolKind) -> SymbolKind {
    match kind {
        ide::SymbolKind::Shader => SymbolKind::MODULE,
        ide::SymbolKind::Register => SymbolKind::VARIABLE,
        ide::SymbolKind::Constant => SymbolKind::CONSTANT,
        ide::SymbolKind::Property => SymbolKind::PROPERTY,
        ide::SymbolKind::Label => SymbolKind::FUNCTION,
        ide::SymbolKind::Macro => SymbolKind::OPERATOR,
    }
}

/// A hint within a line.
pub(crate) fn inlay_hint(lines: &Lines, hint: ide::InlayHint) -> protocol::InlayHint {
    let tooltip =
        (!hint.tooltip.is_empty()).then(|| InlayHintTooltip::MarkupContent(markdown(hint.tooltip)));
    protocol::InlayHint {
        position: lines.position(hint.offset),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

/// Edits of one text. More than an answer may have are one, of all that lies between the
/// first and the last.
pub(crate) fn edits(lines: &Lines, edits: &[source::TextEdit]) -> Vec<protocol::TextEdit> {
    let are_many = edits.len() > ANSWER_ENTRIES;
    let joined = are_many.then(|| source::join_edits(lines.text(), edits)).flatten();
    let edits = joined.as_ref().map_or(edits, std::slice::from_ref).iter();
    let ending = source::LineEnding::of(lines.text());
    edits
        .map(|edit| {
            let inserted = edit.insert_into(lines.text(), ending).into_owned();
            protocol::TextEdit::new(lines.range(edit.range), inserted)
        })
        .collect()
}

/// The text of a lens. One of a kernel opens nothing: its command has no name, which editors
/// show as words that cannot be clicked.
pub(crate) fn lens_command(uri: &Uri, measured: &ide::Measured, title: String) -> Command {
    let arguments = match measured {
        ide::Measured::Kernel(_) => None,
        ide::Measured::Shader(opens) => serde_json::to_value(OpenCompiledCode {
            uri: uri.clone(),
            shader: opens.shader,
            target: opens.build().name(),
        })
        .ok(),
    };
    let command = if arguments.is_some() { OPEN_COMPILED_CODE } else { "" };
    Command { title, command: command.to_owned(), arguments: arguments.map(|it| vec![it]) }
}

/// Text in Markdown.
pub(crate) fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_any_order_agree_with_the_line_index() {
        let text = "a🦀b\r\né x\rlast é";
        for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
            let lines = Lines::new(text.into(), unit);
            let offsets: Vec<u32> = (0..=text.len() as u32).collect();
            let shuffled = offsets.iter().rev().chain(&offsets).chain(offsets.iter().step_by(3));
            for offset in shuffled {
                let offset = TextSize::new(*offset);
                let expected = lines.index().line_column(text, offset, unit);
                let found = lines.position(offset);
                assert_eq!((found.line, found.character), (expected.line, expected.column));
            }
        }
    }
}
