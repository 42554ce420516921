//! Files that git leaves out: what `.gitignore` in each folder, `.git/info/exclude` and the
//! user's own list name, and before them `.ignore`, which other tools read.
//!
//! The crate that walks would read these lists too, and open whatever has such a name: a pipe
//! that nobody writes to, a device without an end. Here they are read as all files are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::exclude::absolute;
use crate::files::{Access, Refusal};
use crate::limits::FOLDER_PATTERN_BYTES;

/// The lists of one folder.
struct Lists {
    /// The list of other tools, which counts before those of git.
    other: Gitignore,
    git: Gitignore,
    /// The list of the repository, which is not part of it.
    repository: Gitignore,
    /// True where a repository begins: lists of git around it do not count within.
    is_repository: bool,
}

/// The lists that have been read.
struct Known {
    folders: HashMap<PathBuf, Arc<Lists>>,
    /// Bytes that may still be read.
    left: usize,
    unread: Vec<PathBuf>,
}

/// The lists of a folder, of those within it and of those around it.
#[derive(Clone)]
pub(crate) struct Ignored {
    access: Access,
    /// The user's own.
    own: Arc<Gitignore>,
    known: Arc<Mutex<Known>>,
}

impl Ignored {
    /// The lists of a folder that somebody asked about. They are read on the way.
    pub(crate) fn within(folder: &Path) -> Ignored {
        let folder = absolute(folder);
        let access = Access::to([], std::slice::from_ref(&folder)).around(&folder.join(".git"));
        let (own, _) = GitignoreBuilder::new(&folder).build_global();
        let known =
            Known { folders: HashMap::new(), left: FOLDER_PATTERN_BYTES, unread: Vec::new() };
        Ignored { access, own: Arc::new(own), known: Arc::new(Mutex::new(known)) }
    }

    /// Tells whether a file or folder is left out, where the folders around it are not.
    pub(crate) fn holds(&self, path: &Path, is_folder: bool) -> bool {
        let path = absolute(path);
        let says = |list: &Gitignore| list.matched(&path, is_folder).map(|_| ());
        let (mut other, mut git, mut repository) = (Match::None, Match::None, Match::None);
        let mut is_in_repository = false;
        for folder in path.ancestors().skip(1) {
            let lists = self.lists(folder);
            other = other.or(says(&lists.other));
            if !is_in_repository {
                git = git.or(says(&lists.git));
                repository = repository.or(says(&lists.repository));
            }
            is_in_repository |= lists.is_repository;
        }
        let of_git = match is_in_repository {
            true => git.or(repository).or(says(&self.own)),
            false => Match::None,
        };
        other.or(of_git).is_ignore()
    }

    /// The lists so far that could not be read, each told once.
    pub(crate) fn unread(&self) -> Vec<PathBuf> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut known.unread)
    }

    fn lists(&self, folder: &Path) -> Arc<Lists> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lists) = known.folders.get(folder) {
            return Arc::clone(lists);
        }
        let mut list = |name: &str| self.list(&mut known, folder, &folder.join(name));
        let lists = Arc::new(Lists {
            other: list(".ignore"),
            git: list(".gitignore"),
            repository: list(".git/info/exclude"),
            is_repository: folder.join(".git").exists(),
        });
        known.folders.insert(folder.to_path_buf(), Arc::clone(&lists));
        lists
    }

    /// A list whose patterns count from a folder; of none, or of one that lies elsewhere, nothing.
    fn list(&self, known: &mut Known, folder: &Path, file: &Path) -> Gitignore {
        // Nearly no folder has one.
        if file.symlink_metadata().is_err() {
            return Gitignore::empty();
        }
        let mut patterns = GitignoreBuilder::new(folder);
        match self.access.read_text(file, known.left) {
            Ok(text) => {
                known.left -= text.len().min(known.left);
                for line in text.trim_start_matches('\u{feff}').lines() {
                    // What is not a pattern leaves nothing out.
                    let _ = patterns.add_line(None, line);
                }
            }
            Err(Refusal::Missing | Refusal::Outside) => {}
            Err(Refusal::Unfit(_)) => known.unread.push(file.to_path_buf()),
        }
        patterns.build().unwrap_or_else(|_| Gitignore::empty())
    }
}
