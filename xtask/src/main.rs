//! Chores of the repository, run as `cargo xtask COMMAND`.
//!
//! Nothing here is needed to build or to use the product.

mod aco;
// The numbers of the tests, which xtask does not depend on.
#[path = "../../tests/src/chance.rs"]
mod chance;
mod coverage;
mod dist;
mod dumps;
mod executors;
mod joins;
mod judge;
mod libraries;
mod mutate;
mod vrend;
mod work;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Has the program compile shaders by ACO, and compares our figures with Mesa's.
    Aco(aco::Options),
    /// Prints which lines of each crate the tests run.
    Coverage,
    /// Makes packages of the built program, installs each in an empty folder and tries it.
    Dist(dist::Options),
    /// Has RADV compile shaders of ours, and the program read the dumps it prints.
    Dumps(dumps::Options),
    /// Has RADV compile shaders for one chip: a part of `dumps`.
    #[command(hide = true)]
    Dump(dumps::Shaders),
    /// Asks other assemblers about our lines and programs, and stores what they say.
    Judge(judge::Options),
    /// Has others execute our SPIR-V of shaders, beside the interpreter.
    Executors(executors::Options),
    /// Has the program join ACO's code to made shaders whose lines can be told from the code.
    Joins(joins::Options),
    /// Packs the crates that others can build on, and builds each from its package alone.
    Libraries,
    /// Prints what each opcode of GCN got on each chip, from which line of which table.
    Opcodes,
    /// Changes code and tables in small ways, and tells what no test sees.
    Mutate(mutate::Options),
    /// Has RADV compile our shaders for one chip: a part of `judge`.
    #[command(hide = true)]
    Radv(judge::radv::Options),
    /// Has virglrenderer translate our shaders for many hosts, and judges the join of its lines.
    Vrend(vrend::Options),
    /// Counts the work on inputs of n and of 4n bytes, and tells what grows faster.
    Work,
}

/// Returns the root folder of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

#[expect(clippy::print_stdout, reason = "the output is for whoever called the chore")]
fn main() -> ExitCode {
    let said = match Arguments::parse().command {
        Command::Aco(options) => aco::run(root(), &options),
        Command::Coverage => coverage::run(root()),
        Command::Dist(options) => dist::run_all(root(), &options),
        Command::Dumps(options) => dumps::run(root(), &options),
        Command::Dump(shaders) => dumps::compile(&shaders).map(|()| String::new()),
        Command::Judge(options) => judge::run(&options, root()),
        Command::Executors(options) => executors::run(root(), &options),
        Command::Joins(options) => joins::run(root(), &options),
        Command::Libraries => libraries::run(root()),
        Command::Opcodes => Ok(isa::gcn::LISTING.to_owned()),
        Command::Radv(options) => judge::radv::compile(&options).map(|()| String::new()),
        Command::Vrend(options) => vrend::run(root(), &options),
        Command::Work => work::run(root()).map(|()| String::new()),
        Command::Mutate(options) => mutate::run(root(), &options).map(|()| String::new()),
    };
    match said {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => failed(message),
    }
}

#[expect(clippy::print_stderr, reason = "the output is for whoever called the chore")]
fn failed(message: String) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}
