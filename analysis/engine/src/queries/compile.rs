//! Compilation as the engine sees it: which jobs it wants, and what came back.
//!
//! Compiling is not a query: it is a job with a key, done elsewhere, whose
//! result overwrites a slot. While a new one is on its way the last good one
//! stays, and the key says that it is stale.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use gcn::Target;
use gcn::compiled::Compiled;
use gcn::targets::{Compiles, Feature};
use lower::environment::ThreadIds;
use lower::{Environment, Failure, Module};
use rustc_hash::FxBuildHasher;
use salsa::Database;
use thiserror::Error;

use crate::inputs::{Build, CompileSlot, Compiler, CompilerOutput, File, FileId, JobKey};
use crate::queries::alignment;
use crate::queries::rules::directives;
use crate::queries::shaders::{self, ShaderText};

/// Hashes a value to 128 bits: two hashes of 64 bits that have nothing in common.
fn hash_of(value: &impl Hash) -> u128 {
    let quick = FxBuildHasher.hash_one(value);
    let mut thorough = DefaultHasher::new();
    value.hash(&mut thorough);
    u128::from(quick) << 64 | u128::from(thorough.finish())
}

/// A compile job that the engine wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedJob {
    /// The file it belongs to.
    pub file: FileId,
    /// The number of the shader in the file, from 0.
    pub shader: usize,
    /// The chip and the compiler.
    pub build: Build,
    /// The job's identity.
    pub key: JobKey,
    /// The program that is compiled.
    pub input: JobInput,
    /// TGSI instructions, which bound the time.
    pub instructions: u32,
    /// The fingerprints of its instructions, to join the result to later texts.
    pub fingerprints: Arc<[u64]>,
}

/// The program that a job compiles, in the language of its compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobInput {
    /// LLVM IR, and LLVM's feature string.
    Ir {
        /// The IR.
        ir: Arc<str>,
        /// The features.
        features: &'static str,
    },
    /// SPIR-V.
    Spirv(SpirvShader),
}

/// A shader in SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpirvShader {
    /// The module, whose debug lines are the ordinals of instructions.
    pub module: Arc<spirv::Module>,
    /// The text that it was translated from, by which whoever compiles it may run it.
    pub text: Arc<str>,
}

impl JobInput {
    /// LLVM IR and LLVM's features; `None` where it is for another compiler.
    pub fn ir(&self) -> Option<(&Arc<str>, &'static str)> {
        match self {
            JobInput::Ir { ir, features } => Some((ir, features)),
            JobInput::Spirv(_) => None,
        }
    }
}

/// The end of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobResult {
    /// The compiler's assembly text and the bytes of its code.
    Compiled {
        /// Verbose assembly.
        assembly: Arc<str>,
        /// Bytes of `.text`.
        code: Arc<[u8]>,
        /// Warnings of the compiler: the debug line, 0 where it named none, and its words.
        warnings: Arc<[(u32, String)]>,
    },
    /// Code that was read from a compiler's words. A second result of the same job may follow,
    /// joined to the source.
    Read {
        /// The code.
        compiled: Arc<Compiled>,
        /// Sentences on how it was made.
        notes: Arc<[String]>,
    },
    /// One sentence for the user.
    Failed(String),
}

/// A thing that stands between a shader and its compiled code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CompileBlocker {
    /// The text has errors.
    Errors,
    /// A part of it is known only when its program runs.
    Hole,
    /// Parts of it are not lowered.
    Lowering(Arc<[Failure]>),
    /// Compilation is off.
    Off,
    /// The target's chips are not compiled for.
    Target,
    /// The target's chips draw nothing, and the shader is not a compute shader.
    Graphics,
    /// The target's chips have no images of the kind that the shader uses.
    Images,
}

/// Failures that stand in the way of compiling a shader for a generation. Cheap, where
/// the IR is not: diagnostics ask it at every keystroke.
#[salsa::tracked(returns(clone))]
pub(crate) fn failures<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    generation: gcn::Generation,
    environment: Environment,
) -> Arc<[Failure]> {
    let parse = shaders::parse(db, shader);
    let shader = parse.shader.as_ref();
    let failures = shader.map(|shader| lower::check_for(shader, generation, environment));
    Arc::from(failures.unwrap_or_default())
}

/// A shader's IR and its hash.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lowered {
    pub(crate) module: Module,
    hash: u128,
}

impl Lowered {
    fn new(module: Module) -> Lowered {
        let hash = hash_of(&module.ir);
        Lowered { module, hash }
    }
}

/// Intrinsics of images, and of images through samplers.
const IMAGES: &str = "@llvm.amdgcn.image.";
const SAMPLERS: [&str; 3] =
    ["@llvm.amdgcn.image.sample", "@llvm.amdgcn.image.gather4", "@llvm.amdgcn.image.getlod"];

/// Tells whether a shader is a compute shader.
fn is_compute<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> bool {
    let parse = shaders::parse(db, shader);
    parse.shader.as_ref().is_some_and(|it| it.stage.value == tgsi::Stage::Compute)
}

/// The IR of a shader, or what stands in its way. Equal IR is equal to the
/// last bit whatever the comments, white space and positions.
#[salsa::tracked(returns(clone))]
pub(crate) fn lowered<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    generation: gcn::Generation,
    environment: Environment,
) -> Result<Arc<Lowered>, Arc<[Failure]>> {
    let parse = shaders::parse(db, shader);
    let shader = parse.shader.as_ref().ok_or_else(Arc::default)?;
    let module = lower::lower_for(shader, generation, environment)?;
    Ok(Arc::new(Lowered::new(module)))
}

/// The IR of two shaders that run as one program, each with its state; `None` where
/// something stands in the way.
#[salsa::tracked(returns(clone))]
fn lowered_together<'db>(
    db: &'db dyn Database,
    first: ShaderText<'db>,
    second: ShaderText<'db>,
    generation: gcn::Generation,
    environments: [Environment; 2],
) -> Option<Arc<Lowered>> {
    let parses = [first, second].map(|shader| shaders::parse(db, shader));
    let [first, second] = [0, 1].map(|half: usize| parses[half].shader.as_ref());
    let halves = [(first?, environments[0]), (second?, environments[1])];
    let module = lower::lower_merged(halves[0], halves[1], generation).ok()?;
    Some(Arc::new(Lowered::new(module)))
}

/// The program that a shader is compiled to: its own, or the one of two stages.
pub(crate) struct Program<'db> {
    /// The shaders whose instructions it has, in this order, and their files.
    pub(crate) shaders: Vec<(File, ShaderText<'db>)>,
    /// Their IR.
    pub(crate) lowered: Arc<Lowered>,
}

/// The program of a shader for a generation, or what stands in its way.
pub(crate) fn program<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    target: Target,
) -> Result<Program<'db>, Arc<[Failure]>> {
    let generation = target.generation();
    let environment = |(file, shader): (File, ShaderText<'db>)| {
        let stated = directives::environment(db, file, shader.index(db));
        match target.has(Feature::Gfx90aInsts) {
            true => Environment { thread_ids: ThreadIds::Packed, ..stated },
            false => stated,
        }
    };
    let halves = crate::queries::rules::halves(db, file, shader.index(db), generation);
    let halves = halves.filter(|halves| halves.iter().all(|one| !shaders::has_errors(db, one.1)));
    if let Some([first, second]) = halves {
        let environments = [environment(first), environment(second)];
        if let Some(lowered) = lowered_together(db, first.1, second.1, generation, environments) {
            return Ok(Program { shaders: vec![first, second], lowered });
        }
    }
    let alone = (file, shader);
    let lowered = lowered(db, shader, generation, environment(alone))?;
    Ok(Program { shaders: vec![alone], lowered })
}

/// The program of two stages that a shader is compiled to; `None` where it is compiled
/// alone, which takes no IR to know.
pub(crate) fn merged<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    target: Target,
) -> Option<Program<'db>> {
    crate::queries::rules::halves(db, file, shader.index(db), target.generation())?;
    module(db, file, shader, target).ok().map(|(program, _)| program)
}

impl Program<'_> {
    /// The fingerprints of the instructions, to join results to later texts.
    pub(crate) fn fingerprints(&self, db: &dyn Database) -> Arc<[u64]> {
        match self.shaders[..] {
            [(_, alone)] => fingerprints(db, alone),
            _ => self.shaders.iter().flat_map(|it| fingerprints(db, it.1).to_vec()).collect(),
        }
    }
}

/// The fingerprints of a shader's instructions.
#[salsa::tracked(returns(clone))]
pub(crate) fn fingerprints<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> Arc<[u64]> {
    let parse = shaders::parse(db, shader);
    let fingerprints =
        parse.shader.as_ref().map(|ast| alignment::fingerprints(ast, &shader.text(db)));
    Arc::from(fingerprints.unwrap_or_default())
}

/// The reason why the output of a compiler is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the compiler's output was not understood: {0}")]
pub(crate) struct Unreadable(String);

/// The compiled code of a slot's last good result, read by our own reader.
#[salsa::tracked(returns(clone))]
pub(crate) fn compiled(
    db: &dyn Database,
    slot: CompileSlot,
) -> Option<Result<Arc<Compiled>, Unreadable>> {
    let state = slot.state(db);
    Some(match &state.good.as_ref()?.output {
        CompilerOutput::Text { assembly, code, .. } => {
            let read = gcn::compiled::read(assembly, code, slot.build(db).target);
            read.map(Arc::new).map_err(|reason| Unreadable(reason.to_string()))
        }
        CompilerOutput::Read { compiled, .. } => Ok(Arc::clone(compiled)),
    })
}

/// The module to compile for a target and its job's key, or the blocker.
pub(crate) fn module<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    target: Target,
) -> Result<(Program<'db>, JobKey), CompileBlocker> {
    if tgsi::holes::has_holes(&shader.text(db)) {
        return Err(CompileBlocker::Hole);
    }
    if shaders::has_errors(db, shader) {
        return Err(CompileBlocker::Errors);
    }
    match target.row().compiles {
        Compiles::AllStages => {}
        Compiles::Compute if is_compute(db, shader) => {}
        Compiles::Compute => return Err(CompileBlocker::Graphics),
        Compiles::Nothing => return Err(CompileBlocker::Target),
    }
    if !file.settings(db).compile(db) {
        let environment = directives::environment(db, file, shader.index(db));
        let failures = failures(db, shader, target.generation(), environment);
        return Err(if failures.is_empty() {
            CompileBlocker::Off
        } else {
            CompileBlocker::Lowering(failures)
        });
    }
    let program = program(db, file, shader, target).map_err(CompileBlocker::Lowering)?;
    let ir = &program.lowered.module.ir;
    let lacks = |feature, intrinsic: &str| !target.has(feature) && ir.contains(intrinsic);
    if lacks(Feature::Images, IMAGES)
        || SAMPLERS.iter().any(|intrinsic| lacks(Feature::Graphics, intrinsic))
    {
        return Err(CompileBlocker::Images);
    }
    let what = (program.lowered.hash, target.row().processor, target.row().llvm_features);
    let key = JobKey(hash_of(&what));
    Ok((program, key))
}

/// The SPIR-V of a shader, whose debug lines are ordinals, and the hash of its words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Translated {
    module: Arc<spirv::Module>,
    hash: u128,
}

#[salsa::tracked(returns(clone))]
fn translated<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    environment: Environment,
) -> Result<Arc<Translated>, Arc<[Failure]>> {
    let parse = shaders::parse(db, shader);
    let shader = parse.shader.as_ref().ok_or_else(Arc::default)?;
    let options = spirv::Options { environment, ..spirv::Options::default() };
    let module = spirv::translate(shader, &options)?;
    let hash = hash_of(&module.words);
    Ok(Arc::new(Translated { module: Arc::new(module), hash }))
}

/// The SPIR-V to compile for a target and its job's key, or the blocker.
pub(crate) fn spirv_module<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    target: Target,
) -> Result<(Arc<spirv::Module>, JobKey), CompileBlocker> {
    if tgsi::holes::has_holes(&shader.text(db)) {
        return Err(CompileBlocker::Hole);
    }
    if shaders::has_errors(db, shader) {
        return Err(CompileBlocker::Errors);
    }
    let environment = directives::environment(db, file, shader.index(db));
    let translated = translated(db, shader, environment).map_err(CompileBlocker::Lowering)?;
    let key = JobKey(hash_of(&(translated.hash, target.name(), Compiler::Aco)));
    Ok((Arc::clone(&translated.module), key))
}

/// The program that a build of a shader is compiled from, for LLVM, and its job's key; or what
/// stands in its way.
pub(crate) fn wanted_program<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    build: Build,
) -> Result<(Option<Program<'db>>, JobKey), CompileBlocker> {
    match build.compiler {
        Compiler::Llvm => {
            module(db, file, shader, build.target).map(|(program, key)| (Some(program), key))
        }
        Compiler::Aco => spirv_module(db, file, shader, build.target).map(|(_, key)| (None, key)),
    }
}

/// The slot of a shader and build, if it ever compiled.
pub(crate) fn slot(
    db: &dyn Database,
    file: File,
    shader: usize,
    build: impl Into<Build>,
) -> Option<CompileSlot> {
    let (slots, build) = (file.slots(db), build.into());
    slots.iter().copied().find(|slot| slot.shader(db) == shader && slot.build(db) == build)
}

/// The jobs of a file that have not ended yet.
pub(crate) fn wanted(db: &dyn Database, file: File) -> Vec<WantedJob> {
    let mut jobs = Vec::new();
    for shader in shaders::shaders(db, file) {
        let index = shader.index(db);
        for build in directives::builds(db, file, index).iter().copied() {
            let Some(job) = job(db, file, *shader, build) else { continue };
            let state = slot(db, file, index, build).map(|slot| slot.state(db));
            let newest = state.as_ref().and_then(|state| state.newest.as_ref());
            if newest.is_none_or(|(newest, _)| *newest != job.key) {
                jobs.push(job);
            }
        }
    }
    jobs
}

/// The job of a build's compiler; nothing of a shader that is not translated for it.
fn job<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    build: Build,
) -> Option<WantedJob> {
    let (key, input, instructions, fingerprints) = match build.compiler {
        Compiler::Llvm => {
            let (program, key) = module(db, file, shader, build.target).ok()?;
            let module = &program.lowered.module;
            let ir = Arc::from(module.ir.as_str());
            let input = JobInput::Ir { ir, features: build.target.row().llvm_features };
            (key, input, module.instructions, program.fingerprints(db))
        }
        Compiler::Aco => {
            let (module, key) = spirv_module(db, file, shader, build.target).ok()?;
            let fingerprints = fingerprints(db, shader);
            let instructions = u32::try_from(fingerprints.len()).unwrap_or(u32::MAX);
            let text = shader.text(db);
            (key, JobInput::Spirv(SpirvShader { module, text }), instructions, fingerprints)
        }
    };
    let (file, shader) = (file.id(db), shader.index(db));
    Some(WantedJob { file, shader, build, key, input, instructions, fingerprints })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_key_tell_texts_apart() {
        let [one, other] = ["ret void", "ret  void"].map(|text| hash_of(&text));
        assert_ne!(one >> 64, other >> 64);
        assert_ne!(one as u64, other as u64);
        assert_ne!((one >> 64) as u64, one as u64, "the halves are two hashes");
        assert_eq!(one, hash_of(&"ret void"));
    }
}
