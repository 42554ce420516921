//! Moves of kernels, one by one.

use advise::kernel::{KernelMoves, refusal};
use advise::{Moves, Variant};
use gcn::Target;
use gcn::program::Options;

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

#[test]
fn macros_and_several_kernels_are_left_alone() {
    let text = ".macro twice\n  s_nop 0\n  s_nop 0\n.endm\n  twice\n  s_endpgm\n";
    assert!(refusal(text, &options()).is_some());
    assert!(KernelMoves::new(&options()).moves(text).is_empty());
}
