//! Additions of Tungsten to the protocol: names here, the shapes of each method in a file of
//! its own; figures and comparisons are those of `editor_model`. `PROTOCOL.md` describes all
//! and carries the hash of both, so that they change together.

mod advice;
mod comparing;
mod compiled_code;
mod costs;
mod expansion;
mod status;
mod text_document_content;

pub(crate) use advice::{AdviceProof, AdviseParams, FindFasterForm, FoundAdvice, TextPair};
pub(crate) use comparing::{
    CompareParams, CompareWith, Comparison, PinBaselineParams, PinnedBaseline, UnpinBaselineParams,
};
pub(crate) use compiled_code::{
    CodeSelection, CompiledCode, CompiledCodeChanged, CompiledCodeChangedParams,
    CompiledCodeParams, OpenCompiledCode,
};
pub(crate) use costs::{Costs, CostsChanged, CostsParams};
pub(crate) use expansion::{ExpandMacroParams, ExpandedMacro, ShowExpansion};
pub(crate) use status::{Status, StatusAssembly, StatusChanged, StatusLibrary, StatusShaders};
pub(crate) use text_document_content::{
    TextDocumentContentParams, TextDocumentContentRefresh, TextDocumentContentResult,
};

/// The URI scheme of compiled code shown as a document.
pub(crate) const SCHEME: &str = "tungsten-gcn";

/// The URI scheme of every other view of a shader: its IR, its bytes, comparisons.
pub(crate) const VIEW_SCHEME: &str = "tungsten-view";

/// The URI scheme of files of bytes shown as the text that they stand for.
pub(crate) const DECODED_SCHEME: &str = "tungsten-decoded";

/// The URI scheme of pages on diagnostics, opcodes and the like.
pub(crate) const PAGE_SCHEME: &str = "tungsten-page";

/// The command that looks for a libLLVM again; the server carries it out.
pub(crate) const SEARCH_COMPILER: &str = "tungsten.searchCompiler";

/// The command that answers with the page of a name; the server carries it out.
pub(crate) const EXPLAIN: &str = "tungsten.explain";

/// The command that answers with the code objects of a file; the server carries it out.
pub(crate) const LIST_CODE_OBJECTS: &str = "tungsten.listCodeObjects";

/// Client to server, of the protocol: the user does not wait for what shows this progress.
pub(crate) const CANCEL_PROGRESS: &str = "window/workDoneProgress/cancel";

/// Client to server, of the protocol: how much is told of the server's work.
pub(crate) const SET_TRACE: &str = "$/setTrace";

/// The command behind a code lens; the client implements it.
pub(crate) const OPEN_COMPILED_CODE: &str = "tungsten.openCompiledCode";

/// The command behind the code action of a macro call; the client implements it.
pub(crate) const SHOW_EXPANSION: &str = "tungsten.expandMacro";

/// The command behind the code action that looks for a faster form; the client implements it.
pub(crate) const FIND_FASTER_FORM: &str = "tungsten.findFasterForm";

/// Client to server: a faster form of a shader or kernel, searched and proven.
pub(crate) const ADVISE: &str = "tungsten/advise";

/// Client to server: the compiled code of a shader.
pub(crate) const COMPILED_CODE: &str = "tungsten/compiledCode";

/// Client to server: compiled code beside other code of the same shader, as data.
pub(crate) const COMPARE: &str = "tungsten/compare";

/// Client to server: keep a shader's code, to compare later code with it.
pub(crate) const PIN_BASELINE: &str = "tungsten/pinBaseline";

/// Client to server: forget the code that was kept.
pub(crate) const UNPIN_BASELINE: &str = "tungsten/unpinBaseline";

/// Client to server: what the shaders or kernels of a document cost.
pub(crate) const COSTS: &str = "tungsten/costs";

/// Client to server: what a macro call expands to.
pub(crate) const EXPAND_MACRO: &str = "tungsten/expandMacro";

/// Client to server: what the server found and is doing.
pub(crate) const STATUS: &str = "tungsten/status";

/// Client to server, of protocol 3.18: the text of a virtual document.
pub(crate) const TEXT_DOCUMENT_CONTENT: &str = "workspace/textDocumentContent";
