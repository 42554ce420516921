//! Shaders for compilers other than LLVM: what they are handed, and what they made.

use std::sync::Arc;

use editor_model::CompiledState;
use gcn::compiled::Compiled;
use salsa::Database;

use super::compiled::{CompiledCode, CompiledRef, Problem, blocker_problem, shader_of, statements};
use crate::inputs::File;
use crate::queries::compile::{CompileBlocker, SpirvShader};
use crate::queries::rules::directives;
use crate::queries::shaders;

/// A shader in SPIR-V, or what stands in its way; `None` where the file has no such shader.
pub(crate) fn spirv_module(
    db: &dyn Database,
    file: File,
    reference: &CompiledRef,
) -> Option<Result<SpirvShader, Problem>> {
    let (shader, map) = shader_of(db, file, reference)?;
    let problem = |blocker| Err(blocker_problem(db, shader, &map, reference.target, &blocker));
    if tgsi::holes::has_holes(&shader.text(db)) {
        return Some(problem(CompileBlocker::Hole));
    }
    if shaders::has_errors(db, shader) {
        return Some(problem(CompileBlocker::Errors));
    }
    let parse = shaders::parse(db, shader);
    let ast = parse.shader.as_ref()?;
    let environment = directives::environment(db, file, reference.shader);
    let options = spirv::Options { environment, ..spirv::Options::default() };
    Some(match spirv::translate(ast, &options) {
        Ok(module) => Ok(SpirvShader { module: Arc::new(module), text: shader.text(db) }),
        Err(failures) => problem(CompileBlocker::Lowering(Arc::from(failures))),
    })
}

/// The code that another compiler than LLVM made of a shader's current text, joined to its
/// statements; `None` where the file has no such shader.
pub(crate) fn code_of_other(
    db: &dyn Database,
    file: File,
    reference: &CompiledRef,
    code: &Result<Arc<Compiled>, Problem>,
) -> Option<CompiledCode> {
    let (shader, map) = shader_of(db, file, reference)?;
    let ranges = statements(db, shader, &map);
    let range = |ordinal: u32| ranges.get((ordinal as usize).checked_sub(1)?).copied();
    let compiled = code.as_ref().ok().cloned();
    let instructions = compiled.iter().flat_map(|compiled| &compiled.instructions);
    let sources = instructions.map(|it| range(it.ordinal)).collect();
    Some(CompiledCode {
        state: match compiled {
            Some(_) => CompiledState::Fresh,
            None => CompiledState::Unavailable,
        },
        problem: code.as_ref().err().cloned(),
        compiled,
        sources,
        partner_sources: Vec::new(),
        program: None,
        notes: Arc::default(),
        environment: Vec::new(),
        assumed: Vec::new(),
    })
}
