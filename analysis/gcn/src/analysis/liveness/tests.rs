//! Live ranges of small programs.

use super::*;
use crate::Target;
use crate::code_lines::from_lines;

fn analyse(text: &str) -> (Vec<DefUse>, Cfg, Liveness) {
    analyse_on("polaris10", text)
}

fn analyse_on(chip: &str, text: &str) -> (Vec<DefUse>, Cfg, Liveness) {
    let target = Target::find(chip).expect("a chip");
    let code = from_lines(target, text).expect("assembles");
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
    (def_use, cfg, liveness)
}

#[test]
fn divergent_stretches_end_where_lanes_come_back() {
    // LLVM's way with an else side, ACO's inverted branch, a loop that lanes leave.
    for (text, expected) in [
        (
            "v_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
             s_xor_b64 s[0:1], exec, s[0:1]\nv_mov_b32 v2, 0\n\
             s_or_saveexec_b64 s[0:1], s[0:1]\ns_xor_b64 exec, exec, s[0:1]\n\
             v_mov_b32 v2, 1.0\ns_or_b64 exec, exec, s[0:1]\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
            vec![(2, 5), (6, 8)],
        ),
        (
            "v_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v2, 0\n\
             s_andn2_b64 exec, s[0:1], exec\nv_mov_b32 v2, 1.0\ns_mov_b64 exec, s[0:1]\n\
             exp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
            vec![(2, 6)],
        ),
        (
            "s_mov_b64 s[0:1], exec\nagain:\nv_add_f32 v0, v0, v1\nv_cmp_lt_f32 vcc, v0, v1\n\
             s_and_b64 exec, exec, vcc\ns_cbranch_execnz again\ns_mov_b64 exec, s[0:1]\n\
             exp mrt0 v0, v0, v0, v0 done vm\ns_endpgm",
            vec![(1, 6)],
        ),
        ("v_mov_b32 v0, 0\ns_endpgm", vec![]),
    ] {
        let (_, _, liveness) = analyse(text);
        let found: Vec<(u32, u32)> =
            liveness.divergent().iter().map(|range| (range.start, range.end)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn both_sides_of_a_divergent_branch_end_a_need() {
    let (.., liveness) = analyse(
        "v_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v2, 0\n\
         s_andn2_b64 exec, s[0:1], exec\nv_mov_b32 v2, 1.0\ns_mov_b64 exec, s[0:1]\n\
         exp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
    );
    assert_eq!(liveness.before(0).vector[0], 0b011, "v2 is written for every lane");
    // On the other side the lanes of the first keep theirs.
    assert_eq!(liveness.before(4).vector[0], 0b100);
}

#[test]
fn values_across_the_peak_have_their_writers() {
    let (def_use, cfg, liveness) = analyse(
        "v_mov_b32 v1, 0\ns_cbranch_scc1 join\nv_mov_b32 v1, 1.0\njoin:\n\
         v_add_f32 v2, v0, v1\nexp mrt0 v0, v1, v2, v2 done vm\ns_endpgm",
    );
    assert_eq!((liveness.pressure(3), liveness.peak().vgprs), (liveness.peak(), 3));
    let live_across = liveness.live_across(&cfg, &def_use, 3);
    let vectors: Vec<(u16, Vec<u32>, bool)> = live_across
        .into_iter()
        .filter(|value| value.register.bank == Bank::Vector)
        .map(|value| (value.register.first, value.definitions, value.from_start))
        .collect();
    assert_eq!(vectors, [(0, vec![], true), (1, vec![0, 2], false), (2, vec![3], false)]);
}

#[test]
fn an_exchange_exchanges_needs() {
    let text = "v_mov_b32 v0, 1.0\nv_mov_b32 v1, 2.0\ns_cbranch_scc1 next\nnext:\n\
                v_mov_b32 v2, v0\nv_swap_b32 v0, v1\ns_cbranch_scc1 last\nlast:\n\
                global_store_dwordx2 v[4:5], v[1:2], off\ns_endpgm";
    let target = Target::find("gfx900").expect("a chip");
    let code = from_lines(target, text).expect("assembles");
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
    let before: Vec<u64> = (0..6).map(|index| liveness.before(index).vector[0]).collect();
    assert_eq!(before, [0b11_0000, 0b11_0001, 0b11_0001, 0b11_0001, 0b11_0101, 0b11_0110]);
}

#[test]
fn replayed_loads_keep_their_address() {
    let load = "buffer_load_dwordx2 v[2:3], v[0:1], s[0:3], 0 idxen offen\n\
                s_waitcnt vmcnt(0)\nexp mrt0 v2, v3, v3, v3 done vm\ns_endpgm";
    // A sum has its sources before its result.
    let sum = "v_add_f32 v2, v0, v1\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm";
    for (chip, text, count) in
        [("polaris10", load, 2), ("gfx902", load, 4), ("polaris10", sum, 2), ("gfx902", sum, 2)]
    {
        let target = Target::find(chip).expect(chip);
        let code = from_lines(target, text).expect("assembles");
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        assert_eq!(
            Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint).pressure(0).vgprs,
            count,
            "{chip}"
        );
    }
}

#[test]
fn accumulators_are_needed_by_all_lanes() {
    let (_, _, liveness) = analyse_on(
        "gfx908",
        "v_accvgpr_write_b32 a0, v2\nv_accvgpr_write_b32 a1, v2\nv_accvgpr_write_b32 a2, v2\n\
         v_accvgpr_write_b32 a3, v2\ns_and_saveexec_b64 s[0:1], vcc\n\
         v_mfma_f32_4x4x1f32 a[4:7], v0, v1, a[0:3]\nv_accvgpr_read_b32 v0, a4\n\
         global_store_dword v[2:3], v0, off\ns_endpgm",
    );
    let agprs: Vec<u16> = (0..9).map(|at| liveness.pressure(at).agprs).collect();
    assert_eq!(agprs, [1, 2, 3, 4, 4, 4, 1, 0, 0]);
    // Lanes that are off take part in the product.
    assert!(liveness.before(4).touches(crate::instruction::Register::vector(1, 1)));
}
