//! The frame of a build script that makes constants.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::Result;

/// Runs a build script: `files` takes the crate's folder `data` and returns the names of
/// files with their code, which are written where the crate includes them from. `watched`
/// are the paths of the crate besides the tables whose change has it run again.
///
/// A file that cannot be made ends the build with its message, a line for each fault.
pub fn generate(
    watched: &[&str],
    files: impl FnOnce(&Path) -> Result<Vec<(&'static str, String)>>,
) -> ExitCode {
    for path in watched {
        println!("cargo::rerun-if-changed={path}");
    }
    match write(files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn write(files: impl FnOnce(&Path) -> Result<Vec<(&'static str, String)>>) -> Result<()> {
    let variable = |name| std::env::var_os(name).ok_or(format!("{name} is not set"));
    let data = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("data");
    let out = PathBuf::from(variable("OUT_DIR")?);
    for (name, code) in files(&data)? {
        std::fs::write(out.join(name), code).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}
