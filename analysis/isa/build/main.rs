//! Turns the tables of `data` into enums and constants.
//!
//! A cell that cannot be understood ends the build with the table's path and line.

#[macro_use]
#[path = "../src/spelled.rs"]
mod spelled;

mod gcn;
#[allow(dead_code, unreachable_pub, missing_docs, reason = "it is the library's too")]
#[path = "../src/gcn/plain/mod.rs"]
mod plain;
mod tgsi;
#[allow(dead_code, unreachable_pub, missing_docs, reason = "it is the library's too")]
#[path = "../src/tgsi/words.rs"]
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    tables::generate(&["build", "src/gcn/plain", "src/spelled.rs", "src/tgsi/words.rs"], |data| {
        let mut files = gcn::files(data)?;
        files.push(("tgsi_opcodes.rs", tgsi::opcodes(data)?));
        Ok(files)
    })
}
