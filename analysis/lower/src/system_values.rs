//! System values: what the hardware and the draw call say.

use tgsi::Stage;
use tgsi::ast::Component;
use tgsi::words::SemanticName;

use crate::context::{Emitted, Lowering};
use crate::entry::HardwareStage;
use crate::unsupported;
use crate::values::{Element, Type, Value};

/// Lanes in a wave.
const WAVE_SIZE: i32 = 64;
/// In the vertex stage's state bits: the draw has an index buffer.
const INDEXED_DRAW: i32 = 2;

impl Lowering<'_> {
    /// One component of a system value. Single values are in all components.
    pub(crate) fn system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Emitted<Value> {
        let value = match self.stage {
            Stage::Vertex => self.vertex_system_value(name),
            Stage::Compute => self.compute_system_value(name, component),
            Stage::Geometry => self.geometry_system_value(name),
            Stage::TessellationControl => self.control_system_value(name),
            Stage::TessellationEvaluation => self.evaluation_system_value(name, component),
            _ => self.fragment_system_value(name, component),
        };
        match value.or_else(|| self.subgroup_value(name, component)) {
            Some(value) => Ok(value),
            None => {
                let construct = format!("system value {name} in {}", self.stage);
                Err(unsupported(self.place, construct))
            }
        }
    }

    fn vertex_system_value(&mut self, name: SemanticName) -> Option<Value> {
        Some(match name {
            SemanticName::VertexId => self.vertex_index(),
            SemanticName::VertexIdNoBase => self.integer_argument("vertex_id"),
            SemanticName::InstanceId => self.integer_argument("instance_id"),
            SemanticName::BaseInstance => self.integer_argument("start_instance"),
            SemanticName::DrawId => self.integer_argument("draw_id"),
            // Before tessellation there are no primitives.
            SemanticName::PrimitiveId if self.hardware_stage() == HardwareStage::Local => {
                return None;
            }
            SemanticName::PrimitiveId => self.integer_argument("primitive_id"),
            SemanticName::BaseVertex => {
                let state = self.integer_argument("state_bits");
                let base = self.integer_argument("base_vertex");
                let bit = self.builder.binary("and", state, Value::int(INDEXED_DRAW));
                let indexed = self.builder.compare("icmp ne", bit, Value::int(0));
                self.builder.select(indexed, base, Value::int(0))
            }
            _ => return None,
        })
    }

    fn fragment_system_value(&mut self, name: SemanticName, component: Component) -> Option<Value> {
        Some(match name {
            SemanticName::Position => self.fragment_position(component),
            SemanticName::Face => {
                let face = self.integer_argument("front_face");
                let front = self.builder.compare("icmp ne", face, Value::int(0));
                self.builder.convert("sext", front, Type::I32)
            }
            SemanticName::SampleId => self.ancillary_field(8, 4),
            SemanticName::Layer => self.ancillary_field(16, 11),
            SemanticName::SampleMask => self.shaded_coverage(),
            SemanticName::SamplePosition => {
                let position = match component {
                    Component::X => self.float_argument("position_x"),
                    Component::Y => self.float_argument("position_y"),
                    _ => return Some(Value::float(0.0)),
                };
                self.builder.overloaded("llvm.amdgcn.fract", &[position])
            }
            SemanticName::HelperInvocation => {
                let live = self.builder.call(Type::I1, "llvm.amdgcn.ps.live", &[]);
                self.not_as_mask(live)
            }
            _ => return None,
        })
    }

    /// All bits set where a condition does not hold.
    pub(crate) fn not_as_mask(&mut self, condition: Value) -> Value {
        let inverse = self.builder.binary("xor", condition, Value::condition(true));
        self.builder.convert("sext", inverse, Type::I32)
    }

    /// A field of the register with the sample's number and the layer.
    pub(crate) fn ancillary_field(&mut self, first: i32, bits: i32) -> Value {
        let ancillary = self.integer_argument("ancillary");
        let arguments = [ancillary, Value::int(first), Value::int(bits)];
        self.builder.call(Type::I32, "llvm.amdgcn.ubfe.i32", &arguments)
    }

    /// The number of the lane in its wave.
    pub(crate) fn lane(&mut self) -> Value {
        let all = Value::int(-1);
        let low = self.builder.call(Type::I32, "llvm.amdgcn.mbcnt.lo", &[all, Value::int(0)]);
        self.builder.call(Type::I32, "llvm.amdgcn.mbcnt.hi", &[all, low])
    }

    fn subgroup_value(&mut self, name: SemanticName, component: Component) -> Option<Value> {
        // The mask of the lane itself, shifted or complemented.
        let (base, inverted) = match name {
            SemanticName::SubgroupSize => return Some(Value::int(WAVE_SIZE)),
            SemanticName::SubgroupInvocation => return Some(self.lane()),
            SemanticName::SubgroupEqualMask => (Value::long(1), false),
            SemanticName::SubgroupGreaterEqualMask => (Value::long(-1), false),
            SemanticName::SubgroupGreaterMask => (Value::long(-2), false),
            SemanticName::SubgroupLessEqualMask => (Value::long(-2), true),
            SemanticName::SubgroupLessMask => (Value::long(-1), true),
            _ => return None,
        };
        let lane = self.lane();
        let lane = self.builder.convert("zext", lane, Type::I64);
        let mut mask = self.builder.binary("shl", base, lane);
        if inverted {
            mask = self.builder.binary("xor", mask, Value::long(-1));
        }
        let halves = self.builder.bitcast(mask, Type::Vector(2, Element::I32));
        Some(match component {
            Component::X => self.builder.extract(halves, 0),
            Component::Y => self.builder.extract(halves, 1),
            _ => Value::int(0),
        })
    }
}
