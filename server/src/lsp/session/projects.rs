//! Projects: the file `tungsten.toml` around each document is looked for on a
//! thread of its own, since a disk may be slow, and the document waits for it: what
//! is said of it without its settings would be taken back at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::FileSettings;
use tower_lsp::ls_types::Uri;

use super::{Session, path_of};
use crate::configuration::Configuration;
use crate::lsp::mailbox::Event;
use crate::lsp::outbox::Message;
use crate::lsp::to_protocol::{self, Lines};
use crate::project::{self, Project};

/// What is known of the project of a folder.
pub(super) enum Lookup {
    /// It is looked for.
    Pending,
    /// It was found, or there is none.
    Ended(Option<Arc<Project>>),
}

impl Session {
    /// Gives a new document its settings, or has its project looked for first.
    pub(super) fn settle(&mut self, uri: &Uri) {
        let folder = path_of(uri).and_then(|path| Some(path.parent()?.to_path_buf()));
        match folder.as_ref().map(|folder| self.projects.get(folder)) {
            None | Some(Some(Lookup::Ended(_))) => self.configure_document(uri),
            Some(Some(Lookup::Pending)) => {}
            Some(None) => {
                let folder = folder.unwrap_or_default();
                self.projects.insert(folder.clone(), Lookup::Pending);
                self.look_for_project(folder);
            }
        }
    }

    fn look_for_project(&mut self, folder: PathBuf) {
        let (mailbox, of) = (self.mailbox.clone(), folder.clone());
        let started = std::thread::Builder::new().name("project".to_owned()).spawn(move || {
            let found = project::find(&of);
            mailbox.post(Event::ProjectRead(of, found));
        });
        if started.is_err() {
            self.project_read(folder, None);
        }
    }

    /// The project of a folder was looked for.
    pub(super) fn project_read(&mut self, folder: PathBuf, found: Option<Project>) {
        // A folder without open documents is forgotten.
        let Some(known) = self.projects.get_mut(&folder) else { return };
        let found = found.map(Arc::new);
        let before = std::mem::replace(known, Lookup::Ended(found.clone()));
        let is_news = matches!(before, Lookup::Ended(_));
        if let Lookup::Ended(before) = before {
            if before == found {
                return;
            }
            if let Some(before) =
                before.filter(|it| found.as_ref().map(|it| &it.path) != Some(&it.path))
            {
                self.tell_of_project(&Project { problems: Vec::new(), ..Project::clone(&before) });
            }
        }
        if let Some(project) = &found {
            self.tell_of_project(project);
        }
        let here = |uri: &&Uri| path_of(uri).is_some_and(|it| it.parent() == Some(&folder));
        let documents: Vec<Uri> = self.documents.keys().filter(here).cloned().collect();
        for uri in &documents {
            self.configure_document(uri);
        }
        self.search_changed_library();
        if is_news {
            self.refresh_diagnostics();
            self.refresh_figures();
        }
    }

    /// What is wrong with a project's file is drawn in it, whoever has it open.
    fn tell_of_project(&mut self, project: &Project) {
        let Some(uri) = Uri::from_file_path(&project.path) else { return };
        let wrong = !project.problems.is_empty();
        let was_wrong = self.wrong_projects.contains(&uri);
        if !wrong && !was_wrong {
            return;
        }
        match wrong {
            true => self.wrong_projects.insert(uri.clone()),
            false => self.wrong_projects.remove(&uri),
        };
        let lines = Lines::new(Arc::clone(&project.text), self.client.column_unit);
        let problems = project.problems.iter().cloned();
        let problems = problems.map(|it| to_protocol::diagnostic(&lines, None, it)).collect();
        self.outbox.post(Message::Diagnostics(uri, problems, None));
    }

    /// Gives a document the settings of its project under those of the client.
    pub(super) fn configure_document(&mut self, uri: &Uri) {
        let project = self.project_of(uri);
        let configuration = match &project {
            Some(project) => {
                // What is wrong was said where it stands.
                let section = project::merged(&project.section, &self.section);
                Arc::new(Configuration::read(&section).0)
            }
            None => Arc::clone(&self.configuration),
        };
        let own = project.is_some().then(|| self.own_settings(&configuration));
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.configuration = Some(configuration);
        let file = document.file;
        document.look_at_everything();
        self.host.set_own_settings(file, own);
        self.join_stages(uri);
    }

    /// What the engine needs of a project's settings.
    fn own_settings(&self, configuration: &Configuration) -> FileSettings {
        let extra = self.extra_targets.iter();
        let extra = extra.filter(|target| !configuration.targets.contains(target));
        let targets = configuration.targets.iter().chain(extra).copied();
        FileSettings {
            targets: if configuration.compile { targets.collect() } else { Vec::new() },
            assembly: configuration.assembly.clone(),
            rules: configuration.rules.clone(),
            environment: configuration.environment,
        }
    }

    pub(super) fn project_of(&self, uri: &Uri) -> Option<Arc<Project>> {
        let path = path_of(uri)?;
        match self.projects.get(path.parent()?)? {
            Lookup::Pending => None,
            Lookup::Ended(project) => project.clone(),
        }
    }

    /// The libLLVM that the client names, or else a project does.
    pub(super) fn wanted_library(&self) -> Option<PathBuf> {
        let of_project = || {
            let projects = self.projects.values().filter_map(|lookup| match lookup {
                Lookup::Ended(Some(project)) => Configuration::read(&project.section).0.llvm,
                _ => None,
            });
            projects.min()
        };
        self.configuration.llvm.clone().or_else(of_project)
    }

    /// Files changed on the disk: where that was a project's, all are looked for again.
    pub(super) fn projects_changed(&mut self, paths: &[PathBuf]) {
        if paths.iter().any(|path| path.file_name().is_some_and(|name| name == project::NAME)) {
            let folders: Vec<PathBuf> = self.projects.keys().cloned().collect();
            for folder in folders {
                self.look_for_project(folder);
            }
        }
    }

    /// A document was closed: what nobody needs is read anew when somebody does.
    pub(super) fn forget_project(&mut self, uri: &Uri) {
        let path = path_of(uri);
        let Some(folder) = path.as_deref().and_then(Path::parent) else { return };
        let needs = |uri: &Uri| path_of(uri).is_some_and(|path| path.parent() == Some(folder));
        if !self.documents.keys().any(needs) {
            self.projects.remove(folder);
        }
    }
}
