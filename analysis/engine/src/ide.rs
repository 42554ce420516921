//! What editors show, as plain data: one file per feature. Offsets are bytes
//! of the file.

mod compiled;
mod diagnostics;
mod formatting;
mod hover;
mod inlay_hints;
mod lenses;
mod symbols;
mod value_hints;

pub(crate) use compiled::{compiled_code, compiled_view, ir};
pub(crate) use diagnostics::diagnostics;
pub(crate) use formatting::{formatting, on_new_line};
pub(crate) use hover::hover;
pub(crate) use inlay_hints::inlay_hints;
pub(crate) use lenses::code_lenses;
pub(crate) use symbols::{shader_list, symbols};

pub use compiled::{CompiledCode, CompiledRef, CompiledState, CompiledView, Problem, ProblemKind};
pub use diagnostics::Diagnostics;
pub use hover::Hover;
pub use inlay_hints::{InlayHint, InlayHintKind};
pub use lenses::CodeLens;
pub use symbols::{ShaderInfo, Symbol, SymbolKind};
pub use tgsi::format::{Numbers as FormatNumbers, Options as FormatOptions, Scope as FormatScope};
