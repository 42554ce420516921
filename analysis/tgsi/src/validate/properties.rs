//! Properties: their stage, their values, and what they need of each other.
//!
//! Facts: "Properties" of the Gallium documentation of 2020 and the `stages`
//! column of `data/words.tsv`.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Severity, TextRange};

use super::context::Context;
use crate::ast::{Property, PropertyValue};
use crate::codes;
use crate::report::Report;
use crate::words::{File, Primitive, PropertyName, SemanticName, Stage};

use PropertyName as Name;

/// Checks all properties of a shader.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    let mut seen: FxHashMap<Name, (PropertyValue, TextRange)> = FxHashMap::default();
    for (statement, property) in &context.properties {
        let (Some(name), Some(value)) = (property.name, property.value) else { continue };
        check_stage(context.stage.value, property, statement.range, report);
        if let Some(why) = bad_value(name.value, value.value) {
            report.warning(codes::PROPERTY_VALUE, value.range, || why);
        }
        if let Some((first, range)) = seen.insert(name.value, (value.value, value.range))
            && first != value.value
        {
            report.push(|| {
                let message = format!("{} has another value already", name.value);
                Diagnostic::warning(codes::PROPERTY_REPEATED, value.range, message)
                    .with_related(range, "the first value, which this one replaces")
            });
        }
    }
    if !context.gaps.hide_properties() {
        check_dependencies(context, report);
        check_required(context, report);
    }
}

fn check_stage(stage: Stage, property: &Property, statement: TextRange, report: &mut Report) {
    let Some(name) = property.name else { return };
    let stages = name.value.row().stages;
    // Every stage but the last of a pipeline may name the next one.
    let is_last = matches!(stage, Stage::Fragment | Stage::Compute);
    let any = stages == "any" || name.value == Name::NextShader && !is_last;
    if any || stages.split(", ").any(|word| word == stage.word()) {
        return;
    }
    report.push(|| {
        let message =
            format!("{} is a property of {stages} and says nothing in {stage}", name.value);
        Diagnostic::warning(codes::PROPERTY_STAGE, name.range, message).with_fix(
            "Remove the property",
            statement,
            "",
        )
    });
}

/// Returns why a property cannot have a value.
fn bad_value(name: Name, value: PropertyValue) -> Option<&'static str> {
    let number = match value {
        PropertyValue::Number(number) => number,
        PropertyValue::Primitive(primitive) => return bad_primitive(name, primitive),
        _ => return None,
    };
    match name {
        _ if is_switch(name) && number > 1 => Some("this property is 0 or 1"),
        Name::DepthLayout if number > 4 => {
            Some("depth layouts are 0 none, 1 any, 2 greater, 3 less and 4 unchanged")
        }
        Name::EvaluationPrimitiveMode if ![1, 4, 7].contains(&number) => {
            Some("the tessellator makes lines (1), triangles (4) or quads (7)")
        }
        Name::EvaluationSpacing if number > 2 => {
            Some("spacings are 0 fractional odd, 1 fractional even and 2 equal")
        }
        Name::ClipDistancesEnabled | Name::CullDistancesEnabled if number > 8 => {
            Some("there are at most 8 distances")
        }
        Name::UserDataComponents if number == 0 || number > 4 => {
            Some("user data has 1 to 4 components")
        }
        Name::ControlVerticesOut if number == 0 || number > 32 => {
            Some("a patch has 1 to 32 vertices")
        }
        Name::GeometryInvocations if number == 0 => Some("a geometry shader runs at least once"),
        _ => None,
    }
}

/// Tells whether a property is on or off, and nothing else.
fn is_switch(name: Name) -> bool {
    name.row().value == "0 or 1" || name == Name::EvaluationClockwise
}

fn bad_primitive(name: Name, primitive: Primitive) -> Option<&'static str> {
    use Primitive::{LineStrip, Lines, LinesAdjacency, Points, TriangleStrip, Triangles};
    match name {
        Name::GeometryOutputPrimitive
            if !matches!(primitive, Points | LineStrip | TriangleStrip) =>
        {
            Some("a geometry shader makes POINTS, LINE_STRIP or TRIANGLE_STRIP")
        }
        Name::GeometryInputPrimitive
            if !matches!(primitive, Points | Lines | LinesAdjacency | Triangles)
                && primitive != Primitive::TrianglesAdjacency =>
        {
            Some(
                "a geometry shader takes POINTS, LINES, LINES_ADJACENCY, TRIANGLES or \
                 TRIANGLES_ADJACENCY",
            )
        }
        _ => None,
    }
}

/// Tells whether a property is there and not zero; its name's range.
fn set(context: &Context<'_>, name: Name) -> Option<TextRange> {
    let property = context.property(name)?;
    let zero = property.value.is_none_or(|value| value.value == PropertyValue::Number(0));
    if zero { None } else { Some(property.name?.range) }
}

fn check_dependencies(context: &Context<'_>, report: &mut Report) {
    if let Some(range) = set(context, Name::PostDepthCoverage)
        && set(context, Name::EarlyDepthStencil).is_none()
    {
        report.push(|| {
            let message = "FS_POST_DEPTH_COVERAGE needs FS_EARLY_DEPTH_STENCIL: coverage after a \
                           test that comes later is not known";
            Diagnostic::warning(codes::PROPERTY_DEPENDENCY, range, message).with_fix(
                "Add `PROPERTY FS_EARLY_DEPTH_STENCIL 1`",
                TextRange::empty(context.stage.range.end()),
                "\nPROPERTY FS_EARLY_DEPTH_STENCIL 1",
            )
        });
    }
    check_place(context, report);
    check_depth(context, report);
    let sizes = [Name::BlockWidth, Name::BlockHeight, Name::BlockDepth];
    let known = sizes.map(|name| set(context, name));
    if let Some(range) = known.iter().flatten().next()
        && known.iter().any(Option::is_none)
    {
        let message = "width, height and depth of a block are all fixed or none";
        report.warning(codes::PROPERTY_DEPENDENCY, *range, || message);
    }
}

/// Positions in the window leave nothing to do for the stages between.
fn check_place(context: &Context<'_>, report: &mut Report) {
    let Some((PropertyValue::Stage(stage), _)) = context.value(Name::NextShader) else { return };
    if let Some(range) = set(context, Name::WindowSpacePosition)
        && stage != Stage::Fragment
    {
        report.warning(codes::PROPERTY_DEPENDENCY, range, || {
            format!(
                "VS_WINDOW_SPACE_POSITION is undefined where {stage} follows, as NEXT_SHADER says"
            )
        });
    }
}

/// Checks that a depth is written, and that it does not come too late.
fn check_depth(context: &Context<'_>, report: &mut Report) {
    if context.stage.value != Stage::Fragment || context.instructions.is_empty() {
        return;
    }
    let depth = context.declared(File::Output).find_map(|output| {
        output.semantic.filter(|semantic| semantic.value.name == SemanticName::Position)
    });
    if let (Some(range), None) = (set(context, Name::DepthLayout), depth)
        && !context.gaps.hide(File::Output)
    {
        let message = "FS_DEPTH_LAYOUT says how the depth changes, and no output is a depth";
        report.hint(codes::PROPERTY_DEPENDENCY, range, || message);
    }
    if let (Some(range), Some(depth)) = (set(context, Name::EarlyDepthStencil), depth) {
        report.push(|| {
            let message = "the depth test runs before the shader, as FS_EARLY_DEPTH_STENCIL says: \
                           the depth that is written comes too late";
            Diagnostic::hint(codes::PROPERTY_DEPENDENCY, depth.range, message)
                .with_related(range, "the property")
        });
    }
}

/// Tells whether a geometry shader is of the time before there were properties: it declares
/// its inputs without vertices and semantics.
fn is_of_2007(context: &Context<'_>) -> bool {
    let mut inputs = context.declared(File::Input).peekable();
    context.stage.value == Stage::Geometry
        && context.properties.is_empty()
        && inputs.peek().is_some()
        && inputs.all(|input| input.dimension.is_none() && input.semantic.is_none())
}

/// Checks for the properties that a stage cannot do without.
fn check_required(context: &Context<'_>, report: &mut Report) {
    let required: &[&[Name]] = match context.stage.value {
        Stage::Geometry => &[
            &[Name::GeometryInputPrimitive],
            &[Name::GeometryOutputPrimitive],
            &[Name::GeometryMaxOutputVertices, Name::GeometryMaxVertices],
        ],
        Stage::TessellationControl => &[&[Name::ControlVerticesOut]],
        Stage::TessellationEvaluation => &[&[Name::EvaluationPrimitiveMode]],
        _ => return,
    };
    // A text without instructions declares and does nothing.
    if context.instructions.is_empty() || is_of_2007(context) {
        return;
    }
    for names in required {
        if names.iter().any(|name| context.property(*name).is_some()) {
            continue;
        }
        // The first geometry shaders came before their limit did.
        let limit = names[0] == Name::GeometryMaxOutputVertices;
        let severity = if limit { Severity::Hint } else { Severity::Warning };
        report.push(|| {
            let message = format!("{} does not say its {}", context.stage.value, names[0]);
            Diagnostic::new(codes::MISSING_PROPERTY, severity, context.stage.range, message)
        });
    }
}
