//! Control flow: a mask of active lanes and a stack of frames.
//!
//! A frame is an open block and remembers the lanes that wait for its end. A
//! lane that leaves a block is taken out of every frame on its way.

use tgsi::opcodes::ValueType;

use crate::program::{Action, Step};
use crate::quad::{Quad, StopReason};
use crate::registers::LANES;
use crate::resources::Resources;

/// An open block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Frame {
    /// `rest`: lanes for the other branch. `outer`: lanes that go on behind it.
    If {
        rest: u8,
        outer: u8,
    },
    /// `running`: lanes that take another round. `outer`: lanes that go on behind it.
    Loop {
        running: u8,
        outer: u8,
    },
    /// `entries`: where each lane enters.
    Switch {
        entries: [usize; LANES],
        outer: u8,
    },
    Call {
        return_place: usize,
        outer: u8,
    },
}

impl Frame {
    /// Takes lanes out of it for good.
    fn drop_lanes(&mut self, lanes: u8) {
        match self {
            Frame::If { rest, outer } => {
                *rest &= !lanes;
                *outer &= !lanes;
            }
            Frame::Loop { running, outer } => {
                *running &= !lanes;
                *outer &= !lanes;
            }
            Frame::Switch { entries, outer } => {
                for (lane, entry) in entries.iter_mut().enumerate() {
                    if lanes & (1 << lane) != 0 {
                        *entry = usize::MAX;
                    }
                }
                *outer &= !lanes;
            }
            Frame::Call { outer, .. } => *outer &= !lanes,
        }
    }
}

/// Calls within calls, at most.
const DEEPEST_CALL: usize = 64;

impl Quad<'_> {
    /// `CAL` of the active lanes.
    pub(crate) fn call(&mut self, step: &Step) -> Result<(), StopReason> {
        let Some(target) = step.targets.first().filter(|_| self.active != 0) else {
            return Ok(());
        };
        if self.calls == DEEPEST_CALL {
            return Err(StopReason::Calls);
        }
        self.calls += 1;
        self.frames.push(Frame::Call { return_place: self.place, outer: self.active });
        self.place = target + 1;
        Ok(())
    }

    /// Blocks and what leaves them.
    pub(crate) fn branch(&mut self, step: &Step, resources: &Resources) {
        let outer = self.active;
        match step.action {
            Action::IfFloat | Action::IfInteger => {
                let values = self.scalar(step, 0, resources);
                let values = match step.action {
                    // The float form has float modifiers.
                    Action::IfFloat => {
                        let ty = Some(ValueType::Float);
                        let floats = self.fetch(step, 0, 0, ty, resources).map(f32::from_bits);
                        floats.map(|value| value != 0.0)
                    }
                    _ => values.map(|value| value != 0),
                };
                let taken = outer & mask_of(values);
                self.frames.push(Frame::If { rest: outer & !taken, outer });
                self.active = taken;
            }
            Action::Else => {
                if let Some(Frame::If { rest, .. }) = self.frames.last_mut() {
                    self.active = std::mem::take(rest);
                }
            }
            Action::BeginLoop => self.frames.push(Frame::Loop { running: outer, outer }),
            Action::EndLoop => {
                if let Some(Frame::Loop { running, outer }) = self.frames.last().copied() {
                    if running == 0 {
                        self.frames.pop();
                        self.active = outer;
                    } else {
                        self.active = running;
                        self.place = step.partner + 1;
                    }
                }
            }
            Action::Switch => {
                let entries = self.entries(step, resources);
                self.frames.push(Frame::Switch { entries, outer });
                self.active = 0;
            }
            Action::Case => {
                if let Some(Frame::Switch { entries, .. }) = self.frames.last() {
                    let here = self.place - 1;
                    self.active |= mask_of(entries.map(|entry| entry == here));
                }
            }
            Action::EndIf | Action::EndSwitch => {
                if let Some(Frame::If { outer, .. } | Frame::Switch { outer, .. }) =
                    self.frames.pop()
                {
                    self.active = outer;
                }
            }
            Action::Break => {
                let target = |frame: &Frame| {
                    matches!(frame, Frame::Loop { .. } | Frame::Switch { .. } | Frame::Call { .. })
                };
                let Some(place) = self.frames.iter().rposition(target) else { return };
                match &mut self.frames[place] {
                    Frame::Loop { running, .. } => *running &= !outer,
                    Frame::Switch { .. } => {}
                    _ => return,
                }
                self.leave(place + 1);
            }
            Action::Continue => {
                let target =
                    |frame: &Frame| matches!(frame, Frame::Loop { .. } | Frame::Call { .. });
                let Some(place) = self.frames.iter().rposition(target) else { return };
                if matches!(self.frames[place], Frame::Loop { .. }) {
                    self.leave(place + 1);
                }
            }
            Action::Return => {
                let call = |frame: &Frame| matches!(frame, Frame::Call { .. });
                if let Some(Frame::Call { return_place, outer }) = self.frames.last().copied() {
                    self.frames.pop();
                    self.calls -= 1;
                    self.place = return_place;
                    self.active = outer;
                } else {
                    let place = self.frames.iter().rposition(call);
                    self.leave(place.map_or(0, |place| place + 1));
                }
            }
            _ => {}
        }
    }

    /// Takes the active lanes out of the frames from a place on.
    fn leave(&mut self, from: usize) {
        let lanes = std::mem::take(&mut self.active);
        for frame in &mut self.frames[from..] {
            frame.drop_lanes(lanes);
        }
    }

    /// Where each active lane enters a switch: at its case, or at the default.
    fn entries(&self, step: &Step, resources: &Resources) -> [usize; LANES] {
        let selectors = self.scalar(step, 0, resources);
        let mut entries = [usize::MAX; LANES];
        let mut chosen = [false; LANES];
        for place in &step.targets {
            let case = &self.program.steps[*place];
            let values = self.scalar(case, 0, resources);
            for lane in 0..LANES {
                let matches = case.has_value && values[lane] == selectors[lane];
                if self.active & (1 << lane) == 0 || chosen[lane] {
                    continue;
                }
                if matches || !case.has_value {
                    entries[lane] = *place;
                    chosen[lane] = matches;
                }
            }
        }
        entries
    }
}

/// A bit for each lane where something holds.
fn mask_of(lanes: [bool; LANES]) -> u8 {
    lanes.into_iter().rev().fold(0, |mask, set| mask << 1 | u8::from(set))
}
