//! Values that were followed by hand.

use super::*;
use crate::Target;
use crate::code_lines::from_lines;

fn dataflow(text: &str) -> Dataflow {
    let target = Target::find("polaris10").expect("a chip");
    Dataflow::of(from_lines(target, text).expect("assembles"), &source::no_checkpoint)
}

fn single(bank: Bank, first: u16) -> Register {
    Register { bank, first, dwords: 1 }
}

/// Returns the origins of the value that an instruction reads in a vector register.
fn origins(text: &str, instruction: u32, register: u16) -> Vec<Origin> {
    dataflow(text).origins(instruction, single(Bank::Vector, register))
}

fn by(instructions: &[u32]) -> Vec<Origin> {
    instructions.iter().map(|index| Origin::Instruction(*index)).collect()
}

/// The values of a register as the instructions that read and write each.
fn values(text: &str, register: Register) -> Vec<Vec<u32>> {
    let webs = dataflow(text).webs(register);
    let mut values = vec![Vec::new(); webs.webs.len()];
    for member in webs.members {
        values[member.web as usize].push(member.instruction);
    }
    values
}

#[test]
fn a_read_has_every_write_that_reaches_it() {
    let joined = "v_mov_b32 v1, 0\ns_cbranch_scc1 join\nv_mov_b32 v1, 1.0\njoin:\n\
                  v_add_f32 v2, v0, v1\ns_endpgm";
    assert_eq!(origins(joined, 3, 1), by(&[0, 2]));
    assert_eq!(origins(joined, 3, 0), [Origin::Entry(0)]);
    let around = "v_mov_b32 v1, 0\nagain:\nv_add_f32 v1, v1, v1\ns_cbranch_scc1 again\ns_endpgm";
    assert_eq!(origins(around, 1, 1), by(&[0, 1]));
}

#[test]
fn lanes_that_a_write_leaves_alone_keep_the_value_before() {
    // One side of a branch on lanes is written, and both are read behind it.
    let one_side = "v_mov_b32 v2, 0\nv_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
                    v_mov_b32 v2, 1.0\nv_mov_b32 v3, v2\ns_mov_b64 exec, s[0:1]\n\
                    exp mrt0 v2, v2, v2, v2 done vm\ns_endpgm";
    assert_eq!(origins(one_side, 6, 2), by(&[0, 3]));
    assert_eq!(origins(one_side, 4, 2), by(&[3]), "the lanes that were written read");
    // Both sides are written: nothing of the first is left.
    let both = "v_mov_b32 v2, 0\nv_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
                v_mov_b32 v2, 1.0\ns_andn2_b64 exec, s[0:1], exec\nv_mov_b32 v2, 2.0\n\
                s_mov_b64 exec, s[0:1]\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm";
    assert_eq!(origins(both, 7, 2), by(&[3, 5]));
    // One lane, one half: the rest stays.
    let lane = "v_mov_b32 v2, 0\nv_writelane_b32 v2, s0, 3\nv_mov_b32 v3, v2\ns_endpgm";
    assert_eq!(origins(lane, 2, 2), by(&[0, 1]));
}

#[test]
fn a_branch_on_lanes_tells_which_do_not_go_this_way() {
    // Behind the branch no lane is active: what is written there reaches nobody outside.
    let skipped = |branch: &str| {
        format!(
            "v_mov_b32 v2, 0\nv_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
             {branch} over\nv_mov_b32 v2, 1.0\nover:\nv_mov_b32 v3, v2\n\
             s_mov_b64 exec, s[0:1]\ns_endpgm"
        )
    };
    assert_eq!(origins(&skipped("s_cbranch_execz"), 5, 2), by(&[4]));
    assert_eq!(origins(&skipped("s_cbranch_execnz"), 5, 2), by(&[0]));
    assert_eq!(origins(&skipped("s_cbranch_scc1"), 5, 2), by(&[0, 4]));
    assert_eq!(origins(&skipped("s_cbranch_vccz"), 5, 2), by(&[4]));
}

#[test]
fn what_a_lane_may_not_get_from_another_stays() {
    let quad = "v_mov_b32 v2, 0\nv_mov_b32_dpp v2, v1 quad_perm:[1,1,3,3] row_mask:0xf \
                bank_mask:0xf\nv_mov_b32 v3, v2\ns_endpgm";
    assert_eq!(origins(quad, 2, 2), by(&[0, 1]));
    let bound = quad.replace("bank_mask:0xf", "bank_mask:0xf bound_ctrl:0");
    assert_eq!(origins(&bound, 2, 2), by(&[1]));
}

#[test]
fn code_that_is_not_seen_may_read_and_write_everything() {
    let call = "s_mov_b32 s4, 0\ns_swappc_b64 s[0:1], s[2:3]\ns_mov_b32 s5, s4\ns_endpgm";
    let cfg = dataflow(call);
    let register = single(Bank::Scalar, 4);
    assert_eq!(cfg.origins(2, register), [Origin::Instruction(0), Origin::Call(1)]);
    let webs = cfg.webs(register);
    assert_eq!(webs.webs, [Web { given: vec![Origin::Call(1)], leaves: Some(1) }]);
    // What a register leads to may be any place that nothing else does.
    let jump = "s_mov_b32 s4, 0\ns_setpc_b64 s[0:1]\ns_mov_b32 s5, s4\ns_endpgm";
    assert_eq!(dataflow(jump).origins(2, register), [Origin::Entry(2)]);
    let trap = "s_mov_b32 s4, 0\ns_trap 2\ns_endpgm";
    assert_eq!(dataflow(trap).webs(register).webs[0].leaves, Some(1));
}

#[test]
fn values_are_apart_where_no_read_has_both() {
    let text = "v_mov_b32 v1, 0\nv_add_f32 v2, v1, v1\nv_mov_b32 v1, 1.0\ns_cbranch_scc1 join\n\
                v_mov_b32 v1, 2.0\njoin:\nv_add_f32 v3, v1, v2\nv_mov_b32 v1, 0\ns_endpgm";
    let found = values(text, single(Bank::Vector, 1));
    assert_eq!(found, [vec![0, 1, 1], vec![2, 4, 5], vec![6]]);
    let pair =
        "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_mov_b32 s5, 0\ns_add_u32 s6, s4, s5\ns_endpgm";
    assert_eq!(values(pair, single(Bank::Scalar, 4)), [vec![0, 2]]);
    assert_eq!(values(pair, single(Bank::Scalar, 5)), [vec![0], vec![1, 2]]);
}
