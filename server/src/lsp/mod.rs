//! The language server.
//!
//! tower-lsp reads and writes messages and nothing more: every handler's first
//! act is to post what it got into one ordered mailbox ([`transport`]). One
//! session thread owns the state and takes the mail in order ([`session`]);
//! what computes runs on worker threads with a snapshot ([`workers`]); what
//! goes to the client is posted to a task of its own ([`outbox`]). So no edit
//! overtakes another, no computation delays a keystroke, and the server never
//! waits for the client.

mod capabilities;
mod client;
mod compiled_documents;
mod decoded_documents;
mod documents;
mod errands;
mod extensions;
mod from_protocol;
mod mailbox;
mod outbox;
mod progress;
mod requests;
mod session;
mod to_protocol;
mod transport;
mod workers;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

use mailbox::{Event, Mailbox};
use transport::{Raw, Transport};

/// How many messages the transport may hold open at a time. Handlers only
/// wait, so many cost nothing; too few would stop reading while some wait.
const OPEN_MESSAGES: usize = 4096;

/// Serves one client on standard input and output until it leaves.
///
/// # Errors
/// Where the runtime could not be made, or the program does not find itself.
pub fn run_on_standard_streams() -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let worker = std::env::current_exe()?;
    let orderly = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), worker));
    // The thread that reads standard input may wait for ever.
    runtime.shutdown_background();
    Ok(if orderly { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Serves one client on two streams; `worker` is the executable that compiles
/// when started as `compile-worker`, which is `tungsten` itself. Returns whether it said goodbye as the
/// protocol wants: `shutdown` before the end.
pub async fn serve<I, O>(input: I, output: O, worker: PathBuf) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let (sender, receiver) = mpsc::channel();
    let mailbox = Mailbox::new(sender);
    let shut_down = Arc::new(AtomicBool::new(false));
    let raw = Arc::new(Raw::default());

    let (service, socket) = LspService::build(|client| {
        let outbox = outbox::start(client, mailbox.clone());
        session::start(mailbox.clone(), receiver, outbox, worker);
        Transport::new(mailbox.clone(), Arc::clone(&raw), Arc::clone(&shut_down))
    })
    .custom_method(extensions::COMPILED_CODE, Transport::compiled_code)
    .custom_method(extensions::COMPARE, Transport::compare)
    .custom_method(extensions::PIN_BASELINE, Transport::pin_baseline)
    .custom_method(extensions::UNPIN_BASELINE, Transport::unpin_baseline)
    .custom_method(extensions::COSTS, Transport::costs)
    .custom_method(extensions::EXPAND_MACRO, Transport::expand_macro)
    .custom_method(extensions::STATUS, Transport::status)
    .custom_method(extensions::TEXT_DOCUMENT_CONTENT, Transport::text_document_content)
    .finish();

    Server::new(input, output, socket)
        .concurrency_level(OPEN_MESSAGES)
        .serve(transport::Recorder::new(service, raw))
        .await;
    mailbox.post(Event::Exit);
    shut_down.load(Ordering::SeqCst)
}
