//! The execution modes of each stage, from its properties.

use tgsi::Stage;
use tgsi::words::{PropertyName, SemanticName};

use crate::context::{Emitted, Translation};
use crate::layout::BLOCK_SIZE;
use crate::values::Scalar;
use crate::words::{BuiltIn, Capability, ExecutionMode};

impl Translation<'_> {
    pub(super) fn declare_modes(&mut self) -> Emitted {
        match self.stage() {
            Stage::Vertex => Ok(()),
            Stage::TessellationControl => {
                self.builder.require(Capability::Tessellation);
                let vertices = self.patch_size();
                self.builder.mode(ExecutionMode::OutputVertices, &[vertices]);
                Ok(())
            }
            Stage::TessellationEvaluation => {
                self.declare_evaluation();
                Ok(())
            }
            Stage::Geometry => self.declare_geometry(),
            Stage::Fragment => {
                self.declare_fragment();
                Ok(())
            }
            Stage::Compute => {
                self.declare_compute();
                Ok(())
            }
        }
    }

    fn declare_evaluation(&mut self) {
        // The numbers of primitives, as the property has them.
        const LINES: u32 = 1;
        const QUADS: u32 = 7;
        self.builder.require(Capability::Tessellation);
        let domain = match self.property(PropertyName::EvaluationPrimitiveMode) {
            LINES => ExecutionMode::Isolines,
            QUADS => ExecutionMode::Quads,
            _ => ExecutionMode::Triangles,
        };
        let spacing = match self.property(PropertyName::EvaluationSpacing) {
            0 => ExecutionMode::SpacingFractionalOdd,
            1 => ExecutionMode::SpacingFractionalEven,
            _ => ExecutionMode::SpacingEqual,
        };
        let order = match self.property(PropertyName::EvaluationClockwise) {
            0 => ExecutionMode::VertexOrderCcw,
            _ => ExecutionMode::VertexOrderCw,
        };
        for mode in [domain, spacing, order] {
            self.builder.mode(mode, &[]);
        }
        if self.property(PropertyName::EvaluationPointMode) != 0 {
            self.builder.mode(ExecutionMode::PointMode, &[]);
        }
    }

    fn declare_fragment(&mut self) {
        self.builder.mode(ExecutionMode::OriginUpperLeft, &[]);
        if self.by_buffers() {
            return;
        }
        if self.property(PropertyName::EarlyDepthStencil) != 0 {
            self.builder.mode(ExecutionMode::EarlyFragmentTests, &[]);
        }
        if self.property(PropertyName::PostDepthCoverage) != 0 {
            self.builder.require(Capability::SampleMaskPostDepthCoverage);
            self.builder.mode(ExecutionMode::PostDepthCoverage, &[]);
        }
        let writes = |name| self.declared.outputs.values().any(|it| it.semantic.name == name);
        let [depth, stencil] = [SemanticName::Position, SemanticName::Stencil].map(writes);
        if depth {
            self.builder.mode(ExecutionMode::DepthReplacing, &[]);
            let promise = match self.property(PropertyName::DepthLayout) {
                2 => Some(ExecutionMode::DepthGreater),
                3 => Some(ExecutionMode::DepthLess),
                4 => Some(ExecutionMode::DepthUnchanged),
                _ => None,
            };
            if let Some(promise) = promise {
                self.builder.mode(promise, &[]);
            }
        }
        if stencil {
            self.builder.require(Capability::StencilExportEXT);
            self.builder.mode(ExecutionMode::StencilRefReplacingEXT, &[]);
        }
    }

    /// The size of a block; one that nobody fixes is set by the pipeline.
    fn declare_compute(&mut self) {
        if let Some(size) = self.fixed_block_size() {
            self.builder.mode(ExecutionMode::LocalSize, &size);
            return;
        }
        self.builder.mode(ExecutionMode::LocalSize, &[1, 1, 1]);
        let sides =
            [0, 1, 2].map(|side| self.builder.specialized(Scalar::U32, 1, BLOCK_SIZE + side));
        let size = self.builder.specialized_vector(&sides);
        self.builder.name(size.id, "WorkgroupSize");
        self.builder.decorate_built_in(size.id, BuiltIn::WorkgroupSize);
        self.block_size = Some(size);
    }
}
