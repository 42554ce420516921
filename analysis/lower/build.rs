//! Turns the tables of vertex formats and of intrinsics into constants.

use std::path::Path;
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
    tables::generate(&["build.rs"], |data| {
        Ok(vec![("vertex_formats.rs", vertex_formats(data)?), ("intrinsics.rs", intrinsics(data)?)])
    })
}

fn vertex_formats(data: &Path) -> Result<String, String> {
    let table = Table::read(data, "vertex_formats.tsv")?;
    let mut rows = Vec::new();
    for row in table.rows() {
        rows.push(format!("    ({:?}, {}),\n", row.cell("name")?, fetch(row)?));
    }
    Ok(format!("static ROWS: [(&str, Fetch); {}] = [\n{}];\n", rows.len(), rows.concat()))
}

fn intrinsics(data: &Path) -> Result<String, String> {
    let table = Table::read(data, "intrinsics.tsv")?;
    let mut names: Vec<&str> = Vec::new();
    for row in table.rows() {
        let name = row.cell("name")?;
        if names.last().is_some_and(|last| *last >= name) {
            return Err(row.error("names stand in byte order, each once"));
        }
        names.push(name);
    }
    Ok(format!("/// Every name, in byte order.\npub const INTRINSICS: &[&str] = &{names:?};\n"))
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
