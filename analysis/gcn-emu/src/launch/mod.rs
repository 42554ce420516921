//! The launch of a kernel: memory, arguments and registers as a file of inputs and the
//! kernel's descriptor say, and the groups of its grid one after another.
//!
//! Source of what registers and the dispatch packet hold: LLVM, AMDGPUUsage, "Initial Kernel
//! Execution State"; HSA platform system architecture, kernel dispatch packet.

mod grid;
mod image_inputs;
#[cfg(test)]
mod image_tests;
mod inputs;
#[cfg(test)]
mod tests;

use gcn::analysis::{Code, EXEC, RegisterSet};
use gcn::instruction::{Bank, Register};
use gcn::program::{EntryRegisters, EntryValue, Kernel, KernelCode};
use isa::gcn::Feature;
use thiserror::Error;

use crate::machine::Machine;
use crate::memory::Memory;
use crate::mode::Mode;
use crate::program::Program;
use crate::texture::ImageDescriptor;
use crate::wave::{LANES, Wave};
pub use grid::GridExecution;
pub use image_inputs::ImageInput;
pub use inputs::{InputWord, KernelInputs};

/// The reason why a kernel cannot be launched.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// Lines that are not an instruction.
    #[error("{0} lines of the kernel are not an instruction")]
    Missing(usize),
    /// Nothing to execute.
    #[error("the kernel has no instructions")]
    Empty,
    /// The kernel uses scratch memory.
    #[error("the kernel uses {0} bytes of scratch a work-item, which no launch gives it yet")]
    Scratch(u32),
    /// The inputs name a buffer that they do not give.
    #[error("the inputs name `buf.{0}` and do not give it")]
    NoBuffer(usize),
    /// The inputs name an image that they do not give.
    #[error("the inputs name `img.{0}` and do not give it")]
    NoImage(usize),
    /// The inputs name a sampler that they do not give.
    #[error("the inputs name `samp.{0}` and do not give it")]
    NoSampler(usize),
    /// Too many work-items.
    #[error("a group has {0} work-items; 1 to {MOST_ITEMS} can be launched")]
    Group(u64),
    /// Too many groups.
    #[error("the grid has {0} groups; 1 to {MOST_GROUPS} can be launched")]
    Grid(u64),
    /// A work-item that is not there.
    #[error("there are {0} work-items, and none is number {1}")]
    Lane(u64, usize),
    /// Arguments overlap.
    #[error("the arguments at {0} and {1} overlap")]
    Arguments(usize, usize),
    /// More memory than there is.
    #[error("buffers and images are larger than the memory of a run")]
    Memory,
}

/// Work-items of a group, at most, as on every chip.
const MOST_ITEMS: u64 = 1024;
/// Groups of a grid, at most.
const MOST_GROUPS: u64 = 1 << 16;
/// The address of the dispatch packet.
const PACKET: u64 = 0x10_0000;
/// The address of the arguments.
const ARGUMENTS: u64 = 0x20_0000;
/// The address of the first buffer, and the distance to the next: what leads out of one is in
/// none.
const BUFFERS: u64 = 1 << 36;
const BUFFER_DISTANCE: u64 = 1 << 32;
/// The address of the first image; the next ones are as far from each other as buffers are.
const IMAGES: u64 = 1 << 44;
/// The last word of a descriptor of raw bytes: components x to w, floats of 32 bits (GCN3 ISA,
/// table of the buffer resource).
const RAW_BUFFER: u32 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15;

/// A kernel with what it is given.
#[derive(Debug, Clone)]
pub struct Launch {
    program: Program,
    entry: Option<EntryRegisters>,
    inputs: KernelInputs,
    /// Words of the arguments.
    arguments: Vec<u32>,
    memory: Memory,
    /// The descriptors of the images.
    images: Vec<Option<ImageDescriptor>>,
    share: usize,
    /// For each instruction its index in the program that it is of.
    instructions: Vec<u32>,
}

impl Launch {
    /// Prepares a kernel of a program.
    ///
    /// # Errors
    /// The reason why it cannot be launched so.
    pub fn new(
        program: &gcn::program::Program,
        kernel: &Kernel,
        inputs: KernelInputs,
    ) -> Result<Launch, LaunchError> {
        let addresses = program.address_counts();
        let KernelCode { mut code, instructions, declared, missing } =
            KernelCode::of(program, kernel, addresses, &source::no_checkpoint);
        if missing > 0 {
            return Err(LaunchError::Missing(missing));
        }
        let start = code.instructions.first().ok_or(LaunchError::Empty)?.offset;
        for own in &mut code.instructions {
            own.offset -= start;
        }
        let entry = program.entry_registers(kernel);
        let scratch = entry.as_ref().map_or(0, |entry| entry.scratch_bytes);
        if scratch > 0 {
            return Err(LaunchError::Scratch(scratch));
        }
        let product = |sides: [u32; 3]| {
            sides.iter().fold(1_u64, |product, side| product.saturating_mul((*side).into()))
        };
        let (items, groups) = (product(inputs.group), product(inputs.grid));
        if !(1..=MOST_ITEMS).contains(&items) {
            return Err(LaunchError::Group(items));
        }
        if !(1..=MOST_GROUPS).contains(&groups) {
            return Err(LaunchError::Grid(groups));
        }
        if inputs.lane as u64 >= items * groups {
            return Err(LaunchError::Lane(items * groups, inputs.lane));
        }
        let share = (declared.lds + inputs.share) as usize;
        let mut launch = Launch {
            program: Program::of_code(Code { ..code }),
            entry,
            inputs,
            arguments: Vec::new(),
            memory: Memory::default(),
            images: Vec::new(),
            share: share.next_multiple_of(4),
            instructions,
        };
        launch.lay_out()?;
        Ok(launch)
    }

    /// The program that waves execute.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The inputs.
    pub fn inputs(&self) -> &KernelInputs {
        &self.inputs
    }

    /// The index in the kernel's own program of an instruction.
    pub fn instruction(&self, index: usize) -> Option<u32> {
        self.instructions.get(index).copied()
    }

    /// Tells whether a descriptor says what registers hold at the beginning.
    pub fn has_descriptor(&self) -> bool {
        self.entry.is_some()
    }

    /// The number of groups.
    pub fn groups(&self) -> u32 {
        self.inputs.grid.iter().product()
    }

    /// The number of work-items of a group.
    pub fn group_items(&self) -> usize {
        self.inputs.group.iter().product::<u32>() as usize
    }

    /// The group, its wave and the lane of the work-item that is looked at.
    pub fn watched(&self) -> (u32, usize, usize) {
        let items = self.group_items();
        let inside = self.inputs.lane % items;
        ((self.inputs.lane / items) as u32, inside / LANES, inside % LANES)
    }

    /// The address of a buffer.
    pub fn buffer_address(number: usize) -> u64 {
        BUFFERS + number as u64 * BUFFER_DISTANCE
    }

    /// The descriptor of an image.
    pub fn image(&self, number: usize) -> Option<&ImageDescriptor> {
        self.images.get(number)?.as_ref()
    }

    /// The images, as many as the inputs have numbers.
    pub fn images(&self) -> &[Option<ImageDescriptor>] {
        &self.images
    }

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

    /// The machine before the first group.
    pub fn machine(&self) -> Machine {
        let mut machine = Machine { memory: self.memory.clone(), ..Machine::default() };
        self.begin_group(&mut machine, 0);
        machine
    }

    /// Puts the waves of a group in place of those of the last one.
    pub fn begin_group(&self, machine: &mut Machine, group: u32) {
        machine.share.clear();
        machine.share.resize(self.share, 0);
        let items = self.group_items();
        machine.waves =
            (0..items).step_by(LANES).map(|first| self.wave(group, first, items)).collect();
    }

    /// Places buffers, arguments and the dispatch packet in memory.
    fn lay_out(&mut self) -> Result<(), LaunchError> {
        let full = |_| LaunchError::Memory;
        let mut memory = Memory::default();
        // Words of all else may hold their descriptors.
        for (number, image) in self.inputs.images.iter().enumerate() {
            let address = IMAGES + number as u64 * BUFFER_DISTANCE;
            let mapped = image.as_ref().map(|image| image.map(&mut memory, address));
            self.images.push(mapped.transpose().map_err(full)?);
        }
        let mut end = 0;
        let mut last = 0;
        for (offset, words) in &self.inputs.arguments {
            if *offset < end {
                return Err(LaunchError::Arguments(last, *offset));
            }
            let own = self.words(words)?;
            (last, end) = (*offset, offset + 4 * own.len());
        }
        let said = self.entry.as_ref().map_or(0, |entry| entry.argument_bytes as usize);
        // A load of several words may reach behind the last argument.
        let mut bytes = vec![0; end.max(said).next_multiple_of(64).min(1 << 20)];
        for (offset, words) in &self.inputs.arguments {
            let own = self.words(words)?;
            let own: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
            if let Some(place) = bytes.get_mut(*offset..offset + own.len()) {
                place.copy_from_slice(&own);
            }
        }
        let word = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        self.arguments = bytes.chunks_exact(4).map(word).collect();
        if !bytes.is_empty() {
            memory.map(ARGUMENTS, bytes).map_err(full)?;
        }
        memory.map_words(PACKET, &self.packet()).map_err(full)?;
        for (number, words) in self.inputs.buffers.iter().enumerate() {
            let Some(words) = words.as_ref().filter(|words| !words.is_empty()) else { continue };
            let words = self.words(words)?;
            memory.map_words(Launch::buffer_address(number), &words).map_err(full)?;
        }
        self.memory = memory;
        // Registers may name buffers that are not there.
        for words in self.inputs.scalars.iter().flatten() {
            self.words(words)?;
        }
        Ok(())
    }

    /// The dispatch packet: sizes of group and grid, and where the arguments are.
    fn packet(&self) -> [u32; 16] {
        let [x, y, z] = self.inputs.group;
        let sizes: [u32; 3] = std::array::from_fn(|axis| {
            self.inputs.grid[axis].saturating_mul(self.inputs.group[axis])
        });
        let mut packet = [0; 16];
        packet[0] = 3 << 16 | 2;
        (packet[1], packet[2]) = (x | y << 16, z);
        packet[3..6].copy_from_slice(&sizes);
        packet[7] = self.share as u32;
        (packet[10], packet[11]) = (ARGUMENTS as u32, (ARGUMENTS >> 32) as u32);
        packet
    }

    /// Words of inputs with addresses and descriptors in their places.
    fn words(&self, words: &[InputWord]) -> Result<Vec<u32>, LaunchError> {
        let mut all = Vec::with_capacity(words.len());
        for word in words {
            let bytes = |number: usize| {
                let buffer = self.inputs.buffers.get(number).and_then(Option::as_ref);
                let count =
                    |words: &Vec<InputWord>| words.iter().map(|it| it.count()).sum::<u32>() * 4;
                buffer.map(count).ok_or(LaunchError::NoBuffer(number))
            };
            match *word {
                InputWord::Word(word) => all.push(word),
                InputWord::Address(number) | InputWord::Descriptor(number) => {
                    let bytes = bytes(number)?;
                    let address = Launch::buffer_address(number);
                    all.extend([address as u32, (address >> 32) as u32]);
                    if matches!(word, InputWord::Descriptor(_)) {
                        all.extend([bytes, RAW_BUFFER]);
                    }
                }
                InputWord::Image(number) => {
                    let image = self.image(number).ok_or(LaunchError::NoImage(number))?;
                    all.extend(image.words(self.program.target.generation()));
                }
                InputWord::Sampler(number) => {
                    let sampler = self.inputs.samplers.get(number).copied().flatten();
                    all.extend(sampler.ok_or(LaunchError::NoSampler(number))?);
                }
            }
        }
        Ok(all)
    }

    fn wave(&self, group: u32, first: usize, items: usize) -> Wave {
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
        wave.mode = Mode { bits: entry.mode };
        let [x, y, _] = self.inputs.group.map(|side| side as usize);
        let is_packed = self.program.target.has(Feature::Gfx90aInsts);
        for lane in 0..count {
            let item = first + lane;
            let place = [item % x, item / x % y, item / (x * y)].map(|axis| axis as u32);
            match is_packed {
                true => wave.set_lane(0, lane, place[0] | place[1] << 10 | place[2] << 20),
                false => {
                    for (axis, value) in place.into_iter().enumerate().take(entry.axes.into()) {
                        wave.set_lane(axis, lane, value);
                    }
                }
            }
        }
        let [wide, high, _] = self.inputs.grid;
        let place = [group % wide, group / wide % high, group / (wide * high)];
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
                // There is no queue, and no scratch.
                EntryValue::PrivateSegmentBuffer
                | EntryValue::Queue
                | EntryValue::DispatchId
                | EntryValue::FlatScratch
                | EntryValue::PrivateSegmentSize
                | EntryValue::ScratchOffset => {}
            }
        }
        wave
    }
}
