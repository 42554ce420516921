//! Who does what next: requests first, then findings, then views, then the
//! question which compiles are wanted, and what code costs.

use std::sync::Arc;
use std::time::Instant;

use engine::FileId;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{LogTraceParams, TextDocumentIdentifier, TraceValue, Uri};

use super::{Session, Waiting};
use crate::jobs::LibraryState;
use crate::lsp::compiled_documents::{ViewKey, is_compiled};
use crate::lsp::documents::{Document, Errand};
use crate::lsp::extensions::CompiledCodeChangedParams;
use crate::lsp::outbox::Message;
use crate::lsp::requests::{Request, Subject};
use crate::lsp::workers::{Context, Done, Made, Work};

impl Session {
    /// Hands out work while somebody is idle.
    pub(super) fn schedule(&mut self) {
        // Also cancels what is computed of the texts of before.
        self.flush();
        while self.workers.idle > 0 {
            let Some((work, uri)) = self.next_work() else { break };
            self.assign(work, &uri);
        }
        let now = Instant::now();
        if self.jobs.unfinished() == 0 {
            self.progress.rest(&self.outbox);
        } else if self.client.progress && matches!(self.library.state, LibraryState::Found(_)) {
            self.progress.working(now);
        }
        self.progress.pass(now, &self.outbox);
    }

    /// When an errand that waits for a pause in typing is due.
    pub(super) fn compile_deadline(&self) -> Option<Instant> {
        let is_due = |it: &&Document| it.is_due_for_compile() || it.is_due_for_costs();
        let waiting = self.documents.values().filter(is_due);
        waiting.map(|document| document.compile_after).min().filter(|_| self.workers.idle > 1)
    }

    fn next_work(&mut self) -> Option<(Work, Uri)> {
        let mut from = 0;
        while let Some(Waiting { mut request, version }) = self.requests.remove(from) {
            if request.abandoned() {
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
                self.requests.insert(from, Waiting { request, version });
                from += 1;
                continue;
            }
            return Some((Work::Request(request), document.uri.clone()));
        }
        // One worker stays free for requests.
        if self.workers.idle < 2 { None } else { self.next_errand() }
    }

    fn next_errand(&mut self) -> Option<(Work, Uri)> {
        // A client that pulls asks by itself after an edit; it is told to only
        // where something else changed what it has.
        let pulls = self.client.pulls_diagnostics;
        for document in self.documents.values_mut().filter(|it| it.is_settled()) {
            if document.diagnostics == Errand::Due {
                if is_compiled(&document.uri) {
                    document.diagnostics = Errand::Idle;
                    continue;
                }
                if pulls && document.client_has.is_none() {
                    document.diagnostics = Errand::Idle;
                    continue;
                }
                document.diagnostics = Errand::Running;
                return Some((Work::Diagnostics, document.uri.clone()));
            }
        }
        for document in self.documents.values_mut() {
            if document.views == Errand::Due {
                let views = self.views.of(&document.uri);
                if views.is_empty() {
                    document.views = Errand::Idle;
                    continue;
                }
                document.views = Errand::Running;
                return Some((Work::Views(views), document.uri.clone()));
            }
        }
        if let Some(document) =
            self.documents.values_mut().find(|it| it.is_settled() && it.assembly == Errand::Due)
        {
            document.assembly = Errand::Running;
            return Some((Work::Assembly, document.uri.clone()));
        }
        let now = Instant::now();
        let rested = self.documents.values_mut().filter(|it| it.compile_after <= now);
        let mut rested: Vec<&mut Document> = rested.collect();
        if let Some(document) = rested.iter_mut().find(|it| it.is_due_for_costs()) {
            document.costs = Errand::Running;
            return Some((Work::Costs, document.uri.clone()));
        }
        let document = rested.into_iter().find(|it| it.is_due_for_compile())?;
        document.wanted_jobs = Errand::Running;
        Some((Work::WantedJobs, document.uri.clone()))
    }

    /// The document whose settings a request is answered with: its own, or any for
    /// one about all of them.
    pub(super) fn document_of(&self, request: &dyn Request) -> Option<&Document> {
        if *request.subject() == Subject::Workspace {
            let settled = self.documents.values().filter(|document| document.is_settled());
            return settled.min_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
        }
        self.documents.get(request.subject().document()?)
    }

    /// The documents that a request about all of them is about, in order.
    fn open_for(&self, work: &Work) -> Arc<[(Uri, FileId)]> {
        if !matches!(work, Work::Request(request) if *request.subject() == Subject::Workspace) {
            return Arc::from([]);
        }
        let written = self.documents.values().filter(|document| !is_compiled(&document.uri));
        let mut open: Vec<_> = written.map(|it| (it.uri.clone(), it.file)).collect();
        open.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
        open.into()
    }

    fn assign(&mut self, work: Work, uri: &Uri) {
        let Some(document) = self.documents.get(uri) else { return };
        let configuration = document.configuration.as_ref().unwrap_or(&self.configuration);
        let context = Context {
            snapshot: self.host.snapshot(),
            uri: document.uri.clone(),
            file: document.file,
            open: self.open_for(&work),
            version: document.version,
            costs_are_known: document.costs_of == Some(document.version),
            unit: self.client.column_unit,
            related_information: self.client.related_information,
            include_folders: configuration.include_folders.clone().into(),
            targets: configuration.targets.clone().into(),
            format: configuration.format,
            inlay_hints: configuration.inlay_hints.clone(),
            client: self.client,
            tokens: self.tokens.clone(),
            mailbox: self.mailbox.clone(),
        };
        self.workers.assign(work, context);
    }

    /// A worker is free again.
    pub(super) fn work_done(&mut self, done: Done) {
        self.workers.idle += 1;
        self.trace_work(&done);
        match done.made {
            Made::Answered => {}
            Made::Cancelled(Work::Request(request)) => self.ask_again(request, done.version),
            Made::Cancelled(errand) => {
                // The document may be closed, or closed and opened again.
                if let Some(state) = self.errand(&done.uri, &errand) {
                    state.end();
                    state.want();
                }
            }
            Made::Panicked(errand) => {
                if let Some(state) = self.errand(&done.uri, &errand) {
                    state.end();
                }
            }
            Made::Diagnostics(diagnostics, identity) => {
                self.end(&done.uri, &Work::Diagnostics);
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
            Made::Views(looks) => {
                self.end(&done.uri, &Work::Views(Vec::new()));
                for (key, signature) in looks {
                    if self.views.changed(&key, signature) {
                        self.tell_view_changed(&key);
                    }
                }
            }
            Made::Assembly(file, reading, dialect, wanted) => {
                self.end(&done.uri, &Work::Assembly);
                let document = self.documents.get_mut(&done.uri);
                let Some(document) = document.filter(|it| it.file == file) else { return };
                document.reading = reading;
                document.dialect = dialect;
                self.read_includes(&done.uri, file, wanted.includes);
                if wanted.includer.is_some() {
                    self.seek_includer(&done.uri, file);
                }
            }
            Made::Costs(quick) => {
                self.end(&done.uri, &Work::Costs);
                let Some(document) = self.documents.get_mut(&done.uri) else { return };
                if document.version == done.version && document.costs == Errand::Idle {
                    document.costs_of = Some(done.version);
                    // Quick ones were told with the findings of the text.
                    if !quick {
                        document.diagnostics.want();
                    }
                }
            }
            Made::WantedJobs(file, jobs) => {
                self.end(&done.uri, &Work::WantedJobs);
                // A later edit has its own wishes after its own pause.
                if self.documents.get(&done.uri).is_some_and(|it| it.file == file) {
                    self.jobs.want(file, jobs);
                }
            }
        }
    }

    /// Tells a client that wants to know what was done, and how long it took.
    fn trace_work(&self, done: &Done) {
        if self.trace == TraceValue::Off {
            return;
        }
        let ended = match done.made {
            Made::Cancelled(_) => "cancelled",
            Made::Panicked(_) => "failed",
            _ => "done",
        };
        let milliseconds = done.time.as_secs_f64() * 1e3;
        self.outbox.post(Message::Trace(LogTraceParams {
            message: format!("{}: {ended} after {milliseconds:.1} ms", done.what),
            verbose: (self.trace == TraceValue::Verbose)
                .then(|| format!("version {} of {}", done.version, done.uri.as_str())),
        }));
    }

    /// A request met a change of the engine. Where that was an edit, the place
    /// it asks about may be another; else it is computed anew.
    fn ask_again(&mut self, mut request: Box<dyn Request>, version: i32) {
        if request.abandoned() {
            return;
        }
        match self.document_of(&*request) {
            None => request.answer_nothing(),
            Some(document)
                if matches!(request.subject(), Subject::Place(_))
                    && document.version != version =>
            {
                request.refuse(Error::content_modified());
            }
            Some(_) => self.requests.push_front(Waiting { request, version }),
        }
    }

    fn tell_view_changed(&self, key: &ViewKey) {
        let uri = key.uri();
        self.outbox.post(Message::CompiledCodeChanged(CompiledCodeChangedParams {
            text_document: TextDocumentIdentifier { uri: key.source.clone() },
            shader: key.shader,
            target: key.target.name().to_owned(),
            view: key.view,
            uri: uri.clone(),
        }));
        if self.client.text_document_content
            && let Some(uri) = uri
        {
            self.outbox.post(Message::RefreshContent(uri));
        }
    }

    fn end(&mut self, uri: &Uri, errand: &Work) {
        if let Some(state) = self.errand(uri, errand) {
            state.end();
        }
    }

    fn errand(&mut self, uri: &Uri, errand: &Work) -> Option<&mut Errand> {
        let document = self.documents.get_mut(uri)?;
        match errand {
            Work::Diagnostics => Some(&mut document.diagnostics),
            Work::Views(_) => Some(&mut document.views),
            Work::WantedJobs => Some(&mut document.wanted_jobs),
            Work::Assembly => Some(&mut document.assembly),
            Work::Costs => Some(&mut document.costs),
            Work::Request(_) => None,
        }
    }
}
