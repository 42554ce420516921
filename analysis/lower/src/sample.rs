//! Texture access through sampler views: the opcodes named after Direct3D 10.
//!
//! They name view and sampler apart, and the shape stands in the view's
//! declaration. Values to compare with and levels have sources of their own.

use tgsi::ast::{Component, Instruction, Source};
use tgsi::opcodes::Lookup;
use tgsi::words::File;

use crate::context::{Emitted, Lowering};
use crate::coordinates::{Shape, ShapeKind};
use crate::failure::{invalid, unsupported};
use crate::texture::{TextureLookup, is_filtered};
use crate::values::Value;

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

pub(crate) fn sample(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let shape = lowering.filtered_view_shape(view)?;
    let form = instruction.info().lookup;
    let compares = matches!(form, Lookup::Compared | Lookup::ComparedZero);
    if compares && shape.axes == 3 && shape.kind != ShapeKind::Cube {
        return Err(unsupported(
            view.range,
            "comparison in a sampler view of target 3D".to_owned(),
        ));
    }
    let [image, sampler] = lowering.image_with_sampler(view, unit)?;
    let coordinates = lowering.floats(instruction, 0)?;
    // The value to compare with, the bias or the level.
    let last = match form {
        Lookup::Implicit | Lookup::Derivatives => Value::float(0.0),
        _ => lowering.float(instruction, 3, Component::X)?,
    };
    let reference = compares.then(|| lowering.compared(last, sampler));
    let detail = lowering.detail(instruction, last, 3)?;
    let swizzle = view.swizzle;
    let lookup = TextureLookup { shape, detail, image, sampler, coordinates, reference, swizzle };
    lowering.look_up(instruction, lookup)
}
