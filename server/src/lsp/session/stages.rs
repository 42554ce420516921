//! Pipelines that a project names: the files beside a document are read and given to
//! the engine, and what is said of one stage follows the edits of the others.

use std::path::{Path, PathBuf};
use std::time::Instant;

use engine::{FileId, Language};
use tower_lsp::ls_types::Uri;

use super::changed::Changed;
use super::{DEBOUNCE, Session, path_of};
use crate::includes::{self, Included};
use crate::lsp::documents::Document;
use crate::lsp::mailbox::{DiskAge, Event};

impl Session {
    /// Joins a document with the other stages of its pipelines. Files that are not documents
    /// are read on a thread of its own: a disk may be slow.
    pub(super) fn join_stages(&mut self, uri: &Uri) {
        let pipelines = self.pipelines_of(uri);
        let unknown: Vec<PathBuf> = pipelines
            .iter()
            .flatten()
            .filter(|path| self.known_file(path).is_none())
            .cloned()
            .collect();
        if unknown.is_empty() {
            self.stages_read(uri, &[], self.disk);
            return;
        }
        let (mailbox, of, age) = (self.mailbox.clone(), uri.clone(), self.disk);
        let access = self.access.clone();
        let access = path_of(uri).map_or(access.clone(), |path| access.around(&path));
        // Where no thread can be had, the stages stay apart.
        let _ = std::thread::Builder::new().name("stages".to_owned()).spawn(move || {
            let found =
                unknown.iter().filter_map(|path| includes::read(path, &access).ok()).collect();
            mailbox.post(Event::StagesRead(of, found, age));
        });
    }

    /// The files beside a document were read.
    pub(super) fn stages_read(&mut self, uri: &Uri, found: &[Included], age: DiskAge) {
        if age != self.disk {
            self.join_stages(uri);
            return;
        }
        let Some(file) = self.documents.get(uri).map(|document| document.file) else {
            return; // Closed meanwhile.
        };
        let before: Vec<FileId> = self.host.pipelines(file).into_iter().flatten().collect();
        let mut joined = Vec::new();
        for pipeline in self.pipelines_of(uri) {
            // One that cannot be read is said to be missing in the project's file.
            let mut stage = |path: &PathBuf| match self.known_file(path) {
                Some(known) => Some(known),
                None => {
                    let read = found.iter().find(|read| read.path == *path)?;
                    let uri = Uri::from_file_path(path)?;
                    let text = read.text.as_str().into();
                    Some(self.host.set_file(uri.as_str(), text, Language::Tgsi))
                }
            };
            let stages: Option<Vec<FileId>> = pipeline.iter().map(&mut stage).collect();
            joined.extend(stages);
        }
        self.host.set_pipelines(file, &joined);
        self.forget_stages(&before);
        if let Some(document) = self.documents.get_mut(uri) {
            document.look_at_everything();
        }
    }

    /// A document's text changed: what is said of the stages beside it may be another,
    /// and so may their code where two run as one program.
    pub(super) fn stage_changed(&mut self, file: FileId) {
        for uri in self.stages_beside(file) {
            if let Some(document) = self.documents.get_mut(&uri) {
                document.look_at_everything();
                document.compile_after = Instant::now() + DEBOUNCE;
            }
        }
    }

    /// A document was closed: stages beside it have the disk's text again, and what was
    /// read for it alone is forgotten.
    pub(super) fn read_stages_again(&mut self, closed: FileId) {
        let before: Vec<FileId> = self.host.pipelines(closed).into_iter().flatten().collect();
        self.host.set_pipelines(closed, &[]);
        for uri in self.stages_beside(closed) {
            // Until they are read, nothing is said of an empty neighbour.
            if let Some(document) = self.documents.get(&uri) {
                self.host.set_pipelines(document.file, &[]);
            }
            self.join_stages(&uri);
        }
        self.forget_stages(&before);
    }

    /// Files changed on the disk.
    pub(super) fn stages_changed(&mut self, changed: &Changed) {
        let concerned = |document: &&Document| {
            let pipelines = self.pipelines_of(&document.uri);
            let mut stages = pipelines.iter().flatten();
            stages.any(|stage| changed.covers(stage))
        };
        let documents = self.documents.values().filter(concerned);
        let concerned: Vec<Uri> = documents.map(|document| document.uri.clone()).collect();
        concerned.iter().for_each(|uri| self.join_stages(uri));
    }

    /// Takes the texts of files away that no document needs.
    fn forget_stages(&mut self, stages: &[FileId]) {
        for stage in stages {
            let known = self.documents.values().any(|document| document.file == *stage);
            if !known && self.stages_beside(*stage).is_empty() {
                self.host.remove_file(*stage);
            }
        }
    }

    /// The documents that are in a pipeline with a file, itself left out.
    fn stages_beside(&self, file: FileId) -> Vec<Uri> {
        let beside = |document: &&Document| {
            document.file != file
                && document.language == Language::Tgsi
                && self.host.pipelines(document.file).iter().any(|stages| stages.contains(&file))
        };
        self.documents.values().filter(beside).map(|document| document.uri.clone()).collect()
    }

    fn pipelines_of(&self, uri: &Uri) -> Vec<Vec<PathBuf>> {
        let (project, path) = (self.project_of(uri), path_of(uri));
        let of = project.zip(path).map(|(project, path)| project.pipelines_of(&path));
        of.unwrap_or_default()
    }

    /// The engine's number of a file that is a document.
    fn known_file(&self, path: &Path) -> Option<FileId> {
        self.document_at(path).map(|document| document.file)
    }
}
