//! Reading the files of a run one after the other, with the project around each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::Language;

use super::Wishes;
use super::watch::Dependencies;
use crate::cli::complain;
use crate::cli::files::SourceFile;
use crate::cli::named::Named;
use crate::cli::settings::{OfProject, Projects, Reach};
use crate::files::Access;
use crate::language;

/// A file that was read and is to be checked.
pub(super) struct Subject<'a> {
    pub(super) path: &'a Path,
    pub(super) file: SourceFile,
    /// The project that it belongs to.
    pub(super) project: Option<Arc<OfProject>>,
    /// The reach of the names in it.
    pub(super) access: Access,
}

/// Reads the files that were named. Standard error tells which cannot be checked, and why.
pub(super) struct Subjects<'a> {
    named: &'a Named<'a>,
    wishes: &'a Wishes,
    left: std::slice::Iter<'a, PathBuf>,
    projects: Projects,
    reach: Reach,
    pub(super) dependencies: Dependencies,
    /// The number of files that could not be read.
    pub(super) unreadable: usize,
}

impl<'a> Subjects<'a> {
    /// Reads nothing yet.
    pub(super) fn new(named: &'a Named<'a>, wishes: &'a Wishes) -> Subjects<'a> {
        let folders = named.folders();
        Subjects {
            named,
            wishes,
            left: named.files.iter(),
            reach: Reach::new(&folders),
            projects: Projects::in_folders(folders),
            dependencies: Dependencies::default(),
            unreadable: 0,
        }
    }

    fn read(&mut self, path: &'a Path) -> Option<Subject<'a>> {
        self.dependencies.note_checked(path);
        let targets = if self.wishes.asked { &*self.wishes.targets } else { &[] };
        let Ok(file) = SourceFile::read_for(path, targets) else {
            self.unreadable += 1;
            return None;
        };
        if file.language == Language::Gcn && language::is_foreign(&file.name, &file.text) {
            // In a folder nobody named it.
            if self.named.names(path) {
                complain(format_args!("{}: assembly of another machine, not checked", file.name));
            }
            return None;
        }
        let (project, access) = (self.projects.of(path), self.reach.of(path));
        Some(Subject { path, file, project, access })
    }
}

/// The files that can be checked.
impl<'a> Iterator for Subjects<'a> {
    type Item = Subject<'a>;

    fn next(&mut self) -> Option<Subject<'a>> {
        loop {
            let path = self.left.next()?;
            if let Some(subject) = self.read(path) {
                return Some(subject);
            }
        }
    }
}
