//! Inputs that are nearly right: written by the rules of their language, spliced of sound
//! ones, and damaged where it hurts, in statements and tokens, in lengths, counts and
//! offsets. Whatever is written follows from the numbers that it is given.

pub mod assembly;
pub mod bundles;
pub mod fields;
pub mod frames;
pub mod language;
pub mod objects;
pub mod settings;
pub mod shaders;
