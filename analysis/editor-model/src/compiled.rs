//! Compiled code, its costs and its comparisons, as editors and scripts read them: the
//! shapes are those of `PROTOCOL.md` and of `tungsten compile --json`.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use source::TextRange;

/// The freshness of compiled code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CompiledState {
    /// Of the current text.
    Fresh,
    /// Of an earlier text; a new one is on its way.
    Stale,
    /// Of an earlier text; the current one has errors or could not be compiled.
    Outdated,
    /// Nothing yet; the first compile is on its way.
    Pending,
    /// There is nothing to show.
    Unavailable,
}

/// The view that is shown of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewKind {
    /// Its machine code: a document of GCN assembly.
    #[default]
    Code,
    /// The LLVM IR that it is lowered to, before LLVM changes it.
    Ir,
    /// Its SPIR-V module as text.
    Spirv,
    /// The GLSL that virglrenderer makes of it for a host.
    Glsl,
    /// The verdict of each host about it.
    Hosts,
    /// Its bytes in the order of memory, each instruction with its offset.
    Hex,
    /// The binary tokens that a driver is handed.
    Tokens,
    /// Of an assembly file, whichever shader is named: the program without macros,
    /// includes and conditionals.
    Expanded,
    /// The values that hold registers where most are needed, with what would free them.
    Registers,
    /// The longest waits, each with the operations behind it.
    Waits,
    /// The code of several targets side by side.
    Targets,
    /// The pinned result beside the present one.
    Baseline,
}

impl ViewKind {
    /// Tells whether it shows what the compiler made.
    pub fn is_compiled(self) -> bool {
        !matches!(
            self,
            ViewKind::Ir
                | ViewKind::Spirv
                | ViewKind::Glsl
                | ViewKind::Hosts
                | ViewKind::Tokens
                | ViewKind::Expanded
        )
    }
}

/// Sizes and limits of compiled code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// Machine instructions.
    pub instructions: u32,
    /// Bytes of code, without padding behind the last instruction.
    pub bytes: u32,
    /// Vector registers used: the highest that an operand names, or more where
    /// inputs or an index reach further.
    pub vgprs: u32,
    /// Accumulation registers used: the highest that an operand names.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub agprs: u32,
    /// Vector registers of both kinds, where they share a file and there are some of each.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_vgprs: u32,
    /// Scalar registers used, VCC and the other implicit ones included.
    pub sgprs: u32,
    /// Bytes of local data share.
    pub lds: u32,
    /// Bytes of scratch memory per lane.
    pub scratch: u32,
    /// Vector registers spilled.
    pub spilled_vgprs: u32,
    /// Scalar registers spilled.
    pub spilled_sgprs: u32,
    /// Waves per SIMD. A workgroup counts as one wave.
    pub waves: u32,
    /// The limit that keeps the waves from being more: `waves` (the chip's own limit), `vgprs`,
    /// `agprs`, `sgprs`, `lds` or `groups`.
    pub limiter: String,
}

/// The sums of compiled code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompiledFigures {
    /// Its sizes and limits.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// Clocks of one run of a wave that is alone.
    pub clocks: u64,
    /// Clocks of a SIMD per wave, with as many waves as fit.
    pub inverse_throughput: u64,
}

/// The resources to give back for more waves. 0 where the resource is not an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Relief {
    /// The waves there would be.
    pub waves: u32,
    /// Vector registers to free.
    pub vgprs: u32,
    /// Accumulation registers to free.
    #[serde(skip_serializing_if = "is_zero")]
    pub agprs: u32,
    /// One of these two numbers is enough: the kinds share a file.
    #[serde(skip_serializing_if = "is_zero")]
    pub either_kind: bool,
    /// Scalar registers to free.
    pub sgprs: u32,
    /// Bytes of local data share to free.
    pub lds: u32,
}

impl Relief {
    /// Returns what there is to free, by the caller's words for a number of vector registers, of
    /// accumulation registers, of scalar registers and of bytes: `8 VGPRs and 16 SGPRs`. Empty
    /// where nothing is.
    pub fn words(&self, word: impl Fn(ReliefKind, u32) -> String) -> String {
        let kinds = [
            (ReliefKind::Vgprs, self.vgprs),
            (ReliefKind::Agprs, self.agprs),
            (ReliefKind::Sgprs, self.sgprs),
            (ReliefKind::Lds, self.lds),
        ];
        let mut text = String::new();
        for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
            if !text.is_empty() {
                let is_choice = self.either_kind && kind == ReliefKind::Agprs;
                text.push_str(if is_choice { " or " } else { " and " });
            }
            text.push_str(&word(kind, count));
        }
        text
    }
}

/// The resources that can be given back for more waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReliefKind {
    /// Vector registers.
    Vgprs,
    /// Accumulation registers.
    Agprs,
    /// Scalar registers.
    Sgprs,
    /// Bytes of local data share.
    Lds,
}

/// A number of waves and the registers that they leave each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OccupancyStep {
    /// Waves per SIMD.
    pub waves: u32,
    /// The most vector registers of a wave; of both kinds, where they share a file.
    pub vgprs: u32,
    /// The most scalar registers of a wave; `None` where the chip always allocates too many.
    pub sgprs: Option<u32>,
}

/// The workgroups that are on a compute unit as a whole. It reads as in
/// `as a whole 1 workgroup fits, 4 waves a SIMD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WholeGroups {
    /// Workgroups on a compute unit; 0 where no whole one fits, so that none can start.
    pub groups: u32,
    /// Their waves per SIMD, rounded up.
    pub waves: u32,
}

impl fmt::Display for WholeGroups {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { groups, waves } = self;
        match groups {
            0 => out.write_str("no whole workgroup fits: it cannot start"),
            1 => write!(out, "as a whole 1 workgroup fits, {waves} waves a SIMD"),
            groups => write!(out, "as a whole {groups} workgroups fit, {waves} waves a SIMD"),
        }
    }
}

/// The costs of the instructions of one line. As data it is an array of its numbers in this order,
/// without the range: a document has one for each line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCost {
    /// The line, from 0.
    pub line: u32,
    /// The statement, or all of them where several share the line.
    pub range: TextRange,
    /// The number of instructions that it became.
    pub instructions: u32,
    /// Clocks in which it issues, once.
    pub issue: u32,
    /// Clocks in which it waits before.
    pub stall: u32,
    /// The line that its longest wait is for.
    pub cause: Option<u32>,
    /// The most vector registers that are needed at once.
    pub vgprs: u16,
    /// The same of accumulation registers.
    pub agprs: u16,
    /// The same of scalar ones.
    pub sgprs: u16,
    /// True if nowhere in the code more vector registers are needed.
    pub peak: bool,
}

impl Serialize for LineCost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let LineCost { line, range: _, instructions, issue, stall, cause, .. } = *self;
        let LineCost { vgprs, agprs, sgprs, peak, .. } = *self;
        let peak = u8::from(peak);
        (line, instructions, issue, stall, cause, vgprs, agprs, sgprs, peak).serialize(serializer)
    }
}

/// The costs of a shader or kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeCosts {
    /// The kernel's label, or the shader's stage.
    pub name: String,
    /// The number of the shader or kernel in the document, from 0.
    pub number: usize,
    /// The place in the file: all lines that have code.
    #[serde(skip)]
    pub range: TextRange,
    /// The first of its lines, from 0.
    pub first_line: u32,
    /// The last of them.
    pub last_line: u32,
    /// The freshness of the machine code; assembly always is fresh.
    pub state: CompiledState,
    /// Its sums on its own chip, then on the others of the settings, as far as it is code there.
    pub chips: Vec<ChipCosts>,
    /// Its lines that became instructions, in order.
    pub lines: Vec<LineCost>,
}

/// The sums of a code on a chip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChipCosts {
    /// The chip.
    pub target: &'static str,
    /// Waves per SIMD.
    pub waves: u32,
    /// The whole workgroups that fit, where they have fewer waves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_groups: Option<WholeGroups>,
    /// The limit that keeps them from being more: `waves`, `vgprs`, `agprs`, `sgprs`, `lds`,
    /// `groups`.
    pub limiter: &'static str,
    /// Vector registers used, allocated, needed at once, and spare without losing a wave.
    pub vgprs: RegisterCosts,
    /// Accumulation registers in the same way, where the code names any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agprs: Option<RegisterCosts>,
    /// Vector registers of both kinds together, where they share a file and there are some of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_vgprs: Option<RegisterCosts>,
    /// Scalar registers in the same way.
    pub sgprs: RegisterCosts,
    /// The saving that gives one wave more; null where no saving gives one.
    pub relief: Option<Relief>,
    /// The registers that give each number of waves on this chip, from the most that it holds down
    /// to one.
    pub ladder: Vec<OccupancyStep>,
    /// Clocks of a wave that is alone.
    pub clocks: u64,
    /// Clocks of the shortest way with the nearest caches.
    pub best: u64,
    /// Clocks of the longest way with everything in memory.
    pub worst: u64,
    /// Clocks of a SIMD per wave, with as many waves as fit.
    pub inverse_throughput: u64,
    /// The bound of that: a unit, or `waves`.
    pub bound: &'static str,
}

/// Registers of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisterCosts {
    /// Used.
    pub used: u32,
    /// Allocated, in granules.
    pub allocated: u32,
    /// The most that hold something needed at once.
    pub peak: u32,
    /// So many more cost no wave.
    pub spare: u32,
}

/// A column of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedColumn {
    /// The target's name, `baseline` or `now`.
    pub label: String,
    /// The chip's name.
    pub target: &'static str,
    /// The freshness of the code; what was kept is fresh.
    pub state: CompiledState,
    /// The reason why there is none, or why it is not of the current text.
    pub message: Option<String>,
    /// Its sums; `None` where there is no code.
    pub figures: Option<CompiledFigures>,
}

/// A statement of the source with the code that it became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedStatement {
    /// Its line in the file, from 0; `None` where it is gone, and of shared code.
    pub line: Option<u32>,
    /// Its place in the file.
    #[serde(skip)]
    pub range: Option<TextRange>,
    /// Its words; `None` of code that several statements share.
    pub text: Option<String>,
    /// Its words in what was kept, where those were others.
    pub before: Option<String>,
    /// Its instructions, matched.
    pub rows: Vec<ComparedRow>,
}

/// Instructions that match each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedRow {
    /// The difference between the columns.
    pub change: Change,
    /// Per column its instruction; `None` where it has none here.
    pub cells: Vec<Option<ComparedInstruction>>,
}

/// A machine instruction in a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedInstruction {
    /// The address, in bytes from the start of the shader.
    pub offset: u32,
    /// Its text.
    pub text: String,
}

/// The difference between the columns of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
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

/// The origin of the choice of the chip of a file; the earlier ones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TargetOrigin {
    /// A directive of the file or of what it includes.
    Directive,
    /// The file that includes this one.
    Includer,
    /// The file's name.
    FileName,
    /// The setting for assembly files.
    Setting,
    /// Its instructions: more of them exist on this chip than on the one that is
    /// assumed otherwise.
    Instructions,
    /// Nothing: the first target that shaders are compiled for, or the default one.
    Default,
}

/// Tells whether a count has nothing to say.
fn is_zero<T: Default + PartialEq>(count: &T) -> bool {
    *count == T::default()
}
