//! Chores of the repository, run as `cargo xtask COMMAND`.
//!
//! Nothing here is needed to build or to use the product.

mod coverage;

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
    /// Prints which lines of each crate the tests run.
    Coverage,
}

/// Returns the root folder of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[expect(clippy::print_stdout, reason = "the output is for whoever called the chore")]
fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Coverage => coverage::run(),
    };
    match result {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
