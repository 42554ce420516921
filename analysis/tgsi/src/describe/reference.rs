//! The whole reference of the language as one Markdown document, made from
//! the tables: what `tungsten explain --all` prints.
//!
//! Headings of the first level are for whoever puts the document together;
//! here the parts begin at the second.

use std::fmt::Write as _;

use super::{list_name, texture_components, word_rows};
use crate::capabilities::{self, CapabilityKind};
use crate::opcodes::OpInfo;
use crate::{Opcode, formats};

/// A part of a reference: a heading of the second level and what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceSection {
    /// The heading's words.
    pub title: String,
    /// Markdown, whose own headings are of the third level and below.
    pub body: String,
}

/// Returns how to get shaders out of drivers: one page of Markdown.
pub fn dumps() -> &'static str {
    include_str!("../../data/dumps.md")
}

/// The parts of the reference, in reading order.
pub fn reference() -> Vec<ReferenceSection> {
    let part = |title: &str, body: String| ReferenceSection { title: title.to_owned(), body };
    vec![
        part("How to get TGSI out of a driver", dumps().to_owned()),
        part("TGSI opcodes", opcodes()),
        part("TGSI words", words()),
        part("Image formats", image_formats()),
        part("What texture look-ups return", look_ups()),
        part("What shaders ask of drivers", driver_answers()),
        part("Questions to drivers, and debug variables", documented_names()),
    ]
}

/// A line for each name that documents have and texts do not.
fn documented_names() -> String {
    let mut text = String::new();
    for row in super::documented() {
        let answer = if row.answer.is_empty() { "no text" } else { row.answer };
        let _ = writeln!(text, "- `{}` ({answer}): {}", row.name, row.meaning);
    }
    text
}

/// Groups of opcodes: what they are, and the section of their document.
const GROUPS: [(&str, &str); 15] = [
    ("Arithmetic, comparisons and texture look-ups", "Core ISA"),
    ("Numbers, queries and texel fetches", "Compute ISA"),
    ("Integers", "2020, Integer ISA"),
    ("Bits", "Bitwise ISA"),
    ("Doubles", "Double ISA"),
    ("64-bit integers", "64-bit Integer ISA"),
    ("Control flow", "GLSL ISA"),
    ("Geometry", "Geometry ISA"),
    ("Interpolation", "Interpolation ISA"),
    ("Sampler views", "Resource Sampling Opcodes"),
    ("Memory", "Resource Access Opcodes"),
    ("Atomics", "Atomic opcodes"),
    ("Barriers", "Inter-thread synchronization opcodes"),
    ("Between invocations", "Inter-lane opcodes"),
    ("Handles", "Bindless Opcodes"),
];

/// The group of a row: its place in [`GROUPS`], or one behind them.
fn group(row: &OpInfo) -> usize {
    if !row.until.is_empty() {
        return GROUPS.len() + 1;
    }
    let own = GROUPS.iter().position(|(_, section)| row.source.contains(section));
    own.unwrap_or(GROUPS.len())
}

fn opcodes() -> String {
    let mut text = String::from(
        "In formulas `c` stands for each component of the write mask, and `xy` and `zw` for the \
         pairs that hold 64-bit values. Days are those on which Mesa's headers changed.\n",
    );
    let titles = GROUPS.iter().map(|(title, _)| *title);
    let titles = titles.chain(["Without a section in the documents", "Opcodes that went"]);
    for (number, title) in titles.enumerate() {
        let mut members: Vec<Opcode> =
            Opcode::all().filter(|opcode| group(opcode.row()) == number).collect();
        members.sort_by_key(|opcode| opcode.mnemonic());
        let _ = write!(text, "\n### {title}\n");
        for opcode in members {
            let _ = write!(text, "\n#### `{}`\n\n{}", opcode.mnemonic(), super::opcode(opcode));
        }
    }
    text
}

fn words() -> String {
    let mut text = String::new();
    let mut list = "";
    for row in word_rows::all() {
        if row.list != list {
            list = row.list;
            let _ = write!(text, "\n### {}\n", title(list));
        }
        // The page begins with the word itself, which is the heading here.
        let page = super::page(row);
        let body = page.split_once("\n\n").map_or("", |(_, body)| body);
        let _ = write!(text, "\n#### `{}`\n\n{body}", row.word);
    }
    text.trim_start().to_owned()
}

/// The heading of a list: its name in the plural.
fn title(list: &str) -> String {
    let name = match list {
        "keyword" => return "Statement and declaration words".to_owned(),
        "memory" => return "Kinds of memory".to_owned(),
        "interpolation" => return "Interpolation modes".to_owned(),
        list => list_name(list),
    };
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    match name.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{name}s"),
    }
}

fn image_formats() -> String {
    let mut text = String::from(
        "Fields are listed from the lowest bits up. The third column is what a shader reads in \
         x, y, z and w.\n\n| format | in memory | read as | colours |\n|---|---|---|---|\n",
    );
    for format in formats::all() {
        let memory = super::formats::memory(format);
        let memory = memory.trim_end_matches('.');
        let read = match format.name {
            "PIPE_FORMAT_NONE" => "",
            _ => &super::returned(format),
        };
        let colors = match format.color_space {
            "rgb" => "",
            other => other,
        };
        let _ = writeln!(text, "| `{}` | {memory} | {read} | {colors} |", format.name);
    }
    let sources = formats::all().first().map_or("", |format| format.source);
    let _ = write!(text, "\n*{sources}*\n");
    text
}

fn look_ups() -> String {
    let mut text = String::from(
        "Components that a texture does not have are filled in, and not alike everywhere.\n\n\
         | texture has | TGSI | OpenGL | Direct3D 9 | |\n|---|---|---|---|---|\n",
    );
    for row in texture_components() {
        let (components, gallium) = (row.components, row.gallium);
        let (opengl, direct3d, note) = (row.opengl, row.direct3d, row.note);
        let _ = writeln!(text, "| {components} | {gallium} | {opengl} | {direct3d} | {note} |");
    }
    let sources = texture_components().first().map_or("", |row| row.source);
    let _ = write!(text, "\n*{sources}*\n");
    text
}

fn driver_answers() -> String {
    let mut text = String::from(
        "What a driver answers decides whether a shader may be sent to it. Each page above names \
         its own; here they are by the question.\n\n\
         | question | | words | source |\n|---|---|---|---|\n",
    );
    for row in capabilities::all() {
        let verb = match row.kind {
            CapabilityKind::Need => "needed",
            CapabilityKind::Limit => "limit",
            CapabilityKind::Choice => "choice",
        };
        let words: Vec<String> = row.words.iter().map(|word| format!("`{word}`")).collect();
        let when = if row.when.is_empty() { String::new() } else { format!(" ({})", row.when) };
        let words = words.join(" ");
        let _ = writeln!(text, "| `{}` | {verb} | {words}{when} | {} |", row.name, row.source);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_the_reference() {
        let parts = reference();
        let body = |title: &str| {
            let part = parts.iter().find(|part| part.title == title);
            part.map(|part| part.body.as_str()).expect("a part")
        };
        let count = |text: &str, line: &str| text.lines().filter(|it| *it == line).count();
        let opcodes = body("TGSI opcodes");
        for opcode in Opcode::all() {
            let heading = format!("#### `{}`", opcode.mnemonic());
            assert_eq!(count(opcodes, &heading), 1, "{heading}");
            assert!(opcodes.contains(opcode.row().description), "{heading}");
        }
        let words = body("TGSI words");
        for row in word_rows::all() {
            assert!(count(words, &format!("#### `{}`", row.word)) > 0, "{row:?}");
            assert!(words.contains(row.description), "{row:?}");
        }
        assert_eq!(words.matches("\n#### ").count(), word_rows::all().len());
        for format in formats::all() {
            assert!(body("Image formats").contains(&format!("\n| `{}` |", format.name)));
        }
        for row in texture_components() {
            assert!(
                body("What texture look-ups return").contains(&format!("\n| {} |", row.components))
            );
        }
        for row in capabilities::all() {
            assert!(body("What shaders ask of drivers").contains(&format!("\n| `{}` |", row.name)));
        }
    }

    #[test]
    fn groups_are_used_and_headings_nest() {
        for number in 0..=GROUPS.len() + 1 {
            let members = Opcode::all().filter(|opcode| group(opcode.row()) == number);
            assert!(members.count() > 0, "{:?}", GROUPS.get(number));
        }
        for part in reference() {
            assert!(!part.body.starts_with('\n') && part.body.ends_with('\n'), "{}", part.title);
            let mut level = 2;
            let mut fenced = false;
            for line in part.body.lines() {
                fenced ^= line.starts_with("```");
                let marks = line.len() - line.trim_start_matches('#').len();
                if !fenced && marks > 0 && line[marks..].starts_with(' ') {
                    assert!(marks > 2 && marks <= level + 1, "{}: {line}", part.title);
                    level = marks;
                }
            }
            assert!(!fenced, "{}: a fence is open", part.title);
        }
    }

    #[test]
    fn the_page_of_dumps_names_the_variables_of_the_document() {
        let documented =
            ["GALLIUM_PRINT_OPTIONS", "GALLIUM_TRACE", "TGSI_PRINT_SANITY", "ST_DEBUG", "LP_DEBUG"];
        for variable in documented.iter().chain(&["I915_DEBUG", "FD_MESA_DEBUG"]) {
            assert!(dumps().contains(variable), "{variable}");
        }
    }
}
