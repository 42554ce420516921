//! Blocks: what opens closes.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use text::{Diagnostic, TextRange};

use crate::Opcode;
use crate::ast::Instruction;
use crate::codes;
use crate::report::Report;

/// What an opcode does to the nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Open(Block),
    Close(Block),
    Else,
    /// `CASE`, `DEFAULT`
    Case,
    Break,
    Continue,
    End,
}

/// What opens and closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    If,
    Loop,
    Switch,
    Subroutine,
}

impl Block {
    /// How many kinds there are.
    pub(crate) const COUNT: usize = 4;

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

/// What an opcode does to the nesting; `None` where nothing.
pub(crate) fn step(opcode: Opcode) -> Option<Step> {
    STEPS.get(&opcode).copied()
}

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
    /// Whether `ELSE` was seen.
    alternative: bool,
}

/// The nesting so far.
#[derive(Default)]
pub(super) struct Flow {
    open: Vec<Open>,
    /// How many blocks of each kind are open; spares a search for what is not.
    counts: [usize; Block::COUNT],
    findings: Vec<Diagnostic>,
    /// The first `END`.
    end: Option<TextRange>,
}

/// More findings than this are never shown.
const ENOUGH: usize = text::MAX_DIAGNOSTICS;

impl Flow {
    /// Takes the next instruction.
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        let Some(&step) = STEPS.get(&instruction.opcode.value) else { return };
        let range = instruction.opcode.range;
        match step {
            Step::Open(block) => {
                self.counts[block as usize] += 1;
                self.open.push(Open { block, range, alternative: false });
            }
            Step::Close(block) => self.close(block, range),
            Step::Else => self.alternative(instruction),
            Step::Case => self.inside(&[Block::Switch], range, instruction),
            Step::Break => self.inside(&[Block::Loop, Block::Switch], range, instruction),
            Step::Continue => self.inside(&[Block::Loop], range, instruction),
            Step::End => self.end = self.end.or(Some(range)),
        }
    }

    /// Closes the innermost block of a kind; blocks inside of it stay unclosed.
    fn close(&mut self, block: Block, range: TextRange) {
        let (closer, opener) = block.words();
        if self.counts[block as usize] == 0 {
            let message = format!("`{closer}` closes nothing: no `{opener}` is open");
            self.find(Diagnostic::warning(codes::UNBALANCED, range, message));
            return;
        }
        while let Some(open) = self.open.pop() {
            self.counts[open.block as usize] -= 1;
            if open.block == block {
                return;
            }
            self.unclosed(&open, Some(range));
        }
    }

    /// `before` is where the block should have been closed, if that is known.
    fn unclosed(&mut self, open: &Open, before: Option<TextRange>) {
        let (closer, _) = open.block.words();
        let message = format!("no `{closer}` closes this");
        let finding = Diagnostic::warning(codes::UNBALANCED, open.range, message);
        self.find(match before {
            Some(before) => {
                let place = TextRange::empty(before.start());
                finding.with_fix(format!("Insert `{closer}`"), place, format!("{closer}\n"))
            }
            None => finding,
        });
    }

    fn alternative(&mut self, instruction: &Instruction) {
        let range = instruction.opcode.range;
        match self.open.last_mut() {
            Some(open) if open.block == Block::If && !open.alternative => {
                open.alternative = true;
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
            self.unclosed(&open, self.end);
        }
        for finding in self.findings {
            report.push(|| finding);
        }
    }
}
