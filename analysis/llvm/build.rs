//! Says whether this machine has no libLLVM, so that tests which need one are ignored with
//! that reason.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_libllvm)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TUNGSTEN_LLVM");
    match library() {
        // Where it goes, the answer is another.
        Some(path) => println!("cargo::rerun-if-changed={}", path.display()),
        None => println!("cargo::rustc-cfg=no_libllvm"),
    }
}

/// A libLLVM: what `TUNGSTEN_LLVM` names, the system's, or the Rust toolchain's. Whether it
/// can be used the tests find out: one that cannot is a failure.
fn library() -> Option<PathBuf> {
    let named = std::env::var_os("TUNGSTEN_LLVM").map(PathBuf::from);
    if let Some(named) = named.filter(|path| path.exists()) {
        return Some(named);
    }
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let root = Command::new(compiler).args(["--print", "sysroot"]).output().ok()?;
    let root = PathBuf::from(String::from_utf8_lossy(&root.stdout).trim());
    let architecture = std::env::consts::ARCH;
    let folders = [
        root.join(if cfg!(windows) { "bin" } else { "lib" }),
        format!("/usr/lib/{architecture}-linux-gnu").into(),
        "/usr/lib64".into(),
        "/usr/lib".into(),
        "/usr/local/lib".into(),
        "/opt/homebrew/opt/llvm/lib".into(),
    ];
    folders.iter().find_map(|folder| library_in(folder))
}

fn library_in(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files = files.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let begins = name.starts_with("libLLVM") || name.starts_with("LLVM-C");
        begins && [".so", ".dylib", ".dll"].iter().any(|end| name.contains(end))
    });
    files.next()
}
