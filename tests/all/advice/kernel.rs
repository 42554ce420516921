//! Moves of kernels, one by one.

use advise::kernel::{KernelMoves, refusal};
use advise::{Bench, Moves, Promise, Proof, Variant};
use gcn::Target;
use gcn::program::Options;
use server::advice::{Budget, KernelBench};

fn options() -> Options {
    Options { target: Target::find("gfx900"), ..Options::default() }
}

fn moves(text: &str) -> Vec<Variant> {
    assert_eq!(refusal(text, &options()), None);
    let moves = KernelMoves::new(&options());
    let all = moves.moves(text).into_iter().filter_map(|it| moves.completed(it));
    all.filter(|it| it.text != text).collect()
}

fn texts(text: &str) -> Vec<String> {
    moves(text).into_iter().map(|it| it.text).collect()
}

#[test]
fn a_wait_goes_to_its_first_use_and_waits_for_no_more() {
    let text = "  global_load_dword v1, v0, s[0:1]\n  s_waitcnt vmcnt(0)\n  \
                global_load_dword v2, v0, s[2:3]\n  s_waitcnt vmcnt(0)\n  \
                v_add_f32_e32 v3, v1, v1\n  v_add_f32_e32 v3, v3, v2\n  \
                global_store_dword v0, v3, s[4:5]\n  s_endpgm\n";
    let wanted = "  global_load_dword v1, v0, s[0:1]\n  global_load_dword v2, v0, s[2:3]\n  \
                  s_waitcnt vmcnt(1)\n  v_add_f32_e32 v3, v1, v1\n  s_waitcnt vmcnt(0)\n  \
                  v_add_f32_e32 v3, v3, v2\n  global_store_dword v0, v3, s[4:5]\n  s_endpgm\n";
    assert!(texts(text).contains(&wanted.to_owned()), "{:#?}", texts(text));
}

#[test]
fn registers_of_both_banks_are_allocated_again_and_copies_go() {
    // Both values go through s0 and v1: the second load waits for the first one's use.
    let text = "  s_load_dword s0, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n  \
                v_mov_b32_e32 v1, s0\n  v_add_f32_e32 v2, v1, v1\n  \
                s_load_dword s0, s[4:5], 0x4\n  s_waitcnt lgkmcnt(0)\n  \
                v_mov_b32_e32 v1, s0\n  v_add_f32_e32 v2, v2, v1\n  v_mov_b32_e32 v3, v2\n  \
                global_store_dword v0, v3, s[8:9]\n  s_endpgm\n";
    let all = moves(text);
    let has = |what: &str, lines: &[&str]| {
        let is_it = |it: &Variant| {
            it.change.starts_with(what) && lines.iter().all(|line| it.text.contains(line))
        };
        assert!(all.iter().any(is_it), "{what}: {all:#?}");
    };
    has("vector registers allocated again", &["v2, v2, v1\n  global_store_dword v0, v2, s[8:9]"]);
    let loads = "s_load_dword s0, s[4:5], 0x0\n  s_load_dword s1, s[4:5], 0x4\n";
    has("registers allocated again, all ordered", &[loads]);
}

#[test]
fn wait_states_do_not_keep_others_apart() {
    let text = "  v_mov_b32_e32 v2, 1.0\n  s_nop 0\n  global_load_dword v1, v0, s[0:1]\n  \
                s_waitcnt vmcnt(0)\n  v_add_f32_e32 v3, v1, v2\n  \
                global_store_dword v0, v3, s[4:5]\n  s_endpgm\n";
    let moved =
        |text: &String| text.trim_start().starts_with("global_load") && !text.contains("s_nop");
    assert!(texts(text).iter().any(moved), "{:#?}", texts(text));
    // Those that a hazard needs are put in again.
    let needed = "  v_mov_b32_e32 v3, 1.0\n  s_mov_b32 m0, s4\n  s_nop 0\n  \
                  v_interp_mov_f32 v1, p0, attr0.x\n  v_add_f32_e32 v2, v1, v3\n  \
                  global_store_dword v0, v2, s[4:5]\n  s_endpgm\n";
    for text in texts(needed) {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let place = |start: &str| lines.iter().position(|it| it.starts_with(start));
        let between = place("v_interp").expect("it stays") - place("s_mov_b32 m0").expect("so");
        assert!(between > 1, "{text}");
    }
}

#[test]
fn loads_are_scheduled_before_what_does_not_need_them() {
    let text = "  v_mul_f32_e32 v5, v4, v4\n  v_mul_f32_e32 v5, v5, v4\n  \
                global_load_dword v1, v0, s[0:1]\n  s_waitcnt vmcnt(0)\n  \
                v_add_f32_e32 v3, v1, v5\n  global_store_dword v0, v3, s[4:5]\n  s_endpgm\n";
    let first = |text: &String| text.trim_start().starts_with("global_load");
    assert!(texts(text).iter().any(first), "{:#?}", texts(text));
}

#[test]
fn values_of_one_register_change_places() {
    // The sum that a load waits for goes through VCC after another one, which nothing waits for.
    let text = "  v_add_co_u32_e32 v6, vcc, s2, v2\n  v_addc_co_u32_e32 v7, vcc, v5, v3, vcc\n  \
                v_add_co_u32_e32 v8, vcc, s0, v2\n  v_addc_co_u32_e32 v9, vcc, v4, v3, vcc\n  \
                global_load_dword v1, v[8:9], off\n  s_waitcnt vmcnt(0)\n  \
                global_store_dword v[6:7], v1, off\n  s_endpgm\n";
    let wanted = "  v_add_co_u32_e32 v8, vcc, s0, v2\n  v_addc_co_u32_e32 v9, vcc, v4, v3, vcc\n  \
                  global_load_dword v1, v[8:9], off\n  v_add_co_u32_e32 v6, vcc, s2, v2\n  \
                  v_addc_co_u32_e32 v7, vcc, v5, v3, vcc\n  s_waitcnt vmcnt(0)\n  \
                  global_store_dword v[6:7], v1, off\n  s_endpgm\n";
    assert!(texts(text).contains(&wanted.to_owned()), "{:#?}", texts(text));
    // One that is read after the stretch stays the last, and halves are put together in order.
    let text = "  s_mov_b32 s0, 1\n  s_mov_b32 s4, s0\n  s_load_dword s6, s[8:9], 0x0\n  \
                s_mov_b32 s0, 2\n  v_mov_b32_sdwa v1, v2 dst_sel:WORD_0 \
                dst_unused:UNUSED_PRESERVE src0_sel:DWORD\n  global_load_dword v2, v0, s[10:11]\n  \
                s_cbranch_scc1 next\n  s_mov_b32 s5, s4\nnext:\n  s_waitcnt vmcnt(0)\n  \
                v_mov_b32_e32 v3, s0\n  global_store_dwordx3 v0, v[1:3], s[10:11]\n  s_endpgm\n";
    let all = texts(text);
    // Some have another register for one of the two.
    let shared =
        all.iter().filter(|text| ["s0, 1", "s0, 2"].iter().all(|value| text.contains(value)));
    assert!(shared.clone().count() > 2, "{all:#?}");
    for text in shared {
        let at = |word: &str| text.find(word).expect(word);
        assert!(at("s_mov_b32 s0, 1") < at("s_mov_b32 s0, 2"), "{text}");
        assert!(at("v_mov_b32_sdwa v1") < at("global_load_dword v2"), "{text}");
    }
}

#[test]
fn registers_lose_their_gaps() {
    let text = "  v_mov_b32_e32 v20, v0\n  v_add_f32_e32 v21, v20, v20\n  \
                global_store_dwordx2 v20, v[20:21], s[4:5]\n  s_endpgm\n";
    let all = texts(text);
    let wanted = "  v_add_f32_e32 v1, v0, v0\n  global_store_dwordx2 v0, v[0:1], s[4:5]\n  \
                  s_endpgm\n";
    assert!(all.contains(&wanted.to_owned()), "{all:#?}");
}

#[test]
fn stores_keep_their_order_with_loads() {
    let text = "  global_store_dword v0, v1, s[0:1]\n  global_load_dword v2, v0, s[2:3]\n  \
                s_waitcnt vmcnt(0)\n  global_store_dword v0, v2, s[4:5]\n  s_endpgm\n";
    for text in texts(text) {
        let at = |word: &str| text.find(word).expect(word);
        assert!(at("s[0:1]") < at("global_load") && at("global_load") < at("s[4:5]"));
    }
}

#[test]
fn a_result_that_nobody_reads_goes() {
    let text = "  v_add_f32_e32 v1, v0, v0\n  v_add_f32_e32 v2, v0, v0\n  \
                global_store_dword v0, v2, s[4:5]\n  s_endpgm\n";
    let wanted = "  v_add_f32_e32 v2, v0, v0\n  global_store_dword v0, v2, s[4:5]\n  s_endpgm\n";
    assert!(texts(text).contains(&wanted.to_owned()), "{:#?}", texts(text));
}

/// A kernel that stores a register for each work-item, with a metadata of one buffer.
fn storing(lines: &str, register: &str) -> String {
    format!(
        "kernel:\n  s_load_dwordx2 s[0:1], s[4:5], 0x0\n  v_lshlrev_b32_e32 v4, 2, v0\n  \
         s_waitcnt lgkmcnt(0)\n  global_load_dword v1, v4, s[0:1]\n  s_waitcnt vmcnt(0)\n\
         {lines}  global_store_dword v4, {register}, s[0:1]\n  s_endpgm\n\
         .rodata\n.amdhsa_kernel kernel\n  .amdhsa_next_free_vgpr 16\n  \
         .amdhsa_next_free_sgpr 16\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  \
         .amdhsa_user_sgpr_private_segment_buffer 1\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\n\
         amdhsa.kernels:\n  - .args:\n      - .offset: 0\n        .size: 8\n        \
         .value_kind: global_buffer\n    .max_flat_workgroup_size: 64\n    .name: kernel\n...\n\
         .end_amdgpu_metadata\n"
    )
}

/// Tells whether a variant does the same on random inputs.
fn is_equal(text: &str, variant: &str) -> bool {
    let proof = KernelBench::new(text, &options(), None, Budget::none()).prove(variant);
    assert!(!matches!(proof, Proof::Unproven(_)), "{proof:?}\n{text}\n{variant}");
    matches!(proof, Proof::Equal { .. })
}

#[test]
fn products_with_a_constant_become_shifts_and_sums() {
    let of = |lines: &str, register: &str| {
        let text = storing(lines, register);
        let all = moves(&text);
        let found = all.into_iter().find(|it| it.change.starts_with("shifts and sums"));
        found.map(|it| {
            assert!(is_equal(&text, &it.text), "{}", it.text);
            it.text
        })
    };
    // Two instructions are not enough for these.
    let others = [
        14, 22, 23, 26, 28, 29, 30, 38, 39, 42, 43, 44, 46, 47, 50, 52, 53, 54, 55, 56, 57, 58, 59,
        60, 61, 62,
    ];
    for factor in 1..=64 {
        let text = of(&format!("  v_mul_lo_u32 v2, v1, {factor}\n"), "v2");
        let is_found = text.is_some_and(|it| !it.contains("v_mul_lo_u32"));
        assert_eq!(is_found, !others.contains(&factor), "{factor}");
    }
    let own = of("  v_mul_lo_u32 v1, 3, v1\n  v_mul_lo_u32 v1, v1, 16\n", "v1").expect("both");
    for line in ["v_lshl_add_u32 v1, v1, 1, v1\n", "v_lshlrev_b32_e32 v1, 4, v1\n"] {
        assert!(own.contains(line), "{own}");
    }
    // A sum of 64 bits of which the low half is wanted.
    let low = "  v_mov_b32_e32 v2, v0\n  v_mad_u64_u32 v[2:3], s[2:3], v1, 5, v[2:3]\n";
    let sum = of(low, "v2").expect("a sum");
    let wanted = "  v_lshl_add_u32 v2, v1, 2, v2\n  v_add_u32_e32 v2, v1, v2\n";
    assert!(sum.contains(wanted), "{sum}");
    assert_eq!(of(low, "v3"), None);
    assert_eq!(of("  v_mul_lo_u32 v2, v1, v1\n", "v2"), None);
}

/// The variants of lines that leave a value in `v2` by one kind of move, each equal to them.
fn variants(lines: &str, change: &str) -> Vec<String> {
    let text = storing(lines, "v2");
    let all = moves(&text).into_iter().filter(|it| it.change.contains(change));
    let texts: Vec<String> = all.map(|it| it.text).collect();
    for variant in &texts {
        assert!(is_equal(&text, variant), "{variant}");
    }
    texts
}

#[test]
fn what_a_dominating_block_computed_is_not_computed_again() {
    let of = |lines: &str| {
        let texts = variants(lines, "nothing computed twice");
        let shifts = texts.iter().map(|it| it.matches("v_lshlrev_b64").count()).min();
        shifts.unwrap_or(usize::MAX)
    };
    // Under all lanes, then behind a branch with another mask: as registers hold what is written
    // in the lanes that are active.
    let branch = "  v_cmp_lt_u32_e32 vcc, 7, v1\n  s_and_saveexec_b64 s[2:3], vcc\n  \
                  s_cbranch_execz over\n  v_add_u32_e32 v2, 3, v2\nover:\n  \
                  s_or_b64 exec, exec, s[2:3]\n";
    let first = "  v_mov_b32_e32 v6, 0\n  v_mov_b32_e32 v5, v1\n  \
                 v_lshlrev_b64 v[8:9], 2, v[5:6]\n  v_add_u32_e32 v2, 1, v8\n";
    let again = "  v_lshlrev_b64 v[5:6], 2, v[5:6]\n  v_add_u32_e32 v2, v2, v5\n";
    assert_eq!(of(&format!("{first}{branch}{again}")), 1);
    // Another operand, or a mask under which the first one did not run.
    let other = "  v_add_u32_e32 v5, 1, v5\n";
    assert!(of(&format!("{first}{branch}{other}{again}")) > 1);
    let under = "  v_mov_b32_e32 v2, 0\n  v_mov_b32_e32 v6, 0\n  v_mov_b32_e32 v5, v1\n  \
                 v_cmp_lt_u32_e32 vcc, 7, v1\n  s_and_saveexec_b64 s[2:3], vcc\n  \
                 v_lshlrev_b64 v[8:9], 2, v[5:6]\n  v_mov_b32_e32 v2, v8\n  \
                 s_or_b64 exec, exec, s[2:3]\n";
    assert!(of(&format!("{under}{again}")) > 1);
    // A loop whose rounds compute the same.
    let rounds = "  s_mov_b32 s2, 0\nround:\n  v_lshlrev_b64 v[7:8], 2, v[5:6]\n  \
                  v_add_u32_e32 v2, v2, v7\n  s_add_i32 s2, s2, 1\n  s_cmp_lt_u32 s2, 3\n  \
                  s_cbranch_scc1 round\n";
    assert_eq!(of(&format!("{first}{rounds}")), 1);
}

#[test]
fn what_is_the_same_in_each_round_goes_before_the_loop() {
    let of = |lines: &str| {
        let texts = variants(lines, "nothing again in a loop");
        // Products that stand before the loop.
        let before =
            |text: &String| text.split("round:").next().map(|it| it.matches("v_mul").count());
        texts.iter().filter_map(before).max().unwrap_or(0)
    };
    let rounds = |inside: &str| {
        format!(
            "  v_mov_b32_e32 v2, 0\n  s_mov_b32 s2, 0\nround:\n{inside}  \
             v_add_u32_e32 v2, v2, v7\n  s_add_i32 s2, s2, 1\n  s_cmp_lt_u32 s2, 3\n  \
             s_cbranch_scc1 round\n"
        )
    };
    let same = "  v_mul_u32_u24_e32 v6, 5, v1\n  v_mul_u32_u24_e32 v7, 3, v6\n";
    assert_eq!(of(&rounds(same)), 2);
    // One that changes in each round, with the one that reads it.
    let other = "  v_mul_u32_u24_e32 v6, s2, v1\n  v_mul_u32_u24_e32 v7, 3, v6\n";
    assert_eq!(of(&rounds(other)), 0);
    // Lanes that leave the loop earlier keep what they had.
    let masked = format!("  v_cmpx_lt_u32_e32 vcc, s2, v1\n{same}");
    let whole = format!("  s_mov_b64 s[6:7], exec\n{}  s_mov_b64 exec, s[6:7]\n", rounds(&masked));
    assert_eq!(of(&whole), 0);
}

#[test]
fn every_large_move_of_the_planted_kernels_does_the_same() {
    let kernels = tests::inefficiencies::all();
    let kernels = kernels.iter().filter(|it| it.language == engine::Language::Gcn);
    let mut count = 0;
    for it in kernels.step_by(9) {
        let moves = KernelMoves::new(&options());
        let large = moves.moves(&it.worse).into_iter().filter(|it| it.promise == Promise::Much);
        for variant in large.filter_map(|it| moves.completed(it)) {
            assert!(is_equal(&it.worse, &variant.text), "{}: {}", it.name, variant.change);
            count += 1;
        }
    }
    assert!(count > 10, "{count} moves");
}

#[test]
fn macros_and_several_kernels_are_left_alone() {
    let text = ".macro twice\n  s_nop 0\n  s_nop 0\n.endm\n  twice\n  s_endpgm\n";
    assert!(refusal(text, &options()).is_some());
    assert!(KernelMoves::new(&options()).moves(text).is_empty());
}
