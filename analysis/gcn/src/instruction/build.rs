//! From the rows of the table to the slots of the encodings.

use super::features::Features;
use super::form::{Builder, Variant};
use super::operands::{Class, Signature};
use crate::encoding::Extension;
use crate::mnemonics::Form as Place;

/// Adds the ways to write a mnemonic in an encoding.
pub(crate) fn slots(
    features: &Features,
    signature: &Signature,
    place: &Place,
    extension: Extension,
    variants: &mut Vec<Variant>,
) {
    let builder = Builder { features, encoding: place.encoding, slots: Vec::new() };
    match signature.class {
        Class::Vector => super::build_vector::slots(builder, signature, extension, variants),
        Class::Scalar => super::build_scalar::slots(builder, signature, variants),
        Class::Interpolation
        | Class::ScalarMemory
        | Class::DataShare
        | Class::Flat
        | Class::Buffer
        | Class::Image
        | Class::Export => {}
    }
}
