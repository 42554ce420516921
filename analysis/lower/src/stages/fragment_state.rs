//! Additions of the state to a fragment shader: before it begins, and to its inputs.

use tgsi::ast::{Component, PropertyValue};
use tgsi::words::{CoordinateOrigin, PropertyName, SemanticName};

use crate::context::Lowering;
use crate::declared::Input;
use crate::internal_buffers::POLYGON_STIPPLE;
use crate::values::{Type, Value};

/// The lowest bits of a coordinate say where in the pattern a pixel lies.
const PATTERN_BITS: i32 = 5;

impl Lowering<'_> {
    /// Discards the fragment where the pattern of polygons has a hole.
    pub(crate) fn discard_holes(&mut self) {
        if !self.environment.polygon_stipple {
            return;
        }
        let column = self.argument_field("fixed_position", 0, PATTERN_BITS);
        let row = self.argument_field("fixed_position", 16, PATTERN_BITS);
        let pattern = self.internal_buffer(POLYGON_STIPPLE);
        let builder = &mut self.builder;
        let place = builder.binary("shl", row, Value::int(2));
        let bits = builder.constant_word(pattern, place);
        let bits = builder.bitcast(bits, Type::I32);
        let shifted = builder.binary("lshr", bits, column);
        let bit = builder.convert("trunc", shifted, Type::I1);
        self.keep(bit);
    }

    /// The attribute with the back colour of an input, where it counts: behind
    /// all inputs, that of colour 1 behind that of colour 0 if both are read.
    pub(crate) fn back_color(&self, input: Input) -> Option<Value> {
        let semantic = input.semantic?;
        if !self.environment.two_sided_color || semantic.name != SemanticName::Color {
            return None;
        }
        let is_first = |input: &Input| {
            input.semantic.is_some_and(|it| it.name == SemanticName::Color && it.index == 0)
        };
        let behind = semantic.index > 0 && self.declared.inputs.values().any(is_first);
        Some(Value::uint(self.attribute_count() + u32::from(behind)))
    }

    /// The components of a place in a point sprite that are always the same.
    pub(crate) fn sprite_constant(&self, input: Input, component: Component) -> Option<Value> {
        let semantic = input.semantic?;
        let may_be = [SemanticName::Generic, SemanticName::TextureCoordinate];
        let set = self.environment.sprite_coordinates.checked_shr(semantic.index).unwrap_or(0);
        if !may_be.contains(&semantic.name) || set & 1 == 0 {
            return None;
        }
        match component {
            Component::Z => Some(Value::float(0.0)),
            Component::W => Some(Value::float(1.0)),
            Component::X | Component::Y => None,
        }
    }

    /// A height above the upper edge as one above the origin that the shader
    /// declares.
    pub(crate) fn above_origin(&mut self, y: Value) -> Value {
        let origin = self.declared.property_value(PropertyName::CoordinateOrigin);
        let height = self.environment.framebuffer_height;
        if height == 0 || origin != Some(PropertyValue::Origin(CoordinateOrigin::LowerLeft)) {
            return y;
        }
        self.builder.binary("fsub", Value::float(height.into()), y)
    }

    /// The samples that a run of the shader covers: of those of the pixel, with
    /// several runs, every so many from its own on.
    pub(crate) fn shaded_coverage(&mut self) -> Value {
        let covered = self.integer_argument("sample_coverage");
        let every = match self.environment.shaded_samples {
            2 => 0x5555,
            4 => 0x1111,
            8 => 0x0101,
            16 => 0x0001,
            _ => return covered,
        };
        let sample = self.ancillary_field(8, 4);
        let own = self.builder.binary("shl", Value::int(every), sample);
        self.builder.binary("and", covered, own)
    }
}
