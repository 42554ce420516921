//! Graphs of small programs.

use super::*;
use crate::Target;
use crate::code_lines::from_lines;

fn cfg(text: &str) -> Cfg {
    let target = Target::find("polaris10").expect("a chip");
    let code = from_lines(target, text).expect("assembles");
    Cfg::of(&code, &DefUse::of_all(&code, &source::no_checkpoint))
}

#[test]
fn branches_make_blocks_and_edges() {
    let cfg = cfg("s_cbranch_execz end\nv_nop\nend:\ns_endpgm\ns_nop 0");
    assert_eq!(cfg.blocks.len(), 4);
    let successors: Vec<Vec<usize>> =
        cfg.blocks.iter().map(|block| block.successors().collect()).collect();
    assert_eq!(successors, [vec![1, 2], vec![2], vec![], vec![]]);
    assert_eq!(cfg.blocks[2].predecessors, [0, 1]);
    assert_eq!(cfg.blocks[2].exit, Exit::End);
    assert!(!cfg.blocks[3].reachable);
    assert_eq!(cfg.reverse_postorder, [0, 1, 2]);
    assert_eq!(cfg.uncertainties, [(3, Uncertainty::RunsOut)]);
}

#[test]
fn loops_nest() {
    let cfg = cfg("outer:\ns_nop 0\ninner:\ns_nop 1\ns_cbranch_scc1 inner\n\
         s_cbranch_scc0 outer\ns_endpgm");
    assert_eq!(cfg.loops.len(), 2);
    let depths: Vec<u32> = (0..4).map(|block| cfg.depth(block)).collect();
    assert_eq!(depths, [1, 2, 1, 0]);
    assert_eq!(cfg.loops[0].parent, Some(1));
    assert_eq!(cfg.loops[0].latches, [1]);
    let inner: Vec<Option<u32>> = cfg.blocks.iter().map(|block| block.inner_loop).collect();
    assert_eq!(inner, [Some(1), Some(0), Some(1), None]);
}

#[test]
fn two_entries_of_a_loop_are_said() {
    let cfg = cfg("s_cbranch_scc1 second\nfirst:\ns_nop 0\nsecond:\ns_nop 1\n\
         s_cbranch_scc1 first\ns_endpgm");
    assert!(
        cfg.uncertainties.iter().any(|(_, uncertainty)| *uncertainty == Uncertainty::Irreducible)
    );
    assert_eq!(cfg.depth(2), 1);
}

#[test]
fn what_cannot_be_followed_is_said() {
    let cfg = cfg("s_swappc_b64 s[0:1], s[2:3]\ns_branch 100\ns_setpc_b64 s[4:5]");
    let uncertainties: Vec<Uncertainty> =
        cfg.uncertainties.iter().map(|(_, uncertainty)| *uncertainty).collect();
    assert_eq!(
        uncertainties,
        [Uncertainty::Call, Uncertainty::JumpOutside, Uncertainty::IndirectJump]
    );
    assert!(cfg.blocks.iter().all(|block| block.exit == Exit::Unknown));
    assert!(cfg.blocks[1].reachable && !cfg.blocks[2].reachable);
}

#[test]
fn no_code_has_no_blocks() {
    let cfg = cfg("");
    assert!(cfg.blocks.is_empty() && cfg.reverse_postorder.is_empty() && cfg.entries.is_empty());
}

#[test]
fn deep_nests_are_quick() {
    let mut text = String::new();
    for level in 0..5000 {
        text.push_str(&format!("l{level}:\ns_nop 0\n"));
    }
    for level in (0..5000).rev() {
        text.push_str(&format!("s_cbranch_scc1 l{level}\n"));
    }
    text.push_str("s_endpgm");
    let cfg = cfg(&text);
    assert_eq!(cfg.loops.len(), 5000);
    assert_eq!(cfg.depth(4999), 5000);
}
