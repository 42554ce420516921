//! News of files that changed on the disk: a checkout brings tens of thousands at once.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;

use super::Session;

/// Files and folders that have changed; a folder stands for all that is in it.
#[derive(Debug, Default)]
pub(super) struct Changed(HashSet<PathBuf, FxBuildHasher>);

impl Changed {
    /// Adds some.
    pub(super) fn extend(&mut self, paths: Vec<PathBuf>) {
        self.0.extend(paths);
    }

    /// Tells whether this file or folder is concerned; costs the same however many changed.
    pub(super) fn covers(&self, path: &Path) -> bool {
        path.ancestors().any(|it| self.0.contains(it))
    }

    /// The paths that changed.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }

    /// The names of what changed, without their folders.
    pub(super) fn names(&self) -> HashSet<&OsStr> {
        self.0.iter().filter_map(|path| path.file_name()).collect()
    }
}

impl Session {
    /// Takes the news that has come: all that is of one moment at once.
    pub(super) fn take_changes(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        if changed.0.is_empty() {
            return;
        }
        self.disk.0 += 1;
        self.projects_changed(&changed);
        self.files_changed(&changed);
        self.stages_changed(&changed);
        self.folders_changed(changed.paths());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_for_what_is_in_it() {
        let mut changed = Changed::default();
        changed.extend(vec!["/a/b".into(), "/c.s".into(), "/c.s".into()]);
        assert_eq!(changed.paths().count(), 2);
        for (path, covered) in
            [("/a/b", true), ("/a/b/c/d.s", true), ("/c.s", true), ("/a", false), ("/a/bc", false)]
        {
            assert_eq!(changed.covers(Path::new(path)), covered, "{path}");
        }
        assert!(changed.names().contains(OsStr::new("c.s")));
    }
}
