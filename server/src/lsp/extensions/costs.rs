//! Costs of code, line by line.

use engine::ide::CodeCosts;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::TextDocumentIdentifier;
use tower_lsp::ls_types::notification::Notification;

/// Parameters of [`COSTS`](super::COSTS).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CostsParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
}

/// Answer to [`COSTS`](super::COSTS).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Costs {
    /// The shaders or kernels, in order; those that have no machine code are left out.
    pub(crate) codes: Vec<CodeCosts>,
}

/// Server to client: the answer to [`COSTS`](super::COSTS) would be another for a reason other
/// than an edit.
pub(crate) enum CostsChanged {}

impl Notification for CostsChanged {
    type Params = CostsParams;
    const METHOD: &'static str = "tungsten/costsChanged";
}
