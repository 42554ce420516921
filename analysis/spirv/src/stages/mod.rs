//! Inputs, outputs, system values, and the opcodes that only some stages have.

mod control;
pub(crate) mod fragment;
mod fragment_outputs;
pub(crate) mod geometry;
mod inputs;
mod modes;
mod outputs;
mod state;
mod system_values;

use lower::failure::{Failure, invalid, unsupported};
use source::TextRange;
use tgsi::Stage;
use tgsi::ast::{Instruction, Semantic};
use tgsi::words::SemanticName;

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::values::{Scalar, Type, U32};
use crate::words::{BuiltIn, Capability, Decoration, Op, StorageClass};

/// Scopes and memory semantics, as the words of barriers have them.
pub(crate) mod scope {
    pub(crate) const DEVICE: u32 = 1;
    pub(crate) const WORKGROUP: u32 = 2;
    pub(crate) const SUBGROUP: u32 = 3;
    pub(crate) const INVOCATION: u32 = 4;
    pub(crate) const ACQUIRE_RELEASE: u32 = 0x8;
    pub(crate) const UNIFORM_MEMORY: u32 = 0x40;
    pub(crate) const WORKGROUP_MEMORY: u32 = 0x100;
    pub(crate) const IMAGE_MEMORY: u32 = 0x800;
}

/// Inputs, outputs and resources, each a variable of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum VariableKey {
    BuiltIn(StorageClass, BuiltIn),
    /// The attribute of a vertex.
    Attribute(u32),
    /// A value that one stage passes to the next.
    Varying(StorageClass, Semantic),
    /// The colour of a buffer: its location and index.
    Color(u32, u32),
    ConstantBuffer(u32),
    StorageBuffer(u32),
    /// Values that come or go by the buffer of a binding.
    Values(u32),
    /// The count of emitted vertices.
    Emitted,
    /// The count of strips of a stream that ended.
    Strips(u32),
    /// A binding and the type of what it takes.
    Opaque(u32, Id),
    SharedMemory,
    PrivateMemory,
}

/// Vertices of a patch that a shader may count on.
const PATCH_VERTICES: u32 = 32;

impl Translation<'_> {
    /// Writes what a stage's main program begins with, and its modes.
    pub(crate) fn prepare_stage(&mut self) -> Emitted {
        self.declare_modes()?;
        self.fill_indexed_inputs()
    }

    /// Writes what a stage's main program ends with.
    pub(crate) fn finish_stage(&mut self) -> Emitted {
        // What is no output belongs to no instruction.
        self.builder.set_line(0);
        if self.by_buffers() {
            self.finish_values_out();
            return Ok(());
        }
        match self.stage() {
            Stage::Vertex | Stage::TessellationEvaluation => self.write_outputs(None),
            Stage::Fragment => self.write_fragment_outputs(),
            Stage::TessellationControl | Stage::Geometry | Stage::Compute => Ok(()),
        }
    }

    /// A variable; its first use makes it.
    pub(crate) fn variable(
        &mut self,
        key: VariableKey,
        make: impl FnOnce(&mut Self) -> Emitted<Id>,
    ) -> Emitted<Id> {
        if let Some(variable) = self.variables.get(&key) {
            return Ok(*variable);
        }
        let variable = make(self)?;
        self.variables.insert(key, variable);
        Ok(variable)
    }

    /// The variable of a value that Vulkan knows by itself.
    pub(crate) fn built_in(&mut self, class: StorageClass, built_in: BuiltIn, ty: Type) -> Id {
        self.built_in_of(class, built_in, |this| this.builder.value_type(ty))
    }

    /// The same with any type.
    pub(crate) fn built_in_of(
        &mut self,
        class: StorageClass,
        built_in: BuiltIn,
        ty: impl FnOnce(&mut Self) -> Id,
    ) -> Id {
        let key = VariableKey::BuiltIn(class, built_in);
        if let Some(variable) = self.variables.get(&key) {
            return *variable;
        }
        let ty = ty(self);
        let variable = self.builder.variable(class, ty);
        self.builder.decorate_built_in(variable, built_in);
        self.builder.name(variable, &format!("{built_in:?}"));
        if let Some(capability) = capability_of(built_in, class, self.stage()) {
            self.builder.require(capability);
        }
        self.variables.insert(key, variable);
        variable
    }

    /// The location of a varying.
    fn location(&self, semantic: Semantic, range: TextRange) -> Emitted<u32> {
        let location = self.interface.location(semantic);
        location.filter(|location| *location < crate::layout::LOCATIONS).ok_or_else(|| {
            let Semantic { name, index } = semantic;
            unsupported(range, format!("varying {name}[{index}]: there are 32 locations"))
        })
    }

    /// The vertices that inputs of vertices have.
    pub(crate) fn input_vertices(&self) -> u32 {
        match self.stage() {
            Stage::Geometry => self.primitive_vertices(),
            _ => PATCH_VERTICES,
        }
    }

    /// Tells whether inputs have a dimension of vertices.
    pub(crate) fn reads_vertices(&self) -> bool {
        matches!(
            self.stage(),
            Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation
        )
    }

    /// The number of clip distances, and of cull distances behind them.
    fn distances(&self, declared: u32) -> [u32; 2] {
        use tgsi::words::PropertyName;
        let clip = self.declared.property(PropertyName::ClipDistancesEnabled);
        let cull = self.declared.property(PropertyName::CullDistancesEnabled);
        match (clip, cull) {
            (None, None) => [declared.min(8), 0],
            (clip, cull) => {
                let clip = clip.unwrap_or(0).min(8);
                [clip, cull.unwrap_or(0).min(8 - clip)]
            }
        }
    }
}

/// The capability that a built-in value needs beyond those of the stage.
fn capability_of(built_in: BuiltIn, class: StorageClass, stage: Stage) -> Option<Capability> {
    Some(match (built_in, stage) {
        (BuiltIn::ClipDistance, _) => Capability::ClipDistance,
        (BuiltIn::CullDistance, _) => Capability::CullDistance,
        (BuiltIn::PointSize, Stage::Geometry) => Capability::GeometryPointSize,
        (BuiltIn::PointSize, Stage::TessellationControl | Stage::TessellationEvaluation) => {
            Capability::TessellationPointSize
        }
        (BuiltIn::PrimitiveId, Stage::Fragment) => Capability::Geometry,
        (BuiltIn::Layer, Stage::Fragment) => Capability::Geometry,
        (BuiltIn::ViewportIndex, Stage::Fragment | Stage::Geometry) => Capability::MultiViewport,
        (
            BuiltIn::Layer | BuiltIn::ViewportIndex,
            Stage::Vertex | Stage::TessellationEvaluation,
        ) if class == StorageClass::Output => Capability::ShaderViewportIndexLayerEXT,
        (BuiltIn::SampleId | BuiltIn::SamplePosition, _) => Capability::SampleRateShading,
        (BuiltIn::FragStencilRefEXT, _) => Capability::StencilExportEXT,
        (BuiltIn::BaseVertex | BuiltIn::BaseInstance | BuiltIn::DrawIndex, _) => {
            Capability::DrawParameters
        }
        (BuiltIn::SubgroupSize | BuiltIn::SubgroupLocalInvocationId, _) => {
            Capability::GroupNonUniform
        }
        (
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask,
            _,
        ) => Capability::GroupNonUniformBallot,
        _ => return None,
    })
}

/// Refuses an opcode in a shader of another stage than the one that has it.
pub(crate) fn only_in(stage: Stage, own: Stage, instruction: &Instruction) -> Result<(), Failure> {
    if own == stage {
        return Ok(());
    }
    let opcode = instruction.opcode.value.mnemonic();
    let message = format!("{opcode} exists in {stage} only");
    Err(invalid(instruction.opcode.range, &format!("opcode {opcode}"), message))
}

/// A meeting of the invocations of a group or of a patch.
pub(crate) fn barrier(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let words = match this.stage() {
        Stage::Compute => {
            [scope::WORKGROUP, scope::WORKGROUP, scope::ACQUIRE_RELEASE | scope::WORKGROUP_MEMORY]
        }
        Stage::TessellationControl => [scope::WORKGROUP, scope::INVOCATION, 0],
        _ => {
            let message = "BARRIER exists in COMP and TESS_CTRL only".to_owned();
            return Err(invalid(instruction.opcode.range, "opcode BARRIER", message));
        }
    };
    let words = words.map(|word| this.builder.uint(word).id.0);
    this.builder.effect(Op::ControlBarrier, &words);
    Ok(())
}

/// Tells whether a semantic belongs to a patch rather than to a vertex.
fn is_of_patch(name: SemanticName) -> bool {
    matches!(
        name,
        SemanticName::Patch | SemanticName::TessellationOuter | SemanticName::TessellationInner
    )
}

/// A vector of four floats, which varyings are.
pub(crate) const VECTOR: Type = Type::Vector(Scalar::F32, 4);

impl Translation<'_> {
    /// The variable of a varying: of the vertices of a primitive or patch an array.
    fn varying(
        &mut self,
        class: StorageClass,
        semantic: Semantic,
        vertices: Option<u32>,
        range: TextRange,
    ) -> Emitted<Id> {
        self.variable(VariableKey::Varying(class, semantic), |this| {
            let location = this.location(semantic, range)?;
            let mut ty = this.builder.value_type(VECTOR);
            if let Some(vertices) = vertices {
                ty = this.builder.array_type(ty, vertices);
            }
            let variable = this.builder.variable(class, ty);
            this.builder.decorate(variable, Decoration::Location, &[location]);
            if semantic.name == SemanticName::Patch {
                this.builder.decorate(variable, Decoration::Patch, &[]);
            }
            let direction = if class == StorageClass::Input { "in" } else { "out" };
            let name = format!("{direction}_{}_{}", semantic.name, semantic.index);
            this.builder.name(variable, &name);
            Ok(variable)
        })
    }

    /// A tessellation factor: its variable is an array of the patch.
    fn factors(&mut self, class: StorageClass, name: SemanticName) -> (Id, u32) {
        let (built_in, length) = match name {
            SemanticName::TessellationOuter => (BuiltIn::TessLevelOuter, 4),
            _ => (BuiltIn::TessLevelInner, 2),
        };
        let known = self.variables.contains_key(&VariableKey::BuiltIn(class, built_in));
        let variable = self.built_in_of(class, built_in, |this| {
            let float = this.builder.value_type(crate::values::F32);
            this.builder.array_type(float, length)
        });
        if !known {
            self.builder.decorate(variable, Decoration::Patch, &[]);
        }
        (variable, length)
    }

    /// An unsigned number that Vulkan passes in.
    pub(crate) fn built_in_number(&mut self, built_in: BuiltIn) -> crate::values::Value {
        let fresh =
            !self.variables.contains_key(&VariableKey::BuiltIn(StorageClass::Input, built_in));
        let variable = self.built_in(StorageClass::Input, built_in, U32);
        if fresh && self.stage() == Stage::Fragment && needs_flat(built_in) {
            self.builder.decorate(variable, Decoration::Flat, &[]);
        }
        self.builder.load(U32, variable)
    }
}

/// Tells whether a built-in integer of fragments comes from a stage before and so must be flat.
fn needs_flat(built_in: BuiltIn) -> bool {
    !matches!(built_in, BuiltIn::FrontFacing | BuiltIn::HelperInvocation)
}
