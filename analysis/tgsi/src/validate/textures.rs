//! Texture targets, offsets and sampler views by opcode.
//!
//! Facts: the texture opcodes of the Gallium documentation of 2020 (core ISA,
//! compute ISA, and declaration of sampler views).

use source::Diagnostic;

use super::context::Context;
use crate::ast::Instruction;
use crate::codes;
use crate::coordinates::{Coordinates, crowded_out};
use crate::opcodes::{Family, Lookup, Opcode};
use crate::report::Report;
use crate::words::{File, TextureTarget};

use TextureTarget as Target;

pub(super) fn is_shadow(target: Target) -> bool {
    Coordinates::of(target).compares
}

fn is_cube(target: Target) -> bool {
    matches!(
        target,
        Target::Cube | Target::CubeArray | Target::ShadowCube | Target::ShadowCubeArray
    )
}

/// Targets that are fetched and queried, never filtered.
fn is_unfiltered(target: Target) -> bool {
    matches!(target, Target::Buffer | Target::Multisample2D | Target::MultisampleArray2D)
}

/// Returns why an opcode cannot take a target, and the opcode that can.
#[deny(clippy::wildcard_enum_match_arm)]
fn refusal(opcode: Opcode, target: Target) -> Option<(&'static str, Option<Opcode>)> {
    if target == Target::Unknown {
        return None;
    }
    let plain = |why| Some((why, None));
    let lookup = opcode.row().lookup;
    if is_unfiltered(target) && lookup.filters() {
        let fetch =
            matches!(lookup, Lookup::Implicit | Lookup::Zero | Lookup::Level | Lookup::Bias);
        return Some(("its texels are fetched, never filtered", fetch.then_some(Opcode::TXF)));
    }
    match lookup {
        Lookup::Fetch | Lookup::FetchZero if is_cube(target) => {
            plain("cube maps cannot be fetched by texel")
        }
        Lookup::Fetch | Lookup::FetchZero if is_shadow(target) => plain("a fetch compares nothing"),
        Lookup::Implicit2 if target != Target::ShadowCubeArray => {
            Some(("the reference fits into the coordinates", Some(Opcode::TEX)))
        }
        Lookup::Bias2 | Lookup::Level2
            if target != Target::ShadowArray2D && (!is_cube(target) || target == Target::Cube) =>
        {
            plain("it is for targets that need all four coordinates")
        }
        Lookup::Gather if !is_gathered(target) => {
            plain("four texels are gathered from 2D textures, cube maps and their arrays only")
        }
        Lookup::None
        | Lookup::Implicit
        | Lookup::Implicit2
        | Lookup::Zero
        | Lookup::Projected
        | Lookup::Bias
        | Lookup::Bias2
        | Lookup::Level
        | Lookup::Level2
        | Lookup::Derivatives
        | Lookup::Compared
        | Lookup::ComparedZero
        | Lookup::Gather
        | Lookup::Fetch
        | Lookup::FetchZero
        | Lookup::FetchSample
        | Lookup::Size
        | Lookup::Samples
        | Lookup::Position
        | Lookup::Detail => None,
    }
}

/// Tells whether four texels can be gathered from a target.
fn is_gathered(target: Target) -> bool {
    is_cube(target)
        || matches!(
            target,
            Target::Texture2D
                | Target::Rectangle
                | Target::Array2D
                | Target::Shadow2D
                | Target::ShadowRectangle
                | Target::ShadowArray2D
        )
}

/// The opcode that has an operand of its own for what the coordinates leave no room for.
fn roomier(lookup: Lookup) -> Option<Opcode> {
    match lookup {
        Lookup::Implicit => Some(Opcode::TEX2),
        Lookup::Bias => Some(Opcode::TXB2),
        Lookup::Level => Some(Opcode::TXL2),
        _ => None,
    }
}

/// Checks the target and the offsets of one instruction.
pub(super) fn check(instruction: &Instruction, report: &mut Report) {
    let row = instruction.info();
    if row.family != Family::Texture {
        return;
    }
    let Some(target) = instruction.target else { return };
    let mnemonic = row.mnemonic;
    if let Some((why, other)) = refusal(row.opcode, target.value) {
        report.warning(codes::TEXTURE_TARGET, target.range, || {
            let hint = other.map(|other| format!("; `{other:?}` is the opcode for it"));
            format!(
                "`{mnemonic}` cannot take the target {}: {why}{}",
                target.value,
                hint.unwrap_or_default()
            )
        });
    }
    if let Some(what) = crowded_out(row.lookup, target.value) {
        report.warning(codes::TEXTURE_TARGET, target.range, || {
            let hint = roomier(row.lookup)
                .map_or(String::new(), |other| format!("; `{other:?}` is the opcode for it"));
            format!(
                "`{mnemonic}` cannot take the target {}: the coordinates leave no component for \
                 {what}{hint}",
                target.value
            )
        });
    }
    let (Some(first), Some(last)) = (instruction.offsets.first(), instruction.offsets.last())
    else {
        return;
    };
    let why = if row.lookup.asks() {
        Some("a query takes no offset")
    } else if is_cube(target.value) {
        Some("a cube map takes no offset")
    } else if target.value == Target::Buffer {
        Some("a buffer takes no offset")
    } else {
        let many = instruction.offsets.len() > 1 && row.lookup != Lookup::Gather;
        many.then_some("only `TG4` takes more than one offset")
    };
    if let Some(why) = why {
        let range = first.range.cover(last.range);
        report.warning(codes::TEXTURE_OFFSET, range, || why);
    }
}

/// Checks what all texture accesses of a shader have in common: that one
/// family is used, and that sampler views are declared for all samplers or none.
pub(super) fn check_views(context: &Context<'_>, report: &mut Report) {
    if ![Family::Texture, Family::Sample, Family::View].iter().any(|it| context.has(*it)) {
        return;
    }
    let family = |wanted: fn(Family) -> bool| {
        context.instructions.iter().find(|(_, row)| wanted(row.family))
    };
    let classic = family(|family| family == Family::Texture);
    let view = family(|family| matches!(family, Family::Sample | Family::View));
    if let (Some((classic, _)), Some((view, _))) = (classic, view) {
        let (first, second) =
            if classic.ordinal < view.ordinal { (classic, view) } else { (view, classic) };
        report.push(|| {
            let message = "the TEX and the SAMPLE opcodes must not be mixed in one shader";
            Diagnostic::warning(codes::MIXED_SAMPLING, second.opcode.range, message)
                .with_related(first.opcode.range, "an opcode of the other family")
        });
        return;
    }
    let views: Vec<_> = context.declared(File::SamplerView).collect();
    if views.is_empty() || classic.is_none() || context.gaps.hide(File::SamplerView) {
        return;
    }
    let covered = |number: u32| views.iter().any(|view| view.range.value.contains(number));
    let mut named: Vec<u32> = Vec::new();
    for (instruction, row) in &context.instructions {
        if row.family != Family::Texture {
            continue;
        }
        let Some(sampler) = instruction.sources.last() else { continue };
        let register = sampler.register;
        let Some(number) = register.number() else { continue };
        if register.file != File::Sampler || named.contains(&number) {
            continue;
        }
        named.push(number);
        if !covered(number) {
            report.hint(codes::MISSING_VIEW, register.range, || {
                format!("`SVIEW[{number}]` is not declared, while other samplers have their view")
            });
        }
        // Drivers have far fewer samplers; the search above stays short.
        if named.len() == 256 {
            break;
        }
    }
}
