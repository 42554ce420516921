//! Turns the tables of `data` into enums and constants.
//!
//! A cell that cannot be understood ends the build with the table's path and line.

// Cargo is spoken to on standard output.
#![allow(clippy::print_stdout)]

mod gcn;
#[allow(dead_code, unreachable_pub, missing_docs, reason = "it is the library's too")]
#[path = "../src/gcn/plain/mod.rs"]
mod plain;
mod tgsi;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tables::{self as table, index};

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            for line in message.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/gcn/plain");
    let variable = |name| std::env::var_os(name).ok_or(format!("{name} is not set"));
    let data = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("data");
    let out = PathBuf::from(variable("OUT_DIR")?);
    let write = |name: &str, code: String| {
        std::fs::write(out.join(name), code).map_err(|error| format!("{name}: {error}"))
    };
    for (name, code) in gcn::files(&data)? {
        write(name, code)?;
    }
    write("tgsi_opcodes.rs", tgsi::opcodes(&data)?)
}
