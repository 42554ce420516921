//! The processes of this machine, as Linux lists them.

use std::path::Path;

/// The process number of the only living worker that was started by this name.
pub(super) fn only_child(worker: &Path) -> u32 {
    match children(std::process::id(), worker).as_slice() {
        [child] => *child,
        other => panic!("{} workers", other.len()),
    }
}

/// The children of a process that name a file when they are started.
pub(super) fn children(parent: u32, file: &Path) -> Vec<u32> {
    let file = file.to_str().unwrap();
    let parent = parent.to_string();
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|number: &u32| {
            let read = |name: &str| {
                std::fs::read_to_string(format!("/proc/{number}/{name}")).unwrap_or_default()
            };
            let status = read("status");
            let line = status.lines().find_map(|line| line.strip_prefix("PPid:"));
            line.is_some_and(|line| line.trim() == parent) && read("cmdline").contains(file)
        })
        .collect()
}

/// Ends a process as nothing can prevent.
pub(super) fn kill(process: u32) {
    let status =
        std::process::Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Processor time used, in hundredths of a second.
pub(super) fn processor_ticks(process: u32) -> u64 {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The fields after the name in parentheses; user time is the twelfth.
    let fields = line.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

/// Resident memory in KiB.
pub(super) fn resident(process: u32) -> u64 {
    kibibytes(process, "VmRSS:")
}

/// Address space in bytes.
pub(super) fn address_space(process: u32) -> u64 {
    kibibytes(process, "VmSize:") << 10
}

fn kibibytes(process: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}
