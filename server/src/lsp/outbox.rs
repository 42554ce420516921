//! Messages that go to the client without being asked: posted here by the session,
//! sent by a task of its own, so that a slow client delays nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use source::Printable;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Request, Result as Answered};
use tower_lsp::ls_types::notification::{LogTrace, Progress};
use tower_lsp::ls_types::{
    ConfigurationItem, Diagnostic, LogTraceParams, MessageType, ProgressParams, ProgressToken,
    Registration, Uri, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
};
use tower_service::Service;

use super::extensions::{
    CompiledCodeChanged, CompiledCodeChangedParams, CostsChanged, CostsParams, Status,
    StatusChanged, TextDocumentContentParams, TextDocumentContentRefresh,
};
use super::mailbox::{Event, Mailbox};
use super::parts::{PartialParams, PartialResult};
use super::wire::Marks;
use crate::configuration::SECTION;

/// A message to the client.
#[derive(Debug)]
pub(crate) enum Message {
    /// All diagnostics of a document in a version, or of a file on the disk.
    Diagnostics(Uri, Vec<Diagnostic>, Option<i32>),
    /// Something the user must see.
    Show(MessageType, String),
    /// Something for the log.
    Log(MessageType, String),
    /// A task that was done, for a client that traces.
    Trace(LogTraceParams),
    /// A shown view changed.
    CompiledCodeChanged(CompiledCodeChangedParams),
    /// A change of what a document costs.
    CostsChanged(CostsParams),
    /// The state of the server, for a client that follows it.
    StatusChanged(Box<Status>),
    /// A part of the answer to a request that named a token for it.
    Partial(ProgressToken, serde_json::Value),
    /// The answer to a request some of whose parts were posted before: they go out first.
    Answer(WorkspaceDiagnosticReport, oneshot::Sender<Answered<WorkspaceDiagnosticReportResult>>),
    /// The answer to `shutdown`: behind it the client is told nothing more.
    Goodbye(oneshot::Sender<()>),
    /// Progress of work that the client has allowed to be shown.
    Progress(ProgressParams),
    /// A question whose answer is awaited aside.
    Ask(Question),
    /// Please ask again.
    Refresh(Refresh),
}

/// A question to the client.
#[derive(Debug)]
pub(crate) enum Question {
    /// May progress be shown under this token?
    CreateProgress(ProgressToken),
    /// The question for the settings, of everything and of these folders.
    AskConfiguration(Vec<Uri>),
    /// Please tell us of these.
    Register(Vec<Registration>),
    /// Please ask for this virtual document again.
    RefreshContent(Uri),
}

/// The things that the client shall ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refresh {
    Diagnostics,
    InlayHints,
    CodeLenses,
}

/// The state of a question: with the client, and come up again meanwhile or not. A
/// client that is slow to answer is asked once more, not once for each time.
#[derive(Debug, Default)]
struct Pending(AtomicU8);

impl Pending {
    const IDLE: u8 = 0;
    const ASKED: u8 = 1;
    const AGAIN: u8 = 2;

    /// The question comes up. Returns whether it is to be asked now.
    fn begin(&self) -> bool {
        let asked = |state| Some(if state == Self::IDLE { Self::ASKED } else { Self::AGAIN });
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, asked) == Ok(Self::IDLE)
    }

    /// The answer is there. Returns whether it is to be asked once more.
    fn end(&self) -> bool {
        let answered = |state| Some(if state == Self::AGAIN { Self::ASKED } else { Self::IDLE });
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, answered) == Ok(Self::AGAIN)
    }
}

/// The end at which the session posts messages to the client. Never blocks.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    sender: UnboundedSender<Message>,
}

impl Outbox {
    /// An outbox whose messages a test reads.
    #[cfg(test)]
    pub(crate) fn to(sender: UnboundedSender<Message>) -> Outbox {
        Outbox { sender }
    }

    /// Posts a message.
    pub(crate) fn post(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}

/// Starts the sending task on the current runtime.
pub(crate) fn start(client: Client, mailbox: Mailbox, marks: Marks) -> Outbox {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(send_all(client, mailbox, marks, receiver));
    Outbox { sender }
}

/// Sends notifications in order. A question is sent in order too, but its
/// answer is awaited aside.
async fn send_all(
    client: Client,
    mailbox: Mailbox,
    marks: Marks,
    mut messages: UnboundedReceiver<Message>,
) {
    let refreshes = Arc::new([Pending::default(), Pending::default(), Pending::default()]);
    while let Some(message) = messages.recv().await {
        match message {
            Message::Diagnostics(uri, diagnostics, version) => {
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
            Message::Goodbye(reply) => {
                marks.end(&client).await;
                let _ = reply.send(());
                return;
            }
            Message::Show(kind, text) => client.show_message(kind, Printable::line(&text)).await,
            Message::Log(kind, text) => client.log_message(kind, Printable::line(&text)).await,
            Message::Trace(params) => client.send_notification::<LogTrace>(params).await,
            Message::CompiledCodeChanged(params) => {
                client.send_notification::<CompiledCodeChanged>(params).await;
            }
            Message::CostsChanged(params) => {
                client.send_notification::<CostsChanged>(params).await;
            }
            Message::StatusChanged(status) => {
                client.send_notification::<StatusChanged>(*status).await;
            }
            Message::Progress(params) => client.send_notification::<Progress>(params).await,
            Message::Partial(token, value) => {
                client.send_notification::<PartialResult>(PartialParams { token, value }).await;
            }
            Message::Answer(report, reply) => {
                marks.passed(&client).await;
                // Nobody listens to the answer of a cancelled request.
                let _ = reply.send(Ok(WorkspaceDiagnosticReportResult::Report(report)));
            }
            Message::Refresh(refresh) => {
                if refreshes[refresh as usize].begin() {
                    tokio::spawn(ask_again(client.clone(), Arc::clone(&refreshes), refresh));
                    tokio::task::yield_now().await;
                }
            }
            Message::Ask(question) => {
                tokio::spawn(ask(client.clone(), mailbox.clone(), question));
                // Lets the question go out before the next message.
                tokio::task::yield_now().await;
            }
        }
    }
}

async fn ask(client: Client, mailbox: Mailbox, question: Question) {
    // A refusal of a registration or a refresh changes nothing for us: the
    // client then does without.
    match question {
        Question::CreateProgress(token) => {
            let created = client.create_work_done_progress(token).await;
            mailbox.post(Event::ProgressCreated(created.map_err(drop)));
        }
        Question::AskConfiguration(folders) => {
            let scopes = std::iter::once(None).chain(folders.iter().cloned().map(Some));
            let section = Some(SECTION.to_owned());
            let items = scopes
                .map(|scope_uri| ConfigurationItem { scope_uri, section: section.clone() })
                .collect();
            let mut sections = client.configuration(items).await.unwrap_or_default().into_iter();
            let section = sections.next();
            mailbox
                .post(Event::Configuration(section, folders.into_iter().zip(sections).collect()));
        }
        Question::Register(registrations) => {
            let _ = client.register_capability(registrations).await;
        }
        Question::RefreshContent(uri) => {
            let params = TextDocumentContentParams { uri };
            let _ = client.send_request::<TextDocumentContentRefresh>(params).await;
        }
    }
}

async fn ask_again(client: Client, refreshes: Arc<[Pending; 3]>, refresh: Refresh) {
    let mut number = 0;
    loop {
        let method = match refresh {
            Refresh::Diagnostics => "workspace/diagnostic/refresh",
            Refresh::InlayHints => "workspace/inlayHint/refresh",
            Refresh::CodeLenses => "workspace/codeLens/refresh",
        };
        // The client's own methods would write `"params": null`, where
        // JSON-RPC wants the member left out. Its ids are numbers, ours words.
        let id = format!("{method}#{number}");
        number += 1;
        // Whether the client could refresh or not, there is nothing to do.
        let _ = client.clone().call(Request::build(method).id(id).finish()).await;
        if !refreshes[refresh as usize].end() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_comes_up_often_is_asked_once_more() {
        let pending = Pending::default();
        assert!(pending.begin());
        assert!(!pending.begin());
        assert!(!pending.begin());
        assert!(pending.end());
        assert!(!pending.end());
        assert!(pending.begin());
    }
}
