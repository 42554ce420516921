//! Files that nobody wants checked with the others of a folder: the setting `exclude`, a
//! list of patterns as `.gitignore` has them. Those of `tungsten.toml` count from its
//! folder, those of an editor from the folder that is open; who says both means both.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::configuration::Configuration;
use crate::files::Access;
use crate::includes::normal;
use crate::project;

/// The mistake in a pattern, in a sentence.
pub(crate) fn problem(pattern: &str) -> Option<String> {
    GitignoreBuilder::new("").add_line(None, pattern).err().map(|error| error.to_string())
}

/// Patterns that count in a folder.
#[derive(Debug)]
struct Patterns(Gitignore);

impl Patterns {
    /// The patterns; words that are none were complained of where they stand.
    fn new(folder: &Path, patterns: &[String]) -> Option<Patterns> {
        let mut builder = GitignoreBuilder::new(folder);
        for pattern in patterns {
            let _ = builder.add_line(None, pattern);
        }
        builder.build().ok().filter(|it| !it.is_empty()).map(Patterns)
    }

    fn name(&self, path: &Path, is_folder: bool) -> bool {
        self.0.matched(path, is_folder).is_ignore()
    }
}

/// The patterns of what is left out of a walk through a folder.
pub(crate) struct Excluded {
    root: PathBuf,
    editor: Option<Patterns>,
    /// The patterns of the projects of folders, which are looked for on the way.
    projects: Mutex<HashMap<PathBuf, Option<Arc<Patterns>>>>,
}

impl Excluded {
    /// In a folder, with what the editor sets for it.
    pub(crate) fn within(root: &Path, editor: &[String]) -> Excluded {
        let root = absolute(root);
        let editor = Patterns::new(&root, editor);
        Excluded { root, editor, projects: Mutex::default() }
    }

    /// Tells whether a file or folder is left out. Its own folder is not.
    pub(crate) fn holds(&self, path: &Path, is_folder: bool) -> bool {
        let path = absolute(path);
        let Some(folder) = path.parent() else { return false };
        self.editor.as_ref().is_some_and(|it| it.name(&path, is_folder))
            || self.of_project(folder).is_some_and(|it| it.name(&path, is_folder))
    }

    /// The patterns of the project that a folder belongs to. Its folder was asked for
    /// before it, unless it is the root.
    fn of_project(&self, folder: &Path) -> Option<Arc<Patterns>> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = projects.get(folder) {
            return known.clone();
        }
        let around = folder.parent().and_then(|around| projects.get(around));
        let found = match around {
            Some(around) if folder != self.root && !folder.join(project::NAME).is_file() => {
                around.clone()
            }
            // Patterns name no file to be read.
            _ => project::find(folder, &Access::to([], &[])).and_then(|project| {
                let nothing = Access::to([], &[]);
                let patterns = Configuration::read(&project.section, &nothing).0.exclude;
                Patterns::new(project.path.parent()?, &patterns).map(Arc::new)
            }),
        };
        projects.insert(folder.to_path_buf(), found.clone());
        found
    }
}

/// A path from the root, without steps back.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_count_from_the_folder_of_who_says_them() {
        let root = std::env::temp_dir().join(format!("tungsten-exclude-{}", std::process::id()));
        std::fs::create_dir_all(root.join("open/own/deep")).expect("made");
        std::fs::write(root.join("tungsten.toml"), "exclude = ['/open/a.s', 'made', '!kept.s']\n")
            .expect("written");
        std::fs::write(root.join("open/own/tungsten.toml"), "exclude = ['deep/*.s']\n")
            .expect("written");
        let open = root.join("open");
        let excluded = Excluded::within(&open, &["/b.s".to_owned(), "*.gcn".to_owned()]);
        let of = |name: &str, is_folder| excluded.holds(&open.join(name), is_folder);
        for (name, is_folder, expected) in [
            ("a.s", false, true),
            ("b.s", false, true),
            ("c.s", false, false),
            ("made", true, true),
            ("c.gcn", false, true),
            ("own", true, false),
            // The nearest project counts, and the editor everywhere.
            ("own/made", true, false),
            ("own/b.s", false, false),
            ("own/c.gcn", false, true),
            ("own/deep", true, false),
            ("own/deep/x.s", false, true),
            ("own/deep/x.tgsi", false, false),
        ] {
            assert_eq!(of(name, is_folder), expected, "{name}");
        }
        std::fs::remove_dir_all(&root).expect("removed");
        assert!(problem("{a").is_some() && problem("**/*.{s,S}").is_none());
    }
}
