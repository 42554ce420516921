//! The folders in which a system keeps its shared libraries.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Files read when following the loader's configuration.
const MAXIMAL_CONFIGURATION_FILES: usize = 256;
/// Bytes read of one such file.
const MAXIMAL_CONFIGURATION: u64 = 1 << 20;

/// Every folder worth a look, best first; they need not exist.
pub fn system() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") {
        // An empty entry means the current folder, which is none of ours.
        folders.extend(std::env::split_paths(&paths).filter(|path| path.is_absolute()));
    }
    configured(Path::new("/etc/ld.so.conf"), &mut folders);
    let architecture = std::env::consts::ARCH;
    folders.push(format!("/usr/lib/{architecture}-linux-gnu").into());
    for folder in ["/usr/lib64", "/usr/lib", "/lib64", "/lib", "/usr/local/lib64", "/usr/local/lib"]
    {
        folders.push(folder.into());
    }
    // Debian, Fedora, Gentoo, ROCm, Homebrew on Arm and Intel, Linuxbrew, MacPorts.
    for (parent, beginning, inner) in [
        ("/usr/lib", "llvm-", "lib"),
        ("/usr/lib64", "llvm", "lib"),
        ("/usr/lib/llvm", "", "lib64"),
        ("/usr/lib/llvm", "", "lib"),
        ("/opt", "rocm", "llvm/lib"),
        ("/opt/homebrew/opt", "llvm", "lib"),
        ("/usr/local/opt", "llvm", "lib"),
        ("/home/linuxbrew/.linuxbrew/opt", "llvm", "lib"),
        ("/opt/local/libexec", "llvm-", "lib"),
    ] {
        children(Path::new(parent), beginning, inner, &mut folders);
    }
    if cfg!(windows) {
        folders.push(r"C:\Program Files\LLVM\bin".into());
    }
    folders
}

/// Adds, for each entry of a folder that begins so, a folder in it.
pub fn children(parent: &Path, beginning: &str, inner: &str, folders: &mut Vec<PathBuf>) {
    let found = entries(parent, |name| name.starts_with(beginning));
    folders.extend(found.into_iter().map(|folder| folder.join(inner)));
}

/// The entries of a folder whose names are wanted, in order.
pub fn entries(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let wanted = entries.filter(|entry| entry.file_name().to_str().is_some_and(&wanted));
    let mut found: Vec<PathBuf> = wanted.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// The files of a name in some folders, in order; one to which several names lead comes once.
pub fn named(folders: &[PathBuf], name: &str) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let files = folders.iter().map(|folder| folder.join(name)).filter(|path| path.is_file());
    files.filter(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone()))).collect()
}

/// The file at a path that a user gave, or the one of a name in the folder that it is, and the
/// reason for which it cannot be used.
pub fn given(path: &Path, name: &str) -> (PathBuf, Option<String>) {
    let path = if path.is_dir() { path.join(name) } else { path.to_owned() };
    let problem = if !path.is_absolute() {
        Some("its path is not absolute".to_owned())
    } else if !path.is_file() {
        Some("there is no such file".to_owned())
    } else {
        None
    };
    (path, problem)
}

/// Adds the folders that the dynamic loader is configured with, includes followed.
pub fn configured(file: &Path, folders: &mut Vec<PathBuf>) {
    let mut waiting = vec![file.to_owned()];
    let mut read = HashSet::new();
    while let Some(file) = waiting.pop() {
        if read.len() >= MAXIMAL_CONFIGURATION_FILES {
            return;
        }
        if !read.insert(file.clone()) {
            continue;
        }
        let Some(text) = bounded_text(&file) else { continue };
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if let Some(pattern) =
                line.strip_prefix("include").filter(|rest| rest.starts_with([' ', '\t']))
            {
                included(file.parent(), pattern.trim(), &mut waiting);
            } else if line.starts_with('/') {
                folders.push(line.into());
            }
        }
    }
}

/// Files that an include line names; a star is understood as every file of
/// the folder with that ending, which is how all distributions use it.
fn included(folder: Option<&Path>, pattern: &str, files: &mut Vec<PathBuf>) {
    let pattern = folder.unwrap_or(Path::new("/")).join(pattern);
    let (Some(parent), Some(name)) =
        (pattern.parent(), pattern.file_name().and_then(|name| name.to_str()))
    else {
        return;
    };
    let Some((beginning, end)) = name.split_once('*') else {
        files.push(pattern.clone());
        return;
    };
    let found = entries(parent, |name| name.starts_with(beginning) && name.ends_with(end));
    // The list is worked off from its end.
    files.extend(found.into_iter().rev());
}

fn bounded_text(file: &Path) -> Option<String> {
    use std::io::Read;
    let mut text = String::new();
    std::fs::File::open(file).ok()?.take(MAXIMAL_CONFIGURATION).read_to_string(&mut text).ok()?;
    Some(text)
}
