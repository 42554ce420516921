//! Divergent regions, told by what compilers do to EXEC.

use std::ops::Range;

use crate::analysis::def_use::{Access, DefUse};
use crate::analysis::divergence::mask_writes::MaskOperation::{Move, Plain, SaveExec};
use crate::analysis::divergence::mask_writes::{AND, ANDN2, OR, XOR, operation};
use crate::behaviour::{BranchCondition, Control};
use crate::instruction::code::{EXEC, VCC};
use crate::instruction::form::InstDesc;
use crate::instruction::{Bank, Class};
use crate::mnemonics::Opcode;

/// The number of scalar registers that can hold a mask: numbered ones and VCC.
const MASKS: usize = VCC as usize + 1;

/// The effect of an instruction on the mask of active lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MaskStep {
    /// Keeps a copy.
    Save { into: u16 },
    /// Keeps a copy, and fewer lanes go on.
    SaveAndNarrow { into: u16 },
    /// Fewer lanes go on of those that a register holds, or of those that are active.
    Narrow { of: Option<u16> },
    /// Lanes of a register go on that are active.
    Meet { with: u16 },
    /// The first lanes go on, as many as the wave has of a stage that runs in one program with
    /// another.
    First,
    /// The lanes of a register go on.
    Restore { from: u16, copy: Option<u16> },
    /// Goes on with the lanes of a register that are not active: the else side.
    Invert { from: u16, copy: Option<u16> },
    /// A register takes part of what another holds.
    Derive { from: u16, into: u16 },
    /// A register loses what it held.
    Forget { register: u16, dwords: u8 },
    /// Nothing.
    Keep,
}

/// Tells whether an instruction is a compare that writes EXEC without naming it.
fn narrows_exec(desc: &InstDesc) -> bool {
    desc.class() == Class::Vector && desc.flags().writes_exec()
}

/// The first registers of scalar pairs.
fn pairs(accesses: &[Access]) -> impl Iterator<Item = u16> {
    let registers = accesses.iter().map(|access| access.register);
    registers.filter(|it| it.bank == Bank::Scalar && it.dwords == 2).map(|it| it.first)
}

fn mask_step(def_use: &DefUse) -> MaskStep {
    let Some(desc) = def_use.desc else { return MaskStep::Keep };
    let mut writes = pairs(def_use.writes());
    let writes_exec = def_use.writes().iter().any(|access| access.register.is_exec());
    let result = writes.find(|first| *first != EXEC);
    let source = pairs(def_use.reads()).find(|first| *first != EXEC);
    let reads_exec = pairs(def_use.reads()).any(|first| first == EXEC);
    if writes_exec && def_use.is(Opcode::s_cselect_b64) {
        return MaskStep::First;
    }
    match (operation(desc.opcode()), writes_exec, result, source) {
        (Some(SaveExec(OR)), _, copy, Some(from)) => MaskStep::Restore { from, copy },
        (Some(SaveExec(ANDN2)), _, copy, Some(from)) => MaskStep::Invert { from, copy },
        // With a constant all lanes go on, or none.
        (Some(SaveExec(_)), _, Some(into), None) => MaskStep::Save { into },
        (Some(SaveExec(_)), _, Some(into), Some(_)) => MaskStep::SaveAndNarrow { into },
        (Some(Move), false, Some(into), None) if reads_exec => MaskStep::Save { into },
        (Some(Move), false, Some(into), Some(from)) => MaskStep::Derive { from, into },
        (Some(Move | Plain(OR)), true, _, Some(from)) => MaskStep::Restore { from, copy: None },
        (Some(Plain(table @ (ANDN2 | XOR))), true, _, Some(from)) if reads_exec => {
            // `exec, exec, mask` takes lanes away for good, `exec, mask, exec` is the rest.
            let first = def_use.reads().first().map(|access| access.register.first);
            if table == XOR || first == Some(from) {
                MaskStep::Invert { from, copy: None }
            } else {
                MaskStep::Keep
            }
        }
        (Some(Plain(AND)), true, _, Some(with)) if reads_exec => MaskStep::Meet { with },
        (Some(Plain(AND)), true, _, of) => MaskStep::Narrow { of },
        (_, true, _, _) if narrows_exec(desc) => MaskStep::Narrow { of: None },
        // Loops take the lanes that are done out of the saved ones.
        (Some(Plain(ANDN2 | XOR | AND | OR)), false, Some(into), Some(from))
            if reads_exec || into == from =>
        {
            MaskStep::Derive { from, into }
        }
        (_, false, _, _) => {
            match def_use.writes().iter().find(|it| it.register.bank == Bank::Scalar) {
                Some(access) => MaskStep::Forget {
                    register: access.register.first,
                    dwords: access.register.dwords,
                },
                None => MaskStep::Keep,
            }
        }
        _ => MaskStep::Keep,
    }
}

/// The divergent regions of a code.
#[derive(Debug, Default)]
pub(in crate::analysis::timing) struct Regions {
    /// The number of regions around each instruction.
    pub(in crate::analysis::timing) depths: Vec<u16>,
    /// Regions that no branch passes over though no lane may be in them: the compiler found the
    /// branch not worth it.
    pub(in crate::analysis::timing) unbranched: Vec<Range<usize>>,
}

/// Finds the divergent regions. `jumps` are the jumps within the code, in its order.
pub(in crate::analysis::timing) fn divergent_regions(
    def_use: &[DefUse],
    jumps: &[(usize, usize)],
) -> Regions {
    let mut lanes = Lanes { saved: [None; MASKS], level: 0, after: 0, kept: false };
    let mut regions = Regions::default();
    // Where branches over regions lead, with the level around: the innermost is the last.
    let mut ends: Vec<(usize, u16)> = Vec::new();
    // Regions without a branch that have begun: where, and the level around.
    let mut open: Vec<(usize, u16)> = Vec::new();
    let mut jumps = jumps.iter().copied().peekable();
    for (index, own) in def_use.iter().enumerate() {
        // A mask that nobody needs any more is not restored: the region ends all the same.
        while let Some((_, level)) = ends.pop_if(|end| end.0 <= index) {
            if level < lanes.level {
                (lanes.level, lanes.after) = (level, level);
            }
        }
        let narrowed = lanes.step(mask_step(own));
        while let Some((first, _)) = open.pop_if(|region| region.1 >= lanes.level) {
            regions.unbranched.push(first..index);
        }
        regions.depths.push(lanes.level);
        if let Some(of) = narrowed {
            lanes.after = of.saturating_add(1).min(u16::MAX - 1);
            lanes.kept = false;
            let rest = def_use.get(index + 1..).unwrap_or_default();
            if !branch_follows(rest) {
                open.push((index + 1, of));
                lanes.level = lanes.after;
            }
        }
        let jump = jumps.next_if(|(from, _)| *from == index);
        if is_branch(own) {
            let end = jump.filter(|(from, to)| passes_over_lanes(own) && to > from);
            if let Some((_, to)) = end.filter(|_| lanes.after > lanes.level) {
                ends.push((to, lanes.level));
            }
            lanes.level = lanes.after;
            lanes.kept = false;
        }
    }
    regions
}

/// The masks that registers hold, as nesting levels of divergent regions.
struct Lanes {
    /// The level of the mask that a register holds, if it holds one.
    saved: [Option<u16>; MASKS],
    /// The level here.
    level: u16,
    /// The level behind the branch that follows, where one follows at once.
    after: u16,
    /// True if the mask was saved since the last branch and not restored: only then is narrowing the start of
    /// a part, and not the end of some lanes.
    kept: bool,
}

impl Lanes {
    fn get(&self, register: u16) -> Option<u16> {
        self.saved.get(usize::from(register)).copied().flatten()
    }

    fn set(&mut self, register: u16, level: Option<u16>) {
        if let Some(place) = self.saved.get_mut(usize::from(register)) {
            *place = level;
        }
    }

    /// Follows an instruction. Returns the level of the region of whose lanes only some go
    /// on.
    fn step(&mut self, step: MaskStep) -> Option<u16> {
        match step {
            MaskStep::Save { into } => {
                self.set(into, Some(self.after));
                self.kept = true;
                None
            }
            MaskStep::SaveAndNarrow { into } => {
                self.set(into, Some(self.after));
                Some(self.after)
            }
            MaskStep::Narrow { of } => {
                let of = of.and_then(|of| self.get(of)).filter(|of| *of <= self.after);
                of.or(self.kept.then_some(self.after))
            }
            // With a mask of this level, or of one around, no part begins: helper lanes
            // leave, or some end.
            MaskStep::Meet { with } => {
                let part = self.get(with).is_none() && self.kept;
                part.then_some(self.after)
            }
            MaskStep::First => Some(self.level),
            MaskStep::Restore { from, copy } => {
                let own = self.get(from);
                if let Some(copy) = copy {
                    self.set(copy, own);
                }
                if let Some(own) = own {
                    (self.level, self.after) = (own, own);
                }
                self.kept = false;
                None
            }
            MaskStep::Invert { from, copy } => {
                let own = self.get(from);
                if let Some(copy) = copy {
                    self.set(copy, own);
                }
                self.level = own.unwrap_or(self.level);
                own
            }
            MaskStep::Derive { from, into } => {
                self.set(into, self.get(from));
                None
            }
            MaskStep::Forget { register, dwords } => {
                for register in (register..).take(usize::from(dwords)) {
                    self.set(register, None);
                }
                None
            }
            MaskStep::Keep => None,
        }
    }
}

fn is_branch(def_use: &DefUse) -> bool {
    def_use.control() != Control::Next
}

/// Tells whether a branch is taken where no lane is active.
fn passes_over_lanes(def_use: &DefUse) -> bool {
    def_use.control() == Control::Branch(BranchCondition::ExecZero)
}

/// Tells whether nothing but waits stands before the next branch.
fn branch_follows(def_use: &[DefUse]) -> bool {
    let waits = |def_use: &&DefUse| def_use.is(Opcode::s_waitcnt) || def_use.is(Opcode::s_nop);
    let next = def_use.iter().find(|def_use| !waits(def_use));
    next.is_some_and(is_branch)
}
