//! Fields of kernel descriptors, rows of `data/descriptor.tsv` and `data/kernel_code.tsv`:
//! bits with a name and a value where nothing is said.

use isa::gcn::Feature;

use crate::{Generation, Target};

// `AMDHSA`: the 64 bytes that `.amdhsa_kernel` makes; `KERNEL_CODE`: the 256 bytes of
// `.amd_kernel_code_t`.
include!(concat!(env!("OUT_DIR"), "/descriptors.rs"));

/// A field of a descriptor.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// Its lowest bit, from bit 0 of the first byte.
    low: usize,
    /// In bits, at most 64; 0 for a field that others are computed from.
    width: usize,
    pub(crate) default: i64,
    /// The chips that have it: all of these hold.
    when: &'static [Term],
    /// The largest value, where that is less than its bits hold.
    most: Option<u32>,
}

/// A condition on a chip.
#[derive(Debug)]
enum Term {
    /// Its generation is this one or a later one.
    From(Generation),
    Has(Feature),
    Lacks(Feature),
}

/// Writes what holds where nothing is said.
pub(super) fn set_defaults(fields: &[Field], bytes: &mut [u8]) {
    for field in fields {
        field.put(bytes, field.default);
    }
}

/// Sets a field; false where none has the name.
pub(super) fn set(fields: &[Field], bytes: &mut [u8], name: &str, value: i64) -> bool {
    let field = fields.iter().find(|field| field.name == name);
    if let Some(field) = field {
        field.put(bytes, value);
    }
    field.is_some()
}

impl Field {
    /// Tells whether a chip has it.
    pub(crate) fn is_of(&self, target: Target) -> bool {
        self.when.iter().all(|term| match *term {
            Term::From(generation) => target.generation() >= generation,
            Term::Has(feature) => target.has(feature),
            Term::Lacks(feature) => !target.has(feature),
        })
    }

    /// Returns the largest value that the table allows.
    pub(crate) fn most(&self) -> Option<i64> {
        let by_bits = (1..63).contains(&self.width).then(|| (1_i64 << self.width) - 1);
        self.most.map(i64::from).or(by_bits)
    }

    /// Tells whether it has bits of its own.
    pub(crate) fn has_bits(&self) -> bool {
        self.width > 0
    }

    /// Writes a value, cut to the field's width.
    pub(super) fn put(&self, bytes: &mut [u8], value: i64) {
        for bit in 0..self.width {
            let at = self.low + bit;
            let Some(byte) = bytes.get_mut(at / 8) else { return };
            let is_set = (value >> bit.min(63)) & 1 != 0;
            *byte = *byte & !(1 << (at % 8)) | u8::from(is_set) << (at % 8);
        }
    }

    /// Its value in a descriptor; 0 for what lies beyond the bytes.
    pub(crate) fn get(&self, bytes: &[u8]) -> u64 {
        let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| u64::from(byte >> (at % 8) & 1));
        (0..self.width.min(64)).fold(0, |value, at| value | bit(self.low + at) << at)
    }
}
