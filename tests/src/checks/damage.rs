//! Texts and token streams of TGSI, damaged at random: nothing panics.

use crate::random_shaders::Numbers;
use crate::search::search;
use crate::survival::{check_text, check_words};
use text::no_checkpoint;
use tgsi::tokens::{self, Layout};

/// A text beyond this size is cut: many small ones find more than a large one.
const LARGEST_TEXT: usize = 4_000;

/// Insertions into texts: words and signs that a careless reader trips over.
const INSERTIONS: [&str; 40] = [
    "\n",
    "\r",
    " ",
    "\t",
    "\0",
    "é",
    "\u{feff}",
    "\u{2028}",
    ",",
    ".",
    "..",
    ":",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "|",
    "-",
    "+",
    "\"",
    "\\n",
    "\\",
    "&#10;",
    "<",
    "> ",
    "/*",
    "*/",
    "#",
    "4294967296",
    "-1",
    "0x",
    "1e999",
    "FRAG\n",
    "END\n",
    "TEMP[",
    "_SAT",
    "DCL ",
    "IMM[0] FLT32 {",
];

/// The texts, none too long.
fn cut(mut texts: Vec<String>) -> Vec<String> {
    for text in &mut texts {
        let end = (0..=text.len().min(LARGEST_TEXT)).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
    }
    texts
}

/// A place of a text where a character begins.
fn boundary(text: &str, random: &mut Numbers) -> usize {
    let at = random.below(text.len() + 1);
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn damage_text(text: &mut String, programs: &[String], random: &mut Numbers) {
    let (a, b) = (boundary(text, random), boundary(text, random));
    let (start, end) = (a.min(b), a.max(b));
    // Mostly small wounds: after a large one little is left to be understood.
    let near = (start..=end.min(start + 12)).rev().find(|at| text.is_char_boundary(*at));
    let near = near.unwrap_or(start);
    match random.below(9) {
        0 => text.replace_range(start..near, ""),
        1 => text.insert_str(start, random.one(&INSERTIONS)),
        2 => text.replace_range(start..near, random.one(&INSERTIONS)),
        3 => text.truncate(start),
        4 => {
            let copied = text[start..end].to_owned();
            text.insert_str(start, &copied);
        }
        5 => {
            let other = &programs[random.below(programs.len())];
            let from = boundary(other, random);
            text.replace_range(start.., &other[from..]);
        }
        6 => {
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (one, two) = (random.below(lines.len()), random.below(lines.len()));
            if !lines.is_empty() {
                lines.swap(one, two);
            }
            *text = lines.concat();
        }
        7 => {
            let prefix = random.one(&["> ", "[ 12.5] ", "ps: ", "\"", "    ", "// ", "0123"]);
            *text = text.lines().map(|line| format!("{prefix}{line}\n")).collect();
        }
        _ => {
            *text =
                text.replace('\n', random.one(&["\\n", "\r\n", "\r", "&#10;", "\\n\"\n\"", " "]))
        }
    }
    let end = (0..=text.len().min(2 * LARGEST_TEXT)).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
}

/// Damages the texts of programs for some seconds.
///
/// # Panics
/// Shows the text that is not survived.
pub fn damaged_texts_are_survived(programs: Vec<String>, seconds: f64) {
    let programs = cut(programs);
    let damaged = |random: &mut Numbers| {
        let mut text = programs[random.below(programs.len())].clone();
        for _ in 0..=random.below(4) {
            damage_text(&mut text, &programs, random);
        }
        text
    };
    search("texts", seconds, damaged, |text| {
        check_text(text);
    });
}

/// Damages the token streams of programs, in every era, for some seconds.
///
/// # Panics
/// Shows the stream that is not survived.
pub fn damaged_streams_are_survived(programs: Vec<String>, seconds: f64) {
    let mut streams = Vec::new();
    for text in cut(programs) {
        let Some(shader) = tgsi::parser::parse(&text, &no_checkpoint).shader else { continue };
        streams
            .extend(Layout::ALL.iter().filter_map(|layout| tokens::encode(&shader, *layout).ok()));
    }
    assert!(streams.len() >= 2, "no stream to damage");
    let damaged = |random: &mut Numbers| {
        let mut words = streams[random.below(streams.len())].clone();
        for _ in 0..=random.below(4) {
            let (at, bit) = (random.below(words.len()), 1 << random.below(32));
            match random.below(6) {
                0 => words.truncate(at),
                1 => words.insert(at, bit),
                2 if !words.is_empty() => drop(words.remove(at)),
                3 => {
                    let other = &streams[random.below(streams.len())];
                    words.extend(&other[random.below(other.len())..]);
                    words.truncate(4_000);
                }
                _ if words.is_empty() => words.push(bit),
                4 => words[at] = random.below(1 << 31) as u32 ^ bit,
                _ => words[at] ^= bit,
            }
        }
        words
    };
    search("streams", seconds, damaged, |words| check_words(words));
}
