//! Turns the tables of `data` into constants.
//!
//! A cell that cannot be understood ends the build with the table's path and line.

mod descriptors;
mod directives;
mod images;
mod language;

use std::path::Path;
use std::process::ExitCode;

use tables::{Result, Row};

fn main() -> ExitCode {
    tables::generate(&["build"], files)
}

fn files(data: &Path) -> Result<Vec<(&'static str, String)>> {
    let [directives, evidence] = directives::code(data)?;
    Ok(vec![
        ("directives.rs", directives),
        ("evidence.rs", evidence),
        ("descriptors.rs", descriptors::code(data)?),
        ("words.rs", language::words(data)?),
        ("skeletons.rs", language::skeletons(data)?),
        ("images.rs", images::code(data)?),
    ])
}

/// Checks that columns say something.
fn filled(row: Row<'_>, columns: &[&str]) -> Result<()> {
    match columns.iter().find(|column| matches!(row.cell(column), Ok("" | "-"))) {
        Some(column) => Err(row.refuse(column)),
        None => Ok(()),
    }
}
