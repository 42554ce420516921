//! The program linked for older systems than this one: against an old glibc.

use std::path::{Path, PathBuf};

use super::staging::{create, run, write};

/// The glibc that is linked against: the oldest that programs of Rust run with.
const GLIBC: &str = "2.17";
/// The linker, which has the symbols of every glibc, as Python's registry has it.
const ZIG: &str = "ziglang==0.15.2";

/// Links the release build anew, against an old glibc, and returns the program.
///
/// Only the last step of the build is done again. The tools are kept in a folder beside it.
///
/// # Errors
/// The step that failed: a download, or the linking.
pub(super) fn for_old_systems(root: &Path) -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = root.join(target.unwrap_or_else(|| "target".into()));
    let linker = linker(&target.join("dist-tools"))?;
    let setting = format!("linker={}", linker.display());
    let build = ["rustc", "--quiet", "--locked", "--release", "--package", "tungsten-lsp"];
    let arguments: Vec<&str> =
        build.into_iter().chain(["--bin", "tungsten", "--", "-C", &setting]).collect();
    run(Path::new("cargo"), &arguments, root)?;
    Ok(target.join("release/tungsten"))
}

/// A script that links as `cc` does; its words name the glibc.
fn linker(tools: &Path) -> Result<PathBuf, String> {
    let python = tools.join("bin/python");
    if !python.is_file() {
        create(tools)?;
        run(Path::new("python3"), &["-m", "venv", "."], tools)?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG];
    run(&python, &install, tools)?;
    let script = tools.join("cc");
    let python = python.display();
    let text = format!(
        "#!/bin/sh\nexec '{python}' -m ziglang cc -target x86_64-linux-gnu.{GLIBC} \"$@\"\n"
    );
    write(&script, &text)?;
    run(Path::new("chmod"), &["+x", "cc"], tools)?;
    Ok(script)
}
