//! The worker threads: each takes one assignment at a time, with a snapshot,
//! and a panic in it costs that assignment only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::{AssemblyKind, Cancelled, FileId, Snapshot, WantedFiles, WantedJob};
use source::TextSize;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{Position, Uri};

use super::client::ClientAbilities;
use super::compiled_documents::ViewKey;
use super::documents::PublishedDiagnostics;
use super::mailbox::{DiskAge, Event, Mailbox};
use super::requests::semantic_tokens::LastTokens;
use super::requests::{Request, failed};
use super::steady::SteadyDiagnostics;
use super::time_limit::TimeLimit;
use super::to_protocol::Lines;
use super::{from_protocol, tasks};
use crate::configuration::Configuration;
use crate::files::Access;
use crate::limits::{ANSWER_ENTRIES, REQUEST_SECONDS};
use crate::project::Project;

/// An assignment of a worker.
pub(crate) enum Task {
    /// Answer the client.
    Request(Box<dyn Request>),
    /// Find what is wrong with the document.
    Diagnostics,
    /// Look at compiled views of the document.
    Views(Vec<ViewKey>),
    /// Ask which compiles the document wants.
    WantedJobs,
    /// Ask what an assembly file was taken for, and what it includes.
    Assembly,
    /// Work out what an assembly file costs.
    Costs,
    /// Find what is wrong with a file of the workspace, or only what it includes.
    WorkspaceCheck(CheckDepth),
    /// Empty the caches of a file that nobody needs any more.
    EvictCaches(FileId),
}

/// The depth to which a file of the workspace is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckDepth {
    /// The files that it includes are brought.
    Includes,
    /// The diagnostics are found.
    Diagnostics,
}

impl Task {
    /// Its name, in a word or two.
    fn name(&self) -> &'static str {
        match self {
            Task::Request(request) => request.name(),
            Task::Diagnostics => "diagnostics",
            Task::Views(_) => "views",
            Task::WantedJobs => "wanted compiles",
            Task::Assembly => "target and includes",
            Task::Costs => "costs",
            Task::WorkspaceCheck(_) => "workspace check",
            Task::EvictCaches(_) => "eviction",
        }
    }
}

/// The state of the session that a worker needs to know.
pub(crate) struct Context {
    /// The engine as it was.
    pub(crate) snapshot: Snapshot,
    /// The document, or what was one.
    pub(crate) uri: Uri,
    /// The documents that are open, and for a request about the workspace all others, in
    /// order of their names; none for a background task.
    pub(crate) documents: Arc<[KnownDocument]>,
    /// The projects of all documents, for a request about the workspace, in order of their
    /// names; else none.
    pub(crate) projects: Arc<[Arc<Project>]>,
    /// The engine's number for it.
    pub(crate) file: FileId,
    /// True if the client has it open.
    pub(crate) is_open: bool,
    /// The client's count of its edits.
    pub(crate) version: i32,
    /// True while somebody types in it.
    pub(crate) is_typed_in: bool,
    /// The diagnostics that stand in for those of a line that is typed; none where it is not
    /// open, or where the client could not be told of others later.
    pub(crate) steady: Option<SteadyDiagnostics>,
    /// True if the engine has the costs of this version already.
    pub(crate) costs_are_known: bool,
    /// The settings that count for it.
    pub(crate) configuration: Arc<Configuration>,
    /// The reach of what the document names.
    pub(crate) access: Access,
    /// The age of the disk when this was begun.
    pub(crate) disk: DiskAge,
    /// The abilities of the client.
    pub(crate) client: ClientAbilities,
    /// The last semantic tokens of each document.
    pub(crate) tokens: LastTokens,
    /// For news to the session.
    pub(crate) mailbox: Mailbox,
}

/// A document as a request may speak of it.
pub(crate) struct KnownDocument {
    /// Its name.
    pub(crate) uri: Uri,
    /// The engine's number for it.
    pub(crate) file: FileId,
    /// The client's count of its edits, where it is open.
    pub(crate) version: Option<i32>,
}

impl Context {
    /// The version of a document that is open.
    pub(crate) fn version_of(&self, uri: &Uri) -> Option<i32> {
        let named = |it: &KnownDocument| it.uri.as_str().cmp(uri.as_str());
        self.documents.get(self.documents.binary_search_by(named).ok()?)?.version
    }

    /// The document's text with its lines.
    pub(crate) fn lines(&self) -> Result<Lines, Cancelled> {
        Lines::of(&self.snapshot, self.file, self.client.column_unit)
    }

    /// Entries of an answer, as many as one may have. That there are more the user is told.
    pub(crate) fn listed<T>(
        &self,
        what: &'static str,
        entries: impl IntoIterator<Item = T>,
    ) -> Vec<T> {
        self.first(ANSWER_ENTRIES, what, entries)
    }

    /// The same, at most so many.
    pub(crate) fn first<T>(
        &self,
        most: usize,
        what: &'static str,
        entries: impl IntoIterator<Item = T>,
    ) -> Vec<T> {
        let mut entries = entries.into_iter();
        let first = entries.by_ref().take(most).collect();
        if entries.next().is_some() {
            self.tell_cut(most, what);
        }
        first
    }

    /// Has the user told that an answer lists only so many of these.
    pub(crate) fn tell_cut(&self, most: usize, what: &'static str) {
        self.mailbox.post(Event::AnswerCut(self.uri.clone(), most, what));
    }

    /// The document's text with its lines, and the byte offset of a position.
    pub(crate) fn at(&self, position: Position) -> Result<(Lines, TextSize), Cancelled> {
        let lines = self.lines()?;
        let offset = from_protocol::offset(&lines, position);
        Ok((lines, offset))
    }
}

/// A task that a worker has ended.
pub(crate) struct TaskFinished {
    /// The name of the task, in a word or two.
    pub(crate) what: &'static str,
    /// The time that it took.
    pub(crate) time: Duration,
    /// The document it was about.
    pub(crate) uri: Uri,
    /// The client's count of its edits then.
    pub(crate) version: i32,
    /// True for a check of the workspace.
    pub(crate) is_workspace_check: bool,
    /// The outcome.
    pub(crate) outcome: TaskOutcome,
}

/// The outcome of an assignment.
pub(crate) enum TaskOutcome {
    /// The client was answered.
    Answered,
    /// The diagnostics, with an identity.
    Diagnostics(PublishedDiagnostics),
    /// The looks of the views.
    Views(Vec<(ViewKey, Option<u64>)>),
    /// The wanted compiles, and the shaders that hosts can be asked about.
    WantedJobs(FileId, Vec<WantedJob>, Vec<(usize, Arc<str>)>),
    /// The chip, language or dialect that a file was taken for, and the files around it that
    /// nobody looked for.
    Assembly(FileId, Option<AssemblyKind>, Option<String>, WantedFiles),
    /// The end of a check: what a file of the workspace includes is known; what is wrong with
    /// it where that was asked.
    WorkspaceChecked(Option<PublishedDiagnostics>),
    /// The costs are known now; whether they were quick to have.
    Costs(bool),
    /// The caches of the file are empty.
    Evicted,
    /// A change of the engine came between: here it is again.
    Cancelled(Task),
    /// A background task panicked; a request's panic is answered.
    Panicked(Task),
}

/// The threads.
pub(crate) struct Workers {
    sender: Sender<(Task, Context)>,
    /// The number of threads.
    count: usize,
    /// The number of them that have nothing to do.
    pub(crate) idle: usize,
    /// True while one of them checks the workspace, which one thread is kept for.
    pub(crate) checking_workspace: bool,
}

impl Workers {
    /// Starts the threads: one more than the least, so that a background task never
    /// keeps a request waiting, and one for what nobody waits for.
    pub(crate) fn start() -> Workers {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let count = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8));
        let limit = TimeLimit::start(Duration::from_secs(REQUEST_SECONDS));
        let mut started = 0;
        for _ in 0..count + 1 {
            let (receiver, limit) = (Arc::clone(&receiver), limit.clone());
            let thread = std::thread::Builder::new()
                .name("worker".to_owned())
                .spawn(move || while run_next(&receiver, &limit).is_some() {});
            started += usize::from(thread.is_ok());
        }
        Workers { sender, count: started, idle: started, checking_workspace: false }
    }

    /// The number of those that may take what somebody waits for.
    pub(crate) fn free(&self) -> usize {
        match self.checking_workspace {
            true => self.idle,
            false => self.idle.saturating_sub(1),
        }
    }

    /// Tells whether none of them does anything.
    pub(crate) fn are_at_rest(&self) -> bool {
        self.idle == self.count
    }

    /// Tells whether one may take what nobody waits for.
    pub(crate) fn may_check_workspace(&self) -> bool {
        !self.checking_workspace && self.idle > 0
    }

    /// Hands out work. Only while somebody is idle: what waits must not hold a
    /// snapshot, since a change of the engine waits for every snapshot.
    pub(crate) fn assign(&mut self, task: Task, context: Context) {
        self.idle = self.idle.saturating_sub(1);
        self.checking_workspace |= matches!(task, Task::WorkspaceCheck(_));
        // The receiver lives as long as the threads, and they as long as this.
        let _ = self.sender.send((task, context));
    }
}

fn run_next(receiver: &Mutex<Receiver<(Task, Context)>>, limit: &TimeLimit) -> Option<()> {
    let assignment = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
    let (task, context) = assignment.ok()?;
    let (uri, version, mailbox) = (context.uri.clone(), context.version, context.mailbox.clone());
    let (what, begin) = (task.name(), Instant::now());
    let is_workspace_check = matches!(task, Task::WorkspaceCheck(_));
    let outcome = run(task, &context, limit);
    let time = begin.elapsed();
    // The snapshot goes before the news: the session may change the engine at once.
    drop(context);
    mailbox.post(Event::TaskFinished(TaskFinished {
        what,
        time,
        uri,
        version,
        is_workspace_check,
        outcome,
    }));
    Some(())
}

fn run(mut task: Task, context: &Context, limit: &TimeLimit) -> TaskOutcome {
    let watched =
        matches!(task, Task::Request(_)).then(|| limit.watch(context.snapshot.canceller()));
    // What the closure changes is given up after a panic, apart from the
    // request, which is only asked to refuse.
    let result = catch_unwind(AssertUnwindSafe(|| match &mut task {
        Task::Request(request) => request.run(context).map(|()| TaskOutcome::Answered),
        Task::Diagnostics => tasks::diagnostics(context),
        Task::Views(keys) => tasks::views(context, keys),
        Task::WantedJobs => tasks::wanted_jobs(context),
        Task::Assembly => tasks::assembly(context),
        Task::Costs => tasks::costs(context),
        Task::WorkspaceCheck(depth) => tasks::workspace_check(context, *depth),
        Task::EvictCaches(file) => {
            context.snapshot.evict_caches(*file).map(|()| TaskOutcome::Evicted)
        }
    }));
    match result {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(Cancelled)) => match task {
            // Asked again it would be late again.
            Task::Request(mut request) if watched.is_some_and(|it| it.is_late()) => {
                let seconds = limit.limit().as_secs();
                let reason = format!("the answer took longer than {seconds} s, and was given up");
                request.refuse(failed(reason));
                TaskOutcome::Answered
            }
            task => TaskOutcome::Cancelled(task),
        },
        Err(_) => match task {
            Task::Request(mut request) => {
                request.refuse(Error::internal_error());
                TaskOutcome::Answered
            }
            task => TaskOutcome::Panicked(task),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;
    use std::sync::mpsc;

    use tokio::sync::oneshot;
    use tower_lsp::jsonrpc::Result as Answered;

    use super::*;
    use crate::lsp::requests::{
        About, DocumentRequest, EmptyResponse, PendingRequest, Stop, Subject,
    };

    /// A request that does as it says.
    enum Trick {
        Panic,
        Cancel,
        Answer,
        Endless,
    }

    impl DocumentRequest for Trick {
        type Answer = u32;

        fn compute(&self, context: &Context) -> Result<u32, Stop> {
            match self {
                Trick::Panic => panic!("on purpose"),
                Trick::Cancel => Err(Stop::Cancelled),
                Trick::Answer => Ok(7),
                Trick::Endless => loop {
                    context.snapshot.text(context.file)?;
                },
            }
        }
    }

    impl About for Trick {
        fn subject(&self) -> Subject {
            Subject::Nothing
        }
    }

    impl EmptyResponse for u32 {
        fn nothing() -> u32 {
            0
        }
    }

    fn context(host: &engine::Host, post: &mpsc::Sender<Event>) -> Context {
        Context {
            snapshot: host.snapshot(),
            uri: Uri::from_str("file:///a").expect("a URI"),
            file: FileId(0),
            documents: Arc::from([]),
            projects: Arc::from([]),
            is_open: true,
            version: 0,
            is_typed_in: false,
            steady: None,
            costs_are_known: false,
            configuration: Arc::default(),
            access: Access::to([], &[]),
            disk: DiskAge::default(),
            client: ClientAbilities::read(&serde_json::Value::Null),
            tokens: LastTokens::default(),
            mailbox: Mailbox::new(post.clone()),
        }
    }

    /// Runs requests on one worker thread, and says what came of each.
    fn results(tricks: Vec<Trick>) -> Vec<(Option<Answered<u32>>, bool)> {
        let mut host = engine::Host::new(engine::Settings::default());
        host.set_file("a", "".into(), engine::Language::Tgsi);
        let (post, mail) = mpsc::channel();
        let (sender, receiver) = channel();
        let mut replies = Vec::new();
        for trick in tricks {
            let (reply, answer) = oneshot::channel();
            let context = context(&host, &post);
            let task = Task::Request(Box::new(PendingRequest::new(trick, reply)));
            sender.send((task, context)).expect("somebody receives");
            replies.push(answer);
        }
        drop(sender);
        let receiver = &Mutex::new(receiver);
        std::thread::scope(|scope| {
            let limit = TimeLimit::start(Duration::from_millis(200));
            scope.spawn(move || while run_next(receiver, &limit).is_some() {});
        });
        let results = replies.into_iter().map(|mut answer| {
            let cancelled = match mail.recv() {
                Ok(Event::TaskFinished(TaskFinished { outcome, .. })) => {
                    matches!(outcome, TaskOutcome::Cancelled(_))
                }
                _ => panic!("a worker says when it is done"),
            };
            (answer.try_recv().ok(), cancelled)
        });
        results.collect()
    }

    #[test]
    fn a_panic_costs_one_request() {
        let results = results(vec![Trick::Panic, Trick::Answer]);
        let (refused, _) = &results[0];
        let error = refused.clone().expect("answered").expect_err("refused");
        assert_eq!(error.code, Error::internal_error().code);
        assert_eq!(results[1], (Some(Ok(7)), false));
    }

    #[test]
    fn a_request_that_takes_too_long_is_answered_and_others_are() {
        let results = results(vec![Trick::Endless, Trick::Answer]);
        let (refused, asked_again) = &results[0];
        let error = refused.clone().expect("answered").expect_err("refused");
        assert_eq!(
            (error.code.code(), asked_again),
            (crate::lsp::requests::REQUEST_FAILED, &false)
        );
        assert!(error.message.contains("took longer than"), "{}", error.message);
        assert_eq!(results[1], (Some(Ok(7)), false));
    }

    #[test]
    fn a_cancelled_computation_comes_back_unanswered() {
        assert_eq!(results(vec![Trick::Cancel]), [(None, true)]);
    }

    #[test]
    fn work_that_nobody_waits_for_ends() {
        let settings = engine::Settings::default();
        let mut host = engine::Host::new(settings);
        host.set_file("a", "".into(), engine::Language::Tgsi);
        let (post, mail) = mpsc::channel();
        let (sender, receiver) = channel();
        let (reply, answer) = oneshot::channel();
        let asked = PendingRequest::new(Trick::Endless, reply);
        let cancel_on_drop = asked.cancel_on_drop();
        sender.send((Task::Request(Box::new(asked)), context(&host, &post))).expect("received");
        drop(sender);
        let receiver = &Mutex::new(receiver);
        std::thread::scope(|scope| {
            let limit = TimeLimit::start(Duration::from_secs(1000));
            scope.spawn(move || while run_next(receiver, &limit).is_some() {});
            drop(answer);
            drop(cancel_on_drop);
        });
        let ended = matches!(
            mail.recv(),
            Ok(Event::TaskFinished(TaskFinished { outcome: TaskOutcome::Cancelled(_), .. }))
        );
        assert!(ended, "it was cancelled and not answered");
    }
}
