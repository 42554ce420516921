//! Shaders with holes: parts that a program fills in when it runs.
//!
//! A hole stands in the text of a region as one [`HOLE`]. Nothing is said of the line that it is
//! in. Of the rest a diagnostic holds if it does whatever the hole is: numbers in its place must
//! give the same one each time, and it must not speak of registers that the hole may name.

use source::{Diagnostic, TextRange};

use crate::codes;
use crate::regions::range;
use crate::words::File;
use crate::{parser, validate};

/// The character that stands for what is not known.
pub const HOLE: char = '\u{1a}';

/// The same as a text.
pub(crate) const HOLE_TEXT: &str = "\u{1a}";

/// Tells whether a shader's text has a hole.
pub fn has_holes(text: &str) -> bool {
    text.contains(HOLE)
}

/// The diagnostics of a shader with holes that hold whatever fills them.
pub fn diagnostics(text: &str, checkpoint: source::Checkpoint<'_>) -> Vec<Diagnostic> {
    let unknown = Unknown::of(text);
    let said = |numbers: fn(usize) -> u8| {
        let mut said = instance(text, &unknown, numbers, checkpoint);
        said.retain(|diagnostic| !unknown.concerns(text, diagnostic));
        said
    };
    let others = said(|place| b'1' + (place % 9) as u8);
    let mut all = said(|_| b'0');
    all.retain_mut(|told| {
        let is_same = |it: &&Diagnostic| {
            (it.code, it.range, &it.message) == (told.code, told.range, &told.message)
        };
        let Some(other) = others.iter().find(is_same) else { return false };
        told.fixes.retain(|fix| other.fixes.contains(fix));
        told.related.retain(|related| other.related.contains(related));
        true
    });
    all
}

/// The diagnostics of a shader with a number, or a component, in the place of each hole.
fn instance(
    text: &str,
    unknown: &Unknown<'_>,
    numbers: fn(usize) -> u8,
    checkpoint: source::Checkpoint<'_>,
) -> Vec<Diagnostic> {
    let mut filled = String::with_capacity(text.len());
    for (place, piece) in text.split(HOLE).enumerate() {
        if place > 0 {
            let component = filled.ends_with('.') && !filled.ends_with("..");
            filled.push(if component { 'x' } else { char::from(numbers(place)) });
        }
        filled.push_str(piece);
    }
    let mut parse = parser::parse(&filled, checkpoint);
    // What makes no statement so is a statement that cannot be read.
    let unreadable = |line: &&TextRange| {
        let mut errors =
            parse.diagnostics.iter().filter(|it| it.severity == source::Severity::Error);
        errors.any(|error| line.contains_range(error.range))
    };
    let restored: Vec<TextRange> = unknown.lines.iter().filter(unreadable).copied().collect();
    if !restored.is_empty() {
        for line in restored {
            filled.replace_range(std::ops::Range::<usize>::from(line), &text[line]);
        }
        parse = parser::parse(&filled, checkpoint);
    }
    let mut all = parse.diagnostics;
    if let Some(shader) = parse.shader.filter(|_| !unknown.statements) {
        all.extend(validate(&shader, checkpoint));
    }
    all
}

/// The parts of a shader that its holes leave open.
#[derive(Default)]
struct Unknown<'a> {
    /// The lines with holes, in order.
    lines: Vec<TextRange>,
    /// The names of files of which the number of a register is a hole.
    files: Vec<&'a str>,
    /// The files among them of which a declaration has the hole.
    declared: Vec<&'a str>,
    /// Set where a hole may be any statements.
    statements: bool,
}

impl<'a> Unknown<'a> {
    fn of(text: &'a str) -> Unknown<'a> {
        let mut unknown = Unknown::default();
        let mut start = 0;
        for line in text.split_inclusive(['\n', '\r']) {
            if line.contains(HOLE) {
                unknown.lines.push(range(start, start + line.trim_end().len()));
                unknown.statements |= opens_with_hole(line);
                for (place, _) in line.match_indices(HOLE) {
                    let file = register_file(&line[..place]);
                    unknown.files.extend(file);
                    unknown.declared.extend(file.filter(|_| declares(line)));
                }
            }
            start += line.len();
        }
        for files in [&mut unknown.files, &mut unknown.declared] {
            files.sort_unstable();
            files.dedup();
        }
        unknown
    }

    /// Tells whether a diagnostic speaks of what is not known.
    fn concerns(&self, text: &str, diagnostic: &Diagnostic) -> bool {
        let related = diagnostic.related.iter().map(|related| related.range);
        let mut places = related.chain([diagnostic.range]);
        // What an instruction uses declares nothing.
        let files = match diagnostic.code {
            codes::UNDECLARED_REGISTER => &self.declared,
            _ => &self.files,
        };
        places.any(|place| self.is_at(place) || files.iter().any(|file| names(&text[place], file)))
            || files.iter().any(|file| names(&diagnostic.message, file))
    }

    fn is_at(&self, place: TextRange) -> bool {
        let after = self.lines.partition_point(|line| line.end() < place.start());
        self.lines.get(after).is_some_and(|line| line.start() <= place.end())
    }
}

/// Tells whether a line declares registers.
fn declares(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    ["DCL", "IMM"].iter().any(|it| word.get(..it.len()).is_some_and(|w| w.eq_ignore_ascii_case(it)))
}

/// Tells whether a text has a register of a file.
fn names(text: &str, file: &str) -> bool {
    text.match_indices(file).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let after = text[place + file.len()..].chars().next();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Tells whether a hole is in the first word of a statement, behind its number.
fn opens_with_hole(line: &str) -> bool {
    let numbered = line.split_once(':').filter(|(number, _)| {
        number.trim().chars().all(|sign| sign.is_ascii_digit() || sign == HOLE)
    });
    let statement = numbered.map_or(line, |(_, statement)| statement).trim_start();
    let word = statement.split(|sign: char| sign.is_ascii_whitespace()).next();
    word.is_some_and(|word| word.contains(HOLE))
}

/// The file of the register whose number is open at the end of a text: `IN` of `DCL IN[0][`.
fn register_file(before: &str) -> Option<&str> {
    const LONGEST: usize = 64;
    let mut starts = before.len().saturating_sub(LONGEST)..before.len();
    let before = &before[starts.find(|at| before.is_char_boundary(*at))?..];
    let open = before.rfind('[').filter(|open| !before[*open..].contains(']'))?;
    let mut name = before[..open].trim_end();
    while let Some(inside) = name.strip_suffix(']') {
        name = inside[..inside.rfind('[')?].trim_end();
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let word = &name[name.trim_end_matches(is_part).len()..];
    File::from_word(word).map(|_| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Vec<String> {
        let found = diagnostics(text, &source::no_checkpoint);
        found.iter().map(|it| format!("{} {}", it.code.0, &text[it.range])).collect()
    }

    #[test]
    fn the_rest_of_a_shader_with_holes_is_judged() {
        let around =
            |line: &str| format!("FRAG\nDCL OUT[0], COLOR\n{line}\nMOV OUT[0], IN[7]\nEND");
        let about_input = ["tgsi::undeclared-register IN[7]"];
        for line in [
            "DCL CONST[0..\u{1a}]",
            "DCL IN[0], GENERIC[\u{1a}], LINEAR",
            "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS \u{1a}",
            "// \u{1a}",
            "MOV OUT[0], IN[\u{1a}]",
        ] {
            assert_eq!(check(&around(line)), about_input, "{line}");
        }
        // The hole may be the register that is not declared, or any statement.
        for line in [
            "DCL IN[\u{1a}], GENERIC[0], LINEAR",
            "DCL IN[0..\u{1a}], GENERIC[0], LINEAR",
            "\u{1a}",
            "\u{1a} IN[0], COLOR",
            "\u{1a}: \u{1a}",
        ] {
            assert_eq!(check(&around(line)), [""; 0], "{line}");
        }
        assert_eq!(check(&around("\u{1a}\nMVO OUT[0], OUT[0]")), ["tgsi::unknown-opcode MVO"]);
    }
}
