//! One way through the blocks of a part, instruction by instruction.

use super::places::Places;
use super::state::{State, join};
use crate::ast::{Instruction, Numbers};
use crate::opcodes::Control;
use crate::words::File;

/// A block that is open.
pub(super) enum Block {
    /// The state at `IF`, until `ELSE` takes it; then that at the end of the
    /// first branch.
    If {
        other: Option<State>,
        alternative: bool,
    },
    Loop {
        number: usize,
        exit: Option<State>,
    },
    Switch {
        entry: Option<State>,
        exit: Option<State>,
        default: bool,
    },
}

/// One pass over the shader.
pub(super) struct Pass<'p> {
    places: &'p Places,
    pub(super) state: Option<State>,
    pub(super) open: Vec<Block>,
    loops: usize,
    /// The state where a subroutine returns.
    pub(super) returned: Option<State>,
    /// The components that may be written on the ways back to each loop.
    pub(super) backs: Vec<State>,
}

/// The blocks do not match: paths cannot be followed.
pub(super) struct Unbalanced;

impl Pass<'_> {
    pub(super) fn step(&mut self, control: Control) -> Result<(), Unbalanced> {
        match control {
            Control::Next
            | Control::Call
            | Control::Subroutine
            | Control::EndSubroutine
            | Control::Jump => {}
            Control::If => {
                let other = self.state.clone();
                self.open.push(Block::If { other, alternative: false });
            }
            Control::Else => match self.open.last_mut() {
                Some(Block::If { other, alternative }) if !*alternative => {
                    std::mem::swap(other, &mut self.state);
                    *alternative = true;
                }
                _ => return Err(Unbalanced),
            },
            Control::EndIf => match self.open.pop() {
                Some(Block::If { other, .. }) => join(&mut self.state, other),
                _ => return Err(Unbalanced),
            },
            Control::Loop => {
                let number = self.loops;
                self.loops += 1;
                match self.backs.get(number) {
                    Some(back) => {
                        if let Some(state) = &mut self.state {
                            state.unite(back);
                        }
                    }
                    None => self.backs.push(State::empty(self.places.words)),
                }
                self.open.push(Block::Loop { number, exit: None });
            }
            Control::EndLoop => match self.open.pop() {
                Some(Block::Loop { number, mut exit }) => {
                    self.go_back(number);
                    if let Some(exit) = &mut exit {
                        exit.unite(&self.backs[number]);
                    }
                    self.state = exit;
                }
                _ => return Err(Unbalanced),
            },
            Control::Switch => {
                let entry = self.state.take();
                self.open.push(Block::Switch { entry, exit: None, default: false });
            }
            Control::Case | Control::Default => match self.open.last_mut() {
                Some(Block::Switch { entry, default, .. }) => {
                    *default |= control == Control::Default;
                    join(&mut self.state, entry.clone());
                }
                _ => return Err(Unbalanced),
            },
            Control::EndSwitch => match self.open.pop() {
                Some(Block::Switch { entry, exit, default }) => {
                    join(&mut self.state, exit);
                    if !default {
                        join(&mut self.state, entry);
                    }
                }
                _ => return Err(Unbalanced),
            },
            Control::Break => {
                let state = self.state.take();
                let block = self.open.iter_mut().rev().find_map(|block| match block {
                    Block::Loop { exit, .. } | Block::Switch { exit, .. } => Some(exit),
                    Block::If { .. } => None,
                });
                join(block.ok_or(Unbalanced)?, state);
            }
            Control::Continue => {
                let number = self.open.iter().rev().find_map(|block| match block {
                    Block::Loop { number, .. } => Some(*number),
                    _ => None,
                });
                self.go_back(number.ok_or(Unbalanced)?);
                self.state = None;
            }
            Control::Return => {
                let state = self.state.take();
                join(&mut self.returned, state);
            }
            Control::End => self.state = None,
        }
        Ok(())
    }

    fn go_back(&mut self, number: usize) {
        if let (Some(state), Some(back)) = (&self.state, self.backs.get_mut(number)) {
            back.unite(state);
        }
    }

    pub(super) fn write(&mut self, instruction: &Instruction) {
        let Some(state) = &mut self.state else { return };
        for destination in &instruction.destinations {
            if let Some(place) = self.places.of(&destination.register) {
                state.write(place, destination.mask);
            }
        }
    }
}

impl Pass<'_> {
    /// Takes what a broken statement may have written.
    pub(super) fn write_unread(&mut self, numbers: &Numbers) {
        let Some(state) = &mut self.state else { return };
        if numbers.is_any_of(File::Temporary) {
            state.write_any();
        }
        for named in numbers.known_of(File::Temporary) {
            let place_of = |number| self.places.of_number(number);
            match (named.written, named.number().and_then(place_of)) {
                (Some(mask), Some(place)) => state.write(place, mask),
                _ => {
                    let places = self.places.numbers_in(named.range).filter_map(place_of);
                    places.for_each(|place| state.write_perhaps(place));
                }
            }
        }
    }
}

impl<'p> Pass<'p> {
    pub(super) fn new(places: &'p Places, state: Option<State>, backs: Vec<State>) -> Pass<'p> {
        Pass { places, state, open: Vec::new(), loops: 0, returned: None, backs }
    }

    /// A call: what the subroutine writes is added; one that never returns ends the path.
    pub(super) fn call(&mut self, written: Option<&State>) {
        match (&mut self.state, written) {
            (Some(state), Some(written)) => {
                state.follow(written);
            }
            _ => self.state = None,
        }
    }
}
