//! What the instruction set of a chip has beyond its generation.

use crate::{Generation, Target};

/// A chip's instruction set. Chips with equal features have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Features {
    /// The processor's name, for messages.
    pub name: &'static str,
    /// The generation.
    pub generation: Generation,
    /// Whether XNACK_MASK has a name.
    pub xnack_mask: bool,
    /// Whether 16-bit data of images and buffers is packed two to a register.
    pub packed_d16: bool,
    /// Whether it has the matrix instructions and accumulation registers.
    pub matrix: bool,
}

impl Features {
    /// The features of a target.
    pub fn of(target: Target) -> Features {
        let row = target.row();
        let generation = row.generation;
        let gfx9 = generation == Generation::Gfx9;
        Features {
            name: row.processor,
            generation,
            xnack_mask: gfx9 || matches!(row.processor, "gfx801" | "gfx810"),
            packed_d16: gfx9 || row.processor == "gfx810",
            matrix: row.processor == "gfx908",
        }
    }
}

impl Generation {
    /// How many scalar registers have a number as operand.
    pub(crate) fn addressable_sgprs(self) -> u32 {
        if self <= Generation::Gfx7 { 104 } else { 102 }
    }

    /// Whether it is gfx8 or later, which brought the second layout of most encodings.
    pub(crate) fn is_volcanic_islands_or_later(self) -> bool {
        self >= Generation::Gfx8
    }
}
