//! Mesa's lavapipe as an executor: our SPIR-V of a shader runs on the processor, beside the
//! interpreter.

mod textures;

use std::path::Path;

use diff_exec::{ExecutorOutputs, ExplicitInputs, Reference};
use lavapipe::{Buffer, BufferKind, Configuration, ExecuteError, Executor, Job, Launch, Priority};
use spirv::layout::{
    DescriptorType, FIRST_BUFFER, FIRST_IMAGE, FIRST_SAMPLER, VALUES_IN, VALUES_OUT,
};
use spirv::{Contraction, Exchange, Module, ValuePlaces};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi_interp::{LANES, Resources};

use textures::{texel_buffer, texture};

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

/// The words of a binding's buffer of constants: as many as every driver can bind.
const CONSTANT_WORDS: usize = 4 * spirv::layout::CONSTANT_BUFFER_REGISTERS as usize;

/// The reason why a shader is not executed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LavapipeError {
    /// No driver was found.
    #[error("{0}")]
    NoDriver(String),
    /// The shader has no SPIR-V.
    #[error("not translated: {0}")]
    NotTranslated(String),
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
            return Err(LavapipeError::NotTranslated("the triangle".to_owned()));
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
        let module = translated(shader)?;
        let inputs = reference.inputs();
        let job = job(shader, &module, self.launch(&module, inputs), inputs)?;
        let output = self.executor.run(&job)?;
        let words = |binding: u32| {
            output.buffers.iter().find(|(own, _)| *own == binding).map(|(_, words)| &words[..])
        };
        let lanes = match (module.values, words(VALUES_OUT)) {
            (Some(places), Some(words)) => {
                std::array::from_fn(|lane| outputs_of(places, words, lane))
            }
            _ => Default::default(),
        };
        // All else is as it was.
        let Resources { buffers, counters, images, .. } = &inputs.resources;
        let (buffers, counters, images) = (buffers.clone(), counters.clone(), images.clone());
        let mut resources = Resources { buffers, counters, images, ..Resources::default() };
        let declared = resources.buffers.iter_mut().take(declared_buffers(shader));
        let all = declared.chain(&mut resources.counters);
        for (binding, own) in (FIRST_BUFFER..FIRST_IMAGE).zip(all) {
            // No buffer is without bytes, and some are without words.
            let words = words(binding).unwrap_or_default();
            own.iter_mut().zip(words).for_each(|(own, word)| *own = *word);
        }
        Ok(ExecutorOutputs { lanes, resources })
    }
}

/// Translates a shader whose values come and go by buffers.
fn translated(shader: &Shader) -> Result<Module, LavapipeError> {
    let options = spirv::Options {
        contraction: Contraction::Forbidden,
        exchange: Exchange::Buffers,
        ..spirv::Options::default()
    };
    spirv::translate(shader, &options).map_err(|failures| {
        let first = failures.into_iter().next().map_or(String::new(), |first| first.message);
        LavapipeError::NotTranslated(first)
    })
}

/// The output registers of a lane; `None` where it is not alive.
fn outputs_of(places: ValuePlaces, words: &[u32], lane: usize) -> Option<Vec<[u32; 4]>> {
    let count = places.words_out() as usize;
    let own = words.get(lane * count..(lane + 1) * count)?;
    let word = |number: u32| own.get(number as usize).copied().unwrap_or(0);
    let register =
        |register| [0, 1, 2, 3].map(|component| word(places.output(register, component)));
    (word(places.alive()) != 0).then(|| (0..places.outputs).map(register).collect())
}

/// The number of shader buffers: counters follow the last one.
fn declared_buffers(shader: &Shader) -> usize {
    lower::declared::Declared::gather(shader, &mut Vec::new()).buffers as usize
}

fn job(
    shader: &Shader,
    module: &Module,
    launch: Launch,
    inputs: &ExplicitInputs,
) -> Result<Job, LavapipeError> {
    let resources = &inputs.resources;
    let declared = resources.buffers.iter().take(declared_buffers(shader));
    let storage: Vec<&Vec<u32>> = declared.chain(&resources.counters).collect();
    let mut job = Job { launch, buffers: vec![], textures: vec![] };
    for binding in &module.bindings {
        let number = binding.number;
        let mut buffer = |kind, words| job.buffers.push(Buffer { binding: number, kind, words });
        match binding.descriptor {
            DescriptorType::UniformBuffer => {
                let own = resources.constants.get(number as usize);
                let mut words = own.map_or(Vec::new(), |vectors| vectors.concat());
                words.resize(CONSTANT_WORDS, 0);
                buffer(BufferKind::Uniform, words);
            }
            DescriptorType::StorageBuffer => {
                let words = match (number, module.values) {
                    (VALUES_IN, Some(places)) => values_in(places, inputs),
                    (VALUES_OUT, Some(places)) => vec![0; LANES * places.words_out() as usize],
                    _ => {
                        let own = storage.get((number - FIRST_BUFFER) as usize);
                        own.map_or(Vec::new(), |words| (*words).clone())
                    }
                };
                buffer(BufferKind::Storage, words);
            }
            DescriptorType::CombinedImageSampler => {
                job.textures.push(texture(shader, number - FIRST_SAMPLER, inputs)?);
            }
            DescriptorType::UniformTexelBuffer => {
                let (numbers, words) = texel_buffer(number - FIRST_SAMPLER, inputs)?;
                buffer(BufferKind::Texels(numbers), words);
            }
            DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer => {
                return Err(LavapipeError::NotPassed("an IMAGE".to_owned()));
            }
        }
    }
    Ok(job)
}

/// The words of inputs and system values, lane by lane.
fn values_in(places: ValuePlaces, inputs: &ExplicitInputs) -> Vec<u32> {
    let count = places.words_in() as usize;
    let mut words = vec![0; LANES * count];
    let own = inputs.vertices.first().map_or(&[][..], Vec::as_slice);
    for (lane, words) in words.chunks_exact_mut(count.max(1)).enumerate() {
        let mut set = |place: u32, value: u32| {
            if let Some(word) = words.get_mut(place as usize) {
                *word = value;
            }
        };
        for (register, values) in (0..places.inputs).zip(own) {
            for component in 0..4 {
                set(places.input(register, component), values[component as usize][lane]);
            }
        }
        for (register, values) in (0..places.system_values).zip(&inputs.system_values) {
            for component in 0..4 {
                set(places.system_value(register, component), values[component as usize][lane]);
            }
        }
    }
    words
}
