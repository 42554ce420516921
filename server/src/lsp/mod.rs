//! The language server.
//!
//! Frames that are broken are answered where they come in ([`frames`]).
//! tower-lsp reads and writes messages and nothing more: every handler's first
//! act is to post what it got into one ordered mailbox ([`transport`]). One
//! session thread owns the state and takes the mail in order ([`session`]);
//! what computes runs on worker threads with a snapshot ([`workers`]); what
//! goes to the client is posted to a task of its own ([`outbox`]). So no edit
//! overtakes another, no computation delays a keystroke, and the server never
//! waits for the client.

mod advising;
mod asking;
mod capabilities;
mod client;
mod compiled_documents;
mod decoded_documents;
mod documents;
mod extensions;
mod frames;
mod from_protocol;
mod mailbox;
mod outbox;
mod page_documents;
mod parent;
mod parts;
mod progress;
mod requests;
mod session;
mod steady;
mod tasks;
mod time_limit;
mod to_protocol;
mod transport;
mod wire;
mod workers;

pub(crate) use frames::Frames;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tower_lsp::{LspService, Server};

use crate::Trust;
use crate::limits::OPEN_REQUESTS;
use mailbox::{Event, Mailbox};
use transport::{Raw, Transport};
use wire::{Marks, Wire};

/// Serves one client on standard input and output until it leaves.
///
/// # Errors
/// Where the runtime could not be made.
pub fn run_on_standard_streams(env: ServerEnv) -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let orderly = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), env));
    // The thread that reads standard input may wait for ever.
    runtime.shutdown_background();
    Ok(if orderly { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The things that a server needs of the machine it runs on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerEnv {
    /// The executable that compiles when started as `compile-worker`: `tungsten` itself.
    pub worker: PathBuf,
    /// The folder in which results of compiles are kept if no setting says so; nowhere without it.
    pub cache: Option<PathBuf>,
    /// The settings of the user that no client may make.
    pub user: Trust,
}

/// Serves one client on two streams. Returns whether it said goodbye as the protocol
/// wants: `shutdown` before the end.
pub async fn serve<I, O>(input: I, output: O, env: ServerEnv) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let (sender, receiver) = mpsc::channel();
    let mailbox = Mailbox::new(sender);
    let shut_down = Arc::new(AtomicBool::new(false));
    let raw = Arc::new(Raw::default());
    let marks = Marks::default();

    let (service, socket) = LspService::build(|client| {
        let outbox = outbox::start(client.clone(), mailbox.clone(), marks.clone());
        session::start(mailbox.clone(), receiver, outbox, env);
        let raw = Arc::clone(&raw);
        Transport::new(client, mailbox.clone(), raw, Arc::clone(&shut_down), marks.clone())
    })
    .custom_method(extensions::ADVISE, Transport::advise)
    .custom_method(extensions::COMPILED_CODE, Transport::compiled_code)
    .custom_method(extensions::COMPARE, Transport::compare)
    .custom_method(extensions::PIN_BASELINE, Transport::pin_baseline)
    .custom_method(extensions::UNPIN_BASELINE, Transport::unpin_baseline)
    .custom_method(extensions::COSTS, Transport::costs)
    .custom_method(extensions::EXPAND_MACRO, Transport::expand_macro)
    .custom_method(extensions::STATUS, Transport::status)
    .custom_method(extensions::CANCEL_PROGRESS, Transport::progress_cancelled)
    .custom_method(extensions::SET_TRACE, Transport::set_trace)
    .custom_method(extensions::TEXT_DOCUMENT_CONTENT, Transport::text_document_content)
    .finish();

    let parent_gone = Arc::new(Notify::new());
    let service = transport::Recorder::new(service, raw, Arc::clone(&parent_gone));
    let server = Server::new(frames::FrameReader::new(input), output, Wire::new(socket, marks))
        .concurrency_level(OPEN_REQUESTS)
        .serve(service);
    tokio::select! {
        () = server => {}
        () = parent_gone.notified() => {}
    }
    mailbox.post(Event::Exit);
    shut_down.load(Ordering::SeqCst)
}
