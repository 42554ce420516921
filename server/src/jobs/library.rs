//! The libLLVM that the jobs are compiled with.

use std::path::{Path, PathBuf};

use llvm::{Configuration, Found};

/// The knowledge of the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LibraryState {
    /// The search has not ended yet.
    Searching,
    /// This one is used.
    Found(Found),
    /// None is usable; one sentence says why and what to do.
    Missing(String),
}

/// Searches this machine, which may ask other programs: not for a thread that
/// must answer soon.
///
/// `worker` is the executable to start as `compile-worker`.
pub(crate) fn search(
    setting: Option<PathBuf>,
    worker: &Path,
) -> (LibraryState, Option<Configuration>) {
    let found = match llvm::library::choose(setting.as_deref()) {
        Ok(found) => found,
        Err(unfit) => {
            return (LibraryState::Missing(install_advice(setting.as_deref(), &unfit)), None);
        }
    };
    let configuration = Configuration::new(worker, found.path.clone(), engine::INTRINSICS);
    (LibraryState::Found(found), Some(configuration))
}

/// The reason why shaders are not compiled, and what to install.
pub(crate) fn install_advice(setting: Option<&Path>, found: &[Found]) -> String {
    let why = match (setting, found.first()) {
        (Some(path), Some(first)) if first.path == *path => format!(
            "{} cannot be used: {}",
            path.display(),
            first.problem.as_deref().unwrap_or("unknown reason")
        ),
        (_, Some(first)) => format!(
            "No usable libLLVM was found ({}: {})",
            first.path.display(),
            first.problem.as_deref().unwrap_or("unknown reason")
        ),
        (_, None) => "No libLLVM was found".to_owned(),
    };
    let remedy = if cfg!(target_os = "linux") {
        "Install your distribution's LLVM library (Debian: libllvm15 or newer, Fedora: llvm-libs, \
         Arch: llvm-libs) or set its path"
    } else if cfg!(target_os = "macos") {
        "Install LLVM (brew install llvm) or set the path of libLLVM.dylib"
    } else {
        "Install LLVM with the AMDGPU target or set the path of its C library"
    };
    format!("{why}. Shaders are checked but not compiled. {remedy}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, problem: &str) -> Found {
        Found {
            path: PathBuf::from(path),
            origin: "the system",
            version: "14".to_owned(),
            problem: Some(problem.to_owned()),
        }
    }

    #[test]
    fn the_advice_names_the_nearest_cause() {
        let setting = PathBuf::from("/opt/libLLVM.so");
        let advice = install_advice(Some(&setting), &[found("/opt/libLLVM.so", "no such file")]);
        assert!(advice.starts_with("/opt/libLLVM.so cannot be used: no such file."), "{advice}");
        let advice = install_advice(None, &[found("/usr/lib/libLLVM-14.so", "it is too old")]);
        assert!(advice.contains("/usr/lib/libLLVM-14.so: it is too old"), "{advice}");
        let advice = install_advice(None, &[]);
        assert!(
            advice.starts_with("No libLLVM was found.") && advice.contains("nstall"),
            "{advice}"
        );
    }
}
