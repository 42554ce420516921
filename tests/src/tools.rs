//! The tools of LLVM that are on this machine.

use std::path::PathBuf;

/// A tool of the newest LLVM of the system, such as `llvm-mc`; where it has none with a
/// version, as the shell finds it.
pub fn llvm(name: &str) -> PathBuf {
    let entries = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.strip_prefix("llvm-")?.parse().ok()?;
        let path = entry.path().join("bin").join(name);
        path.exists().then_some((version, path))
    });
    found.max().map_or_else(|| name.into(), |(_, path)| path)
}
