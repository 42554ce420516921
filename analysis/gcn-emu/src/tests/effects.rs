//! Instructions whose effect is not in one lane's registers: between lanes, on shares
//! and memory, on the wave's course, on what leaves it.

use super::{CHIPS, machine, run};
use crate::{Attribute, Machine, Reason, SignalKind};

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn word(bytes: &[u8], place: usize) -> u32 {
    u32::from_le_bytes(bytes[place..place + 4].try_into().expect("four bytes"))
}

/// A machine of 64 lanes, which v0 counts, with a share of 1024 bytes.
fn with_share() -> Machine {
    let mut machine = machine();
    machine.share = vec![0; 1024];
    machine.waves[0].set_scalar(gcn::analysis::M0, u32::MAX);
    machine
}

#[test]
fn lanes_exchange_values() {
    for chip in ["polaris10", "vega10"] {
        let mut machine = with_share();
        let text = "
            v_lshlrev_b32 v1, 2, v0
            v_sub_u32 v2, 252, v1
            ds_bpermute_b32 v3, v2, v0
            ds_permute_b32 v4, v2, v0
            ds_swizzle_b32 v5, v0 offset:swizzle(SWAP,1)
            ds_swizzle_b32 v6, v0 offset:swizzle(QUAD_PERM,3,2,1,0)
            v_mov_b32_dpp v7, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
            v_mov_b32_dpp v8, v0 row_mirror row_mask:0xf bank_mask:0xf
            s_mov_b32 s4, -1
            v_mbcnt_lo_u32_b32 v9, s4, 0
            v_mbcnt_hi_u32_b32 v9, s4, v9
            v_readlane_b32 s5, v0, 17
            v_writelane_b32 v10, s4, 3
            s_waitcnt lgkmcnt(0)";
        let text = if chip == "polaris10" {
            text.replace("v_sub_u32 v2", "v_sub_u32 v2, vcc")
        } else {
            text.to_owned()
        };
        let text = text.replace(", 252, v1", ", v11, v1");
        machine.waves[0].vectors[11] = [252; 64];
        run(chip, &text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        for lane in 0..64 {
            let found = [3, 4, 5, 6, 7, 8, 9].map(|register| wave.lane(register, lane) as usize);
            let before = if lane % 16 == 0 { 0 } else { lane - 1 };
            let mirrored = lane / 16 * 16 + 15 - lane % 16;
            let expected = [63 - lane, 63 - lane, lane ^ 1, lane ^ 3, before, mirrored, lane];
            assert_eq!(found, expected, "{chip} {lane}");
        }
        assert_eq!([wave.scalar(5), wave.lane(10, 3), wave.lane(10, 4)], [17, u32::MAX, 0]);
    }
}

#[test]
fn lanes_count_in_the_share() {
    for chip in CHIPS {
        let mut machine = with_share();
        machine.share[..4].copy_from_slice(&bytes(&[100]));
        machine.waves[0].set_exec(0xff0);
        machine.waves[0].set_scalar(gcn::analysis::M0, 0x1_0000 * 0x400);
        // Before gfx9 M0 is the limit too: one of 64 KiB, whose lower half is a base of 0.
        let text = "ds_append v1\nds_consume v2\ns_waitcnt lgkmcnt(0)";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        assert_eq!([wave.lane(1, 5), wave.lane(2, 5), wave.lane(1, 0)], [100, 108, 0], "{chip}");
        assert_eq!(word(&machine.share, 0), 100);
    }
}

#[test]
fn lanes_have_places_by_their_number() {
    let mut machine = with_share();
    machine.waves[0].set_scalar(gcn::analysis::M0, 16);
    let text = "ds_write_addtid_b32 v0 offset:16\ns_waitcnt lgkmcnt(0)\nds_read_addtid_b32 v1 offset:20\ns_waitcnt lgkmcnt(0)";
    run("vega10", text, &mut machine).expect("it");
    assert_eq!(word(&machine.share, 32 + 4 * 7), 7);
    assert_eq!(machine.waves[0].lane(1, 7), 8);
}

#[test]
fn a_conditional_exchange_looks_at_the_highest_bit() {
    for chip in ["bonaire", "polaris10", "vega10"] {
        let mut machine = with_share();
        machine.share[8..16].copy_from_slice(&bytes(&[5, 6]));
        let wave = &mut machine.waves[0];
        wave.set_exec(1);
        wave.set_lane(1, 0, 8);
        wave.set_lane(2, 0, 0x8000_002a);
        wave.set_lane(3, 0, 0x2b);
        let text = "ds_condxchg32_rtn_b64 v[4:5], v1, v[2:3]\ns_waitcnt lgkmcnt(0)";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        assert_eq!([wave.lane(4, 0), wave.lane(5, 0)], [5, 6]);
        assert_eq!([word(&machine.share, 8), word(&machine.share, 12)], [0x2a, 6]);
    }
}

#[test]
fn the_global_share_is_another() {
    for chip in CHIPS {
        let mut machine = with_share();
        machine.global_share = vec![0; 256];
        machine.waves[0].set_exec(3);
        // The part begins at 64 and has 128 bytes.
        machine.waves[0].set_scalar(gcn::analysis::M0, 64 << 16 | 128);
        let text = "v_lshlrev_b32 v1, 2, v0\nds_write_b32 v1, v0 offset:8 gds\n\
             s_waitcnt lgkmcnt(0) expcnt(0)\nds_add_rtn_u32 v2, v1, v0 offset:8 gds\n\
             s_waitcnt lgkmcnt(0) expcnt(0)\nds_write_b32 v1, v0 offset:128 gds\n\
             s_waitcnt lgkmcnt(0)";
        run(chip, text, &mut machine).expect(chip);
        assert_eq!(word(&machine.global_share, 64 + 12), 2, "{chip}");
        assert_eq!(machine.waves[0].lane(2, 1), 1);
        assert!(machine.share.iter().all(|byte| *byte == 0));
        // What lies behind the part is not written.
        assert!(machine.global_share[64 + 128..].iter().all(|byte| *byte == 0));
    }
}

#[test]
fn resources_of_all_workgroups_are_told() {
    for chip in CHIPS {
        let mut machine = machine();
        machine.waves[0].set_exec(0xf0);
        machine.waves[0].set_scalar(gcn::analysis::M0, 2 << 16);
        let text = "ds_gws_init v0 offset:1 gds\ns_waitcnt lgkmcnt(0) expcnt(0)\n\
             ds_gws_sema_v gds\ns_waitcnt lgkmcnt(0) expcnt(0)\n\
             ds_gws_sema_br v0 gds\ns_waitcnt lgkmcnt(0) expcnt(0)";
        run(chip, text, &mut machine).expect(chip);
        let found: Vec<_> =
            machine.signals.iter().map(|it| (it.kind, it.resource, it.value)).collect();
        use SignalKind::{Begin, Up, UpBy};
        assert_eq!(found, [(Begin, 3, 4), (Up, 2, 0), (UpBy, 2, 4)], "{chip}");
    }
    let mut machine = machine();
    // gfx6 has none.
    run("polaris10", "ds_gws_sema_release_all gds", &mut machine).expect("it");
    assert_eq!(machine.signals[0].kind, SignalKind::ReleaseAll);
}

#[test]
fn scratch_is_laid_out_by_lanes() {
    let mut machine = machine();
    machine.memory.map(0x1000, vec![0; 0x1000]).expect("a mapping");
    machine.waves[0].set_pair(102, 0x1000);
    machine.waves[0].set_scalar(4, 8);
    machine.waves[0].vectors[1] = [8; 64];
    let text = "scratch_store_dword v1, v0, off\nscratch_store_byte off, v0, s4 offset:5\n\
         s_waitcnt vmcnt(0)\nscratch_load_dwordx2 v[2:3], v1, off\ns_waitcnt vmcnt(0)";
    run("vega10", text, &mut machine).expect("it");
    let wave = &machine.waves[0];
    assert_eq!([wave.lane(2, 9), wave.lane(3, 9)], [9, 9 << 8]);
    // Word 2 of lane 9, and byte 1 of its word 3.
    assert_eq!(machine.memory.word(0x1000 + 2 * 256 + 36), Ok(9));
    assert_eq!(machine.memory.word(0x1000 + 3 * 256 + 36), Ok(9 << 8));
}

#[test]
fn scalar_scratch_counts_registers_in_cache_lines() {
    let mut machine = machine();
    machine.memory.map(0x1000, vec![0; 0x1000]).expect("a mapping");
    machine.waves[0].set_pair(4, 0x1000);
    machine.waves[0].set_scalar(6, 2);
    machine.waves[0].set_scalar(7, 42);
    let text = "s_scratch_store_dword s7, s[4:5], s6\ns_scratch_store_dword s7, s[4:5], 0x10\n\
         s_waitcnt lgkmcnt(0)\ns_scratch_load_dword s8, s[4:5], s6\ns_waitcnt lgkmcnt(0)";
    run("vega10", text, &mut machine).expect("it");
    assert_eq!(machine.waves[0].scalar(8), 42);
    assert_eq!(machine.memory.word(0x1080), Ok(42));
    assert_eq!(machine.memory.word(0x1010), Ok(42));
}

#[test]
fn buffers_and_the_share_change_places() {
    for chip in ["polaris10", "vega10"] {
        let mut machine = with_share();
        machine.memory.map(0x1000, vec![0; 0x400]).expect("a mapping");
        for (place, value) in [0x1000, 0, 0x400, 0x2_7fac].into_iter().enumerate() {
            machine.waves[0].set_scalar(4 + place as u16, value);
        }
        machine.waves[0].set_scalar(gcn::analysis::M0, 0x1_0000);
        for lane in 0..64_usize {
            machine.share[lane * 4..][..4].copy_from_slice(&bytes(&[lane as u32 + 7]));
        }
        let text = "v_lshlrev_b32 v1, 2, v0\nbuffer_load_dword v1, s[4:7], 0 offen offset:256 lds\ns_waitcnt vmcnt(0)";
        for lane in 0..64_u64 {
            machine.memory.write(0x1100 + 4 * lane, 4, lane + 100).expect("mapped");
        }
        run(chip, text, &mut machine).expect(chip);
        assert_eq!(word(&machine.share, 256 + 4 * 9), 109, "{chip}");
        machine.waves[0].counter = 0;
        run(chip, "buffer_store_lds_dword s[4:7], 0 offset:16 lds", &mut machine).expect(chip);
        // All lanes store to one place: the last of them stays.
        assert_eq!(machine.memory.word(0x1010), Ok(word(&machine.share, 16 + 4 * 63)));
    }
}

#[test]
fn branches_wait_on_a_stack() {
    for chip in CHIPS {
        // Lanes 0 to 9 go to the target, the others on; each group adds its own number.
        let mut machine = machine();
        machine.waves[0].set_scalar(40, 0);
        let text = "
            v_mov_b32 v1, 0
            s_mov_b32 s30, 0x3ff
            s_mov_b32 s31, 0
            s_mov_b64 s[34:35], s[30:31]
            s_cbranch_i_fork s[34:35], low
            v_mov_b32 v1, 1
            s_branch meet
            low:
            v_mov_b32 v1, 2
            meet:
            s_cbranch_join s40
            v_add_f32 v2, 1.0, 1.0";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        assert_eq!([wave.lane(1, 9), wave.lane(1, 10)], [2, 1], "{chip}");
        // The group that went last goes on: the program saves EXEC where it needs all.
        assert_eq!(wave.exec(), !0x3ff);
        assert_eq!([wave.lane(2, 9), wave.lane(2, 10)], [0, 0x4000_0000]);
        assert_eq!(wave.mode.bits >> 29, 0);
    }
}

#[test]
fn branches_to_registers_wait_too() {
    for chip in CHIPS {
        let mut machine = machine();
        machine.waves[0].set_pair(34, !0xf);
        // The target is the sixth instruction; the smaller group goes first.
        machine.waves[0].set_pair(36, 6 * 4);
        let text = "s_cbranch_g_fork s[34:35], s[36:37]
            v_mov_b32 v1, 1
            v_mov_b32 v3, 1
            v_mov_b32 v3, 1
            s_branch meet
            s_nop 0
            v_mov_b32 v1, 2
            meet:
            s_cbranch_join s40";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        assert_eq!([wave.lane(1, 3), wave.lane(1, 4), wave.exec() as u32], [1, 2, !0xf]);
    }
}

#[test]
fn vectors_are_skipped_where_mode_says_so() {
    for chip in CHIPS {
        let mut machine = machine();
        let text = "s_mov_b32 s4, 4\ns_setvskip s4, 2\ns_nop 3\nv_mov_b32 v1, 1\n\
             s_mov_b32 s5, 7\ns_setvskip s4, 0\ns_nop 3\nv_mov_b32 v2, 1";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        assert_eq!([wave.lane(1, 0), wave.lane(2, 0), wave.scalar(5)], [0, 1, 7], "{chip}");
    }
}

#[test]
fn messages_leave_with_m0() {
    for chip in CHIPS {
        let mut machine = machine();
        let text =
            "s_mov_b32 m0, 42\ns_nop 0\ns_sendmsg sendmsg(MSG_INTERRUPT)\ns_waitcnt lgkmcnt(0)";
        run(chip, text, &mut machine).expect(chip);
        assert_eq!((machine.messages[0].id(), machine.messages[0].m0), (1, 42), "{chip}");
    }
}

#[test]
fn programs_end_in_several_ways() {
    for end in ["s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"] {
        let mut machine = machine();
        run("vega10", &format!("{end}\ns_mov_b32 s4, 1"), &mut machine).expect(end);
        assert_eq!(machine.waves[0].scalar(4), 0, "{end}");
    }
    let mut machine = machine();
    let stop = run("vega10", "s_barrier\ns_trap 1", &mut machine).expect_err("a trap");
    assert!(matches!(stop.reason, Reason::Unsupported(_)));
}

#[test]
fn attributes_are_interpolated() {
    for chip in CHIPS {
        let mut machine = machine();
        machine.waves[0].attributes = vec![
            Attribute::default(),
            Attribute { components: [[1.0, 2.0, 4.0]; 4], ..Attribute::default() },
        ];
        machine.waves[0].vectors[1] = [0.5_f32.to_bits(); 64];
        machine.waves[0].vectors[2] = [0.25_f32.to_bits(); 64];
        let text = "v_interp_p1_f32 v3, v1, attr1.y\nv_interp_p2_f32 v3, v2, attr1.y\n\
             v_interp_mov_f32 v4, p20, attr1.x";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        let found = [3, 4].map(|register| f32::from_bits(wave.lane(register, 7)));
        assert_eq!(found, [1.0 + 2.0 * 0.5 + 4.0 * 0.25, 4.0], "{chip}");
    }
}

#[test]
fn halves_of_attributes_are_interpolated() {
    // 1.0, 2.0 and 4.0 in the lower halves, 8.0, 16.0 and 0.5 in the upper ones.
    let words = [0x4800_3c00, 0x4c00_4000, 0x3800_4400_u32].map(f32::from_bits);
    for (chip, last) in [
        ("polaris10", "v_interp_p2_f16"),
        ("vega10", "v_interp_p2_f16"),
        ("vega10", "v_interp_p2_legacy_f16"),
    ] {
        for high in ["", " high"] {
            let mut machine = machine();
            machine.waves[0].attributes =
                vec![Attribute { components: [words; 4], ..Attribute::default() }];
            machine.waves[0].vectors[1] = [0.5_f32.to_bits(); 64];
            machine.waves[0].vectors[2] = [0.25_f32.to_bits(); 64];
            machine.waves[0].vectors[5] = [0x1234_5678; 64];
            machine.waves[0].vectors[6] = [words[0].to_bits(); 64];
            let text = format!(
                "v_interp_p1ll_f16 v3, v1, attr0.x{high}\nv_interp_p1lv_f16 v4, v1, attr0.x, v6{high}\n\
                 {last} v5, v2, attr0.x, v3{high}"
            );
            run(chip, &text, &mut machine).expect(chip);
            let wave = &machine.waves[0];
            let (first, second) = if high.is_empty() { (2.0, 3.0) } else { (16.0, 16.125) };
            let found = [3, 4].map(|register| f32::from_bits(wave.lane(register, 7)));
            assert_eq!(found, [first, first], "{chip} {high}");
            let half = softfloat::from_half(wave.lane(5, 7) as u16);
            assert_eq!(half, second, "{chip} {high}");
            let kept = if chip == "vega10" && last == "v_interp_p2_f16" { 0x1234 } else { 0 };
            assert_eq!(wave.lane(5, 7) >> 16, kept, "{chip} {last}");
        }
    }
}

#[test]
fn sums_of_floats_in_the_share_go_by_mode_and_those_in_memory_do_not() {
    // Twice the smallest normal number's half, and halves below the smallest normal one.
    let (small, halves) = (0x0020_0000, 0x0100_0200);
    for (chip, kept) in
        [("polaris10", false), ("vega10", true), ("arcturus", false), ("arcturus", true)]
    {
        let mut machine = with_share();
        machine.share[..4].copy_from_slice(&bytes(&[small]));
        machine.waves[0].set_exec(1);
        machine.waves[0].vectors[1][0] = small;
        machine.waves[0].mode.bits |= if kept { 0x30 } else { 0 };
        run(chip, "ds_add_f32 v0, v1", &mut machine).expect(chip);
        assert_eq!(word(&machine.share, 0), if kept { 2 * small } else { 0 }, "{chip}");
        if chip != "arcturus" {
            continue;
        }
        machine.waves[0].counter = 0;
        machine.memory.map_words(0x1000, &[small, halves]).expect("a mapping");
        machine.waves[0].vectors[2][0] = 0x1000;
        machine.waves[0].vectors[4][0] = halves;
        let text = "global_atomic_add_f32 v[2:3], v1, off\n\
                    global_atomic_pk_add_f16 v[2:3], v4, off offset:4";
        run(chip, text, &mut machine).expect(chip);
        assert_eq!(machine.memory.words(0x1000), [0, 2 * halves], "{chip}");
    }
}
