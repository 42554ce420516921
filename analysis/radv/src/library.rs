//! The choice of a driver: finds RADV's libraries on this machine. Nothing is loaded.

use std::path::{Path, PathBuf};

use worker::folders;

/// The driver's file.
const DRIVER: &str = "libvulkan_radeon.so";
/// Mesa's stand-in for the kernel's part of the driver, which newer versions need where
/// there is no GPU.
const SHIM: &str = "libamdgpu_noop_drm_shim.so";
/// The environment variable that names a driver.
const VARIABLE: &str = "TUNGSTEN_RADV";
/// The environment variable that names a program which starts our worker; see
/// [`Found::launcher`].
const LAUNCHER: &str = "TUNGSTEN_RADV_LAUNCHER";

/// A driver that was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// The place where it was found: "TUNGSTEN_RADV", "the system".
    pub origin: &'static str,
    /// The stand-in for the kernel that belongs to it, if there is one.
    pub shim: Option<PathBuf>,
    /// The program that starts our worker with the libraries that this driver wants; only
    /// for one that the variable names.
    pub launcher: Option<PathBuf>,
    /// The reason for which it cannot be used; `None` if it can.
    pub problem: Option<String>,
}

/// Every driver on this machine in order of preference: the one that `TUNGSTEN_RADV` names,
/// then those of the system.
pub fn find() -> Vec<Found> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut found = Vec::new();
    if let Some(path) = variable(VARIABLE).map(PathBuf::from) {
        let launcher = variable(LAUNCHER).map(PathBuf::from);
        found.push(at(&path, VARIABLE, launcher));
    }
    let system = folders::named(&folders::system(), DRIVER);
    found.extend(system.iter().map(|path| at(path, "the system", None)));
    found
}

/// The driver to take: the first that can be used.
pub fn choose() -> Option<Found> {
    find().into_iter().find(|found| found.problem.is_none())
}

fn at(path: &Path, origin: &'static str, launcher: Option<PathBuf>) -> Found {
    let (path, problem) = folders::given(path, DRIVER);
    let elsewhere = "RADV compiles without a GPU on Linux alone";
    let problem = if cfg!(target_os = "linux") { problem } else { Some(elsewhere.to_owned()) };
    let shim = path.parent().map(|folder| folder.join(SHIM)).filter(|shim| shim.is_file());
    Found { path, origin, shim, launcher, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_is_taken_with_the_stand_in_beside_it() {
        let folder = std::env::temp_dir().join(format!("tungsten-radv-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let missing = at(&folder, VARIABLE, None);
        assert_eq!(missing.path, folder.join(DRIVER));
        assert!(missing.problem.is_some());
        std::fs::write(folder.join(DRIVER), "").unwrap();
        assert_eq!(at(&folder, VARIABLE, None).shim, None);
        std::fs::write(folder.join(SHIM), "").unwrap();
        let found = at(&folder.join(DRIVER), VARIABLE, None);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.shim, Some(folder.join(SHIM)));
        assert_eq!(found.problem.is_none(), cfg!(target_os = "linux"));
        assert!(at(Path::new("libvulkan_radeon.so"), VARIABLE, None).problem.is_some());
    }
}
