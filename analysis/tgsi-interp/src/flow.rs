//! Control flow: a mask of active lanes and a stack of frames.
//!
//! A frame is an open block and remembers the lanes that wait for its end. A
//! lane that leaves a block is taken out of every frame on its way.

use tgsi::opcodes::ValueType;

use crate::action::Action;
use crate::float::Computed;
use crate::program::MicroOp;
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
    /// `rounds`: how many more each lane takes, the one it is in included.
    Loop {
        running: u8,
        outer: u8,
        rounds: [f32; LANES],
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
            Frame::Loop { running, outer, .. } => {
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
    pub(crate) fn call(&mut self, op: &MicroOp) -> Result<(), StopReason> {
        let Some(target) = op.targets.first().filter(|_| self.active != 0) else {
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
    pub(crate) fn branch(&mut self, op: &MicroOp, resources: &Resources) {
        let outer = self.active;
        match op.action {
            Action::IfFloat | Action::IfInteger => {
                let values = self.scalar(op, 0, resources);
                let values = match op.action {
                    // The float form has float modifiers.
                    Action::IfFloat => {
                        let ty = Some(ValueType::Float);
                        let floats = self.fetch(op, 0, 0, ty, resources).map(f32::from_bits);
                        floats.map(|value| value != 0.0)
                    }
                    _ => values.map(|value| value != 0),
                };
                let (ty, holds): (_, fn(u32) -> bool) = match op.action {
                    Action::IfFloat => (ValueType::Float, |bits| f32::from_bits(bits) != 0.0),
                    _ => (ValueType::Unsigned, |bits| bits != 0),
                };
                let values = self
                    .decided(values, |quad, lane| quad.outcomes(op, ty, lane, resources, holds));
                let taken = outer & mask_of(values);
                self.frames.push(Frame::If { rest: outer & !taken, outer });
                self.active = taken;
            }
            Action::Else => {
                if let Some(Frame::If { rest, .. }) = self.frames.last_mut() {
                    self.active = std::mem::take(rest);
                }
            }
            Action::BeginLoop => self.open_loop([f32::INFINITY; LANES]),
            Action::Repeat => {
                self.lose_if_open(op, 0, resources);
                let rounds = self.fetch(op, 0, 0, Some(ValueType::Float), resources);
                self.open_loop(rounds.map(f32::from_bits));
            }
            Action::For => {
                self.lose_if_open(op, 0, resources);
                let values = self
                    .whole(op, 0, resources)
                    .map(|lanes| lanes.map(|bits| f32::from_bits(bits).floor().bits()));
                self.store_masked(op, &values);
                self.open_loop(values[1].map(f32::from_bits));
            }
            Action::EndFor => {
                let Some(destination) = op.instruction.destinations.first() else { return };
                let [number, _, by, _] = self.registers.destination(destination);
                let next = std::array::from_fn(|lane| {
                    (f32::from_bits(number[lane]) + f32::from_bits(by[lane])).bits()
                });
                self.store(op, 0, next);
                if let Some(Frame::Loop { rounds, .. }) = self.frames.last().copied() {
                    self.store(op, 1, rounds.map(|left| (left - 1.0).bits()));
                }
                self.end_loop(op);
            }
            Action::EndLoop => self.end_loop(op),
            Action::Switch => {
                self.lose_if_open(op, 0, resources);
                for case in &op.targets {
                    self.lose_if_open(&self.program.ops[*case], 0, resources);
                }
                let entries = self.entries(op, resources);
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
            Action::Break | Action::BreakIf => {
                if matches!(op.action, Action::BreakIf) {
                    let values = self.fetch(op, 0, 0, Some(ValueType::Float), resources);
                    let holds = |bits| f32::from_bits(bits) != 0.0;
                    let values = self.decided(values.map(holds), |quad, lane| {
                        quad.outcomes(op, ValueType::Float, lane, resources, holds)
                    });
                    self.active &= mask_of(values);
                }
                let leaving = std::mem::replace(&mut self.active, outer);
                let target = |frame: &Frame| {
                    matches!(frame, Frame::Loop { .. } | Frame::Switch { .. } | Frame::Call { .. })
                };
                let Some(place) = self.frames.iter().rposition(target) else { return };
                match &mut self.frames[place] {
                    Frame::Loop { running, .. } => *running &= !leaving,
                    Frame::Switch { .. } => {}
                    _ => return,
                }
                self.leave(leaving, place + 1);
            }
            Action::Continue => {
                let target =
                    |frame: &Frame| matches!(frame, Frame::Loop { .. } | Frame::Call { .. });
                let Some(place) = self.frames.iter().rposition(target) else { return };
                if matches!(self.frames[place], Frame::Loop { .. }) {
                    self.leave(outer, place + 1);
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
                    self.leave(outer, place.map_or(0, |place| place + 1));
                }
            }
            _ => {}
        }
    }

    /// Opens a loop that lanes run while they have rounds left.
    fn open_loop(&mut self, rounds: [f32; LANES]) {
        let outer = self.active;
        self.active &= mask_of(rounds.map(|left| left > 0.0));
        self.frames.push(Frame::Loop { running: self.active, outer, rounds });
    }

    fn end_loop(&mut self, op: &MicroOp) {
        let Some(Frame::Loop { running, outer, rounds }) = self.frames.last_mut() else { return };
        *rounds = rounds.map(|left| left - 1.0);
        *running &= mask_of(rounds.map(|left| left > 0.0));
        if *running == 0 {
            self.active = *outer;
            self.frames.pop();
        } else {
            self.active = *running;
            self.place = op.partner + 1;
        }
    }

    /// Takes lanes out of the frames from a place on.
    fn leave(&mut self, lanes: u8, from: usize) {
        self.active &= !lanes;
        for frame in &mut self.frames[from..] {
            frame.drop_lanes(lanes);
        }
    }

    /// Returns the step at which each active lane enters a switch: at its case, or at the default.
    fn entries(&self, op: &MicroOp, resources: &Resources) -> [usize; LANES] {
        let selectors = self.scalar(op, 0, resources);
        let mut entries = [usize::MAX; LANES];
        let mut chosen = [false; LANES];
        for place in &op.targets {
            let case = &self.program.ops[*place];
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
pub(crate) fn mask_of(lanes: [bool; LANES]) -> u8 {
    lanes.into_iter().rev().fold(0, |mask, set| mask << 1 | u8::from(set))
}
