//! Features of a chip's instruction set beyond its generation.

use isa::gcn::{Feature, FeatureSet};

use crate::{Generation, Target};

/// A chip's instruction set. Chips with equal features have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Features {
    /// The processor's name, for messages.
    pub name: &'static str,
    /// The generation.
    pub generation: Generation,
    /// All of them.
    pub set: FeatureSet,
    sgprs: u32,
    /// Tells whether XNACK_MASK has a name.
    pub xnack_mask: bool,
    /// Tells whether 16-bit data of images and buffers is packed two to a register.
    pub packed_d16: bool,
    /// Tells whether it has the matrix instructions and accumulation registers.
    pub matrix: bool,
}

impl Features {
    /// The features of a target.
    pub fn of(target: Target) -> Features {
        let row = target.row();
        let generation = row.generation;
        Features {
            name: row.processor,
            generation,
            set: row.features,
            sgprs: row.limits.sgpr_addressable,
            xnack_mask: target.has(Feature::XnackMask),
            packed_d16: target.has(Feature::PackedD16),
            matrix: target.has(Feature::Mai),
        }
    }
}

impl Features {
    /// Counts how many scalar registers have a number as operand.
    pub(crate) fn addressable_sgprs(&self) -> u32 {
        self.sgprs
    }
}
