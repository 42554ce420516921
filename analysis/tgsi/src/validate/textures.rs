//! Texture targets, offsets and sampler views by opcode.
//!
//! Facts: the texture opcodes of the Gallium documentation of 2020 (core ISA,
//! compute ISA, and declaration of sampler views).

use text::Diagnostic;

use super::context::Context;
use super::operations::{Family, Operation};
use crate::ast::Instruction;
use crate::codes;
use crate::report::Report;
use crate::words::{File, TextureTarget};

use TextureTarget as Target;

fn is_shadow(target: Target) -> bool {
    matches!(
        target,
        Target::Shadow1D
            | Target::Shadow2D
            | Target::ShadowRectangle
            | Target::ShadowArray1D
            | Target::ShadowArray2D
            | Target::ShadowCube
            | Target::ShadowCubeArray
    )
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

/// Why an opcode cannot take a target, and the opcode that can.
fn refusal(mnemonic: &str, target: Target) -> Option<(&'static str, Option<&'static str>)> {
    if target == Target::Unknown {
        return None;
    }
    let plain = |why| Some((why, None));
    match mnemonic {
        "TXF" | "TXF_LZ" if is_cube(target) => plain("cube maps cannot be fetched by texel"),
        "TXF" | "TXF_LZ" if is_shadow(target) => plain("a fetch compares nothing"),
        "TXF" | "TXF_LZ" | "TXQ" | "TXQS" | "SAMP2HND" => None,
        _ if is_unfiltered(target) => {
            let fetch = matches!(mnemonic, "TEX" | "TEX_LZ" | "TXL" | "TXB");
            Some(("its texels are fetched, never filtered", fetch.then_some("TXF")))
        }
        "TEX" | "TEX_LZ" if target == Target::ShadowCubeArray => Some((
            "four coordinates leave no component for the reference",
            (mnemonic == "TEX").then_some("TEX2"),
        )),
        "TEX2" if target != Target::ShadowCubeArray => {
            Some(("the reference fits into the coordinates", Some("TEX")))
        }
        "TXB" if matches!(target, Target::CubeArray | Target::ShadowCube) => {
            Some(("the coordinates leave no component for the bias", Some("TXB2")))
        }
        "TXL" if target == Target::CubeArray => {
            Some(("the coordinates leave no component for the level", Some("TXL2")))
        }
        "TXB2" | "TXL2" if !is_cube(target) || target == Target::Cube => {
            plain("it is for arrays of cube maps and for shadow cube maps")
        }
        "TG4"
            if !is_cube(target)
                && !matches!(
                    target,
                    Target::Texture2D
                        | Target::Rectangle
                        | Target::Array2D
                        | Target::Shadow2D
                        | Target::ShadowRectangle
                        | Target::ShadowArray2D
                ) =>
        {
            plain("four texels are gathered from 2D textures, cube maps and their arrays only")
        }
        _ => None,
    }
}

/// Checks the target and the offsets of one instruction.
pub(super) fn check(instruction: &Instruction, operation: &Operation, report: &mut Report) {
    if operation.family != Family::Texture {
        return;
    }
    let Some(target) = instruction.target else { return };
    let mnemonic = operation.row.mnemonic;
    if let Some((why, other)) = refusal(mnemonic, target.value) {
        report.push(|| {
            let hint = other.map(|other| format!("; `{other}` is the opcode for it"));
            let message = format!(
                "`{mnemonic}` cannot take the target {}: {why}{}",
                target.value,
                hint.unwrap_or_default()
            );
            Diagnostic::warning(codes::TEXTURE_TARGET, target.range, message)
        });
    }
    let (Some(first), Some(last)) = (instruction.offsets.first(), instruction.offsets.last())
    else {
        return;
    };
    let why = match mnemonic {
        "TXQ" | "TXQS" | "LODQ" | "SAMP2HND" => Some("a query takes no offset"),
        _ if is_cube(target.value) => Some("a cube map takes no offset"),
        _ if target.value == Target::Buffer => Some("a buffer takes no offset"),
        _ if instruction.offsets.len() > 1 && mnemonic != "TG4" => {
            Some("only `TG4` takes more than one offset")
        }
        _ => None,
    };
    if let Some(why) = why {
        let range = first.range.cover(last.range);
        report.push(|| Diagnostic::warning(codes::TEXTURE_OFFSET, range, why));
    }
}

/// Checks what all texture accesses of a shader have in common: that one
/// family is used, and that sampler views are declared for all samplers or none.
pub(super) fn check_views(context: &Context<'_>, report: &mut Report) {
    let family = |wanted: fn(Family) -> bool| {
        context.instructions.iter().find(|(_, operation)| wanted(operation.family))
    };
    let classic = family(|family| family == Family::Texture);
    let view = family(|family| matches!(family, Family::View { .. }));
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
    if views.is_empty() || classic.is_none() {
        return;
    }
    let covered = |number: u32| {
        views.iter().any(|view| {
            let range = view.range.value;
            (range.first..=range.last).contains(&number)
        })
    };
    let mut named: Vec<u32> = Vec::new();
    for (instruction, operation) in &context.instructions {
        if operation.family != Family::Texture {
            continue;
        }
        let Some(sampler) = instruction.sources.last() else { continue };
        let register = sampler.register;
        let Ok(number) = u32::try_from(register.index.offset) else { continue };
        if register.file != File::Sampler
            || register.index.indirect.is_some()
            || named.contains(&number)
        {
            continue;
        }
        named.push(number);
        if !covered(number) {
            report.push(|| {
                let message = format!(
                    "`SVIEW[{number}]` is not declared, while other samplers have their view"
                );
                Diagnostic::hint(codes::MISSING_VIEW, register.range, message)
            });
        }
        // Drivers have far fewer samplers; the search above stays short.
        if named.len() == 256 {
            break;
        }
    }
}
