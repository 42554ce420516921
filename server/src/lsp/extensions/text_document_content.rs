//! Virtual documents, of protocol 3.18, which the types of the transport lack.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::Uri;
use tower_lsp::ls_types::request::Request;

/// Parameters of [`TEXT_DOCUMENT_CONTENT`](super::TEXT_DOCUMENT_CONTENT).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextDocumentContentParams {
    /// The virtual document.
    pub(crate) uri: Uri,
}

/// Answer to [`TEXT_DOCUMENT_CONTENT`](super::TEXT_DOCUMENT_CONTENT).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextDocumentContentResult {
    /// The document.
    pub(crate) text: String,
}

/// Server to client, of protocol 3.18: ask for a virtual document again.
pub(crate) enum TextDocumentContentRefresh {}

impl Request for TextDocumentContentRefresh {
    type Params = TextDocumentContentParams;
    type Result = ();
    const METHOD: &'static str = "workspace/textDocumentContent/refresh";
}
