//! Whole texts, or some of their lines, in the other dialect.

use source::{TextEdit, TextRange, apply_edits, text_range, text_size};

use super::{NoCounterpart, instruction};
use crate::Target;
use crate::assembler::lines::{Head, LogicalLine, head, read_line};
use crate::assembler::sources::SourceId;
use crate::dialect::Dialect;
use crate::instruction::InstructionSet;
use crate::program::{Instruction, Options, Program, assemble};
use crate::service::View;

/// A text in the other dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The lines that are written otherwise.
    pub edits: Vec<TextEdit>,
    /// The lines that stay as they are.
    pub refused: Vec<Refusal>,
}

/// A line that cannot be written in the other dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The line, without its indentation.
    pub range: TextRange,
    /// The reason.
    pub reason: NoCounterpart,
}

impl Conversion {
    /// The text with the lines replaced.
    pub fn applied(&self, text: &str) -> String {
        apply_edits(text, &self.edits).unwrap_or_else(|| text.to_owned())
    }
}

/// Directives that mean the same in both dialects, where their arguments are plain.
const COMMON: [&str; 20] = [
    ".byte", ".short", ".int", ".long", ".quad", ".octa", ".float", ".single", ".double", ".ascii",
    ".asciz", ".string", ".space", ".skip", ".globl", ".global", ".text", ".set", ".equ", ".size",
];

/// The chips that both dialects can name in a directive.
const CHIPS: [(&str, &str); 10] = [
    ("gfx600", "tahiti"),
    ("gfx601", "pitcairn"),
    ("gfx602", "hainan"),
    ("gfx701", "hawaii"),
    ("gfx704", "bonaire"),
    ("gfx801", "carrizo"),
    ("gfx802", "tonga"),
    ("gfx803", "fiji"),
    ("gfx900", "gfx900"),
    ("gfx906", "gfx906"),
];

/// The lines of a file that touch a range in the other dialect than the program's.
///
/// Where the range is the whole of a file that is the program, the result is assembled
/// too: it has the same code and data, or every line is refused.
pub fn convert(view: View<'_>, range: TextRange) -> Conversion {
    let (program, text) = (view.program, view.text());
    let from = program.expansion.dialect;
    let to = from.other();
    let mut conversion = Conversion { edits: Vec::new(), refused: Vec::new() };
    let unreadable = match &program.unsupported {
        Some(unsupported) => Some(NoCounterpart::Unsupported(unsupported.clone())),
        None => program.listing.map(|_| NoCounterpart::Listing),
    };
    if let Some(reason) = unreadable {
        conversion.refused.push(Refusal { range, reason });
        return conversion;
    }
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let mut at = 0;
    while at < text.len() && at <= end {
        let line = read_line(text, at, text.len(), from);
        let next = line.next.max(at + 1);
        if line.next > start || line.next == text.len() {
            let stop = line.start + line.text.trim_end().len();
            let written = text[line.start..line.next].trim_end();
            let place = text_range(line.start, line.start + written.len());
            match one_line(view, &line, to) {
                Ok(Some(new)) if new != written => {
                    conversion.edits.push(TextEdit::replace(place, new));
                }
                Ok(_) => {}
                Err(reason) => {
                    let indent = line.text.len() - line.text.trim_start().len();
                    let range = text_range((line.start + indent).min(stop), stop);
                    conversion.refused.push(Refusal { range, reason });
                }
            }
        }
        at = next;
    }
    let whole = start == 0 && end >= text.len() && view.source == SourceId::ROOT;
    if whole && conversion.refused.is_empty() && !is_same_program(program, &conversion, text, to) {
        conversion.edits.clear();
        let reason = NoCounterpart::OtherBytes;
        conversion.refused.push(Refusal { range, reason });
    }
    conversion
}

/// A line in the other dialect, without its end; `None` where it stays.
fn one_line(
    view: View<'_>,
    line: &LogicalLine<'_>,
    to: Dialect,
) -> Result<Option<String>, NoCounterpart> {
    let from = view.program.expansion.dialect;
    let (code, written) = (&*line.text, &view.text()[line.start..line.next]);
    let ends_line = line.next == view.text().len() || written.ends_with(['\n', '\r']);
    let behind = written.get(code.len()..).unwrap_or_default().trim();
    let comment = comment(behind, from, to);
    if code.trim().is_empty() {
        // A block comment is one in both; a line of nothing stays.
        return Ok((!comment.is_empty()).then(|| {
            let indent = &code[..code.len() - code.trim_start().len()];
            format!("{indent}{comment}")
        }));
    }
    if written.get(..code.len()) != Some(code) {
        return Err(NoCounterpart::Broken);
    }
    if !ends_line {
        return Err(NoCounterpart::Shared);
    }
    let mut from_here = 0;
    loop {
        match head(code, from_here, from) {
            Head::Empty => break,
            Head::Label { rest, .. } => from_here = rest,
            Head::Assignment { name, rest } => {
                let name = &code[name.0..name.1];
                plain(&code[rest..])?;
                if code[rest..].contains('%') || name == "." {
                    return Err(NoCounterpart::OwnMeaning);
                }
                break;
            }
            Head::Word { name, rest } => {
                let word = &code[name.0..name.1];
                let new = match word.starts_with('.') {
                    true => directive(word, &code[rest..], to)?,
                    false => statement(view, line.start + name.0, code[name.0..].trim_end(), to)?,
                };
                let comment = if comment.is_empty() { comment } else { format!(" {comment}") };
                return Ok(Some(format!("{}{new}{comment}", &code[..name.0])));
            }
        }
    }
    if comment.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("{} {comment}", code.trim_end())))
}

/// A comment behind a line, with the mark of the other dialect.
fn comment(behind: &str, from: Dialect, to: Dialect) -> String {
    let marks: &[&str] = match from {
        Dialect::Llvm => &["//", ";", "#"],
        Dialect::Clrx => &["#"],
    };
    let rest = marks.iter().find_map(|mark| behind.strip_prefix(mark));
    match (rest, to) {
        (Some(rest), Dialect::Llvm) => format!("//{rest}"),
        (Some(rest), Dialect::Clrx) => format!("#{rest}"),
        (None, _) => String::new(),
    }
}

/// Tells whether arguments mean the same in both dialects.
fn plain(arguments: &str) -> Result<(), NoCounterpart> {
    let mut in_string = false;
    for letter in arguments.chars() {
        if letter == '"' {
            in_string = !in_string;
        }
        let known = match in_string {
            true => letter != '\\',
            false => letter.is_ascii_alphanumeric() || "\"_.$, \t+-*".contains(letter),
        };
        if !known {
            return Err(NoCounterpart::Sign(letter));
        }
    }
    Ok(())
}

fn directive(word: &str, arguments: &str, to: Dialect) -> Result<String, NoCounterpart> {
    let lower = word.to_ascii_lowercase();
    let chip = |name: &str| {
        let processor = Target::find(name)?.row().processor;
        CHIPS.into_iter().find(|(known, _)| *known == processor)
    };
    if to == Dialect::Clrx && lower == ".amdgcn_target" {
        let name = arguments.trim().trim_matches('"').rsplit('-').next().unwrap_or_default();
        let (_, name) = chip(name).ok_or(NoCounterpart::Chip(to))?;
        return Ok(format!(".gpu {name}"));
    }
    if to == Dialect::Llvm && lower == ".gpu" {
        let (name, _) = chip(arguments.trim()).ok_or(NoCounterpart::Chip(to))?;
        return Ok(format!(".amdgcn_target \"amdgcn-amd-amdhsa--{name}\""));
    }
    if !COMMON.contains(&lower.as_str()) {
        return Err(NoCounterpart::Directive(word.to_owned()));
    }
    plain(arguments)?;
    Ok(format!("{word} {}", arguments.trim()).trim_end().to_owned())
}

/// The instruction that is written at a place, in the other dialect.
fn statement(view: View<'_>, at: usize, code: &str, to: Dialect) -> Result<String, NoCounterpart> {
    let program = view.program;
    let at = text_size(at);
    let is_here = |found: &&Instruction| {
        let span = program.statement(found).span;
        span.source == view.source && span.range.start() == at
    };
    let found = view.instruction_at(at).filter(is_here).ok_or(NoCounterpart::NotWritten)?;
    let from = InstructionSet::in_dialect(program.target, program.dialect);
    let to = InstructionSet::in_dialect(program.target, to);
    instruction(code, from, to, &program.expansion.symbols_at(found.statement))
}

/// Tells whether the converted text has the same code and data.
fn is_same_program(program: &Program, conversion: &Conversion, text: &str, to: Dialect) -> bool {
    let options = Options { target: Some(program.target), dialect: to, ..Options::default() };
    let converted = conversion.applied(text);
    let other = assemble(&converted, &options, &|_| None, &source::no_checkpoint);
    let code = |program: &Program| -> Vec<Vec<u8>> {
        let sections = 0..program.expansion.sections.len() as u32;
        sections.map(|section| program.image(section).bytes).filter(|it| !it.is_empty()).collect()
    };
    let count =
        |program: &Program| program.instructions.iter().filter(|it| it.assembled.is_some()).count();
    count(program) == count(&other) && code(program) == code(&other)
}
