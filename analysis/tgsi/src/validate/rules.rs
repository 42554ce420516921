//! Runs the checks that know the whole shader: what the documents forbid or
//! leave undefined although every parser takes it.

use super::context::Context;
use super::{
    arrays, calls, cases, components, constants, dataflow, divergence, files, instructions, locals,
    operands, ordering, properties, resources, semantics, stages, textures, types, unused, values,
    view_results,
};
use crate::report::Report;
use crate::words::File;

/// Checks a shader.
pub(super) fn check(
    context: &Context<'_>,
    report: &mut Report,
    checkpoint: source::Checkpoint<'_>,
) {
    let stage = context.stage.value;
    for (number, (_, declaration)) in context.declarations.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        stages::check_declaration(stage, declaration, report);
        semantics::check_declaration(stage, declaration, report);
    }
    semantics::check_together(context, report);
    properties::check(context, report);
    let shapes = instructions::Shapes::new(context);
    let extents = arrays::Extents::new(context, report);
    let resources = resources::Resources::new(context, report);
    let values = values::Values::new(context);
    let components = components::Components::new(context);
    for (number, (instruction, row)) in context.instructions.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        // Its error is shown.
        if context.gaps.is_broken(number, instruction) {
            continue;
        }
        let glance = context.operands.glances[number];
        stages::check_opcode(stage, instruction, report);
        if files::may_differ(glance, row) {
            files::check(context, instruction, report);
        }
        textures::check(instruction, report);
        instructions::check(&shapes, instruction, glance, report);
        if extents.concern(glance) {
            arrays::check(&extents, instruction, report);
        }
        resources::check(&resources, instruction, report);
        values::check(&values, instruction, glance, report);
        if glance.offsets || glance.read & operands::files(&[File::Immediate]) != 0 {
            constants::check(context, instruction, report);
        }
        components::check(&components, instruction, glance, report);
    }
    arrays::check_emitted(context, report);
    cases::check(context, report);
    ordering::check_emitted(context, report);
    ordering::check_shared(context, report);
    types::check(context, report);
    divergence::check(context, report);
    components::check_masks(context, report);
    view_results::check(&resources, context, report);
    locals::check(context, report);
    textures::check_views(context, report);
    calls::check(context, report);
    unused::check(context, report);
    dataflow::check(context, report, checkpoint);
}
