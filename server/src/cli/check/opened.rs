//! A file that is checked, in the engine with all that its diagnostics depend on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use engine::{FileId, Host, Language, Settings};
use gcn::Target;
use source::Diagnostic;

use super::budgets::{Budgets, Held};
use super::json::Context;
use super::reading::Subject;
use super::watch::Dependencies;
use super::{Arguments, Wishes, stages};
use crate::files::Access;
use crate::includes::{self, Lookup};

/// Opens files in an engine of its own, with the settings of their projects.
pub(super) struct Opener<'a> {
    pub(super) host: Host,
    arguments: &'a Arguments,
    wishes: &'a Wishes,
    /// The files that those which were opened depend on.
    pub(super) dependencies: Dependencies,
    /// Files that the engine may still take before another takes its place.
    left: usize,
}

/// Files that an engine takes: of each that was closed it remembers some kilobytes.
const FILES: usize = 512;

/// A file that is open in the engine.
pub(super) struct Opened<'a> {
    pub(super) id: FileId,
    pub(super) path: &'a Path,
    name: String,
    pub(super) language: Language,
    /// The chips that its project has budgets for.
    pub(super) budgeted: Vec<Target>,
    /// The folders in which files that it includes are looked for, beside those around it.
    folders: Vec<PathBuf>,
    /// The reach of the names in it.
    access: Access,
    /// The files that were opened for it.
    brought: Vec<FileId>,
}

/// The result of a check.
pub(super) struct Outcome {
    /// The diagnostics; nothing where the analysis was cancelled.
    pub(super) diagnostics: Option<Vec<Diagnostic>>,
    pub(super) context: Context,
    pub(super) held: Held,
}

impl<'a> Opener<'a> {
    pub(super) fn new(arguments: &'a Arguments, wishes: &'a Wishes) -> Opener<'a> {
        let (host, dependencies) = (host(wishes), Dependencies::default());
        Opener { host, arguments, wishes, dependencies, left: FILES }
    }

    /// Checks a file that nothing else is asked of.
    pub(super) fn check(&mut self, subject: &Subject<'_>, budgets: &Mutex<Budgets<'_>>) -> Outcome {
        let opened = self.open(subject);
        let outcome = self.judge(&opened, budgets);
        self.close(opened);
        self.left -= 1;
        if self.left == 0 {
            self.left = FILES;
            if !self.keeps_files() {
                self.host = host(self.wishes);
            }
        }
        outcome
    }

    pub(super) fn open<'p>(&mut self, subject: &Subject<'p>) -> Opened<'p> {
        let Subject { path, file, project, access } = subject;
        let id = self.host.set_file(&file.name, file.text.clone(), file.language);
        let own = project.as_ref().map(|project| self.wishes.over(&project.configuration));
        self.host.set_own_settings(id, own);
        let of_project = project.iter().flat_map(|project| &project.configuration.include_folders);
        let folders: Vec<PathBuf> =
            self.arguments.include.iter().chain(of_project).cloned().collect();
        let (name, language) = (file.name.clone(), file.language);
        let budgets = project.iter().flat_map(|project| &project.configuration.budgets);
        let budgeted = budgets.map(|budget| budget.target).collect();
        let wider = access.clone().and_all(&self.arguments.include);
        let brought = Vec::new();
        let mut opened =
            Opened { id, path, name, language, budgeted, folders, access: wider, brought };
        if language == Language::Gcn {
            self.bring_includes(&opened);
            opened.brought.extend(self.bring_includer(&opened));
        }
        let of_project = project.iter().flat_map(|project| project.dependencies());
        of_project.for_each(|path| self.dependencies.note(path));
        let pipelines = project.as_ref().map(|project| project.pipelines_of(path));
        let pipelines = pipelines.unwrap_or_default();
        opened.brought.extend(stages::bring(&mut self.host, (id, path), &pipelines, access));
        opened
    }

    /// Finds what is wrong with an open file; compiles it where its project has budgets.
    pub(super) fn judge(&mut self, opened: &Opened<'_>, budgets: &Mutex<Budgets<'_>>) -> Outcome {
        let held = match opened.budgeted.is_empty() {
            true => Held::Yes,
            false => {
                let mut budgets = budgets.lock().unwrap_or_else(PoisonError::into_inner);
                budgets.compile(&mut self.host, opened)
            }
        };
        let snapshot = self.host.snapshot();
        let diagnostics = snapshot.all_diagnostics(opened.id).ok();
        let found = diagnostics.as_deref().unwrap_or_default();
        let context = Context::of(&snapshot, opened.id, found);
        Outcome { diagnostics, context, held }
    }

    /// Gives an open file another text.
    pub(super) fn set_text(&mut self, opened: &Opened<'_>, text: Arc<str>) {
        self.host.set_file(&opened.name, text, opened.language);
        if opened.language == Language::Gcn {
            self.bring_includes(opened);
        }
    }

    /// Tells whether files stay, since others are compared with them.
    pub(super) fn keeps_files(&self) -> bool {
        self.arguments.pipeline
    }

    /// Takes a file out of the engine, unless it stays, with all that was opened for it.
    pub(super) fn close(&mut self, opened: Opened<'_>) {
        opened.brought.into_iter().for_each(|other| self.host.remove_file(other));
        if !self.keeps_files() {
            self.host.remove_file(opened.id);
        }
        self.host.evict_caches();
    }
}

/// Returns an engine with settings that were wished for.
fn host(wishes: &Wishes) -> Host {
    Host::new(Settings {
        targets: wishes.targets.clone(),
        assembly: wishes.assembly.clone(),
        rules: wishes.rules.clone(),
        ..Settings::default()
    })
}

/// Rounds of looking for included files: each may bring files that include others.
const ROUNDS: usize = 64;

impl Opener<'_> {
    /// Gives the engine the files that a file includes, as far as they are found.
    fn bring_includes(&mut self, opened: &Opened<'_>) {
        let Opened { id, folders, access, .. } = opened;
        let path = std::path::absolute(opened.path).unwrap_or_else(|_| opened.path.to_path_buf());
        for _ in 0..ROUNDS {
            let wanted = self.host.snapshot().wanted_includes(*id).unwrap_or_default();
            if wanted.is_empty() {
                return;
            }
            let mut known = self.host.includes(*id);
            for name in wanted {
                // Also where there is none: it may come.
                let places = includes::places(&path, &name, folders, access);
                places.iter().for_each(|place| self.dependencies.note(place));
                let found = includes::find(&path, &name, folders, access);
                let found = found.and_then(|found| {
                    let path = found.path.display().to_string();
                    Some(self.host.set_file(&path, found.text.into(), Language::Gcn))
                });
                known.push((name, found));
            }
            self.host.set_includes(*id, known);
        }
    }

    /// Gives the engine the file that includes one that is only a part of a program, where
    /// there is one around it.
    fn bring_includer(&mut self, opened: &Opened<'_>) -> Option<FileId> {
        let Opened { id, folders, access, .. } = opened;
        self.host.snapshot().wanted_files(*id).ok()?.includer?;
        let path = includes::normal(&std::path::absolute(opened.path).ok()?);
        includes::includer_folders(&path).for_each(|folder| self.dependencies.note(folder));
        let found = includes::find_includer(&path, folders, access)?;
        self.dependencies.note(&found.file.path);
        for (_, included) in &found.includes {
            if let Lookup::Found(included) = included {
                self.dependencies.note(&included.path);
            }
        }
        let name = found.file.path.display().to_string();
        let includer = self.host.set_file(&name, found.file.text.into(), Language::Gcn);
        let mut known = Vec::new();
        for (name, included) in found.includes {
            let included = included.and_then(|included| {
                if included.path == path {
                    return Some(*id);
                }
                let path = included.path.display().to_string();
                Some(self.host.set_file(&path, included.text.into(), Language::Gcn))
            });
            known.push((name, included));
        }
        self.host.set_includes(includer, known);
        self.host.share_own_settings(*id, includer);
        Some(includer)
    }
}
