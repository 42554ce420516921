//! The includer of a file that is opened alone: it is looked for around the file and
//! given to the engine without being opened, so that the file is judged as it is read.

use std::collections::{HashMap, HashSet};

use engine::FileId;
use tower_lsp::ls_types::Uri;

use super::Session;
use super::assembly::path_of;
use crate::includes::{self, Includer};
use crate::lsp::mailbox::{DiskAge, Event};

/// The knowledge of files that were opened alone.
#[derive(Debug, Default)]
pub(super) struct OrphanIncludes {
    /// The files whose includer was looked for, which is not done at every edit.
    sought: HashSet<FileId>,
    /// Their includers that were found, which nobody has opened.
    found: HashMap<FileId, FileId>,
}

impl Session {
    /// Looks for the file that includes a document, on a thread of its own: a disk may
    /// be slow.
    pub(super) fn seek_includer(&mut self, uri: &Uri, file: FileId) {
        let Some(path) = path_of(uri) else { return };
        if !self.orphan_includes.sought.insert(file) {
            return;
        }
        let configuration = self.documents.get(uri).and_then(|it| it.configuration.as_ref());
        let folders = configuration.unwrap_or(&self.configuration).include_folders.clone();
        let (mailbox, age, access) = (self.mailbox.clone(), self.disk, self.access.clone());
        // Where no thread can be had, the file stays judged alone.
        let _ = std::thread::Builder::new().name("includers".to_owned()).spawn(move || {
            if let Some(found) = includes::find_includer(&path, &folders, &access) {
                mailbox.post(Event::IncluderFound(file, Box::new(found), age));
            }
        });
    }

    /// The includer of a document was found.
    pub(super) fn includer_found(&mut self, file: FileId, found: Includer, age: DiskAge) {
        let Some(document) = self.documents.values().find(|it| it.file == file) else { return };
        let uri = document.uri.clone();
        if age != self.disk {
            self.orphan_includes.sought.remove(&file);
            self.seek_includer(&uri, file);
        }
        let Some(includer) = self.bring(found.file) else { return };
        let is_open = self.documents.values().any(|it| it.file == includer);
        if !is_open {
            let known = found
                .includes
                .into_iter()
                .map(|(name, included)| (name, included.and_then(|included| self.bring(included))));
            let known: Vec<_> = known.collect();
            self.host.set_includes(includer, known);
            self.host.share_own_settings(file, includer);
            self.orphan_includes.found.insert(file, includer);
        }
        if let Some(document) = self.documents.get_mut(&uri) {
            document.look_at_everything();
        }
    }

    /// A document was closed: the includer that was brought for it alone is forgotten,
    /// and files that it included look for another.
    pub(super) fn forget_includer(&mut self, closed: FileId) {
        self.orphan_includes.sought.remove(&closed);
        if let Some(includer) = self.orphan_includes.found.remove(&closed)
            && !self.orphan_includes.found.values().any(|it| *it == includer)
            && !self.documents.values().any(|it| it.file == includer)
        {
            for (_, included) in self.host.includes(includer) {
                let Some(included) = included.found() else { continue };
                let open = self.documents.values().any(|it| it.file == included);
                if !open && self.includers(included).is_empty() {
                    self.host.remove_file(included);
                }
            }
            self.host.remove_file(includer);
        }
        if !self.orphan_includes.sought.is_empty() {
            self.seek_includers_again();
        }
    }

    /// Something changed on the disk, or a document was closed, that may have been
    /// somebody's includer.
    pub(super) fn seek_includers_again(&mut self) {
        let sought = std::mem::take(&mut self.orphan_includes.sought);
        for document in self.documents.values_mut().filter(|it| sought.contains(&it.file)) {
            document.assembly.want();
        }
        let again: Vec<(Uri, FileId)> = self
            .documents
            .values()
            .filter(|it| self.orphan_includes.found.contains_key(&it.file))
            .map(|it| (it.uri.clone(), it.file))
            .collect();
        for (uri, file) in again {
            self.seek_includer(&uri, file);
        }
    }
}
