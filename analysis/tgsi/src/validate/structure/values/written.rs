//! One pass to the front: what is read, or handed on at the end, and not written.

use super::Values;
use super::steps::{Set, Step};
use crate::opcodes::Control;
use crate::validate::Block;

impl Values {
    /// Counts the components that are read, or handed on at the end, and not written on every
    /// path.
    pub(super) fn unwritten(&self, steps: &[&Step]) -> Option<u32> {
        let mut found = self.none.clone();
        let mut state = Some(self.none.clone());
        let mut open: Vec<Front> = Vec::new();
        for step in steps {
            if let Some(state) = &state {
                for bits in &step.reads {
                    found.put((bits.0, bits.1 & !state.of(*bits)));
                }
            }
            match step.control.unwrap_or(Control::Next) {
                Control::If => open.push(Front::new(Block::If, state.clone())),
                Control::Else => {
                    let front = open.last_mut().filter(|it| it.block == Block::If)?;
                    std::mem::swap(&mut front.other, &mut state);
                }
                Control::EndIf => {
                    let front = open.pop().filter(|it| it.block == Block::If)?;
                    meet(&mut state, front.other);
                }
                // What is written stays written: a way back brings no less.
                Control::Loop => open.push(Front::new(Block::Loop, None)),
                Control::EndLoop => {
                    state = open.pop().filter(|it| it.block == Block::Loop)?.exit;
                }
                Control::Switch => open.push(Front::new(Block::Switch, state.take())),
                Control::Case | Control::Default => {
                    let front = open.last_mut().filter(|it| it.block == Block::Switch)?;
                    front.default |= step.control == Some(Control::Default);
                    meet(&mut state, front.other.clone());
                }
                Control::EndSwitch => {
                    let front = open.pop().filter(|it| it.block == Block::Switch)?;
                    meet(&mut state, front.exit);
                    if !front.default {
                        meet(&mut state, front.other);
                    }
                }
                Control::Break => {
                    let front = open.iter_mut().rev().find(|it| it.block != Block::If)?;
                    meet(&mut front.exit, state.take());
                }
                Control::Continue => state = None,
                Control::Return | Control::End => {
                    if let Some(state) = state.take() {
                        let missing = self.outputs.0.iter().zip(&state.0);
                        let found = found.0.iter_mut().zip(missing);
                        found.for_each(|(found, (all, written))| *found |= all & !written);
                    }
                }
                Control::Next => {}
                Control::Call | Control::Subroutine | Control::EndSubroutine | Control::Jump => {
                    return None;
                }
            }
            if let Some(state) = &mut state {
                step.writes.iter().for_each(|bits| state.put(*bits));
                if step.writes_any {
                    state.0.fill(u64::MAX);
                }
            }
        }
        Some(found.count())
    }
}

/// A block that is open, read to the front.
struct Front {
    block: Block,
    /// The state of the other branch, or of each case.
    other: Option<Set>,
    exit: Option<Set>,
    default: bool,
}

impl Front {
    fn new(block: Block, other: Option<Set>) -> Front {
        Front { block, other, exit: None, default: false }
    }
}

/// Leaves what is written on both ways.
fn meet(state: &mut Option<Set>, other: Option<Set>) {
    match (state, other) {
        (Some(state), Some(other)) => state.intersect(&other),
        (state @ None, other) => *state = other,
        (Some(_), None) => {}
    }
}
