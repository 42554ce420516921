//! Which libLLVM: finds the candidates on this machine and says which is taken and why.

use std::path::PathBuf;

/// Where to look first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// The file named by the user's setting or `--llvm`.
    pub setting: Option<PathBuf>,
}

/// A libLLVM that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// How it was found: "the setting", "TUNGSTEN_LLVM", "the system", "the Rust toolchain".
    pub origin: &'static str,
    /// Its version, `22.1.2`, or what is known of it, `15`.
    pub version: String,
    /// Why it cannot be used; `None` if it can.
    pub problem: Option<String>,
}

/// Every libLLVM on this machine in order of preference. The first without a
/// problem is the one to take.
pub fn find(search: &Search) -> Vec<Found> {
    let _ = search;
    Vec::new()
}
