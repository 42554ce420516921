//! Projects: the file `tungsten.toml` around each document is looked for on a
//! thread of its own, since a disk may be slow, and the document waits for it: what
//! is said of it without its settings would be taken back at once.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::ls_types::Uri;

use super::changed::Changed;
use super::{Session, path_of};
use crate::configuration::Configuration;
use crate::lsp::mailbox::{DiskAge, Event};
use crate::lsp::requests::Subject;
use crate::lsp::workers::Task;
use crate::project::{self, Project};

/// The knowledge of the project of a folder.
pub(super) enum Lookup {
    /// Sought: it is looked for.
    Pending,
    /// Found, or there is none.
    Ended(Option<Arc<Project>>),
}

impl Session {
    /// Gives a new document its settings, or has its project looked for first.
    pub(super) fn settle(&mut self, uri: &Uri) {
        let folder = path_of(uri).and_then(|path| Some(path.parent()?.to_path_buf()));
        match folder.as_ref().map(|folder| self.projects.get(folder)) {
            None | Some(Some(Lookup::Ended(_))) => self.configure_each(std::slice::from_ref(uri)),
            Some(Some(Lookup::Pending)) => {}
            Some(None) => {
                let folder = folder.unwrap_or_default();
                self.projects.insert(folder.clone(), Lookup::Pending);
                self.look_for_projects(vec![folder]);
            }
        }
    }

    fn look_for_projects(&mut self, folders: Vec<PathBuf>) {
        let (mailbox, of, age) = (self.mailbox.clone(), folders.clone(), self.disk);
        let access = self.access.clone();
        let started = std::thread::Builder::new().name("projects".to_owned()).spawn(move || {
            let found = of.into_iter().map(|folder| {
                let found = project::find(&folder, &access);
                (folder, found)
            });
            mailbox.post(Event::ProjectsRead(found.collect(), age));
        });
        if started.is_err() {
            let nothing = folders.into_iter().map(|folder| (folder, None));
            self.projects_read(nothing.collect(), self.disk);
        }
    }

    /// The projects of folders were looked for. Folders without documents are not kept.
    pub(super) fn projects_read(&mut self, read: Vec<(PathBuf, Option<Project>)>, age: DiskAge) {
        if age != self.disk {
            self.look_for_projects(read.iter().map(|(folder, _)| folder.clone()).collect());
        }
        let mut changed = HashSet::new();
        let mut is_news = false;
        // Equal ones are one: there may be many folders in a project.
        let mut shared: HashMap<PathBuf, Arc<Project>> = HashMap::new();
        for (folder, found) in read {
            let found = found.map(|found| {
                let shared = shared.entry(found.path.clone());
                Arc::clone(shared.or_insert_with(|| Arc::new(found)))
            });
            let before = self.projects.insert(folder.clone(), Lookup::Ended(found.clone()));
            if let Some(Lookup::Ended(before)) = before {
                if before == found {
                    continue;
                }
                is_news = true;
                if let Some(before) =
                    before.filter(|it| found.as_ref().map(|it| &it.path) != Some(&it.path))
                {
                    self.take_back_project(&before);
                }
            }
            if let Some(project) = &found {
                let problems = project.problems.iter().cloned();
                self.tell_of_file(&project.path, Arc::clone(&project.text), problems);
            }
            changed.insert(folder);
        }
        let mut folders = HashSet::new();
        let mut concerned = Vec::new();
        for uri in self.documents.keys() {
            let Some(path) = path_of(uri) else { continue };
            let Some(folder) = path.parent() else { continue };
            if changed.contains(folder) {
                concerned.push(uri.clone());
            }
            folders.insert(folder.to_path_buf());
        }
        let forgotten: Vec<_> =
            self.projects.extract_if(|folder, _| !folders.contains(folder)).collect();
        for (_, lookup) in forgotten {
            if let Lookup::Ended(Some(project)) = lookup {
                self.take_back_project(&project);
            }
        }
        self.configure_each(&concerned);
        if is_news {
            self.refresh_diagnostics();
            self.refresh_figures();
        }
    }

    /// Takes back what was said of a project's file that counts nowhere any more.
    fn take_back_project(&mut self, project: &Project) {
        let counts = |lookup: &Lookup| match lookup {
            Lookup::Ended(Some(known)) => known.path == project.path,
            _ => false,
        };
        if !self.projects.values().any(counts) {
            self.tell_of_file(&project.path, Arc::clone(&project.text), []);
        }
    }

    /// Gives documents the settings of their projects under those of the client.
    pub(super) fn configure_each(&mut self, documents: &[Uri]) {
        // What many files share is read once.
        let mut read: HashMap<Option<PathBuf>, Arc<Configuration>> = HashMap::new();
        for uri in documents {
            let folder = path_of(uri).and_then(|path| Some(path.parent()?.to_path_buf()));
            let known = read.entry(folder);
            let configuration = known.or_insert_with(|| self.configuration_of(uri)).clone();
            self.use_configuration(uri, configuration);
        }
    }

    fn configuration_of(&self, uri: &Uri) -> Arc<Configuration> {
        let section = self.section_of(uri);
        match self.project_of(uri) {
            Some(project) => {
                // What is wrong was said where it stands.
                let access = self.access.around(&project.path);
                let section = project::merged(&project.section, section, &access);
                Arc::new(Configuration::read(&section, &access).0)
            }
            None if *section != self.section => {
                Arc::new(Configuration::read(section, &self.access).0)
            }
            None => Arc::clone(&self.configuration),
        }
    }

    fn use_configuration(&mut self, uri: &Uri, configuration: Arc<Configuration>) {
        let is_own = !Arc::ptr_eq(&configuration, &self.configuration);
        let own = is_own.then(|| match configuration.compile {
            true => self.engine_settings(&configuration),
            // A project that compiles nothing has no chips to speak of.
            false => engine::Settings {
                targets: Vec::new(),
                extra_builds: Vec::new(),
                ..self.engine_settings(&configuration)
            },
        });
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.configuration = Some(configuration);
        let file = document.file;
        document.look_at_everything();
        self.host.set_own_settings(file, own);
        self.join_stages(uri);
    }

    /// The projects that a request about all documents may speak of, in order.
    pub(super) fn projects_for(&self, work: &Task) -> Arc<[Arc<Project>]> {
        if !matches!(work, Task::Request(request) if *request.subject() == Subject::Workspace) {
            return Arc::from([]);
        }
        let found = self.projects.values().filter_map(|lookup| match lookup {
            Lookup::Ended(project) => project.clone(),
            Lookup::Pending => None,
        });
        let mut projects: Vec<Arc<Project>> = found.collect();
        projects.sort_by(|a, b| a.path.cmp(&b.path));
        projects.dedup_by(|a, b| a.path == b.path);
        projects.into()
    }

    pub(super) fn project_of(&self, uri: &Uri) -> Option<Arc<Project>> {
        let path = path_of(uri)?;
        match self.projects.get(path.parent()?)? {
            Lookup::Pending => None,
            Lookup::Ended(project) => project.clone(),
        }
    }

    /// Files changed on the disk: where that was a project's, all are looked for again.
    pub(super) fn projects_changed(&mut self, changed: &Changed) {
        let is_concerned = |(folder, lookup): (&PathBuf, &Lookup)| {
            let project = match lookup {
                Lookup::Ended(project) => project.as_ref(),
                Lookup::Pending => None,
            };
            changed.covers(folder) || project.is_some_and(|it| changed.covers(&it.path))
        };
        let is_news = changed.names().contains(OsStr::new(project::NAME));
        if is_news || self.projects.iter().any(is_concerned) {
            // Included files are looked for up to the root of the project.
            self.read_again(|_, _| true);
            self.look_for_projects_again();
        }
    }

    /// Looks for all projects once more.
    pub(super) fn look_for_projects_again(&mut self) {
        let folders = self.projects.keys().cloned().collect();
        self.look_for_projects(folders);
    }

    /// A document was closed: what nobody needs is read anew when somebody does.
    pub(super) fn forget_project(&mut self, uri: &Uri) {
        let path = path_of(uri);
        let Some(folder) = path.as_deref().and_then(Path::parent) else { return };
        let needs = |uri: &Uri| path_of(uri).is_some_and(|path| path.parent() == Some(folder));
        if !self.documents.keys().any(needs)
            && let Some(Lookup::Ended(Some(project))) = self.projects.remove(folder)
        {
            self.take_back_project(&project);
        }
    }
}
