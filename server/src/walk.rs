//! The files of a folder that are ours: `check --workspace` and the language server look
//! through folders alike, so that both speak of the same files.

use std::path::{Path, PathBuf};

use crate::language;

/// How much of a folder is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Files that are found, at most.
    pub(crate) files: usize,
    /// Names that are read on the way to them, at most.
    pub(crate) names: usize,
}

impl Bounds {
    /// For who asked for everything and waits for it.
    pub(crate) const NONE: Bounds = Bounds { files: usize::MAX, names: usize::MAX };
}

/// What a folder holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Walk {
    /// The shader and assembly files, by their extensions, in order of their names.
    pub(crate) files: Vec<PathBuf>,
    /// Folders that could not be read.
    pub(crate) unreadable: Vec<PathBuf>,
    /// Whether a bound was met: there may be more files.
    pub(crate) is_cut: bool,
}

/// Folders within folders that are walked, at most.
const DEPTH: usize = 64;

/// Folders that hold what tools made.
const PRODUCTS: [&str; 2] = ["target", "node_modules"];

/// Looks through a folder. Hidden folders and those of other tools' products are left
/// out, and links to folders are not followed. A file is itself.
pub(crate) fn within(folder: &Path, bounds: Bounds) -> Walk {
    let mut found = Walk::default();
    if folder.is_file() {
        found.files.push(folder.to_path_buf());
    } else {
        let mut names = bounds.names;
        walk(folder, DEPTH, bounds.files, &mut names, &mut found);
    }
    found
}

fn walk(folder: &Path, depth: usize, files: usize, names: &mut usize, found: &mut Walk) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        found.unreadable.push(folder.to_path_buf());
        return;
    };
    let mut entries: Vec<_> = entries.flatten().take(names.saturating_add(1)).collect();
    if entries.len() > *names {
        entries.truncate(*names);
        found.is_cut = true;
    }
    *names -= entries.len();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth > 0 && !name.starts_with('.') && !PRODUCTS.contains(&&*name) {
            walk(&path, depth - 1, files, names, found);
        } else if kind.is_file() && language::by_extension(&name).is_some() {
            if found.files.len() >= files {
                found.is_cut = true;
                return;
            }
            found.files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_made_is_left_out_and_bounds_are_kept() {
        let root = std::env::temp_dir().join(format!("tungsten-walk-{}", std::process::id()));
        for name in ["b/a.tgsi", "a.s", "b/note.txt", ".git/x.s", "b/target/y.s", "c/z.gcn"] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        let names = |walk: &Walk| -> Vec<String> {
            let rest = walk.files.iter().filter_map(|it| it.strip_prefix(&root).ok());
            rest.map(|it| it.display().to_string()).collect()
        };
        let all = within(&root, Bounds::NONE);
        assert_eq!(names(&all), ["a.s", "b/a.tgsi", "c/z.gcn"]);
        assert!(!all.is_cut && all.unreadable.is_empty());
        let few = within(&root, Bounds { files: 2, ..Bounds::NONE });
        assert_eq!(names(&few), ["a.s", "b/a.tgsi"]);
        assert!(few.is_cut);
        assert!(within(&root, Bounds { names: 3, ..Bounds::NONE }).is_cut);
        assert_eq!(within(&root.join("none"), Bounds::NONE).unreadable, [root.join("none")]);
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
