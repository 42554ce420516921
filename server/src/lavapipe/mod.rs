//! Mesa's lavapipe as an executor: our SPIR-V of a shader runs on the processor, beside the
//! interpreter.

mod images;
mod textures;

use std::path::Path;

use diff_exec::{ExecutorOutputs, ExplicitInputs, Reference};
use lavapipe::{Buffer, BufferKind, Configuration, ExecuteError, Executor, Job, Launch, Priority};
use spirv::Module;
use spirv::layout::{DescriptorType, FIRST_IMAGE, FIRST_SAMPLER};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi_interp::LANES;

use crate::exchanged::{NotTranslated, constants, outputs, storage, translated};
use textures::texture;

/// The advice where the driver is missing.
const ADVICE: &str = "Install your distribution's software drivers for Vulkan (Debian: \
                      mesa-vulkan-drivers, Fedora: mesa-vulkan-drivers, Arch: vulkan-swrast)";

/// The vertices that cover the pixels of a quad: three corners of the view volume. A triangle that
/// reached beyond it would be cut in two, and the pixels would not see each other.
const TRIANGLE: &str = "VERT
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL TEMP[0]
IMM[0] UINT32 {1, 0, 0, 0}
IMM[1] FLT32 {2.0, -1.0, 0.0, 1.0}
AND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
USHR TEMP[0].y, SV[0].xxxx, IMM[0].xxxx
U2F TEMP[0].xy, TEMP[0].xyyy
MAD OUT[0].xy, TEMP[0].xyyy, IMM[1].xxxx, IMM[1].yyyy
MOV OUT[0].zw, IMM[1].zzzw
END
";

/// The reason why a shader is not executed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LavapipeError {
    /// No driver was found.
    #[error("{0}")]
    NoDriver(String),
    /// The shader has no SPIR-V.
    #[error(transparent)]
    NotTranslated(#[from] NotTranslated),
    /// The run needs something that is not passed to lavapipe.
    #[error("not passed to lavapipe: {0}")]
    NotPassed(String),
    /// The driver did not execute it.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

/// The reason why there is no lavapipe, and what to install: one line.
pub(crate) fn install_advice(found: &[lavapipe::Found]) -> String {
    let why = match found.first() {
        None => "Mesa's driver lavapipe was not found".to_owned(),
        Some(first) => {
            let why = first.problem.as_deref().unwrap_or("unknown reason");
            format!("No usable lavapipe was found ({}: {why})", first.path.display())
        }
    };
    format!("{why}, so `run --engine lavapipe` does not work. {ADVICE}.")
}

/// Lavapipe, ready for runs.
#[derive(Debug)]
pub(crate) struct Lavapipe {
    executor: Executor,
    /// The module of the vertices that cover a quad.
    triangle: Vec<u32>,
}

impl Lavapipe {
    /// Looks for the driver; `worker` is our own executable.
    ///
    /// # Errors
    /// There is none, with what to install.
    pub(crate) fn find(worker: &Path) -> Result<Lavapipe, LavapipeError> {
        let missing = || LavapipeError::NoDriver(install_advice(&lavapipe::find()));
        let driver = lavapipe::choose().ok_or_else(missing)?;
        let configuration =
            Configuration { executable: worker.to_owned(), driver, priority: Priority::Normal };
        let parse = tgsi::parser::parse(TRIANGLE, &source::no_checkpoint);
        let module = parse.shader.map(|it| spirv::translate(&it, &spirv::Options::default()));
        let Some(Ok(Module { words: triangle, .. })) = module else {
            return Err(NotTranslated("the triangle".to_owned()).into());
        };
        Ok(Lavapipe { executor: Executor::new(configuration), triangle })
    }

    /// The launch of a module: four vertices, a quad, or the groups of a grid.
    fn launch(&self, module: &Module, inputs: &ExplicitInputs) -> Launch {
        let words = module.words.clone();
        match module.stage {
            Stage::Compute => Launch::Grid { module: words, groups: inputs.grid },
            Stage::Fragment => Launch::Quad { vertex: self.triangle.clone(), fragment: words },
            _ => Launch::Vertices { module: words, count: LANES as u32 },
        }
    }

    /// The version of Mesa.
    ///
    /// # Errors
    /// The driver does not start.
    pub(crate) fn version(&mut self) -> Result<String, LavapipeError> {
        Ok(self.executor.version()?)
    }

    /// Executes a shader on the inputs of its reference.
    ///
    /// # Errors
    /// The reason why it is not executed: a sentence for the user.
    pub(crate) fn execute(
        &mut self,
        shader: &Shader,
        reference: &Reference<'_>,
    ) -> Result<ExecutorOutputs, LavapipeError> {
        let stage = shader.stage.value;
        if !matches!(stage, Stage::Vertex | Stage::Fragment | Stage::Compute) {
            return Err(LavapipeError::NotPassed(format!(
                "inputs of {stage}, which are not of lanes"
            )));
        }
        let module = translated(shader)?;
        let inputs = reference.inputs();
        let job = job(shader, &module, self.launch(&module, inputs), inputs)?;
        let output = self.executor.run(&job)?;
        let words = |binding: u32| {
            output.words.iter().find(|(own, _)| *own == binding).map(|(_, words)| &words[..])
        };
        let mut found = outputs(shader, &module, inputs, words);
        images::take_over(shader, &mut found.resources, words);
        Ok(found)
    }
}

fn job(
    shader: &Shader,
    module: &Module,
    launch: Launch,
    inputs: &ExplicitInputs,
) -> Result<Job, LavapipeError> {
    let mut job = Job { launch, buffers: vec![], textures: vec![], images: vec![] };
    for binding in &module.bindings {
        let number = binding.number;
        let mut buffer = |kind, words| job.buffers.push(Buffer { binding: number, kind, words });
        match binding.descriptor {
            DescriptorType::UniformBuffer => {
                buffer(BufferKind::Uniform, constants(number, inputs));
            }
            DescriptorType::StorageBuffer => {
                buffer(BufferKind::Storage, storage(shader, module, number, inputs));
            }
            DescriptorType::CombinedImageSampler => {
                job.textures.push(texture(shader, number - FIRST_SAMPLER, inputs)?);
            }
            DescriptorType::UniformTexelBuffer => {
                let (texels, words) = textures::texel_buffer(number - FIRST_SAMPLER, inputs)?;
                buffer(BufferKind::Texels(texels), words);
            }
            DescriptorType::StorageImage => {
                job.images.push(images::image(shader, number - FIRST_IMAGE, inputs)?);
            }
            DescriptorType::StorageTexelBuffer => {
                let (texels, words) = images::texel_buffer(shader, number - FIRST_IMAGE, inputs)?;
                buffer(BufferKind::StorageTexels(texels), words);
            }
        }
    }
    Ok(job)
}
