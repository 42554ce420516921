//! The client's words to ours.

use source::{ColumnUnit, LineColumn, TextRange, TextSize};
use tower_lsp::ls_types::{Position, Range};

use super::to_protocol::Lines;

/// The byte offset of a position; one outside the text is pulled in.
pub(crate) fn offset(lines: &Lines, position: Position) -> TextSize {
    let position = LineColumn { line: position.line, column: position.character };
    lines.index().offset(lines.text(), position, lines.unit())
}

/// The byte range of a range; one whose ends are exchanged is empty.
pub(crate) fn range(lines: &Lines, range: Range) -> TextRange {
    let start = offset(lines, range.start);
    TextRange::new(start, offset(lines, range.end).max(start))
}

/// The character index in a rope of a position; one outside is pulled in.
pub(crate) fn rope_index(rope: &ropey::Rope, position: Position, unit: ColumnUnit) -> usize {
    let line = position.line as usize;
    if line >= rope.len_lines() {
        return rope.len_chars();
    }
    let column = position.character as usize;
    let start = rope.line_to_char(line);
    let end = start + length_without_line_end(rope.line(line));
    let index = match unit {
        ColumnUnit::Utf8 => {
            let byte = (rope.char_to_byte(start) + column).min(rope.char_to_byte(end));
            rope.byte_to_char(byte)
        }
        ColumnUnit::Utf16 => {
            let unit = rope.char_to_utf16_cu(start) + column;
            rope.utf16_cu_to_char(unit.min(rope.char_to_utf16_cu(end)))
        }
        ColumnUnit::Utf32 => start + column,
    };
    index.min(end)
}

fn length_without_line_end(line: ropey::RopeSlice<'_>) -> usize {
    let mut length = line.len_chars();
    while length > 0 && matches!(line.char(length - 1), '\n' | '\r') {
        length -= 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use ropey::Rope;

    use super::*;

    #[test]
    fn rope_positions_agree_with_the_line_index() {
        let text = "a🦀b\r\né\u{b}x\u{2028}y\rlast";
        let rope = Rope::from_str(text);
        let index = source::LineIndex::new(text);
        for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
            for line in 0..5 {
                for column in 0..12 {
                    let byte = index.offset(text, LineColumn { line, column }, unit);
                    let expected = text[..usize::from(byte)].chars().count();
                    let position = Position::new(line, column);
                    assert_eq!(
                        rope_index(&rope, position, unit),
                        expected,
                        "{unit:?} {position:?}"
                    );
                }
            }
        }
    }
}
