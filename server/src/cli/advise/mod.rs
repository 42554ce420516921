//! `tungsten advise`: faster forms of shaders and kernels, each compiled and run before it is
//! told.

mod compilers;
mod report;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use advise::{Figures, Outcome};
use clap::ValueEnum;
use engine::Language;
use gcn::Target;
use gcn_emu::launch::KernelInputs;
use llvm::Compiler;

use super::assembly::{Assembly, AssemblyInputs, refuse_unsupported};
use super::compiler::own_executable;
use super::files::{SourceFile, failed_at};
use super::named::Named;
use super::output::{Output, hide_progress, show_progress};
use super::settings::Projects;
use super::{LibraryArgument, Status, Stop, check, complain, failed, read_targets};
use crate::advice::{self, Advice, Budget, Code, Watcher};
use crate::files::read_named;
use crate::jobs::{LibraryState, search};
use compilers::Compilers;
use report::Row;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files, and folders, which are searched as git sees them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The chips to search for; of a kernel the chip that it is for
    #[arg(long, value_delimiter = ',', value_name = "TARGET")]
    target: Vec<String>,
    /// Seconds for each shader or kernel on each chip; the proof of what is found comes on top
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    seconds: u64,
    /// Variants to try of each, at most
    #[arg(long, value_name = "NUMBER")]
    variants: Option<usize>,
    /// The number that decides in which order variants are tried
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// A file of inputs of a kernel, as `tungsten run` takes it: what its buffers hold is drawn at
    /// random. Without it the kernel's metadata say which arguments there are
    #[arg(long, value_name = "INPUTS")]
    inputs: Option<PathBuf>,
    /// Compile each shader by every libLLVM that is found as well, by itself and under options
    #[arg(long)]
    compilers: bool,
    /// Search for one form of a shader for all its chips: better on one, worse on none
    #[arg(long)]
    together: bool,
    /// Form of the results
    #[arg(long, default_value = "text", value_name = "FORM")]
    format: Format,
    /// Alias of `--format json`
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    library: LibraryArgument,
    #[command(flatten)]
    assembly: AssemblyInputs,
}

/// The form of advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, with the changed lines
    Text,
    /// JSON objects, one a line
    Json,
    /// A table in Markdown
    Markdown,
}

/// The seconds that a search may be given: a day.
const MOST_SECONDS: u64 = 86_400;
/// Variants between two messages of progress.
const SHOWN_EVERY: usize = 16;

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let asked = read_targets(&arguments.target)?;
    let is_asked = !arguments.target.is_empty();
    let named = Named::by(&arguments.files);
    let mut status = named.complain_of_rest();
    if named.files.is_empty() {
        return Err(failed("no file of TGSI or assembly was found"));
    }
    let mut task = Task {
        arguments,
        asked: is_asked.then_some(asked),
        projects: Projects::in_folders(named.folders()),
        compiler: None,
        version: None,
        rows: Vec::new(),
        libraries: if arguments.compilers {
            compilers::libraries(&arguments.library)
        } else {
            Vec::new()
        },
        compilers: Vec::new(),
    };
    for path in &named.files {
        let before = task.rows.len();
        status = status.max(match task.file(path) {
            Err(Stop::Failed) => Status::Failed,
            ended => ended?,
        });
        for row in &task.rows[before..] {
            match task.format() {
                Format::Text => report::print(row, output)?,
                Format::Json => output.json(&report::JsonRow::of(row))?,
                Format::Markdown => {}
            }
            status = status.max(row.status());
        }
        for compilers in std::mem::take(&mut task.compilers) {
            status = status.max(compilers.status());
            match task.format() {
                Format::Text => compilers.print(output)?,
                Format::Json => compilers.json(output)?,
                Format::Markdown => compilers.table(output)?,
            }
        }
        output.flush()?;
    }
    if task.format() == Format::Markdown {
        report::table(&task.rows, output)?;
    } else if task.format() == Format::Text && task.rows.len() > 1 {
        report::summary(&task.rows);
    }
    Ok(status)
}

struct Task<'a> {
    arguments: &'a Arguments,
    /// The chips of the arguments.
    asked: Option<Vec<Target>>,
    projects: Projects,
    /// The compiler and its version, once a shader needs it.
    compiler: Option<(Compiler, String)>,
    /// The version that shaders were compiled with last.
    version: Option<String>,
    rows: Vec<Row>,
    /// The compilers that shaders are compiled by beside the search.
    libraries: Vec<(Compiler, String)>,
    /// The code that they made of the last file.
    compilers: Vec<Compilers>,
}

impl Task<'_> {
    fn format(&self) -> Format {
        if self.arguments.json { Format::Json } else { self.arguments.format }
    }

    fn advice(
        &self,
        code: Code,
        target: Target,
        refusal: Option<&'static str>,
        outcome: Outcome,
    ) -> Advice {
        let is_without_time = self.arguments.seconds == 0;
        Advice { code, target, refusal, is_without_time, outcome }
    }

    fn file(&mut self, path: &Path) -> Result<Status, Stop> {
        let file = SourceFile::read(path)?;
        match file.language {
            Language::Tgsi => self.shaders(path, &file),
            Language::Gcn => self.kernel(path, &file),
        }
    }

    fn shaders(&mut self, path: &Path, file: &SourceFile) -> Result<Status, Stop> {
        let project = self.projects.of(path);
        let configuration = project.as_ref().map(|project| &project.configuration);
        let environment = configuration.map(|it| it.environment).unwrap_or_default();
        let targets = match (&self.asked, configuration) {
            (Some(asked), _) => asked.clone(),
            (None, Some(configuration)) => configuration.targets.clone(),
            (None, None) => vec![Target::default()],
        };
        let mut status = Status::Good;
        for (number, region) in tgsi::regions::split(&file.text).shaders.iter().enumerate() {
            if file.shader(region)?.is_none() {
                status = Status::Bad;
                continue;
            }
            let text = region.text(&file.text);
            let refusal = advise::shader::refusal(text);
            let mut outcomes = match refusal {
                Some(_) => vec![Outcome::default(); targets.len()],
                None if self.arguments.together => {
                    self.on_all_chips(text, &targets, environment)?
                }
                None => Vec::new(),
            };
            for (place, target) in targets.iter().enumerate() {
                let outcome = match outcomes.get_mut(place) {
                    Some(known) => std::mem::take(known),
                    None => self.shader(text, *target, environment)?,
                };
                if !self.libraries.is_empty() {
                    self.compilers.push(Compilers {
                        file: file.name.clone(),
                        shader: number + 1,
                        target: *target,
                        rows: compilers::compiled(text, *target, environment, &mut self.libraries),
                    });
                }
                self.rows.push(Row {
                    file: file.name.clone(),
                    shader: Some(number + 1),
                    llvm: self.version.clone(),
                    before: text.to_owned(),
                    advice: self.advice(Code::Shader, *target, refusal, outcome),
                });
            }
        }
        Ok(status)
    }

    fn shader(
        &mut self,
        text: &str,
        target: Target,
        environment: engine::Environment,
    ) -> Result<Outcome, Stop> {
        if self.compiler.is_none() {
            self.compiler = Some(compiler(&self.arguments.library)?);
        }
        let Some((compiler, version)) = &mut self.compiler else { return Err(Stop::Failed) };
        if crate::jobs::is_older(version, target) {
            return Err(failed(format_args!("LLVM {version} is older than {}", target.name())));
        }
        self.version = Some(version.clone());
        let mut shown = Progress::default();
        let mut progress = |tried: usize, best: &Figures| shown.step(tried, best);
        let budget = budget(self.arguments, &mut progress);
        let outcome =
            advice::of_shader(text, target, environment, compiler, self.arguments.seed, budget);
        shown.end();
        Ok(outcome)
    }

    /// One search for several chips, each with a compiler of its own.
    fn on_all_chips(
        &mut self,
        text: &str,
        targets: &[Target],
        environment: engine::Environment,
    ) -> Result<Vec<Outcome>, Stop> {
        let mut compilers = Vec::with_capacity(targets.len());
        for target in targets {
            let (compiler, version) = compiler(&self.arguments.library)?;
            if crate::jobs::is_older(&version, *target) {
                return Err(failed(format_args!("LLVM {version} is older than {}", target.name())));
            }
            self.version = Some(version);
            compilers.push(compiler);
        }
        let mut shown = Progress::default();
        let mut progress = |tried: usize, best: &Figures| shown.step(tried, best);
        let budget = budget(self.arguments, &mut progress);
        let seed = self.arguments.seed;
        let outcomes = advice::of_chips(text, targets, environment, &mut compilers, seed, budget);
        shown.end();
        Ok(outcomes)
    }

    fn kernel(&mut self, path: &Path, file: &SourceFile) -> Result<Status, Stop> {
        let target = self.asked.as_ref().and_then(|asked| asked.first().copied());
        let assembly = Assembly::new(file, path, &self.arguments.assembly);
        let reading = assembly.kind(target);
        let options = gcn::program::Options { target, ..assembly.options(reading.as_ref()) };
        let includes = |name: &str| assembly.include(name);
        let program =
            gcn::program::assemble(&file.text, &options, &includes, &source::no_checkpoint);
        refuse_unsupported(file, &program)?;
        if program.diagnostics.iter().any(|it| it.severity == source::Severity::Error) {
            check::complain_of(file, &program.diagnostics)?;
            return Ok(Status::Bad);
        }
        let inputs = self.arguments.inputs.as_deref().map(kernel_inputs).transpose()?;
        let refusal = advise::kernel::refusal(&file.text, &options);
        let outcome = match refusal {
            Some(_) => Outcome::default(),
            None => {
                let mut shown = Progress::default();
                let mut progress = |tried: usize, best: &Figures| shown.step(tried, best);
                let budget = budget(self.arguments, &mut progress);
                let seed = self.arguments.seed;
                let outcome =
                    advice::of_kernel(&file.text, &options, inputs.as_ref(), seed, budget);
                shown.end();
                outcome
            }
        };
        self.rows.push(Row {
            file: file.name.clone(),
            shader: None,
            llvm: None,
            before: file.text.to_string(),
            advice: self.advice(Code::Kernel, program.target, refusal, outcome),
        });
        Ok(Status::Good)
    }
}

/// Reads a file of inputs of a kernel. Complains where that is not possible.
fn kernel_inputs(path: &Path) -> Result<KernelInputs, Stop> {
    let text = read_named(path, source::MAX_TEXT_LENGTH).map_err(|why| failed_at(path, why))?;
    let text = String::from_utf8_lossy(&text);
    KernelInputs::read(&text).map_err(|mistake| {
        let line = mistake.line(&text);
        failed(format_args!("{}:{line}: {}", path.display(), mistake.message))
    })
}

fn budget<'a>(arguments: &Arguments, progress: Watcher<'a>) -> Budget<'a> {
    let deadline = Instant::now() + Duration::from_secs(arguments.seconds.min(MOST_SECONDS));
    let most = arguments.variants.unwrap_or(usize::MAX);
    Budget { progress: Some(progress), ..Budget::unwatched(deadline, most) }
}

/// A line on a terminal that says how far a search is.
#[derive(Default)]
struct Progress {
    is_shown: bool,
}

impl Progress {
    fn step(&mut self, tried: usize, best: &Figures) -> bool {
        use std::io::IsTerminal;
        if tried > 0 && tried.is_multiple_of(SHOWN_EVERY) && std::io::stderr().is_terminal() {
            let Figures { waves, clocks, .. } = best;
            show_progress(&format!("{tried} variants, best {waves} waves, {clocks} clocks"));
            self.is_shown = true;
        }
        true
    }

    fn end(&self) {
        if self.is_shown {
            hide_progress();
        }
    }
}

/// A compiler, and its version.
fn compiler(library: &LibraryArgument) -> Result<(Compiler, String), Stop> {
    match search(library.wanted(), &own_executable()) {
        (LibraryState::Found(found), Some(configuration)) => {
            Ok((Compiler::new(configuration), found.version))
        }
        (LibraryState::Missing(advice), _) => Err(failed(advice)),
        _ => {
            complain("no libLLVM was found");
            Err(Stop::Failed)
        }
    }
}
