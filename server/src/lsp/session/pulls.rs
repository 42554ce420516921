//! `workspace/diagnostic`: the diagnostics of all files of the workspace, for clients that ask.
//!
//! Clients ask again soon after each answer. So an answer that would hold nothing new is
//! kept back until something changes: the request stays open, costs nothing meanwhile, and
//! nobody asks in a circle. Files are looked at one by one, when there is nothing else to
//! do; an edit interrupts one file and no more.
//!
//! Clients that do not ask are told unasked, where the setting `diagnostics.scope` says so.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use rustc_hash::FxBuildHasher;
use serde_json::json;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{
    FullDocumentDiagnosticReport, ProgressToken, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::{Session, path_of};
use crate::configuration::DiagnosticsScope;
use crate::includes::normal;
use crate::lsp::compiled_documents::is_compiled;
use crate::lsp::documents::{BackgroundTask, Document, PublishedDiagnostics};
use crate::lsp::outbox::{Message, Outbox};
use crate::lsp::workers::{CheckDepth, Task};

/// Reports that are sent together where the client takes parts of an answer.
const PART: usize = 16;

/// A client's question for the diagnostics of the workspace.
pub(crate) struct Pull {
    reply: oneshot::Sender<Answered<WorkspaceDiagnosticReportResult>>,
    /// Under which parts of the answer may be sent before the rest.
    token: Option<ProgressToken>,
    /// The diagnostics that the client has, by their files, with the client's names for these.
    previous: HashMap<String, (Uri, String)>,
    /// Documents that were not reported yet.
    open: HashSet<Uri, FxBuildHasher>,
    /// The identities that the client was told, or has and was told to keep.
    reported: HashMap<Uri, String, FxBuildHasher>,
    /// Reports that were not sent yet.
    items: Vec<WorkspaceDocumentDiagnosticReport>,
    /// True if anything is reported that the client does not have.
    has_news: bool,
    /// True if it has to be answered even without news.
    is_first: bool,
}

/// The questions that are open.
#[derive(Default)]
pub(super) struct Pulls {
    open: Vec<Pull>,
    /// True if one was answered before.
    answered: bool,
}

impl Pull {
    /// A question with the channel for its answer.
    pub(crate) fn new(
        params: WorkspaceDiagnosticParams,
        reply: oneshot::Sender<Answered<WorkspaceDiagnosticReportResult>>,
    ) -> Pull {
        let previous = params.previous_result_ids.into_iter();
        Pull {
            reply,
            token: params.partial_result_params.partial_result_token,
            previous: previous.map(|it| (file_of(&it.uri), (it.uri, it.value))).collect(),
            open: HashSet::default(),
            reported: HashMap::default(),
            items: Vec::new(),
            has_news: false,
            is_first: false,
        }
    }

    /// Reports what is known of a document, unless the client has it.
    fn report(&mut self, document: &Document) {
        let Some(found) = &document.workspace_checked else { return };
        let (uri, identity) = (document.uri.clone(), found.identity.clone());
        self.open.remove(&uri);
        if self.reported.get(&uri) == Some(&identity) {
            return;
        }
        let version = document.is_open().then_some(i64::from(document.version));
        let has = self.previous.remove(&file_of(&uri));
        self.reported.insert(uri.clone(), identity.clone());
        self.items.push(if has.is_some_and(|(_, has)| has == identity) {
            let report = UnchangedDocumentDiagnosticReport { result_id: identity };
            WorkspaceDocumentDiagnosticReport::Unchanged(
                WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: report,
                },
            )
        } else {
            self.has_news = true;
            full(uri, version, Some(identity), found.items.clone())
        });
    }

    /// Reports that a document has no diagnostics any more, being none.
    fn report_gone(&mut self, uri: &Uri) {
        self.open.remove(uri);
        let previous = self.previous.remove(&file_of(uri));
        if self.reported.remove(uri).is_some() || previous.is_some() {
            self.take_back(uri.clone());
        }
    }

    /// Reports that nothing is found in files that the client knows and that are none of
    /// ours any more.
    fn report_rest_gone(&mut self) {
        for (uri, _) in std::mem::take(&mut self.previous).into_values() {
            self.take_back(uri);
        }
    }

    fn take_back(&mut self, uri: Uri) {
        self.has_news = true;
        self.items.push(full(uri, None, None, Vec::new()));
    }

    /// Sends what waits, if the client takes parts.
    fn send_part(&mut self) -> Option<Message> {
        let token = self.token.clone().filter(|_| !self.items.is_empty())?;
        let items = std::mem::take(&mut self.items);
        Some(Message::Partial(token, json!({ "items": items })))
    }
}

impl Session {
    /// Takes a question.
    pub(super) fn accept_pull(&mut self, mut pull: Pull) {
        self.want_folders();
        pull.is_first = !self.pulls.answered && pull.previous.is_empty();
        for document in self.documents.values().filter(|it| !is_left_out(&it.uri)) {
            pull.open.insert(document.uri.clone());
            if document.workspace_check == BackgroundTask::Idle {
                pull.report(document);
            }
        }
        self.pulls.open.push(pull);
        self.schedule();
    }

    /// Tells whether somebody asks for the diagnostics of the workspace, and has not gone.
    fn somebody_pulls(&mut self) -> bool {
        self.pulls.open.retain(|pull| !pull.reply.is_closed());
        !self.pulls.open.is_empty()
    }

    /// The next file of the workspace to look at, where somebody wants that. What is typed
    /// in is looked at once typing pauses.
    pub(super) fn next_workspace_check(&mut self) -> Option<(Task, Uri)> {
        let waiting = self.requests.iter().any(|it| self.waits_for_folders(&*it.request));
        let pulling = self.somebody_pulls();
        let wanted = pulling || self.pushes_workspace();
        if !waiting && !wanted {
            return None;
        }
        let now = Instant::now();
        let settled = self.documents.values_mut().filter(|it| it.is_settled());
        let mut settled: Vec<&mut Document> = settled.collect();
        let wants_includes =
            |it: &&mut &mut Document| !it.is_open() && it.assembly == BackgroundTask::Due;
        if waiting && let Some(document) = settled.iter_mut().find(wants_includes) {
            document.assembly = BackgroundTask::Running;
            return Some((Task::WorkspaceCheck(CheckDepth::Includes), document.uri.clone()));
        }
        let is_due = |it: &&mut Document| {
            // Diagnostics of open documents are pushed by another background task.
            let is_asked = pulling || !it.is_open();
            let is_due = it.workspace_check == BackgroundTask::Due && it.compile_after <= now;
            is_asked && is_due && !is_left_out(&it.uri)
        };
        let document = settled.into_iter().find(is_due).filter(|_| wanted)?;
        document.workspace_check = BackgroundTask::Running;
        Some((Task::WorkspaceCheck(CheckDepth::Diagnostics), document.uri.clone()))
    }

    /// The time at which a file is to be looked at that is typed in now.
    pub(super) fn workspace_check_deadline(&self) -> Option<Instant> {
        if self.pulls.open.is_empty() || !self.workers.may_check_workspace() {
            return None;
        }
        let due = self.documents.values().filter(|it| {
            it.is_settled() && it.workspace_check == BackgroundTask::Due && !is_left_out(&it.uri)
        });
        due.map(|document| document.compile_after).min()
    }

    /// A document was looked at.
    pub(super) fn workspace_checked(&mut self, uri: &Uri, found: Option<PublishedDiagnostics>) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if !document.is_open() && document.assembly == BackgroundTask::Due && found.is_some() {
            // The includes come before the diagnostics.
            document.assembly = BackgroundTask::Idle;
        }
        if document.workspace_check == BackgroundTask::Idle && found.is_some() {
            document.workspace_checked = found;
            self.pulls.open.iter_mut().for_each(|pull| pull.report(document));
            self.push_workspace_check(uri);
        }
    }

    /// Tells whether the client is told unasked of files that it has not opened.
    fn pushes_workspace(&self) -> bool {
        !self.client.pulls_diagnostics && self.configuration.scope == DiagnosticsScope::Workspace
    }

    /// Tells a client that is pushed to what was found in a file that is not open, unless it
    /// knows.
    fn push_workspace_check(&mut self, uri: &Uri) {
        let pushes = self.pushes_workspace();
        let document = self.documents.get_mut(uri).filter(|it| pushes && !it.is_open());
        let Some((document, found)) = document.and_then(|it| {
            let found = it.workspace_checked.clone()?;
            Some((it, found))
        }) else {
            return;
        };
        let known = document.client_has.as_ref().map(|(identity, _)| identity);
        // Who was told nothing shows nothing.
        if known.is_none() && found.items.is_empty() || known == Some(&found.identity) {
            return;
        }
        document.client_has = Some((found.identity, document.version));
        self.outbox.post(Message::Diagnostics(uri.clone(), found.items, None));
    }

    /// The settings are others: perhaps other files' diagnostics are told unasked.
    pub(super) fn scope_configured(&mut self) {
        let pushes = self.pushes_workspace();
        for document in self.documents.values_mut().filter(|it| !it.is_open()) {
            match pushes {
                true if document.client_has.is_none() => document.workspace_check.want(),
                true => {}
                false => take_back_diagnostics(&self.outbox, document),
            }
        }
        if pushes {
            self.want_folders();
        }
    }

    /// There is a document that there was not.
    pub(super) fn tell_pulls_new(&mut self, uri: &Uri) {
        if !is_left_out(uri) {
            for pull in self.pulls.open.iter_mut().filter(|it| !it.reported.contains_key(uri)) {
                pull.open.insert(uri.clone());
            }
        }
    }

    /// A document is none any more.
    pub(super) fn tell_pulls_gone(&mut self, uri: &Uri) {
        for pull in &mut self.pulls.open {
            pull.report_gone(uri);
        }
    }

    /// Answers the questions that can be answered, and sends parts of the others.
    pub(super) fn answer_pulls(&mut self) {
        if self.pulls.open.is_empty() {
            return;
        }
        let are_read = !self.folders.are_unread();
        for mut pull in std::mem::take(&mut self.pulls.open) {
            let is_complete = are_read && pull.open.is_empty();
            if is_complete {
                pull.report_rest_gone();
            }
            if is_complete && (pull.has_news || pull.is_first) {
                self.pulls.answered = true;
                self.answer_pull(pull);
                continue;
            }
            if is_complete || pull.items.len() >= PART {
                pull.send_part().into_iter().for_each(|part| self.outbox.post(part));
            }
            self.pulls.open.push(pull);
        }
    }

    /// Answers every question with what there is: the client will ask nothing more.
    pub(super) fn end_pulls(&mut self) {
        for pull in std::mem::take(&mut self.pulls.open) {
            self.answer_pull(pull);
        }
    }

    fn answer_pull(&self, mut pull: Pull) {
        if pull.reply.is_closed() {
            return; // Whoever asked has cancelled: parts of an answer would follow its end.
        }
        if let Some(token) = pull.token.clone() {
            // Nothing is left for the answer itself, which goes another way: it overtakes at
            // most one part, as in [`crate::lsp::parts`].
            pull.send_part().into_iter().for_each(|part| self.outbox.post(part));
            self.outbox.post(Message::Partial(token, json!({ "items": [] })));
        }
        let report = WorkspaceDiagnosticReport { items: pull.items };
        self.outbox.post(Message::Answer(report, pull.reply));
    }
}

/// The diagnostics that a client that is pushed to was told of a file that is not open.
pub(super) fn take_back_diagnostics(outbox: &Outbox, document: &mut Document) {
    if !document.is_open() && document.client_has.take().is_some() {
        outbox.post(Message::Diagnostics(document.uri.clone(), Vec::new(), None));
    }
}

/// Tells whether a document is not a file of the workspace: compiled code, or a source of another
/// language, of which clients ask while it is open.
fn is_left_out(uri: &Uri) -> bool {
    is_compiled(uri) || engine::is_source(uri.path().as_str())
}

/// The key that tells files apart, however a client writes their names.
fn file_of(uri: &Uri) -> String {
    match path_of(uri) {
        Some(path) => normal(&path).display().to_string(),
        None => uri.as_str().to_owned(),
    }
}

fn full(
    uri: Uri,
    version: Option<i64>,
    result_id: Option<String>,
    items: Vec<tower_lsp::ls_types::Diagnostic>,
) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
    })
}
