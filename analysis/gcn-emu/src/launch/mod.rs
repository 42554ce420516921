//! The launch of a kernel: memory, arguments and registers as a file of inputs and the
//! kernel's descriptor say, and the groups of its grid one after another.
//!
//! Source of what registers and the dispatch packet hold: LLVM, AMDGPUUsage, "Initial Kernel
//! Execution State"; HSA platform system architecture, kernel dispatch packet.

mod entry;
mod error;
mod grid;
mod hidden;
mod image_inputs;
#[cfg(test)]
mod image_tests;
mod inputs;
mod layout;
mod scratch;
#[cfg(test)]
mod tests;

use gcn::program::{EntryRegisters, HiddenArgument, Kernel, KernelCode};

use crate::machine::Machine;
use crate::memory::Memory;
use crate::program::Program;
use crate::texture::ImageDescriptor;
use crate::wave::LANES;
pub use error::LaunchError;
pub use grid::{GridExecution, on_axes};
pub use image_inputs::ImageInput;
pub use inputs::{InputWord, KernelInputs};
use layout::{BUFFER_DISTANCE, BUFFERS};
pub use scratch::Scratch;

/// Work-items of a group, at most, as on every chip.
const MOST_ITEMS: u64 = 1024;
/// Groups of a grid, at most.
const MOST_GROUPS: u64 = 1 << 16;
/// A kernel with what it is given.
#[derive(Debug, Clone)]
pub struct Launch {
    program: Program,
    entry: Option<EntryRegisters>,
    inputs: KernelInputs,
    /// Words of the arguments.
    arguments: Vec<u32>,
    /// The arguments that the metadata say to be filled in by a runtime.
    hidden: Vec<HiddenArgument>,
    memory: Memory,
    /// The descriptors of the images.
    images: Vec<Option<ImageDescriptor>>,
    scratch: Scratch,
    share: usize,
    /// For each instruction its index in the program that it is of.
    instructions: Vec<u32>,
}

/// The first symbol whose distance an instruction takes, as compilers do of functions that are
/// called and of data: a linker fills it in.
fn foreign_address(program: &gcn::program::Program, instructions: &[u32]) -> Option<String> {
    instructions.iter().find_map(|number| {
        let text = program.text(program.instructions.get(*number as usize)?);
        let (before, _) = text.split_once("@rel32@").or_else(|| text.split_once("@gotpcrel32@"))?;
        Some(before.rsplit([' ', ',', '\t']).next().unwrap_or(before).to_owned())
    })
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
        if let Some(symbol) = foreign_address(program, &instructions) {
            return Err(LaunchError::Address(symbol));
        }
        let start = code.instructions.first().ok_or(LaunchError::Empty)?.offset;
        for own in &mut code.instructions {
            own.offset -= start;
        }
        let entry = program.entry_registers(kernel);
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
        let bytes = entry.as_ref().map_or(0, |entry| entry.scratch_bytes);
        let scratch = Scratch::of(bytes, items as usize)?;
        let share = (declared.lds + inputs.share) as usize;
        let mut launch = Launch {
            program: Program::of_code(code),
            entry,
            inputs,
            arguments: Vec::new(),
            hidden: program.hidden_arguments(kernel),
            memory: Memory::default(),
            images: Vec::new(),
            scratch,
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

    /// Scratch memory.
    pub fn scratch(&self) -> Scratch {
        self.scratch
    }

    /// The descriptor of an image.
    pub fn image(&self, number: usize) -> Option<&ImageDescriptor> {
        self.images.get(number)?.as_ref()
    }

    /// The images, as many as the inputs have numbers.
    pub fn images(&self) -> &[Option<ImageDescriptor>] {
        &self.images
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
}
