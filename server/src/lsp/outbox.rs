//! What goes to the client without being asked: posted here by the session,
//! sent by a task of its own, so that a slow client delays nobody.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::notification::Progress;
use tower_lsp::ls_types::{
    ConfigurationItem, Diagnostic, MessageType, ProgressParams, ProgressToken, Registration, Uri,
};

use super::configuration::SECTION;
use super::extensions::{
    CompiledCodeChanged, CompiledCodeChangedParams, TextDocumentContentParams,
    TextDocumentContentRefresh,
};
use super::mailbox::{Event, Mailbox};

/// A message to the client.
#[derive(Debug)]
pub(crate) enum Message {
    /// All findings of a document.
    Diagnostics(Uri, Vec<Diagnostic>, i32),
    /// Something the user must see.
    Show(MessageType, String),
    /// Something for the log.
    Log(MessageType, String),
    /// A shown view changed.
    CompiledCodeChanged(CompiledCodeChangedParams),
    /// Progress of work that the client has allowed to be shown.
    Progress(ProgressParams),
    /// May progress be shown under this token?
    CreateProgress(ProgressToken),
    /// What are the settings?
    AskConfiguration,
    /// Please tell us of these.
    Register(Vec<Registration>),
    /// Please ask again.
    Refresh(Refresh),
    /// Please ask for this virtual document again.
    RefreshContent(Uri),
}

/// What the client shall ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refresh {
    Diagnostics,
    InlayHints,
    CodeLenses,
}

/// Where the session posts messages to the client. Never blocks.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    sender: UnboundedSender<Message>,
}

impl Outbox {
    /// Posts a message.
    pub(crate) fn post(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}

/// Starts the sending task on the current runtime.
pub(crate) fn start(client: Client, mailbox: Mailbox) -> Outbox {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(send_all(client, mailbox, receiver));
    Outbox { sender }
}

/// Sends notifications in order. A question is sent in order too, but its
/// answer is awaited aside.
async fn send_all(client: Client, mailbox: Mailbox, mut messages: UnboundedReceiver<Message>) {
    while let Some(message) = messages.recv().await {
        match message {
            Message::Diagnostics(uri, diagnostics, version) => {
                client.publish_diagnostics(uri, diagnostics, Some(version)).await;
            }
            Message::Show(kind, text) => client.show_message(kind, text).await,
            Message::Log(kind, text) => client.log_message(kind, text).await,
            Message::CompiledCodeChanged(params) => {
                client.send_notification::<CompiledCodeChanged>(params).await;
            }
            Message::Progress(params) => client.send_notification::<Progress>(params).await,
            question => {
                tokio::spawn(ask(client.clone(), mailbox.clone(), question));
                // Lets the question go out before the next message.
                tokio::task::yield_now().await;
            }
        }
    }
}

async fn ask(client: Client, mailbox: Mailbox, question: Message) {
    // A refusal of a registration or a refresh changes nothing for us: the
    // client then does without.
    match question {
        Message::CreateProgress(token) => {
            let created = client.create_work_done_progress(token).await;
            mailbox.post(Event::ProgressCreated(created.map_err(drop)));
        }
        Message::AskConfiguration => {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let answer = client.configuration(vec![item]).await;
            let section = answer.ok().and_then(|sections| sections.into_iter().next());
            mailbox.post(Event::Configuration(section));
        }
        Message::Register(registrations) => {
            let _ = client.register_capability(registrations).await;
        }
        Message::Refresh(Refresh::Diagnostics) => {
            let _ = client.workspace_diagnostic_refresh().await;
        }
        Message::Refresh(Refresh::InlayHints) => {
            let _ = client.inlay_hint_refresh().await;
        }
        Message::Refresh(Refresh::CodeLenses) => {
            let _ = client.code_lens_refresh().await;
        }
        Message::RefreshContent(uri) => {
            let params = TextDocumentContentParams { uri };
            let _ = client.send_request::<TextDocumentContentRefresh>(params).await;
        }
        Message::Diagnostics(..)
        | Message::Show(..)
        | Message::Log(..)
        | Message::CompiledCodeChanged(_)
        | Message::Progress(_) => {}
    }
}
