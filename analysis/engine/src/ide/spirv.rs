//! Shaders as SPIR-V: the module, and its text joined to the source line by line.

use std::sync::Arc;

use editor_model::CompiledState;
use salsa::Database;

use super::compiled::{CompiledRef, Problem, blocker_problem, shader_of, statements};
use super::views::{CompiledView, Document, stage};
use crate::inputs::File;
use crate::queries::compile::CompileBlocker;
use crate::queries::rules::directives;
use crate::queries::shaders;
use lower::Environment;

/// Translates a shader to SPIR-V in the state of its file; `None` where the file has no such
/// shader. Debug lines are those of the file, counted from 1.
pub(crate) fn spirv(
    db: &dyn Database,
    file: File,
    shader: usize,
) -> Option<Result<Arc<spirv::Module>, Problem>> {
    let compiled = CompiledRef::new(shader, gcn::Target::default());
    let (text, map) = shader_of(db, file, &compiled)?;
    let problem =
        |blocker: &CompileBlocker| blocker_problem(db, text, &map, compiled.target, blocker);
    if shaders::has_errors(db, text) {
        return Some(Err(problem(&CompileBlocker::Errors)));
    }
    if text.text(db).contains(tgsi::holes::HOLE) {
        return Some(Err(problem(&CompileBlocker::Hole)));
    }
    let index = shaders::line_index(db, file);
    let lines = statements(db, text, &map).into_iter();
    let lines = lines.map(|range| index.line(range.start()) + 1).collect();
    let parse = shaders::parse(db, text);
    let ast = parse.shader.as_ref()?;
    let environment: Environment = directives::environment(db, file, shader);
    let options = spirv::Options { environment, lines: Some(lines), ..spirv::Options::default() };
    Some(match spirv::translate(ast, &options) {
        Ok(module) => Ok(Arc::new(module)),
        Err(failures) => Err(problem(&CompileBlocker::Lowering(Arc::from(failures)))),
    })
}

/// The text of a shader's module.
pub(super) fn spirv_view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<CompiledView> {
    let mut document = Document::default();
    document.line(None, &format!("; {}", stage(db, file, compiled)));
    let module = match spirv(db, file, compiled.shader)? {
        Ok(module) => module,
        Err(problem) => {
            document.line(None, &format!("; {}", problem.message));
            return Some(document.finish(CompiledState::Unavailable, Some(problem.message)));
        }
    };
    let text = spirv::disassemble(&module.words).unwrap_or_default();
    let mut source = None;
    for line in text.lines() {
        source = spirv::source_line(line).unwrap_or(source);
        document.line(source.and_then(|line: u32| line.checked_sub(1)), line);
    }
    Some(document.finish(CompiledState::Fresh, None))
}
