//! Whole texts, or some of their lines, in the other dialect.

use rustc_hash::FxHashMap;
use source::{LineIndex, TextEdit, TextRange, TextSize, apply_edits, text_range, text_size};

use super::blocks::Block;
use super::directives::{self, directive, plain};
use super::{NoCounterpart, instruction};
use crate::assembler::lines::{Head, LogicalLine, head, read_line};
use crate::assembler::result::{Statement, StatementKind};
use crate::assembler::sources::{NodeId, SourceId};
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
    let mut block: Option<Block> = None;
    let mut at = 0;
    while at < text.len() && at <= end {
        let line = read_line(text, at, text.len(), from);
        let next = line.next.max(at + 1);
        let converted = in_block(view, &line, &mut block, to);
        if line.next > start || line.next == text.len() {
            let stop = line.start + line.text.trim_end().len();
            let written = text[line.start..line.next].trim_end();
            let place = text_range(line.start, line.start + written.len());
            match converted.unwrap_or_else(|| one_line(view, &line, to)) {
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
    if whole
        && conversion.refused.is_empty()
        && let Some(range) = first_difference(view, &conversion, to)
    {
        conversion.edits.clear();
        let reason = NoCounterpart::OtherBytes;
        conversion.refused.push(Refusal { range, reason });
    }
    conversion
}

/// A line of a block that CLRX has not; `None` where the line is of none.
fn in_block(
    view: View<'_>,
    line: &LogicalLine<'_>,
    block: &mut Option<Block>,
    to: Dialect,
) -> Option<Result<Option<String>, NoCounterpart>> {
    if to != Dialect::Clrx {
        return None;
    }
    let written = view.text()[line.start..line.next].trim_end();
    let (code, indent) = (&*line.text, written.len() - written.trim_start().len());
    let Some(open) = block else {
        let (opened, text) = Block::begin(code)?;
        *block = Some(opened);
        return Some(Ok(Some(format!("{}{text}", &written[..indent]))));
    };
    if !open.ends(code) {
        return Some(
            open.line(written.trim_start(), None)
                .map(|text| Some(format!("{}{text}", &written[..indent]))),
        );
    }
    let text = open.line(code.trim(), made(view, line));
    *block = None;
    Some(text.map(|text| Some(format!("{}{text}", &written[..indent]))))
}

/// The bytes that the only statement of a line makes, where all of them are known.
fn made(view: View<'_>, line: &LogicalLine<'_>) -> Option<Vec<u8>> {
    let program = view.program;
    let statements = &program.expansion.statements;
    let place = text_range(line.start, line.next);
    let is_here = |statement: &Statement| {
        let span = statement.span;
        statement.node == NodeId::ROOT
            && span.source == view.source
            && place.contains(span.range.start())
            && matches!(statement.kind, StatementKind::Data(_))
    };
    let mut own = (0..).zip(statements).filter(|(_, statement)| is_here(statement));
    let (index, _) = own.next().filter(|_| own.next().is_none())?;
    program.known_bytes_of_statement(index)
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
                    true => {
                        let value = || made(view, line).map(|bytes| directives::bytes(&bytes));
                        directive(word, &code[rest..], to, value)?
                    }
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

/// The first line whose code or data are others in the converted text; `None` where all of it
/// is the same.
fn first_difference(view: View<'_>, conversion: &Conversion, to: Dialect) -> Option<TextRange> {
    let (program, text) = (view.program, view.text());
    let options = Options { target: Some(program.target), dialect: to, ..Options::default() };
    let converted = conversion.applied(text);
    let other = assemble(&converted, &options, &|_| None, &source::no_checkpoint);
    let images = |program: &Program| -> Vec<Vec<u8>> {
        let sections = 0..program.expansion.sections.len() as u32;
        sections.map(|section| program.image(section).bytes).filter(|it| !it.is_empty()).collect()
    };
    let count =
        |program: &Program| program.instructions.iter().filter(|it| it.assembled.is_some()).count();
    if count(program) == count(&other) && images(program) == images(&other) {
        return None;
    }
    // Lines stay lines: what each of them makes can be compared.
    let (own, theirs) = (bytes_of_lines(program, text), bytes_of_lines(&other, &converted));
    let mut lines = own.keys().chain(theirs.keys()).collect::<Vec<_>>();
    lines.sort_unstable();
    let first = lines.into_iter().find(|line| own.get(line) != theirs.get(line));
    let index = LineIndex::new(text);
    let place = first.and_then(|line| index.line_range(*line));
    Some(place.unwrap_or(TextRange::up_to(TextSize::of(text))))
}

/// The bytes that the statements of each line make.
fn bytes_of_lines(program: &Program, text: &str) -> FxHashMap<u32, Vec<u8>> {
    let index = LineIndex::new(text);
    let mut lines: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
    for (number, statement) in (0..).zip(&program.expansion.statements) {
        let bytes = program.bytes_of_statement(number);
        if statement.span.source == SourceId::ROOT && !bytes.is_empty() {
            lines.entry(index.line(statement.span.range.start())).or_default().extend(bytes);
        }
    }
    lines
}
