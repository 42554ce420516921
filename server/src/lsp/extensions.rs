//! What Tungsten adds to the protocol. `PROTOCOL.md` describes it and carries
//! this file's hash, so that the two change together.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::request::Request;
use tower_lsp::ls_types::{Position, TextDocumentIdentifier, Uri};

/// The URI scheme of compiled code shown as a document.
pub(crate) const SCHEME: &str = "tungsten-gcn";

/// The URI scheme of every other view of a shader: its IR, its bytes, comparisons.
pub(crate) const VIEW_SCHEME: &str = "tungsten-view";

/// The URI scheme of files of bytes shown as the text that they stand for.
pub(crate) const DECODED_SCHEME: &str = "tungsten-decoded";

/// The URI scheme of pages on findings, opcodes and the like.
pub(crate) const PAGE_SCHEME: &str = "tungsten-page";

/// The command that looks for a libLLVM again; the server carries it out.
pub(crate) const SEARCH_COMPILER: &str = "tungsten.searchCompiler";

/// The command that answers with the page of a name; the server carries it out.
pub(crate) const EXPLAIN: &str = "tungsten.explain";

/// Client to server, of the protocol: how much is told of the server's work.
pub(crate) const SET_TRACE: &str = "$/setTrace";

/// The command behind a code lens; the client implements it.
pub(crate) const OPEN_COMPILED_CODE: &str = "tungsten.openCompiledCode";

/// The command behind the code action of a macro call; the client implements it.
pub(crate) const SHOW_EXPANSION: &str = "tungsten.expandMacro";

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

/// The one argument of [`OPEN_COMPILED_CODE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenCompiledCode {
    /// The source document.
    pub(crate) uri: Uri,
    /// Which shader of it, from 0.
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

/// What is shown of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum View {
    /// Its machine code.
    #[default]
    Code,
    /// The LLVM IR that it is lowered to.
    Ir,
    /// Its bytes.
    Hex,
    /// The code of several targets side by side.
    Targets,
    /// What was pinned beside what is now.
    Baseline,
}

/// Parameters of [`COMPILED_CODE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompiledCodeParams {
    /// Which shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
    /// What is shown of it; the machine code where absent.
    #[serde(default)]
    pub(crate) view: Option<View>,
    /// The targets beside `target`, for the view `targets`; where absent the others of
    /// the settings.
    #[serde(default)]
    pub(crate) beside: Option<Vec<String>>,
}

/// Answer to [`COMPILED_CODE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompiledCode {
    /// The virtual document's own URI.
    pub(crate) uri: Uri,
    /// Its text.
    pub(crate) text: String,
    /// How current it is.
    pub(crate) state: CompiledCodeState,
    /// Why it is not fresh, in one sentence, where there is more to say.
    pub(crate) message: Option<String>,
    /// For each line of the text, the source line it comes from, from 0.
    pub(crate) source_lines: Vec<Option<u32>>,
    /// Changes whenever the text does.
    pub(crate) hash: String,
    /// The shader shown.
    pub(crate) shader: usize,
    /// The target shown.
    pub(crate) target: String,
    /// What is shown.
    pub(crate) view: View,
    /// The targets shown beside it.
    pub(crate) beside: Vec<String>,
    /// Whether a result of the shader and target is pinned.
    pub(crate) pinned: bool,
    /// The targets of the settings.
    pub(crate) targets: Vec<String>,
}

/// How current compiled code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CompiledCodeState {
    /// Of the current source.
    Fresh,
    /// Of an earlier source; a newer compile is on its way.
    Stale,
    /// Of an earlier source; the current one does not compile.
    Outdated,
    /// Nothing yet; the first compile is on its way.
    Pending,
    /// There is nothing to show.
    Unavailable,
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
    /// Which shader of it, from 0.
    pub(crate) shader: usize,
    /// The target's name.
    pub(crate) target: String,
    /// What is shown of it.
    pub(crate) view: View,
    /// The virtual document of the view.
    pub(crate) uri: Option<Uri>,
}

/// Parameters of [`COMPARE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompareParams {
    /// Which shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
    /// What it is compared with.
    pub(crate) with: CompareWith,
    /// The targets beside `target`; where absent the others of the settings.
    #[serde(default)]
    pub(crate) beside: Option<Vec<String>>,
}

/// What code is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CompareWith {
    /// The same shader's code for other targets.
    Targets,
    /// What was pinned.
    Baseline,
}

/// Answer to [`COMPARE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comparison {
    /// The virtual document that shows it.
    pub(crate) uri: Option<Uri>,
    /// The shader compared, from 0.
    pub(crate) shader: usize,
    /// What the columns are.
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
    /// How current the code is.
    pub(crate) state: CompiledCodeState,
    /// Why there is none, or why it is not of the current text.
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
    /// What keeps them from being more: `waves`, `vgprs`, `sgprs`, `lds`, `groups`.
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
    /// How the columns differ.
    pub(crate) change: Change,
    /// Per column its instruction; null where it has none here.
    pub(crate) cells: Vec<Option<ComparedInstruction>>,
}

/// How the columns of a row differ.
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

/// Answer to [`PIN_BASELINE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PinnedBaseline {
    /// The shader, from 0.
    pub(crate) shader: usize,
    /// The target.
    pub(crate) target: String,
    /// How current the code that was kept is.
    pub(crate) state: CompiledCodeState,
    /// Its sums.
    pub(crate) figures: CompiledFigures,
}

/// Parameters of [`PIN_BASELINE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PinBaselineParams {
    /// Which shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
}

/// Parameters of [`UNPIN_BASELINE`]; the answer is whether something was pinned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnpinBaselineParams {
    /// Which shader and target.
    #[serde(flatten)]
    pub(crate) selection: CodeSelection,
}

/// Parameters of [`COSTS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CostsParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
}

/// Answer to [`COSTS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Costs {
    /// The shaders or kernels, in order; those that have no machine code are left out.
    pub(crate) codes: Vec<CodeCosts>,
}

/// A shader or kernel in [`Costs`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeCosts {
    /// The kernel's label, or the shader's stage.
    pub(crate) name: String,
    /// Which shader or kernel of the document, from 0.
    pub(crate) number: usize,
    /// The first of its lines, from 0.
    pub(crate) first_line: u32,
    /// The last of them.
    pub(crate) last_line: u32,
    /// How current the machine code is.
    pub(crate) state: CompiledCodeState,
    /// Its sums on each chip: its own first.
    pub(crate) chips: Vec<ChipCosts>,
    /// Its lines that became instructions, in order.
    pub(crate) lines: Vec<LineCosts>,
}

/// The sums of a code on a chip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChipCosts {
    /// The chip.
    pub(crate) target: String,
    /// Waves per SIMD.
    pub(crate) waves: u32,
    /// What keeps them from being more: `waves`, `vgprs`, `sgprs`, `lds`, `groups`.
    pub(crate) limiter: String,
    /// Vector registers used, allocated, needed at once, and spare without losing a wave.
    pub(crate) vgprs: RegisterCosts,
    /// Scalar registers in the same way.
    pub(crate) sgprs: RegisterCosts,
    /// What one wave more takes; null where no saving gives one.
    pub(crate) relief: Option<ReliefCosts>,
    /// Which registers give how many waves on this chip, from the most waves down to one.
    pub(crate) ladder: Vec<LadderStep>,
    /// Clocks of a wave that is alone.
    pub(crate) clocks: u64,
    /// Clocks of the shortest way with the nearest caches.
    pub(crate) best: u64,
    /// Clocks of the longest way with everything in memory.
    pub(crate) worst: u64,
    /// Clocks of a SIMD per wave.
    pub(crate) inverse_throughput: u64,
    /// What bounds that: a unit, or `waves`.
    pub(crate) bound: String,
}

/// Registers of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// What must be given back for more waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReliefCosts {
    /// The waves there would be.
    pub(crate) waves: u32,
    /// Vector registers.
    pub(crate) vgprs: u32,
    /// Scalar registers.
    pub(crate) sgprs: u32,
    /// Bytes of local data share.
    pub(crate) lds: u32,
}

/// A number of waves and the registers that a wave may use for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LadderStep {
    /// Waves per SIMD.
    pub(crate) waves: u32,
    /// The most vector registers.
    pub(crate) vgprs: u32,
    /// The most scalar registers; null where the chip always allocates too many.
    pub(crate) sgprs: Option<u32>,
}

/// What the instructions of a line cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineCosts {
    /// The line, from 0.
    pub(crate) line: u32,
    /// How many instructions.
    pub(crate) instructions: u32,
    /// Clocks of issue.
    pub(crate) issue: u32,
    /// Clocks of waiting before.
    pub(crate) stall: u32,
    /// The line that the longest wait is for; null where there is none.
    pub(crate) cause: Option<u32>,
    /// Vector registers needed at once.
    pub(crate) vgprs: u16,
    /// Scalar registers needed at once.
    pub(crate) sgprs: u16,
    /// Whether nowhere in the code more vector registers are needed.
    pub(crate) peak: bool,
}

/// Server to client: the answer to [`COSTS`] would be another for a reason other than an
/// edit.
pub(crate) enum CostsChanged {}

impl Notification for CostsChanged {
    type Params = CostsParams;
    const METHOD: &'static str = "tungsten/costsChanged";
}

/// The one argument of [`SHOW_EXPANSION`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShowExpansion {
    /// The assembly file.
    pub(crate) uri: Uri,
    /// A place in the call.
    pub(crate) position: Position,
}

/// Parameters of [`EXPAND_MACRO`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpandMacroParams {
    /// The assembly file.
    pub(crate) text_document: TextDocumentIdentifier,
    /// A place in the call.
    pub(crate) position: Position,
}

/// Answer to [`EXPAND_MACRO`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpandedMacro {
    /// One statement a line, macros within the macro expanded too.
    pub(crate) text: String,
}

/// Answer to [`STATUS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    /// The server's version.
    pub(crate) version: String,
    /// The libLLVM in use; null while none is.
    pub(crate) llvm: Option<StatusLibrary>,
    /// Whether the search for one has not ended yet.
    pub(crate) searching: bool,
    /// The targets of the settings.
    pub(crate) targets: Vec<String>,
    /// How many compiles run or wait.
    pub(crate) compiling: usize,
    /// Why nothing is compiled, in words for the user; null where it is.
    pub(crate) message: Option<String>,
    /// What the open assembly files were taken for, in the order of their URIs.
    pub(crate) assembly: Vec<StatusAssembly>,
    /// What the open files with shaders are read as, in the order of their URIs.
    pub(crate) shaders: Vec<StatusShaders>,
}

/// A file with shaders in a [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusShaders {
    /// The document.
    pub(crate) uri: Uri,
    /// The dialect that is chosen and by what, or the readers that take the text, in one
    /// line for the user.
    pub(crate) message: String,
}

/// An assembly file in a [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusAssembly {
    /// The document.
    pub(crate) uri: Uri,
    /// The chip it is assembled for.
    pub(crate) target: String,
    /// What chose the chip.
    pub(crate) target_origin: AssemblyOrigin,
    /// The assembly language: `llvm` or `clrx`.
    pub(crate) dialect: String,
    /// All of it in one line for the user, with the reasons.
    pub(crate) message: String,
}

/// What chose the chip of an assembly file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AssemblyOrigin {
    /// A directive.
    Directive,
    /// The file that includes it.
    Includer,
    /// Its name.
    FileName,
    /// The setting `assembly.target`.
    Setting,
    /// Its instructions, most of which this chip has.
    Instructions,
    /// Nothing: it is assumed.
    Default,
}

/// A libLLVM in a [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusLibrary {
    /// The file.
    pub(crate) path: String,
    /// Its version.
    pub(crate) version: String,
    /// How it was found.
    pub(crate) origin: String,
}

/// Parameters of [`TEXT_DOCUMENT_CONTENT`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextDocumentContentParams {
    /// The virtual document.
    pub(crate) uri: Uri,
}

/// Answer to [`TEXT_DOCUMENT_CONTENT`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextDocumentContentResult {
    /// The document.
    pub(crate) text: String,
}

/// Server to client, of protocol 3.18: ask for a virtual document again.
pub(crate) enum TextDocumentContentRefresh {}

impl Request for TextDocumentContentRefresh {
    type Params = TextDocumentContentParams;
    type Result = ();
    const METHOD: &'static str = "workspace/textDocumentContent/refresh";
}
