//! Execution frequencies: the expected number of times that an instruction runs in one run of
//! the program.
//!
//! Nothing in machine code says it, so the guesses are ACO's, which makes our
//! sums comparable with a driver's: a loop runs 8 times, one inside it 4 times,
//! deeper ones twice; a branch that all lanes take alike is taken every second
//! time; a part that only some lanes run is entered three times out of four,
//! since it is entered when any lane wants it.
//!
//! Such parts are told by what compilers do to EXEC: it is saved, narrowed, and
//! at the end restored from where it was saved. Code that keeps EXEC in other ways
//! counts as run by all.

use super::super::code::{Code, Instruction};
use super::super::def_use::DefUse;
use super::super::register_set::{EXEC, VCC};
use crate::behaviour::{BranchCondition, Control, IssueClass};
use crate::instruction::form::InstDesc;
use crate::instruction::{Bank, Class};
use crate::mnemonics::Opcode;

/// The number of scalar registers that can hold a mask: numbered ones and VCC.
const MASKS: usize = VCC as usize + 1;
/// The level of a register that holds no mask.
const NONE: u16 = u16::MAX;

/// The execution frequency of an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weight {
    /// All in all.
    pub(super) runs: f64,
    /// If no branch passes over it.
    pub(super) most: f64,
}

/// The weight of every instruction.
pub(super) fn weights(code: &Code, def_use: &[DefUse]) -> Vec<Weight> {
    let count = code.instructions.len().min(def_use.len());
    let jumps = jumps(code, def_use);
    let loops = Loops::find(&jumps, count);
    let uniform = uniform_depths(&jumps, &loops, def_use, count);
    let divergent = divergent_depths(def_use);
    let weight = |index: usize| {
        let most = loop_factor(loops.depth[index]);
        let parts = 0.5_f64.powi(uniform[index].into()) * 0.75_f64.powi(divergent[index].into());
        Weight { runs: most * parts, most }
    };
    (0..count).map(weight).collect()
}

/// Returns how often the body of a loop of some depth is taken to run.
fn loop_factor(depth: u16) -> f64 {
    match depth {
        0 => 1.0,
        1 => 8.0,
        // Deeper than any real loop nest, the sum need not grow further.
        _ => 32.0 * 2.0_f64.powi(i32::from(depth.min(18)) - 2),
    }
}

/// Jumps within the code: from which instruction to which, in the order of the code.
fn jumps(code: &Code, def_use: &[DefUse]) -> Vec<(usize, usize)> {
    let place = |instruction: &Instruction| {
        let target = u32::try_from(Code::jump_target(instruction)).ok()?;
        let place = code.instructions.binary_search_by_key(&target, |it| it.offset).ok()?;
        (place < def_use.len()).then_some(place)
    };
    let jumping = code.instructions.iter().zip(def_use).enumerate().filter(|(_, (_, def_use))| {
        let control = def_use.desc.map(|desc| desc.control());
        matches!(control, Some(Control::Jump | Control::Branch(_)))
    });
    jumping.filter_map(|(index, (instruction, _))| Some((index, place(instruction)?))).collect()
}

/// Loops as stretches of code: from the target of a jump back to the last such jump.
struct Loops {
    /// The loop depth of each instruction.
    depth: Vec<u16>,
    /// The first instruction behind the innermost loop that it is in.
    end: Vec<usize>,
}

impl Loops {
    fn find(jumps: &[(usize, usize)], count: usize) -> Loops {
        let mut last = vec![None; count];
        for (from, to) in jumps.iter().filter(|(from, to)| to <= from) {
            last[*to] = last[*to].max(Some(*from));
        }
        let mut loops = Loops { depth: vec![0; count], end: vec![count; count] };
        // The ends of the loops around, the innermost last. A loop that ends behind the one
        // around it is no nest; it then ends with that one.
        let mut around: Vec<usize> = Vec::new();
        for (index, last) in last.into_iter().enumerate() {
            while around.last().is_some_and(|end| *end <= index) {
                around.pop();
            }
            if let Some(last) = last {
                around.push((last + 1).min(around.last().copied().unwrap_or(count)));
            }
            loops.depth[index] = u16::try_from(around.len()).unwrap_or(u16::MAX);
            loops.end[index] = around.last().copied().unwrap_or(count);
        }
        loops
    }
}

/// Inside how many parts an instruction is that a branch for all lanes passes over.
fn uniform_depths(
    jumps: &[(usize, usize)],
    loops: &Loops,
    def_use: &[DefUse],
    count: usize,
) -> Vec<u16> {
    let control = |index: usize| def_use.get(index)?.desc.map(|desc| desc.control());
    let mut change = vec![0_i64; count + 1];
    let mut part = |from: usize, to: usize| {
        if from < to {
            change[from] += 1;
            change[to] -= 1;
        }
    };
    for (from, to) in jumps.iter().copied() {
        let condition = match control(from) {
            Some(Control::Branch(condition)) => condition,
            _ => continue,
        };
        let lanes = matches!(condition, BranchCondition::ExecZero | BranchCondition::ExecNotZero);
        // Backwards it is a loop; out of the innermost loop it ends that.
        if lanes || to <= from || to >= loops.end[from] && loops.end[from] < count {
            continue;
        }
        part(from + 1, to);
        // What stands before the target may pass over the other side, or end.
        let end = match control(to - 1) {
            Some(Control::End) => Some(count),
            Some(Control::Jump) => {
                let own = jumps.binary_search_by_key(&(to - 1), |(from, _)| *from).ok();
                own.and_then(|own| jumps.get(own)).map(|(_, end)| *end)
            }
            _ => None,
        };
        if let Some(end) = end.filter(|end| *end > to && *end <= loops.end[from]) {
            part(to, end);
        }
    }
    let mut depth = 0;
    let depths = change.iter().take(count).map(|change| {
        depth += change;
        u16::try_from(depth).unwrap_or(0)
    });
    depths.collect()
}

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
    desc.class() == Class::Vector && desc.traits().writes_exec()
}

/// Tells whether an instruction keeps what EXEC was, and writes it.
fn saves_exec(desc: &InstDesc) -> bool {
    let wrexec = matches!(desc.opcode(), Opcode::s_andn1_wrexec_b64 | Opcode::s_andn2_wrexec_b64);
    desc.behaviour().issue == IssueClass::SaveExec && !wrexec
}

fn mask_step(def_use: &DefUse) -> MaskStep {
    let Some(desc) = def_use.desc else { return MaskStep::Keep };
    let scalars = |dwords| {
        move |access: &&super::super::def_use::Access| {
            access.register.bank == Bank::Scalar && access.register.dwords == dwords
        }
    };
    let mut writes = def_use.writes().iter().filter(scalars(2)).map(|it| it.register.first);
    let writes_exec = def_use.writes().iter().any(|access| access.register.is_exec());
    let result = writes.find(|first| *first != EXEC);
    let mut reads = def_use.reads().iter().filter(scalars(2)).map(|it| it.register.first);
    let source = def_use
        .reads()
        .iter()
        .filter(scalars(2))
        .map(|it| it.register.first)
        .find(|first| *first != EXEC);
    let reads_exec = reads.any(|first| first == EXEC);
    match (desc.opcode(), writes_exec, result, source) {
        (Opcode::s_or_saveexec_b64, _, copy, Some(from)) => MaskStep::Restore { from, copy },
        (Opcode::s_andn2_saveexec_b64, _, copy, Some(from)) => MaskStep::Invert { from, copy },
        (_, _, Some(into), _) if saves_exec(desc) => MaskStep::SaveAndNarrow { into },
        (Opcode::s_mov_b64, false, Some(into), None) if reads_exec => MaskStep::Save { into },
        (Opcode::s_mov_b64, false, Some(into), Some(from)) => MaskStep::Derive { from, into },
        (Opcode::s_mov_b64 | Opcode::s_or_b64, true, _, Some(from)) => {
            MaskStep::Restore { from, copy: None }
        }
        (Opcode::s_andn2_b64 | Opcode::s_xor_b64, true, _, Some(from)) if reads_exec => {
            // `exec, exec, mask` takes lanes away for good, `exec, mask, exec` is the rest.
            let first = def_use.reads().first().map(|access| access.register.first);
            if desc.opcode() == Opcode::s_xor_b64 || first == Some(from) {
                MaskStep::Invert { from, copy: None }
            } else {
                MaskStep::Keep
            }
        }
        (Opcode::s_and_b64, true, _, Some(with)) if reads_exec => MaskStep::Meet { with },
        (Opcode::s_and_b64, true, _, of) => MaskStep::Narrow { of },
        (_, true, _, _) if narrows_exec(desc) => MaskStep::Narrow { of: None },
        // Loops take the lanes that are done out of the saved ones.
        (
            Opcode::s_andn2_b64 | Opcode::s_xor_b64 | Opcode::s_and_b64 | Opcode::s_or_b64,
            false,
            Some(into),
            Some(from),
        ) if reads_exec || into == from => MaskStep::Derive { from, into },
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

/// Inside how many parts an instruction is that only some lanes run.
fn divergent_depths(def_use: &[DefUse]) -> Vec<u16> {
    let mut lanes = Lanes { saved: [NONE; MASKS], level: 0, after: 0, kept: false };
    let mut depths = Vec::with_capacity(def_use.len());
    for (index, own) in def_use.iter().enumerate() {
        let narrowed = lanes.step(mask_step(own));
        depths.push(lanes.level);
        if let Some(of) = narrowed {
            lanes.after = of.saturating_add(1).min(NONE - 1);
            lanes.kept = false;
            let rest = def_use.get(index + 1..).unwrap_or_default();
            if !branch_follows(rest) {
                lanes.level = lanes.after;
            }
        }
        if is_branch(own) {
            lanes.level = lanes.after;
            lanes.kept = false;
        }
    }
    depths
}

/// The masks that registers hold, as nesting levels of divergent regions.
struct Lanes {
    /// The level of the mask that a register holds.
    saved: [u16; MASKS],
    /// The level here.
    level: u16,
    /// The level behind the branch that follows, where one follows at once.
    after: u16,
    /// True if the mask was saved since the last branch: only then is narrowing the start of
    /// a part, and not the end of some lanes.
    kept: bool,
}

impl Lanes {
    fn get(&self, register: u16) -> Option<u16> {
        self.saved.get(usize::from(register)).copied().filter(|level| *level != NONE)
    }

    fn set(&mut self, register: u16, level: Option<u16>) {
        if let Some(place) = self.saved.get_mut(usize::from(register)) {
            *place = level.unwrap_or(NONE);
        }
    }

    /// Follows an instruction. Answers the level of the part of whose lanes only
    /// some go on.
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
            MaskStep::Restore { from, copy } => {
                let own = self.get(from);
                if let Some(copy) = copy {
                    self.set(copy, own);
                }
                if let Some(own) = own {
                    (self.level, self.after) = (own, own);
                }
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
    def_use.desc.is_some_and(|desc| desc.control() != Control::Next)
}

/// Tells whether nothing but waits stands before the next branch.
fn branch_follows(def_use: &[DefUse]) -> bool {
    let waits = |def_use: &&DefUse| {
        def_use.desc.is_some_and(|desc| matches!(desc.opcode(), Opcode::s_waitcnt | Opcode::s_nop))
    };
    let next = def_use.iter().find(|def_use| !waits(def_use));
    next.is_some_and(is_branch)
}

#[cfg(test)]
mod tests {
    use super::super::super::code::AddressCounts;
    use super::*;
    use crate::Target;

    fn weights_of(text: &str) -> Vec<f64> {
        let target = Target::find("polaris10").expect("a chip");
        let code = Code::from_lines(target, text, AddressCounts::Named).expect("assembles");
        let def_use = DefUse::of_all(&code, &text::no_checkpoint);
        weights(&code, &def_use).iter().map(|weight| weight.runs).collect()
    }

    #[test]
    fn loops_multiply() {
        let text = "a:\ns_nop 0\nb:\ns_nop 1\ns_cbranch_scc1 b\ns_cbranch_scc0 a\ns_endpgm";
        assert_eq!(weights_of(text), [8.0, 32.0, 32.0, 8.0, 1.0]);
    }

    #[test]
    fn both_sides_of_a_branch_for_all_lanes_are_halved() {
        let text = "s_cbranch_scc1 other\ns_nop 0\ns_branch end\nother:\ns_nop 1\nend:\ns_endpgm";
        assert_eq!(weights_of(text), [1.0, 0.5, 0.5, 0.5, 1.0]);
        // One side may end the wave.
        let text = "s_cbranch_scc1 other\ns_nop 0\ns_endpgm\nother:\ns_nop 1\ns_endpgm";
        assert_eq!(weights_of(text), [1.0, 0.5, 0.5, 0.5, 0.5]);
    }

    #[test]
    fn parts_for_some_lanes_end_where_exec_is_restored() {
        let aco = "s_and_saveexec_b64 s[0:1], vcc\ns_cbranch_execz inv\nv_nop\ninv:\n\
                   s_andn2_b64 exec, s[0:1], exec\ns_cbranch_execz end\nv_nop\nend:\n\
                   s_mov_b64 exec, s[0:1]\nv_nop";
        assert_eq!(weights_of(aco), [1.0, 1.0, 0.75, 1.0, 1.0, 0.75, 1.0, 1.0]);
        let llvm = "s_and_saveexec_b64 s[0:1], vcc\ns_xor_b64 s[0:1], exec, s[0:1]\nv_nop\n\
                    s_andn2_saveexec_b64 s[0:1], s[0:1]\ns_cbranch_execz end\nv_nop\nend:\n\
                    s_or_b64 exec, exec, s[0:1]\nv_nop";
        assert_eq!(weights_of(llvm), [1.0, 0.75, 0.75, 1.0, 1.0, 0.75, 1.0, 1.0]);
        let saved = "s_mov_b64 s[0:1], exec\nv_cmpx_lt_f32 vcc, v0, v1\nv_nop\n\
                     s_mov_b64 exec, s[0:1]\nv_nop";
        assert_eq!(weights_of(saved), [1.0, 1.0, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn helper_lanes_and_killed_lanes_are_no_parts() {
        let text = "s_mov_b64 s[6:7], exec\ns_wqm_b64 exec, exec\nv_nop\n\
                    s_and_b64 exec, exec, s[6:7]\nv_nop\ns_andn2_b64 exec, exec, vcc\nv_nop";
        assert_eq!(weights_of(text), [1.0; 7]);
    }
}
