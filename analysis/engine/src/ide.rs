//! What editors show, as plain data: one file per feature. Offsets are bytes
//! of the file.

mod assembly;
mod baseline;
mod calls;
mod comparison;
mod compile_notes;
mod compiled;
mod completion;
mod costs;
mod diagnostics;
mod folding;
mod formatting;
mod highlights;
mod hover;
mod inlay_hints;
mod lenses;
mod navigation;
mod needs;
mod placed;
mod refactorings;
mod run_hints;
mod selection;
mod semantic_tokens;
mod signature_help;
mod symbols;
mod value_hints;
mod views;

pub(crate) use assembly::{converted, expanded, expands, includes};
pub(crate) use baseline::{baseline, pinned};
pub(crate) use calls::{callable, callees, callers};
pub(crate) use comparison::{compare_baseline, compare_targets, compare_with};
pub(crate) use compiled::compiled_code;
pub(crate) use completion::completion;
pub(crate) use costs::{code_costs, findings as cost_diagnostics};
pub(crate) use diagnostics::diagnostics;
pub(crate) use folding::folds;
pub(crate) use formatting::{formatting, on_new_line};
pub(crate) use highlights::highlights;
pub(crate) use hover::hover;
pub(crate) use inlay_hints::inlay_hints;
pub(crate) use lenses::{code_lenses, lens_title};
pub(crate) use navigation::{definitions, prepare_rename, references, rename};
pub(crate) use needs::needs;
pub(crate) use refactorings::{refactored, refactorings};
pub(crate) use selection::selections;
pub(crate) use semantic_tokens::semantic_tokens;
pub(crate) use signature_help::signature_help;
pub(crate) use symbols::{shader_list, symbols};
pub(crate) use views::{ir, view};

pub use crate::inputs::{Baseline, CompiledFigures, KeptInstruction, KeptStatement};
pub use comparison::{
    Change, ComparedColumn, ComparedInstruction, ComparedRow, ComparedStatement, Comparison,
    ComparisonPart, MOST_COLUMNS,
};
pub use compiled::{
    CompiledCode, CompiledRef, CompiledState, PartnerStatement, Problem, ProblemKind,
    settings_lines,
};
pub use completion::completion_page;
pub use costs::{CodeCosts, Figures, LineCost};
pub use diagnostics::Diagnostics;
pub use editor_model::{
    Callable, Calls, Completion, CompletionItem, CompletionKind, Definitions, Destination,
    FileEdit, Fold, FoldKind, Highlight, HighlightKind, Hover, HoverLink, InlayHint, InlayHintKind,
    Parameter, Place, References, Renameable, Renamed, SemanticKind, SemanticToken, Signature,
    Symbol, SymbolKind,
};
pub use lenses::{CodeLens, Measured};
pub use needs::Needs;
pub use symbols::ShaderInfo;
pub use tgsi::format::{Numbers as FormatNumbers, Options as FormatOptions, Scope as FormatScope};
pub use tgsi::service::refactor::Refactoring;
pub use views::{CompiledView, ViewKind};

#[cfg(test)]
mod tests;
