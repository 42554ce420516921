//! Memory: loads, stores and atomics on buffers, images and shared memory.
//!
//! Buffers and memory are addressed in bytes and hold words; the low two bits
//! of an address are dropped. Images hold four raw words a texel, whatever
//! their format says. What lies outside reads as 0 and is not written. Lanes
//! act one after another, the lowest first.

use tgsi::Opcode;
use tgsi::ast::{Component, Instruction, Register as Operand};
use tgsi::opcodes::ByOpcode;
use tgsi::words::{File, TextureTarget};

use crate::program::Program;
use crate::registers::{EMPTY, LANES, Register, Registers};
use crate::resources::{Resources, image_coordinates};

/// Returns the value that an atomic leaves in memory, from the old value and the two operands.
#[derive(Clone, Copy)]
pub(crate) struct Atomic(fn(u32, u32, u32) -> u32);

/// The atomics.
const ATOMICS: &[(Opcode, Atomic)] = &[
    (Opcode::ATOMUADD, Atomic(|old, value, _| old.wrapping_add(value))),
    (
        Opcode::ATOMFADD,
        Atomic(|old, value, _| (f32::from_bits(old) + f32::from_bits(value)).to_bits()),
    ),
    (Opcode::ATOMXCHG, Atomic(|_, value, _| value)),
    (Opcode::ATOMCAS, Atomic(|old, expected, value| if old == expected { value } else { old })),
    (Opcode::ATOMAND, Atomic(|old, value, _| old & value)),
    (Opcode::ATOMOR, Atomic(|old, value, _| old | value)),
    (Opcode::ATOMXOR, Atomic(|old, value, _| old ^ value)),
    (Opcode::ATOMUMIN, Atomic(|old, value, _| old.min(value))),
    (Opcode::ATOMUMAX, Atomic(|old, value, _| old.max(value))),
    // As the hardware does (ISA manuals, BUFFER_ATOMIC_INC and _DEC). The
    // Gallium documents give the new value of the one and let the other
    // stay at 0, which no driver did.
    (Opcode::ATOMINC_WRAP, Atomic(|old, most, _| if old >= most { 0 } else { old + 1 })),
    (
        Opcode::ATOMDEC_WRAP,
        Atomic(|old, most, _| if old == 0 || old > most { most } else { old - 1 }),
    ),
    (Opcode::ATOMIMIN, Atomic(|old, value, _| (old as i32).min(value as i32) as u32)),
    (Opcode::ATOMIMAX, Atomic(|old, value, _| (old as i32).max(value as i32) as u32)),
];

static BY_OPCODE: ByOpcode<Atomic> = ByOpcode::of(&[ATOMICS]);

impl Atomic {
    /// Returns the atomic that an opcode is.
    pub(crate) const fn of(opcode: Opcode) -> Option<Atomic> {
        BY_OPCODE.get(opcode)
    }
}

/// The location of the words of an access.
struct AccessRange<'a> {
    words: &'a mut [u32],
    /// The number of the first word; the other components' follow.
    first: usize,
}

impl AccessRange<'_> {
    fn word(&mut self, component: usize) -> Option<&mut u32> {
        self.words.get_mut(self.first.checked_add(component)?)
    }
}

/// An instruction that reaches memory, and what its operands are read from.
pub(crate) struct Access<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registers: &'a Registers,
    pub(crate) instruction: &'a Instruction,
}

impl Access<'_> {
    /// Returns the sort of memory that an operand reaches: a buffer, counters, memory or an
    /// image, and of an image the target. A handle in a register and a historic resource
    /// are images, unless the latter is declared as a buffer.
    fn kind(&self, operand: &Operand) -> (File, Option<TextureTarget>) {
        let target = self.instruction.target.map(|target| target.value);
        let number = u32::try_from(operand.index.offset).unwrap_or(u32::MAX);
        match operand.file {
            File::Buffer | File::HardwareAtomic | File::Memory => (operand.file, target),
            // Some opcodes have no target in the text.
            File::Image => (operand.file, target.or_else(|| self.program.image(number))),
            File::Resource => match self.program.view(number).map(|view| view.target) {
                Some(TextureTarget::Buffer) => (File::Buffer, None),
                declared => (File::Image, declared),
            },
            _ => (File::Image, target),
        }
    }

    /// Finds the words that a lane's access means.
    fn place<'r>(
        &self,
        resources: &'r mut Resources,
        operand: &Operand,
        address: [u32; 4],
        lane: usize,
    ) -> Option<AccessRange<'r>> {
        let first = address[0] as usize / 4;
        let (file, target) = self.kind(operand);
        let unit = match operand.file {
            File::Buffer | File::HardwareAtomic | File::Memory | File::Image | File::Resource => {
                self.registers.index(&operand.index, lane)?
            }
            // A handle, whose low word is the number of an image unit.
            _ => {
                let (program, x) = (self.program, Component::X);
                self.registers.bits(program, resources, operand, x, lane) as usize
            }
        };
        match file {
            File::Buffer => Some(AccessRange { words: resources.buffers.get_mut(unit)?, first }),
            File::HardwareAtomic => {
                // The brackets say it all: the address is not read.
                let buffer = match &operand.dimension {
                    Some(buffer) => self.registers.index(buffer, lane)?,
                    None => 0,
                };
                let counter = resources.counters.get_mut(buffer)?.get_mut(unit)?;
                Some(AccessRange { words: std::slice::from_mut(counter), first: 0 })
            }
            File::Memory => Some(AccessRange { words: &mut resources.shared, first }),
            File::Image => {
                let image = resources.images.get_mut(unit)?.as_mut()?;
                let count = image_coordinates(target);
                let at = std::array::from_fn(|axis| match axis < count {
                    true => i64::from(address[axis] as i32),
                    false => 0,
                });
                let number = image.place(at)?;
                Some(AccessRange { words: image.texels[number].as_mut_slice(), first: 0 })
            }
            _ => None,
        }
    }

    /// `LOAD` in the lanes of a mask.
    pub(crate) fn load(&self, resources: &mut Resources, address: &Register, mask: u8) -> Register {
        let mut result = EMPTY;
        let operand = &self.instruction.sources[0].register;
        for lane in lanes(mask) {
            let at = address.map(|component| component[lane]);
            if operand.file == File::ConstantBuffer {
                let words = self.constants(resources, operand, at, lane);
                for (lanes, word) in result.iter_mut().zip(words) {
                    lanes[lane] = word;
                }
                continue;
            }
            let Some(mut place) = self.place(resources, operand, at, lane) else { continue };
            for (component, lanes) in result.iter_mut().enumerate() {
                lanes[lane] = place.word(component).map_or(0, |word| *word);
            }
        }
        result
    }

    /// Four words of a constant buffer, from an address in bytes.
    fn constants(
        &self,
        resources: &Resources,
        operand: &Operand,
        address: [u32; 4],
        lane: usize,
    ) -> [u32; 4] {
        let unit = self.registers.index(&operand.index, lane);
        let Some(vectors) = unit.and_then(|unit| resources.constants.get(unit)) else {
            return [0; 4];
        };
        let first = address[0] as usize / 4;
        std::array::from_fn(|it| vectors.as_flattened().get(first + it).copied().unwrap_or(0))
    }

    /// `STORE` in the lanes of a mask. A texel is written as a whole, whatever
    /// components the destination names: GLSL stores whole texels, the Gallium
    /// documents know no mask of images, and radeonsi of Mesa 19.2 stores all four.
    pub(crate) fn store(
        &self,
        resources: &mut Resources,
        address: &Register,
        values: &Register,
        mask: u8,
    ) {
        let destination = &self.instruction.destinations[0];
        let operand = &destination.register;
        let (file, _) = self.kind(operand);
        for lane in lanes(mask) {
            let at = address.map(|component| component[lane]);
            let Some(mut place) = self.place(resources, operand, at, lane) else { continue };
            for component in Component::ALL {
                let Some(word) = place.word(component as usize) else { continue };
                if file == File::Image || destination.mask.contains(component) {
                    *word = values[component as usize][lane];
                }
            }
        }
    }

    /// An atomic in the lanes of a mask; gives the old values.
    pub(crate) fn change(
        &self,
        resources: &mut Resources,
        atomic: Atomic,
        address: &Register,
        operands: [[u32; LANES]; 2],
        mask: u8,
    ) -> [u32; LANES] {
        let mut result = [0; LANES];
        for lane in lanes(mask) {
            let at = address.map(|component| component[lane]);
            let operand = &self.instruction.sources[0].register;
            let place = self.place(resources, operand, at, lane);
            if let Some(word) = place.and_then(|place| place.words.get_mut(place.first)) {
                result[lane] = *word;
                *word = (atomic.0)(*word, operands[0][lane], operands[1][lane]);
            }
        }
        result
    }

    /// `RESQ`: the size of a resource. Of layers of cubes the cubes are counted
    /// (GLSL 4.60, section 8.12), although faces are what is addressed.
    pub(crate) fn size(&self, resources: &Resources) -> Register {
        let operand = &self.instruction.sources[0].register;
        let (file, target) = self.kind(operand);
        let faces = if target == Some(TextureTarget::CubeArray) { 6 } else { 1 };
        let sizes: [[u32; 3]; LANES] = std::array::from_fn(|lane| {
            let unit = self.registers.index(&operand.index, lane);
            let size = unit.and_then(|unit| match file {
                File::Buffer => resources.buffers.get(unit).map(|it| [it.len() as u32 * 4, 0, 0]),
                File::Image => {
                    let [width, height, depth] = resources.images.get(unit)?.as_ref()?.size;
                    Some([width, height, depth / faces])
                }
                _ => None,
            });
            size.unwrap_or_default()
        });
        let [x, y, z] = [0, 1, 2].map(|axis| sizes.map(|size| size[axis]));
        [x, y, z, [0; LANES]]
    }
}

fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask & (1 << lane) != 0)
}
