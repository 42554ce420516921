//! Compiled code beside other code of the same shader, and code that is kept for it.

use engine::ide::{ComparedColumn, ComparedStatement, CompiledFigures, CompiledState};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::Uri;

use super::CodeSelection;

/// Parameters of [`COMPARE`](super::COMPARE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompareParams {
    /// The shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
    /// The other side of the comparison.
    pub(crate) with: CompareWith,
    /// The targets beside `target`; where absent the others of the settings.
    #[serde(default)]
    pub(crate) beside: Option<Vec<String>>,
}

/// A thing that code is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CompareWith {
    /// The same shader's code for other targets.
    Targets,
    /// The result that was pinned.
    Baseline,
}

/// Answer to [`COMPARE`](super::COMPARE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comparison {
    /// The virtual document that shows it.
    pub(crate) uri: Option<Uri>,
    /// The shader compared, from 0.
    pub(crate) shader: usize,
    /// The columns.
    pub(crate) columns: Vec<ComparedColumn>,
    /// The statements that became code, in the order of the source.
    pub(crate) statements: Vec<ComparedStatement>,
}

/// Answer to [`PIN_BASELINE`](super::PIN_BASELINE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PinnedBaseline {
    /// The shader, from 0.
    pub(crate) shader: usize,
    /// The target.
    pub(crate) target: String,
    /// The freshness of the code that was kept.
    pub(crate) state: CompiledState,
    /// Its sums.
    pub(crate) figures: CompiledFigures,
}

/// Parameters of [`PIN_BASELINE`](super::PIN_BASELINE).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PinBaselineParams {
    /// The shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
}

/// Parameters of [`UNPIN_BASELINE`](super::UNPIN_BASELINE); the answer is whether something was
/// pinned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnpinBaselineParams {
    /// The shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
}
