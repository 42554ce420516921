//! Byte offsets to lines and columns, and back.
//!
//! Lines end at LF, CRLF or CR, as the language server protocol counts them.
//! Columns are counted in bytes, UTF-16 code units or characters, as the
//! client or the reader wants; a column beyond the end of its line means its end.

use crate::{TextRange, TextSize};

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnUnit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
    /// Characters (Unicode scalar values).
    Utf32,
}

/// A place in a text, both counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in some [`ColumnUnit`].
    pub column: u32,
}

/// The starts of the lines of one text. Holds no text: each call takes the text that the
/// index was made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LineIndex {
    /// Offsets of the first byte of every line; the first is 0.
    starts: Vec<TextSize>,
    length: TextSize,
}

impl LineIndex {
    /// Indexes the lines of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![TextSize::new(0)];
        for offset in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // CR before LF is of one line end with it.
            if !bytes[offset..].starts_with(b"\r\n") {
                starts.push(TextSize::new(offset as u32 + 1));
            }
        }
        LineIndex { starts, length: TextSize::of(text) }
    }

    /// The number of lines; a text that ends in a line end has an empty last one.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line that holds `offset`, from 0.
    pub fn line(&self, offset: TextSize) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32 - 1
    }

    /// The bytes of a line, its line end included. `None` past the last line.
    pub fn line_range(&self, line: u32) -> Option<TextRange> {
        let start = *self.starts.get(line as usize)?;
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.length);
        Some(TextRange::new(start, end))
    }

    /// The line and column of an offset; one past the end means the end, one
    /// inside a character means its first byte.
    pub fn line_column(&self, text: &str, offset: TextSize, unit: ColumnUnit) -> LineColumn {
        let mut offset = usize::from(offset.min(self.length));
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(TextSize::new(offset as u32));
        let start = usize::from(self.starts[line as usize]);
        LineColumn { line, column: width(&text[start..offset], unit) }
    }

    /// The offset of a line and column. A column past the line's end means its
    /// end (before the line end), a line past the last one the text's end, and
    /// a column inside a character its first byte.
    pub fn offset(&self, text: &str, position: LineColumn, unit: ColumnUnit) -> TextSize {
        let Some(range) = self.line_range(position.line) else {
            return self.length;
        };
        let line = text[range].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (offset, character) in line.char_indices() {
            column += width_of(character, unit);
            if column > position.column {
                return range.start() + TextSize::new(offset as u32);
            }
        }
        range.start() + TextSize::of(line)
    }
}

fn width(text: &str, unit: ColumnUnit) -> u32 {
    match unit {
        ColumnUnit::Utf8 => text.len() as u32,
        _ => text.chars().map(|character| width_of(character, unit)).sum(),
    }
}

fn width_of(character: char, unit: ColumnUnit) -> u32 {
    match unit {
        ColumnUnit::Utf8 => character.len_utf8() as u32,
        ColumnUnit::Utf16 => character.len_utf16() as u32,
        ColumnUnit::Utf32 => 1,
    }
}
