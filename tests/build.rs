//! Says what this machine lacks, so that tests which need it are ignored with that reason.

#[path = "../analysis/llvm/build.rs"]
mod libllvm;

use std::path::PathBuf;

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
}

/// A program as the shell finds it.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
