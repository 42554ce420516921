//! The order in which messages go out. The transport takes answers from one channel and all
//! else from another, and either may come first. What has to come in order waits for a mark:
//! sent like a message after the others, it is taken out here, and by then all of them are
//! on their way.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Request;
use tower_lsp::{Client, ClientSocket, Loopback};
use tower_service::Service;

/// The method of a mark, which no client sees.
const MARK: &str = "$/tungsten/mark";

/// The marks that were sent and not taken out yet; one for all senders of a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    replies: HashMap<u64, (Then, oneshot::Sender<()>)>,
    sent: u64,
    /// True once nothing more goes out.
    ended: bool,
}

/// The use of the wire after a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    End,
}

impl Marks {
    /// Waits until all that `client` has sent before is on its way.
    pub(crate) async fn passed(&self, client: &Client) {
        self.wait(client, Then::GoOn).await;
    }

    /// Waits for the same, after which nothing but answers goes out.
    pub(crate) async fn end(&self, client: &Client) {
        self.wait(client, Then::End).await;
    }

    async fn wait(&self, client: &Client, then: Then) {
        let (reply, passed) = oneshot::channel();
        let number = {
            let mut waiting = self.lock();
            if waiting.ended {
                return;
            }
            waiting.sent += 1;
            let number = waiting.sent;
            waiting.replies.insert(number, (then, reply));
            number
        };
        // An error says that the wire is gone, and then there is nothing to wait for.
        if client.clone().call(Request::build(MARK).params(number).finish()).await.is_ok() {
            let _ = passed.await;
        }
    }

    /// Takes a mark out.
    fn take(&self, number: u64) {
        let mut waiting = self.lock();
        let Some((then, reply)) = waiting.replies.remove(&number) else { return };
        if then == Then::End {
            waiting.end();
        }
        // Whoever asked may have been cancelled.
        let _ = reply.send(());
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn end(&mut self) {
        self.ended = true;
        self.replies.clear();
    }
}

/// The messages of a session on their way out, without the marks.
pub(crate) struct Wire {
    socket: ClientSocket,
    marks: Marks,
}

impl Wire {
    /// The wire of `socket`, for the senders that have `marks`.
    pub(crate) fn new(socket: ClientSocket, marks: Marks) -> Wire {
        Wire { socket, marks }
    }
}

impl Loopback for Wire {
    type RequestStream = Unmarked<<ClientSocket as Loopback>::RequestStream>;
    type ResponseSink = <ClientSocket as Loopback>::ResponseSink;

    fn split(self) -> (Self::RequestStream, Self::ResponseSink) {
        let (messages, answers) = self.socket.split();
        (Unmarked { messages, marks: self.marks }, answers)
    }
}

/// Messages of which the marks are taken out.
pub(crate) struct Unmarked<S> {
    messages: S,
    marks: Marks,
}

impl<S: Stream<Item = Request> + Unpin> Stream for Unmarked<S> {
    type Item = Request;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Request>> {
        loop {
            let next = Pin::new(&mut self.messages).poll_next(context);
            let Poll::Ready(Some(message)) = &next else { return next };
            if message.method() == MARK {
                let number = message.params().and_then(serde_json::Value::as_u64);
                self.marks.take(number.unwrap_or_default());
            } else if !self.marks.lock().ended {
                return next;
            }
            // What comes after the end is still taken, so that no sender waits for ever.
        }
    }
}

impl<S> Drop for Unmarked<S> {
    fn drop(&mut self) {
        self.marks.lock().end();
    }
}

#[cfg(test)]
mod tests {
    use tower_lsp::ls_types::{InitializeParams, InitializeResult, MessageType};
    use tower_lsp::{LanguageServer, LspService};

    use super::*;

    struct Silent;

    impl LanguageServer for Silent {
        async fn initialize(
            &self,
            _: InitializeParams,
        ) -> tower_lsp::jsonrpc::Result<InitializeResult> {
            Ok(InitializeResult::default())
        }

        async fn shutdown(&self) -> tower_lsp::jsonrpc::Result<()> {
            Ok(())
        }
    }

    /// The next message of a stream, as far as one is there.
    async fn next(messages: &mut (impl Stream<Item = Request> + Unpin)) -> Option<String> {
        let message = std::future::poll_fn(|context| {
            Poll::Ready(match Pin::new(&mut *messages).poll_next(context) {
                Poll::Ready(message) => message,
                Poll::Pending => None,
            })
        });
        Some(message.await?.params()?.get("message")?.as_str()?.to_owned())
    }

    #[tokio::test]
    async fn a_mark_passes_after_what_was_sent_and_nothing_after_the_end() {
        let mut known = None;
        let (mut service, socket) = LspService::new(|client| {
            known = Some(client);
            Silent
        });
        let (client, marks) = (known.expect("the service is made with a client"), Marks::default());
        let (mut messages, _) = Wire::new(socket, marks.clone()).split();
        let initialize = Request::build("initialize")
            .params(serde_json::json!({"capabilities": {}}))
            .id(0)
            .finish();
        assert!(service.call(initialize).await.expect("alive").is_some());

        let seen = Arc::new(Mutex::new(Vec::new()));
        let of_sender = Arc::clone(&seen);
        let sender = tokio::spawn(async move {
            for text in ["first", "second", "third"] {
                client.log_message(MessageType::LOG, text).await;
            }
            marks.passed(&client).await;
            assert_eq!(*of_sender.lock().expect("no panic"), ["first", "second", "third"]);
            client.log_message(MessageType::LOG, "fourth").await;
            marks.end(&client).await;
            for _ in 0..10 {
                client.log_message(MessageType::LOG, "after the end").await;
            }
            // The marks after it hold nobody up.
            marks.passed(&client).await;
            marks.end(&client).await;
        });
        while !sender.is_finished() {
            let message = next(&mut messages).await;
            seen.lock().expect("no panic").extend(message);
            tokio::task::yield_now().await;
        }
        sender.await.expect("no panic");
        assert_eq!(*seen.lock().expect("no panic"), ["first", "second", "third", "fourth"]);
    }
}
