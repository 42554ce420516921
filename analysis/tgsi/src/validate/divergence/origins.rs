//! Registers that hold another value in each invocation from the beginning: interpolated inputs
//! and some system values.
//!
//! Facts: "Declaration Semantic" of the Gallium documentation of 2020.

use super::DIFFERS;
use crate::ast::Register;
use crate::validate::context::Context;
use crate::words::{File, Interpolation, PropertyName, SemanticName, Stage};

/// The most ranges that are searched for each operand; real shaders have less.
const MOST_RANGES: usize = 64;

/// The registers that hold different values from the beginning.
pub(super) struct Origins {
    /// First and last register, and the components.
    inputs: Vec<(u32, u32, u8)>,
    system_values: Vec<(u32, u32, u8)>,
}

impl Origins {
    pub(super) fn new(context: &Context<'_>) -> Origins {
        let stage = context.stage.value;
        let mut origins = Origins { inputs: Vec::new(), system_values: Vec::new() };
        for (_, declared) in &context.declarations {
            let range = declared.range.value;
            let (into, mask) = match declared.file.value {
                File::Input if stage == Stage::Fragment => {
                    let interpolated = declared.interpolation.is_some_and(|it| {
                        matches!(it.value, Interpolation::Linear | Interpolation::Perspective)
                    });
                    (&mut origins.inputs, if interpolated { DIFFERS } else { 0 })
                }
                File::SystemValue => {
                    let name = declared.semantic.map(|it| it.value.name);
                    let mask = name.map_or(0, |name| differing(context, name));
                    (&mut origins.system_values, mask)
                }
                _ => continue,
            };
            if mask != 0 && into.len() < MOST_RANGES {
                into.push((range.first, range.last, mask));
            }
        }
        origins
    }

    pub(super) fn of(&self, register: &Register) -> u8 {
        let known = match register.file {
            File::Input => &self.inputs,
            File::SystemValue => &self.system_values,
            _ => return 0,
        };
        let Some(number) = register.number() else { return 0 };
        let found = known.iter().find(|(first, last, _)| (*first..=*last).contains(&number));
        found.map_or(0, |(_, _, mask)| *mask)
    }
}

/// The components of a system value that differ within a group or a quad.
fn differing(context: &Context<'_>, name: SemanticName) -> u8 {
    // Each may be set to 1.
    let hidden = context.gaps.hide_properties();
    match (context.stage.value, name) {
        (Stage::Compute | Stage::TessellationControl, _) if hidden => 0,
        (Stage::Compute, SemanticName::ThreadId) => {
            let sizes =
                [PropertyName::BlockWidth, PropertyName::BlockHeight, PropertyName::BlockDepth];
            let single = |size: &PropertyName| context.number(*size).is_some_and(|(n, _)| n == 1);
            let sizes = sizes.iter().enumerate();
            sizes.filter(|(_, size)| !single(size)).fold(0, |mask, (place, _)| mask | 1 << place)
        }
        (Stage::TessellationControl, SemanticName::InvocationId) => {
            let vertices = context.number(PropertyName::ControlVerticesOut);
            if vertices.is_some_and(|(vertices, _)| vertices == 1) { 0 } else { DIFFERS }
        }
        (Stage::Fragment, SemanticName::SampleId | SemanticName::SamplePosition) => DIFFERS,
        (Stage::Fragment, SemanticName::HelperInvocation) => DIFFERS,
        (Stage::Fragment, SemanticName::Position) => 0b0111,
        _ => 0,
    }
}
