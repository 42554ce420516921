//! One file per request: position in, one question to the snapshot, answer out.

mod advise;
mod call_hierarchy;
pub(crate) mod code_action;
mod code_lens;
mod compare;
mod compiled_code;
pub(crate) mod completion;
mod costs;
mod definition;
mod diagnostic;
mod document_highlight;
mod document_link;
mod document_symbol;
mod expand_macro;
mod folding_range;
mod formatting;
mod hover;
mod inlay_hint;
mod linked_editing_range;
mod other_files;
pub(crate) mod parameters;
mod pin_baseline;
mod references;
mod rename;
mod resolving;
mod rewriting;
mod selection_range;
pub(crate) mod semantic_tokens;
mod signature_help;
mod text_document_content;
mod undefined_symbols;
mod will_rename_files;
mod workspace_edit;
mod workspace_symbol;

use super::workers::Context;
pub(crate) use advise::WantedAdvice;
use engine::{Cancelled, Canceller};
pub(crate) use other_files::OtherFiles;
pub(crate) use parameters::{About, Subject};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result as Answered};

/// The reason why a request has no answer.
pub(crate) enum Stop {
    /// The engine has changed; ask again.
    Cancelled,
    /// The request makes no sense.
    Refused(Error),
}

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Stop {
        Stop::Cancelled
    }
}

/// The protocol's code for a request that makes sense and could not be done.
pub(crate) const REQUEST_FAILED: i64 = -32803;

/// The error of such a request.
pub(crate) fn failed(reason: impl ToString) -> Error {
    let code = ErrorCode::ServerError(REQUEST_FAILED);
    Error { code, message: reason.to_string().into(), data: None }
}

/// A request that a worker answers, by its parameters. What they are about is said in
/// [`parameters`].
pub(crate) trait DocumentRequest: About + Send + 'static {
    /// The result in the protocol's words.
    type Answer: EmptyResponse + Send + 'static;

    /// True if it is answered from files of the workspace that nobody has opened, too.
    const READS_OTHER_FILES: bool = false;

    /// Answers from a snapshot.
    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop>;

    /// The answer for a document that is not open.
    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(EmptyResponse::nothing())
    }
}

/// An answer that can say that there is nothing to say.
pub(crate) trait EmptyResponse {
    /// The empty answer.
    fn nothing() -> Self;
}

impl<T> EmptyResponse for Option<T> {
    fn nothing() -> Self {
        None
    }
}

/// A request on its way, whatever its kind. It is answered exactly once:
/// each way to answer takes the reply channel.
pub(crate) trait Request: Send {
    /// See [`About::subject`].
    fn subject(&self) -> &Subject;

    /// See [`DocumentRequest::READS_OTHER_FILES`].
    fn reads_other_files(&self) -> bool;

    /// The name in a trace: that of its parameters' type.
    fn name(&self) -> &'static str;

    /// Tells whether nobody waits for the answer any more.
    fn abandoned(&self) -> bool;

    /// Computes and sends the answer.
    fn run(&mut self, context: &Context) -> Result<(), Cancelled>;

    /// Answers for a document that is not open.
    fn answer_nothing(&mut self);

    /// Answers with an error.
    fn refuse(&mut self, error: Error);
}

/// The handle that ends the work on a request, while a worker is at it.
#[derive(Default)]
struct Wait(Arc<Mutex<Option<Canceller>>>);

impl Wait {
    /// Sets what ends the work that begins now, or `None` behind its end.
    fn set(&self, canceller: Option<Canceller>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = canceller;
    }
}

/// The wait for an answer. Dropped, it cancels what a worker may be computing for it.
pub(crate) struct CancelOnDrop(Wait);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let canceller = self.0.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(canceller) = canceller {
            canceller.cancel();
        }
    }
}

/// A request with the channel for its answer.
pub(crate) struct PendingRequest<R: DocumentRequest> {
    subject: Subject,
    wait: Wait,
    params: R,
    reply: Option<oneshot::Sender<Answered<R::Answer>>>,
}

impl<R: DocumentRequest> PendingRequest<R> {
    /// A request that waits for its answer.
    pub(crate) fn new(params: R, reply: oneshot::Sender<Answered<R::Answer>>) -> PendingRequest<R> {
        PendingRequest {
            subject: params.subject(),
            wait: Wait::default(),
            params,
            reply: Some(reply),
        }
    }

    /// The guard to hold while the answer is waited for.
    pub(crate) fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Wait(Arc::clone(&self.wait.0)))
    }

    fn answer(&mut self, answer: Answered<R::Answer>) {
        if let Some(reply) = self.reply.take() {
            // Nobody listens to the answer of a cancelled request.
            let _ = reply.send(answer);
        }
    }
}

impl<R: DocumentRequest> Request for PendingRequest<R> {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn reads_other_files(&self) -> bool {
        R::READS_OTHER_FILES
    }

    fn name(&self) -> &'static str {
        let path = std::any::type_name::<R>();
        path.rsplit("::").next().unwrap_or(path)
    }

    fn abandoned(&self) -> bool {
        self.reply.as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    fn run(&mut self, context: &Context) -> Result<(), Cancelled> {
        self.wait.set(Some(context.snapshot.canceller()));
        // Whoever gave up before found nothing to cancel.
        if self.abandoned() {
            return Err(Cancelled);
        }
        let result = self.params.compute(context);
        self.wait.set(None);
        match result {
            Ok(answer) => self.answer(Ok(answer)),
            Err(Stop::Refused(error)) => self.answer(Err(error)),
            Err(Stop::Cancelled) => return Err(Cancelled),
        }
        Ok(())
    }

    fn answer_nothing(&mut self) {
        let answer = self.params.nothing();
        self.answer(answer);
    }

    fn refuse(&mut self, error: Error) {
        self.answer(Err(error));
    }
}
