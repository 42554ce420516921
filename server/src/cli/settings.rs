//! The settings of files on the command line: those of the project around each,
//! under what the arguments say.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::configuration::Configuration;
use crate::project::{self, Project};

/// The projects that files of this run belong to.
#[derive(Debug, Default)]
pub(super) struct Projects {
    known: HashMap<PathBuf, Option<Arc<OfProject>>>,
}

/// What the commands need of a project.
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
    /// The settings of the project around a file; `None` where there is none. What
    /// is wrong with a project's file is said once a folder, on standard error.
    pub(super) fn of(&mut self, path: &Path) -> Option<Arc<OfProject>> {
        if path == Path::new("-") {
            return None;
        }
        let path = std::path::absolute(path).ok()?;
        let folder = path.parent()?;
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let found = project::find(folder).map(|project| {
            for problem in &project.problems {
                let before = &project.text[..usize::from(problem.range.start())];
                let line = before.matches('\n').count() + 1;
                let (path, message) = (project.path.display(), &problem.message);
                super::complain(format_args!("{path}:{line}: {message}"));
            }
            let configuration = Configuration::read(&project.section).0;
            Arc::new(OfProject { configuration, project })
        });
        self.known.insert(folder.to_path_buf(), found.clone());
        found
    }
}
