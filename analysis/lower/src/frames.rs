//! The state of control flow: the open constructs, the next instruction, and the calls.
//!
//! Nothing is emitted here; `control_flow.rs` does that.

use std::collections::HashMap;

use source::TextRange;
use tgsi::Opcode;
use tgsi::ast::Instruction;
use tgsi::opcodes::Control;

use crate::builder::Block;
use crate::values::Value;

/// The state of control flow: open constructs and the next instruction.
#[derive(Debug, Default)]
pub(crate) struct ControlFlow {
    /// The place of the instruction to lower next.
    pub(crate) next: usize,
    frames: Vec<Frame>,
    /// The places of every switch's cases, by the switch's ordinal.
    cases: HashMap<u32, Vec<usize>>,
    /// The block that `RET` jumps to outside of subroutines, once there is such a `RET`.
    pub(crate) exit: Option<Block>,
    /// The number of calls that have not returned.
    pub(crate) calls: usize,
    /// Set where the main program has ended.
    pub(crate) ended: bool,
}

/// An open construct.
#[derive(Debug)]
struct Frame {
    kind: FrameKind,
    /// The opcode that opened it.
    range: TextRange,
}

/// The kinds of constructs, with the blocks that their parts jump to.
#[derive(Debug)]
pub(crate) enum FrameKind {
    If { otherwise: Option<Block>, end: Block },
    Loop { head: Block, next: Block, end: Block, count: Count },
    Switch { cases: HashMap<u32, Block>, end: Block },
    Call { end: Block, back_to: usize },
}

impl FrameKind {
    /// Returns the name of the opcode that closes the construct.
    fn closer(&self) -> &'static str {
        match self {
            FrameKind::If { .. } => Opcode::ENDIF.mnemonic(),
            FrameKind::Loop { .. } => Opcode::ENDLOOP.mnemonic(),
            FrameKind::Switch { .. } => Opcode::ENDSWITCH.mnemonic(),
            FrameKind::Call { .. } => Opcode::ENDSUB.mnemonic(),
        }
    }
}

/// The way in which the rounds of a loop are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Count {
    No,
    /// Down to zero, in a cell of its own.
    Down(Value),
    /// In the register that begin and end name.
    InRegister,
}

impl ControlFlow {
    /// Finds the cases of every switch.
    pub(crate) fn prepare(&mut self, instructions: &[&Instruction]) {
        let mut open = Vec::new();
        for (place, instruction) in instructions.iter().enumerate() {
            let control = instruction.info().control;
            if control == Control::Switch {
                open.push(instruction.ordinal);
                self.cases.insert(instruction.ordinal, Vec::new());
            } else if matches!(control, Control::Case | Control::Default) {
                let switch = open.last().and_then(|switch| self.cases.get_mut(switch));
                if let Some(cases) = switch {
                    cases.push(place);
                }
            } else if control == Control::EndSwitch {
                open.pop();
            }
        }
    }

    /// Returns the places of a switch's cases, in the order of the text.
    pub(crate) fn cases_of(&self, switch: &Instruction) -> Vec<usize> {
        self.cases.get(&switch.ordinal).cloned().unwrap_or_default()
    }

    /// Opens a construct.
    pub(crate) fn open(&mut self, instruction: &Instruction, kind: FrameKind) {
        self.frames.push(Frame { kind, range: instruction.opcode.range });
    }

    /// Closes the innermost construct.
    pub(crate) fn close(&mut self) {
        self.frames.pop();
    }

    /// The innermost construct.
    pub(crate) fn innermost(&self) -> Option<&FrameKind> {
        self.frames.last().map(|frame| &frame.kind)
    }

    /// The innermost construct, to be changed.
    pub(crate) fn innermost_mut(&mut self) -> Option<&mut FrameKind> {
        self.frames.last_mut().map(|frame| &mut frame.kind)
    }

    /// Returns the opcodes whose constructs are still open, the outermost first, each with the
    /// opcode that would close it.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = (TextRange, &'static str)> {
        self.frames.iter().map(|frame| (frame.range, frame.kind.closer()))
    }

    /// Tells whether no construct is open, so that every lane comes here, and once.
    pub(crate) fn is_straight(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the block that a jump out of the innermost loop or switch leads to; `None` outside
    /// of both and at the border of a subroutine.
    pub(crate) fn break_target(&self) -> Option<Block> {
        self.in_subroutine().find_map(|frame| match frame.kind {
            FrameKind::Loop { end, .. } | FrameKind::Switch { end, .. } => Some(end),
            _ => None,
        })
    }

    /// Returns the block that ends a round of the innermost loop; `None` outside of loops and at
    /// the border of a subroutine.
    pub(crate) fn round_end(&self) -> Option<Block> {
        self.in_subroutine().find_map(|frame| match frame.kind {
            FrameKind::Loop { next, .. } => Some(next),
            _ => None,
        })
    }

    /// Returns the constructs that are open in the innermost subroutine, the innermost first.
    fn in_subroutine(&self) -> impl Iterator<Item = &Frame> {
        let frames = self.frames.iter().rev();
        frames.take_while(|frame| !matches!(frame.kind, FrameKind::Call { .. }))
    }

    /// Returns the block behind the innermost call; `None` in the main program.
    pub(crate) fn call_end(&self) -> Option<Block> {
        self.frames.iter().rev().find_map(|frame| match frame.kind {
            FrameKind::Call { end, .. } => Some(end),
            _ => None,
        })
    }
}
