//! Finding the files that assembly files include.
//!
//! An assembler looks in its working directory and in the folders of its command
//! line, neither of which is known here. The folder of the including file and
//! those around it are looked at instead, up to the root of the project.

use std::path::{Path, PathBuf};

/// An included file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Included {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its text; what is not UTF-8 in it is replaced.
    pub(crate) text: String,
}

/// Folders around a file that are looked at, at most.
const FOLDERS: usize = 12;

/// A folder with one of these is the root of a project.
const ROOTS: [&str; 4] = [".git", ".hg", "tungsten.toml", ".svn"];

/// The file of a name in an `.include` of `includer`, looked for in `folders` last.
/// Reads the disk.
pub(crate) fn find(includer: &Path, name: &str, folders: &[PathBuf]) -> Option<Included> {
    if name.is_empty() || name.contains('\0') {
        return None;
    }
    let mut around = Vec::new();
    for folder in includer.ancestors().skip(1).take(FOLDERS) {
        around.push(folder.to_path_buf());
        if ROOTS.iter().any(|root| folder.join(root).exists()) {
            break;
        }
    }
    around.iter().chain(folders).find_map(|folder| read(&folder.join(name)))
}

/// The files of some names; a file without a folder has nothing around it.
pub(crate) fn find_all(
    includer: Option<&Path>,
    names: Vec<String>,
    folders: &[PathBuf],
) -> Vec<(String, Option<Included>)> {
    let find = |name: String| {
        let found = includer.and_then(|includer| find(includer, &name, folders));
        (name, found)
    };
    names.into_iter().map(find).collect()
}

/// Reads a plain file that is not too large.
pub(crate) fn read(path: &Path) -> Option<Included> {
    let about = std::fs::metadata(path).ok()?;
    // A device or pipe may never end.
    if !about.is_file() || about.len() > text::MAX_TEXT_LENGTH as u64 {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // One spelling of each path, so that a file is known by one name.
    let path = normal(path);
    Some(Included { path, text })
}

/// A path without `.` and `..`, as far as its words show it.
pub(crate) fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_around_their_includer() {
        let root = std::env::temp_dir().join(format!("tungsten-includes-{}", std::process::id()));
        let folder = root.join("kernels/gfx8");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::create_dir_all(root.join("other")).unwrap();
        std::fs::write(root.join("kernels/common.inc"), "x = 1\n").unwrap();
        std::fs::write(root.join("other/far.inc"), "y = 2\n").unwrap();
        let includer = folder.join("a.s");
        let found = find(&includer, "common.inc", &[]).unwrap();
        assert_eq!((found.path, found.text.as_str()), (root.join("kernels/common.inc"), "x = 1\n"));
        let again = find(&includer, "../common.inc", &[]).unwrap();
        assert_eq!(again.path, root.join("kernels/common.inc"));
        assert_eq!(find(&includer, "far.inc", &[]), None);
        assert!(find(&includer, "far.inc", &[root.join("other")]).is_some());
        assert_eq!(find(&includer, "gfx8", &[]), None, "a folder is no file");
        assert_eq!(find(&includer, "", &[]), None);
        std::fs::remove_dir_all(&root).unwrap();
    }
}
