//! Blocks: what opens closes.

use source::{Diagnostic, TextRange};

use super::gaps::Gaps;
use super::structure::{self, Insides};
use crate::ast::{Instruction, Shader};
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
    pub(super) fn words(self) -> (Opcode, Opcode) {
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
    /// Set where a word closes or parts no block, or a block is not closed.
    unbalanced: bool,
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
            Nesting::End => {
                let mut open = std::mem::take(&mut self.open);
                open.drain(..).for_each(|open| self.unclosed(&open));
                self.counts = [0; Block::COUNT];
            }
        }
    }

    /// Closes the innermost block of a kind; blocks inside of it stay unclosed.
    fn close(&mut self, block: Block, range: TextRange) {
        let (closer, opener) = block.words();
        if self.counts[block as usize] == 0 {
            let message = format!("`{closer:?}` has no matching `{opener:?}`");
            self.unbalanced(range, message);
            return;
        }
        while let Some(open) = self.open.pop() {
            self.counts[open.block as usize] -= 1;
            if open.block == block {
                return;
            }
            self.unclosed(&open);
        }
    }

    fn unclosed(&mut self, open: &Open) {
        let (closer, _) = open.block.words();
        self.unbalanced(open.range, format!("this has no matching `{closer:?}`"));
    }

    fn unbalanced(&mut self, range: TextRange, message: impl Into<String>) {
        self.unbalanced = true;
        self.find(Diagnostic::error(codes::UNBALANCED, range, message));
    }

    fn alternative(&mut self, instruction: &Instruction) {
        let range = instruction.opcode.range;
        match self.open.last_mut() {
            Some(open) if open.block == Block::If && !open.alternative => {
                open.alternative = true;
            }
            Some(open) if open.block == Block::If => {
                self.unbalanced(range, "this `IF` has an `ELSE` already");
            }
            _ => self.unbalanced(range, "`ELSE` is outside of any `IF`"),
        }
    }

    fn inside(&mut self, blocks: &[Block], range: TextRange, instruction: &Instruction) {
        if blocks.iter().all(|block| self.counts[*block as usize] == 0) {
            let word = instruction.opcode.value.mnemonic();
            let places: Vec<&str> = blocks.iter().map(|block| block.words().1.mnemonic()).collect();
            let message = format!("`{word}` is outside of any `{}`", places.join("` or `"));
            self.find(Diagnostic::error(codes::OUTSIDE_LOOP, range, message));
        }
    }

    fn find(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < ENOUGH {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports what was found, and tells whether all blocks close and labels can be judged.
    pub(super) fn finish(
        mut self,
        shader: &Shader,
        gaps: &Gaps<'_>,
        report: &mut Report,
    ) -> Blocks {
        for open in std::mem::take(&mut self.open) {
            self.unclosed(&open);
        }
        if !self.unbalanced {
            self.diagnostics.into_iter().for_each(|diagnostic| report.push(|| diagnostic));
            return Blocks::Close;
        }
        match structure::check_blocks(shader, gaps, self.diagnostics.len(), report) {
            Some(Insides::Inside) => self.diagnostics.clear(),
            Some(Insides::Outside) => self.diagnostics.retain(|it| it.code == codes::OUTSIDE_LOOP),
            None => {}
        }
        self.diagnostics.into_iter().for_each(|diagnostic| report.push(|| diagnostic));
        Blocks::Unbalanced
    }
}

/// The blocks of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blocks {
    Close,
    Unbalanced,
}
