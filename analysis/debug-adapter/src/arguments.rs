//! The arguments of requests, as far as they are read.

use serde::Deserialize;

/// The arguments of `launch`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The path of the file with the shader or kernel.
    pub program: String,
    /// The shader where the file holds several, from 1.
    pub shader: Option<usize>,
    /// The path of the file of inputs; without it what the file or project names, else zeros.
    pub inputs: Option<String>,
    /// A number from which the inputs of a shader are made up.
    pub seed: Option<u64>,
    /// The chip of a kernel that does not name one; of a shader the one that it is compiled for,
    /// so that its machine code runs beside it.
    pub target: Option<String>,
    /// The shader of the same file, from 1, that hands its vertices over to the one that is
    /// debugged where the chip runs both as one program; 0 for none.
    pub before: Option<usize>,
    /// The path of the file of inputs of that shader.
    pub before_inputs: Option<String>,
    /// The path of a listing that runs in place of what the shader is compiled to.
    pub machine_code: Option<String>,
    /// The kernel where the file holds several.
    pub kernel: Option<String>,
    /// Stop before the first instruction.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Run to the end without stopping.
    #[serde(default)]
    pub no_debug: bool,
    /// The word that an adapter on a port has printed.
    pub token: Option<String>,
    /// Mebibytes that recorded states may take; 64 unless said.
    pub recording_megabytes: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    pub(crate) path: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceBreakpoint {
    pub(crate) line: u32,
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
    pub(crate) log_message: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetBreakpoints {
    pub(crate) source: Source,
    #[serde(default)]
    pub(crate) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InstructionBreakpoint {
    pub(crate) instruction_reference: String,
    #[serde(default)]
    pub(crate) offset: i64,
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetInstructionBreakpoints {
    pub(crate) breakpoints: Vec<InstructionBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpoint {
    pub(crate) data_id: String,
    pub(crate) condition: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetDataBreakpoints {
    pub(crate) breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfo {
    pub(crate) variables_reference: Option<usize>,
    pub(crate) name: String,
    pub(crate) frame_id: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FilterOption {
    pub(crate) filter_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetExceptionBreakpoints {
    #[serde(default)]
    pub(crate) filters: Vec<String>,
    #[serde(default)]
    pub(crate) filter_options: Vec<FilterOption>,
}

/// The arguments of what moves a thread, and of what shows one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfThread {
    pub(crate) thread_id: usize,
    pub(crate) granularity: Option<String>,
    pub(crate) start_frame: Option<usize>,
    pub(crate) levels: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scopes {
    pub(crate) frame_id: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variables {
    pub(crate) variables_reference: usize,
    pub(crate) start: Option<usize>,
    pub(crate) count: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetVariable {
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    pub(crate) expression: String,
    pub(crate) frame_id: Option<usize>,
    pub(crate) context: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Disassemble {
    pub(crate) memory_reference: String,
    #[serde(default)]
    pub(crate) offset: i64,
    #[serde(default)]
    pub(crate) instruction_offset: i64,
    pub(crate) instruction_count: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadMemory {
    pub(crate) memory_reference: String,
    #[serde(default)]
    pub(crate) offset: i64,
    pub(crate) count: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BreakpointLocations {
    pub(crate) line: u32,
    pub(crate) end_line: Option<u32>,
}

/// The arguments of `tungsten/origins`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskOrigins {
    pub(crate) expression: String,
    pub(crate) frame_id: Option<usize>,
    pub(crate) follow: Option<String>,
}

/// The arguments of `tungsten/goTo`.
#[derive(Debug, Deserialize)]
pub(crate) struct GoTo {
    pub(crate) position: u64,
}
