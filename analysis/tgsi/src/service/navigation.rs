//! Declarations of the thing under the cursor, and the other places that name it.
//!
//! A register leads to its declaration or immediate, a label to the
//! instruction that it numbers, and a block's words to one another.

use editor_model::{Definitions, Destination, Highlight, HighlightKind, References};
use source::{TextRange, TextSize};

use super::accesses::{Access, AccessKind, access_at, accesses};
use crate::ast::{Instruction, Shader, Statement, StatementKind, WriteMask};
use crate::validate::{Nesting, nesting};

/// A place that names the thing under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mention {
    range: TextRange,
    /// `None` for words that are neither read nor written.
    kind: Option<AccessKind>,
}

impl Mention {
    fn highlight(self) -> Highlight {
        let kind = match self.kind {
            Some(AccessKind::Read) => HighlightKind::Read,
            Some(AccessKind::Write) => HighlightKind::Write,
            Some(AccessKind::Declaration) | None => HighlightKind::Text,
        };
        Highlight { range: self.range, kind }
    }
}

/// A thing that a cursor can be on.
enum Subject {
    Register(Access),
    /// An instruction, by its place from 0, and the name under the cursor.
    Instruction(u32, TextRange),
}

fn subject(shader: &Shader, all: &[Access], offset: TextSize) -> Option<Subject> {
    if let Some(access) = access_at(all, offset) {
        return Some(Subject::Register(*access));
    }
    let (_, instruction) = instruction_at(shader, offset)?;
    if let Some(label) = instruction.label.filter(|it| it.range.contains_inclusive(offset)) {
        return Some(Subject::Instruction(label.value, label.range));
    }
    let own = instruction.ordinal.saturating_sub(1);
    let opcode = instruction.opcode;
    let names = [instruction.number.map(|number| number.range), Some(opcode.range)];
    let touched = names.into_iter().flatten().find(|range| range.contains_inclusive(offset))?;
    Some(Subject::Instruction(own, touched))
}

fn instruction_at(shader: &Shader, offset: TextSize) -> Option<(&Statement, &Instruction)> {
    let statement = crate::cursor::statement_at(shader, offset)?;
    match &statement.kind {
        StatementKind::Instruction(instruction) => Some((statement, instruction)),
        _ => None,
    }
}

/// The statement of an instruction, by its place from 0.
fn numbered(shader: &Shader, number: u32) -> Option<(&Statement, &Instruction)> {
    shader.instruction_statements().find(|(_, it)| it.ordinal.checked_sub(1) == Some(number))
}

/// Returns where the thing at an offset is declared. `text` is what the shader was parsed from.
pub fn definitions(text: &str, shader: &Shader, offset: TextSize) -> Option<Definitions> {
    let all = accesses(text, shader);
    match subject(shader, &all, offset)? {
        Subject::Register(access) => {
            let declares =
                |it: &&Access| it.kind == AccessKind::Declaration && it.span.overlaps(&access.span);
            let declared: Vec<&Access> = all.iter().filter(declares).collect();
            let shares = |it: &&&Access| shares(it.components, access.components);
            let exact: Vec<&Access> = declared.iter().filter(shares).copied().collect();
            let declared = if exact.is_empty() { declared } else { exact };
            let destinations = declared.into_iter().filter_map(|it| {
                let statement = crate::cursor::statement_at(shader, it.range.start())?;
                Some(Destination { file: None, range: statement.range, selection: it.range })
            });
            let destinations: Vec<Destination> = destinations.collect();
            (!destinations.is_empty()).then_some(Definitions { origin: access.range, destinations })
        }
        Subject::Instruction(number, origin) => {
            let (statement, instruction) = numbered(shader, number)?;
            let selection = instruction.opcode.range;
            let destination = Destination { file: None, range: statement.range, selection };
            Some(Definitions { origin, destinations: vec![destination] })
        }
    }
}

/// The places of the shader that name the thing at an offset, in order.
pub fn references(
    text: &str,
    shader: &Shader,
    offset: TextSize,
    wanted: References,
) -> Vec<TextRange> {
    let is_wanted = |mention: &Mention| {
        wanted == References::All || mention.kind != Some(AccessKind::Declaration)
    };
    let mentions = mentions(text, shader, offset).into_iter().filter(is_wanted);
    mentions.map(|mention| mention.range).collect()
}

fn mentions(text: &str, shader: &Shader, offset: TextSize) -> Vec<Mention> {
    let all = accesses(text, shader);
    match subject(shader, &all, offset) {
        None => Vec::new(),
        Some(Subject::Register(access)) => touching(&all, access, WriteMask::ALL),
        Some(Subject::Instruction(number, _)) => {
            let own = numbered(shader, number).map(|(_, instruction)| Mention {
                range: instruction.opcode.range,
                kind: Some(AccessKind::Declaration),
            });
            let labels = shader.instructions().filter_map(|instruction| instruction.label);
            let labels = labels.filter(|label| label.value == number);
            let labels = labels.map(|label| Mention { range: label.range, kind: None });
            let mut mentions: Vec<Mention> = own.into_iter().chain(labels).collect();
            mentions.sort_by_key(|mention| mention.range.start());
            mentions
        }
    }
}

/// The places that name any of some components of a register.
fn touching(all: &[Access], register: Access, components: WriteMask) -> Vec<Mention> {
    all.iter()
        .filter(|it| it.span.overlaps(&register.span) && shares(it.components, components))
        .map(|it| Mention { range: it.range, kind: Some(it.kind) })
        .collect()
}

/// The places to mark while the cursor is at an offset: those that name the
/// same components of the same register, or the words of the same block.
pub fn highlights(text: &str, shader: &Shader, offset: TextSize) -> Vec<Highlight> {
    let mentions = marked(text, shader, offset).into_iter();
    mentions.map(Mention::highlight).collect()
}

fn marked(text: &str, shader: &Shader, offset: TextSize) -> Vec<Mention> {
    let all = accesses(text, shader);
    match subject(shader, &all, offset) {
        None => Vec::new(),
        Some(Subject::Register(access)) => touching(&all, access, access.components),
        Some(Subject::Instruction(..)) => {
            let block = block_words(shader, offset);
            if block.len() > 1 { block } else { mentions(text, shader, offset) }
        }
    }
}

/// The opening, turning and closing words of the block whose word is at an offset.
fn block_words(shader: &Shader, offset: TextSize) -> Vec<Mention> {
    let mut open: Vec<Vec<TextRange>> = Vec::new();
    for instruction in shader.instructions() {
        let range = instruction.opcode.range;
        match nesting(instruction.opcode.value) {
            Some(Nesting::Break | Nesting::Continue | Nesting::End) | None => continue,
            Some(Nesting::Open(_)) => open.push(vec![range]),
            Some(Nesting::Else | Nesting::Case) => {
                if let Some(block) = open.last_mut() {
                    block.push(range);
                }
            }
            Some(Nesting::Close(_)) => {
                let Some(mut block) = open.pop() else { continue };
                block.push(range);
                if block.iter().any(|word| word.contains_inclusive(offset)) {
                    let mention = |range| Mention { range, kind: None };
                    return block.into_iter().map(mention).collect();
                }
            }
        }
    }
    Vec::new()
}

fn shares(left: WriteMask, right: WriteMask) -> bool {
    left.0 & right.0 != 0
}
