//! Memory: loads, stores and atomics on buffers, images and shared memory.
//!
//! Buffers and memory are addressed in bytes and hold words; the low two bits
//! of an address are dropped. Images hold four raw words a texel; components
//! that their format does not store are not written, and read as 0 or 1. What
//! lies outside reads as 0 and is not written. Lanes act one after another,
//! the lowest first.

use open_bits::{KnownBits, Rule, Rules, Word};
use sampler::Dimension;
use tgsi::Opcode;
use tgsi::ast::{Component, Instruction, Register as Operand};
use tgsi::opcodes::ByOpcode;
use tgsi::words::{File, TextureTarget};

use crate::float::Computed;
use crate::images::Absent;
use crate::open::Space;
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
        Atomic(|old, value, _| (f32::from_bits(old) + f32::from_bits(value)).bits()),
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

    /// Returns the value that it leaves.
    pub(crate) fn changed(self, old: u32, first: u32, second: u32) -> u32 {
        (self.0)(old, first, second)
    }
}

/// Words that an address can name.
const ADDRESSABLE: usize = 1 << 30;

/// The location of the words of an access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Location {
    pub(crate) space: Space,
    /// The number of the resource.
    pub(crate) unit: usize,
    /// The number of the first word; the other components' follow.
    pub(crate) first: usize,
    /// The number of the first word that does not belong to it.
    end: usize,
}

impl Location {
    /// The word of a component among all words of memory.
    pub(crate) fn key(self, component: usize) -> (Space, usize, usize) {
        (self.space, self.unit, self.first + component)
    }

    /// The places of all its words, each as a location.
    pub(crate) fn words(self) -> impl Iterator<Item = Location> {
        (self.first..self.end).map(move |first| Location { first, ..self })
    }

    /// Tells whether a component of an access can be at its first word, of which the address has
    /// these bits.
    pub(crate) fn may_be_of(self, component: usize, address: KnownBits) -> bool {
        if self.space == Space::Image {
            return self.first % 4 == component;
        }
        let first = self.first.checked_sub(component).and_then(|it| u32::try_from(it * 4).ok());
        // The low two bits of an address are dropped.
        let anywhere = KnownBits { value: address.value & !3, open: address.open | 3 };
        first.is_some_and(|first| anywhere.holds(first))
    }

    /// The word of a component.
    fn word(self, resources: &mut Resources, component: usize) -> Option<&mut u32> {
        let place = self.first.checked_add(component).filter(|place| *place < self.end)?;
        let words = match self.space {
            Space::Buffer => resources.buffers.get_mut(self.unit)?.as_mut_slice(),
            Space::Counter => resources.counters.get_mut(self.unit)?.as_mut_slice(),
            Space::Shared => resources.shared.as_mut_slice(),
            Space::Image => {
                resources.images.get_mut(self.unit)?.as_mut()?.texels.as_flattened_mut()
            }
        };
        words.get_mut(place)
    }

    pub(crate) fn bits(self, resources: &Resources, component: usize) -> Option<u32> {
        let place = self.first.checked_add(component).filter(|place| *place < self.end)?;
        let words = match self.space {
            Space::Buffer => resources.buffers.get(self.unit)?.as_slice(),
            Space::Counter => resources.counters.get(self.unit)?.as_slice(),
            Space::Shared => resources.shared.as_slice(),
            Space::Image => resources.images.get(self.unit)?.as_ref()?.texels.as_flattened(),
        };
        words.get(place).copied()
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
            File::Image => {
                let declared = || Some(self.program.image(number)?.target);
                (operand.file, target.or_else(declared))
            }
            File::Resource => match self.program.view(number).map(|view| view.target) {
                Some(TextureTarget::Buffer) => (File::Buffer, None),
                declared => (File::Image, declared),
            },
            _ => (File::Image, target),
        }
    }

    /// Finds the words that a lane's access means.
    fn place(
        &self,
        resources: &Resources,
        operand: &Operand,
        address: [u32; 4],
        lane: usize,
    ) -> Option<Location> {
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
        let whole = |space, end| Some(Location { space, unit, first, end });
        match file {
            File::Buffer => whole(Space::Buffer, resources.buffers.get(unit)?.len()),
            File::HardwareAtomic => {
                // The brackets say it all: the address is not read.
                let buffer = match &operand.dimension {
                    Some(buffer) => self.registers.index(buffer, lane)?,
                    None => 0,
                };
                resources.counters.get(buffer)?.get(unit)?;
                Some(Location { space: Space::Counter, unit: buffer, first: unit, end: unit + 1 })
            }
            File::Memory => {
                let end = resources.shared.len();
                Some(Location { space: Space::Shared, unit: 0, first, end })
            }
            File::Image => {
                let image = resources.images.get(unit)?.as_ref()?;
                let count = image_coordinates(target);
                let at = std::array::from_fn(|axis| match axis < count {
                    true => i64::from(address[axis] as i32),
                    false => 0,
                });
                let first = 4 * image.place(at)?;
                Some(Location { space: Space::Image, unit, first, end: first + 4 })
            }
            _ => None,
        }
    }

    /// `LOAD` in the lanes of a mask.
    pub(crate) fn load(&self, resources: &Resources, address: &Register, mask: u8) -> Register {
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
            let Some(place) = self.place(resources, operand, at, lane) else { continue };
            let absent = self.absent(operand);
            for (component, lanes) in result.iter_mut().enumerate() {
                let stored = place.bits(resources, component).unwrap_or(0);
                lanes[lane] = absent[component].unwrap_or(stored);
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

    /// The components of an image that its format does not store.
    fn absent(&self, operand: &Operand) -> Absent {
        let number = u32::try_from(operand.index.offset).unwrap_or(u32::MAX);
        match operand.file {
            File::Image => self.program.image(number).map(|own| own.absent).unwrap_or_default(),
            _ => Absent::default(),
        }
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
        let components = self.components_stored();
        for lane in lanes(mask) {
            let at = address.map(|component| component[lane]);
            let Some(place) = self.place(resources, self.operand(), at, lane) else { continue };
            for component in &components {
                let Some(word) = place.word(resources, *component) else { continue };
                *word = values[*component][lane];
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
            if let Some(word) = place.and_then(|place| place.word(resources, 0)) {
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
        // Images have one sample here.
        let samples = u32::from(self.names_samples() == Some(true));
        [x, y, z, [samples; LANES]]
    }
}

impl<'a> Access<'a> {
    /// The operand that names the resource.
    pub(crate) fn operand(&self) -> &'a Operand {
        match self.instruction.destinations.first() {
            Some(destination) if self.instruction.opcode.value == Opcode::STORE => {
                &destination.register
            }
            _ => &self.instruction.sources[0].register,
        }
    }

    /// The number of components of an address that are read.
    pub(crate) fn coordinates(&self) -> usize {
        let operand = self.operand();
        match (operand.file, self.kind(operand)) {
            (File::HardwareAtomic, _) => 0,
            (File::ConstantBuffer, _) => 1,
            (_, (File::Image, target)) => image_coordinates(target),
            _ => 1,
        }
    }

    /// Tells whether the resource is an image with samples; `None` where it is no image.
    pub(crate) fn names_samples(&self) -> Option<bool> {
        let (file, target) = self.kind(self.operand());
        let dimension = target.and_then(crate::lookup::dimension);
        (file == File::Image).then(|| dimension.is_some_and(Dimension::has_samples))
    }

    /// Tells whether the size of the resource has a component: of a buffer its length, of an image
    /// as many as it has axes, and the number of samples where it has any.
    pub(crate) fn has_size(&self, component: usize) -> bool {
        let (file, target) = self.kind(self.operand());
        let dimension = target.and_then(crate::lookup::dimension);
        match (file, dimension, component) {
            (File::Image, Some(own), 3) => own.has_samples(),
            (File::Image, None, 3) => false,
            (File::Image, Some(own), _) => component < own.axes() + usize::from(own.is_layered()),
            (File::Image, None, _) => true,
            _ => component == 0,
        }
    }

    /// The components that a store writes.
    pub(crate) fn components_stored(&self) -> Vec<usize> {
        let destination = &self.instruction.destinations[0];
        let (file, _) = self.kind(&destination.register);
        let absent = self.absent(&destination.register);
        let is_stored = |it: &Component| match file {
            File::Image => absent[*it as usize].is_none(),
            _ => destination.mask.contains(*it),
        };
        Component::ALL.into_iter().filter(is_stored).map(|it| it as usize).collect()
    }

    /// Finds the word of a component; `None` where there is none.
    pub(crate) fn located(
        &self,
        resources: &Resources,
        address: [u32; 4],
        component: usize,
        lane: usize,
    ) -> Option<Location> {
        let location = self.place(resources, self.operand(), address, lane)?;
        location.bits(resources, component).map(|_| location)
    }

    /// Returns what the word of a component may be; 0 outside.
    pub(crate) fn open_word(
        &self,
        resources: &Resources,
        address: [u32; 4],
        component: usize,
        lane: usize,
    ) -> Word {
        let operand = self.operand();
        if operand.file == File::ConstantBuffer {
            return Word::exactly(self.constants(resources, operand, address, lane)[component]);
        }
        let Some(location) = self.place(resources, operand, address, lane) else {
            return Word::default();
        };
        if let Some(bits) = self.absent(operand)[component] {
            return Word::exactly(bits);
        }
        let Location { space, unit, first, .. } = location;
        let word = |place: usize, bits: u32| resources.open.word(space, unit, place, bits);
        if let Some(bits) = location.bits(resources, component) {
            return word(first + component, bits);
        }
        // Addresses are of 32 bits: behind the last one comes the first, unless all is refused.
        let wrapped = (first + component).checked_sub(ADDRESSABLE);
        let around = wrapped.filter(|_| space != Space::Image).and_then(|place| {
            let bits = Location { first: place, ..location }.bits(resources, 0)?;
            Some(word(place, bits).join(&Word::exactly(0)).by(Rules::of(Rule::OutOfBounds)))
        });
        around.unwrap_or_default()
    }

    /// Returns the words of the one resource that a lane's access reaches, with none of them: where
    /// it is in them is open. `None` where the resource itself is.
    pub(crate) fn reach(&self, resources: &Resources, lane: usize) -> Option<Location> {
        let operand = self.operand();
        let unit = self.registers.index(&operand.index, lane)?;
        let (space, unit, end) = match self.kind(operand).0 {
            _ if operand.is_computed() => return None,
            File::Buffer => (Space::Buffer, unit, resources.buffers.get(unit)?.len()),
            File::Memory => (Space::Shared, 0, resources.shared.len()),
            File::Image if operand.file == File::Image => {
                let texels = &resources.images.get(unit)?.as_ref()?.texels;
                (Space::Image, unit, texels.as_flattened().len())
            }
            _ => return None,
        };
        Some(Location { space, unit, first: 0, end })
    }

    /// Leaves open all that a lane's access may change.
    pub(crate) fn lose(&self, resources: &mut Resources, lane: usize, rules: Rules) {
        let operand = self.operand();
        let unit = self.registers.index(&operand.index, lane).unwrap_or(0);
        match self.kind(operand).0 {
            File::Buffer if !operand.is_computed() => {
                resources.open.lose(Space::Buffer, unit, rules)
            }
            File::Image if operand.file == File::Image && !operand.is_computed() => {
                resources.open.lose(Space::Image, unit, rules);
            }
            File::Memory => resources.open.lose(Space::Shared, 0, rules),
            _ => {
                for unit in 0..resources.buffers.len() {
                    resources.open.lose(Space::Buffer, unit, rules);
                }
                for unit in 0..resources.images.len() {
                    resources.open.lose(Space::Image, unit, rules);
                }
                for unit in 0..resources.counters.len() {
                    resources.open.lose(Space::Counter, unit, rules);
                }
            }
        }
    }
}

fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask & (1 << lane) != 0)
}
