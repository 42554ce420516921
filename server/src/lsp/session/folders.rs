//! The folders of the workspace. Their files are documents that are not open: they have the
//! settings of their projects, are joined with their pipelines and includers, and follow
//! the disk.
//!
//! Nothing is read before somebody asks for what is in the folders. One thread looks
//! through them at a time, since a disk may be slow; what changes meanwhile has it look
//! once more. So what is known here is always what one look at the disk shows.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use engine::{FileId, Language};
use serde_json::Value;

use tower_lsp::ls_types::{MessageType, Uri};

use super::{Session, path_of};
use crate::configuration::Configuration;
use crate::files::Access;
use crate::folders::{self, Reading, Root, Search, Stamp};
use crate::includes::normal;
use crate::language;
use crate::lsp::documents::{BackgroundTask, Document, Presence};
use crate::lsp::mailbox::Event;
use crate::lsp::outbox::Message;
use crate::lsp::requests::{Request, Subject};
use crate::project;

/// The workspace's folders and what is known of them.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// As the client names them, with their places.
    pub(super) all: Vec<(Uri, PathBuf)>,
    looking: Looking,
    /// The folders that were looked through last, or are now.
    roots: Vec<Root>,
    /// The files that were found last.
    known: Arc<HashMap<PathBuf, Stamp>>,
    /// Files that have changed since the last look began.
    changed: HashSet<PathBuf>,
    /// The files that the log says were left out.
    left_out: Option<String>,
    /// True if the user was shown that there are more files than are looked at.
    cut_told: bool,
    /// The client's settings for folders that have some of their own.
    sections: HashMap<PathBuf, Value>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Looking {
    /// Nobody has asked for anything in the folders.
    #[default]
    Unasked,
    /// A thread is looking.
    Running,
    /// A thread is looking, and something has changed since it began.
    RunningAndDue,
    /// Ended: what is known is what there is.
    Ended,
}

impl Folders {
    /// The folders that a client names in the parameters of `initialize`.
    pub(super) fn named(params: &Value) -> Folders {
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let several = folders.into_iter().flatten().filter_map(|it| it.get("uri")?.as_str());
        let mut uris: Vec<Uri> = several.filter_map(|uri| Uri::from_str(uri).ok()).collect();
        if uris.is_empty() {
            // From before there could be several.
            let root = params.get("rootUri").and_then(Value::as_str);
            uris.extend(root.and_then(|uri| Uri::from_str(uri).ok()));
        }
        let mut all = Folders::default();
        uris.into_iter().for_each(|uri| all.add(uri));
        all
    }

    fn add(&mut self, uri: Uri) {
        let path = path_of(&uri).map(|path| normal(&path));
        if let Some(path) = path.filter(|path| self.all.iter().all(|(_, known)| known != path)) {
            self.all.push((uri, path));
        }
    }

    /// Takes the client's settings for each folder.
    pub(super) fn set_sections(&mut self, sections: Vec<(Uri, Value)>) {
        let sections = sections.into_iter().filter(|(_, section)| !section.is_null());
        let sections = sections.filter_map(|(uri, it)| Some((normal(&path_of(&uri)?), it)));
        self.sections = sections.collect();
    }

    /// The client's settings for a file, where its folder has some.
    pub(super) fn section_of(&self, path: &Path) -> Option<&Value> {
        self.sections.get(&self.all.get(self.of(path)?)?.1)
    }

    /// Tells whether there are folders that nobody has looked through to the end.
    pub(super) fn are_unread(&self) -> bool {
        !self.all.is_empty() && self.looking != Looking::Ended
    }

    /// The innermost folder that holds a file, by its number.
    pub(super) fn of(&self, path: &Path) -> Option<usize> {
        let around = self.all.iter().enumerate().filter(|(_, (_, it))| path.starts_with(it));
        around.max_by_key(|(_, (_, it))| it.as_os_str().len()).map(|(number, _)| number)
    }
}

impl Session {
    /// The folders are others.
    pub(super) fn settle_access(&mut self) {
        let opened = self.folders.all.iter().map(|(_, path)| path.as_path());
        self.access = Access::to(opened, &self.env.user.folders);
    }

    /// Somebody asks for what is in the folders.
    pub(super) fn want_folders(&mut self) {
        match self.folders.looking {
            Looking::Unasked => self.look_through_folders(),
            // Who is not told of changes has to look.
            Looking::Ended if !self.client.registers_watched_files => self.look_through_folders(),
            _ => {}
        }
    }

    /// Tells whether a request has to wait until the folders were looked through, and their
    /// assembly's includes were read.
    pub(super) fn waits_for_folders(&self, request: &dyn Request) -> bool {
        if !request.reads_other_files() {
            return false;
        }
        let document = request.subject().document().and_then(|uri| self.document(uri));
        // Shaders name nothing in other files.
        let concerned = *request.subject() == Subject::Workspace
            || document.is_none_or(|it| it.language == Language::Gcn);
        concerned && (self.folders.are_unread() || self.wants_includes())
    }

    /// Tells whether what a document includes is not known: nobody has asked the engine for the
    /// names, or the files are not read.
    fn wants_includes(&self) -> bool {
        let is_unknown =
            |it: &Document| it.language == Language::Gcn && it.assembly != BackgroundTask::Idle;
        self.looks_for_includes > 0 || self.documents.values().any(is_unknown)
    }

    fn look_through_folders(&mut self) {
        if matches!(self.folders.looking, Looking::Running | Looking::RunningAndDue) {
            self.folders.looking = Looking::RunningAndDue;
            return;
        }
        if self.folders.all.is_empty() {
            self.folders_read(Reading::default());
            return;
        }
        self.folders.looking = Looking::Running;
        self.folders.roots = self.roots();
        let search = Search {
            roots: self.folders.roots.clone(),
            known: Arc::clone(&self.folders.known),
            changed: std::mem::take(&mut self.folders.changed),
            access: self.access.clone(),
        };
        let mailbox = self.mailbox.clone();
        let started = std::thread::Builder::new().name("folders".to_owned()).spawn(move || {
            mailbox.post(Event::FoldersRead(folders::read(&search)));
        });
        if started.is_err() {
            self.folders_read(Reading::default());
        }
    }

    /// The folders as they are now, with what the settings leave out of each.
    fn roots(&self) -> Vec<Root> {
        let of = |path: &PathBuf| {
            let section = self.folders.sections.get(path).unwrap_or(&self.section);
            Root {
                path: path.clone(),
                exclude: Configuration::read(section, &Access::to([], &[])).0.exclude,
            }
        };
        self.folders.all.iter().map(|(_, path)| of(path)).collect()
    }

    /// The settings are others: they may leave out what they did not.
    pub(super) fn folders_configured(&mut self) {
        if self.folders.looking != Looking::Unasked && self.roots() != self.folders.roots {
            self.look_through_folders();
        }
    }

    /// The folders were looked through.
    pub(super) fn folders_read(&mut self, reading: Reading) {
        let is_due = self.folders.looking == Looking::RunningAndDue;
        self.folders.looking = Looking::Ended;
        if reading.left_out != self.folders.left_out {
            if let Some(what) = &reading.left_out {
                let text = format!("Tungsten: {what}");
                // Once where it is seen: files are missing that somebody may look for.
                match reading.is_cut && !self.folders.cut_told {
                    true => self.show(MessageType::WARNING, text),
                    false => self.outbox.post(Message::Log(MessageType::WARNING, text)),
                }
                self.folders.cut_told |= reading.is_cut;
            }
            self.folders.left_out = reading.left_out;
        }
        let open: HashSet<PathBuf> = self
            .documents
            .values()
            .filter(|document| document.is_open())
            .filter_map(|document| Some(normal(&path_of(&document.uri)?)))
            .collect();
        self.flush();
        let mut known = HashMap::with_capacity(reading.files.len());
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for found in reading.files {
            let Some(uri) = Uri::from_file_path(&found.path) else { continue };
            if open.contains(&found.path) {
                continue; // It is read when it is closed.
            }
            known.insert(found.path, found.stamp);
            let Some(text) = found.text else { continue };
            let name = uri.path().as_str();
            let language = language::of_file(name, &text);
            if language == Language::Gcn && language::is_foreign(name, &text) {
                // Stays known: it is not read again before it changes.
                self.forget_document(&uri);
                continue;
            }
            let file = self.host.set_file(uri.as_str(), text.into(), language);
            match self.documents.get_mut(&uri) {
                Some(document) => {
                    document.language = language;
                    document.version = document.version.wrapping_add(1);
                    changed.push(uri);
                }
                None => {
                    let document = Document::on_disk(uri.clone(), file, language);
                    self.documents.insert(uri.clone(), document);
                    new.push(uri);
                }
            }
        }
        let is_gone = |document: &&Document| {
            !document.is_open()
                && path_of(&document.uri).is_none_or(|path| !known.contains_key(&path))
        };
        let gone = self.documents.values().filter(is_gone);
        let gone: Vec<Uri> = gone.map(|document| document.uri.clone()).collect();
        self.folders.known = Arc::new(known);
        gone.iter().for_each(|uri| self.forget_document_alone(uri));
        // Where something changed since, they are looked through again.
        self.projects_read(reading.projects, self.disk);
        let read: Vec<Uri> = new.iter().chain(&changed).cloned().collect();
        self.configure_each(&read);
        let files = read.iter().filter_map(|uri| Some(self.documents.get(uri)?.file));
        let files: HashSet<FileId> = files.collect();
        self.files_beside_changed(&files);
        for uri in &new {
            self.tell_pulls_new(uri);
            // Before it was a document it may have been brought as somebody's includer, and
            // what it includes did not follow the disk.
            let Some(file) = self.documents.get(uri).map(|document| document.file) else {
                continue;
            };
            let names = self.host.includes(file).into_iter().map(|(name, _)| name).collect();
            self.read_includes(uri, file, names);
        }
        if is_due {
            self.look_through_folders();
        }
    }

    /// Texts changed, perhaps many: what is said of the files that are read with them may be
    /// another.
    fn files_beside_changed(&mut self, changed: &HashSet<FileId>) {
        let mut concerned: HashSet<FileId> = HashSet::new();
        for document in self.documents.values() {
            let file = document.file;
            let beside: Vec<FileId> = match document.language {
                Language::Gcn => {
                    self.host.includes(file).into_iter().filter_map(|it| it.1.found()).collect()
                }
                Language::Tgsi => self.host.pipelines(file).into_iter().flatten().collect(),
            };
            if changed.contains(&file) && document.language == Language::Gcn {
                concerned.extend(&beside);
            }
            if beside.iter().any(|it| *it != file && changed.contains(it)) {
                concerned.insert(file);
            }
        }
        for document in self.documents.values_mut().filter(|it| concerned.contains(&it.file)) {
            document.look_at_everything();
        }
    }

    /// Files changed on the disk.
    pub(super) fn folders_changed<'a>(&mut self, paths: impl Iterator<Item = &'a Path>) {
        if self.folders.looking == Looking::Unasked {
            return;
        }
        let paths = paths.map(normal);
        // A project's file counts wherever it is.
        let concerned = |path: &PathBuf| {
            self.folders.of(path).is_some()
                || path.file_name().is_some_and(|it| it == project::NAME)
        };
        let within: Vec<PathBuf> = paths.filter(concerned).collect();
        if !within.is_empty() {
            self.folders.changed.extend(within);
            self.look_through_folders();
        }
    }

    /// The client has other folders now.
    pub(super) fn change_folders(&mut self, added: Vec<Uri>, removed: &[Uri]) {
        let removed: Vec<PathBuf> =
            removed.iter().filter_map(path_of).map(|path| normal(&path)).collect();
        self.folders.all.retain(|(_, path)| !removed.contains(path));
        added.into_iter().for_each(|uri| self.folders.add(uri));
        self.settle_access();
        // What was refused may be read now, and the other way round.
        self.disk.0 += 1;
        self.read_again(|_, _| true);
        self.seek_includers_again();
        self.look_for_projects_again();
        if self.client.configuration {
            self.ask_configuration();
        }
        if self.folders.looking != Looking::Unasked {
            self.look_through_folders();
        }
    }

    /// The client's settings for a document: those for its folder, or for everything.
    pub(super) fn section_of(&self, uri: &Uri) -> &Value {
        let of_folder = path_of(uri).and_then(|path| self.folders.section_of(&path));
        of_folder.unwrap_or(&self.section)
    }

    /// A document was closed. Where it is a file of the workspace it stays one, and waits
    /// for the disk's text. Returns whether it does.
    pub(super) fn keep_closed(&mut self, uri: &Uri) -> bool {
        let Some(path) = path_of(uri).map(|path| normal(&path)) else { return false };
        if self.folders.looking == Looking::Unasked
            || self.folders.of(&path).is_none()
            || language::by_extension(uri.path().as_str()).is_none()
            || Uri::from_file_path(&path).as_ref() != Some(uri)
        {
            self.folders_changed([path.as_path()].into_iter());
            return false;
        }
        let Some(document) = self.documents.get_mut(uri) else { return false };
        let file = document.file;
        *document = Document {
            presence: Presence::OnDisk,
            version: document.version.wrapping_add(1),
            ..Document::on_disk(uri.clone(), file, document.language)
        };
        self.folders_changed([path.as_path()].into_iter());
        true
    }

    /// The document of a name, however the client writes it.
    pub(super) fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri).or_else(|| self.documents.get(&own_spelling(uri)?))
    }

    /// The document of a file.
    pub(super) fn document_at(&self, path: &Path) -> Option<&Document> {
        let usual = Uri::from_file_path(path).and_then(|uri| self.documents.get(&uri));
        usual.or_else(|| {
            // Clients may spell names in other ways; ours are found above.
            let mut open = self.documents.values().filter(|it| it.is_open());
            open.find(|it| path_of(&it.uri).as_deref() == Some(path))
        })
    }

    /// A file of the workspace was opened under another spelling of its name.
    pub(super) fn forget_other_spelling(&mut self, uri: &Uri) {
        if let Some(own) = own_spelling(uri).filter(|own| own != uri)
            && self.documents.get(&own).is_some_and(|document| !document.is_open())
        {
            self.forget_document(&own);
        }
    }
}

/// Our own spelling of a file's name.
fn own_spelling(uri: &Uri) -> Option<Uri> {
    Uri::from_file_path(normal(&path_of(uri)?))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use serde_json::json;
    use tokio::sync::{mpsc as asynchronous, oneshot};
    use tower_lsp::ls_types::{ReferenceParams, TextDocumentItem};

    use super::*;
    use crate::lsp::ServerEnv;
    use crate::lsp::mailbox::Mailbox;
    use crate::lsp::outbox::Outbox;
    use crate::lsp::requests::PendingRequest;

    #[test]
    fn what_is_asked_of_all_files_waits_until_their_includes_are_read() {
        let (sender, mail) = mpsc::channel();
        let (messages, _told) = asynchronous::unbounded_channel();
        let mut session =
            Session::new(Mailbox::new(sender), Outbox::to(messages), ServerEnv::default());
        let path = std::env::temp_dir().join("tungsten-includes-are-read.s");
        let uri = Uri::from_file_path(&path).expect("absolute");
        let text = ".include \"none.inc\"\ntwice\n";
        let file = session.host.set_file(uri.as_str(), text.into(), Language::Gcn);
        let item = TextDocumentItem::new(uri.clone(), "gcn".to_owned(), 0, text.to_owned());
        let document = Document::opened(&item, file, Language::Gcn);
        session.documents.insert(uri.clone(), document);
        let params: ReferenceParams = serde_json::from_value(json!({
            "textDocument": {"uri": uri},
            "position": {"line": 1, "character": 1},
            "context": {"includeDeclaration": true},
        }))
        .expect("parameters");
        let (reply, _answer) = oneshot::channel();
        let request = PendingRequest::new(params, reply);

        // Nobody knows what the open document includes.
        assert!(session.waits_for_folders(&request));
        let end = |session: &mut Session| {
            let document = session.documents.get_mut(&uri).expect("open");
            document.assembly = BackgroundTask::Idle;
        };
        end(&mut session);
        assert!(!session.waits_for_folders(&request));

        // The names are known, and the files are looked for.
        session.read_includes(&uri, file, vec!["none.inc".to_owned()]);
        assert!(session.waits_for_folders(&request));
        loop {
            match mail.recv().expect("mail") {
                Event::IncludesRead(file, found, age) => session.includes_read(file, found, age),
                Event::IncludesLookedFor => break session.handle(Event::IncludesLookedFor),
                _ => {}
            }
            end(&mut session);
            assert!(session.waits_for_folders(&request));
        }
        end(&mut session);
        assert!(!session.waits_for_folders(&request));
    }
}
