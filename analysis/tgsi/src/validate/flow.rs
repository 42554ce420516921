//! Blocks: what opens closes.

use source::{Diagnostic, TextRange};

use crate::ast::Instruction;
use crate::codes;
use crate::opcodes::{Control, Opcode};
use crate::report::Report;

/// The effect of an opcode on the nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nesting {
    Open(Block),
    Close(Block),
    Else,
    /// `CASE`, `DEFAULT`
    Case,
    Break,
    Continue,
    End,
}

/// A construct that opens and closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    If,
    Loop,
    Switch,
    Subroutine,
}

impl Block {
    /// The number of kinds.
    pub(crate) const COUNT: usize = 4;

    /// Returns what closes it, and what opens it.
    fn words(self) -> (Opcode, Opcode) {
        match self {
            Block::If => (Opcode::ENDIF, Opcode::IF),
            Block::Loop => (Opcode::ENDLOOP, Opcode::BGNLOOP),
            Block::Switch => (Opcode::ENDSWITCH, Opcode::SWITCH),
            Block::Subroutine => (Opcode::ENDSUB, Opcode::BGNSUB),
        }
    }
}

/// Returns what an opcode does to the nesting; `None` where nothing.
#[deny(clippy::wildcard_enum_match_arm)]
pub(crate) fn nesting(opcode: Opcode) -> Option<Nesting> {
    Some(match opcode.row().control {
        Control::If => Nesting::Open(Block::If),
        Control::Else => Nesting::Else,
        Control::EndIf => Nesting::Close(Block::If),
        Control::Loop => Nesting::Open(Block::Loop),
        Control::EndLoop => Nesting::Close(Block::Loop),
        Control::Switch => Nesting::Open(Block::Switch),
        Control::Case | Control::Default => Nesting::Case,
        Control::EndSwitch => Nesting::Close(Block::Switch),
        Control::Subroutine => Nesting::Open(Block::Subroutine),
        Control::EndSubroutine => Nesting::Close(Block::Subroutine),
        Control::Break => Nesting::Break,
        Control::Continue => Nesting::Continue,
        Control::End => Nesting::End,
        Control::Next | Control::Return | Control::Call | Control::Jump => return None,
    })
}

/// Tells whether an opcode ends the program.
pub(crate) fn is_end(opcode: Opcode) -> bool {
    opcode.row().control == Control::End
}

/// Tells whether an instruction is the last one of a subroutine.
pub(super) fn closes_subroutine(instruction: &Instruction) -> bool {
    instruction.info().control == Control::EndSubroutine
}

/// A block that is open.
struct Open {
    block: Block,
    range: TextRange,
    /// Set where `ELSE` was seen.
    alternative: bool,
}

/// The nesting so far.
#[derive(Default)]
pub(super) struct Flow {
    open: Vec<Open>,
    /// The number of open blocks of each kind, so that none is searched for that is not open.
    counts: [usize; Block::COUNT],
    diagnostics: Vec<Diagnostic>,
    /// The first `END`.
    end: Option<TextRange>,
}

/// More diagnostics than this are never shown.
const ENOUGH: usize = source::MAX_DIAGNOSTICS;

impl Flow {
    /// Takes the next instruction.
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        let Some(step) = nesting(instruction.opcode.value) else { return };
        let range = instruction.opcode.range;
        match step {
            Nesting::Open(block) => {
                self.counts[block as usize] += 1;
                self.open.push(Open { block, range, alternative: false });
            }
            Nesting::Close(block) => self.close(block, range),
            Nesting::Else => self.alternative(instruction),
            Nesting::Case => self.inside(&[Block::Switch], range, instruction),
            Nesting::Break => self.inside(&[Block::Loop, Block::Switch], range, instruction),
            Nesting::Continue => self.inside(&[Block::Loop], range, instruction),
            Nesting::End => self.end = self.end.or(Some(range)),
        }
    }

    /// Closes the innermost block of a kind; blocks inside of it stay unclosed.
    fn close(&mut self, block: Block, range: TextRange) {
        let (closer, opener) = block.words();
        if self.counts[block as usize] == 0 {
            let message = format!("`{closer:?}` closes nothing: no `{opener:?}` is open");
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
        let message = format!("no `{closer:?}` closes this");
        let diagnostic = Diagnostic::warning(codes::UNBALANCED, open.range, message);
        self.find(match before {
            Some(before) => {
                let place = TextRange::empty(before.start());
                diagnostic.with_fix(format!("Insert `{closer:?}`"), place, format!("{closer:?}\n"))
            }
            None => diagnostic,
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
                let message = "`ELSE` is outside of any `IF`";
                self.find(Diagnostic::warning(codes::UNBALANCED, range, message));
            }
        }
    }

    fn inside(&mut self, blocks: &[Block], range: TextRange, instruction: &Instruction) {
        if blocks.iter().all(|block| self.counts[*block as usize] == 0) {
            let word = instruction.opcode.value.mnemonic();
            let places: Vec<&str> = blocks.iter().map(|block| block.words().1.mnemonic()).collect();
            let message = format!("`{word}` is outside of any `{}`", places.join("` or `"));
            self.find(Diagnostic::warning(codes::OUTSIDE_LOOP, range, message));
        }
    }

    fn find(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < ENOUGH {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports what was found.
    pub(super) fn finish(mut self, report: &mut Report) {
        while let Some(open) = self.open.pop() {
            if self.diagnostics.len() == ENOUGH {
                break;
            }
            self.unclosed(&open, self.end);
        }
        for diagnostic in self.diagnostics {
            report.push(|| diagnostic);
        }
    }
}
