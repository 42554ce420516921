//! From the rows of the table to the slots of the encodings.

use super::features::Features;
use super::fields::Layout;
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
    let layout = match extension {
        Extension::Sdwa => Some(Layout::Sdwa),
        Extension::Dpp => Some(Layout::Dpp),
        Extension::None | Extension::Literal => None,
    };
    let builder =
        Builder { features, encoding: place.encoding, extension: layout, slots: Vec::new() };
    match signature.class {
        Class::Vector => super::build_vector::slots(builder, signature, extension, variants),
        Class::Scalar => super::build_scalar::slots(builder, signature, variants),
        Class::Matrix => super::build_vector::matrix(builder, signature, variants),
        Class::Interpolation => super::build_vector::interpolation(builder, signature, variants),
        Class::ScalarMemory => super::build_memory::scalar(builder, signature, variants),
        Class::DataShare => super::build_memory::data_share(builder, signature, variants),
        Class::Flat => super::build_memory::flat(builder, signature, variants),
        Class::Buffer => super::build_buffer::slots(builder, signature, variants),
        Class::Image => super::build_buffer::image(builder, signature, variants),
        Class::Export => super::build_memory::export(builder, variants),
    }
}
