//! Places that hold values: what an instruction writes, and what it reads.

use gcn::instruction::Bank;
use tgsi::words::File;
use tgsi_interp::Place;

use crate::machine::register_name;
use crate::shader::place_name;

/// A place that holds a word, in each lane its own where lanes have their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// A component of a register of a quad.
    Component {
        /// The quad.
        quad: usize,
        /// The component.
        place: Place,
    },
    /// A word of a buffer, or of the memory of a group.
    Word {
        /// The file.
        file: File,
        /// The number of the buffer.
        buffer: usize,
        /// The number of the word.
        word: usize,
    },
    /// A register of a wave. Accumulation registers follow the vector ones.
    Register {
        /// The wave.
        wave: usize,
        /// The kind of register.
        bank: Bank,
        /// The number.
        number: usize,
    },
}

impl Location {
    /// Tells whether no step can write there.
    pub(crate) fn is_fixed(&self) -> bool {
        const FIXED: [File; 4] = [File::Input, File::Constant, File::Immediate, File::SystemValue];
        matches!(self, Location::Component { place, .. } if FIXED.contains(&place.file))
    }

    /// Tells whether each lane has a word of its own there.
    pub(crate) fn has_lanes(&self) -> bool {
        match self {
            Location::Component { place, .. } => {
                !matches!(place.file, File::Constant | File::Immediate)
            }
            Location::Word { .. } => false,
            Location::Register { bank, .. } => *bank != Bank::Scalar,
        }
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Location::Component { place, .. } => out.write_str(&place_name(*place)),
            Location::Word { file: File::Buffer, buffer, word } => {
                write!(out, "BUFFER[{buffer}][{word}]")
            }
            Location::Word { file, word, .. } => write!(out, "{}[{word}]", file.word()),
            Location::Register { bank, number, .. } => {
                out.write_str(&register_name(*bank, *number))
            }
        }
    }
}
