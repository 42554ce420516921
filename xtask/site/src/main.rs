//! The site of Tungsten: hand-written chapters, and a page for everything that the tables
//! describe. It is made from the repository alone, without a network.
//!
//! ```console
//! $ cargo run -p site -- --tungsten target/release/tungsten target/site
//! ```
//!
//! The examples of the reference are run while their pages are made, and so are the commands of
//! the chapters, in the program that `--tungsten` names. A link that leads nowhere, a page
//! without the example that is due and an example that does not run end the program with a
//! message.

mod chapters;
mod commands;
mod examples;
mod highlight;
mod layout;
mod links;
mod markdown;
mod names;
mod page;
mod playground;
mod reference;
mod write;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

/// Makes the site: chapters, reference, index of names.
#[derive(Parser)]
#[command(name = "site")]
struct Arguments {
    /// The program that the commands in chapters are run with
    #[arg(long, value_name = "PATH", default_value = "target/release/tungsten")]
    tungsten: PathBuf,
    /// The playground that `editors/playground/build` made; without it the site has none
    #[arg(long, value_name = "FOLDER")]
    playground: Option<PathBuf>,
    /// The folder to write the site to; what an earlier run left there is replaced
    #[arg(value_name = "FOLDER", default_value = "target/site")]
    folder: PathBuf,
}

/// Returns the root folder of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Makes the site, and returns how much it has.
fn make(arguments: &Arguments) -> Result<String, String> {
    let tungsten = std::path::absolute(&arguments.tungsten)
        .ok()
        .filter(|path| path.is_file())
        .ok_or_else(|| {
            format!(
                "there is no program at {}: build it with `cargo build --release`, or name \
                 another with --tungsten",
                arguments.tungsten.display()
            )
        })?;
    let mut pages = chapters::pages(root(), &tungsten)?;
    pages.extend(reference::pages()?);
    let playground = match &arguments.playground {
        Some(built) => playground::files(built, root(), &tungsten)?,
        None => Vec::new(),
    };
    let site = write::render(&pages, playground)?;
    links::check(&site)?;
    write::write(&site, &arguments.folder)?;
    Ok(format!("{} pages in {}\n", pages.len(), arguments.folder.display()))
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "whoever made the site reads it")]
fn main() -> ExitCode {
    match make(&Arguments::parse()) {
        Ok(summary) => {
            print!("{summary}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
