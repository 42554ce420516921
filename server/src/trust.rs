//! Trust: who said it decides what it may do. Native code that is loaded, folders that are
//! written to and folders outside of a project are named by the user alone: on the command
//! line, in the environment or in a file of the user's own. A project's file comes with the
//! project, and a setting of an editor may come with it too.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use crate::files::{Access, Refusal};
use crate::jobs::{CacheSetting, system_folder};
use crate::project;
use crate::settings::{By, SETTINGS};

/// Settings that no project and no client may make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    /// The libLLVM to use, or its folder; found by search where absent.
    pub llvm: Option<PathBuf>,
    /// The server of virglrenderer to use, or its folder; found by search where absent.
    pub vrend: Option<PathBuf>,
    /// Folders that files of a workspace may have read beside their own.
    pub folders: Vec<PathBuf>,
}

/// All that the user says outside of projects and editors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct User {
    /// The library to load and folders to read from.
    pub(crate) trust: Trust,
    /// The place of results of compiles, if the user's file says so.
    pub(crate) cache: CacheSetting,
    /// Errors of the user's file, in sentences that name it.
    pub(crate) problems: Vec<String>,
}

/// The path of the user's file on most machines of this system.
const USUAL_PLACE: &str = if cfg!(target_os = "windows") {
    "%APPDATA%\\tungsten\\tungsten.toml"
} else if cfg!(target_os = "macos") {
    "~/Library/Application Support/tungsten/tungsten.toml"
} else {
    "~/.config/tungsten/tungsten.toml"
};

/// The most bytes of the user's file that are read.
const MOST_BYTES: usize = 1 << 18;

/// Says why a key of a project's file or an editor's setting does not count, and where it does;
/// `None` of any other key.
pub(crate) fn belongs_to_user(key: &str) -> Option<String> {
    match SETTINGS.iter().find(|it| it.key == key)?.by {
        By::User(ways) => Some(format!(
            "`{key}` has an effect only in the user's own settings: {USUAL_PLACE}, or {ways}"
        )),
        By::Pushed | By::Anyone => None,
    }
}

/// Lists what an editor's settings say that only the user may, unless the user said the same.
pub(crate) fn unproven(section: &Value, user: &Trust) -> Vec<String> {
    let is_said = |key: &str| match (&section[key], key) {
        (Value::Null, _) => false,
        (Value::String(path), _) if path.is_empty() => false,
        (Value::String(path), "llvm") => user.llvm.as_deref() != Some(Path::new(path)),
        (Value::String(path), "vrend") => user.vrend.as_deref() != Some(Path::new(path)),
        // Whether anything is kept harms nobody.
        (Value::Bool(_), "cache") => false,
        (Value::Array(folders), _) => !folders.iter().all(|it| {
            it.as_str().is_some_and(|it| user.folders.iter().any(|known| *known == Path::new(it)))
        }),
        _ => true,
    };
    let said = SETTINGS.iter().filter(|it| matches!(it.by, By::User(_)) && is_said(it.key));
    said.filter_map(|it| belongs_to_user(it.key)).collect()
}

impl User {
    /// Reads the user's file and the arguments `--trust`.
    pub(crate) fn begin(trusted: &[PathBuf]) -> User {
        let variable = |name: &str| std::env::var_os(name);
        let mut user = match own_file(&variable) {
            Some(path) => User::read_file(&path),
            None => User::default(),
        };
        // The environment is nearer to the user's hand than a file.
        if variable("TUNGSTEN_LLVM").is_some_and(|it| !it.is_empty()) {
            user.trust.llvm = None;
        }
        if variable("TUNGSTEN_CACHE").is_some_and(|it| !it.is_empty()) {
            user.cache = CacheSetting::Usual;
        }
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        user.trust.folders.extend(trusted.iter().map(absolute));
        user
    }

    fn read_file(path: &Path) -> User {
        match Access::Anywhere.read_text(path, MOST_BYTES) {
            Ok(text) => User::read(path, &text),
            Err(Refusal::Missing) => User::default(),
            Err(why) => {
                let problems = vec![format!("{}: {why}", path.display())];
                User { problems, ..User::default() }
            }
        }
    }

    /// Reads the text of the user's file.
    pub(crate) fn read(path: &Path, text: &str) -> User {
        let mut user = User::default();
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut complain = |at: usize, message: &str| {
            let line = text.get(..at).unwrap_or(text).matches('\n').count() + 1;
            user.problems.push(format!("{}:{line}: {message}", path.display()));
        };
        for error in &errors {
            complain(error.span().map_or(0, |span| span.start), error.message());
        }
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("llvm", DeValue::String(file)) => user.trust.llvm = Some(rooted(path, file)),
                ("vrend", DeValue::String(file)) => user.trust.vrend = Some(rooted(path, file)),
                ("cache", DeValue::Boolean(true)) => {}
                ("cache", DeValue::Boolean(false)) => user.cache = CacheSetting::Off,
                ("cache", DeValue::String(folder)) => {
                    user.cache = CacheSetting::Folder(rooted(path, folder));
                }
                ("trustedFolders", DeValue::Array(folders)) => {
                    for folder in folders {
                        match folder.get_ref() {
                            DeValue::String(it) => user.trust.folders.push(rooted(path, it)),
                            _ => complain(folder.span().start, "a folder is written as a string"),
                        }
                    }
                }
                (known, _) if belongs_to_user(known).is_some() => {
                    complain(value.span().start, &format!("`{known}` is of another type"));
                }
                (other, _) => complain(
                    key.span().start,
                    &format!("`{other}` belongs into a project's {}", project::NAME),
                ),
            }
        }
        user
    }
}

/// A path of the user's file: from its folder, `~` being the user's home.
fn rooted(file: &Path, path: &str) -> PathBuf {
    let home = path.strip_prefix("~/").zip(std::env::var_os("HOME"));
    match home {
        Some((rest, home)) => Path::new(&home).join(rest),
        None => file.parent().unwrap_or(Path::new("")).join(path),
    }
}

/// Returns the path of the user's own file, whether there is one or not.
pub(crate) fn own_file_here() -> Option<PathBuf> {
    own_file(&|name| std::env::var_os(name))
}

fn own_file(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let places = ["APPDATA", "Library/Application Support", "XDG_CONFIG_HOME", ".config"];
    Some(system_folder(variable, places)?.join("tungsten").join(project::NAME))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_users_file_says_what_only_the_user_may() {
        let text = "llvm = '/opt/libLLVM.so'\ncache = false\ntrustedFolders = ['/a', 'b']\n";
        let user = User::read(Path::new("/c/tungsten.toml"), text);
        assert_eq!(user.trust.llvm, Some(PathBuf::from("/opt/libLLVM.so")));
        assert_eq!(user.trust.folders, [PathBuf::from("/a"), PathBuf::from("/c/b")]);
        assert_eq!((user.cache, user.problems), (CacheSetting::Off, Vec::new()));
    }

    #[test]
    fn what_is_wrong_with_it_is_said_by_line() {
        let text = "llvm = 1\ntargets = ['tahiti']\ntrustedFolders = [2]\n";
        let mut found = User::read(Path::new("/c/tungsten.toml"), text).problems;
        found.sort();
        let lines: Vec<&str> = found.iter().filter_map(|it| it.split(": ").next()).collect();
        assert_eq!(lines, ["/c/tungsten.toml:1", "/c/tungsten.toml:2", "/c/tungsten.toml:3"]);
    }

    #[test]
    fn an_editors_word_is_no_proof_unless_the_user_said_the_same() {
        let user = Trust { llvm: Some(PathBuf::from("/l")), ..Trust::default() };
        assert!(unproven(&json!({"llvm": "/l", "cache": false}), &user).is_empty());
        assert!(
            unproven(&json!({"llvm": "", "trustedFolders": [], "cache": null}), &user).is_empty()
        );
        let said = unproven(&json!({"llvm": "/m", "cache": "/c", "trustedFolders": ["/"]}), &user);
        let keys: Vec<&str> = said.iter().filter_map(|it| it.split('`').nth(1)).collect();
        assert_eq!(keys, ["llvm", "cache", "trustedFolders"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_users_file_is_in_the_folder_for_such_files() {
        let of = |variables: &[(&str, &str)]| {
            own_file(&|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        let home = ("HOME", "/home/a");
        let usual = Some(PathBuf::from("/home/a/.config/tungsten/tungsten.toml"));
        assert_eq!(of(&[home]), usual);
        assert_eq!(of(&[home, ("XDG_CONFIG_HOME", "here")]), usual);
        let named = of(&[home, ("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(named, Some(PathBuf::from("/x/tungsten/tungsten.toml")));
        assert_eq!(of(&[]), None);
    }
}
