//! The files of a folder that are ours: `check --workspace` and the language server look
//! through folders alike, so that both speak of the same files.
//!
//! What git would not show is left out, and what other tools made; so is what the setting
//! `exclude` names. Links are not followed, so no walk goes in a circle.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use crate::exclude::Excluded;
use crate::ignored::Ignored;
use crate::language;

/// The part of a folder that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Files that are found, at most.
    pub(crate) files: usize,
    /// Names that are read on the way to them, at most.
    pub(crate) names: usize,
    /// The length that a file may have, in bytes.
    pub(crate) bytes: u64,
}

impl Bounds {
    /// For who asked for everything and waits for it.
    pub(crate) const WIDEST: Bounds =
        Bounds { files: usize::MAX, names: usize::MAX, bytes: source::MAX_TEXT_LENGTH as u64 };
}

/// The entries of a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Walk {
    /// The shader and assembly files, by their extensions, in order of their names.
    pub(crate) files: Vec<PathBuf>,
    /// The files that are too long.
    pub(crate) large: Vec<PathBuf>,
    /// Folders and lists of what is left out that could not be read.
    pub(crate) unreadable: Vec<PathBuf>,
    /// True if a bound was met: there may be more files.
    pub(crate) is_cut: bool,
}

/// Folders within folders that are walked, at most.
const DEPTH: usize = 64;

/// Folders that hold what tools made.
const PRODUCTS: [&str; 3] = ["target", "node_modules", "CMakeFiles"];

/// Stands in folders that hold what tools made, by a convention of many of them.
const PRODUCTS_TAG: &str = "CACHEDIR.TAG";

/// Looks through a folder, with what the editor's settings leave out of it. A file is
/// itself.
pub(crate) fn within(folder: &Path, editor: &[String], bounds: Bounds) -> Walk {
    let mut found = Walk::default();
    if folder.is_file() {
        found.files.push(folder.to_path_buf());
        return found;
    }
    let excluded = Excluded::within(folder, editor);
    let ignored = Ignored::within(folder);
    let of_git = ignored.clone();
    let is_wanted = move |entry: &DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let is_left_out = is_folder && is_product(entry.path());
        !is_left_out
            && !of_git.holds(entry.path(), is_folder)
            && !excluded.holds(entry.path(), is_folder)
    };
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).hidden(true).max_depth(Some(DEPTH)).filter_entry(is_wanted);
    let walk = walk.build();
    let mut files = Vec::new();
    for (count, entry) in walk.enumerate() {
        if count > bounds.names {
            found.is_cut = true;
            break;
        }
        match entry {
            Ok(entry) if is_ours(&entry) => files.push(entry),
            Ok(_) => {}
            Err(error) => found.unreadable.extend(place_of(&error)),
        }
    }
    found.unreadable.extend(ignored.unread());
    files.sort_by(|a, b| a.path().cmp(b.path()));
    for file in files {
        let length = file.metadata().map_or(0, |about| about.len());
        match length > bounds.bytes {
            true => found.large.push(file.into_path()),
            false => found.files.push(file.into_path()),
        }
    }
    found.is_cut |= found.files.len() > bounds.files;
    found.files.truncate(bounds.files);
    found
}

fn is_product(folder: &Path) -> bool {
    let is_named = folder.file_name().is_some_and(|name| PRODUCTS.iter().any(|it| name == *it));
    is_named || folder.join(PRODUCTS_TAG).is_file()
}

fn is_ours(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
        && language::by_extension(&entry.file_name().to_string_lossy()).is_some()
}

/// The first place that could not be read.
fn place_of(error: &ignore::Error) -> Option<PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path.clone()),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place_of(err)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes empty files, and says what a walk finds of them.
    fn found(name: &str, files: &[(&str, &str)], bounds: Bounds) -> (Vec<String>, Walk) {
        let root = std::env::temp_dir().join(format!("tungsten-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        #[cfg(unix)]
        if name == "walk-links" {
            std::os::unix::fs::symlink(&root, root.join("b/again")).expect("linked");
            std::os::unix::fs::symlink(root.join("a.s"), root.join("b/same.s")).expect("linked");
        }
        let walk = within(&root, &["left/".to_owned()], bounds);
        std::fs::remove_dir_all(&root).expect("removed");
        let rest = walk.files.iter().filter_map(|it| it.strip_prefix(&root).ok());
        (rest.map(|it| it.display().to_string()).collect(), walk)
    }

    #[test]
    fn what_nobody_wrote_or_wants_is_left_out() {
        let files = [
            ("b/a.tgsi", ""),
            ("a.s", ""),
            ("b/note.txt", ""),
            (".hidden/x.s", ""),
            ("b/target/y.s", ""),
            ("b/made/CACHEDIR.TAG", ""),
            ("b/made/y.s", ""),
            ("c/left/y.s", ""),
            ("c/z.gcn", ""),
            (".git/HEAD", ""),
            (".gitignore", "/b/out/\n*.isa\n"),
            ("b/out/y.s", ""),
            ("b/y.isa", ""),
            ("b/.gitignore", "!kept.isa\n"),
            ("b/kept.isa", ""),
            ("d/.ignore", "*.s\n"),
            ("d/y.s", ""),
            ("d/y.tgsi", ""),
            (".git/info/exclude", "own.s\n"),
            ("own.s", ""),
            ("e/.git/HEAD", ""),
            ("e/own.s", ""),
            ("e/y.isa", ""),
        ];
        let (names, walk) = found("walk", &files, Bounds::WIDEST);
        assert_eq!(
            names,
            ["a.s", "b/a.tgsi", "b/kept.isa", "c/z.gcn", "d/y.tgsi", "e/own.s", "e/y.isa",]
        );
        assert!(!walk.is_cut && walk.unreadable.is_empty() && walk.large.is_empty());
    }

    #[test]
    fn bounds_are_kept() {
        let files = [("a.s", ""), ("b/a.tgsi", ""), ("b/long.s", "s_nop 0\n"), ("c/z.gcn", "")];
        let (names, few) = found("walk-few", &files, Bounds { files: 2, ..Bounds::WIDEST });
        assert_eq!(names, ["a.s", "b/a.tgsi"]);
        assert!(few.is_cut);
        let (_, few) = found("walk-names", &files, Bounds { names: 3, ..Bounds::WIDEST });
        assert!(few.is_cut && few.files.len() < 3, "{few:?}");
        let (names, short) = found("walk-short", &files, Bounds { bytes: 7, ..Bounds::WIDEST });
        assert_eq!(names, ["a.s", "b/a.tgsi", "c/z.gcn"]);
        assert!(short.large[0].ends_with("b/long.s") && !short.is_cut);
        let nowhere = std::env::temp_dir().join("tungsten-no-such-folder");
        assert_eq!(within(&nowhere, &[], Bounds::WIDEST).unreadable, [nowhere]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let files = [("a.s", ""), ("b/c.s", "")];
        let (names, walk) = found("walk-links", &files, Bounds::WIDEST);
        assert_eq!(names, ["a.s", "b/c.s"]);
        assert!(!walk.is_cut && walk.unreadable.is_empty());
    }
}
