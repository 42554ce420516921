//! Explanations of costs as scripts read them: the shapes are those of `tungsten why --format
//! json`. Lines count from 1.

use serde::Serialize;

/// The values behind the pressure of a code, and the operations behind its waits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The pressure of each kind of register at the instruction that is explained.
    pub registers: Vec<ExplainedPressure>,
    /// The values that hold them, kind by kind; those first that would free most.
    pub values: Vec<ExplainedValue>,
    /// The waits, the longest first.
    pub stalls: Vec<ExplainedWait>,
    /// Local data share and scratch memory, as far as the code has them.
    pub memories: Vec<ExplainedMemory>,
}

/// Memory that a code has: of a workgroup, or of each lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedMemory {
    /// The kind: `lds`, `scratch`.
    pub kind: &'static str,
    /// Its bytes.
    pub bytes: u32,
    /// The waves that fit.
    pub waves: u32,
    /// The waves that would fit without it.
    pub without: u32,
    /// The bytes to free for one wave more; 0 where they are no obstacle.
    pub excess: u32,
    /// The registers that the compiler spilled to it.
    pub spilled: u32,
    /// The statements that declare it.
    pub declared: Vec<ExplainedDeclaration>,
    /// The instructions that reach it.
    pub accesses: Vec<ExplainedAccess>,
    /// Clocks for which a lone wave waits for their results.
    pub waited: u32,
}

/// A statement that declares memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedDeclaration {
    /// Its line.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// An instruction that reaches memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedAccess {
    /// The instruction.
    #[serde(flatten)]
    pub at: Place,
    /// The kind: `reads`, `writes`, `changes`.
    pub effect: &'static str,
    /// Bytes for each lane, where the opcode says it; else 0.
    pub bytes: u32,
    /// The distances that it adds to its address.
    pub offsets: Vec<u32>,
}

/// An instruction and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line; null for what the compiler added and for what stands in another file.
    pub line: Option<u32>,
    /// Bytes from the start of the code.
    pub offset: u32,
    /// The instruction.
    pub text: String,
}

/// The pressure of a kind of register at an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedPressure {
    /// The kind: `vgprs`, `agprs`, `sgprs`.
    pub kind: &'static str,
    /// The instruction.
    pub at: Place,
    /// The registers that are needed at once there: the sum over its values.
    pub here: u32,
    /// The most that are needed at once anywhere.
    pub peak: u32,
    /// The registers that are used.
    pub used: u32,
    /// The registers that are allocated, in granules.
    pub allocated: u32,
    /// The registers to free for one wave more; 0 where they are no obstacle.
    pub excess: u32,
    /// The values for which no change was tried, as the code is too long.
    pub untried: usize,
    /// Set where no change was tried, as control or operands depend on what is not seen.
    pub opaque: bool,
}

/// A value that holds registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedValue {
    /// The kind of register.
    pub kind: &'static str,
    /// The registers, as assemblers write them, with blanks between.
    pub register: String,
    /// The number of them.
    pub registers: u32,
    /// The line that makes it first; null where it is there from the start or made by no line.
    pub from: Option<u32>,
    /// The line that reads it last, in the order of the text.
    pub to: Option<u32>,
    /// The instructions that may have made it.
    pub made: Vec<Place>,
    /// Set where it may be there from the start.
    pub from_start: bool,
    /// The instruction that reads it last.
    pub read: Option<Place>,
    /// The registers by which the best change lowers the peak.
    pub gain: u32,
    /// The changes that free some of them, the best first.
    pub savings: Vec<ExplainedSaving>,
}

/// A change that frees registers: by the live ranges of the code with this one change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedSaving {
    /// The kind: `later`, `again`, `earlier`, `narrower`.
    pub change: &'static str,
    /// The instruction that moves, is repeated or writes less.
    pub instruction: Place,
    /// The instructions before which it would stand.
    pub before: Vec<Place>,
    /// The registers that it frees at the instruction that is explained.
    pub here: u32,
    /// The registers by which the peak falls.
    pub gain: u32,
    /// The peak that is left.
    pub peak: u32,
    /// The waves that fit, where the allocation falls by as much as the peak.
    pub waves: u32,
    /// Clocks of issue that it adds to a run.
    pub clocks: i64,
    /// Set where what moves is a load, whose wait moves with it.
    pub load: bool,
}

/// A wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedWait {
    /// The instruction that waits.
    pub at: Place,
    /// Clocks that it waits.
    pub stall: u32,
    /// The thing that it waits for: `result`, `matrix`, `valu`; null where it waits for nothing.
    #[serde(rename = "for")]
    pub kind: Option<&'static str>,
    /// Clocks of the last result that other work hid already.
    pub hidden: u32,
    /// Waves on the SIMD with which it would be hidden.
    pub waves: u32,
    /// The number of instructions between the producer and the wait.
    pub between: u32,
    /// The results that it waits for.
    pub awaited: Vec<ExplainedResult>,
    /// The chain of operations to the one that comes last.
    pub chain: Vec<ExplainedResult>,
    /// Instructions behind it that could stand before it.
    pub movable: Vec<Place>,
    /// Clocks of issue of those.
    pub movable_clocks: u32,
    /// Instructions before the last producer that it could be issued before.
    pub passable: Vec<Place>,
    /// Clocks of issue of those.
    pub passable_clocks: u32,
}

/// A result that is waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedResult {
    /// The instruction that it is of.
    #[serde(flatten)]
    pub producer: Place,
    /// Clocks from its issue until it is there.
    pub latency: u32,
    /// Clocks of these that are waited.
    pub waited: u32,
}
