//! Lines that are read without tokens, beside what the grammar reads of them.

use std::cell::Cell;

use source::no_checkpoint;

use crate::format::{self, Numbers};
use crate::parser::{read, read_with};
use crate::random_tests::shader;
use crate::recorded_tests::{chance::Chance, programs};

/// Compares what is read of a text with what the grammar alone reads of it.
fn compare(text: &str) {
    let (shader, report) = read(text, &no_checkpoint);
    let (expected, judged) = read_with(text, &no_checkpoint, |_| false);
    assert_eq!(shader, expected, "{text}");
    assert_eq!(report.finish(), judged.finish(), "{text}");
}

#[test]
fn plain_lines_are_read_as_by_the_grammar() {
    for (_, text) in programs() {
        compare(&text);
        compare(&format::format(&text, Numbers::Always));
    }
    for seed in 0..300 {
        let text = shader(seed);
        compare(&text);
        compare(&format::format(&text, Numbers::Never));
    }
}

/// Texts that an edit within a plain line leaves no plain line, or another one.
#[test]
fn changed_lines_are_read_as_by_the_grammar() {
    const SIGNS: [&str; 44] = [
        " ",
        "\t",
        "\n",
        "\r\n",
        "\u{c}",
        "#",
        "//",
        "/*",
        "*/",
        ".",
        "..",
        ",",
        ":",
        ";",
        "|",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "-",
        "+",
        "_",
        "x",
        "y",
        "z",
        "w",
        "0",
        "7",
        "9",
        "65536",
        "999999999",
        "1234567890",
        "A",
        "IN",
        "TEMP[0]",
        "LOCAL",
        "COLOR",
        "ARRAY(1)",
        "_2X",
        "(1)",
        "PRED[0]",
        "é",
    ];
    let lines: Vec<String> = programs()
        .flat_map(|(_, text)| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| !line.is_empty())
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert!(lines.len() > 1_000, "{}", lines.len());
    let mut numbers = Chance(24);
    for _ in 0..2_000 {
        let mut text =
            numbers.one(&["FRAG\n", "VERT\n", "GEOM\n", "TESS_CTRL\n", "COMP\n"]).to_owned();
        for _ in 0..1 + numbers.below(6) {
            let mut line = numbers.one(&lines).to_owned();
            let place = numbers.below(line.len() + 1);
            match numbers.below(5) {
                _ if !line.is_char_boundary(place) => {}
                0 | 1 => line.insert_str(place, numbers.one(&SIGNS)),
                2 => line.truncate(place),
                3 if place < line.len() => _ = line.remove(place),
                _ => {}
            }
            text += &line;
            text += "\n";
        }
        compare(&text);
    }
}

/// The comparisons above would hold as well if no line were plain.
#[test]
fn most_lines_are_plain() {
    let (passed, mut all) = (Cell::new(0), 0);
    for (_, text) in programs() {
        let (shader, _) = read_with(&text, &no_checkpoint, |parser| {
            let is_plain = parser.plain_statement();
            passed.set(passed.get() + usize::from(is_plain));
            is_plain
        });
        all += shader.map_or(0, |shader| shader.statements.len());
    }
    assert!(passed.get() * 10 > all * 8, "{} of {all}", passed.get());
}
