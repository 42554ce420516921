//! The settings of files on the command line: those of the project around each,
//! under what the arguments say.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::configuration::Configuration;
use crate::files::Access;
use crate::project::{self, Project};
use crate::trust::User;

/// The settings of this run's user; the same for its whole time.
static USER: OnceLock<User> = OnceLock::new();

/// Takes what the user says, arguments of `--trust` included. Complains of what is wrong
/// with the user's own file.
pub(super) fn begin(trusted: &[PathBuf]) {
    let user = USER.get_or_init(|| User::begin(trusted));
    user.problems.iter().for_each(super::complain);
}

/// The settings of the user.
pub(super) fn user() -> &'static User {
    USER.get_or_init(|| User::begin(&[]))
}

/// The reach of what a file names: `opened` are folders that the user named.
pub(super) fn access_of(path: &Path, opened: &[PathBuf]) -> Access {
    Reach::new(opened).of(path)
}

/// The reach of names in files, resolved once for each folder of them.
pub(super) struct Reach {
    opened: Access,
    known: HashMap<PathBuf, Access>,
}

impl Reach {
    /// Of files beside folders that the user named.
    pub(super) fn new(opened: &[PathBuf]) -> Reach {
        let opened = opened.iter().map(PathBuf::as_path);
        Reach { opened: Access::to(opened, &user().trust.folders), known: HashMap::new() }
    }

    /// Of one file.
    pub(super) fn of(&mut self, path: &Path) -> Access {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let folder = path.parent().unwrap_or(&path).to_path_buf();
        self.known.entry(folder).or_insert_with(|| self.opened.around(&path)).clone()
    }
}

/// The projects that files of this run belong to.
#[derive(Debug, Default)]
pub(super) struct Projects {
    /// Folders that the user named as a whole.
    opened: Vec<PathBuf>,
    known: HashMap<PathBuf, Option<Arc<OfProject>>>,
}

/// The part of a project that the commands need.
#[derive(Debug)]
pub(super) struct OfProject {
    /// Its settings.
    pub(super) configuration: Configuration,
    project: Project,
}

impl OfProject {
    /// The pipelines that a file is a part of: the files of each.
    pub(super) fn pipelines_of(&self, path: &Path) -> Vec<Vec<PathBuf>> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        self.project.pipelines_of(&path)
    }
}

impl OfProject {
    /// The files that it is read with, beside its own.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = &Path> {
        let profile = self.project.section.get("profile").and_then(serde_json::Value::as_str);
        let stages = self.project.named.iter().map(|(_, path)| path.as_path());
        stages.chain(profile.map(Path::new).filter(|path| path.is_absolute()))
    }
}

impl Projects {
    /// Of files that the user named, or found in these folders.
    pub(super) fn in_folders(opened: Vec<PathBuf>) -> Projects {
        Projects { opened, known: HashMap::new() }
    }

    /// The settings of the project around a file; `None` where there is none. What
    /// is wrong with a project's file is reported once a folder, on standard error.
    pub(super) fn of(&mut self, path: &Path) -> Option<Arc<OfProject>> {
        if path == Path::new("-") {
            return None;
        }
        let path = std::path::absolute(path).ok()?;
        let folder = path.parent()?;
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let access = access_of(&path, &self.opened);
        let found = project::find(folder, &access).map(|project| {
            for problem in &project.problems {
                let before = &project.text[..usize::from(problem.range.start())];
                let line = before.matches('\n').count() + 1;
                let (path, message) = (project.path.display(), &problem.message);
                super::complain(format_args!("{path}:{line}: {message}"));
            }
            let access = access.around(&project.path);
            let configuration = Configuration::read(&project.section, &access).0;
            Arc::new(OfProject { configuration, project })
        });
        self.known.insert(folder.to_path_buf(), found.clone());
        found
    }
}
