//! Execution frequencies: the expected number of times that an instruction runs in one run of
//! the program.
//!
//! Nothing in machine code says it, so the guesses are ACO's, which makes our
//! sums comparable with a driver's: a loop runs 8 times, one inside it 4 times,
//! deeper ones twice; a branch that all lanes take alike is taken every second
//! time; a divergent region, which only some lanes run, is entered three times out of four,
//! since it is entered when any lane wants it. A branch to the end of a wave whose lanes are
//! all killed makes no parts.
//!
//! Divergent regions are told by what compilers do to EXEC: it is saved, narrowed, and
//! at the end restored from where it was saved; or the branch over the region leads to its
//! end. Code that keeps EXEC in other ways counts as run by all.

mod divergent_regions;

use super::super::cfg::{Block, Cfg};
use super::super::def_use::DefUse;
use crate::Target;
use crate::behaviour::{BranchCondition, Control, Unit};
use crate::encoding::Encoding;
use crate::instruction::{Field, Layout, field};
use crate::mnemonics::Opcode;
pub(super) use divergent_regions::{Regions, divergent_regions};

/// The execution frequency of an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weight {
    /// All in all.
    pub(super) runs: f64,
    /// If no branch passes over it.
    pub(super) most: f64,
}

/// The weight of every instruction, and the regions by which some differ.
pub(super) fn weights(cfg: &Cfg, def_use: &[DefUse], target: Target) -> (Vec<Weight>, Regions) {
    let count = def_use.len();
    let mut jumps = jumps(cfg, def_use);
    let regions = divergent_regions(def_use, &jumps);
    let loops = Loops::find(&jumps, count);
    let exported = field(Layout::Of(Encoding::Exp), target.features(), "en");
    jumps.retain(|(_, to)| !is_way_out(&def_use[*to..], exported));
    let uniform = uniform_depths(&jumps, &loops, def_use, count);
    let weight = |index: usize| {
        let most = loop_factor(loops.depth[index]);
        let divergent = regions.depths[index].into();
        let parts = 0.5_f64.powi(uniform[index].into()) * 0.75_f64.powi(divergent);
        Weight { runs: most * parts, most }
    };
    ((0..count).map(weight).collect(), regions)
}

/// Tells whether nothing is done any more but to end the wave, with an export of nothing.
/// `exported` is the field of the components that an export has.
fn is_way_out(def_use: &[DefUse], exported: Option<&Field>) -> bool {
    let is_empty = |own: &&DefUse| {
        let exports = own.desc.is_some_and(|desc| desc.behaviour().unit == Unit::Export);
        exports && exported.is_some_and(|field| field.value(own.bits) == 0)
    };
    let clears = |own: &&DefUse| {
        own.is(Opcode::s_mov_b64) && own.writes().iter().any(|access| access.register.is_exec())
    };
    let mut rest = def_use.iter().skip_while(clears);
    rest.next().as_ref().is_some_and(is_empty)
        && rest.next().is_some_and(|own| own.control() == Control::End)
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
fn jumps(cfg: &Cfg, def_use: &[DefUse]) -> Vec<(usize, usize)> {
    let jump = |block: &Block| {
        let from = block.end as usize - 1;
        let to = cfg.blocks[block.edges[1]?.to as usize].first as usize;
        let jumps = matches!(def_use[from].control(), Control::Jump | Control::Branch(_));
        jumps.then_some((from, to))
    };
    cfg.blocks.iter().filter_map(jump).collect()
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
        // around it is not a nest; it then ends with that one.
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

/// Counts the regions around each instruction that a uniform branch skips.
fn uniform_depths(
    jumps: &[(usize, usize)],
    loops: &Loops,
    def_use: &[DefUse],
    count: usize,
) -> Vec<u16> {
    // Differences of depths: a region adds one where it begins and takes it where it ends.
    let mut change = vec![0_i64; count + 1];
    let mut part = |from: usize, to: usize| {
        if from < to {
            change[from] += 1;
            change[to] -= 1;
        }
    };
    for (from, to) in jumps.iter().copied() {
        let Control::Branch(condition) = def_use[from].control() else { continue };
        let lanes = matches!(condition, BranchCondition::ExecZero | BranchCondition::ExecNotZero);
        // Backwards it is a loop; out of the innermost loop it ends that.
        if lanes || to <= from || to >= loops.end[from] && loops.end[from] < count {
            continue;
        }
        part(from + 1, to);
        // What stands before the target may pass over the other side, or end.
        let end = match def_use[to - 1].control() {
            Control::End => Some(count),
            Control::Jump => {
                let own = jumps.binary_search_by_key(&(to - 1), |(from, _)| *from).ok();
                own.map(|own| jumps[own].1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_lines::from_lines;

    fn weights_of(text: &str) -> Vec<f64> {
        weights_on("polaris10", text)
    }

    fn weights_on(chip: &str, text: &str) -> Vec<f64> {
        let target = Target::find(chip).expect("a chip");
        let code = from_lines(target, text).expect("assembles");
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let (weights, _) = weights(&Cfg::of(&code, &def_use), &def_use, target);
        weights.iter().map(|weight| weight.runs).collect()
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

    #[test]
    fn killed_waves_leave_without_making_parts() {
        let text = "s_andn2_b64 exec, exec, vcc\ns_cbranch_scc0 out\nv_nop\ns_endpgm\nout:\n\
                    exp null off, off, off, off done vm\ns_endpgm";
        assert_eq!(weights_of(text), [1.0; 6]);
        // What exports something is another end of the program.
        let text = text.replace("null off", "mrt0 v0");
        assert_eq!(weights_of(&text), [1.0, 1.0, 0.5, 0.5, 0.5, 0.5]);
    }

    #[test]
    fn a_mask_that_is_not_restored_ends_with_the_branch() {
        let text = "s_and_saveexec_b64 s[0:1], vcc\ns_cbranch_execz end\nv_nop\nend:\ns_endpgm";
        assert_eq!(weights_of(text), [1.0, 1.0, 0.75, 1.0]);
        let text = "s_mov_b64 s[0:1], exec\nv_cmpx_lt_f32 vcc, v0, v1\ns_cbranch_execz inv\n\
                    v_nop\ninv:\ns_andn2_b64 exec, s[0:1], exec\ns_cbranch_execz end\nv_nop\n\
                    end:\ns_endpgm";
        assert_eq!(weights_of(text), [1.0, 1.0, 1.0, 0.75, 1.0, 1.0, 0.75, 1.0]);
    }

    #[test]
    fn all_lanes_awake_are_no_part() {
        let text = "s_or_saveexec_b64 s[0:1], -1\nv_nop\ns_mov_b64 exec, s[0:1]\nv_nop";
        assert_eq!(weights_of(text), [1.0; 4]);
    }

    #[test]
    fn stages_of_one_program_are_parts() {
        let text = "s_cselect_b64 exec, -1, s[4:5]\ns_cbranch_execz next\nv_nop\nnext:\n\
                    s_cselect_b64 exec, -1, s[6:7]\ns_cbranch_execz end\nv_nop\nend:\ns_endpgm";
        assert_eq!(weights_on("vega10", text), [1.0, 1.0, 0.75, 1.0, 1.0, 0.75, 1.0]);
    }
}
