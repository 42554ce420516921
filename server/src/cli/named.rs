//! The files that the arguments of a command name, those in folders among them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Status, complain};
use crate::walk::{Bounds, Walk, within};

/// The files that arguments name, in order and none twice. Folders are searched as git sees
/// them.
pub(super) struct Named<'a> {
    arguments: &'a [PathBuf],
    pub(super) files: Vec<PathBuf>,
    /// Files that are too long, and folders that could not be read.
    large: Vec<PathBuf>,
    unreadable: Vec<PathBuf>,
}

impl<'a> Named<'a> {
    /// Looks through the folders; without arguments through the current one.
    pub(super) fn by(arguments: &'a [PathBuf]) -> Named<'a> {
        let (files, large, unreadable) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Named { arguments, files, large, unreadable };
        let mut seen = HashSet::new();
        let here = [PathBuf::from(".")];
        for path in if arguments.is_empty() { &here } else { arguments } {
            let found = match path.is_dir() {
                true => within(path, &[], Bounds::WIDEST),
                false => Walk { files: vec![path.clone()], ..Walk::default() },
            };
            all.unreadable.extend(found.unreadable);
            all.large.extend(found.large);
            // A folder may lie within another.
            let same = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
            all.files.extend(found.files.into_iter().filter(|path| seen.insert(same(path))));
        }
        all
    }

    /// Tells whether an argument is this file; the others are only in a folder that one names.
    pub(super) fn names(&self, path: &Path) -> bool {
        self.arguments.iter().any(|argument| argument == path)
    }

    /// The folders that the user named as a whole.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        match self.arguments.is_empty() {
            true => vec![PathBuf::from(".")],
            false => self.arguments.iter().filter(|it| it.is_dir()).cloned().collect(),
        }
    }

    /// Says on standard error what is left out.
    pub(super) fn complain_of_rest(&self) -> Status {
        for folder in &self.unreadable {
            complain(format_args!("{}: cannot be read", folder.display()));
        }
        for file in &self.large {
            let bytes = Bounds::WIDEST.bytes;
            complain(format_args!("{}: left out, larger than {bytes} bytes", file.display()));
        }
        if self.unreadable.is_empty() { Status::Good } else { Status::Failed }
    }
}
