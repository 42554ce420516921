//! Answers to editors as plain data, in one vocabulary for every language.
//!
//! Offsets are bytes of the text that was asked about. The crate knows no language and no
//! protocol: each language makes these values, and the server writes them in the words of
//! its client.

mod compiled;
mod completion;
mod explanation;
mod hints;
mod navigation;
mod outline;
mod signature;
mod tokens;

pub use compiled::{
    Change, ChipCosts, CodeCosts, ComparedColumn, ComparedInstruction, ComparedRow,
    ComparedStatement, CompiledFigures, CompiledState, LineCost, OccupancyStep, RegisterCosts,
    Relief, ReliefKind, Statistics, TargetOrigin, ViewKind, WholeGroups,
};
pub use completion::{Completion, CompletionItem, CompletionKind, Page};
pub use explanation::{
    ExplainedAccess, ExplainedDeclaration, ExplainedMemory, ExplainedPressure, ExplainedResult,
    ExplainedSaving, ExplainedValue, ExplainedWait, Explanation, Place,
};
pub use hints::{CostedLines, Hover, HoverLink, InlayHint, InlayHintKind, WantedHints};
pub use navigation::{
    Callable, Calls, Definitions, Destination, FileEdit, FileId, Highlight, HighlightKind,
    Location, References, Renameable, Renamed,
};
pub use outline::{Fold, FoldKind, Symbol, SymbolKind};
pub use signature::{Parameter, Signature};
pub use tokens::{SemanticKind, SemanticToken};
