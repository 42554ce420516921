//! Semantics: in which file of which stage each may stand, with which index,
//! and what else its declaration may say.
//!
//! Facts: the `stages` column of `data/words.tsv`, and "Declaration Semantic"
//! and "Declaration Interpolate" of the Gallium documentation of 2020.

use rustc_hash::FxHashMap;
use source::{Diagnostic, TextRange};

use super::context::Context;
use crate::ast::{Declaration, WriteMask};
use crate::codes;
use crate::report::Report;
use crate::words::{File, Interpolation, PropertyName, SemanticName, Stage};

/// The semantics that room is made for before they come; few shaders have more.
const MOST_RESERVED: usize = 64;

/// Returns the places of a semantic: three bits for each stage, for `in`, `out` and `sv`.
fn places(name: SemanticName) -> u32 {
    let passed_on = if is_passed_on(name) { BETWEEN_STAGES } else { 0 };
    let chosen = if name == SemanticName::BackColor { FRAGMENT_INPUT } else { 0 };
    name.row().places | passed_on | chosen
}

/// The place of back colours in fragment shaders: drivers whose chips do not pick the side make
/// the shader do it.
const FRAGMENT_INPUT: u32 = 0b001 << (Stage::Fragment as u32 * 3);

/// The places between the vertex shader and the rasteriser.
const BETWEEN_STAGES: u32 = 0b010 << (Stage::Vertex as u32 * 3)
    | 0b011 << (Stage::TessellationControl as u32 * 3)
    | 0b011 << (Stage::TessellationEvaluation as u32 * 3)
    | 0b011 << (Stage::Geometry as u32 * 3);

/// Tells whether a semantic is passed from stage to stage up to the rasteriser. The documents name
/// the stages that such semantics began with; drivers pass them through tessellation and geometry
/// alike.
fn is_passed_on(name: SemanticName) -> bool {
    matches!(
        name,
        SemanticName::Position
            | SemanticName::Color
            | SemanticName::BackColor
            | SemanticName::Fog
            | SemanticName::PointSize
            | SemanticName::Generic
            | SemanticName::ClipDistance
            | SemanticName::ClipVertex
            | SemanticName::CullDistance
            | SemanticName::TextureCoordinate
    )
}

fn place(file: File) -> Option<u32> {
    match file {
        File::Input => Some(0),
        File::Output => Some(1),
        File::SystemValue => Some(2),
        _ => None,
    }
}

/// The highest index of a semantic in a place.
fn highest_index(stage: Stage, file: File, name: SemanticName) -> Option<u32> {
    match name {
        SemanticName::TextureCoordinate => Some(7),
        SemanticName::ClipDistance => Some(1),
        SemanticName::Color if stage == Stage::Fragment && file == File::Output => Some(7),
        SemanticName::Color | SemanticName::BackColor => Some(1),
        SemanticName::Position
        | SemanticName::Face
        | SemanticName::PointSize
        | SemanticName::EdgeFlag
        | SemanticName::Fog
        | SemanticName::Stencil
        | SemanticName::Layer
        | SemanticName::ViewportIndex
        | SemanticName::PrimitiveId => Some(0),
        _ => None,
    }
}

/// Checks one declaration for itself.
pub(super) fn check_declaration(stage: Stage, declaration: &Declaration, report: &mut Report) {
    let file = declaration.file.value;
    check_interpolation(stage, declaration, report);
    if let Some(streams) = declaration.streams
        && streams.value.iter().any(|stream| *stream > 3)
    {
        let message = "there are four vertex streams, 0 to 3";
        report.warning(codes::SEMANTIC_INDEX, streams.range, || message);
    }
    let Some(semantic) = declaration.semantic else { return };
    let Some(place) = place(file) else {
        report.warning(codes::SEMANTIC_PLACE, semantic.range, || {
            format!("{file} has no semantics; they are for IN, OUT and SV")
        });
        return;
    };
    let name = semantic.value.name;
    // What vertex shaders of old texts say of their inputs has its own hint,
    // and so have inputs and outputs of compute shaders.
    let reported = match file {
        File::Input => matches!(stage, Stage::Vertex | Stage::Compute),
        _ => file == File::Output && stage == Stage::Compute,
    };
    if reported {
        return;
    }
    if places(name) & (1 << (stage as u32 * 3 + place)) == 0 {
        report.warning(codes::SEMANTIC_PLACE, semantic.range, || {
            let places = name.row().stages;
            format!("{name} is not a semantic of {file} in {stage}; it is for {places}")
        });
        return;
    }
    let is_of_patch = matches!(
        name,
        SemanticName::Patch | SemanticName::TessellationOuter | SemanticName::TessellationInner
    );
    if is_of_patch && declaration.dimension.is_some() && file != File::SystemValue {
        report.warning(codes::REGISTER_DIMENSION, semantic.range, || {
            format!("a patch has {name} once, not for each vertex; its declaration has one bracket")
        });
    }
    let count = declaration.range.value.last - declaration.range.value.first;
    let last = semantic.value.index.saturating_add(count);
    if let Some(highest) = highest_index(stage, file, name)
        && last > highest
    {
        report.warning(codes::SEMANTIC_INDEX, semantic.range, || match highest {
            0 => format!("{name} has no index but 0"),
            _ => format!("the index of {name} is at most {highest}; {last} is declared"),
        });
    }
}

/// An input that says nothing is flat: each reader takes CONSTANT.
fn check_missing_interpolation(declaration: &Declaration, report: &mut Report) {
    let Some(semantic) = declaration.semantic else { return };
    let usual = match semantic.value.name {
        SemanticName::Color | SemanticName::BackColor => Interpolation::Color,
        SemanticName::Generic
        | SemanticName::TextureCoordinate
        | SemanticName::PointCoordinate
        | SemanticName::Fog => Interpolation::Perspective,
        _ => return,
    };
    report.push(|| {
        let message = "an input without an interpolation is CONSTANT: it has the value of one \
                       vertex on the whole primitive";
        let place = TextRange::empty(semantic.range.end());
        let fix = |word: Interpolation| (format!("Write `{word}`"), format!(", {word}"));
        let (title, insert) = fix(usual);
        let diagnostic =
            Diagnostic::warning(codes::MISSING_INTERPOLATION, declaration.file.range, message)
                .with_fix(title, place, insert);
        let (title, insert) = fix(Interpolation::Constant);
        diagnostic.with_fix(title, place, insert)
    });
}

fn check_interpolation(stage: Stage, declaration: &Declaration, report: &mut Report) {
    let is_fragment_input = stage == Stage::Fragment && declaration.file.value == File::Input;
    let Some(interpolation) = declaration.interpolation else {
        if is_fragment_input {
            check_missing_interpolation(declaration, report);
        }
        return;
    };
    // Vertex inputs have a hint of the parser.
    let is_vertex_input = stage == Stage::Vertex && declaration.file.value == File::Input;
    let integer = declaration.semantic.is_some_and(|semantic| {
        matches!(
            semantic.value.name,
            SemanticName::PrimitiveId | SemanticName::Layer | SemanticName::ViewportIndex
        )
    });
    if is_fragment_input && integer && interpolation.value != Interpolation::Constant {
        report.push(|| {
            let message = "this input is an integer: only CONSTANT keeps its bits";
            Diagnostic::warning(codes::INTEGER_INTERPOLATION, interpolation.range, message)
                .with_fix("Write `CONSTANT`", interpolation.range, "CONSTANT")
        });
    }
    if !is_fragment_input && !is_vertex_input {
        let message = "an interpolation means something for inputs of FRAG only";
        report.note(codes::INTERPOLATION_PLACE, interpolation.range, || message);
    }
}

/// Checks the declarations of a shader against each other and its properties.
pub(super) fn check_together(context: &Context<'_>, report: &mut Report) {
    check_repetition(context, report);
    if !context.gaps.hide_properties() {
        check_clip_distances(context, report);
        check_position(context, report);
    }
}

/// One semantic, index and component has one register.
fn check_repetition(context: &Context<'_>, report: &mut Report) {
    let mut seen: FxHashMap<(File, SemanticName, u32), WriteMask> = FxHashMap::default();
    seen.reserve(context.declarations.len().min(MOST_RESERVED));
    for (_, declaration) in &context.declarations {
        let (Some(semantic), Some(_)) = (declaration.semantic, place(declaration.file.value))
        else {
            continue;
        };
        let mask = declaration.components();
        let key = (declaration.file.value, semantic.value.name, semantic.value.index);
        let known = seen.entry(key).or_insert(WriteMask(0));
        if known.0 & mask.0 != 0 {
            // Drivers write 64-bit values of three components so.
            let message = "another register carries this semantic already";
            report.note(codes::DUPLICATE_SEMANTIC, semantic.range, || message);
        }
        known.0 |= mask.0;
    }
}

/// `NUM_CLIPDIST_ENABLED` and `NUM_CULLDIST_ENABLED` share the components of
/// two CLIPDIST registers.
fn check_clip_distances(context: &Context<'_>, report: &mut Report) {
    let clip = context.number(PropertyName::ClipDistancesEnabled);
    let cull = context.number(PropertyName::CullDistancesEnabled);
    let Some((_, range)) = clip.or(cull) else { return };
    let total = clip.map_or(0, |(n, _)| n).saturating_add(cull.map_or(0, |(n, _)| n));
    check_written_distances(context, total, range, report);
    if total > 8 {
        report.warning(codes::PROPERTY_VALUE, range, || {
            format!("clip and cull distances are 8 together; {total} are enabled")
        });
    }
}

/// Enabled distances stand in outputs, four in each.
fn check_written_distances(
    context: &Context<'_>,
    enabled: u32,
    range: TextRange,
    report: &mut Report,
) {
    let distances = context.declared(File::Output).filter_map(|output| {
        let semantic = output.semantic?.value;
        let is_distance =
            matches!(semantic.name, SemanticName::ClipDistance | SemanticName::CullDistance);
        let more = output.range.value.last.saturating_sub(output.range.value.first);
        let components = 8 - output.components().0.leading_zeros();
        let before = semantic.index.saturating_add(more).saturating_mul(4);
        is_distance.then_some(before.saturating_add(components))
    });
    let declared = distances.max().unwrap_or(0);
    if declared < enabled && !context.instructions.is_empty() && !context.gaps.hide(File::Output) {
        report.hint(codes::CLIP_DISTANCES, range, || {
            format!("{enabled} clip and cull distances are enabled; outputs have {declared}")
        });
    }
}

/// A vertex shader that a rasteriser follows says where the vertex is.
fn check_position(context: &Context<'_>, report: &mut Report) {
    use crate::ast::PropertyValue;
    let stage = context.stage.value;
    if !matches!(stage, Stage::Vertex | Stage::TessellationEvaluation) {
        return;
    }
    let next = context.value(PropertyName::NextShader);
    let goes_to_fragments =
        next.is_some_and(|(next, _)| next == PropertyValue::Stage(Stage::Fragment));
    let mut outputs = context.declared(File::Output).peekable();
    let has_outputs = outputs.peek().is_some();
    let has_position = outputs.any(|output| {
        output.semantic.is_some_and(|semantic| semantic.value.name == SemanticName::Position)
    });
    let message = if has_position || context.gaps.hide(File::Output) {
        return;
    } else if goes_to_fragments {
        "no output carries POSITION, and a fragment shader follows"
    } else if next.is_none() && has_outputs && !context.is_printed() {
        "no output carries POSITION: this is right only where GEOM or tessellation follows, or \
         nothing is drawn"
    } else {
        return;
    };
    report.hint(codes::MISSING_POSITION, context.stage.range, || message);
}
