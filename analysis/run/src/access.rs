//! Memory: loads, stores and atomics on buffers, images and shared memory.
//!
//! Buffers and memory are addressed in bytes and hold words; the low two bits
//! of an address are dropped. Images hold four raw words a texel, whatever
//! their format says. What lies outside reads as 0 and is not written. Lanes
//! act one after another, the lowest first.

use tgsi::ast::{Component, Instruction, Register as Operand};
use tgsi::words::File;

use crate::registers::{EMPTY, LANES, Register, Registers};
use crate::resources::{Resources, image_coordinates};

/// What an atomic leaves in memory, from the old value and the two operands.
#[derive(Clone, Copy)]
pub(crate) struct Atomic(fn(u32, u32, u32) -> u32);

impl Atomic {
    /// The atomic that a mnemonic names.
    pub(crate) fn find(word: &str) -> Option<Atomic> {
        Some(Atomic(match word {
            "ATOMUADD" => |old, value, _| old.wrapping_add(value),
            "ATOMFADD" => |old, value, _| (f32::from_bits(old) + f32::from_bits(value)).to_bits(),
            "ATOMXCHG" => |_, value, _| value,
            "ATOMCAS" => |old, expected, value| if old == expected { value } else { old },
            "ATOMAND" => |old, value, _| old & value,
            "ATOMOR" => |old, value, _| old | value,
            "ATOMXOR" => |old, value, _| old ^ value,
            "ATOMUMIN" => |old, value, _| old.min(value),
            "ATOMUMAX" => |old, value, _| old.max(value),
            "ATOMIMIN" => |old, value, _| (old as i32).min(value as i32) as u32,
            "ATOMIMAX" => |old, value, _| (old as i32).max(value as i32) as u32,
            _ => return None,
        }))
    }
}

/// Where the words of an access lie.
struct Place<'a> {
    words: &'a mut [u32],
    /// The number of the first word; the other components' follow.
    first: usize,
}

impl Place<'_> {
    fn word(&mut self, component: usize) -> Option<&mut u32> {
        self.words.get_mut(self.first.checked_add(component)?)
    }
}

/// Finds the words that a lane's access means.
fn place<'a>(
    registers: &Registers,
    resources: &'a mut Resources,
    instruction: &Instruction,
    operand: &Operand,
    address: [u32; 4],
    lane: usize,
) -> Option<Place<'a>> {
    let unit = registers.index(&operand.index, lane)?;
    let first = address[0] as usize / 4;
    match operand.file {
        File::Buffer => Some(Place { words: resources.buffers.get_mut(unit)?, first }),
        File::HardwareAtomic => {
            // The brackets say it all: the address is not read.
            let buffer = match &operand.dimension {
                Some(buffer) => registers.index(buffer, lane)?,
                None => 0,
            };
            let counter = resources.counters.get_mut(buffer)?.get_mut(unit)?;
            Some(Place { words: std::slice::from_mut(counter), first: 0 })
        }
        File::Memory => Some(Place { words: &mut resources.shared, first }),
        File::Image => {
            let image = resources.images.get_mut(unit)?.as_mut()?;
            let count = image_coordinates(instruction.target.map(|target| target.value));
            let at =
                std::array::from_fn(
                    |axis| {
                        if axis < count { i64::from(address[axis] as i32) } else { 0 }
                    },
                );
            let number = image.place(at)?;
            Some(Place { words: image.texels[number].as_mut_slice(), first: 0 })
        }
        _ => None,
    }
}

/// `LOAD` in the lanes of a mask.
pub(crate) fn load(
    registers: &Registers,
    resources: &mut Resources,
    instruction: &Instruction,
    address: &Register,
    mask: u8,
) -> Register {
    let mut result = EMPTY;
    for lane in lanes(mask) {
        let at = address.map(|component| component[lane]);
        let operand = &instruction.sources[0].register;
        let Some(mut place) = place(registers, resources, instruction, operand, at, lane) else {
            continue;
        };
        for (component, lanes) in result.iter_mut().enumerate() {
            lanes[lane] = place.word(component).map_or(0, |word| *word);
        }
    }
    result
}

/// `STORE` in the lanes of a mask. A texel is written as a whole: components
/// that the destination does not name become 0.
pub(crate) fn store(
    registers: &Registers,
    resources: &mut Resources,
    instruction: &Instruction,
    address: &Register,
    values: &Register,
    mask: u8,
) {
    let destination = &instruction.destinations[0];
    for lane in lanes(mask) {
        let at = address.map(|component| component[lane]);
        let operand = &destination.register;
        let Some(mut place) = place(registers, resources, instruction, operand, at, lane) else {
            continue;
        };
        for component in Component::ALL {
            let Some(word) = place.word(component as usize) else { continue };
            if destination.mask.contains(component) {
                *word = values[component as usize][lane];
            } else if operand.file == File::Image {
                *word = 0;
            }
        }
    }
}

/// An atomic in the lanes of a mask; gives the old values.
pub(crate) fn change(
    registers: &Registers,
    resources: &mut Resources,
    instruction: &Instruction,
    atomic: Atomic,
    address: &Register,
    operands: [[u32; LANES]; 2],
    mask: u8,
) -> [u32; LANES] {
    let mut result = [0; LANES];
    for lane in lanes(mask) {
        let at = address.map(|component| component[lane]);
        let operand = &instruction.sources[0].register;
        let place = place(registers, resources, instruction, operand, at, lane);
        if let Some(word) = place.and_then(|place| place.words.get_mut(place.first)) {
            result[lane] = *word;
            *word = (atomic.0)(*word, operands[0][lane], operands[1][lane]);
        }
    }
    result
}

/// `RESQ`: the size of a resource.
pub(crate) fn size(
    registers: &Registers,
    resources: &Resources,
    instruction: &Instruction,
) -> Register {
    let operand = &instruction.sources[0].register;
    let sizes: [[u32; 3]; LANES] = std::array::from_fn(|lane| {
        let unit = registers.index(&operand.index, lane);
        let size = unit.and_then(|unit| match operand.file {
            File::Buffer => resources.buffers.get(unit).map(|it| [it.len() as u32 * 4, 0, 0]),
            File::Image => resources.images.get(unit)?.as_ref().map(|it| it.size),
            _ => None,
        });
        size.unwrap_or_default()
    });
    let [x, y, z] = [0, 1, 2].map(|axis| sizes.map(|size| size[axis]));
    [x, y, z, [0; LANES]]
}

fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask & (1 << lane) != 0)
}
