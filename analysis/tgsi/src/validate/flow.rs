//! Blocks: what opens closes, and labels name what they jump to.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use text::{Diagnostic, Severity, TextEdit, TextRange};

use crate::Opcode;
use crate::ast::{Instruction, Spanned};
use crate::codes;
use crate::report::Report;

/// What an opcode does to the nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Open(Block),
    Close(Block),
    Else,
    /// `CASE`, `DEFAULT`
    Case,
    Break,
    Continue,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    If,
    Loop,
    Switch,
    Subroutine,
}

impl Block {
    /// What closes it, and what opens it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Block::If => ("ENDIF", "IF"),
            Block::Loop => ("ENDLOOP", "BGNLOOP"),
            Block::Switch => ("ENDSWITCH", "SWITCH"),
            Block::Subroutine => ("ENDSUB", "BGNSUB"),
        }
    }
}

static STEPS: LazyLock<FxHashMap<Opcode, Step>> = LazyLock::new(|| {
    let steps = [
        ("IF", Step::Open(Block::If)),
        ("UIF", Step::Open(Block::If)),
        ("IFC", Step::Open(Block::If)),
        ("ELSE", Step::Else),
        ("ENDIF", Step::Close(Block::If)),
        ("BGNLOOP", Step::Open(Block::Loop)),
        ("BGNLOOP2", Step::Open(Block::Loop)),
        ("BGNFOR", Step::Open(Block::Loop)),
        ("LOOP", Step::Open(Block::Loop)),
        ("REP", Step::Open(Block::Loop)),
        ("ENDLOOP", Step::Close(Block::Loop)),
        ("ENDLOOP2", Step::Close(Block::Loop)),
        ("ENDFOR", Step::Close(Block::Loop)),
        ("ENDREP", Step::Close(Block::Loop)),
        ("SWITCH", Step::Open(Block::Switch)),
        ("CASE", Step::Case),
        ("DEFAULT", Step::Case),
        ("ENDSWITCH", Step::Close(Block::Switch)),
        ("BGNSUB", Step::Open(Block::Subroutine)),
        ("ENDSUB", Step::Close(Block::Subroutine)),
        ("BRK", Step::Break),
        ("BREAKC", Step::Break),
        ("CONT", Step::Continue),
        ("END", Step::End),
    ];
    steps.into_iter().filter_map(|(word, step)| Some((Opcode::find(word)?, step))).collect()
});

/// Whether an opcode ends the program.
pub(crate) fn is_end(opcode: Opcode) -> bool {
    STEPS.get(&opcode) == Some(&Step::End)
}

/// Whether an instruction is the last one of a subroutine.
pub(super) fn closes_subroutine(instruction: &Instruction) -> bool {
    STEPS.get(&instruction.opcode.value) == Some(&Step::Close(Block::Subroutine))
}

/// A block that is open.
struct Open {
    block: Block,
    range: TextRange,
    /// The label to compare with the place of `ELSE` or `ENDIF`.
    label: Option<Spanned<u32>>,
    /// Whether `ELSE` was seen.
    alternative: bool,
}

/// The nesting so far.
#[derive(Default)]
pub(super) struct Flow {
    open: Vec<Open>,
    /// How many blocks of each kind are open; spares a search for what is not.
    counts: [usize; 4],
    findings: Vec<Diagnostic>,
}

/// More findings than this are never shown.
const ENOUGH: usize = text::MAX_DIAGNOSTICS;

impl Flow {
    /// Takes the next instruction.
    pub(super) fn instruction(&mut self, instruction: &Instruction, report: &mut Report) {
        let Some(&step) = STEPS.get(&instruction.opcode.value) else { return };
        let range = instruction.opcode.range;
        match step {
            Step::Open(block) => {
                self.counts[block as usize] += 1;
                let label = instruction.label.filter(|_| block == Block::If);
                self.open.push(Open { block, range, label, alternative: false });
            }
            Step::Close(block) => {
                if let Some(open) = self.close(block, range) {
                    check_label(open.label, instruction, report);
                }
            }
            Step::Else => self.alternative(instruction, report),
            Step::Case => self.inside(&[Block::Switch], range, instruction),
            Step::Break => self.inside(&[Block::Loop, Block::Switch], range, instruction),
            Step::Continue => self.inside(&[Block::Loop], range, instruction),
            Step::End => {}
        }
    }

    /// Closes the innermost block of a kind; blocks inside of it stay unclosed.
    fn close(&mut self, block: Block, range: TextRange) -> Option<Open> {
        let (closer, opener) = block.words();
        if self.counts[block as usize] == 0 {
            let message = format!("`{closer}` closes nothing: no `{opener}` is open");
            self.find(Diagnostic::warning(codes::UNBALANCED, range, message));
            return None;
        }
        while let Some(open) = self.open.pop() {
            self.counts[open.block as usize] -= 1;
            if open.block == block {
                return Some(open);
            }
            self.unclosed(&open);
        }
        None
    }

    fn unclosed(&mut self, open: &Open) {
        let (closer, _) = open.block.words();
        let message = format!("no `{closer}` closes this");
        self.find(Diagnostic::warning(codes::UNBALANCED, open.range, message));
    }

    fn alternative(&mut self, instruction: &Instruction, report: &mut Report) {
        let range = instruction.opcode.range;
        match self.open.last_mut() {
            Some(open) if open.block == Block::If && !open.alternative => {
                check_label(open.label, instruction, report);
                open.alternative = true;
                open.label = instruction.label;
            }
            Some(open) if open.block == Block::If => {
                let message = "this `IF` has an `ELSE` already";
                self.find(Diagnostic::warning(codes::UNBALANCED, range, message));
            }
            _ => {
                let message = "`ELSE` stands in no `IF`";
                self.find(Diagnostic::warning(codes::UNBALANCED, range, message));
            }
        }
    }

    fn inside(&mut self, blocks: &[Block], range: TextRange, instruction: &Instruction) {
        if blocks.iter().all(|block| self.counts[*block as usize] == 0) {
            let word = instruction.opcode.value.mnemonic();
            let places: Vec<&str> = blocks.iter().map(|block| block.words().1).collect();
            let message = format!("`{word}` stands in no `{}`", places.join("` or `"));
            self.find(Diagnostic::warning(codes::OUTSIDE_LOOP, range, message));
        }
    }

    fn find(&mut self, finding: Diagnostic) {
        if self.findings.len() < ENOUGH {
            self.findings.push(finding);
        }
    }

    /// Reports what was found, unless a statement that was not understood may
    /// have closed or opened the blocks.
    pub(super) fn finish(mut self, report: &mut Report, complete: bool) {
        if !complete {
            return;
        }
        while let Some(open) = self.open.pop() {
            if self.findings.len() == ENOUGH {
                break;
            }
            self.unclosed(&open);
        }
        for finding in self.findings {
            report.push(|| finding);
        }
    }
}

/// Compares a label with the instruction that it should name, counted from 0.
fn check_label(label: Option<Spanned<u32>>, target: &Instruction, report: &mut Report) {
    let Some(label) = label else { return };
    let right = target.ordinal - 1;
    if label.value != right {
        report.lenient(
            (codes::WRONG_LABEL, Severity::Hint, ""),
            label.range,
            || {
                let word = target.opcode.value.mnemonic();
                let message = format!("the matching `{word}` is instruction {right}");
                (message, "Write the right number".to_owned())
            },
            Some(TextEdit::replace(label.range, right.to_string())),
        );
    }
}
