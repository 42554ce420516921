//! Runs the checks that know the whole shader: what the documents forbid or
//! leave undefined although every parser takes it.

use super::context::Context;
use super::{
    arrays, calls, cases, components, constants, dataflow, divergence, files, instructions, locals,
    ordering, properties, resources, semantics, stages, textures, types, unused, values,
    view_results,
};
use crate::ast::Shader;
use crate::report::Report;

/// Checks a shader.
pub(super) fn check(shader: &Shader, report: &mut Report, checkpoint: source::Checkpoint<'_>) {
    let context = Context::new(shader);
    let stage = context.stage.value;
    for (number, (_, declaration)) in context.declarations.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        stages::check_declaration(stage, declaration, report);
        semantics::check_declaration(stage, declaration, report);
    }
    semantics::check_together(&context, report);
    properties::check(&context, report);
    let shapes = instructions::Shapes::new(&context);
    let extents = arrays::Extents::new(&context, report);
    let resources = resources::Resources::new(&context, report);
    let values = values::Values::new(&context);
    let components = components::Components::new(&context);
    for (number, (instruction, _)) in context.instructions.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        // Its error is shown.
        if context.gaps.is_broken(number, instruction) {
            continue;
        }
        stages::check_opcode(stage, instruction, report);
        files::check(&context, instruction, report);
        textures::check(instruction, report);
        instructions::check(&shapes, instruction, report);
        arrays::check(&extents, instruction, report);
        resources::check(&resources, instruction, report);
        values::check(&values, instruction, report);
        constants::check(&context, instruction, report);
        components::check(&components, instruction, report);
    }
    arrays::check_emitted(&context, report);
    cases::check(&context, report);
    ordering::check_emitted(&context, report);
    ordering::check_shared(&context, report);
    types::check(&context, report);
    divergence::check(&context, report);
    components::check_masks(&context, report);
    view_results::check(&resources, &context, report);
    locals::check(&context, report);
    textures::check_views(&context, report);
    calls::check(&context, report);
    unused::check(&context, report);
    dataflow::check(&context, report, checkpoint);
}
