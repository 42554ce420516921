//! Texture access through sampler views: the opcodes named after Direct3D 10.
//!
//! They name view and sampler apart, and the shape stands in the view's
//! declaration. Values to compare with and levels have sources of their own.

use tgsi::Opcode;
use tgsi::ast::{Component, Instruction, Source};
use tgsi::words::File;

use crate::context::{Emitted, Lowering};
use crate::coordinates::{Kind, Shape};
use crate::emitter::{Emitter, Table};
use crate::failure::{invalid, unsupported};
use crate::texture::{Detail, Lookup, is_filtered};
use crate::values::Value;

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::SAMPLE, Emitter::Instruction(|l, i| sample(l, i, Detail::Implicit, Compare::No))),
    (Opcode::SAMPLE_B, Emitter::Instruction(|l, i| sample(l, i, Detail::Bias, Compare::No))),
    (Opcode::SAMPLE_L, Emitter::Instruction(|l, i| sample(l, i, Detail::Level, Compare::No))),
    (Opcode::SAMPLE_D, Emitter::Instruction(|l, i| sample(l, i, Detail::Derivatives, Compare::No))),
    (Opcode::SAMPLE_C, Emitter::Instruction(|l, i| sample(l, i, Detail::Implicit, Compare::Yes))),
    (
        Opcode::SAMPLE_C_LZ,
        Emitter::Instruction(|l, i| sample(l, i, Detail::LevelZero, Compare::Yes)),
    ),
];

/// Tells opcodes that compare texels with a value from those that do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compare {
    No,
    Yes,
}

impl Lowering<'_> {
    /// The shape that a view is declared with.
    pub(crate) fn view_shape(&self, view: &Source) -> Emitted<Shape> {
        let register = &view.register;
        if !matches!(register.file, File::SamplerView | File::Resource) {
            let construct = format!("{} as sampler view", register.file);
            return Err(unsupported(register.range, construct));
        }
        let index = u32::try_from(register.index.offset).unwrap_or(0);
        let Some(declared) = self.declared.sampler_views.get(&index) else {
            let message = format!("SVIEW[{index}] is not declared with a target");
            return Err(invalid(register.range, "register SVIEW", message));
        };
        let target = declared.target.value;
        Shape::of(target)
            .ok_or_else(|| unsupported(register.range, format!("sampler view of target {target}")))
    }

    /// The shape that a view to be filtered is declared with.
    pub(crate) fn filtered_view_shape(&self, view: &Source) -> Emitted<Shape> {
        let shape = self.view_shape(view)?;
        if is_filtered(shape) {
            return Ok(shape);
        }
        let construct = "filtering of a sampler view of target BUFFER or 2D_MSAA".to_owned();
        Err(unsupported(view.range, construct))
    }
}

fn sample(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    detail: Detail,
    compare: Compare,
) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let shape = lowering.filtered_view_shape(view)?;
    if compare == Compare::Yes && shape.axes == 3 && shape.kind != Kind::Cube {
        return Err(unsupported(
            view.range,
            "comparison in a sampler view of target 3D".to_owned(),
        ));
    }
    let [image, sampler] = lowering.image_with_sampler(view, unit)?;
    let coordinates = lowering.floats(instruction, 0)?;
    let level = match detail {
        Detail::Bias | Detail::Level => lowering.float(instruction, 3, Component::X)?,
        _ => Value::float(0.0),
    };
    let reference = match compare {
        Compare::Yes => {
            let value = lowering.float(instruction, 3, Component::X)?;
            Some(lowering.compared(value, sampler))
        }
        Compare::No => None,
    };
    let derivatives = match detail {
        Detail::Derivatives => Some(lowering.derivatives(instruction, 3)?),
        _ => None,
    };
    let swizzle = view.swizzle;
    let lookup = Lookup {
        shape,
        detail,
        image,
        sampler,
        coordinates,
        level,
        reference,
        derivatives,
        swizzle,
    };
    lowering.look_up(instruction, lookup)
}
