//! System values: what the hardware knows of an invocation.

use lower::failure::unsupported;
use tgsi::Stage;
use tgsi::ast::Component;
use tgsi::words::{PropertyName, SemanticName};

use crate::context::{Emitted, Translation};
use crate::values::{BOOL, Scalar, Type, U32, Value};
use crate::words::{BuiltIn, Op, StorageClass};

const INPUT: StorageClass = StorageClass::Input;

impl Translation<'_> {
    /// The bits of one component of a system value.
    pub(crate) fn system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Emitted<Value> {
        let value = match (self.stage(), name) {
            (Stage::Vertex, SemanticName::VertexId) => self.built_in_number(BuiltIn::VertexIndex),
            (Stage::Vertex, SemanticName::VertexIdNoBase) => {
                self.without_base(BuiltIn::VertexIndex, BuiltIn::BaseVertex)
            }
            (Stage::Vertex, SemanticName::InstanceId) => {
                self.without_base(BuiltIn::InstanceIndex, BuiltIn::BaseInstance)
            }
            (Stage::Vertex, SemanticName::BaseVertex) => self.built_in_number(BuiltIn::BaseVertex),
            (Stage::Vertex, SemanticName::BaseInstance) => {
                self.built_in_number(BuiltIn::BaseInstance)
            }
            (Stage::Vertex, SemanticName::DrawId) => self.built_in_number(BuiltIn::DrawIndex),
            (Stage::Vertex | Stage::Compute, SemanticName::PrimitiveId) => {
                return self.no_system_value(name);
            }
            (_, SemanticName::PrimitiveId) => self.built_in_number(BuiltIn::PrimitiveId),
            (Stage::Geometry | Stage::TessellationControl, SemanticName::InvocationId) => {
                self.built_in_number(BuiltIn::InvocationId)
            }
            (Stage::Geometry, SemanticName::VerticesIn) => {
                let vertices = self.primitive_vertices();
                self.builder.uint(vertices)
            }
            (_, SemanticName::VerticesIn) => match self.options.environment.patch_vertices {
                0 => self.built_in_number(BuiltIn::PatchVertices),
                known => self.builder.uint(known.into()),
            },
            (
                Stage::TessellationEvaluation,
                SemanticName::TessellationOuter | SemanticName::TessellationInner,
            ) => self.factor(INPUT, name, component),
            (Stage::TessellationEvaluation, SemanticName::TessellationCoordinate) => {
                self.vector_of(BuiltIn::TessCoord, Scalar::F32, 3, component)
            }
            (Stage::Fragment, _) => return self.fragment_system_value(name, component),
            (Stage::Compute, SemanticName::BlockSize) => self.block_size(component),
            (Stage::Compute, SemanticName::GridSize) => {
                self.vector_of(BuiltIn::NumWorkgroups, Scalar::U32, 3, component)
            }
            (Stage::Compute, SemanticName::BlockId) => {
                self.vector_of(BuiltIn::WorkgroupId, Scalar::U32, 3, component)
            }
            (Stage::Compute, SemanticName::ThreadId) => {
                self.vector_of(BuiltIn::LocalInvocationId, Scalar::U32, 3, component)
            }
            _ => return self.subgroup_value(name, component),
        };
        Ok(self.builder.bitcast(value, U32))
    }

    fn no_system_value(&self, name: SemanticName) -> Emitted<Value> {
        Err(unsupported(self.place, format!("system value {name} in {}", self.stage())))
    }

    /// A number less the first of its draw.
    fn without_base(&mut self, number: BuiltIn, base: BuiltIn) -> Value {
        let number = self.built_in_number(number);
        let base = self.built_in_number(base);
        self.builder.binary(Op::ISub, number, base)
    }

    /// One component of a vector that Vulkan passes in; 0 behind its last.
    fn vector_of(
        &mut self,
        built_in: BuiltIn,
        scalar: Scalar,
        length: u32,
        component: Component,
    ) -> Value {
        if component as u32 >= length {
            return self.builder.whole(scalar, 0);
        }
        let variable = self.built_in(INPUT, built_in, Type::Vector(scalar, length));
        self.component_of(variable, &[], scalar, component)
    }

    fn fragment_system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Emitted<Value> {
        let value = match name {
            SemanticName::Position => self.fragment_position(component),
            SemanticName::Face => {
                let front = self.faces_front();
                self.builder.mask(front)
            }
            SemanticName::SampleId => self.built_in_number(BuiltIn::SampleId),
            SemanticName::Layer => self.built_in_number(BuiltIn::Layer),
            SemanticName::SamplePosition => {
                self.vector_of(BuiltIn::SamplePosition, Scalar::F32, 2, component)
            }
            SemanticName::SampleMask => {
                let variable = self.sample_mask(INPUT);
                let first = self.builder.uint(0);
                let ty = Type::One(Scalar::I32);
                let pointer = self.builder.part(INPUT, ty, variable, &[first]);
                self.builder.load(ty, pointer)
            }
            SemanticName::HelperInvocation => {
                let variable = self.built_in(INPUT, BuiltIn::HelperInvocation, BOOL);
                let helps = self.builder.load(BOOL, variable);
                self.builder.mask(helps)
            }
            _ => return self.subgroup_value(name, component),
        };
        Ok(self.builder.bitcast(value, U32))
    }

    /// The size of a block: fixed by the shader or the state, else set by the pipeline.
    fn block_size(&mut self, component: Component) -> Value {
        if component == Component::W {
            return self.builder.uint(0);
        }
        if let Some(size) = self.fixed_block_size() {
            return self.builder.uint(size[component as usize]);
        }
        match self.block_size {
            Some(size) => self.builder.extract(size, component as u32),
            None => self.builder.uint(1),
        }
    }

    /// The size of a block that the shader or the state fixes.
    pub(super) fn fixed_block_size(&self) -> Option<[u32; 3]> {
        let property =
            [PropertyName::BlockWidth, PropertyName::BlockHeight, PropertyName::BlockDepth]
                .map(|name| self.property(name));
        let state = self.options.environment.block_size.map(u32::from);
        [property, state].into_iter().find(|size| size.iter().all(|side| *side != 0))
    }

    fn subgroup_value(&mut self, name: SemanticName, component: Component) -> Emitted<Value> {
        let mask = match name {
            SemanticName::SubgroupSize => return Ok(self.built_in_number(BuiltIn::SubgroupSize)),
            SemanticName::SubgroupInvocation => {
                return Ok(self.built_in_number(BuiltIn::SubgroupLocalInvocationId));
            }
            SemanticName::SubgroupEqualMask => BuiltIn::SubgroupEqMask,
            SemanticName::SubgroupGreaterEqualMask => BuiltIn::SubgroupGeMask,
            SemanticName::SubgroupGreaterMask => BuiltIn::SubgroupGtMask,
            SemanticName::SubgroupLessEqualMask => BuiltIn::SubgroupLeMask,
            SemanticName::SubgroupLessMask => BuiltIn::SubgroupLtMask,
            _ => return self.no_system_value(name),
        };
        let fresh = !self.variables.contains_key(&crate::stages::VariableKey::BuiltIn(INPUT, mask));
        let ty = Type::Vector(Scalar::U32, 4);
        let variable = self.built_in(INPUT, mask, ty);
        if fresh && self.stage() == Stage::Fragment {
            self.builder.decorate(variable, crate::words::Decoration::Flat, &[]);
        }
        Ok(self.component_of(variable, &[], Scalar::U32, component))
    }
}
