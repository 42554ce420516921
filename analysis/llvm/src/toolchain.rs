//! The libLLVM inside the Rust toolchain, so that a machine with nothing but
//! Rust can compile shaders.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A cold disk needs a second; who waits longer waits for a download.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// More than any path, in bytes.
const MAXIMAL_PATH: u64 = 1 << 16;

/// The library folder of the active toolchain, if there is one.
pub(crate) fn folders() -> Vec<PathBuf> {
    compilers()
        .into_iter()
        .find_map(|compiler| system_root(Command::new(compiler), TIME_LIMIT))
        .map_or_else(Vec::new, |root| {
            // Windows keeps its libraries beside the programs.
            vec![root.join(if cfg!(windows) { "bin" } else { "lib" })]
        })
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
fn system_root(mut compiler: Command, limit: Duration) -> Option<PathBuf> {
    let folder = std::env::temp_dir().ancestors().last()?.to_owned();
    let mut child = compiler
        .args(["--print", "sysroot"])
        .current_dir(folder)
        .env("RUSTUP_AUTO_INSTALL", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let output = child.stdout.take()?;
    // Read on a thread of its own: behind a wrapper script, a grandchild can
    // keep the pipe open after the child was killed.
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let _ = output.take(MAXIMAL_PATH).read_to_string(&mut text);
        // Nobody may be waiting any more.
        let _ = sender.send(text);
    });
    let text = receiver.recv_timeout(limit);
    // It has said all it will; the kill is for the one that hangs.
    let _ = child.kill();
    let _ = child.wait();
    let root = PathBuf::from(text.ok()?.trim());
    (root.is_absolute() && root.is_dir()).then_some(root)
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_compiler_is_asked_but_not_waited_for_without_end() {
        let answer = |script: &str| {
            let mut compiler = Command::new("sh");
            // The question's words become $0 and $1.
            compiler.args(["-c", script]);
            system_root(compiler, Duration::from_millis(500))
        };
        assert_eq!(answer("[ \"$0 $1\" = '--print sysroot' ] && pwd"), Some(PathBuf::from("/")));
        assert_eq!(answer("[ \"$RUSTUP_AUTO_INSTALL\" = 0 ] && echo /"), Some(PathBuf::from("/")));
        assert_eq!(answer("echo relative/path"), None);
        assert_eq!(answer("exit 1"), None);
        let begin = Instant::now();
        assert_eq!(answer("sleep 4; echo /"), None);
        assert!(begin.elapsed() < Duration::from_secs(2));
    }
}
