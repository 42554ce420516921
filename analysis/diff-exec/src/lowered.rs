//! The lowering of a shader for a compiler, in the state that both sides are compared in.

use gcn::Target;
use lower::environment::ColorExport;
use lower::{Environment, Half};
use tgsi::ast::Shader;

use crate::error::Error;

/// A lowered shader in the words of a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// LLVM IR.
    pub ir: String,
    /// The processor's name.
    pub processor: &'static str,
    /// Its features.
    pub features: &'static str,
    /// The number of TGSI instructions.
    pub instructions: u32,
    /// The ABI of its function.
    pub entry: lower::EntryPoint,
    /// The part of a program that it is, where the chip merges its stage with another.
    pub half: Option<Half>,
}

/// The state that shaders are compared in: colours are exported with all their bits.
pub fn environment() -> Environment {
    Environment { color_exports: [ColorExport::Full; 8], ..Environment::default() }
}

/// Lowers a shader to be compared.
///
/// # Errors
/// The first construct that is not lowered.
pub fn lowered(shader: &Shader, target: Target) -> Result<Lowered, Error> {
    lowered_for(shader, target, environment())
}

/// Lowers a shader to be compared, in a state of its own.
///
/// # Errors
/// As [`lowered`].
pub fn lowered_for(
    shader: &Shader,
    target: Target,
    environment: Environment,
) -> Result<Lowered, Error> {
    of_module(lower::lower_for(shader, target.generation(), environment), target)
}

/// Lowers two shaders to the one program that they run as, to be compared.
///
/// # Errors
/// As [`lowered`]; or the chip runs them as two programs.
pub fn lowered_merged(first: &Shader, second: &Shader, target: Target) -> Result<Lowered, Error> {
    let [first, second] = [first, second].map(|shader| (shader, environment()));
    of_module(lower::lower_merged(first, second, target.generation()), target)
}

fn of_module(
    module: Result<lower::Module, Vec<lower::Failure>>,
    target: Target,
) -> Result<Lowered, Error> {
    let module = module.map_err(|failures| {
        let first = failures.first().map_or("no such pair", |failure| &failure.construct);
        Error::NotLowered(first.to_string())
    })?;
    let row = target.row();
    Ok(Lowered {
        ir: module.ir,
        processor: row.processor,
        features: row.llvm_features,
        instructions: module.instructions,
        entry: module.entry,
        half: module.half,
    })
}
