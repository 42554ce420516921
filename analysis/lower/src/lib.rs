//! TGSI to LLVM IR: a pure function from a shader to a text.
//!
//! The IR follows the ABI that Mesa's radeonsi gave its shaders while it
//! compiled TGSI itself, as one monolithic function per shader. Where the
//! hardware runs two stages as one program it is that program if both shaders are
//! given (`merged.rs`), else one half of it; a geometry shader has a second
//! program (`stages/geometry_copy.rs`), which the environment chooses. The memory
//! between stages is in `slots.rs` and `es_ls_outputs.rs`. Debug lines are instruction ordinals, from 1; line 0 is
//! LLVM's own "shared by several".

mod abi;
mod alu_float;
mod alu_integer;
mod alu_wide;
mod atomic;
mod builder;
mod captures;
mod cells;
mod constants;
mod context;
mod control_flow;
mod conversions;
mod coordinates;
pub mod declared;
mod derivatives;
mod dispatch;
mod entry;
pub mod environment;
pub mod environment_keys;
mod environment_values;
mod es_ls_outputs;
mod exports;
pub mod failure;
mod frames;
mod gather;
mod hardware_stage;
mod helpers;
mod historic;
mod image_call;
pub mod internal_buffers;
mod intrinsics;
mod lanes;
mod line;
mod lists;
mod memory;
mod merged;
mod module;
mod opcodes;
mod program;
mod registers;
mod resources;
mod sample;
mod shared;
mod simple;
mod slots;
mod stages;
mod stream_output;
mod texture;
mod texture_query;
mod values;
mod vertex_formats;

use tgsi::Opcode;
use tgsi::ast::Shader;

pub use abi::{Bank, Content, EntryPoint, Parameter};
pub use captures::{Captured, StreamOutput};
pub use coordinates::{Shape, ShapeKind};
pub use dispatch::narrow_source;
pub use environment::Environment;
pub use exports::is_parameter;
pub use failure::{Failure, FailureKind};
pub use hardware_stage::Half;
pub use intrinsics::INTRINSICS;
pub use isa::gcn::Generation;
pub use merged::{lower_merged, merges};
pub use module::Module;
pub use opcodes::{meaning, refusal};
pub use program::broken_statements;
pub use slots::Varying;
pub use stages::control::offchip_bytes;
pub use stages::geometry::STREAM_MAY_LACK;
pub use vertex_formats::{Channel, Fetch, VertexFormat};

use builder::Builder;

/// Tells whether an opcode is lowered in at least some of its forms.
pub fn supported(opcode: Opcode) -> bool {
    dispatch::emitter(opcode).is_some()
}

/// Lowers a shader for a generation, in the default environment.
///
/// # Errors
/// Every construct that stands in the way, in order of the text.
pub fn lower(shader: &Shader, generation: Generation) -> Result<Module, Vec<Failure>> {
    lower_for(shader, generation, Environment::default())
}

/// Lowers a shader for a generation and the state it is used with.
///
/// # Errors
/// Every construct that stands in the way, in order of the text.
pub fn lower_for(
    shader: &Shader,
    generation: Generation,
    environment: Environment,
) -> Result<Module, Vec<Failure>> {
    let lowering = program::run(shader, generation, environment, Builder::default())?;
    let (instructions, half) = (lowering.instructions.len() as u32, lowering.half());
    Ok(module::assemble(lowering, instructions, half))
}

/// Returns the failures that [`lower`] would return, without the cost of the text: fit to be
/// asked at every keystroke.
pub fn check(shader: &Shader, generation: Generation) -> Vec<Failure> {
    check_for(shader, generation, Environment::default())
}

/// As [`check`], for the state that a shader is used with.
pub fn check_for(
    shader: &Shader,
    generation: Generation,
    environment: Environment,
) -> Vec<Failure> {
    program::run(shader, generation, environment, Builder::silent()).err().unwrap_or_default()
}
