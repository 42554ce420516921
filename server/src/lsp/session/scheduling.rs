//! The order of work: requests first, then diagnostics, then views, then the
//! question which compiles are wanted, and what code costs.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use engine::FileId;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{LogTraceParams, TextDocumentIdentifier, TraceValue, Uri};

use super::{QueuedRequest, Session};
use crate::jobs::LibraryState;
use crate::lsp::compiled_documents::{ViewKey, is_compiled};
use crate::lsp::documents::{BackgroundTask, Document, PublishedDiagnostics};
use crate::lsp::extensions::CompiledCodeChangedParams;
use crate::lsp::outbox::{Message, Question};
use crate::lsp::requests::{Request, Subject};
use crate::lsp::workers::{CheckDepth, Context, KnownDocument, Task, TaskFinished, TaskOutcome};

impl Session {
    /// Hands out work while somebody is idle.
    pub(super) fn schedule(&mut self) {
        let now = Instant::now();
        self.documents.values_mut().for_each(|document| document.end_typing(now));
        // Also cancels what is computed of the texts of before.
        self.flush();
        while self.workers.free() > 0 {
            let Some((task, uri)) = self.next_task() else { break };
            self.assign(task, &uri);
        }
        if self.workers.may_check_workspace()
            && let Some((task, uri)) = self.next_workspace_check()
        {
            self.assign(task, &uri);
        }
        self.evict_removed();
        self.answer_pulls();
        let now = Instant::now();
        if self.jobs.unfinished() == 0 {
            self.progress.rest(&self.outbox);
        } else if self.client.progress && matches!(self.library.state, LibraryState::Found(_)) {
            self.progress.working(now);
        }
        self.progress.pass(now, &self.outbox);
    }

    /// The time at which a background task that waits for a pause in typing is due, where
    /// somebody could take it then. Else it is looked at when a worker is free again.
    pub(super) fn compile_deadline(&self) -> Option<Instant> {
        let may_compile = self.workers.free() > 1;
        let may_cost = self.workers.are_at_rest();
        let is_due = |it: &&Document| {
            may_compile && it.is_due_for_compile() || may_cost && it.is_due_for_costs()
        };
        let tasks = self.documents.values().filter(is_due).map(|it| it.compile_after).min();
        tasks.into_iter().chain(self.workspace_check_deadline()).min()
    }

    /// The time at which typing has paused in a document.
    pub(super) fn typing_deadline(&self) -> Option<Instant> {
        self.documents.values().filter_map(|document| document.typing_ends).min()
    }

    fn next_task(&mut self) -> Option<(Task, Uri)> {
        let mut from = 0;
        while let Some(QueuedRequest { mut request, version }) = self.requests.remove(from) {
            if request.abandoned() {
                continue;
            }
            if self.waits_for_folders(&*request) {
                self.requests.insert(from, QueuedRequest { request, version });
                from += 1;
                continue;
            }
            let Some(document) = self.document_of(&*request) else {
                request.answer_nothing(); // Closed meanwhile.
                continue;
            };
            if matches!(request.subject(), Subject::Place(_)) && document.version != version {
                request.refuse(Error::content_modified());
                continue;
            }
            if !document.is_settled() {
                self.requests.insert(from, QueuedRequest { request, version });
                from += 1;
                continue;
            }
            return Some((Task::Request(request), document.uri.clone()));
        }
        // One worker stays free for requests; those that wait have use for nothing else.
        match self.workers.free() {
            ..2 if from > 0 => self.next_assembly_task(),
            ..2 => None,
            _ => self.next_background_task(),
        }
    }

    /// Asks the engine what an open document is and includes.
    fn next_assembly_task(&mut self) -> Option<(Task, Uri)> {
        let is_due = |it: &&mut Document| {
            it.is_open() && it.is_settled() && it.assembly == BackgroundTask::Due
        };
        let document = self.documents.values_mut().find(is_due)?;
        document.assembly = BackgroundTask::Running;
        Some((Task::Assembly, document.uri.clone()))
    }

    fn next_background_task(&mut self) -> Option<(Task, Uri)> {
        // A client that pulls asks by itself after an edit; it is told to only
        // where something else changed what it has.
        let pulls = self.client.pulls_diagnostics;
        for document in self.documents.values_mut().filter(|it| it.is_settled()) {
            if document.diagnostics == BackgroundTask::Due {
                if is_compiled(&document.uri) || pulls && document.client_has.is_none() {
                    document.diagnostics = BackgroundTask::Idle;
                    continue;
                }
                document.diagnostics = BackgroundTask::Running;
                return Some((Task::Diagnostics, document.uri.clone()));
            }
        }
        for document in self.documents.values_mut().filter(|it| it.is_open()) {
            if document.views == BackgroundTask::Due {
                let views = self.views.of(&document.uri);
                if views.is_empty() {
                    document.views = BackgroundTask::Idle;
                    continue;
                }
                document.views = BackgroundTask::Running;
                return Some((Task::Views(views), document.uri.clone()));
            }
        }
        if let Some(task) = self.next_assembly_task() {
            return Some(task);
        }
        let now = Instant::now();
        let rested = self.documents.values_mut().filter(|it| it.compile_after <= now);
        let mut rested: Vec<&mut Document> = rested.collect();
        // They take a processor for long, which whoever waits for anything may need.
        let may_cost = self.workers.are_at_rest();
        if let Some(document) = rested.iter_mut().find(|it| may_cost && it.is_due_for_costs()) {
            document.costs = BackgroundTask::Running;
            return Some((Task::Costs, document.uri.clone()));
        }
        let document = rested.into_iter().find(|it| it.is_due_for_compile())?;
        document.wanted_jobs = BackgroundTask::Running;
        Some((Task::WantedJobs, document.uri.clone()))
    }

    /// The document whose settings a request is answered with: its own, that of a document
    /// that includes the file, or any for one about all of them.
    pub(super) fn document_of(&self, request: &dyn Request) -> Option<&Document> {
        if *request.subject() == Subject::Workspace {
            let settled = self.documents.values().filter(|document| document.is_settled());
            return settled.min_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
        }
        let uri = request.subject().document()?;
        self.document(uri).or_else(|| self.includer_of(uri))
    }

    /// The first document that includes a file which is none.
    fn includer_of(&self, uri: &Uri) -> Option<&Document> {
        let includers = self.includers(self.host.file(uri.as_str())?);
        let documents = self.documents.values().filter(|it| includers.contains(&it.file));
        documents.min_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()))
    }

    /// The file that work is about: a document, or one that a document includes.
    fn subject_of(&self, task: &Task, document: &Document) -> (Uri, FileId) {
        let included = match task {
            Task::Request(request) => request.subject().document(),
            _ => None,
        };
        let included = included.filter(|uri| self.document(uri).is_none());
        let file = included.and_then(|uri| Some((uri.clone(), self.host.file(uri.as_str())?)));
        file.unwrap_or_else(|| (document.uri.clone(), document.file))
    }

    /// The documents that a request may speak of, in order.
    fn known_for(&self, task: &Task) -> Arc<[KnownDocument]> {
        let Task::Request(request) = task else { return Arc::from([]) };
        let all = *request.subject() == Subject::Workspace;
        let spoken_of = |it: &&Document| (all || it.is_open()) && !is_compiled(&it.uri);
        let known = self.documents.values().filter(spoken_of).map(|it| KnownDocument {
            uri: it.uri.clone(),
            file: it.file,
            version: it.is_open().then_some(it.version),
        });
        let mut known: Vec<KnownDocument> = known.collect();
        known.sort_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
        known.into()
    }

    /// Has a worker empty the caches of a file that was removed, when none does anything.
    fn evict_removed(&mut self) {
        self.removed.extend(self.host.take_removed());
        if !self.workers.are_at_rest() {
            return;
        }
        let Some(file) = self.removed.pop() else { return };
        let name = self.host.name(file);
        if let Some(uri) = name.and_then(|name| Uri::from_str(&name).ok()) {
            let task = Task::EvictCaches(file);
            let context = self.context(&task, None, uri, file);
            self.workers.assign(task, context);
        }
    }

    fn assign(&mut self, task: Task, uri: &Uri) {
        let Some(document) = self.documents.get(uri) else { return };
        let (uri, file) = self.subject_of(&task, document);
        let context = self.context(&task, Some(document), uri, file);
        self.workers.assign(task, context);
    }

    fn context(&self, task: &Task, document: Option<&Document>, uri: Uri, file: FileId) -> Context {
        let configuration = document.and_then(|it| it.configuration.as_ref());
        let configuration = configuration.unwrap_or(&self.configuration);
        let version = document.map_or(0, |it| it.version);
        let is_told_again = !self.client.pulls_diagnostics || self.client.refreshes_diagnostics;
        Context {
            snapshot: self.host.snapshot(),
            uri,
            file,
            is_open: document.is_some_and(Document::is_open),
            documents: self.known_for(task),
            projects: self.projects_for(task),
            version,
            is_typed_in: document.is_some_and(|it| it.typing_ends.is_some()),
            steady: document.filter(|it| it.is_open() && is_told_again).map(|it| it.steady.clone()),
            costs_are_known: document.is_some_and(|it| it.costs_of == Some(version)),
            configuration: Arc::clone(configuration),
            access: self.access.clone(),
            disk: self.disk,
            client: self.client,
            tokens: self.tokens.clone(),
            mailbox: self.mailbox.clone(),
        }
    }

    /// A worker is free again.
    pub(super) fn task_finished(&mut self, done: TaskFinished) {
        self.workers.idle += 1;
        self.workers.checking_workspace &= !done.is_workspace_check;
        self.trace_task(&done);
        match done.outcome {
            TaskOutcome::Answered | TaskOutcome::Evicted => {}
            TaskOutcome::Cancelled(Task::EvictCaches(file)) => self.removed.push(file),
            // It met a change of the engine: it is computed anew, or refused where that was
            // an edit, as the place that it asks about may be another.
            TaskOutcome::Cancelled(Task::Request(request)) => {
                self.requests.push_front(QueuedRequest { request, version: done.version });
            }
            TaskOutcome::Cancelled(task) => {
                // The document may be closed, or closed and opened again.
                if let Some(state) = self.task(&done.uri, &task) {
                    state.end();
                    state.want();
                }
            }
            TaskOutcome::Panicked(task) => {
                self.end(&done.uri, &task);
                if let Task::WorkspaceCheck(depth) = task {
                    // Whoever waits for the whole workspace is not kept by one file.
                    let nothing =
                        PublishedDiagnostics { items: Vec::new(), identity: String::new() };
                    self.workspace_checked(
                        &done.uri,
                        (depth == CheckDepth::Diagnostics).then_some(nothing),
                    );
                }
            }
            TaskOutcome::WorkspaceChecked(found) => {
                let depth =
                    if found.is_some() { CheckDepth::Diagnostics } else { CheckDepth::Includes };
                self.end(&done.uri, &Task::WorkspaceCheck(depth));
                self.workspace_checked(&done.uri, found);
            }
            TaskOutcome::Diagnostics(PublishedDiagnostics { items: diagnostics, identity }) => {
                self.end(&done.uri, &Task::Diagnostics);
                let pulls = self.client.pulls_diagnostics;
                let Some(document) = self.documents.get_mut(&done.uri) else { return };
                let has = document.client_has.as_ref();
                if pulls {
                    // What changed with the text, the client asks for by itself.
                    if has.is_some_and(|(known, of)| *of == done.version && *known != identity) {
                        self.refresh_diagnostics();
                    }
                    return;
                }
                // Those of an earlier text would be drawn at wrong places, and
                // those of the current one are on their way.
                let now = (identity, done.version);
                if document.version == done.version && has != Some(&now) {
                    document.client_has = Some(now);
                    self.outbox.post(Message::Diagnostics(
                        done.uri,
                        diagnostics,
                        Some(done.version),
                    ));
                }
            }
            TaskOutcome::Views(looks) => {
                self.end(&done.uri, &Task::Views(Vec::new()));
                for (key, signature) in looks {
                    if self.views.changed(&key, signature) {
                        self.tell_view_changed(&key);
                    }
                }
            }
            TaskOutcome::Assembly(file, assembly_kind, dialect, wanted) => {
                self.end(&done.uri, &Task::Assembly);
                let document = self.documents.get_mut(&done.uri);
                let Some(document) = document.filter(|it| it.file == file) else { return };
                document.assembly_kind = assembly_kind;
                document.dialect = dialect;
                self.read_includes(&done.uri, file, wanted.includes);
                if wanted.includer.is_some() {
                    self.seek_includer(&done.uri, file);
                }
            }
            TaskOutcome::Costs(quick) => {
                self.end(&done.uri, &Task::Costs);
                let Some(document) = self.documents.get_mut(&done.uri) else { return };
                if document.version == done.version && document.costs == BackgroundTask::Idle {
                    document.costs_of = Some(done.version);
                    // Quick ones were told with the diagnostics of the text.
                    if !quick {
                        document.want_diagnostics();
                    }
                }
            }
            TaskOutcome::WantedJobs(file, jobs, askable) => {
                self.end(&done.uri, &Task::WantedJobs);
                // A later edit has its own wishes after its own pause.
                if self.documents.get(&done.uri).is_some_and(|it| it.file == file) {
                    self.jobs.want(file, jobs);
                    self.ask_hosts(&done.uri, file, &askable);
                }
            }
        }
    }

    /// Tells a client that wants to know what was done, and how long it took.
    fn trace_task(&self, done: &TaskFinished) {
        if self.trace == TraceValue::Off {
            return;
        }
        let ended = match done.outcome {
            TaskOutcome::Cancelled(_) => "cancelled",
            TaskOutcome::Panicked(_) => "failed",
            _ => "done",
        };
        let milliseconds = done.time.as_secs_f64() * 1e3;
        self.outbox.post(Message::Trace(LogTraceParams {
            message: format!("{}: {ended} after {milliseconds:.1} ms", done.what),
            verbose: (self.trace == TraceValue::Verbose)
                .then(|| format!("version {} of {}", done.version, done.uri.as_str())),
        }));
    }

    fn tell_view_changed(&self, key: &ViewKey) {
        let uri = key.uri();
        self.outbox.post(Message::CompiledCodeChanged(CompiledCodeChangedParams {
            text_document: TextDocumentIdentifier { uri: key.source.clone() },
            shader: key.shader,
            target: key.build_name(),
            view: key.view,
            uri: uri.clone(),
        }));
        if self.client.text_document_content
            && let Some(uri) = uri
        {
            self.outbox.post(Message::Ask(Question::RefreshContent(uri)));
        }
    }

    fn end(&mut self, uri: &Uri, task: &Task) {
        if let Some(state) = self.task(uri, task) {
            state.end();
        }
    }

    fn task(&mut self, uri: &Uri, task: &Task) -> Option<&mut BackgroundTask> {
        let document = self.documents.get_mut(uri)?;
        match task {
            Task::Diagnostics => Some(&mut document.diagnostics),
            Task::Views(_) => Some(&mut document.views),
            Task::WantedJobs => Some(&mut document.wanted_jobs),
            Task::Assembly => Some(&mut document.assembly),
            Task::Costs => Some(&mut document.costs),
            Task::WorkspaceCheck(CheckDepth::Diagnostics) => Some(&mut document.workspace_check),
            Task::WorkspaceCheck(CheckDepth::Includes) => Some(&mut document.assembly),
            Task::Request(_) | Task::EvictCaches(_) => None,
        }
    }
}
