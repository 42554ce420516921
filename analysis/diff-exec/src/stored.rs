//! The memory that the instructions of a shader may change.

use std::collections::BTreeSet;

use tgsi::ast::{Instruction, Register, Shader};
use tgsi::opcodes::Family;
use tgsi::words::File;
use tgsi_interp::open::Space;

/// The resources that stores and atomics name. Where the run of a shader cannot be followed, all that
/// these hold is open; others keep what they hold, whichever way the shader goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Stored {
    units: BTreeSet<(Space, usize)>,
    /// Spaces of which any resource may be meant.
    spaces: BTreeSet<Space>,
}

impl Stored {
    /// Returns the resources that a shader may change.
    pub(crate) fn of(shader: &Shader) -> Stored {
        let mut all = Stored::default();
        for operand in shader.instructions().filter_map(changed) {
            all.add(operand);
        }
        all
    }

    fn add(&mut self, operand: &Register) {
        let space = match operand.file {
            File::Buffer => Space::Buffer,
            File::Image => Space::Image,
            File::Memory => Space::Shared,
            File::HardwareAtomic => Space::Counter,
            // A handle may mean any of them.
            _ => {
                self.spaces.extend([Space::Buffer, Space::Image, Space::Counter]);
                return;
            }
        };
        let index = &operand.index;
        let is_direct = index.indirect.is_none() && operand.dimension.is_none();
        match usize::try_from(index.offset) {
            // Of counters the index is a place in the resource.
            Ok(unit) if is_direct && space != Space::Counter => {
                self.units.insert((space, unit));
            }
            _ => {
                self.spaces.insert(space);
            }
        }
    }

    /// Tells whether the shader changes no memory.
    pub(crate) fn is_empty(&self) -> bool {
        self.units.is_empty() && self.spaces.is_empty()
    }

    /// Tells whether a resource may be changed.
    pub(crate) fn contains(&self, (space, unit): (Space, usize)) -> bool {
        self.spaces.contains(&space) || self.units.contains(&(space, unit))
    }
}

/// The resource that an instruction changes, if it changes any.
fn changed(instruction: &Instruction) -> Option<&Register> {
    match instruction.info().family {
        Family::Store => instruction.destinations.first().map(|it| &it.register),
        Family::Atomic => instruction.sources.first().map(|it| &it.register),
        _ => None,
    }
}
