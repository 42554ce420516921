//! The state of control flow: the open constructs, the cases of switches, and the subroutines.
//!
//! Nothing is emitted here; `control_flow.rs` and `subroutines.rs` do that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use source::TextRange;
use tgsi::Opcode;
use tgsi::ast::Instruction;
use tgsi::opcodes::Control;

use crate::builder::{Id, Reach};

/// The state of control flow.
#[derive(Debug, Default)]
pub(crate) struct ControlFlow {
    frames: Vec<Frame>,
    /// The places of every switch's cases, by the switch's ordinal.
    cases: HashMap<u32, Vec<usize>>,
    /// The functions of the subroutines that are called, by the place of their first instruction.
    pub(crate) subroutines: BTreeMap<usize, Id>,
    /// The ones among them that are not written yet.
    pub(crate) pending: Vec<usize>,
    /// The calls: of which function, to which, and where.
    pub(crate) calls: Vec<(Option<usize>, usize, TextRange)>,
    /// The subroutine that is written; none is the main program.
    pub(crate) subroutine: Option<usize>,
    /// Set where the function that is written has ended.
    pub(crate) ended: bool,
}

/// An open construct.
#[derive(Debug)]
struct Frame {
    kind: FrameKind,
    /// The opcode that opened it.
    range: TextRange,
    reach: Reach,
}

/// The kinds of constructs, with the blocks that their parts jump to.
#[derive(Debug)]
pub(crate) enum FrameKind {
    If { otherwise: Option<Id>, end: Id },
    Loop { head: Id, next: Id, end: Id },
    Switch { cases: HashMap<u32, Id>, end: Id },
}

impl FrameKind {
    /// Returns the name of the opcode that closes the construct.
    fn closer(&self) -> &'static str {
        match self {
            FrameKind::If { .. } => Opcode::ENDIF.mnemonic(),
            FrameKind::Loop { .. } => Opcode::ENDLOOP.mnemonic(),
            FrameKind::Switch { .. } => Opcode::ENDSWITCH.mnemonic(),
        }
    }
}

impl ControlFlow {
    /// Finds the cases of every switch.
    pub(crate) fn prepare(&mut self, instructions: &[&Instruction]) {
        let mut open = Vec::new();
        for (place, instruction) in instructions.iter().enumerate() {
            match instruction.info().control {
                Control::Switch => {
                    open.push(instruction.ordinal);
                    self.cases.insert(instruction.ordinal, Vec::new());
                }
                Control::Case | Control::Default => {
                    let switch = open.last().and_then(|switch| self.cases.get_mut(switch));
                    if let Some(cases) = switch {
                        cases.push(place);
                    }
                }
                Control::EndSwitch => {
                    open.pop();
                }
                _ => {}
            }
        }
    }

    /// Returns the places of a switch's cases, in the order of the text.
    pub(crate) fn cases_of(&self, switch: &Instruction) -> Vec<usize> {
        self.cases.get(&switch.ordinal).cloned().unwrap_or_default()
    }

    /// Opens a construct that can be reached, or not.
    pub(crate) fn open(&mut self, instruction: &Instruction, kind: FrameKind, reach: Reach) {
        self.frames.push(Frame { kind, range: instruction.opcode.range, reach });
    }

    /// Closes the innermost construct; tells whether it can be reached.
    pub(crate) fn close(&mut self) -> Reach {
        self.frames.pop().map_or(Reach::Dead, |frame| frame.reach)
    }

    /// The innermost construct.
    pub(crate) fn innermost(&self) -> Option<&FrameKind> {
        self.frames.last().map(|frame| &frame.kind)
    }

    /// The innermost construct, to be changed.
    pub(crate) fn innermost_mut(&mut self) -> Option<&mut FrameKind> {
        self.frames.last_mut().map(|frame| &mut frame.kind)
    }

    /// Ends a function; returns the opcodes whose constructs are still open, each with the opcode
    /// that would close it.
    pub(crate) fn unfinished(&mut self) -> Vec<(TextRange, &'static str)> {
        self.frames.drain(..).map(|frame| (frame.range, frame.kind.closer())).collect()
    }

    /// Tells whether no construct is open.
    pub(crate) fn is_straight(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the block behind the innermost loop or switch.
    pub(crate) fn break_target(&self) -> Option<Id> {
        self.frames.iter().rev().find_map(|frame| match frame.kind {
            FrameKind::Loop { end, .. } | FrameKind::Switch { end, .. } => Some(end),
            FrameKind::If { .. } => None,
        })
    }

    /// Returns the block that ends a round of the innermost loop.
    pub(crate) fn round_end(&self) -> Option<Id> {
        self.frames.iter().rev().find_map(|frame| match frame.kind {
            FrameKind::Loop { next, .. } => Some(next),
            _ => None,
        })
    }

    /// Returns the place of a call that leads back to its own function.
    pub(crate) fn recursion(&self) -> Option<TextRange> {
        let mut callees: BTreeMap<usize, Vec<(usize, TextRange)>> = BTreeMap::new();
        for (caller, callee, range) in &self.calls {
            if let Some(caller) = caller {
                callees.entry(*caller).or_default().push((*callee, *range));
            }
        }
        let mut finished: BTreeSet<usize> = BTreeSet::new();
        for first in callees.keys() {
            // The functions that are being looked into, each with the number of its next call.
            let mut path = vec![(*first, 0)];
            let mut open = BTreeSet::from([*first]);
            while let Some((function, next)) = path.last_mut() {
                let called = callees.get(function).and_then(|called| called.get(*next));
                *next += 1;
                match called {
                    None => {
                        open.remove(function);
                        finished.insert(*function);
                        path.pop();
                    }
                    Some((callee, range)) if open.contains(callee) => return Some(*range),
                    Some((callee, _)) if finished.contains(callee) => {}
                    Some((callee, _)) => {
                        open.insert(*callee);
                        path.push((*callee, 0));
                    }
                }
            }
        }
        None
    }
}
