//! Turns the table of vertex formats into constants.

// Cargo is spoken to on standard output.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tables::{Row, Table};

const CHANNELS: [(&str, &str); 8] = [
    ("float", "Float"),
    ("fixed", "Fixed"),
    ("unorm", "Unorm"),
    ("snorm", "Snorm"),
    ("uscaled", "Uscaled"),
    ("sscaled", "Sscaled"),
    ("uint", "Uint"),
    ("sint", "Sint"),
];

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
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name| std::env::var_os(name).ok_or(format!("{name} is not set"));
    let data = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("data");
    let out = PathBuf::from(variable("OUT_DIR")?).join("vertex_formats.rs");
    let table = Table::read(&data, "vertex_formats.tsv")?;
    let mut rows = Vec::new();
    for row in table.rows() {
        rows.push(format!("    ({:?}, {}),\n", row.cell("name")?, fetch(row)?));
    }
    let code = format!("static ROWS: [(&str, Fetch); {}] = [\n{}];\n", rows.len(), rows.concat());
    std::fs::write(&out, code).map_err(|error| format!("{}: {error}", out.display()))
}

/// Returns how an attribute is fetched, as code.
fn fetch(row: Row<'_>) -> Result<String, String> {
    let channels = row.number("channels")?;
    let kind = row.one_of("channel", &CHANNELS)?;
    let signed = ["Snorm", "Sscaled", "Sint"].contains(&kind);
    let whole = ["Float", "Uint", "Sint"].contains(&kind);
    Ok(match row.cell("bits")? {
        "8" if channels == 3 => format!("Fetch::Triple(Channel::{kind}, 1)"),
        "16" if channels == 3 => format!("Fetch::Triple(Channel::{kind}, 2)"),
        "32" if !whole => format!("Fetch::Words(Channel::{kind}, {channels})"),
        "64" => format!("Fetch::Doubles({channels})"),
        "10_10_10_2" if signed => format!("Fetch::SignedAlpha(Channel::{kind})"),
        "8" | "16" | "32" | "10_10_10_2" | "11_11_10" | "any" => "Fetch::Formatted".to_owned(),
        _ => return Err(row.refuse("bits")),
    })
}
