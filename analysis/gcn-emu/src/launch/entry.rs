//! Registers of a wave before its first instruction.

use gcn::analysis::{EXEC, RegisterSet};
use gcn::instruction::{Bank, Register};
use gcn::program::EntryValue;
use isa::gcn::Feature;

use super::Launch;
use super::grid::on_axes;
use super::layout::{ARGUMENTS, PACKET, QUEUE};
use crate::mode::Mode;
use crate::wave::{LANES, Wave};

impl Launch {
    /// The registers that hold something when a wave begins: those that the descriptor asks for
    /// and those of the inputs.
    pub fn filled(&self) -> RegisterSet {
        let mut filled = RegisterSet::EMPTY;
        let one = |bank, first, dwords| Register { bank, first, dwords };
        filled.insert(one(Bank::Scalar, EXEC, 2));
        for (number, words) in self.inputs.scalars.iter().enumerate() {
            let words = words.as_ref().and_then(|words| self.words(words).ok());
            let count = words.map_or(0, |words| words.len().min(128));
            filled.insert(one(Bank::Scalar, number as u16, count as u8));
        }
        for (number, words) in self.inputs.vectors.iter().enumerate() {
            let count = u8::from(words.is_some());
            filled.insert(one(Bank::Vector, number as u16, count));
        }
        if let Some(entry) = &self.entry {
            for (register, value) in &entry.scalars {
                filled.insert(one(Bank::Scalar, *register, value.registers()));
            }
            let is_packed = self.program.target.has(Feature::Gfx90aInsts);
            let axes = if is_packed { 1 } else { entry.axes };
            filled.insert(one(Bank::Vector, 0, axes));
        }
        filled
    }

    /// A wave of a group, whose first work-item is `first` of `items`.
    pub(super) fn wave(&self, group: u32, first: usize, items: usize) -> Wave {
        let count = (items - first).min(LANES);
        let mut wave = Wave::new(u64::MAX >> (LANES - count));
        for (number, words) in self.inputs.vectors.iter().enumerate() {
            for lane in 0..LANES {
                let Some(words) = words else { break };
                let word = words.get(lane).or(words.first()).copied().unwrap_or(0);
                wave.set_lane(number, lane, word);
            }
        }
        for (number, words) in self.inputs.scalars.iter().enumerate() {
            let words = words.as_ref().and_then(|words| self.words(words).ok());
            for (place, word) in words.into_iter().flatten().enumerate() {
                wave.set_scalar((number + place) as u16, word);
            }
        }
        let Some(entry) = &self.entry else { return wave };
        let target = self.program.target;
        wave.apertures = self.scratch.apertures(target, first / LANES);
        wave.mode = Mode { bits: entry.mode };
        let is_packed = target.has(Feature::Gfx90aInsts);
        for lane in 0..count {
            let place = on_axes((first + lane) as u32, self.inputs.group);
            match is_packed {
                true => wave.set_lane(0, lane, place[0] | place[1] << 10 | place[2] << 20),
                false => {
                    for (axis, value) in place.into_iter().enumerate().take(entry.axes.into()) {
                        wave.set_lane(axis, lane, value);
                    }
                }
            }
        }
        let place = on_axes(group, self.inputs.grid);
        let waves = items.div_ceil(LANES) as u32;
        for (register, value) in &entry.scalars {
            match *value {
                EntryValue::Arguments => wave.set_pair(*register, ARGUMENTS),
                EntryValue::DispatchPacket => wave.set_pair(*register, PACKET),
                EntryValue::PreloadedArgument(word) => {
                    let word = self.arguments.get(usize::from(word)).copied().unwrap_or(0);
                    wave.set_scalar(*register, word);
                }
                EntryValue::GroupCount(axis) => {
                    wave.set_scalar(*register, self.inputs.grid[usize::from(axis)]);
                }
                EntryValue::GroupId(axis) => {
                    wave.set_scalar(*register, place[usize::from(axis)]);
                }
                EntryValue::GroupInfo => {
                    wave.set_scalar(*register, waves | u32::from(first == 0) << 31);
                }
                EntryValue::Queue => wave.set_pair(*register, QUEUE),
                EntryValue::PrivateSegmentBuffer => {
                    for (place, word) in (0..).zip(self.scratch.descriptor(target)) {
                        wave.set_scalar(*register + place, word);
                    }
                }
                EntryValue::FlatScratch => {
                    wave.set_pair(*register, self.scratch.flat(target.generation()));
                }
                EntryValue::PrivateSegmentSize => wave.set_scalar(*register, self.scratch.bytes),
                EntryValue::ScratchOffset => {
                    wave.set_scalar(*register, self.scratch.offset(first / LANES));
                }
                // All dispatches are the first.
                EntryValue::DispatchId => {}
            }
        }
        wave
    }
}
