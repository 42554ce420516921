//! Files that others are read with: what assembly includes, and the inputs that
//! shaders are run on, are read and given to the engine. What assembly files were
//! taken for is told.

use std::path::{Path, PathBuf};

use engine::{FileId, Language, TargetOrigin};
use tower_lsp::ls_types::Uri;

use super::Session;
use super::events::tell_costs_changed;
use crate::includes::{self, Included};
use crate::lsp::compiled_documents::is_compiled;
use crate::lsp::documents::Document;
use crate::lsp::extensions::{AssemblyOrigin, StatusAssembly, StatusShaders};
use crate::lsp::mailbox::Event;

impl Session {
    /// Looks for included files on a thread of its own: a disk may be slow.
    pub(super) fn read_includes(&mut self, uri: &Uri, file: FileId, names: Vec<String>) {
        if names.is_empty() {
            return;
        }
        let path = path_of(uri);
        let configuration = self.documents.get(uri).and_then(|it| it.configuration.as_ref());
        let folders = configuration.unwrap_or(&self.configuration).include_folders.clone();
        let mailbox = self.mailbox.clone();
        // Where no thread can be had, the names stay wanted until the next edit.
        let _ = std::thread::Builder::new().name("includes".to_owned()).spawn(move || {
            let found = includes::find_all(path.as_deref(), names, &folders);
            mailbox.post(Event::IncludesRead(file, found));
        });
    }

    /// Included files were looked for.
    pub(super) fn includes_read(&mut self, file: FileId, found: Vec<(String, Option<Included>)>) {
        if !self.documents.values().any(|document| document.file == file) {
            return; // Closed meanwhile.
        }
        let mut known = self.host.includes(file);
        for (name, included) in found {
            let included = included.and_then(|included| self.bring(included));
            known.retain(|(known, _)| *known != name);
            known.push((name, included));
        }
        self.host.set_includes(file, known);
        self.look_again(|document| document.file == file);
        let is_run = |it: &Document| it.file == file && it.language == Language::Tgsi;
        if self.documents.values().any(is_run) {
            self.refresh_figures();
        }
        // A document that is included sees itself as its includer does.
        self.included_changed(file);
    }

    /// Gives the engine an included file; an open document's text counts more than
    /// the disk's.
    pub(super) fn bring(&mut self, included: Included) -> Option<FileId> {
        let open =
            self.documents.values().find(|it| path_of(&it.uri).as_ref() == Some(&included.path));
        if let Some(document) = open {
            return Some(document.file);
        }
        let uri = Uri::from_file_path(&included.path)?;
        Some(self.host.set_file(uri.as_str(), included.text.into(), Language::Gcn))
    }

    /// A file's text changed: what is said of its includers and of what it includes
    /// may be another.
    pub(super) fn included_changed(&mut self, file: FileId) {
        let own: Vec<FileId> = self.host.includes(file).into_iter().filter_map(|it| it.1).collect();
        let includers = self.includers(file);
        self.look_again(|it| includers.contains(&it.file) || own.contains(&it.file));
    }

    /// The open documents that include a file.
    pub(super) fn includers(&self, file: FileId) -> Vec<FileId> {
        let open = self.documents.values();
        let includes = |open: &&Document| {
            open.file != file && self.host.includes(open.file).iter().any(|it| it.1 == Some(file))
        };
        open.filter(includes).map(|document| document.file).collect()
    }

    fn look_again(&mut self, concerned: impl Fn(&Document) -> bool) {
        for document in self.documents.values_mut().filter(|document| concerned(document)) {
            document.diagnostics.want();
            if document.language == Language::Gcn {
                document.assembly.want();
                document.want_costs();
                tell_costs_changed(&self.outbox, document);
            }
        }
    }

    /// A document was closed. What includes it has the disk's text again; what only
    /// it included is forgotten, and so is itself where nothing includes it.
    pub(super) fn forget_assembly(&mut self, closed: FileId) {
        for (_, included) in self.host.includes(closed) {
            let Some(included) = included else { continue };
            let open = self.documents.values().any(|it| it.file == included);
            if !open && self.includers(included).is_empty() {
                self.host.remove_file(included);
            }
        }
        if self.includers(closed).is_empty() {
            self.host.remove_file(closed);
        } else {
            self.read_again(|included| included == Some(closed));
        }
        self.forget_includer(closed);
    }

    /// Files changed on the disk: those that are included are read again, and
    /// those that were missing are looked for again.
    pub(super) fn files_changed(&mut self, paths: &[PathBuf]) {
        let is_open = |path: &Path| {
            self.documents.values().any(|it| path_of(&it.uri).as_deref() == Some(path))
        };
        let changed: Vec<FileId> = paths
            .iter()
            .filter(|path| !is_open(path))
            .filter_map(|path| self.host.file(Uri::from_file_path(path)?.as_str()))
            .collect();
        self.read_again(|included| included.is_none_or(|it| changed.contains(&it)));
        self.seek_includers_again();
    }

    /// Reads what the open documents include once more, where that is concerned.
    fn read_again(&mut self, concerned: impl Fn(Option<FileId>) -> bool) {
        let open = self.documents.values();
        let open: Vec<(Uri, FileId)> = open.map(|it| (it.uri.clone(), it.file)).collect();
        for (uri, file) in open {
            let known = self.host.includes(file).into_iter();
            let names = known.filter(|(_, found)| concerned(*found)).map(|(name, _)| name);
            self.read_includes(&uri, file, names.collect());
        }
    }

    /// What the open assembly files were taken for.
    pub(super) fn status_of_assembly(&self) -> Vec<StatusAssembly> {
        let mut documents: Vec<StatusAssembly> = self
            .documents
            .values()
            .filter_map(|document| {
                let reading = document.reading.as_ref().filter(|_| !is_compiled(&document.uri))?;
                Some(StatusAssembly {
                    uri: document.uri.clone(),
                    target: reading.target.name().to_owned(),
                    target_origin: origin(reading.target_origin),
                    dialect: reading.dialect.name().to_owned(),
                    message: reading.sentence(),
                })
            })
            .collect();
        documents.sort_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
        documents
    }
}

impl Session {
    /// What the open files with shaders are read as.
    pub(super) fn status_of_shaders(&self) -> Vec<StatusShaders> {
        let documents = self.documents.values().filter_map(|document| {
            let message = document.dialect.clone()?;
            Some(StatusShaders { uri: document.uri.clone(), message })
        });
        let mut documents: Vec<StatusShaders> = documents.collect();
        documents.sort_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
        documents
    }
}

fn origin(origin: TargetOrigin) -> AssemblyOrigin {
    match origin {
        TargetOrigin::Directive => AssemblyOrigin::Directive,
        TargetOrigin::Includer => AssemblyOrigin::Includer,
        TargetOrigin::FileName => AssemblyOrigin::FileName,
        TargetOrigin::Setting => AssemblyOrigin::Setting,
        TargetOrigin::Instructions => AssemblyOrigin::Instructions,
        TargetOrigin::Default => AssemblyOrigin::Default,
    }
}

/// The file behind a document, if it is one.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    is_file.then(|| uri.to_file_path().map(std::borrow::Cow::into_owned)).flatten()
}
