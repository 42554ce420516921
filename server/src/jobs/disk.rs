//! The place where results are kept on the disk: by the setting, `TUNGSTEN_CACHE`, or the place
//! that the system has for such files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use llvm::cache::{Bounds, Cache};
use thiserror::Error;

/// The user's wish for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum CacheSetting {
    /// The usual folder: `TUNGSTEN_CACHE`, else the system's place.
    #[default]
    Usual,
    /// Nothing is kept.
    Off,
    /// This folder.
    Folder(PathBuf),
}

/// The variable that names a folder, or says `off`.
const VARIABLE: &str = "TUNGSTEN_CACHE";

/// The reason why nothing is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum NoFolder {
    #[error("your own configuration file switches it off")]
    Setting,
    #[error("{VARIABLE} switches it off")]
    Variable,
    #[error("{VARIABLE} is neither `off` nor an absolute path")]
    Relative,
    #[error("neither XDG_CACHE_HOME nor HOME names a folder for it")]
    Nowhere,
}

/// The cache in a folder.
pub(crate) fn cache(folder: Option<&Path>) -> Option<Arc<Cache>> {
    folder.map(|folder| Arc::new(Cache::new(folder, Bounds::default())))
}

/// The folder that the user means.
///
/// # Errors
/// The reason why there is none.
pub(crate) fn folder(setting: &CacheSetting) -> Result<PathBuf, NoFolder> {
    match setting {
        CacheSetting::Off => Err(NoFolder::Setting),
        CacheSetting::Folder(folder) => Ok(folder.clone()),
        CacheSetting::Usual => usual(&|name| std::env::var_os(name)),
    }
}

/// The folder that the variables of the environment mean. A path that is not absolute
/// would mean another folder in each place, and is not used.
fn usual(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, NoFolder> {
    if let Some(word) = variable(VARIABLE).filter(|word| !word.is_empty()) {
        if word == "off" {
            return Err(NoFolder::Variable);
        }
        let folder = PathBuf::from(word);
        return match folder.is_absolute() {
            true => Ok(folder),
            false => Err(NoFolder::Relative),
        };
    }
    let places = ["LOCALAPPDATA", "Library/Caches", "XDG_CACHE_HOME", ".cache"];
    let caches = system_folder(variable, places).ok_or(NoFolder::Nowhere)?;
    Ok(caches.join("tungsten").join("compiled"))
}

/// The system's folder of a kind: that of a variable on Windows, one at home on macOS, and
/// elsewhere that of another variable, or one at home.
pub(crate) fn system_folder(
    variable: &dyn Fn(&str) -> Option<OsString>,
    [windows, macos, elsewhere, usual]: [&str; 4],
) -> Option<PathBuf> {
    let named = |name: &str| {
        let folder = PathBuf::from(variable(name).filter(|it| !it.is_empty())?);
        folder.is_absolute().then_some(folder)
    };
    let at_home = |path| named("HOME").map(|home| home.join(path));
    if cfg!(target_os = "windows") {
        named(windows)
    } else if cfg!(target_os = "macos") {
        at_home(macos)
    } else {
        named(elsewhere).or_else(|| at_home(usual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<PathBuf, NoFolder> {
        usual(&|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_variable_of_ours_comes_first() {
        let home = ("HOME", "/home/a");
        assert_eq!(of(&[(VARIABLE, "/b"), home]), Ok(PathBuf::from("/b")));
        assert_eq!(of(&[(VARIABLE, "off"), home]), Err(NoFolder::Variable));
        assert_eq!(of(&[(VARIABLE, "b"), home]), Err(NoFolder::Relative));
        assert_eq!(of(&[]), Err(NoFolder::Nowhere));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn then_the_place_that_the_system_has() {
        let home = ("HOME", "/home/a");
        let own = PathBuf::from("/home/a/.cache/tungsten/compiled");
        assert_eq!(of(&[(VARIABLE, ""), home]), Ok(own.clone()));
        assert_eq!(of(&[("XDG_CACHE_HOME", "relative"), home]), Ok(own));
        let named = of(&[("XDG_CACHE_HOME", "/caches"), home]);
        assert_eq!(named, Ok(PathBuf::from("/caches/tungsten/compiled")));
    }
}
