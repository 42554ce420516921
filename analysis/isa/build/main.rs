//! Turns the tables of `data` into enums and constants.
//!
//! A cell that cannot be understood ends the build with the table's path and line.

mod gcn;
#[allow(dead_code, unreachable_pub, missing_docs, reason = "it is the library's too")]
#[path = "../src/gcn/plain/mod.rs"]
mod plain;
mod tgsi;

use std::process::ExitCode;

use tables::{self as table, index};

fn main() -> ExitCode {
    tables::generate(&["build", "src/gcn/plain"], |data| {
        let mut files = gcn::files(data)?;
        files.push(("tgsi_opcodes.rs", tgsi::opcodes(data)?));
        Ok(files)
    })
}
