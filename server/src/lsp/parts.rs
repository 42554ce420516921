//! Long answers in parts, for clients that take them so (`partialResultToken`): other
//! messages come between the parts, and the client can show the first while it reads the
//! others.
//!
//! An answer that goes in parts goes so as a whole: the answer itself is then empty. One
//! that fits into a part comes at once, as the protocol allows.

use serde::Serialize;
use serde_json::Value;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::{DocumentSymbolResponse, ProgressToken, WorkspaceSymbolResponse};

/// The number of items that a part has at most: some tens of kilobytes, which no client is long at.
const MOST: usize = 256;

/// An answer that is a list.
pub(crate) trait Listed {
    /// The items that it lists.
    type Item: Serialize + Send;

    /// The list, where there is an answer.
    fn items(&mut self) -> Option<&mut Vec<Self::Item>>;
}

impl<T: Serialize + Send> Listed for Option<Vec<T>> {
    type Item = T;

    fn items(&mut self) -> Option<&mut Vec<T>> {
        self.as_mut()
    }
}

impl Listed for Option<DocumentSymbolResponse> {
    type Item = tower_lsp::ls_types::DocumentSymbol;

    fn items(&mut self) -> Option<&mut Vec<Self::Item>> {
        match self {
            Some(DocumentSymbolResponse::Nested(symbols)) => Some(symbols),
            _ => None,
        }
    }
}

impl Listed for Option<WorkspaceSymbolResponse> {
    type Item = tower_lsp::ls_types::WorkspaceSymbol;

    fn items(&mut self) -> Option<&mut Vec<Self::Item>> {
        match self {
            Some(WorkspaceSymbolResponse::Nested(symbols)) => Some(symbols),
            _ => None,
        }
    }
}

/// The way that an answer went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// Not at all yet: the answer is whole.
    Nothing,
    /// In parts, which the answer, now empty, must not overtake.
    Parts,
}

/// Sends a long answer in parts. What is left of it is the answer.
pub(crate) async fn send<A: Listed>(
    client: &Client,
    token: Option<ProgressToken>,
    answer: &mut A,
) -> Sent {
    let (Some(token), Some(items)) = (token, answer.items()) else { return Sent::Nothing };
    if items.len() <= MOST {
        return Sent::Nothing;
    }
    let items = std::mem::take(items);
    for value in items.chunks(MOST).filter_map(|part| serde_json::to_value(part).ok()) {
        client
            .send_notification::<PartialResult>(PartialParams { token: token.clone(), value })
            .await;
    }
    Sent::Parts
}

/// A part of an answer. The types of the transport know progress of work only.
pub(crate) enum PartialResult {}

impl Notification for PartialResult {
    type Params = PartialParams;
    const METHOD: &'static str = "$/progress";
}

/// A part with the name of the answer's parts.
#[derive(Debug, Clone, serde::Deserialize, Serialize)]
pub(crate) struct PartialParams {
    pub(crate) token: ProgressToken,
    pub(crate) value: Value,
}
