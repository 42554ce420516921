//! The session: all state of one client's connection, owned by one thread that
//! takes the mail in order.
//!
//! The thread never computes and never waits for the client. It waits for
//! workers in one place only: a change of the engine waits until every
//! snapshot is dropped, and cancels what they compute, so that is soon.

mod assembly;
mod changed;
mod events;
mod folders;
mod hosts;
mod includers;
mod projects;
mod pulls;
mod scheduling;
mod settings;
mod stages;

pub(super) use assembly::path_of;
pub(super) use pulls::Pull;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use engine::Host;
use projects::Lookup;
use rustc_hash::FxBuildHasher;
use serde_json::Value;
use tower_lsp::ls_types::{Diagnostic, MessageType, TraceValue, Uri};

use super::ServerEnv;
use super::asking::Asker;
use super::client::ClientAbilities;
use super::compiled_documents::ShownViews;
use super::documents::Document;
use super::extensions::Status;
use super::mailbox::{DiskAge, Event, Mailbox};
use super::outbox::{Message, Outbox};
use super::progress::Progress;
use super::requests::Request;
use super::requests::semantic_tokens::LastTokens;
use super::workers::Workers;
use crate::configuration::Configuration;
use crate::files::Access;
use crate::jobs::{self, JobManager, LibraryState};

/// The pause that typing must make before compiles are asked for.
const DEBOUNCE: Duration = Duration::from_millis(40);

/// The pause after which nobody is taken to be typing any more.
const TYPING_PAUSE: Duration = Duration::from_millis(1500);

/// All state of one client's connection.
pub(super) struct Session {
    mailbox: Mailbox,
    outbox: Outbox,
    env: ServerEnv,
    host: Host,
    /// Files that were removed from the engine and are still in its caches.
    removed: Vec<engine::FileId>,
    /// The open documents, and the files of the workspace's folders.
    documents: HashMap<Uri, Document, FxBuildHasher>,
    folders: folders::Folders,
    /// The threads that look for included files.
    looks_for_includes: usize,
    /// The reach of what files of the workspace name; each also reaches its own project.
    access: Access,
    /// Counts the news of changes on the disk.
    disk: DiskAge,
    /// News of changes on the disk that has come and is not taken yet.
    changed: changed::Changed,
    /// Questions for the diagnostics of the whole workspace.
    pulls: pulls::Pulls,
    /// Assembly files that are only parts of programs, and what includes them.
    orphan_includes: includers::OrphanIncludes,
    client: ClientAbilities,
    /// The client has said that it takes messages.
    initialized: bool,
    workers: Workers,
    /// Requests that no worker is free for, in order. They hold no snapshot.
    requests: VecDeque<QueuedRequest>,
    views: ShownViews,
    tokens: LastTokens,
    jobs: JobManager,
    /// Hosts of virglrenderer.
    asker: Asker,
    progress: Progress,
    /// The client's settings, as read and as they came.
    configuration: Arc<Configuration>,
    section: Value,
    /// The client's settings that only the user may make, in sentences: they are ignored.
    ignored: Vec<String>,
    /// The projects of the folders of documents.
    projects: HashMap<PathBuf, Lookup, FxBuildHasher>,
    /// The projects' files and files of inputs that something is drawn in, and what.
    wrong_files: HashMap<Uri, Vec<Diagnostic>, FxBuildHasher>,
    /// Targets that views were asked for beside those of the settings.
    extra_builds: Vec<engine::Build>,
    library: Library,
    /// The status that a client that follows it was told last.
    told_status: Option<Status>,
    /// The kinds of entries that the user was told are too many for one answer.
    cut_told: HashSet<&'static str>,
    /// The detail in which the client wants to be told of the server's work.
    trace: TraceValue,
    /// The client was asked for its settings and has not answered yet.
    configuration_asked: bool,
}

/// A request with the count of its document's edits when it came.
struct QueuedRequest {
    request: Box<dyn Request>,
    version: i32,
}

/// The knowledge of the compiler, and what the user was told of it.
struct Library {
    state: LibraryState,
    /// Counts searches: the answer of an old one does not count.
    search: u64,
    missing_told: bool,
    failure_told: bool,
}

/// Starts the session's thread.
pub(super) fn start(mailbox: Mailbox, receiver: Receiver<Event>, outbox: Outbox, env: ServerEnv) {
    let started = std::thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || Session::new(mailbox, outbox, env).run(&receiver));
    if let Err(error) = started {
        // Every request is then answered with an internal error.
        crate::cli::complain(format_args!("the session could not be started: {error}"));
    }
}

impl Session {
    fn new(mailbox: Mailbox, outbox: Outbox, env: ServerEnv) -> Session {
        let configuration = Configuration::default();
        let results = mailbox.clone();
        let jobs = JobManager::new(Box::new(move || results.post(Event::JobsFinished)));
        jobs.set_aco(env.worker.clone());
        jobs.set_cache(jobs::cache(env.cache.as_deref()));
        Session {
            orphan_includes: includers::OrphanIncludes::default(),
            host: Host::new(engine::Settings {
                targets: configuration.targets.clone(),
                compile: configuration.compile,
                ..engine::Settings::default()
            }),
            removed: Vec::new(),
            documents: HashMap::default(),
            folders: folders::Folders::default(),
            looks_for_includes: 0,
            access: Access::to([], &env.user.folders),
            disk: DiskAge::default(),
            changed: changed::Changed::default(),
            pulls: pulls::Pulls::default(),
            client: ClientAbilities::read(&serde_json::Value::Null),
            initialized: false,
            workers: Workers::start(),
            requests: VecDeque::new(),
            views: ShownViews::default(),
            tokens: LastTokens::default(),
            jobs,
            asker: Asker::new(mailbox.clone(), env.worker.clone(), env.user.vrend.clone()),
            progress: Progress::default(),
            configuration: Arc::new(configuration),
            section: Value::Null,
            ignored: Vec::new(),
            projects: HashMap::default(),
            wrong_files: HashMap::default(),
            extra_builds: Vec::new(),
            library: Library {
                state: LibraryState::Searching,
                search: 0,
                missing_told: false,
                failure_told: false,
            },
            told_status: None,
            cut_told: HashSet::new(),
            trace: TraceValue::Off,
            configuration_asked: false,
            mailbox,
            outbox,
            env,
        }
    }

    /// Takes the mail until the connection is gone.
    fn run(mut self, receiver: &Receiver<Event>) {
        loop {
            let first = match self.deadline() {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => {
                    receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()))
                }
            };
            match first {
                Ok(Event::Exit) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // What has come meanwhile belongs to the same moment: a burst of
            // edits reaches the engine as one.
            while let Ok(event) = receiver.try_recv() {
                if matches!(event, Event::Exit) {
                    return;
                }
                self.handle(event);
            }
            self.take_changes();
            self.schedule();
            self.tell_status();
        }
    }

    /// The time at which there is something to do even without mail.
    fn deadline(&self) -> Option<Instant> {
        let deadlines = [self.compile_deadline(), self.typing_deadline(), self.progress.deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// Gives the engine the documents' texts as they are now.
    fn flush(&mut self) {
        for document in self.documents.values_mut().filter(|document| document.unsent) {
            document.unsent = false;
            let text: Arc<str> = Arc::from(document.buffer.to_string());
            document.file = self.host.set_file(document.uri.as_str(), text, document.language);
        }
    }

    /// An answer about a document lists only so many of these: told once.
    fn answer_cut(&mut self, uri: &Uri, most: usize, what: &'static str) {
        if self.cut_told.insert(what) {
            let path = uri.path();
            let name = path.as_str().rsplit('/').next().unwrap_or_default();
            let text = format!(
                "Tungsten: only the first {most} {what} of {name} are listed, and so \
                 it is with other large files"
            );
            self.show(MessageType::INFO, text);
        }
    }

    fn show(&self, kind: MessageType, text: impl Into<String>) {
        self.outbox.post(Message::Show(kind, text.into()));
    }
}
