//! Analyses of machine code: control flow, liveness, waits, hazards, clocks.
//!
//! The input is [`Code`]: machine code without positions, wherever it came from, so that a
//! hand-written kernel, a compiled shader and a listing are checked by the same rules, and
//! an edit that leaves a kernel's dwords alone leaves its costs alone. Nothing here knows a
//! program, an assembler or an editor. The passes build on each other:
//!
//! 1. [`DefUse`]: the registers that an instruction uses and defines;
//! 2. [`Cfg`]: basic blocks, edges, loops;
//! 3. [`Liveness`]: live ranges, for vector registers by the classes of lanes that the
//!    divergence analysis tells apart;
//! 4. [`waits()`]: waits that are missing, and those for more than is needed;
//! 5. [`hazards()`]: producers and consumers without the wait states between them;
//! 6. [`timing`]: issue and stall clocks, the causes of stalls, sums;
//! 7. [`Dataflow`]: the definitions that reach a use, and webs of uses and definitions;
//! 8. [`Report`]: the costs in one place, with the waves that fit;
//! 9. [`Explainer`]: the values behind a pressure and the operations behind a wait, with what
//!    would free or hide them.
//!
//! [`check`] gathers the diagnostics, which are plain data: who shows them knows where an
//! instruction stands in a text.

mod cancellation;
mod cfg;
mod check;
mod clauses;
mod code;
mod dataflow;
mod def_use;
mod diagnostic;
mod divergence;
mod explain;
mod gapped;
mod gaps;
mod hazards;
mod image_address;
mod live_across;
mod liveness;
mod register_set;
mod register_use;
mod report;
mod shift_amount;
mod stale_vccz;
#[cfg(test)]
mod tests;
pub mod timing;
mod waitcnt;

pub use crate::behaviour::{BranchCondition, Control};
pub use crate::instruction::code::{EXEC, FLAT_SCRATCH, FLAT_SCRATCH_GFX7, M0, SCC, VCC};
pub(crate) use cancellation::CancelTicker;
pub(crate) use cfg::has_target;
pub use cfg::{Block, Cfg, Edge, Exit, Loop, Uncertainty};
pub use check::check;
pub use code::{AddressCounts, Code, Gap, GapKind, Instruction, ReadLine, image_address};
pub use dataflow::{Dataflow, Member, MemberKind, Origin, Web, Webs};
pub use def_use::{Access, AccessKind, DefUse};
pub(crate) use def_use::{sets_index_mode, unnamed_of};
pub use diagnostic::{Change, InstDiagnostic, InstFix};
pub use explain::{
    AwaitedResult, Explainer, HeldValue, Link, RegisterPressure, Saving, SavingKind,
    WaitExplanation, longest_waits, peak_of,
};
pub use gapped::check_with_gaps;
pub use hazards::hazards;
pub(crate) use image_address::source_address;
pub use isa::gcn::InstDesc;
pub use live_across::LiveAcross;
pub use liveness::{Liveness, Moment, Pressure};
pub use register_set::RegisterSet;
pub use register_use::{RegisterUse, register_use};
pub use report::{Declared, InstructionCost, Options, Report, analyse, compare, usage};
pub use waitcnt::{CounterState, InFlight, PathWaits, waits};
