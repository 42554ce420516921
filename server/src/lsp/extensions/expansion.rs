//! Expansions of macro calls of assembly.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Position, TextDocumentIdentifier, Uri};

/// The one argument of [`SHOW_EXPANSION`](super::SHOW_EXPANSION).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShowExpansion {
    /// The assembly file.
    pub(crate) uri: Uri,
    /// A place in the call.
    pub(crate) position: Position,
}

/// Parameters of [`EXPAND_MACRO`](super::EXPAND_MACRO).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpandMacroParams {
    /// The assembly file.
    pub(crate) text_document: TextDocumentIdentifier,
    /// A place in the call.
    pub(crate) position: Position,
}

/// Answer to [`EXPAND_MACRO`](super::EXPAND_MACRO).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpandedMacro {
    /// One statement a line, macros within the macro expanded too.
    pub(crate) text: String,
}
