//! Says what this machine lacks, so that tests which need it are ignored with that reason.

#[path = "../analysis/llvm/build.rs"]
mod libllvm;

use std::path::PathBuf;
use std::process::Command;

fn main() {
    libllvm::main();
    // What may take how long is judged by it.
    println!("cargo::rustc-check-cfg=cfg(unoptimised)");
    if std::env::var("OPT_LEVEL").as_deref() == Ok("0") {
        println!("cargo::rustc-cfg=unoptimised");
    }
    // Set beside the option that has the compiler count: `cargo xtask work`.
    println!("cargo::rustc-check-cfg=cfg(counted)");
    println!("cargo::rerun-if-changed=../analysis/llvm/build.rs");
    println!("cargo::rerun-if-env-changed=PATH");
    for (condition, name) in [("no_llvm_mc", "llvm-mc"), ("no_script", "script")] {
        println!("cargo::rustc-check-cfg=cfg({condition})");
        if program(name).is_none() {
            println!("cargo::rustc-cfg={condition}");
        }
    }
    let drivers = [
        ("no_lavapipe", "libvulkan_lvp.so", "Mesa 22."),
        ("no_radv", "libvulkan_radeon.so", "Mesa 22.3."),
    ];
    for (condition, library, version) in drivers {
        println!("cargo::rustc-check-cfg=cfg({condition})");
        if !has_driver(library, version) {
            println!("cargo::rustc-cfg={condition}");
        }
    }
    println!("cargo::rustc-check-cfg=cfg(no_mount)");
    if !may_mount() {
        println!("cargo::rustc-cfg=no_mount");
    }
}

/// Tells whether a driver of Mesa's is where systems keep it, of the version that was looked at:
/// what others do is reported by `cargo xtask executors`.
fn has_driver(name: &str, version: &str) -> bool {
    let version = version.as_bytes();
    let triple = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    let folders = [triple.as_str(), "/usr/lib64", "/usr/lib"];
    folders.iter().any(|folder| {
        let library = std::fs::read(PathBuf::from(folder).join(name));
        library.is_ok_and(|bytes| bytes.windows(version.len()).any(|it| it == version))
    })
}

/// Tells whether a program may be given a disk that it alone sees.
fn may_mount() -> bool {
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let mounts = Command::new("unshare")
        .args(["--mount", "mount", "-t", "tmpfs", "-o", "size=16384", "none"])
        .arg(folder)
        .output();
    mounts.is_ok_and(|it| it.status.success())
}

/// A program as the shell finds it.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
