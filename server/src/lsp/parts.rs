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

use super::wire::Marks;

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

/// Sends a long answer in parts, and waits until they are on their way. What is left of it is
/// the answer, which must not overtake them.
pub(crate) async fn send<A: Listed>(
    client: &Client,
    marks: &Marks,
    token: Option<ProgressToken>,
    answer: &mut A,
) {
    let (Some(token), Some(items)) = (token, answer.items()) else { return };
    if items.len() <= MOST {
        return;
    }
    let items = std::mem::take(items);
    for value in items.chunks(MOST).filter_map(|part| serde_json::to_value(part).ok()) {
        client
            .send_notification::<PartialResult>(PartialParams { token: token.clone(), value })
            .await;
    }
    marks.passed(client).await;
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
