//! The choice of a server: finds virglrenderer's test server on this machine. Nothing is
//! started.

use std::path::{Path, PathBuf};

/// The program's name.
pub const PROGRAM: &str = "virgl_test_server";
/// The environment variable that names a server.
pub const VARIABLE: &str = "TUNGSTEN_VREND";

/// A server that was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Found {
    /// The program.
    pub path: PathBuf,
    /// The place where it was found: "TUNGSTEN_VREND", "your settings", "the system".
    pub origin: &'static str,
    /// The reason for which it cannot be used; `None` if it can.
    pub problem: Option<String>,
}

/// Every server on this machine in order of preference: the one that `TUNGSTEN_VREND` names,
/// the one of the user's settings, then those of the system.
pub fn find(setting: Option<&Path>) -> Vec<Found> {
    let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let mut found = Vec::new();
    found.extend(variable.map(|path| at(Path::new(&path), VARIABLE)));
    found.extend(setting.map(|path| at(path, "your settings")));
    let system = worker::folders::named(&folders(), PROGRAM);
    found.extend(system.iter().map(|path| at(path, "the system")));
    found
}

/// The server to take: the first that can be used.
pub fn choose(setting: Option<&Path>) -> Option<Found> {
    find(setting).into_iter().find(|found| found.problem.is_none())
}

/// The folders of programs: those of the system, then those of the user's path.
fn folders() -> Vec<PathBuf> {
    let own = std::env::var_os("PATH").unwrap_or_default();
    // A relative entry means the folder of whoever starts us, which may be anyone's.
    let own = std::env::split_paths(&own).filter(|path| path.is_absolute());
    ["/usr/bin", "/usr/local/bin", "/usr/libexec"]
        .map(PathBuf::from)
        .into_iter()
        .chain(own)
        .collect()
}

/// The server at a path, or in the folder that it is.
pub fn at(path: &Path, origin: &'static str) -> Found {
    let (path, problem) = worker::folders::given(path, PROGRAM);
    let elsewhere = "it is run on Linux alone";
    let problem = if cfg!(target_os = "linux") { problem } else { Some(elsewhere.to_owned()) };
    Found { path, origin, problem }
}
