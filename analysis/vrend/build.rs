//! Turns the table of extensions that versions made core into constants.

use std::process::ExitCode;

use tables::print::{array, strings};
use tables::{Result, Row, Table};

const APIS: [(&str, &str); 2] = [("gl", "Gl"), ("gles", "Gles")];

fn main() -> ExitCode {
    tables::generate(&["build.rs"], |data| {
        let table = Table::read(data, "core_extensions.tsv")?;
        let row = |row: Row<'_>| {
            let (api, version) = (row.one_of("api", &APIS)?, row.number::<u32>("version")?);
            let extension = strings(row, &["extension"])?;
            Ok(format!("    Core {{ api: Api::{api}, version: {version}, {extension}}},\n"))
        };
        let rows = table.rows().map(row).collect::<Result<Vec<_>>>()?;
        Ok(vec![("core_extensions.rs", array("CORE", "Core", &rows))])
    })
}
