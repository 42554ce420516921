//! Explanations of programs whose live ranges are counted by hand.

use expect_test::{Expect, expect};

use super::*;
use crate::Target;
use crate::analysis::{Code, Options, Origin, Report, analyse};
use crate::code_lines::from_lines;
use crate::instruction::{Bank, Register};

fn analysed(chip: &str, text: &str) -> (Code, Report) {
    let target = Target::find(chip).expect("a chip");
    let code = from_lines(target, text).expect("assembles");
    let report = analyse(&code, &Options::default(), &source::no_checkpoint);
    (code, report)
}

fn explained(chip: &str, bank: Bank, text: &str) -> (Code, Report, RegisterPressure) {
    let (code, report) = analysed(chip, text);
    let at = peak_of(&report, bank).expect("a peak");
    let found = explainer(&code, &report).registers(bank, at);
    (code, report, found.expect("an explanation"))
}

fn explainer<'a>(code: &'a Code, report: &'a Report) -> Explainer<'a> {
    Explainer::new(code, report, Options::default().timing, &source::no_checkpoint)
}

/// Writes an explanation, instructions by number.
fn written(report: &Report, found: &RegisterPressure) -> String {
    let mut out = format!("{}: {} of {}\n", found.instruction, found.here, found.peak);
    for value in &found.values {
        let names: Vec<String> =
            value.registers.registers().map(|it| it.name(report.target)).collect();
        let origins = value.origins.iter().map(|origin| match origin {
            Origin::Entry(_) => "start".to_owned(),
            Origin::Call(at) => format!("call {at}"),
            Origin::Instruction(at) => at.to_string(),
        });
        let origins: Vec<String> = origins.collect();
        out += &format!("{} of {}, read {:?}", names.join(" "), origins.join("+"), value.reads);
        for saving in &value.savings {
            out += &format!(
                "; {} {} {:?}: here {}, peak {}, {} waves, {:+} clocks",
                saving.kind.name(),
                saving.instruction,
                saving.before,
                saving.here,
                saving.peak,
                saving.waves,
                saving.clocks
            );
        }
        out += "\n";
    }
    out
}

fn check(chip: &str, bank: Bank, text: &str, expected: &Expect) {
    let (code, report, found) = explained(chip, bank, text);
    expected.assert_eq(&written(&report, &found));
    // What is said of a change is what the changed code has.
    for saving in found.values.iter().flat_map(|value| &value.savings) {
        let Some(edited) = saving.edited(&code, &report.def_use) else { continue };
        let after = analyse(&edited, &Options::default(), &source::no_checkpoint);
        let peak = |report: &Report| u32::from(report.liveness.peak().of_bank(bank));
        assert_eq!(peak(&report) - peak(&after), saving.peak, "{saving:?}");
        let clocks = after.timing.totals.issue - report.timing.totals.issue;
        assert!((clocks - saving.clocks).abs() < 1e-6, "{clocks} for {saving:?}");
    }
}

/// The constant is made at the top and read at the end. Most are needed at the second
/// instruction: v0, v1, the constant and v3.
const LATE_CONSTANT: &str = "v_mov_b32 v2, 1.0
v_mul_f32 v3, v0, v0
v_mul_f32 v4, v0, v1
v_add_f32 v3, v3, v4
v_add_f32 v3, v3, v0
v_mul_f32 v3, v3, v2
exp mrt0 v3, v3, v3, v3 done vm
s_endpgm";

#[test]
fn a_constant_is_made_where_it_is_read() {
    check(
        "polaris10",
        Bank::Vector,
        LATE_CONSTANT,
        &expect![[r#"
        1: 4 of 4
        v2 of 0, read [5]; later 0 [5]: here 1, peak 1, 8 waves, +0 clocks
        v3 of 1, read [3]; later 1 [3]: here 1, peak 0, 8 waves, +0 clocks
        v0 v1 of start, read [1, 2, 4]
    "#]],
    );
    // The same by hand.
    let by_hand = "v_mul_f32 v3, v0, v0
v_mul_f32 v4, v0, v1
v_add_f32 v3, v3, v4
v_add_f32 v3, v3, v0
v_mov_b32 v2, 1.0
v_mul_f32 v3, v3, v2
exp mrt0 v3, v3, v3, v3 done vm
s_endpgm";
    let peak = |text: &str| analysed("polaris10", text).1.liveness.peak().vgprs;
    assert_eq!((peak(LATE_CONSTANT), peak(by_hand)), (4, 3));
}

#[test]
fn what_is_read_before_and_behind_the_peak_is_made_again() {
    check(
        "polaris10",
        Bank::Vector,
        "v_mov_b32 v2, 0x12345
v_add_u32 v0, vcc, v0, v2
v_mul_f32 v3, v0, v0
v_mul_f32 v4, v0, v1
v_mul_f32 v5, v1, v1
v_add_f32 v3, v3, v4
v_add_f32 v3, v3, v5
v_mul_f32 v3, v3, v2
exp mrt0 v3, v0, v1, v3 done vm
s_endpgm",
        &expect![[r#"
            4: 6 of 6
            v2 of 0, read [1, 7]; again 0 [7]: here 1, peak 1, 8 waves, +4 clocks
            v3 of 2, read [5]; earlier 5 [4]: here 1, peak 1, 8 waves, +0 clocks; later 2 [5]: here 1, peak 0, 8 waves, +0 clocks
            v4 of 3, read [5]; earlier 5 [4]: here 1, peak 1, 8 waves, +0 clocks; later 3 [5]: here 1, peak 0, 8 waves, +0 clocks
            v5 of 4, read [6]; later 4 [6]: here 1, peak 1, 8 waves, +0 clocks
            v1 of start, read [3, 4, 8]
            v0 of 1, read [2, 3, 8]
        "#]],
    );
}

#[test]
fn the_last_reader_moves_in_front_of_the_peak() {
    check(
        "polaris10",
        Bank::Vector,
        "v_mul_f32 v3, v2, v2
v_mul_f32 v4, v2, v1
v_mul_f32 v5, v0, v1
v_add_f32 v3, v3, v4
v_add_f32 v3, v3, v5
exp mrt0 v3, v0, v1, v2 done vm
s_endpgm",
        &expect![[r#"
            2: 6 of 6
            v3 of 0, read [3]; earlier 3 [2]: here 1, peak 1, 8 waves, +0 clocks; later 0 [3]: here 1, peak 0, 8 waves, +0 clocks
            v4 of 1, read [3]; earlier 3 [2]: here 1, peak 1, 8 waves, +0 clocks; later 1 [3]: here 1, peak 0, 8 waves, +0 clocks
            v5 of 2, read [4]; later 2 [4]: here 1, peak 1, 8 waves, +0 clocks
            v0 v1 v2 of start, read [0, 1, 2, 5]
        "#]],
    );
}

#[test]
fn results_that_nobody_reads_need_not_be_loaded() {
    check(
        "polaris10",
        Bank::Vector,
        "image_sample v[2:5], v[0:1], s[0:7], s[8:11] dmask:0xf
s_waitcnt vmcnt(0)
exp mrt0 v3, v3, v3, v3 done vm
s_endpgm",
        &expect![[r#"
            0: 4 of 4
            v2 v3 v4 v5 of 0, read [2]; narrower 0 []: here 2, peak 2, 8 waves, +0 clocks; later 0 [2]: here 2, peak 0, 8 waves, +0 clocks
        "#]],
    );
}

#[test]
fn a_load_moves_down_with_its_wait() {
    check(
        "polaris10",
        Bank::Vector,
        "buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 offen
v_mul_f32 v1, v0, v0
v_mul_f32 v2, v0, v1
v_add_f32 v1, v1, v2
s_waitcnt vmcnt(0)
v_add_f32 v1, v1, v4
v_add_f32 v1, v1, v5
v_add_f32 v1, v1, v6
v_add_f32 v1, v1, v7
exp mrt0 v1, v1, v1, v1 done vm
s_endpgm",
        &expect![[r#"
            1: 6 of 6
            v4 v5 v6 v7 of 0, read [5, 6, 7, 8]; later 0 [5]: here 4, peak 1, 8 waves, +0 clocks
            v0 of start, read [0, 1, 2]
            v1 of 1, read [2, 3]
        "#]],
    );
}

#[test]
fn values_across_a_loop_are_made_behind_it() {
    check(
        "polaris10",
        Bank::Vector,
        "v_mov_b32 v2, 2.0
v_mov_b32 v3, v1
s_mov_b32 s2, 0
again:
v_mul_f32 v4, v3, v0
v_add_f32 v3, v3, v4
s_add_u32 s2, s2, 1
s_cmp_lt_u32 s2, 8
s_cbranch_scc1 again
v_mul_f32 v3, v3, v2
exp mrt0 v3, v3, v3, v3 done vm
s_endpgm",
        &expect![[r#"
            3: 4 of 4
            v2 of 0, read [8]; later 0 [8]: here 1, peak 1, 8 waves, +0 clocks
            v0 of start, read [3]
            v3 of 1+4, read [3, 4, 8]
            v4 of 3, read [4]
        "#]],
    );
}

#[test]
fn what_changes_meanwhile_is_not_made_later() {
    for text in [
        // The source is another one then.
        "v_add_f32 v2, v0, v0
v_add_f32 v0, v0, v1
v_mul_f32 v3, v0, v1
v_add_f32 v2, v2, v3
exp mrt0 v2, v0, v1, v2 done vm
s_endpgm",
        // Of two writers either may have made it.
        "s_cbranch_scc0 other
v_mov_b32 v2, 1.0
s_branch join
other:
v_mov_b32 v2, 2.0
join:
v_mul_f32 v3, v0, v1
v_add_f32 v3, v3, v0
v_add_f32 v2, v2, v3
exp mrt0 v2, v0, v1, v2 done vm
s_endpgm",
        // A store stands between.
        "buffer_load_dword v2, v0, s[0:3], 0 offen
v_mul_f32 v3, v0, v1
buffer_store_dword v3, v0, s[0:3], 0 offen
s_waitcnt vmcnt(0)
v_add_f32 v2, v2, v0
exp mrt0 v2, v0, v1, v2 done vm
s_endpgm",
    ] {
        let (.., found) = explained("polaris10", Bank::Vector, text);
        let v2 = Register { bank: Bank::Vector, first: 2, dwords: 1 };
        let value = found.values.iter().find(|value| value.registers.touches(v2));
        let value = value.unwrap_or_else(|| panic!("{text}"));
        let moves = |it: &&Saving| matches!(it.kind, SavingKind::Later | SavingKind::Again);
        assert_eq!(value.savings.iter().find(moves), None, "{text}");
    }
}

#[test]
fn scalar_registers_and_accumulators_have_values_too() {
    check(
        "polaris10",
        Bank::Scalar,
        "s_mov_b32 s4, 0x1234
s_add_u32 s0, s0, s1
s_add_u32 s1, s2, s3
s_add_u32 s0, s0, s1
s_add_u32 s0, s0, s4
v_mov_b32 v0, s0
exp mrt0 v0, v0, v0, v0 done vm
s_endpgm",
        &expect![[r#"
            0: 5 of 5
            s4 of 0, read [4]; later 0 [4]: here 1, peak 1, 8 waves, +0 clocks
            s0 s1 s2 s3 of start, read [1, 2]
        "#]],
    );
    check(
        "gfx908",
        Bank::Accumulator,
        "v_accvgpr_write_b32 a0, 0
v_accvgpr_write_b32 a1, 1.0
s_nop 1
v_accvgpr_read_b32 v2, a0
v_accvgpr_read_b32 v3, a1
exp mrt0 v2, v3, v2, v2 done vm
s_endpgm",
        &expect![[r#"
            1: 2 of 2
            a0 of start+0, read [3]
            a1 of start+1, read [4]
        "#]],
    );
}

#[test]
fn a_wait_has_its_chain_and_what_could_stand_between() {
    let (code, report) = analysed(
        "polaris10",
        "s_load_dwordx4 s[4:7], s[0:1], 0x0
v_mul_f32 v5, v4, v4
s_waitcnt lgkmcnt(0)
v_mul_f32 v6, v4, v5
buffer_load_dword v1, v0, s[4:7], 0 offen
v_add_f32 v2, v0, v0
s_waitcnt vmcnt(0)
v_add_f32 v1, v1, v2
v_mul_f32 v3, v2, v2
v_mul_f32 v3, v3, v1
v_mul_f32 v5, v5, v6
exp mrt0 v1, v2, v3, v5 done vm
s_endpgm",
    );
    let found = explainer(&code, &report).waits(&[6, 1, 2]);
    let waits: Vec<u32> = found.iter().map(|wait| wait.instruction).collect();
    assert_eq!(waits, [2, 6], "the product waits for nothing");
    let found = &found[1];
    // 300 clocks, of which one instruction hid four; the next issue cycle is one of four.
    assert_eq!(found.stall, report.timing.instructions[6].stall);
    let cause = found.cause.expect("a cause");
    assert_eq!((cause.producer, found.between), (4, 1));
    assert_eq!(found.awaited.len(), 1);
    assert_eq!(found.awaited[0].left.div_ceil(4) * 4, found.stall);
    let chain: Vec<u32> = found.chain.iter().map(|link| link.instruction).collect();
    assert_eq!(chain, [0, 4]);
    assert_eq!(found.chain[0].stall, report.timing.instructions[2].stall);
    // Of those behind the wait two need no v1; in front of the load stands one that it does
    // not need.
    assert_eq!((&found.movable[..], found.movable_clocks), (&[8, 10][..], 8));
    assert_eq!((&found.passable[..], found.passable_clocks), (&[3][..], 4));
}
