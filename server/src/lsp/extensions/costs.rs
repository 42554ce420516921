//! Costs of code, line by line.

use engine::ide::{CompiledState, LineCost, Relief, Step};
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

/// A shader or kernel in [`Costs`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeCosts {
    /// The kernel's label, or the shader's stage.
    pub(crate) name: String,
    /// The number of the shader or kernel in the document, from 0.
    pub(crate) number: usize,
    /// The first of its lines, from 0.
    pub(crate) first_line: u32,
    /// The last of them.
    pub(crate) last_line: u32,
    /// The freshness of the machine code.
    pub(crate) state: CompiledState,
    /// Its sums on each chip: its own first.
    pub(crate) chips: Vec<ChipCosts>,
    /// Its lines that became instructions, in order.
    pub(crate) lines: Vec<LineCost>,
}

/// The sums of a code on a chip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChipCosts {
    /// The chip.
    pub(crate) target: String,
    /// Waves per SIMD.
    pub(crate) waves: u32,
    /// The limit that keeps them from being more: `waves`, `vgprs`, `sgprs`, `lds`, `groups`.
    pub(crate) limiter: String,
    /// Vector registers used, allocated, needed at once, and spare without losing a wave.
    pub(crate) vgprs: RegisterCosts,
    /// Scalar registers in the same way.
    pub(crate) sgprs: RegisterCosts,
    /// The saving that gives one wave more; null where no saving gives one.
    pub(crate) relief: Option<Relief>,
    /// The registers that give each number of waves on this chip, from the most that it holds down
    /// to one.
    pub(crate) ladder: Vec<Step>,
    /// Clocks of a wave that is alone.
    pub(crate) clocks: u64,
    /// Clocks of the shortest way with the nearest caches.
    pub(crate) best: u64,
    /// Clocks of the longest way with everything in memory.
    pub(crate) worst: u64,
    /// Clocks of a SIMD per wave.
    pub(crate) inverse_throughput: u64,
    /// The bound of that: a unit, or `waves`.
    pub(crate) bound: String,
}

/// Registers of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterCosts {
    /// Used.
    pub(crate) used: u32,
    /// Allocated, in granules.
    pub(crate) allocated: u32,
    /// The most that hold something needed at once.
    pub(crate) peak: u32,
    /// So many more cost no wave.
    pub(crate) spare: u32,
}

/// Server to client: the answer to [`COSTS`](super::COSTS) would be another for a reason other
/// than an edit.
pub(crate) enum CostsChanged {}

impl Notification for CostsChanged {
    type Params = CostsParams;
    const METHOD: &'static str = "tungsten/costsChanged";
}
