//! The choice of a libLLVM: finds the candidates on this machine and says which is taken
//! and why.
//!
//! Nothing is loaded: a candidate is inspected by a few reads of its ELF tables.
//! Where files are not ELF, the worker finds out when it loads one.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::object::Object;
use crate::toolchain;
use object::read::ReadCache;
use worker::folders;

/// The oldest LLVM that understands the IR (it has pointers without pointee types).
pub(crate) const OLDEST: u32 = 15;
/// Defined by a library that can generate code for AMD's processors.
const BACK_END: &str = "LLVMInitializeAMDGPUTarget";
/// The environment variable that names a library.
const VARIABLE: &str = "TUNGSTEN_LLVM";
/// Shown where a library does not tell its version.
const UNKNOWN_VERSION: &str = "unknown";

/// A libLLVM that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// The place where it was found: "the setting", "TUNGSTEN_LLVM", "the system", "the
    /// Rust toolchain".
    pub origin: &'static str,
    /// Its version, `22.1`, or what is known of it, `15`.
    pub version: String,
    /// The reason for which it cannot be used; `None` if it can.
    pub problem: Option<String>,
}

impl Found {
    /// Can it be used, as far as can be seen without loading it?
    pub fn is_usable(&self) -> bool {
        self.problem.is_none()
    }
}

/// Every libLLVM on this machine in order of preference. The first without a
/// problem is the one to take. A library reached by several ways is listed
/// once, at its best place.
///
/// `setting` is the file named by the user's setting or `--llvm`, or its folder.
///
/// Asks the Rust toolchain where it lives, which takes some tens of
/// milliseconds; see [`choose`].
pub fn find(setting: Option<&Path>) -> Vec<Found> {
    let mut found = Finder::default();
    for step in steps(setting) {
        found.take(step());
    }
    found.list
}

/// The library to take, looking no further than needed.
///
/// # Errors
/// When there is none: all that were found, each with its problem.
pub fn choose(setting: Option<&Path>) -> Result<Found, Vec<Found>> {
    let mut found = Finder::default();
    for step in steps(setting) {
        let before = found.list.len();
        found.take(step());
        if let Some(usable) = found.list[before..].iter().find(|found| found.is_usable()) {
            return Ok(usable.clone());
        }
    }
    Err(found.list)
}

/// One way of looking: files by their origin, best first.
struct Candidates {
    origin: &'static str,
    files: Vec<PathBuf>,
    named: Named,
}

#[derive(PartialEq, Eq)]
enum Named {
    /// In the user's order; a file that is missing or unfit is reported too.
    ByUser,
    /// The newest first.
    BySearch,
}

fn steps(setting: Option<&Path>) -> [Box<dyn Fn() -> Candidates>; 4] {
    let setting = setting.map(Path::to_path_buf);
    let by_user = |origin: &'static str, path: Option<PathBuf>| Candidates {
        origin,
        files: path.map(within).unwrap_or_default(),
        named: Named::ByUser,
    };
    [
        Box::new(move || by_user("the setting", setting.clone())),
        Box::new(move || {
            let value: Option<OsString> = std::env::var_os(VARIABLE);
            by_user(VARIABLE, value.filter(|value| !value.is_empty()).map(PathBuf::from))
        }),
        Box::new(|| Candidates {
            origin: "the system",
            files: libraries_in(&folders::system())
                .into_iter()
                .filter(|file| !is_rust_s(file))
                .collect(),
            named: Named::BySearch,
        }),
        Box::new(|| Candidates {
            origin: "the Rust toolchain",
            files: libraries_in(&toolchain::folders()),
            named: Named::BySearch,
        }),
    ]
}

#[derive(Default)]
struct Finder {
    list: Vec<Found>,
    seen: HashSet<PathBuf>,
}

impl Finder {
    fn take(&mut self, candidates: Candidates) {
        let mut inspected = Vec::new();
        for path in candidates.files {
            // The same file under its several names.
            let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            if !self.seen.insert(real.clone()) {
                continue;
            }
            let (version, problem) = inspect(&path, &real);
            // A linker script beside a library is not a library of its own.
            if matches!(problem, Some(Problem::NoLibrary(_))) && candidates.named == Named::BySearch
            {
                continue;
            }
            let found = Found {
                path,
                origin: candidates.origin,
                version: version
                    .as_ref()
                    .map_or(UNKNOWN_VERSION, |version| &version.text)
                    .to_owned(),
                problem: problem.map(|problem| match problem {
                    Problem::NoLibrary(reason) | Problem::Unfit(reason) => reason,
                }),
            };
            inspected.push((version.map(|version| version.parts), found));
        }
        if candidates.named == Named::BySearch {
            // Stable: of equal versions the folder that comes first wins.
            inspected.sort_by(|(left, _), (right, _)| right.cmp(left));
        }
        self.list.extend(inspected.into_iter().map(|(_, found)| found));
    }
}

enum Problem {
    NoLibrary(String),
    Unfit(String),
}

/// Reads the version that a file names, and what makes it unusable.
fn inspect(path: &Path, real: &Path) -> (Option<Version>, Option<Problem>) {
    let named = || [real, path].iter().find_map(|path| version_in(path.file_name()?.to_str()?));
    let file = match File::open(path) {
        Ok(file) if path.is_file() => file,
        Ok(_) => return (None, Some(Problem::NoLibrary("it is not a file".to_owned()))),
        Err(error) => return (named(), Some(Problem::NoLibrary(error.to_string()))),
    };
    if !cfg!(target_os = "linux") {
        let version = named();
        let problem = version.as_ref().and_then(age_problem);
        return (version, problem);
    }
    let file = ReadCache::new(file);
    let Some(object) = Object::open(&file) else {
        let reason = "it is not a shared library of 64 bits".to_owned();
        return (named(), Some(Problem::NoLibrary(reason)));
    };
    // The name a library gives itself cannot be renamed by accident.
    let version = object.shared_name().and_then(|name| version_in(&name)).or_else(named);
    let problem = if MACHINE.is_some_and(|machine| machine != object.machine()) {
        Some(Problem::Unfit("it is built for another kind of processor".to_owned()))
    } else if object.defines(BACK_END) == Some(false) {
        Some(Problem::Unfit("it is built without the AMDGPU back end".to_owned()))
    } else {
        version.as_ref().and_then(age_problem)
    };
    (version, problem)
}

fn age_problem(version: &Version) -> Option<Problem> {
    (version.major() < OLDEST).then(|| Problem::Unfit(too_old(&version.text)))
}

/// Returns the message for a library of this version.
pub(crate) fn too_old(version: &str) -> String {
    format!("LLVM {version} is too old; {OLDEST} or later is needed")
}

/// ELF's number for the processor this program runs on, where it is known.
const MACHINE: Option<u16> = if cfg!(target_arch = "x86_64") {
    Some(62)
} else if cfg!(target_arch = "aarch64") {
    Some(183)
} else if cfg!(target_arch = "riscv64") {
    Some(243)
} else {
    None
};

#[derive(Debug, PartialEq, Eq)]
struct Version {
    text: String,
    parts: Vec<u32>,
}

impl Version {
    fn major(&self) -> u32 {
        self.parts.first().copied().unwrap_or(0)
    }
}

/// The version in a name such as `libLLVM-15.so.1`, `libLLVM.so.19.1`,
/// `libLLVM.so.22.1-rust-1.95.0-stable` or `libLLVM-14.0.6.so`.
fn version_in(name: &str) -> Option<Version> {
    let rest = name.strip_prefix("libLLVM")?;
    let rest = rest.strip_prefix('-').or_else(|| rest.strip_prefix(".so."))?;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let text = rest[..length].trim_end_matches('.');
    let parts = text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
    Some(Version { text: text.to_owned(), parts })
}

/// Is this the name of LLVM's shared library on this system, and not of one of its parts?
fn is_library_name(name: &str) -> bool {
    is_library_with(std::env::consts::DLL_SUFFIX, name)
}

/// The same on a system whose shared libraries end with `suffix`.
fn is_library_with(suffix: &str, name: &str) -> bool {
    if name.strip_suffix(suffix).is_some_and(|it| matches!(it, "libLLVM-C" | "LLVM-C")) {
        return true;
    }
    let Some(rest) = name.strip_prefix("libLLVM") else { return false };
    let versioned = rest
        .strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    // Where libraries are `.so`, the version comes behind it too.
    let shared = rest.ends_with(suffix) || suffix == ".so" && rest.contains(".so");
    (versioned && shared) || rest == suffix || suffix == ".so" && rest.starts_with(".so.")
}

/// Is this the library inside a Rust toolchain? Cargo puts its folder on the
/// loader's search path of what it runs, which does not make it the system's.
fn is_rust_s(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.contains("-rust-"))
}

/// The libraries in some folders, in the folders' order.
fn libraries_in(searched: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in searched {
        let mut own = folders::entries(folder, is_library_name);
        // The longest name first: it is the one a program is linked with, not the link for
        // developers.
        own.sort_by_key(|path| std::cmp::Reverse(path.as_os_str().len()));
        files.append(&mut own);
    }
    files
}

/// A file as it is, a folder as the libraries in it.
fn within(path: PathBuf) -> Vec<PathBuf> {
    if path.is_dir() {
        let files = libraries_in(std::slice::from_ref(&path));
        if !files.is_empty() {
            return files;
        }
    }
    vec![path]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_every_distribution_s_names() {
        for (name, text) in [
            ("libLLVM-15.so.1", "15"),
            ("libLLVM-14.0.6.so", "14.0.6"),
            ("libLLVM.so.19.1", "19.1"),
            ("libLLVM.so.22.1-rust-1.95.0-stable", "22.1"),
            ("libLLVM-20-rust-1.88.0-stable.so", "20"),
        ] {
            assert_eq!(version_in(name).unwrap().text, text, "{name}");
            assert!(is_library_with(".so", name), "{name}");
        }
        for (suffix, name) in [
            (".so", "libLLVM.so"),
            (".dylib", "libLLVM.dylib"),
            (".dylib", "libLLVM-C.dylib"),
            (".dll", "LLVM-C.dll"),
        ] {
            assert_eq!(version_in(name), None);
            assert!(is_library_with(suffix, name), "{name}");
        }
        assert_eq!(version_in("libLLVM-19.dll").unwrap().text, "19");
        assert!(is_library_with(".dll", "libLLVM-19.dll"));
        for name in
            ["libLLVMCore.a", "libLLVMSPIRVLib.so.15", "libLLVM-15.a", "libLLVM", "libc.so.6"]
        {
            assert!(!is_library_with(".so", name), "{name}");
        }
        // Of other systems.
        for name in ["libLLVM.so.19.1", "libLLVM-15.so.1", "libLLVM.dylib"] {
            assert!(!is_library_with(".dll", name), "{name}");
        }
        assert_eq!(version_in("libLLVM-99999999999.so"), None);
    }

    #[test]
    fn newer_versions_come_first() {
        let version = |name| version_in(name).unwrap().parts;
        assert!(version("libLLVM.so.19.1") > version("libLLVM-16.so.1"));
        assert!(version("libLLVM.so.22.1") > version("libLLVM.so.9.1"));
        assert!(Some(version("libLLVM-15.so")) > None);
    }

    #[test]
    fn a_search_lists_the_newest_first_and_a_user_is_followed() {
        let name = format!("tungsten-libraries-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let program = std::env::current_exe().unwrap();
        let files: Vec<PathBuf> =
            [15, 19, 17].map(|major| folder.join(format!("libLLVM-{major}.so.1"))).into();
        for file in &files {
            std::fs::copy(&program, file).unwrap();
        }
        for (named, versions) in
            [(Named::BySearch, ["19", "17", "15"]), (Named::ByUser, ["15", "19", "17"])]
        {
            let mut finder = Finder::default();
            finder.take(Candidates { origin: "a folder", files: files.clone(), named });
            let found: Vec<&str> = finder.list.iter().map(|it| it.version.as_str()).collect();
            assert_eq!(found, versions);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_setting_that_is_wrong_is_listed_with_its_problem() {
        let found = find(Some(Path::new("/nonexistent/libLLVM-17.so.1")));
        assert_eq!(found[0].origin, "the setting");
        assert_eq!(found[0].version, "17");
        assert!(found[0].problem.is_some());
        let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(find(Some(&text))[0].problem.as_ref().unwrap().contains("not a shared library"));
    }

    #[test]
    fn nothing_is_listed_twice_and_the_chosen_is_the_first_usable() {
        let found = find(None);
        let real: HashSet<_> =
            found.iter().map(|found| std::fs::canonicalize(&found.path).unwrap()).collect();
        assert_eq!(real.len(), found.len());
        let first = found.iter().find(|found| found.is_usable()).cloned();
        assert_eq!(choose(None).ok(), first);
    }
}
