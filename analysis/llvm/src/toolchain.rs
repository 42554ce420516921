//! The libLLVM inside the Rust toolchain, so that a machine with nothing but
//! Rust can compile shaders.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A cold disk needs a second; who waits longer waits for a download.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The library folder of the active toolchain, if there is one.
pub(crate) fn folders() -> Vec<PathBuf> {
    compilers().into_iter().find_map(|compiler| system_root(&compiler)).map_or_else(
        Vec::new,
        |root| {
            // Windows keeps its libraries beside the programs.
            vec![root.join(if cfg!(windows) { "bin" } else { "lib" })]
        },
    )
}

/// `rustc` as the shell finds it, then where rustup puts it: an editor started
/// from a desktop often lacks the shell's search path.
fn compilers() -> Vec<PathBuf> {
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut compilers = vec![PathBuf::from("rustc")];
    compilers.extend(cargo_home.map(|home| home.join("bin").join("rustc")));
    compilers
}

/// Asks a compiler where its toolchain lives. It is asked from the root folder
/// and told not to install anything: a toolchain file in the user's workspace
/// could otherwise start a download.
fn system_root(compiler: &PathBuf) -> Option<PathBuf> {
    let folder = std::env::temp_dir().ancestors().last()?.to_owned();
    let mut child = Command::new(compiler)
        .args(["--print", "sysroot"])
        .current_dir(folder)
        .env("RUSTUP_AUTO_INSTALL", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let deadline = Instant::now() + TIME_LIMIT;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    // Harmless when it has ended; one path fits into the pipe meanwhile.
    let _ = child.kill();
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let root = PathBuf::from(text.trim());
    (output.status.success() && root.is_absolute()).then_some(root)
}
