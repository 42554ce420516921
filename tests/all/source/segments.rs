//! Maps of texts in pieces, both ways, and edits through them.

use source::*;

/// `> a` lines, as mail quotes them.
fn quoted(file: &str) -> (String, SegmentMap) {
    let mut text = SegmentedText::new();
    let mut start = 0;
    for line in file.split_inclusive('\n') {
        let end = start + line.len();
        text.copy(file, TextRange::new((start as u32 + 2).into(), (end as u32).into()));
        start = end;
    }
    let all = TextRange::up_to(TextSize::of(text.text()));
    let map = text.map(file, all, Escapes::None, LineBreaks::AsTheFirst);
    (text.text().to_owned(), map)
}

/// Literals of C, without any escape but `\n`.
fn literals(file: &str) -> (String, SegmentMap) {
    let mut text = SegmentedText::new();
    let mut inside = false;
    let mut at = 0;
    while at < file.len() {
        let range = |length: usize| TextRange::at((at as u32).into(), (length as u32).into());
        let byte = file.as_bytes()[at];
        let length = match byte {
            b'"' => {
                inside = !inside;
                1
            }
            b'\\' => {
                text.replace("\n", range(2));
                2
            }
            _ if inside => {
                text.copy(file, range(1));
                1
            }
            _ => 1,
        };
        at += length;
    }
    let all = TextRange::up_to(TextSize::of(text.text()));
    let map = text.map(file, all, Escapes::Literal, LineBreaks::AsTheFirst);
    (text.text().to_owned(), map)
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new((start as u32).into(), (end as u32).into())
}

const QUOTED: &str = "> VERT\n> NOP\n> END\n";
const LITERALS: &str = "x = \"VERT\\n\"\n    \"NOP\\n\"\n    \"END\";";

#[test]
fn positions_map_both_ways() {
    for (file, (text, map)) in [(QUOTED, quoted(QUOTED)), (LITERALS, literals(LITERALS))] {
        for (offset, character) in text.char_indices() {
            let place = map.to_file(range(offset, offset + 1));
            match character {
                '\n' => assert!(["\n", "\\n"].contains(&&file[place])),
                _ => assert_eq!(&file[place], character.to_string()),
            }
            assert_eq!(map.to_region(place.start()), Some(TextSize::new(offset as u32)));
        }
        let word = text.find("NOP").unwrap_or_default();
        assert_eq!(&file[map.to_file(range(word, word + 3))], "NOP");
        let all = map.to_file(range(0, text.len()));
        assert_eq!(all, map.range());
        assert_eq!(map.range_to_region(all), Some(range(0, text.len())));
    }
}

#[test]
fn what_is_between_the_pieces_is_not_of_the_region() {
    let (_, map) = quoted(QUOTED);
    for offset in [0, 1, 8, 14] {
        assert_eq!(map.to_region(TextSize::new(offset)), None, "{offset}");
    }
    assert_eq!(map.to_region(TextSize::new(7)), Some(TextSize::new(5)));
    assert_eq!(map.to_region(TextSize::new(9)), Some(TextSize::new(5)));
}

#[test]
fn a_range_of_the_file_touches_a_part_of_the_region() {
    for (file, (text, map)) in [(QUOTED, quoted(QUOTED)), (LITERALS, literals(LITERALS))] {
        let all = range(0, text.len());
        assert_eq!(map.touched(range(0, file.len())), Some(all));
        for start in 0..file.len() {
            for end in start..=file.len() {
                // Every place of the range by itself; within an escape, all that it stands for.
                let places = (start..=end).filter_map(|at| {
                    let first = map.to_region(TextSize::new(at as u32))?;
                    let inside = at > 0 && file.as_bytes()[at - 1] == b'\\';
                    Some(TextRange::at(first, TextSize::new(u32::from(inside))))
                });
                let wanted = places.reduce(|one, other| one.cover(other));
                assert_eq!(map.touched(range(start, end)), wanted, "{start} {end}");
            }
        }
        let word = file.find("NOP").unwrap_or_default();
        let place = map.touched(range(word, word + 3)).expect("a part");
        assert_eq!(&text[place], "NOP");
        assert_eq!(map.range_to_region(range(word, word + 3)), Some(place));
    }
}

#[test]
fn a_part_of_the_text_has_places_of_its_own() {
    let file = "> A\n> B\n# C\n> D\n";
    let mut text = SegmentedText::new();
    for start in [2, 6, 10, 14] {
        text.copy(file, range(start, start + 2));
    }
    assert_eq!((text.text(), text.len()), ("A\nB\nC\nD\n", 4));
    let part = text.map(file, range(2, 8), Escapes::None, LineBreaks::AsTheFirst);
    assert_eq!(part.range(), range(6, 16));
    for (at, letter) in [(0, "B"), (2, "C"), (4, "D")] {
        assert_eq!(&file[part.to_file(range(at, at + 1))], letter);
    }
    let shorter = text.map(file, range(2, 6), Escapes::None, LineBreaks::AsTheFirst);
    assert_eq!(shorter.range(), range(6, 12));
    let line = part.edit_to_file(&TextEdit::replace(range(0, 0), "X\n")).expect("a line more");
    assert_eq!(line.insert, "X\n# ");
}

#[test]
fn how_a_last_line_would_go_on_is_not_known() {
    let (_, map) = quoted("> A\n");
    let (_, pieces) = quoted("> A\n> B\n");
    let edit = TextEdit::replace(range(0, 1), "X\nY");
    assert!(map.is_contiguous() && !pieces.is_contiguous());
    let last = "\"A\" \"B\\n\"";
    assert_eq!(literals(last).1.edit_to_file(&edit), None);
    assert!(literals(LITERALS).1.edit_to_file(&edit).is_some());
}

#[test]
fn quotes_are_escaped_in_a_literal() {
    let (text, map) = literals("\"A\\nB\"");
    assert_eq!(text, "A\nB");
    let edit = map.edit_to_file(&TextEdit::replace(range(0, 1), "'\"\\\t\n<"));
    assert_eq!(edit.expect("sure").insert, "\\'\\\"\\\\\\t\\n<");
    assert_eq!(map.edit_to_file(&TextEdit::replace(range(0, 1), "\u{7}")), None);
}

#[test]
fn an_edit_in_the_file_is_the_edit_in_the_region() {
    type Wrap = fn(&str) -> (String, SegmentMap);
    let layouts: [(&str, Wrap); 2] = [(QUOTED, quoted), (LITERALS, literals)];
    for (file, wrap) in layouts {
        let (text, map) = wrap(file);
        for start in 0..=text.len() {
            for end in start..=text.len() {
                for insert in ["", "X", "A\nB", "\n", "C\n"] {
                    let edit = TextEdit::replace(range(start, end), insert);
                    let wanted = apply_edits(&text, std::slice::from_ref(&edit));
                    let mapped = map.edit_to_file(&edit).expect("such breaks are sure");
                    let edited = apply_edits(file, &[mapped]).expect("an edit of the file");
                    // At the end of quoted text a new line has no mark yet.
                    if end < text.len() {
                        assert_eq!(Some(wrap(&edited).0), wanted, "{edit:?} in {edited:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_fix_that_is_not_sure_is_left_out() {
    let file = "1 VERT\n2 NOP\n";
    let mut text = SegmentedText::new();
    text.copy(file, range(2, 7));
    text.copy(file, range(9, 13));
    let map = text.map(file, range(0, 9), Escapes::None, LineBreaks::Unsure);
    let diagnostic = Diagnostic::hint(Code("a::b"), range(5, 8), "a")
        .with_fix("rename", range(5, 8), "RET")
        .with_fix("add a line", range(5, 5), "NOP\n")
        .with_fix("join", range(3, 7), "");
    let mapped = map.diagnostic_to_file(diagnostic);
    assert_eq!(&file[mapped.range], "NOP");
    let titles: Vec<&str> = mapped.fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["rename"]);
    assert_eq!(apply_edits(file, &mapped.fixes[0].edits).as_deref(), Some("1 VERT\n2 RET\n"));
}

#[test]
fn what_is_inserted_is_escaped() {
    let file = "<a>x&lt;y</a>";
    let mut text = SegmentedText::new();
    text.copy(file, range(3, 4));
    text.replace("<", range(4, 8));
    text.copy(file, range(8, 9));
    let map = text.map(file, range(0, 3), Escapes::Markup, LineBreaks::Unsure);
    let edit = map.edit_to_file(&TextEdit::replace(range(1, 2), "<&\"'>\t"));
    let edit = edit.expect("no line break in it");
    assert_eq!(
        apply_edits(file, &[edit]).as_deref(),
        Some("<a>x&lt;&amp;&quot;&apos;&gt;&#9;y</a>")
    );
}

#[test]
fn one_piece_needs_no_table() {
    let file = "log\nVERT\nEND\n";
    let mut text = SegmentedText::new();
    text.copy(file, range(4, 9));
    text.copy(file, range(9, 12));
    let map = text.map(file, range(0, 8), Escapes::None, LineBreaks::AsTheFirst);
    assert!(map.is_contiguous());
    assert_eq!(map, SegmentMap::contiguous(range(4, 12)));
    assert_eq!(map.to_region(TextSize::new(12)), Some(TextSize::new(8)));
    assert_eq!(map.to_region(TextSize::new(3)), None);
    assert_eq!(map.to_file(range(0, 4)), range(4, 8));
    assert_eq!(map.touched(range(0, 8)), Some(range(0, 4)));
    let edit = map.edit_to_file(&TextEdit::replace(range(0, 4), "FRAG"));
    assert_eq!(edit.map(|edit| edit.range), Some(range(4, 8)));
}

#[test]
fn the_end_of_the_region_is_behind_its_last_character() {
    for file in ["\"A\\n\"", "\"A\\nB\""] {
        let (text, map) = literals(file);
        let end = map.to_file(range(text.len(), text.len()));
        assert_eq!(end, range(file.len() - 1, file.len() - 1));
    }
}

#[test]
fn a_region_of_a_copied_text_is_found_in_the_file() {
    let file = "<1>VE<0>RT\\n<2>END";
    let mut outer = SegmentedText::new();
    for (start, end) in [(3, 5), (8, 12), (15, 18)] {
        outer.copy(file, range(start, end));
    }
    assert_eq!(outer.text(), "VERT\\nEND");
    let mut inner = SegmentedText::new();
    inner.copy(outer.text(), range(1, 4));
    inner.replace("\n", range(4, 6));
    inner.copy(outer.text(), range(6, 9));
    let maps = [
        inner.map(outer.text(), range(0, 7), Escapes::Literal, LineBreaks::Unsure).within(&outer),
        SegmentMap::contiguous(range(1, 9)).within(&outer),
    ];
    for (map, places) in maps.iter().zip([&["E", "R", "T", "\\n", "E"][..], &["E", "R", "T", "\\"]])
    {
        assert_eq!(map.range(), range(4, 18));
        for (at, place) in places.iter().enumerate() {
            assert_eq!(&file[map.to_file(range(at, at + 1))], *place);
        }
    }
}
