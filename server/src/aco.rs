//! Mesa's compiler ACO: what its driver makes of SPIR-V, read by our own disassembler.

mod by_values;
mod execute;

use std::path::Path;
use std::sync::Arc;

use engine::SpirvShader;
pub(crate) use execute::{AcoEmulator, ExecuteError};
use gcn::Target;
use gcn::compiled::{Compiled, Stated, of_words};
use gcn::dialect::Statistic;
pub(crate) use radv::Priority;
use radv::convention::convention;
use radv::{
    Binding, BindingKind, CompileError, Compiler, Configuration, Executable, Job, Module, Output,
    Road, Stage, State,
};

/// The lines that code is joined to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// The lines of `OpLine`, by way of the ids of ACO's program.
    OpLine,
    /// By values: this version of Mesa does not hand lines on.
    Values,
    /// None, for this reason.
    Nothing(NoLines),
    /// None yet.
    Unasked,
}

impl Join {
    /// Its word in machine-readable output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Join::OpLine => "opline",
            Join::Values => "values",
            Join::Nothing(_) | Join::Unasked => "none",
        }
    }
}

/// The reason why code has no lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoLines {
    /// The driver died of the question.
    Driver,
    /// Nothing executes the chip's code, or the code is one that is not executed.
    NotExecuted,
}

/// The code that ACO made of a shader.
#[derive(Debug)]
pub(crate) struct Made {
    /// The code; its ordinals are the lines of `OpLine`.
    pub(crate) compiled: Arc<Compiled>,
    /// Mesa's own figures, by its names.
    pub(crate) figures: Vec<Statistic>,
    /// The version of Mesa.
    pub(crate) version: String,
    /// The way by which the driver has the chip.
    pub(crate) road: Road,
    /// The join to the source.
    pub(crate) join: Join,
    /// The part that the code plays in a program of two stages.
    pub(crate) program: Option<String>,
    /// The vector and the scalar registers that the hardware loads before the code begins.
    pub(crate) inputs: Option<[u32; 2]>,
    /// The constants that follow the code.
    constants: Vec<u32>,
}

impl Made {
    /// Sentences on how it was made, and what its driver states of it.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let figures = self.figures.iter().map(|it| format!("{} {}", it.name, it.value));
        let figures = figures.collect::<Vec<_>>().join(", ");
        let join = match self.join {
            Join::OpLine => "lines by OpLine and ACO's ids",
            Join::Values => {
                "lines by the values that it computes: this driver states none (Mesa 25.2 and \
                 later do)"
            }
            Join::Nothing(NoLines::NotExecuted) => {
                "without lines: this driver states none (Mesa 25.2 and later do), and the code \
                 is not executed to find them"
            }
            Join::Nothing(NoLines::Driver) => "without lines: the driver died when it was asked",
            Join::Unasked => "its lines follow",
        };
        let maker = format!("ACO of Mesa {} ({}), {join}", self.version, self.road.name());
        let program = self.program.iter().cloned();
        program.chain([format!("Mesa states: {figures}"), maker]).collect()
    }
}

/// The job of a translated shader: its module with the layout that the translation has, and
/// the stage.
pub(crate) fn job(module: &spirv::Module) -> (Job, Stage) {
    let stage = match module.stage {
        tgsi::Stage::Vertex => Stage::Vertex,
        tgsi::Stage::TessellationControl => Stage::TessellationControl,
        tgsi::Stage::TessellationEvaluation => Stage::TessellationEvaluation,
        tgsi::Stage::Geometry => Stage::Geometry,
        tgsi::Stage::Fragment => Stage::Fragment,
        tgsi::Stage::Compute => Stage::Compute,
    };
    let one = |(first, kind)| Binding { first, count: 1, kind };
    let others = module.bindings.iter().map(|own| own.number);
    let others = others.filter(|number| *number >= spirv::layout::BINDINGS);
    let numbers = (0..spirv::layout::BINDINGS).chain(others);
    let state = State {
        bindings: numbers.map(|it| (it, kind(it, module))).map(one).collect(),
        ..State::default()
    };
    (Job { modules: vec![Module { stage, words: module.words.clone() }], state }, stage)
}

/// The kind of a binding: as the module has it, or what else would stand there.
fn kind(number: u32, module: &spirv::Module) -> BindingKind {
    use spirv::layout::{DescriptorType, FIRST_BUFFER, FIRST_IMAGE, FIRST_SAMPLER};
    let own = module.bindings.iter().find(|binding| binding.number == number);
    match own.map(|binding| binding.descriptor) {
        Some(DescriptorType::UniformBuffer) => BindingKind::UniformBuffer,
        Some(DescriptorType::CombinedImageSampler) => BindingKind::SampledImage,
        Some(DescriptorType::UniformTexelBuffer) => BindingKind::UniformTexels,
        Some(DescriptorType::StorageBuffer) => BindingKind::StorageBuffer,
        Some(DescriptorType::StorageImage) => BindingKind::StorageImage,
        Some(DescriptorType::StorageTexelBuffer) => BindingKind::StorageTexels,
        None if number < FIRST_SAMPLER => BindingKind::UniformBuffer,
        None if number < FIRST_BUFFER => BindingKind::SampledImage,
        None if number < FIRST_IMAGE => BindingKind::StorageBuffer,
        None => BindingKind::StorageImage,
    }
}

/// ACO, ready for jobs.
#[derive(Debug)]
pub(crate) struct Aco {
    compiler: Compiler,
}

/// The advice where the driver is missing.
const ADVICE: &str = "Install your distribution's Vulkan driver for AMD (Debian: \
                      mesa-vulkan-drivers, Fedora: mesa-vulkan-drivers, Arch: vulkan-radeon)";

/// The reason why there is no ACO, and what to install: one line.
pub(crate) fn install_advice(found: &[radv::Found]) -> String {
    let why = match found.first() {
        None => "Mesa's driver RADV was not found".to_owned(),
        Some(first) => {
            let why = first.problem.as_deref().unwrap_or("unknown reason");
            format!("No usable RADV was found ({}: {why})", first.path.display())
        }
    };
    format!("{why}, so there is no ACO. {ADVICE}.")
}

/// The reason why ACO made no code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AcoError {
    /// No driver was found.
    #[error("{0}")]
    NoDriver(String),
    /// RADV has no name for the processor.
    #[error("{0} is a processor without a chip that RADV has a name for")]
    NoChip(Target),
    /// The driver made nothing of the job.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The pipeline has no code of the stage.
    #[error("RADV made no code for the {0} stage")]
    NoCode(Stage),
    /// The code was not found in what the driver keeps.
    #[error("Mesa {0} keeps its code in a form that is not known, so there is none to show")]
    UnknownForm(String),
    /// Our disassembler does not know the code.
    #[error("ACO's code was not understood: {0}")]
    NotUnderstood(gcn::compiled::ReadError),
}

impl Aco {
    /// Looks for the driver; `worker` is our own executable.
    ///
    /// # Errors
    /// There is none, with what to install.
    pub(crate) fn find(worker: &Path, priority: Priority) -> Result<Aco, AcoError> {
        let missing = || AcoError::NoDriver(install_advice(&radv::library::find()));
        let driver = radv::library::choose().ok_or_else(missing)?;
        let executable = worker.to_owned();
        let compiler = Compiler::new(Configuration { executable, driver, priority });
        Ok(Aco { compiler })
    }

    /// Compiles a job, and returns the code of one of its stages, which has no lines yet.
    ///
    /// # Errors
    /// The reason why there is none: a sentence for the user.
    pub(crate) fn compile(
        &mut self,
        job: &Job,
        stage: Stage,
        target: Target,
    ) -> Result<Made, AcoError> {
        let chip = chip(target).ok_or(AcoError::NoChip(target))?;
        let (version, road) = self.compiler.version(chip)?;
        let output = self.compiler.compile(chip, job)?;
        let executable = code_of(&output.executables, stage).ok_or(AcoError::NoCode(stage))?;
        if executable.code.is_empty() {
            return Err(AcoError::UnknownForm(version));
        }
        let stated = stated(executable, job, stage);
        let compiled =
            of_words(&executable.code, stated, target).map_err(AcoError::NotUnderstood)?;
        let figures = executable.figures.iter();
        let figures = figures
            .filter(|(name, _)| !is_a_hash(name))
            .map(|(name, value)| Statistic { name: name.as_str().into(), value: *value });
        Ok(Made {
            figures: figures.collect(),
            program: merged(executable, stage),
            compiled: Arc::new(compiled),
            inputs: None,
            constants: executable.constants.clone(),
            version,
            road,
            join: Join::Unasked,
        })
    }

    /// Compiles a job, and returns the code of one of its stages with the registers with which it
    /// begins.
    ///
    /// # Errors
    /// The reason why there is none: a sentence for the user.
    fn compile_to_execute(
        &mut self,
        job: &Job,
        stage: Stage,
        target: Target,
    ) -> Result<execute::Executable, ExecuteError> {
        let chip = chip(target).ok_or(AcoError::NoChip(target))?;
        let (version, _) = self.compiler.version(chip).map_err(AcoError::from)?;
        let told = self.compiler.compile_with_registers(chip, job).map_err(AcoError::from)?;
        let module = job.modules.iter().find(|module| module.stage == stage);
        let module = module.ok_or(AcoError::NoCode(stage))?;
        let convention = convention(&version, &told, module)?;
        // With what it tells there is no code on chips without a disassembler.
        let output = self.compiler.compile(chip, job).map_err(AcoError::from)?;
        let own = code_of(&output.executables, stage).ok_or(AcoError::NoCode(stage))?;
        if own.code.is_empty() {
            return Err(AcoError::UnknownForm(version).into());
        }
        let compiled = of_words(&own.code, stated(own, job, stage), target);
        let compiled = compiled.map_err(AcoError::NotUnderstood)?;
        let constants = own.constants.clone();
        Ok(execute::Executable { compiled, constants, convention })
    }

    /// Gives code the lines that the driver knows, and the registers that the hardware loads.
    /// Where the driver dies of the question, the code stays without them.
    ///
    /// # Errors
    /// RADV has no name for the processor.
    pub(crate) fn join(
        &mut self,
        (job, stage): (&Job, Stage),
        shader: &SpirvShader,
        target: Target,
        made: Made,
    ) -> Result<Made, AcoError> {
        let chip = chip(target).ok_or(AcoError::NoChip(target))?;
        let chosen = self.compiler.compile_with_registers(chip, job).ok();
        let mut compiled = Compiled::clone(&made.compiled);
        let join = match &chosen {
            Some(chosen) if self.join_lines(job, (stage, chip), chosen, &mut compiled) => {
                Join::OpLine
            }
            Some(chosen) => {
                let code = by_values::Code { job, stage, target, made: &made, told: chosen };
                match by_values::join(shader, &code, &mut compiled) {
                    Some(()) => Join::Values,
                    None => Join::Nothing(NoLines::NotExecuted),
                }
            }
            None => Join::Nothing(NoLines::Driver),
        };
        let inputs = chosen.as_ref().and_then(|chosen| radv::inputs(chosen, stage));
        Ok(Made { compiled: Arc::new(compiled), inputs, join, ..made })
    }

    /// Gives code the lines that the driver states, if it does.
    fn join_lines(
        &mut self,
        job: &Job,
        (stage, chip): (Stage, &str),
        chosen: &Output,
        compiled: &mut Compiled,
    ) -> bool {
        let mut places = || {
            let module = job.modules.iter().find(|module| module.stage == stage)?;
            let lines = self.compiler.compile_with_lines(chip, job).ok()?;
            let lines = code_of(&lines.executables, stage)?;
            if !radv::has_lines(lines) {
                return None;
            }
            let machine: Vec<&str> =
                compiled.instructions.iter().map(|it| it.text.as_str()).collect();
            radv::join(module, lines, chosen, &machine)
        };
        let Some(places) = places() else { return false };
        for (instruction, place) in compiled.instructions.iter_mut().zip(places) {
            instruction.ordinal = place.map_or(0, |place| place.line);
        }
        true
    }
}

/// The piece of code that has a stage. A geometry shader of older chips has a second one that
/// copies what it wrote; the driver's name says so.
fn code_of(executables: &[Executable], stage: Stage) -> Option<&Executable> {
    let mut found = executables.iter().filter(|it| it.has(stage));
    found.find(|it| !it.name.to_lowercase().contains("copy"))
}

/// The sentence about a stage that runs in one program with another.
fn merged(executable: &Executable, stage: Stage) -> Option<String> {
    let other = Stage::ALL.into_iter().find(|it| *it != stage && executable.has(*it))?;
    Some(format!("one program with the {other} stage, which this chip merges with it"))
}

/// Figures that tell nothing of the code.
fn is_a_hash(name: &str) -> bool {
    matches!(name, "Hash" | "Driver pipeline hash")
}

/// The figures that the words of the code do not have.
fn stated(executable: &Executable, job: &Job, stage: Stage) -> Stated {
    let figure = |name: &str| {
        executable.figure(name).and_then(|it| u32::try_from(it).ok()).unwrap_or_default()
    };
    let lanes = executable.lanes.max(1);
    let module = job.modules.iter().find(|module| module.stage == stage);
    let invocations = module.and_then(|module| radv::workgroup(&module.words));
    Stated {
        vgprs: figure("VGPRs"),
        sgprs: figure("SGPRs"),
        lds: figure("LDS size"),
        // Mesa counts those of a wave.
        scratch: figure("Scratch size") / lanes,
        spilled_vgprs: figure("Spilled VGPRs"),
        spilled_sgprs: figure("Spilled SGPRs"),
        waves_per_group: match stage {
            Stage::Compute => Some(invocations.map_or(1, |it| it.div_ceil(lanes))),
            // As many as the driver has share the memory of merged stages.
            _ => None,
        },
    }
}

/// The name by which Mesa knows a target's chip: its own, or for a processor that of the
/// first chip that has it.
pub(crate) fn chip(target: Target) -> Option<&'static str> {
    let is_chip = |it: &Target| !it.name().starts_with("gfx");
    if is_chip(&target) {
        return Some(target.name());
    }
    let usual = Target::default();
    let mut chips = std::iter::once(usual).chain(Target::all()).filter(is_chip);
    chips.find(|it| it.processor() == target.processor()).map(|it| it.name())
}

/// The chips that a driver compiles for.
#[derive(Debug, Default)]
pub(crate) struct Chips {
    /// The version of Mesa.
    pub(crate) version: Option<String>,
    /// Their names.
    pub(crate) names: Vec<&'static str>,
}

/// Asks a driver for every chip that has a name, each in a process of its own.
pub(crate) fn chips(driver: &radv::Found, worker: &Path) -> Chips {
    let mut found = Chips::default();
    for target in Target::all() {
        let Some(name) = chip(target).filter(|name| *name == target.name()) else { continue };
        // A new one for each, so that no more than one process lives.
        let (executable, driver) = (worker.to_owned(), driver.clone());
        let priority = Priority::Normal;
        let mut compiler = Compiler::new(Configuration { executable, driver, priority });
        if let Ok((version, _)) = compiler.version(name) {
            found.version = Some(version);
            found.names.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_compiled_for_by_their_chips() {
        let name = |name: &str| chip(Target::find(name).unwrap());
        assert_eq!(name("vega10"), Some("vega10"));
        assert_eq!(name("gfx803"), Some("polaris10"));
        assert_eq!(name("gfx900"), Some("vega10"));
        assert_eq!(name("gfx600"), Some("tahiti"));
    }

    #[test]
    fn a_missing_driver_is_told_in_one_line() {
        let advice = install_advice(&[]);
        assert!(advice.starts_with("Mesa's driver RADV was not found") && !advice.contains('\n'));
        assert!(advice.contains("mesa-vulkan-drivers"));
    }
}
