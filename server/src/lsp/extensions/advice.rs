//! Faster forms of shaders and kernels.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{
    Position, TextDocumentIdentifier, Uri, WorkDoneProgressParams, WorkspaceEdit,
};

use crate::advice::{AdvisedFigures, Ending};

/// The one argument of [`FIND_FASTER_FORM`](super::FIND_FASTER_FORM).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FindFasterForm {
    /// The document.
    pub(crate) uri: Uri,
    /// A place in the shader or kernel.
    pub(crate) position: Position,
}

/// Parameters of [`ADVISE`](super::ADVISE).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdviseParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
    /// A place in the shader or kernel.
    pub(crate) position: Position,
    /// The chip of a shader; by default its main target.
    #[serde(default)]
    pub(crate) target: Option<String>,
    /// The seconds of the search; by default those of the settings.
    #[serde(default)]
    pub(crate) seconds: Option<u64>,
    /// The variants that are tried, at most; by default as many as there is time for.
    #[serde(default)]
    pub(crate) variants: Option<usize>,
    /// The token under which the search tells how far it is.
    #[serde(flatten)]
    pub(crate) work_done_progress_params: WorkDoneProgressParams,
}

/// Answer to [`ADVISE`](super::ADVISE).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundAdvice {
    /// The end that the search came to.
    pub(crate) status: Ending,
    /// All of it in one sentence for the user.
    pub(crate) message: String,
    /// The chip.
    pub(crate) target: String,
    /// The number of the shader; null for a kernel.
    pub(crate) shader: Option<usize>,
    /// The variants that were measured.
    pub(crate) tried: usize,
    /// True where all within reach were.
    pub(crate) complete: bool,
    /// True where the same text was searched before, and nothing was searched again.
    pub(crate) remembered: bool,
    /// The figures of the text as it is.
    pub(crate) before: Option<AdvisedFigures>,
    /// The figures of what was found.
    pub(crate) after: Option<AdvisedFigures>,
    /// The changes that lead to it, in order.
    pub(crate) changes: Vec<String>,
    /// The conditions that they need and that the text does not show.
    pub(crate) assumes: Vec<String>,
    /// The proof that it does the same; null where nothing was found.
    pub(crate) proof: Option<AdviceProof>,
    /// The code before and after; null where nothing was found.
    pub(crate) preview: Option<TextPair>,
    /// The machine code of both, of a shader.
    pub(crate) machine_code: Option<TextPair>,
    /// The edit that makes the one of the other; null where nothing was found, or where it cannot be
    /// written into the document for certain.
    pub(crate) edit: Option<WorkspaceEdit>,
}

/// The runs on which two forms did the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct AdviceProof {
    /// The inputs at random.
    pub(crate) inputs: u32,
    /// Results on them that the language leaves open.
    pub(crate) open: u64,
}

/// Two texts to look at side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct TextPair {
    /// The one as it is.
    pub(crate) before: String,
    /// The one that was found.
    pub(crate) after: String,
}
