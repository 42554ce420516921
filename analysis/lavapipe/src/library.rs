//! The choice of a driver: finds lavapipe's libraries on this machine. Nothing is loaded.

use std::path::{Path, PathBuf};

use worker::folders;

/// The driver's file.
const DRIVER: &str = "libvulkan_lvp.so";
/// The environment variable that names a driver.
const VARIABLE: &str = "TUNGSTEN_LAVAPIPE";

/// A driver that was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// The place where it was found: "TUNGSTEN_LAVAPIPE", "the system".
    pub origin: &'static str,
    /// The reason for which it cannot be used; `None` if it can.
    pub problem: Option<String>,
}

/// Every driver on this machine in order of preference: the one that `TUNGSTEN_LAVAPIPE` names,
/// then those of the system.
pub fn find() -> Vec<Found> {
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let mut found: Vec<Found> = named.iter().map(|path| at(path, VARIABLE)).collect();
    let system = folders::named(&folders::system(), DRIVER);
    found.extend(system.iter().map(|path| at(path, "the system")));
    found
}

/// The driver to take: the first that can be used.
pub fn choose() -> Option<Found> {
    find().into_iter().find(|found| found.problem.is_none())
}

fn at(path: &Path, origin: &'static str) -> Found {
    let (path, problem) = folders::given(path, DRIVER);
    let elsewhere = "lavapipe is tried on Linux alone";
    let problem = if cfg!(target_os = "linux") { problem } else { Some(elsewhere.to_owned()) };
    Found { path, origin, problem }
}
