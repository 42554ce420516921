//! Chores of the repository, run as `cargo xtask COMMAND`.
//!
//! Nothing here is needed to build or to use the product.

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
    /// Prints the root folder of the repository.
    Root,
}

/// Returns the root folder of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[expect(clippy::print_stdout, reason = "the output is for whoever called the chore")]
fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Root => println!("{}", root().display()),
    }
    ExitCode::SUCCESS
}
