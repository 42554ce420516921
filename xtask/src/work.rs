//! Work in proportion to inputs, counted: the tests of `work` in a build that counts the
//! stretches of code that are run.

use std::path::Path;
use std::process::Command;

/// Runs the tests in a target folder of their own, one at a time: all threads count together.
///
/// # Errors
///
/// Says that the tests could not be run or failed; what they print says why.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.current_dir(root);
    command.args(["test", "--locked", "-p", "tests", "--test", "all", "work::"]);
    command.args(["--", "--test-threads=1"]);
    command.env("CARGO_TARGET_DIR", root.join("target/counted")).env("CARGO_INCREMENTAL", "0");
    command.env("RUSTFLAGS", "-Cinstrument-coverage --cfg counted");
    // Only the counters in memory are read.
    command.env("LLVM_PROFILE_FILE", "/dev/null");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("work grows faster than its inputs".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
