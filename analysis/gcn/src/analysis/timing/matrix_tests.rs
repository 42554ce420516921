//! Products of matrices on the clock, each case worked out by hand: a pass is four clocks
//! (LLVM SISchedule.td), the vector unit is free for what AMD's calculator says of them.

use super::*;
use crate::Target;
use crate::code_lines::from_lines;

fn timing(chip: &str, text: &str) -> Timing {
    let target = Target::find(chip).expect(chip);
    let code = from_lines(target, text).expect(text);
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    time(&code, &def_use, &cfg, TimingOptions::default(), 1, &source::no_checkpoint)
}

/// The stalls of instructions: index, clocks, kind, producer, clocks for which it is busy.
fn stalls(chip: &str, text: &str) -> Vec<(usize, u32, StallKind, u32, u32)> {
    let timing = timing(chip, &format!("{text}\ns_endpgm"));
    // The end waits for what is under way.
    let all = timing.instructions[..timing.instructions.len() - 1].iter().enumerate();
    let stalled = all.filter_map(|(index, it)| {
        let cause = it.cause?;
        Some((index, it.stall, cause.kind, cause.producer, cause.latency))
    });
    stalled.collect()
}

/// Eight passes on gfx942, of which 28 clocks are free for others.
const PRODUCT: &str = "v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], v[0:15]\n";
const OTHER: &str = "v_mfma_f32_32x32x8_f16 v[16:31], v[32:33], v[34:35], v[16:31]\n";

#[test]
fn a_product_waits_until_the_unit_is_free() {
    // The first is issued at 0 and the unit free at 32: the second, ready at 4, waits 28.
    let expected = [(1, 28, StallKind::MatrixUnit, 0, 32)];
    assert_eq!(stalls("gfx942", &format!("{PRODUCT}{OTHER}")), expected, "independent");
    assert_eq!(stalls("gfx942", &format!("{PRODUCT}{PRODUCT}")), expected, "a chain");
    // 16 passes on gfx90a.
    let old = "v_mfma_f32_32x32x8f16 v[0:15], v[32:33], v[34:35], v[0:15]\n";
    assert_eq!(stalls("gfx90a", &old.repeat(2)), [(1, 60, StallKind::MatrixUnit, 0, 64)]);
}

#[test]
fn other_instructions_fill_the_time_of_a_product() {
    let between = |line: &str, count: usize| {
        let filled = format!("{PRODUCT}{}{OTHER}", line.repeat(count));
        stalls("gfx942", &filled).iter().map(|it| (it.0, it.1)).collect::<Vec<_>>()
    };
    // Seven slots of four clocks are left.
    assert_eq!(between("v_mov_b32 v40, v41\n", 7), []);
    assert_eq!(between("v_mov_b32 v40, v41\n", 6), [(7, 4)]);
    assert_eq!(between("s_mov_b32 s0, s1\n", 5), [(6, 8)]);
    assert_eq!(between("s_nop 6\n", 1), []);
    assert_eq!(between("v_exp_f32 v40, v41\n", 1), [(2, 12)]);
}

#[test]
fn vector_instructions_wait_where_a_product_leaves_no_time() {
    // Of 32-bit floats on gfx942: all 64 clocks.
    let single = "v_mfma_f32_32x32x2_f32 v[0:15], v32, v33, v[0:15]\n";
    let vector = format!("{single}v_mov_b32 v40, v41");
    assert_eq!(stalls("gfx942", &vector), [(1, 60, StallKind::VectorUnit, 0, 64)]);
    assert_eq!(stalls("gfx942", &format!("{single}s_mov_b32 s0, s1")), []);
    assert_eq!(stalls("gfx942", &format!("{single}ds_read_b32 v40, v41")), []);
    // MI100: 56 of 64 clocks are free.
    let old = "v_mfma_f32_32x32x8f16 a[0:15], v[32:33], v[34:35], a[0:15]\nv_mov_b32 v40, v41";
    assert_eq!(stalls("gfx908", old), [(1, 4, StallKind::VectorUnit, 0, 8)]);
}

#[test]
fn nothing_waits_for_a_result() {
    // Eleven states are the program's to keep: 44 clocks of its own.
    let text = format!("{PRODUCT}s_nop 7\ns_nop 2\nv_mov_b32 v40, v0\ns_endpgm");
    let timing = timing("gfx942", &text);
    let clocks: Vec<u32> = timing.instructions.iter().map(|it| it.issue + it.stall).collect();
    assert_eq!(clocks, [4, 32, 12, 4, 4]);
}

#[test]
fn passes_are_by_the_formats_of_the_matrices() {
    let product = |modifiers: &str, b: &str| {
        format!("v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[20:23], {b}, v[0:15] {modifiers}\n")
    };
    let busy = |product: String| stalls("gfx950", &product.repeat(2))[0].4;
    assert_eq!(busy(product("cbsz:4 blgp:4", "v[30:33]")), 32);
    assert_eq!(busy(product("cbsz:4", "v[30:37]")), 64);
}

#[test]
fn a_loop_of_products_is_bound_by_the_unit() {
    let text = format!("again:\n{PRODUCT}s_cbranch_scc1 again\ns_endpgm");
    let timing = timing("gfx942", &text);
    // Four clocks of the product and 16 of the branch; the unit is free after 32.
    let [product, branch, _] = timing.instructions[..] else { panic!() };
    assert_eq!((product.issue, product.stall, branch.issue), (4, 12, 16));
    let own = timing.loops[0];
    assert_eq!((own.issue, own.stall, own.carried), (20.0, 12.0, 12.0));
    assert_eq!((own.busiest, own.busy[UnitGroup::Matrix as usize]), (UnitGroup::Matrix, 32.0));
    assert_eq!(own.busy[UnitGroup::Valu as usize], 4.0);
    // More waves share the unit.
    assert_eq!(own.waves, 1);
    assert_eq!(product.cause.map(|it| it.waves), Some(1));
}

#[test]
fn products_bound_the_throughput() {
    let target = Target::find("gfx942").expect("a chip");
    let code = from_lines(target, &format!("{}s_endpgm", PRODUCT.repeat(4))).expect("assembles");
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let of = |model| {
        let options = TimingOptions { model, ..TimingOptions::default() };
        time(&code, &def_use, &cfg, options, 8, &source::no_checkpoint).totals
    };
    let totals = of(Model::Measured);
    // Four issues, three waits of 28 clocks and the end; the unit is busy for 128.
    assert_eq!((totals.issue, totals.stall), (20.0, 84.0));
    assert_eq!(totals.bound, Bound::Unit(UnitGroup::Matrix));
    assert_eq!(totals.inverse_throughput, 128.0);
    assert_eq!(of(Model::Aco).stall, 0.0);
}
