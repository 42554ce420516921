//! The answers that editors show, as plain data: one file per feature. Offsets are bytes
//! of the file.

mod assembly;
mod baseline;
mod budgets;
mod calls;
mod comparison;
mod compile_notes;
mod compiled;
mod completion;
mod costs;
mod diagnostics;
mod explanation;
mod fixes;
mod formatting;
mod glsl;
mod hover;
mod improvable;
mod inlay_hints;
mod languages;
mod lenses;
mod needs;
mod other_compilers;
mod placed;
mod refactorings;
mod renaming;
mod run_hints;
mod selection;
mod spirv;
mod symbols;
mod value_hints;
mod views;

pub(crate) use baseline::{baseline, pinned};
pub(crate) use comparison::{compare_baseline, compare_builds, compare_targets, compare_with};
pub(crate) use compiled::compiled_code;
pub(crate) use costs::code_costs;
pub(crate) use formatting::on_new_line;
pub(crate) use glsl::{askable, glsl_view, hosts_view, statement_ranges};
pub(crate) use inlay_hints::inlay_hints;
pub(crate) use languages::{Query, service};
pub(crate) use lenses::lens_title;
pub(crate) use needs::needs;
pub(crate) use other_compilers::{code_of_other, spirv_module};
pub(crate) use refactorings::refactorings;
pub(crate) use selection::selections;
pub(crate) use spirv::spirv;
pub(crate) use symbols::shader_list;
pub(crate) use views::{ir, view};

pub use crate::inputs::{Baseline, KeptInstruction, KeptStatement};
pub use baseline::{compiled_figures, figures};
pub use comparison::{Comparison, ComparisonPart, MOST_COLUMNS};
pub use compiled::{
    CompiledCode, CompiledRef, PartnerStatement, Problem, ProblemKind, settings_lines,
};
pub use completion::completion_page;
pub use editor_model::{
    Callable, Calls, Change, ChipCosts, CodeCosts, ComparedColumn, ComparedInstruction,
    ComparedRow, ComparedStatement, CompiledFigures, CompiledState, Completion, CompletionItem,
    CompletionKind, CostedLines, Definitions, Destination, ExplainedAccess, ExplainedDeclaration,
    ExplainedMemory, ExplainedPressure, ExplainedResult, ExplainedSaving, ExplainedValue,
    ExplainedWait, Explanation, FileEdit, Fold, FoldKind, Highlight, HighlightKind, Hover,
    HoverLink, InlayHint, InlayHintKind, LineCost, Location, OccupancyStep, Parameter, Place,
    References, Relief, Renameable, Renamed, SemanticKind, SemanticToken, Signature, Symbol,
    SymbolKind, ViewKind, WantedHints,
};
pub use explanation::{
    MemoryDeclarations, Places, declaration, explained_memory, explanation, explanation_head,
    explanation_lines,
};
pub use fixes::{FixScope, disjoint, fix_within};
pub use improvable::{Improvable, ImprovableKind, ImprovableReach};
pub use lenses::{CodeLens, Measured};
pub use needs::Needs;
pub use renaming::RenameError;
pub use symbols::ShaderInfo;
pub use tgsi::format::{Numbers as FormatNumbers, Scope as FormatScope};
pub use tgsi::service::refactor::Refactoring;
pub use views::CompiledView;

#[cfg(test)]
mod tests;
