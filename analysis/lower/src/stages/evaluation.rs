//! The tessellation evaluation stage: its inputs and system values.

use tgsi::ast::{Component, PropertyValue, Register};
use tgsi::words::{Primitive, PropertyName, SemanticName};

use crate::context::{Emitted, Lowering};
use crate::slots::{Attribute, Varying};
use crate::values::{Type, Value};

impl Lowering<'_> {
    /// One component of an input.
    pub(crate) fn evaluation_input(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let attribute = self.attribute_place(register)?;
        Ok(self.load_offchip(&attribute, component))
    }

    /// Tells whether the patch is a triangle, whose points have three coordinates.
    fn is_triangle(&self) -> bool {
        match self.declared.property_value(PropertyName::EvaluationPrimitiveMode) {
            Some(PropertyValue::Number(number)) => number == 4,
            Some(PropertyValue::Primitive(primitive)) => primitive == Primitive::Triangles,
            _ => false,
        }
    }

    /// One component of an evaluation shader's system value.
    pub(crate) fn evaluation_system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Option<Value> {
        let mut level = |slot| {
            let attribute = Attribute { slot: Varying::Patch(slot), further: None, vertex: None };
            self.load_offchip(&attribute, component)
        };
        Some(match name {
            SemanticName::TessellationOuter => level(0),
            SemanticName::TessellationInner => level(1),
            SemanticName::TessellationCoordinate => {
                let [u, v] =
                    ["coordinate_u", "coordinate_v"].map(|name| Value::argument(Type::F32, name));
                match component {
                    Component::X => u,
                    Component::Y => v,
                    Component::Z if self.is_triangle() => {
                        let both = self.builder.binary("fadd", u, v);
                        self.builder.binary("fsub", Value::float(1.0), both)
                    }
                    _ => Value::float(0.0),
                }
            }
            SemanticName::VerticesIn => self.patch_vertices(),
            SemanticName::PrimitiveId => self.integer_argument("patch_id"),
            _ => return None,
        })
    }
}
