//! The machine code of a shader and its other views: what is chosen, and what is shown.

use engine::ide::{CompiledState, ViewKind};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::{Position, TextDocumentIdentifier, Uri};

/// The one argument of [`OPEN_COMPILED_CODE`](super::OPEN_COMPILED_CODE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenCompiledCode {
    /// The source document.
    pub(crate) uri: Uri,
    /// The number of the shader in it, from 0.
    pub(crate) shader: usize,
    /// The target's name.
    pub(crate) target: String,
}

/// Names a shader of a document and a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeSelection {
    /// The source document.
    pub(crate) text_document: TextDocumentIdentifier,
    /// Chooses the shader at a position of the source.
    #[serde(default)]
    pub(crate) position: Option<Position>,
    /// Chooses a shader by its index, from 0; counts more than `position`.
    #[serde(default)]
    pub(crate) shader: Option<usize>,
    /// The target; the first of the settings where absent.
    #[serde(default)]
    pub(crate) target: Option<String>,
}

/// Parameters of [`COMPILED_CODE`](super::COMPILED_CODE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompiledCodeParams {
    /// The shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
    /// The view that is shown of it; the machine code where absent.
    #[serde(default)]
    pub(crate) view: Option<ViewKind>,
    /// The targets beside `target`, for the view `targets`; where absent the others of
    /// the settings.
    #[serde(default)]
    pub(crate) beside: Option<Vec<String>>,
}

/// Answer to [`COMPILED_CODE`](super::COMPILED_CODE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompiledCode {
    /// The virtual document's own URI.
    pub(crate) uri: Uri,
    /// Its text.
    pub(crate) text: String,
    /// Its freshness.
    pub(crate) state: CompiledState,
    /// The reason why it is not fresh, in one sentence, where there is more to say.
    pub(crate) message: Option<String>,
    /// For each line of the text, the source line it comes from, from 0.
    pub(crate) source_lines: Vec<Option<u32>>,
    /// Changes whenever the text does.
    pub(crate) hash: String,
    /// The shader shown.
    pub(crate) shader: usize,
    /// The target shown.
    pub(crate) target: String,
    /// The view that is shown.
    pub(crate) view: ViewKind,
    /// The targets shown beside it.
    pub(crate) beside: Vec<String>,
    /// True if a result of the shader and target is pinned.
    pub(crate) pinned: bool,
    /// The targets of the settings.
    pub(crate) targets: Vec<String>,
}

/// Server to client: a compiled view that was asked for has changed.
pub(crate) enum CompiledCodeChanged {}

impl Notification for CompiledCodeChanged {
    type Params = CompiledCodeChangedParams;
    const METHOD: &'static str = "tungsten/compiledCodeChanged";
}

/// Parameters of [`CompiledCodeChanged`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompiledCodeChangedParams {
    /// The source document.
    pub(crate) text_document: TextDocumentIdentifier,
    /// The number of the shader in it, from 0.
    pub(crate) shader: usize,
    /// The target's name.
    pub(crate) target: String,
    /// The view that is shown of it.
    pub(crate) view: ViewKind,
    /// The virtual document of the view.
    pub(crate) uri: Option<Uri>,
}
