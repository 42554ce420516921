//! The jobs of the driver and what becomes of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The stages of a pipeline that ACO compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// Vertices.
    Vertex,
    /// Patches: control points and levels.
    TessellationControl,
    /// Patches: the points of the tessellated domain.
    TessellationEvaluation,
    /// Primitives.
    Geometry,
    /// Fragments.
    Fragment,
    /// Grids.
    Compute,
}

impl Stage {
    /// Every stage, in the order of a pipeline.
    pub const ALL: [Stage; 6] = [
        Stage::Vertex,
        Stage::TessellationControl,
        Stage::TessellationEvaluation,
        Stage::Geometry,
        Stage::Fragment,
        Stage::Compute,
    ];

    /// The bit of the stage in [`Executable::stages`], which is Vulkan's.
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The number of SPIR-V's execution model.
    pub(crate) fn execution_model(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Vertex => "vertex",
            Stage::TessellationControl => "tessellation control",
            Stage::TessellationEvaluation => "tessellation evaluation",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        })
    }
}

/// A module of one stage, with the entry point `main`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Module {
    /// The stage.
    pub stage: Stage,
    /// SPIR-V.
    pub words: Vec<u32>,
}

/// The kind of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BindingKind {
    /// A uniform block.
    UniformBuffer,
    /// A storage block.
    StorageBuffer,
    /// An image with its sampler.
    SampledImage,
    /// An image that is read and written.
    StorageImage,
    /// A buffer that is read as a texture.
    UniformTexels,
    /// A buffer that is read and written as an image.
    StorageTexels,
}

/// Bindings of one kind that follow each other in set 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Binding {
    /// The number of the first.
    pub first: u32,
    /// The number of bindings.
    pub count: u32,
    /// Their kind.
    pub kind: BindingKind,
}

/// The form of colour attachments of floats, which decides how a fragment shader exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Colour {
    /// Four bytes from 0 to 1.
    Unorm8,
    /// Four floats of 32 bits.
    Float32,
}

/// The part of a pipeline's state that its code depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// The bindings of set 0.
    pub bindings: Vec<Binding>,
    /// The form of colour attachments.
    pub colour: Colour,
    /// Control points of a patch.
    pub patch_vertices: u32,
    /// Samples of a pixel: 1, 2, 4 or 8.
    pub samples: u32,
}

impl Default for State {
    /// One layout for all shaders, and a plain colour buffer.
    fn default() -> State {
        let binding = |first, count, kind| Binding { first, count, kind };
        State {
            bindings: vec![
                binding(0, 16, BindingKind::UniformBuffer),
                binding(16, 16, BindingKind::SampledImage),
                binding(32, 8, BindingKind::StorageBuffer),
                binding(40, 8, BindingKind::StorageImage),
            ],
            colour: Colour::Unorm8,
            patch_vertices: 3,
            samples: 1,
        }
    }
}

/// One compile job.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Job {
    /// The stages. Those that a pipeline cannot be without are added: a fragment shader gets
    /// a vertex shader that writes its inputs, others a fragment shader that reads their
    /// outputs.
    pub modules: Vec<Module>,
    /// The state.
    pub state: State,
}

/// One piece of code of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executable {
    /// The driver's name of it.
    pub name: String,
    /// The stages that it has, by [`Stage::bit`]; some chips run two as one.
    pub stages: u32,
    /// Lanes of a wave.
    pub lanes: u32,
    /// The driver's figures by its own names, in its order.
    pub figures: Vec<(String, u64)>,
    /// The machine code; empty where the driver does not hand it out.
    pub code: Vec<u32>,
    /// The constants that code reads from what follows it; none where there is no such place.
    pub constants: Vec<u32>,
    /// The driver's texts by their names: NIR, ACO's own program, assembly.
    pub texts: Vec<(String, String)>,
}

impl Executable {
    /// A figure by the driver's name of it.
    pub fn figure(&self, name: &str) -> Option<u64> {
        self.figures.iter().find(|figure| figure.0 == name).map(|figure| figure.1)
    }

    /// A text by the driver's name of it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|text| text.0 == name).map(|text| text.1.as_str())
    }

    /// Tells whether it has the code of a stage.
    pub fn has(&self, stage: Stage) -> bool {
        self.stages & stage.bit() != 0
    }
}

/// The output of the driver for a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The pieces of code, those of added stages as well.
    pub executables: Vec<Executable>,
    /// The stages that were added.
    pub added: u32,
    /// The driver's dump on standard error meanwhile, if it was asked for.
    pub dump: String,
}
