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

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(body: &str) -> Stored {
        let text = format!(
            "COMP\nDCL BUFFER[0..3]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL MEMORY[0], SHARED\n\
             DCL HWATOMIC[0..3]\nDCL TEMP[0]\nDCL ADDR[0]\nDCL CONST[0]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n\
             {body}\nEND\n"
        );
        let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
        assert_eq!(parse.diagnostics, [], "{text}");
        Stored::of(&parse.shader.expect("a shader"))
    }

    #[test]
    fn a_load_changes_nothing_and_a_store_what_it_names() {
        let load = stored("LOAD TEMP[0], BUFFER[1], IMM[0].xxxx");
        assert!(load.is_empty());
        let store = stored("STORE BUFFER[1].x, IMM[0].xxxx, IMM[0]");
        assert!(!store.is_empty());
        assert!(store.contains((Space::Buffer, 1)));
        assert!(!store.contains((Space::Buffer, 0)) && !store.contains((Space::Image, 1)));
        let atomic =
            stored("ATOMUADD TEMP[0].x, IMAGE[0], IMM[0], IMM[0], 2D, PIPE_FORMAT_R32_UINT");
        assert!(atomic.contains((Space::Image, 0)) && !atomic.contains((Space::Buffer, 0)));
        let shared = stored("ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].xxxx");
        assert!(shared.contains((Space::Shared, 0)) && !shared.contains((Space::Buffer, 0)));
    }

    #[test]
    fn an_index_that_is_computed_means_all_of_a_space() {
        let all = stored("STORE BUFFER[ADDR[0].x+1].x, IMM[0].xxxx, IMM[0]");
        assert!((0..4).all(|unit| all.contains((Space::Buffer, unit))));
        assert!(!all.contains((Space::Image, 0)));
        let counter = stored("ATOMUADD TEMP[0].x, HWATOMIC[2], IMM[0].xxxx, IMM[0].xxxx");
        assert!(counter.contains((Space::Counter, 0)));
    }

    #[test]
    fn a_handle_means_any_resource() {
        let any = stored("STORE CONST[0].x, IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT");
        assert!(any.contains((Space::Image, 3)) && any.contains((Space::Buffer, 0)));
    }
}
