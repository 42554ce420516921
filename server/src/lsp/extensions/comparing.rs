//! Compiled code beside other code of the same shader, and code that is kept for it.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::Uri;

use super::{CodeSelection, CompiledCodeState};

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// A column of a [`Comparison`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparedColumn {
    /// The target's name, `baseline` or `now`.
    pub(crate) label: String,
    /// The chip.
    pub(crate) target: String,
    /// The freshness of the code.
    pub(crate) state: CompiledCodeState,
    /// The reason why there is none, or why it is not of the current text.
    pub(crate) message: Option<String>,
    /// Its sums; null where there is no code.
    pub(crate) figures: Option<CompiledFigures>,
}

/// The sums of compiled code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompiledFigures {
    /// Machine instructions.
    pub(crate) instructions: u32,
    /// Bytes of code.
    pub(crate) bytes: u32,
    /// Vector registers used.
    pub(crate) vgprs: u32,
    /// Scalar registers used.
    pub(crate) sgprs: u32,
    /// Bytes of local data share.
    pub(crate) lds: u32,
    /// Bytes of scratch memory per lane.
    pub(crate) scratch: u32,
    /// Vector registers spilled.
    pub(crate) spilled_vgprs: u32,
    /// Scalar registers spilled.
    pub(crate) spilled_sgprs: u32,
    /// Waves per SIMD.
    pub(crate) waves: u32,
    /// The limit that keeps them from being more: `waves`, `vgprs`, `sgprs`, `lds`, `groups`.
    pub(crate) limiter: String,
    /// Clocks of a wave that is alone.
    pub(crate) clocks: u64,
    /// Clocks of a SIMD per wave.
    pub(crate) inverse_throughput: u64,
}

/// A statement of the source with its code in every column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparedStatement {
    /// Its line, from 0; null where it is gone, and of shared code.
    pub(crate) line: Option<u32>,
    /// Its words; null of code that several statements share.
    pub(crate) text: Option<String>,
    /// Its words in the baseline, where those were others.
    pub(crate) before: Option<String>,
    /// Its instructions, matched.
    pub(crate) rows: Vec<ComparedRow>,
}

/// Instructions that match each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparedRow {
    /// The difference between the columns.
    pub(crate) change: Change,
    /// Per column its instruction; null where it has none here.
    pub(crate) cells: Vec<Option<ComparedInstruction>>,
}

/// The difference between the columns of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Change {
    /// Not at all.
    Same,
    /// In the numbers of registers only.
    Renamed,
    /// In operands.
    Changed,
    /// The first column has it, and another has not.
    Removed,
    /// The first column has none.
    Added,
}

/// A machine instruction in a [`Comparison`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparedInstruction {
    /// The address, in bytes from the start of the shader.
    pub(crate) offset: u32,
    /// Its text.
    pub(crate) text: String,
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
    pub(crate) state: CompiledCodeState,
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
