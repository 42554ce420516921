//! The command line: words to calls. Results go to standard output through
//! [`output`] alone; everything else that is said goes to standard error.

mod advise;
mod analysis_stats;
mod asm;
mod assembly;
mod beside;
mod caps;
mod check;
mod comparing;
mod compile;
mod compile_data;
mod compiler;
mod convert;
mod dap;
mod diff;
mod disasm;
mod doctor;
mod explain;
mod files;
mod fmt;
mod format;
mod glsl;
mod hosts;
mod interleave;
mod listing;
mod markdown;
mod named;
mod output;
mod profiles;
mod reference;
mod run;
mod schema;
mod settings;
mod shell;
mod spirv_modules;
mod stats;
mod stats_data;
mod stats_text;
mod subjects;
mod targets;
mod tokens;
mod why;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use engine::Cancelled;
use thiserror::Error;

use crate::lsp::{self, ServerEnv};
use crate::{Trust, jobs};
use format::FormatArgument;
pub(crate) use output::complain;
use output::{ColourChoice, Output, choose_colours};

/// Checks and compiles TGSI shaders for AMD GCN, and serves editors.
#[derive(Debug, Parser)]
#[command(name = "tungsten", version = env!("CARGO_PKG_VERSION"), about)]
struct Arguments {
    /// A folder outside of the project from which included files may be read
    #[arg(long, global = true, value_name = "FOLDER")]
    trust: Vec<PathBuf>,
    /// Colour the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColourChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the language server on standard input and output
    Lsp {
        /// Accepted for editors that pass it; standard input and output are always used
        #[arg(long, hide = true)]
        stdio: bool,
        #[command(flatten)]
        library: LibraryArgument,
    },
    /// Start the debug adapter on standard input and output
    Dap(dap::Arguments),
    /// Check files and report problems
    Check(check::Arguments),
    /// Compile the shaders of a file and show the machine code
    Compile(compile::Arguments),
    /// Ask every host of virglrenderer about shaders
    Hosts(hosts::Arguments),
    /// Format files: shaders as drivers print them
    Fmt(fmt::Arguments),
    /// Convert TGSI text to binary tokens and back
    Tokens(tokens::Arguments),
    /// Assemble GCN text
    Asm(asm::Arguments),
    /// Convert GCN text from one dialect to the other, with the same bytes
    Convert(convert::Arguments),
    /// Show what shaders and kernels cost: registers, waves, clocks
    Stats(stats::Arguments),
    /// Explain what holds the registers where most are needed, and what lines wait for
    Why(why::Arguments),
    /// Search for faster forms of shaders and kernels, and prove that they do the same
    Advise(advise::Arguments),
    /// Run shaders without hardware, and compare machine code with the interpreter
    Run(run::Arguments),
    /// Disassemble machine code
    Disasm(disasm::Arguments),
    /// List the capabilities that shaders need, and which drivers have them
    Caps(caps::Arguments),
    /// Measure the analysis of files: one line `METRIC:name:value:unit` each
    AnalysisStats(analysis_stats::Arguments),
    /// Print the completions of a shell
    Completions(shell::Arguments),
    /// Print the manual page
    Man,
    /// Print the JSON schema of `tungsten.toml`, for editors of TOML
    Schema,
    /// List the drivers that shaders can be checked for
    Profiles(FormatArgument),
    /// List the chips that can be compiled for
    Targets(FormatArgument),
    /// Report which libLLVMs were found and which one is used
    Doctor(doctor::Arguments),
    /// Explain a diagnostic, an opcode, a word, `dumps` (how to get TGSI out of a driver) or `run`
    Explain(explain::Arguments),
}

/// The argument that may name a compiler.
#[derive(Debug, Clone, clap::Args)]
struct LibraryArgument {
    /// The libLLVM to use instead of searching for one
    #[arg(long, value_name = "PATH")]
    llvm: Option<PathBuf>,
}

impl LibraryArgument {
    /// The libLLVM that the user names, here or elsewhere.
    fn wanted(&self) -> Option<PathBuf> {
        self.llvm.clone().or_else(|| settings::user().trust.llvm.clone())
    }
}

/// A parser of one of some words: each with its meaning, in words and as a value.
fn one_of<T: Clone + Send + Sync>(
    words: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let known = words.iter().map(|(word, help, _)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(known).try_map(|said| {
        let row = words.iter().find(|(word, ..)| *word == said);
        row.map(|(_, _, value)| value.clone()).ok_or("unknown word")
    })
}

/// The options of compiling shaders.
#[derive(Debug, Clone, clap::Args)]
struct CompilerArguments {
    #[command(flatten)]
    library: LibraryArgument,
    /// Compile again what was compiled before, and keep no results on the disk
    #[arg(long)]
    no_cache: bool,
    /// The compilers, side by side where there are several
    #[arg(long, value_delimiter = ',', value_name = "COMPILER", default_value = "llvm")]
    compiler: Vec<CompilerName>,
}

/// The compilers that make machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum CompilerName {
    /// The libLLVM of this machine
    Llvm,
    /// Mesa's ACO, where its Vulkan driver RADV is installed
    Aco,
}

impl CompilerName {
    /// The word by which it is chosen.
    fn word(self) -> &'static str {
        match self {
            CompilerName::Llvm => "llvm",
            CompilerName::Aco => "aco",
        }
    }
}

/// The end of a command. The numbers are what scripts rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// All is well.
    Good,
    /// Ran, and the answer is bad.
    Bad,
    /// Could not run.
    Failed,
    /// Ran, and some of what was read has no place in the answer.
    Incomplete,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Good => 0,
            Status::Bad => 1,
            Status::Failed => 2,
            Status::Incomplete => 3,
        })
    }
}

/// The reason why a command ends before its end. `?` makes one of what output and engine say.
#[derive(Debug, Error)]
enum Stop {
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("the reason was printed already")]
    Failed,
}

/// Says on standard error why a command cannot go on.
fn failed(message: impl std::fmt::Display) -> Stop {
    complain(message);
    Stop::Failed
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    // The compiler's process is started by the others: no user has to know of it.
    let mut words = std::env::args_os().skip(1);
    if let Some(first) = words.next() {
        let rest = words.map(|word| word.to_string_lossy().into_owned());
        if first == llvm::worker::COMMAND {
            llvm::worker::run(rest);
        }
        if first == vrend::COMMAND {
            become_server();
        }
        if first == radv::worker::COMMAND {
            radv::worker::run(rest);
        }
        if first == lavapipe::worker::COMMAND {
            lavapipe::worker::run(rest);
        }
    }
    let Arguments { trust, color, command } = Arguments::parse();
    choose_colours(color);
    settings::begin(&trust);
    let mut output = Output::standard();
    let status = match command {
        Command::Lsp { stdio: _, library } => return serve(&library),
        Command::Dap(arguments) => return dap::run(&arguments),
        Command::Check(arguments) => check::run(&arguments, &mut output),
        Command::Compile(arguments) => compile::run(&arguments, &mut output),
        Command::Hosts(arguments) => hosts::run(&arguments, &mut output),
        Command::Fmt(arguments) => fmt::run(&arguments, &mut output),
        Command::Tokens(arguments) => tokens::run(&arguments, &mut output),
        Command::Asm(arguments) => asm::run(&arguments, &mut output),
        Command::Convert(arguments) => convert::run(&arguments, &mut output),
        Command::Stats(arguments) => stats::run(&arguments, &mut output),
        Command::Why(arguments) => why::run(&arguments, &mut output),
        Command::Advise(arguments) => advise::run(&arguments, &mut output),
        Command::Disasm(arguments) => disasm::run(&arguments, &mut output),
        Command::Caps(arguments) => caps::run(&arguments, &mut output),
        Command::AnalysisStats(arguments) => analysis_stats::run(&arguments, &mut output),
        Command::Completions(arguments) => shell::completions(&arguments, &mut output),
        Command::Man => shell::manual(&mut output),
        Command::Schema => schema::run(&mut output),
        Command::Profiles(format) => profiles::run(format.chosen(), &mut output),
        Command::Run(arguments) => run::run(&arguments, &mut output),
        Command::Targets(format) => targets::run(format.chosen(), &mut output),
        Command::Doctor(arguments) => doctor::run(&arguments, &mut output),
        Command::Explain(arguments) => explain::run(&arguments, &mut output),
    };
    let status = match status {
        Err(Stop::Output(error)) => Err(error),
        Err(stop) => {
            if matches!(stop, Stop::Cancelled(_)) {
                complain(stop);
            }
            Ok(Status::Failed)
        }
        Ok(status) => Ok(status),
    };
    match status.and_then(|status| output.flush().map(|()| status)) {
        Ok(status) => status.into(),
        // Whoever read us has seen enough: `tungsten compile … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(Stop::Output(error));
            Status::Failed.into()
        }
    }
}

/// Becomes virglrenderer's server in its sandbox: another of our processes asked for it.
fn become_server() -> ! {
    match vrend::Enclosed::of_arguments(std::env::args_os().skip(2)) {
        Some(enclosed) => enclosed.run(),
        None => {
            complain(format_args!("usage: {} FOLDER PROGRAM ARGUMENTS", vrend::COMMAND));
            std::process::exit(2)
        }
    }
}

fn serve(library: &LibraryArgument) -> ExitCode {
    let user = settings::user();
    let started = std::env::current_exe().and_then(|worker| {
        let cache = jobs::folder(&user.cache).ok();
        let trust = Trust { llvm: library.wanted(), ..user.trust.clone() };
        lsp::run_on_standard_streams(ServerEnv { worker, cache, user: trust })
    });
    started.unwrap_or_else(|error| {
        complain(format_args!("the server could not be started: {error}"));
        Status::Failed.into()
    })
}

/// Reads a list of target names; an empty one is the default. Complains of those that are
/// none.
fn read_targets(names: &[String]) -> Result<Vec<gcn::Target>, Stop> {
    let mut targets = Vec::new();
    let mut good = true;
    for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        match gcn::Target::find(name) {
            Some(target) if targets.contains(&target) => {}
            Some(target) => targets.push(target),
            None => {
                complain(crate::configuration::unknown_target(name));
                good = false;
            }
        }
    }
    if targets.is_empty() && good {
        targets.push(gcn::Target::default());
    }
    if good { Ok(targets) } else { Err(Stop::Failed) }
}

/// Reads the name of a target, where there is one.
fn read_target(name: Option<&str>) -> Result<Option<gcn::Target>, Stop> {
    let targets = name.map(|name| read_targets(&[name.to_owned()])).transpose()?;
    Ok(targets.and_then(|targets| targets.first().copied()))
}
