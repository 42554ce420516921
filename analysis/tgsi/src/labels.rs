//! Labels: the instruction numbers, from 0, behind `IF`, `ELSE`, loops and
//! calls, and the edits that put them right.
//!
//! The interpreter jumps by the labels of `IF`, `UIF` and `ELSE` since 2021:
//! with a wrong one a shader may loop for ever. Compilers before 2020 wrote
//! `:0` everywhere, and no compiler ever set those of loops.

use rustc_hash::FxHashSet;
use source::{Diagnostic, TextEdit, TextRange, TextSize};

use crate::ast::{Instruction, Shader, Spanned};
use crate::codes;
use crate::opcodes::{Control, Opcode};
use crate::report::Report;
use crate::validate::{Block, Nesting, check_alternatives, nesting};

/// A label that an instruction should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// The label that it has.
    pub written: Option<Spanned<u32>>,
    /// The number of the instruction that it should name, from 0.
    pub right: u32,
    /// The opcode of that instruction.
    pub target: Opcode,
    /// Set where interpreters jump by it.
    pub matters: bool,
    /// The end of the instruction, where a label would stand.
    end: TextSize,
}

impl Label {
    /// Tells whether the label is one that will lead astray. A missing one may be meant so, and no
    /// reader follows the `:0` of loops.
    pub fn is_wrong(&self) -> bool {
        self.written.is_some_and(|written| {
            written.value != self.right && (self.matters || written.value != 0)
        })
    }

    /// The edit that puts the right label, if it is not there.
    pub fn repair(&self) -> Option<TextEdit> {
        match self.written {
            Some(written) if written.value == self.right => None,
            Some(written) => Some(TextEdit::replace(written.range, self.right.to_string())),
            None => self.matters.then(|| {
                TextEdit::replace(TextRange::empty(self.end), format!(" :{}", self.right))
            }),
        }
    }
}

/// A block that is open: its label waits for what it is to name.
struct Open {
    block: Block,
    opcode: Opcode,
    number: u32,
    label: usize,
    alternative: bool,
}

/// Every label whose target is known, in the order of the instructions:
/// those of blocks that close, and calls of subroutines.
pub fn labels(shader: &Shader) -> Vec<Label> {
    let mut places: Vec<Option<Label>> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut counts = [0usize; Block::COUNT];
    let mut subroutines = None;
    for (statement, instruction, number) in shader.numbered_instructions() {
        let opcode = instruction.opcode.value;
        if opcode.row().control == Control::Next {
            continue;
        }
        let label = places.len();
        let end = statement.range.end();
        places.push(None);
        match nesting(opcode) {
            Some(Nesting::Open(block)) => {
                counts[block as usize] += 1;
                places[label] = unsolved(instruction, end, block);
                open.push(Open { block, opcode, number, label, alternative: false });
            }
            Some(Nesting::Else) => {
                if let Some(last) = open.last_mut()
                    && last.block == Block::If
                    && !last.alternative
                {
                    solve(&mut places[last.label], number, opcode);
                    last.alternative = true;
                    last.label = label;
                    places[label] = unsolved(instruction, end, Block::If);
                }
            }
            Some(Nesting::Close(block)) if counts[block as usize] > 0 => {
                while let Some(last) = open.pop() {
                    counts[last.block as usize] -= 1;
                    if last.block != block {
                        places[last.label] = None;
                        continue;
                    }
                    solve(&mut places[last.label], number, opcode);
                    places[label] = unsolved(instruction, end, block);
                    solve(&mut places[label], last.number, last.opcode);
                    break;
                }
            }
            _ if opcode.row().path() == Control::Call => {
                let subroutines = subroutines.get_or_insert_with(|| Subroutines::of(shader));
                places[label] = subroutines.call(instruction, end);
            }
            _ => {}
        }
    }
    for unclosed in open {
        places[unclosed.label] = None;
    }
    places.into_iter().flatten().collect()
}

/// The label of an instruction that takes one, before its target is known.
fn unsolved(instruction: &Instruction, end: TextSize, block: Block) -> Option<Label> {
    let opcode = instruction.opcode.value;
    opcode.row().label.then_some(Label {
        written: instruction.label,
        right: 0,
        target: opcode,
        matters: block == Block::If,
        end,
    })
}

fn solve(label: &mut Option<Label>, number: u32, target: Opcode) {
    if let Some(label) = label {
        label.right = number;
        label.target = target;
    }
}

/// The beginnings of the subroutines of a shader.
struct Subroutines {
    begins: FxHashSet<u32>,
    only: Option<(u32, Opcode)>,
}

impl Subroutines {
    fn of(shader: &Shader) -> Subroutines {
        let opens = Some(Nesting::Open(Block::Subroutine));
        let begins: Vec<(u32, Opcode)> = shader
            .numbered_instructions()
            .filter(|(_, it, _)| nesting(it.opcode.value) == opens)
            .map(|(_, it, number)| (number, it.opcode.value))
            .collect();
        let only = if let [only] = begins[..] { Some(only) } else { None };
        Subroutines { begins: begins.into_iter().map(|(number, _)| number).collect(), only }
    }

    /// The label of a call. Which subroutine a wrong one meant is known only
    /// where there is no other.
    fn call(&self, instruction: &Instruction, end: TextSize) -> Option<Label> {
        let written = instruction.label;
        if written.is_some_and(|label| self.begins.contains(&label.value)) {
            return None;
        }
        let (right, target) = self.only?;
        Some(Label { written, right, target, matters: true, end })
    }
}

/// The edits that put right every label of a shader, in order.
pub fn repairs(shader: &Shader) -> Vec<TextEdit> {
    labels(shader).iter().filter_map(Label::repair).collect()
}

/// One hint for all wrong labels of a shader, with a fix for the first and
/// one for all. Only for a shader that was read completely: a statement that
/// was not may be an instruction that counts.
pub(crate) fn check(shader: &Shader, report: &mut Report) {
    let labels = labels(shader);
    let wrong: Vec<&Label> = labels.iter().filter(|label| label.is_wrong()).collect();
    let Some((first, written)) = wrong.first().and_then(|it| Some((it, it.written?))) else {
        return;
    };
    // Labels that are right beside an `ELSE` that is missing tell of that, where all is read.
    let is_read = shader.unread.iter().all(|unread| unread.meant.is_some());
    if is_read && check_alternatives(shader, report).is_some() {
        return;
    }
    let zero = |label: &Label| label.written.is_none_or(|written| written.value == 0);
    let mut message =
        format!("the matching `{}` is instruction {}", first.target.mnemonic(), first.right);
    if wrong.len() > 1 && labels.iter().all(zero) {
        message = "all labels are `:0`, as compilers before 2020 wrote them; interpreters since \
                   2021 jump by those of `IF` and `ELSE`"
            .to_owned();
    } else {
        message.push_str(&match wrong.len() - 1 {
            0 => String::new(),
            1 => " (and one more label is wrong)".to_owned(),
            more => format!(" (and {more} more labels are wrong)"),
        });
    }
    let mut diagnostic = Diagnostic::hint(codes::WRONG_LABEL, written.range, message).with_fix(
        "Write the right number",
        written.range,
        first.right.to_string(),
    );
    let all: Vec<TextEdit> = labels.iter().filter_map(Label::repair).collect();
    if all.len() > 1 {
        let title = "Repair all labels in this shader".to_owned();
        diagnostic.fixes.push(source::Fix { title, edits: all });
    }
    report.push(|| diagnostic);
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::{apply_edits, no_checkpoint};

    fn repaired(text: &str) -> String {
        let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
        apply_edits(text, &repairs(&shader)).expect("edits that apply")
    }

    #[test]
    fn every_kind_is_repaired() {
        assert_eq!(
            repaired(
                "VERT\nCAL :0\nUIF TEMP[0] :0\nIF TEMP[0]\nENDIF\nELSE :0\nBGNLOOP :0\nBRK\n\
                 ENDLOOP :0\nENDIF\nBGNLOOP\nENDLOOP\nEND\nBGNSUB\nRET\nENDSUB\n"
            ),
            "VERT\nCAL :12\nUIF TEMP[0] :4\nIF TEMP[0] :3\nENDIF\nELSE :8\nBGNLOOP :7\nBRK\n\
             ENDLOOP :5\nENDIF\nBGNLOOP\nENDLOOP\nEND\nBGNSUB\nRET\nENDSUB\n"
        );
    }

    #[test]
    fn what_is_right_or_unknown_stays() {
        for text in [
            "VERT\nIF TEMP[0] :2\nNOP\nENDIF\nEND\n",
            "VERT\nIF TEMP[0] :7\nNOP\nEND\n",
            "VERT\nELSE :7\nENDLOOP :3\nENDIF\nEND\n",
            "VERT\nCAL :9\nEND\nBGNSUB\nRET\nENDSUB\nBGNSUB\nRET\nENDSUB\n",
        ] {
            assert_eq!(repaired(text), text);
        }
    }

    #[test]
    fn a_misspelt_opcode_has_a_number() {
        let text = "VERT\nIF TEMP[0] :3\nQQXZ TEMP[0], TEMP[0]\nMOV TEMP[0], TEMP[0]\nENDIF\nEND\n";
        assert_eq!(repaired(text), text);
    }

    #[test]
    fn a_second_repair_finds_nothing() {
        let text =
            "VERT\nBGNLOOP\nIF TEMP[0] :0\nBRK\nELSE\nUIF TEMP[0]\nENDIF\nENDIF\nENDLOOP :3\n";
        let once = repaired(text);
        assert_ne!(once, text);
        assert_eq!(repaired(&once), once);
    }
}
