//! Lines and columns of a text.

use source::{ColumnUnit, LineColumn, LineIndex, TextSize};

#[test]
fn every_line_end_counts_once() {
    let text = "a\nb\r\nc\rd";
    let index = LineIndex::new(text);
    assert_eq!(index.line_count(), 4);
    let lines: Vec<&str> = (0..4).map(|line| &text[index.line_range(line).unwrap()]).collect();
    assert_eq!(lines, ["a\n", "b\r\n", "c\r", "d"]);
}

#[test]
fn columns_in_each_unit_round_trip() {
    let text = "x\n🦀é=1\r\nend";
    let index = LineIndex::new(text);
    for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
        for (offset, character) in text.char_indices() {
            if character == '\n' && text[..offset].ends_with('\r') {
                continue; // no column lies between the two bytes of a line end
            }
            let offset = TextSize::new(offset as u32);
            let position = index.line_column(text, offset, unit);
            assert_eq!(index.offset(text, position, unit), offset, "{unit:?} {offset:?}");
        }
    }
    let crab_end = TextSize::new(2 + 4);
    assert_eq!(index.line_column(text, crab_end, ColumnUnit::Utf16).column, 2);
    assert_eq!(index.line_column(text, crab_end, ColumnUnit::Utf32).column, 1);
}

#[test]
fn places_outside_are_pulled_in() {
    let text = "ab\ncd";
    let index = LineIndex::new(text);
    let past = |line, column| index.offset(text, LineColumn { line, column }, ColumnUnit::Utf16);
    assert_eq!(past(0, 99), TextSize::new(2));
    assert_eq!(past(9, 0), TextSize::new(5));
    assert_eq!(
        index.line_column(text, TextSize::new(99), ColumnUnit::Utf8),
        LineColumn { line: 1, column: 2 }
    );
}
