//! `tungsten compile`: the machine code of a file's shaders.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use engine::ide::{
    Comparison, ComparisonPart, CompiledCode, CompiledRef, Problem, ProblemKind, ShaderInfo,
};
use engine::{
    Build, Cancelled, Environment, FileId, Host, Language, RuleSettings, Settings, Snapshot,
};
use llvm::Found;
use source::Severity;
use tgsi::dialects::Dialect;

use super::comparing::{self, Baselines};
use super::compiler::{Compiler, Counts, Maker};
use super::files::{Heads, SourceFile, each_file};
use super::format::{Format, FormatArgument};
use super::glsl::{Asked, Renderer, read_hosts};
use super::named::Named;
use super::output::Output;
use super::settings::Projects;
use super::spirv_modules::{self, Modules};
use super::{
    CompilerArguments, CompilerName, Status, Stop, beside, check, compile_data, complain, failed,
    interleave, read_targets,
};
use crate::aco::Made;
use crate::language;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files, and folders, whose shaders are searched as git sees them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The chips to compile for
    #[arg(long, value_delimiter = ',', value_name = "TARGET")]
    target: Vec<String>,
    #[command(flatten)]
    format: FormatArgument,
    /// The part to print in place of source and machine code together
    #[arg(long, value_name = "PART")]
    emit: Option<Emit>,
    /// The hosts whose GLSL `--emit glsl` prints: `gl33` to `gl46`, `gles30` to `gles32`, each
    /// with `-GL_EXTENSION` or `+GL_EXTENSION` after it
    #[arg(long, value_delimiter = ',', value_name = "HOST", requires = "emit")]
    host: Vec<String>,
    /// Print the code of all targets side by side, statement by statement
    #[arg(long, conflicts_with_all = ["format", "json", "emit"])]
    side_by_side: bool,
    /// Show what has changed since `compile --format json` wrote this file
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["format", "json", "emit", "side_by_side"]
    )]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    compiler: CompilerArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The instructions alone
    Asm,
    /// The LLVM IR that the shaders are lowered to
    Ir,
    /// The SPIR-V module: its bytes, or its text on a terminal
    Spirv,
    /// The text of the SPIR-V module
    SpirvText,
    /// The GLSL that virglrenderer makes of the shaders for a host
    Glsl,
    /// The bytes in memory order, an instruction a line
    Hex,
    /// The figures alone
    Stats,
    /// Alias of `--format json`
    #[value(hide = true)]
    Json,
}

impl Emit {
    /// The form of a module that is asked for; `None` of other parts.
    fn spirv(self) -> Option<spirv_modules::Form> {
        match self {
            Emit::Spirv => Some(spirv_modules::Form::BytesOrText),
            Emit::SpirvText => Some(spirv_modules::Form::Text),
            _ => None,
        }
    }
}

/// One shader compiled for one target.
pub(super) struct CompiledShader<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) shader: usize,
    pub(super) info: &'a ShaderInfo,
    pub(super) target: gcn::Target,
    pub(super) code: &'a CompiledCode,
    pub(super) maker: Maker<'a>,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let targets = read_targets(&arguments.target)?;
    let asked = (!arguments.target.is_empty()).then_some(targets);
    let is_of_llvm = arguments.compiler.compiler == [CompilerName::Llvm];
    if !is_of_llvm && (arguments.side_by_side || arguments.baseline.is_some()) {
        return Err(failed(
            "--side-by-side and --baseline compare what LLVM makes; leave out --compiler",
        ));
    }
    let hosts = hosts(arguments)?;
    let baseline = arguments.baseline.as_deref();
    let baselines = baseline.map(Baselines::read).transpose()?;
    let heads = match arguments.emit {
        Some(Emit::Asm | Emit::Ir | Emit::Hex) => Heads::Comments,
        // In a module's bytes nothing else has a place.
        Some(Emit::Spirv | Emit::SpirvText | Emit::Glsl) => Heads::None,
        None if arguments.side_by_side || baselines.is_some() => Heads::Comments,
        None | Some(Emit::Stats | Emit::Json) => Heads::None,
    };
    let mut named = Named::by(&arguments.files);
    let rest = named.complain_of_rest();
    // In a folder nobody asked for assembly.
    let mut files = std::mem::take(&mut named.files);
    files.retain(|path| {
        language::by_extension(&path.to_string_lossy()) == Some(Language::Tgsi) || named.names(path)
    });
    named.files = files;
    if named.files.is_empty() {
        return Err(failed("no file of TGSI was found"));
    }
    let projects = &mut Projects::in_folders(named.folders());
    let is_of_several = named.files.len() > 1;
    let mut task = Task {
        arguments,
        compiler: &Compiler::new(&arguments.compiler),
        is_of_several,
        baselines,
        counts: Counts::default(),
        hosts,
        renderer: Renderer::default(),
    };
    let status = each_file(&named.files, heads, output, |path, output| {
        let inputs = Inputs::of(path, asked.clone(), projects);
        Compilation::new(&read(path)?, &inputs)?.print(&mut task, output)
    })?;
    if is_of_several && arguments.format.chosen() == Format::Text {
        task.counts.print(named.files.len());
    }
    Ok(status.max(rest))
}

/// The part of a run that is the same for all files, or goes from one to the next.
struct Task<'a> {
    arguments: &'a Arguments,
    compiler: &'a Compiler<'a>,
    is_of_several: bool,
    baselines: Option<Baselines>,
    counts: Counts,
    hosts: Vec<vrend::Host>,
    renderer: Renderer,
}

/// The hosts whose GLSL is asked for.
fn hosts(arguments: &Arguments) -> Result<Vec<vrend::Host>, Stop> {
    let is_json = arguments.format.chosen() == Format::Json;
    match arguments.emit {
        Some(Emit::Glsl) if arguments.host.is_empty() => Ok(vec![vrend::Host::default()]),
        Some(Emit::Glsl) => read_hosts(&arguments.host),
        Some(_) if is_json => Err(failed("of `--emit` only `glsl` goes with JSON")),
        _ if !arguments.host.is_empty() => Err(failed("`--host` goes with `--emit glsl`")),
        _ => Ok(Vec::new()),
    }
}

fn read(path: &Path) -> Result<SourceFile, Stop> {
    let file = SourceFile::read(path)?;
    if file.language != Language::Tgsi {
        let name = &file.name;
        return Err(failed(format_args!("{name}: is machine code already; TGSI is compiled")));
    }
    Ok(file)
}

/// The needs of a compile beside the file: the arguments, and for the rest the
/// project around the file.
pub(super) struct Inputs {
    /// The targets of the arguments, which count more than those of the file.
    asked: Option<Vec<gcn::Target>>,
    /// The targets of the project, for shaders that name none.
    targets: Option<Vec<gcn::Target>>,
    environment: Environment,
    /// The reader of TGSI of the project, which decides what is an error.
    dialect: Option<&'static Dialect>,
}

impl Inputs {
    /// `asked` are the targets of the arguments.
    pub(super) fn of(
        path: &Path,
        asked: Option<Vec<gcn::Target>>,
        projects: &mut Projects,
    ) -> Inputs {
        let project = projects.of(path);
        let configuration = project.as_ref().map(|project| &project.configuration);
        Inputs {
            asked,
            targets: configuration.map(|it| it.targets.clone()),
            environment: configuration.map(|it| it.environment).unwrap_or_default(),
            dialect: configuration.and_then(|it| it.rules.dialect),
        }
    }
}

/// Compiles a file's shaders, and shows each for each target to `see`; what could
/// not be compiled is complained of.
pub(super) fn each_compiled(
    file: &SourceFile,
    inputs: &Inputs,
    compiler: &Compiler<'_>,
    mut see: impl FnMut(&CompiledShader<'_>),
) -> Result<Status, Stop> {
    let mut session = Compilation::new(file, inputs)?;
    let library = session.compile(compiler)?;
    let snapshot = session.host.snapshot();
    session.complain_of_errors(&snapshot)?;
    session.visit(&snapshot, (compiler, library), |result, _| {
        if result.code.problem.is_some() {
            return Ok(result.complain());
        }
        see(result);
        Ok(Status::Good)
    })
}

struct Compilation<'a> {
    file: &'a SourceFile,
    host: Host,
    id: FileId,
    inputs: &'a Inputs,
    shaders: Vec<ShaderInfo>,
}

impl<'a> Compilation<'a> {
    fn new(file: &'a SourceFile, inputs: &'a Inputs) -> Result<Self, Cancelled> {
        let asked = inputs.asked.iter().flatten().copied();
        let mut host = Host::new(Settings {
            targets: inputs.targets.clone().unwrap_or_else(|| vec![gcn::Target::default()]),
            extra_builds: asked.map(Build::from).collect(),
            compile: true,
            environment: inputs.environment,
            rules: RuleSettings { dialect: inputs.dialect, ..RuleSettings::default() },
            ..Settings::default()
        });
        let id = host.set_file(&file.name, file.text.clone(), file.language);
        let shaders = host.snapshot().shaders(id)?;
        Ok(Compilation { file, host, id, inputs, shaders })
    }

    /// Compiles and prints.
    fn print(mut self, task: &mut Task<'_>, output: &mut Output) -> Result<Status, Stop> {
        let arguments = task.arguments;
        let emit = match arguments.format.chosen() {
            Format::Json => Some(Emit::Json),
            Format::Text => arguments.emit,
        };
        if arguments.emit == Some(Emit::Glsl) {
            let (renderer, hosts) = (&task.renderer, &task.hosts);
            let mut asked = Asked { file: self.file, host: &mut self.host, id: self.id };
            return match arguments.format.chosen() {
                Format::Json => asked.print_json(renderer, hosts, output),
                Format::Text => asked.print(renderer, hosts, output),
            };
        }
        if let Some(form) = emit.and_then(Emit::spirv) {
            let snapshot = self.host.snapshot();
            self.complain_of_errors(&snapshot)?;
            let one = Modules { file: self.file, is_of_several: task.is_of_several, form };
            return one.print(&snapshot, self.id, self.shaders.len(), output);
        }
        let library = match emit {
            Some(Emit::Ir) => None,
            _ => self.compile(task.compiler)?,
        };
        let snapshot = self.host.snapshot();
        if emit != Some(Emit::Json) {
            self.complain_of_errors(&snapshot)?;
        }
        let mut compared = None;
        let mut figures = Vec::new();
        self.visit(&snapshot, (task.compiler, library), |result, compiled| {
            if emit != Some(Emit::Ir) {
                task.counts.add(result.code);
            }
            if result.code.problem.is_none() && arguments.side_by_side {
                // All targets of a shader stand in one comparison.
                if compared.replace(result.shader) == Some(result.shader) {
                    return Ok(Status::Good);
                }
                let targets = self.targets(&snapshot, result.shader)?;
                let found = snapshot.compare_targets(self.id, result.shader, &targets)?;
                return print_comparison(found.as_ref(), ComparisonPart::All, output);
            }
            if let Some(baselines) =
                task.baselines.as_mut().filter(|_| result.code.problem.is_none())
            {
                let name = task.is_of_several.then_some(&*result.file.name);
                let Some(kept) = baselines.take(name, result.shader, result.target) else {
                    let (shader, target) = (result.shader, result.target);
                    complain(format_args!("the baseline has no shader {shader} for {target}"));
                    return Ok(Status::Bad);
                };
                let found = snapshot.compare_with(self.id, compiled, &kept)?;
                return print_comparison(found.as_ref(), ComparisonPart::Changes, output);
            }
            Ok(match emit {
                Some(Emit::Json) => compile_data::print(result, output)?,
                // ACO is handed none.
                Some(Emit::Ir) if result.maker.name() == CompilerName::Aco => Status::Good,
                Some(Emit::Ir) => match snapshot.ir(self.id, compiled)? {
                    Some(ir) => output.document(&ir).map(|()| Status::Good)?,
                    None => result.complain(),
                },
                _ if result.code.problem.is_some() => result.complain(),
                Some(Emit::Asm) => interleave::print_assembly(result, output)?,
                Some(Emit::Hex) => interleave::print_hex(result, output)?,
                Some(Emit::Stats) => interleave::print_header(result, output)?,
                // They have no targets, and were printed already.
                Some(Emit::Spirv | Emit::SpirvText | Emit::Glsl) => Status::Good,
                None => {
                    let is_said = self.inputs.asked.is_some()
                        || self.inputs.targets.is_some()
                        || snapshot.names_targets(self.id, result.shader)?;
                    let status = interleave::print(result, Guessed(!is_said), output)?;
                    figures.extend(beside::Figures::of(result));
                    if task.compiler.names().last() == Some(&result.maker.name()) {
                        beside::print(&std::mem::take(&mut figures), output)?;
                    }
                    status
                }
            })
        })
    }

    /// Shows every shader for every target to `see`; the worst status counts.
    fn visit(
        &self,
        snapshot: &Snapshot,
        (compiler, library): (&Compiler<'_>, Option<&Found>),
        mut see: impl FnMut(&CompiledShader<'_>, &CompiledRef) -> Result<Status, Stop>,
    ) -> Result<Status, Stop> {
        if self.shaders.is_empty() {
            return Err(failed(format_args!("{}: no shader was found", self.file.name)));
        }
        let mut status = Status::Good;
        let errors = self.first_errors(snapshot)?;
        for (shader, info) in self.shaders.iter().enumerate() {
            let targets = self.targets(snapshot, shader)?;
            if targets.is_empty() {
                let name = &self.file.name;
                complain(format_args!("{name}: shader {shader} names no known chip"));
                status = status.max(Status::Bad);
            }
            for target in targets.iter().copied() {
                let compiled = CompiledRef::new(shader, target);
                for name in compiler.names() {
                    let mut made = None;
                    let code = match name {
                        CompilerName::Llvm => snapshot.compiled_code(self.id, &compiled)?,
                        CompilerName::Aco => {
                            let found = match errors.get(&shader) {
                                Some(error) => Err(error.clone()),
                                None => by_aco(snapshot, self.id, &compiled, compiler)?,
                            };
                            let code = found.as_ref().map(|made| Arc::clone(&made.compiled));
                            let code = code.map_err(Problem::clone);
                            made = found.ok();
                            snapshot.code_of_other(self.id, &compiled, &code)?
                        }
                    };
                    let Some(mut code) = code else { continue };
                    let is_open =
                        code.problem.as_ref().is_none_or(|it| it.kind == ProblemKind::Off);
                    let refused = errors.get(&shader).filter(|_| is_open);
                    code.problem = refused.cloned().or(code.problem);
                    let maker = match name {
                        CompilerName::Llvm => Maker::Llvm(library),
                        CompilerName::Aco => Maker::Aco(made.as_ref()),
                    };
                    let file = self.file;
                    let result = CompiledShader { file, shader, info, target, code: &code, maker };
                    status = status.max(see(&result, &compiled)?);
                }
            }
        }
        Ok(status)
    }

    /// The first error of each shader that has any. What is one for `check` is not compiled, even
    /// where its meaning is known.
    fn first_errors(&self, snapshot: &Snapshot) -> Result<HashMap<usize, Problem>, Cancelled> {
        let mut first = HashMap::new();
        for diagnostic in snapshot.diagnostics(self.id)? {
            if diagnostic.severity != Severity::Error {
                continue;
            }
            let Some(shader) = snapshot.shader_at(self.id, diagnostic.range.start())? else {
                continue;
            };
            first.entry(shader).or_insert_with(|| Problem {
                kind: ProblemKind::Invalid,
                message: diagnostic.message,
                range: Some(diagnostic.range),
            });
        }
        Ok(first)
    }

    /// The targets that a shader is shown for.
    fn targets(&self, snapshot: &Snapshot, shader: usize) -> Result<Arc<[gcn::Target]>, Cancelled> {
        match &self.inputs.asked {
            Some(asked) => Ok(Arc::from(asked.as_slice())),
            None => snapshot.targets(self.id, shader),
        }
    }

    /// Runs every wanted job. Returns the library that was used.
    fn compile<'c>(&mut self, compiler: &'c Compiler<'_>) -> Result<Option<&'c Found>, Cancelled> {
        if !compiler.has(CompilerName::Llvm) {
            return Ok(None);
        }
        let mut wanted = self.host.snapshot().wanted_jobs(self.id)?;
        if let Some(asked) = &self.inputs.asked {
            wanted.retain(|job| asked.contains(&job.build.target));
        }
        let Some((results, library)) = compiler.run(self.id, wanted) else {
            self.host.set_settings(Settings { compile: false, ..self.host.settings() });
            return Ok(None);
        };
        self.host.finish_jobs(results);
        Ok(Some(library))
    }

    /// Shows the errors that keep shaders from being compiled, with their lines.
    fn complain_of_errors(&self, snapshot: &Snapshot) -> Result<(), Cancelled> {
        let mut errors = snapshot.diagnostics(self.id)?;
        errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
        if let Err(error) = check::complain_of(self.file, &errors) {
            complain(format_args!("the errors could not be shown: {error}"));
        }
        Ok(())
    }
}

/// Has ACO compile a shader.
fn by_aco(
    snapshot: &Snapshot,
    file: FileId,
    reference: &CompiledRef,
    compiler: &Compiler<'_>,
) -> Result<Result<Made, Problem>, Cancelled> {
    Ok(match snapshot.spirv_module(file, reference)? {
        Some(Ok(shader)) => compiler.compile_by_aco(&shader, reference.target),
        Some(Err(problem)) => Err(problem),
        None => Err(Problem {
            kind: ProblemKind::Invalid,
            message: "there is no shader to compile".to_owned(),
            range: None,
        }),
    })
}

fn print_comparison(
    comparison: Option<&Comparison>,
    part: ComparisonPart,
    output: &mut Output,
) -> Result<Status, Stop> {
    let Some(comparison) = comparison else { return Ok(Status::Bad) };
    comparing::print(comparison, part, output)?;
    Ok(Status::Good)
}

/// True if the target was not named by the user.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guessed(pub(super) bool);

impl CompiledShader<'_> {
    /// The shader's stage, as its header spells it.
    pub(super) fn stage(&self) -> Option<&'static str> {
        self.info.stage.map(tgsi::Stage::word)
    }

    /// Says on standard error why there is no code.
    fn complain(&self) -> Status {
        let message = match &self.code.problem {
            // Its errors were shown already.
            Some(Problem { kind: ProblemKind::Invalid, range: Some(_), .. }) => {
                "not compiled because of the errors above"
            }
            Some(problem) => problem.message.as_str(),
            None => "there is no result",
        };
        let line = self.code.problem.as_ref().and_then(|problem| problem.range);
        let line = line.map_or(String::new(), |it| format!("{}:", self.file.line(it.start())));
        let (name, shader, target) = (&self.file.name, self.shader, self.target);
        complain(format_args!("{name}:{line} shader {shader} for {target}: {message}"));
        Status::Bad
    }
}
