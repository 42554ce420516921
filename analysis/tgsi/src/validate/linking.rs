//! Two shaders that run one after the other: what the second reads must be
//! what the first writes.
//!
//! Facts: "Declaration Semantic" and "Properties" of the Gallium documentation
//! of 2020. Outputs and inputs are joined by semantic and index, component by
//! component; register numbers mean nothing between stages.

mod interface;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use source::{Diagnostic, Severity};

use crate::Stage;
use crate::ast::{Semantic, WriteMask};
use crate::codes;
use crate::words::{Primitive, SemanticName};

pub use interface::Interface;
use interface::IoRegister;

/// The shader that a diagnostic about two is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one that writes.
    First,
    /// The one that reads.
    Second,
}

/// Tells whether shaders of these stages can be a pipeline, in this order: each stage once, and at
/// least two.
pub fn is_pipeline(stages: &[Stage]) -> bool {
    let place = |stage: &Stage| match stage {
        Stage::Vertex => Some(0),
        Stage::TessellationControl => Some(1),
        Stage::TessellationEvaluation => Some(2),
        Stage::Geometry => Some(3),
        Stage::Fragment => Some(4),
        Stage::Compute => None,
    };
    let places: Option<Vec<u8>> = stages.iter().map(place).collect();
    stages.len() > 1 && places.is_some_and(|places| places.is_sorted_by(|a, b| a < b))
}

/// Returns what is wrong between two shaders, the first of which feeds the second.
pub fn link(first: &Interface, second: &Interface) -> Vec<(Side, Diagnostic)> {
    let mut found = Vec::new();
    check_inputs(first, second, &mut found);
    check_outputs(first, second, &mut found);
    check_stages(first, second, &mut found);
    found
}

/// Returns how bad it is that nothing writes an input; `None` where something else than the stage
/// before fills it.
fn missing(name: SemanticName) -> Option<Severity> {
    match name {
        SemanticName::Generic | SemanticName::Patch | SemanticName::ClipDistance => {
            Some(Severity::Warning)
        }
        // Sprites and fixed functions may stand in.
        SemanticName::TextureCoordinate | SemanticName::Color | SemanticName::Fog => {
            Some(Severity::Hint)
        }
        _ => None,
    }
}

fn semantic_text(semantic: Semantic) -> String {
    format!("{}[{}]", semantic.name, semantic.index)
}

fn by_semantic(slots: &[IoRegister]) -> FxHashMap<Semantic, (u8, &IoRegister)> {
    let mut known: FxHashMap<Semantic, (u8, &IoRegister)> = FxHashMap::default();
    for slot in slots {
        known.entry(slot.semantic).or_insert((0, slot)).0 |= slot.mask;
    }
    known
}

fn check_inputs(first: &Interface, second: &Interface, found: &mut Vec<(Side, Diagnostic)>) {
    let outputs = by_semantic(&first.outputs);
    for input in second.inputs.iter().filter(|input| input.used) {
        let Some(severity) = missing(input.semantic.name) else { continue };
        let semantic = semantic_text(input.semantic);
        let stage = first.stage;
        let message = match outputs.get(&input.semantic) {
            None => format!("no output of {stage} carries {semantic}"),
            Some((mask, _)) if input.mask & !mask != 0 => {
                let lacking = WriteMask(input.mask & !mask).letters();
                format!("the output of {stage} that carries {semantic} has no `.{lacking}`")
            }
            Some((_, output)) => {
                if let (Some(ours), Some(theirs)) = (input.interpolation, output.interpolation)
                    && ours != theirs
                {
                    let message =
                        format!("{stage} declares {semantic} as {theirs}; here it is {ours}");
                    found.push((
                        Side::Second,
                        Diagnostic::hint(codes::LINK_STAGES, input.range, message),
                    ));
                }
                continue;
            }
        };
        let diagnostic = Diagnostic::new(codes::LINK_INPUT, severity, input.range, message);
        found.push((Side::Second, diagnostic));
    }
}

fn check_outputs(first: &Interface, second: &Interface, found: &mut Vec<(Side, Diagnostic)>) {
    let inputs = by_semantic(&second.inputs);
    for output in &first.outputs {
        let passed = matches!(output.semantic.name, SemanticName::Generic | SemanticName::Patch);
        // Outputs of a control shader are also shared between its invocations.
        let shared = first.stage == Stage::TessellationControl;
        if !passed || shared || inputs.contains_key(&output.semantic) {
            continue;
        }
        let semantic = semantic_text(output.semantic);
        let message = format!("no input of {} reads {semantic}", second.stage);
        found.push((Side::First, Diagnostic::hint(codes::LINK_OUTPUT, output.range, message)));
    }
}

/// Primitives, vertex counts, and what the first says of its successor.
fn check_stages(first: &Interface, second: &Interface, found: &mut Vec<(Side, Diagnostic)>) {
    let mut second_warns = |range, message: String| {
        found.push((Side::Second, Diagnostic::warning(codes::LINK_STAGES, range, message)));
    };
    if let (Some(made), Some((taken, range))) = (first.made, second.taken)
        && made != taken
    {
        let stage = first.stage;
        second_warns(range, format!("{stage} makes {made}, and this shader takes {taken}"));
    }
    if let (Some((vertices, _)), Some((vertex, range))) = (first.patch_vertices, second.last_vertex)
        && second.stage == Stage::TessellationEvaluation
        && vertex >= vertices
    {
        second_warns(
            range,
            format!("a patch of the control shader has {vertices} vertices, counted from 0"),
        );
    }
    if first.zero_wins != second.zero_wins {
        let stage = first.stage;
        let message = format!(
            "{stage} and {} differ in LEGACY_MATH_RULES (MUL_ZERO_WINS): whether it holds for \
             either is open",
            second.stage
        );
        second_warns(second.header, message);
    }
    if let (Some(range), false) = (first.window_position, second.stage == Stage::Fragment) {
        let message =
            format!("positions in the window are undefined where {} follows", second.stage);
        found.push((Side::First, Diagnostic::warning(codes::LINK_STAGES, range, message)));
    }
    let levels = |slot: &IoRegister| slot.semantic.name == SemanticName::TessellationOuter;
    if first.stage == Stage::TessellationControl
        && second.stage == Stage::TessellationEvaluation
        && !first.outputs.iter().any(levels)
    {
        let message = "no output carries TESSOUTER: nothing says how finely to divide the patch";
        let diagnostic = Diagnostic::warning(codes::LINK_STAGES, first.header, message);
        found.push((Side::First, diagnostic));
    }
    if let Some((next, range)) = first.next
        && next != second.stage
    {
        let message = format!("NEXT_SHADER says {next}, and {} follows", second.stage);
        found.push((Side::First, Diagnostic::hint(codes::LINK_STAGES, range, message)));
    }
}

/// The primitive that a tessellator makes of its mode, as a geometry shader
/// takes it. Numbers are those of the property `TES_PRIM_MODE`.
fn tessellated(mode: u32, points: bool) -> Option<Primitive> {
    match mode {
        _ if points => Some(Primitive::Points),
        1 => Some(Primitive::Lines),
        4 | 7 => Some(Primitive::Triangles),
        _ => None,
    }
}
