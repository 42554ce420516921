//! ACO's code of a shader in our emulator, beside the interpreter: the resources lie in one
//! descriptor set, and the registers begin as the driver's convention has it.

use diff_exec::{
    Delivery, Entry, ExplicitInputs, Lanes, OutsideCode, Reference, ScalarStart, VectorStart,
    Verdict, WordHalf,
};
use gcn::Target;
use gcn::compiled::Compiled;
use radv::convention::{Convention, SAMPLER, Scalar, UnknownConvention, Vector, places};
use radv::{Job, Stage};
use spirv::Module;
use spirv::layout::{Binding, DescriptorType, FIRST_IMAGE, FIRST_SAMPLER};
use tgsi::ast::Shader;

use super::{Aco, AcoError, job};
use crate::exchanged::{NotTranslated, constants, outputs, storage, translated};

/// Lanes of a wave.
pub(super) const WAVE: u32 = 64;

/// The reason why ACO's code of a shader is not executed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExecuteError {
    /// The shader has no SPIR-V.
    #[error(transparent)]
    NotTranslated(#[from] NotTranslated),
    /// ACO made no code.
    #[error(transparent)]
    Aco(#[from] AcoError),
    /// The registers with which the code begins are not known.
    #[error(transparent)]
    Unknown(#[from] UnknownConvention),
}

/// Code with the registers with which it begins.
#[derive(Debug)]
pub(super) struct Executable {
    pub(super) compiled: Compiled,
    /// The constants that follow it.
    pub(super) constants: Vec<u32>,
    pub(super) convention: Convention,
}

/// ACO's code for a chip, ready for runs.
#[derive(Debug)]
pub(crate) struct AcoEmulator {
    aco: Aco,
    target: Target,
    /// The last program: runs of the same one follow each other.
    last: Option<(Job, Executable)>,
}

impl AcoEmulator {
    /// Takes a driver for a chip.
    pub(crate) fn new(aco: Aco, target: Target) -> AcoEmulator {
        AcoEmulator { aco, target, last: None }
    }

    /// Executes a shader on the inputs of its reference, and compares.
    ///
    /// # Errors
    /// The reason why it is not executed: a sentence for the user.
    pub(crate) fn check(
        &mut self,
        shader: &Shader,
        reference: &Reference<'_>,
    ) -> Result<Verdict, ExecuteError> {
        let module = translated(shader)?;
        let (job, stage) = job(&module);
        let executable = match self.last.take() {
            Some((last, executable)) if last == job => executable,
            _ => self.aco.compile_to_execute(&job, stage, self.target)?,
        };
        let verdict = self.execute(shader, reference, (&module, &job, stage), &executable);
        self.last = Some((job, executable));
        Ok(verdict)
    }

    fn execute(
        &self,
        shader: &Shader,
        reference: &Reference<'_>,
        (module, job, stage): (&Module, &Job, Stage),
        executable: &Executable,
    ) -> Verdict {
        let Executable { compiled, convention, .. } = executable;
        let inputs = reference.inputs();
        let places = places(&job.state, convention.order);
        let set = descriptor_set((shader, module), &places, inputs);
        let code = OutsideCode {
            target: self.target,
            instructions: &compiled.instructions,
            constants: &executable.constants,
            delivery: Delivery::Set,
            scalars: convention.scalars.iter().map(|own| scalar(*own, stage)).collect(),
            vectors: convention.vectors.iter().map(|own| vector(*own)).collect(),
            high: convention.high,
            scratch: compiled.statistics.scratch * WAVE,
            lanes: match stage {
                Stage::Compute => Lanes::Grid { block: reference.block(), groups: inputs.grid },
                Stage::Geometry => Lanes::Primitive,
                Stage::TessellationControl => {
                    let records = module.values.map_or(1, |places| places.records);
                    // The last is that of the patch.
                    Lanes::Patch(records.saturating_sub(1))
                }
                Stage::Vertex | Stage::TessellationEvaluation | Stage::Fragment => Lanes::Quad,
            },
        };
        let after = match code.execute(reference, &set) {
            Ok(after) => after,
            Err(verdict) => return verdict,
        };
        let words = |binding: u32| {
            let own = module.bindings.iter().position(|own| own.number == binding)?;
            after.words.get(own).map(Vec::as_slice)
        };
        let mut found = outputs(shader, module, inputs, words);
        found.resources.images.clone_from(&after.images);
        reference.check(&found)
    }
}

/// The resources of a shader's bindings, each at its place.
pub(super) fn descriptor_set(
    (shader, module): (&Shader, &Module),
    places: &[(u32, u32)],
    inputs: &ExplicitInputs,
) -> Vec<(u32, Entry)> {
    let place = |number| places.iter().find(|own| own.0 == number).map_or(0, |own| own.1);
    let of = |own: &Binding| (place(own.number), entry(shader, module, own, inputs));
    module.bindings.iter().map(of).collect()
}

/// The resource of a binding.
fn entry(shader: &Shader, module: &Module, binding: &Binding, inputs: &ExplicitInputs) -> Entry {
    let number = binding.number;
    match binding.descriptor {
        DescriptorType::UniformBuffer => Entry::Words(constants(number, inputs)),
        DescriptorType::StorageBuffer => Entry::Words(storage(shader, module, number, inputs)),
        DescriptorType::CombinedImageSampler | DescriptorType::UniformTexelBuffer => {
            Entry::Texture { unit: (number - FIRST_SAMPLER) as usize, sampler: SAMPLER }
        }
        DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer => {
            Entry::Image((number - FIRST_IMAGE) as usize)
        }
    }
}

pub(super) fn scalar(own: Scalar, stage: Stage) -> ScalarStart {
    let scratch = |half| match stage {
        Stage::Compute => ScalarStart::Scratch(half),
        _ => ScalarStart::ScratchTable(half),
    };
    match own {
        Scalar::Set => ScalarStart::Set,
        Scalar::VertexBuffers => ScalarStart::VertexBuffers,
        Scalar::GridLow => ScalarStart::GridSize(WordHalf::Low),
        Scalar::GridHigh => ScalarStart::GridSize(WordHalf::High),
        Scalar::Group(axis) => ScalarStart::Group(axis),
        Scalar::Wave => ScalarStart::Wave,
        Scalar::ScratchLow => scratch(WordHalf::Low),
        Scalar::ScratchHigh => scratch(WordHalf::High),
        Scalar::ScratchOffset => ScalarStart::ScratchOffset,
        Scalar::Lanes => ScalarStart::Lanes,
        Scalar::FirstVertex | Scalar::Primitives | Scalar::Unread => ScalarStart::Zero,
    }
}

pub(super) fn vector(own: Vector) -> VectorStart {
    match own {
        Vector::Thread(axis) => VectorStart::Thread(axis),
        Vector::Vertex | Vector::Patch => VectorStart::Lane,
        Vector::Invocation => VectorStart::Invocation,
        Vector::Pixel(axis) => VectorStart::Pixel(axis),
        Vector::PixelPair => VectorStart::PixelPair,
        Vector::Unread => VectorStart::Zero,
    }
}
