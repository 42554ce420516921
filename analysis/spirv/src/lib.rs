//! TGSI to SPIR-V: a pure function from a shader to a module for Vulkan 1.1.
//!
//! Every register is a scalar of 32 bits for each component, every operation works on one
//! component and says so: before the code of an instruction stands an `OpLine` with its line,
//! whose column is the component, 1 for x to 4 for w, or 0 for what serves all of them. Bits
//! pass through integers, so no move changes them.
//!
//! Resources have fixed places in descriptor set 0 ([`layout`]), so that one pipeline layout
//! serves all shaders. Varyings get their locations from the semantics of all shaders of a
//! pipeline ([`Interface`]). Vulkan's clip space is not that of OpenGL: what a shader writes is
//! passed on as it is.

mod arithmetic;
mod atomic;
mod builder;
mod context;
mod control_flow;
mod disassembler;
mod dispatch;
mod exchange;
mod frames;
mod images;
mod interface;
mod lanes;
pub mod layout;
mod memory;
mod module;
mod options;
mod registers;
mod resources;
mod stages;
mod subroutines;
mod textures;
mod values;
pub mod words;

use lower::failure::Failure;
use tgsi::Opcode;
use tgsi::ast::Shader;

pub use builder::Contraction;
pub use disassembler::{disassemble, source_line};
pub use exchange::{Exchange, InputsOf, ValuePlaces};
pub use interface::Interface;
pub use module::Module;
pub use options::Options;

/// Tells whether an opcode is translated in at least some of its forms.
pub fn supported(opcode: Opcode) -> bool {
    dispatch::emitter(opcode).is_some()
}

/// Translates a shader.
///
/// # Errors
/// Every construct that stands in the way, in order of the text.
pub fn translate(shader: &Shader, options: &Options) -> Result<Module, Vec<Failure>> {
    module::translate(shader, options)
}
