//! Files that others are read with: what assembly includes, and the inputs that
//! shaders are run on, are read and given to the engine. What assembly files were
//! taken for is told.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use engine::{FileId, Include, Language};
use source::Diagnostic;
use tower_lsp::ls_types::Uri;

use super::Session;
use super::changed::Changed;
use super::events::tell_costs_changed;
use crate::includes::{self, Included, Lookup};
use crate::lsp::compiled_documents::{has_scheme, is_compiled};
use crate::lsp::documents::Document;
use crate::lsp::extensions::{StatusAssembly, StatusShaders};
use crate::lsp::mailbox::{DiskAge, Event};
use crate::lsp::outbox::Message;
use crate::lsp::to_protocol::{self, Lines};

impl Session {
    /// Looks for files that a document includes.
    pub(super) fn read_includes(&mut self, uri: &Uri, file: FileId, names: Vec<String>) {
        self.read_all_includes(vec![(uri.clone(), file, names)]);
    }

    /// Looks for files that documents include on a thread of its own: a disk may be slow.
    fn read_all_includes(&mut self, mut wanted: Vec<(Uri, FileId, Vec<String>)>) {
        wanted.retain(|(_, _, names)| !names.is_empty());
        if wanted.is_empty() {
            return;
        }
        let search = wanted.into_iter().map(|(uri, file, names)| {
            let configuration = self.documents.get(&uri).and_then(|it| it.configuration.as_ref());
            let folders = configuration.unwrap_or(&self.configuration).include_folders.clone();
            (path_of(&uri), file, names, folders)
        });
        let search: Vec<_> = search.collect();
        let (mailbox, age, access) = (self.mailbox.clone(), self.disk, self.access.clone());
        // Where no thread can be had, the names stay wanted until the next edit.
        let started = std::thread::Builder::new().name("includes".to_owned()).spawn(move || {
            for (path, file, names, folders) in search {
                let found = includes::find_all(path.as_deref(), names, &folders, &access);
                mailbox.post(Event::IncludesRead(file, found, age));
            }
            mailbox.post(Event::IncludesLookedFor);
        });
        self.looks_for_includes += usize::from(started.is_ok());
    }

    /// Included files were looked for.
    pub(super) fn includes_read(
        &mut self,
        file: FileId,
        found: Vec<(String, Lookup)>,
        age: DiskAge,
    ) {
        let Some(document) = self.documents.values().find(|document| document.file == file) else {
            return; // Closed meanwhile.
        };
        if age != self.disk {
            let names = found.iter().map(|(name, _)| name.clone()).collect();
            self.read_includes(&document.uri.clone(), file, names);
        }
        let mut known = self.host.includes(file);
        let shaders =
            self.documents.values().any(|it| it.file == file && it.language == Language::Tgsi);
        let anew: HashSet<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        known.retain(|(name, _)| !anew.contains(name.as_str()));
        for (name, included) in found {
            // What was read before the last change is read once more, and told then.
            if let Lookup::Found(included) = &included
                && shaders
                && age == self.disk
            {
                let wrong = engine::check_inputs(&included.text);
                self.tell_of_file(&included.path, included.text.as_str().into(), wrong);
            }
            let included = included.and_then(|included| self.bring(included));
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

    /// Draws the mistakes in a file of a project or of inputs in it, whoever has it open.
    pub(super) fn tell_of_file(
        &mut self,
        path: &Path,
        text: Arc<str>,
        wrong: impl IntoIterator<Item = Diagnostic>,
    ) {
        let Some(uri) = Uri::from_file_path(path) else { return };
        let lines = Lines::new(text, self.client.column_unit);
        let wrong = wrong.into_iter().map(|it| to_protocol::diagnostic(&lines, None, it));
        let wrong: Vec<_> = wrong.collect();
        let told = match wrong.is_empty() {
            true => self.wrong_files.remove(&uri).unwrap_or_default(),
            false => self.wrong_files.insert(uri.clone(), wrong.clone()).unwrap_or_default(),
        };
        // It may be read for several reasons at a time.
        if told != wrong {
            self.outbox.post(Message::Diagnostics(uri, wrong, None));
        }
    }

    /// Nothing is run on a file of inputs any more: what was said of it is taken back.
    fn forget_inputs(&mut self, file: FileId) {
        let own = |uri: &&Uri| self.host.file(uri.as_str()) == Some(file);
        let Some(uri) = self.wrong_files.keys().find(own).cloned() else { return };
        self.wrong_files.remove(&uri);
        self.outbox.post(Message::Diagnostics(uri, Vec::new(), None));
    }

    /// Gives the engine an included file; a document's text counts more than what was
    /// just read: the client's if it is open, else it follows the disk by itself.
    pub(super) fn bring(&mut self, included: Included) -> Option<FileId> {
        if let Some(known) = self.document_at(&included.path) {
            return Some(known.file);
        }
        let uri = Uri::from_file_path(&included.path)?;
        Some(self.host.set_file(uri.as_str(), included.text.into(), Language::Gcn))
    }

    /// A file's text changed: what is said of its includers and of what it includes
    /// may be another.
    pub(super) fn included_changed(&mut self, file: FileId) {
        let own = self.host.includes(file).into_iter().filter_map(|it| it.1.found());
        let own: Vec<FileId> = own.collect();
        let includers = self.includers(file);
        self.look_again(|it| includers.contains(&it.file) || own.contains(&it.file));
    }

    /// The documents that include a file.
    pub(super) fn includers(&self, file: FileId) -> Vec<FileId> {
        let assembly = self.documents.values().filter(|it| it.language == Language::Gcn);
        let includes = |it: &&Document| {
            it.file != file
                && self.host.includes(it.file).iter().any(|it| it.1 == Include::Found(file))
        };
        assembly.filter(includes).map(|document| document.file).collect()
    }

    fn look_again(&mut self, concerned: impl Fn(&Document) -> bool) {
        for document in self.documents.values_mut().filter(|document| concerned(document)) {
            document.want_diagnostics();
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
            let Some(included) = included.found() else { continue };
            let open = self.documents.values().any(|it| it.file == included);
            // Shaders may be run on the same inputs.
            let reads = |it: &Document| {
                it.file != closed
                    && self.host.includes(it.file).iter().any(|it| it.1 == Include::Found(included))
            };
            if !open && !self.documents.values().any(reads) {
                self.forget_inputs(included);
                self.host.remove_file(included);
            }
        }
        if self.includers(closed).is_empty() {
            self.host.remove_file(closed);
        } else {
            self.read_again(|_, included| included == Some(closed));
        }
        self.forget_includer(closed);
    }

    /// Files changed on the disk: those that are included are read again, and
    /// those that were missing are looked for again.
    pub(super) fn files_changed(&mut self, news: &Changed) {
        // A folder stands for all that is in it. Open files count too: one that is gone from
        // the disk is none that assemblers find.
        let is_changed = |included: FileId| {
            let name = self.host.name(included).and_then(|name| Uri::from_str(&name).ok());
            let path = name.and_then(|uri| path_of(&uri));
            path.is_some_and(|path| news.covers(&path))
        };
        let all = self.documents.values().flat_map(|it| self.host.includes(it.file));
        let included: HashSet<FileId> = all.filter_map(|(_, included)| included.found()).collect();
        let changed: HashSet<FileId> = included.into_iter().filter(|it| is_changed(*it)).collect();
        // One that is new may come before the one that was found.
        let called = news.names();
        self.read_again(|name, included| {
            included.is_none_or(|it| changed.contains(&it))
                || Path::new(name).file_name().is_some_and(|it| called.contains(it))
        });
        self.seek_includers_again();
    }

    /// Reads what the documents include once more, where that is concerned.
    pub(super) fn read_again(&mut self, concerned: impl Fn(&str, Option<FileId>) -> bool) {
        let again = self.documents.values().map(|it| {
            let known = self.host.includes(it.file).into_iter();
            let names =
                known.filter(|(name, it)| concerned(name, it.found())).map(|(name, _)| name);
            (it.uri.clone(), it.file, names.collect())
        });
        let again = again.collect();
        self.read_all_includes(again);
    }

    /// The chips and languages that the open assembly files were taken for.
    pub(super) fn status_of_assembly(&self) -> Vec<StatusAssembly> {
        let mut documents: Vec<StatusAssembly> = self
            .documents
            .values()
            .filter_map(|document| {
                let kind =
                    document.assembly_kind.as_ref().filter(|_| !is_compiled(&document.uri))?;
                Some(StatusAssembly {
                    uri: document.uri.clone(),
                    target: kind.chip().to_owned(),
                    target_origin: kind.target_origin,
                    dialect: kind.dialect.name().to_owned(),
                    message: kind.sentence(),
                })
            })
            .collect();
        documents.sort_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
        documents
    }
}

impl Session {
    /// The dialects that the open files with shaders are read as.
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

/// The file behind a document, if it is one.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = has_scheme(uri, "file");
    is_file.then(|| uri.to_file_path().map(std::borrow::Cow::into_owned)).flatten()
}
