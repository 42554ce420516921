//! Turns the tables of `data` into constants.
//!
//! A cell that cannot be understood ends the build with the table's path and line.

// Cargo is spoken to on standard output.
#![allow(clippy::print_stdout)]

mod drivers;
mod language;
mod tokens;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tables::Row;
use words::Words;

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build");
    let variable = |name| std::env::var_os(name).ok_or(format!("{name} is not set"));
    let data = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("data");
    let out = PathBuf::from(variable("OUT_DIR")?);
    let words = Words::read(&data)?;
    for (name, code) in [
        ("words", words.enums()?),
        ("word_rows", words.rows()?),
        ("coordinates", words.coordinates()?),
        ("token_numbers", tokens::numbers(&data, &words)?),
        ("token_fields", tokens::fields(&data)?),
        ("semantic_components", language::semantic_components(&data, &words)?),
        ("texture_components", language::texture_components(&data)?),
        ("dialects", language::dialects(&data)?),
        ("dialect_words", language::dialect_words(&data, &words)?),
        ("skeletons", language::skeletons(&data, &words)?),
        ("diagnostic_examples", language::examples(&data)?),
        ("formats", drivers::formats(&data)?),
        ("capabilities", drivers::capabilities(&data, &words)?),
        ("capabilities_elsewhere", drivers::elsewhere(&data)?),
        ("profiles", drivers::profiles(&data, &words)?),
    ] {
        let file = out.join(format!("{name}.rs"));
        std::fs::write(file, code).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Returns a static array as code.
fn array(name: &str, ty: &str, items: &[String]) -> String {
    format!("static {name}: [{ty}; {}] = [\n{}];\n", items.len(), items.concat())
}

/// Returns the slots of an index as code.
fn index<T: AsRef<str>>(name: &str, names: &[T]) -> String {
    let slots = tables::index(names);
    format!("static {name}: [u16; {}] = {slots:?};\n", slots.len())
}

/// Returns a row as code of a structure: the named columns as strings.
fn strings(row: Row<'_>, columns: &[&str]) -> Result<String, String> {
    columns.iter().map(|name| Ok(format!("{name}: {:?}, ", row.cell(name)?))).collect()
}
