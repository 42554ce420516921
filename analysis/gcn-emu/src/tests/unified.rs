//! Differences of chips with one register file: accumulation registers in memory
//! instructions, loads into the share, scratch that is set up, rows of lanes.

use super::{machine, run};
use crate::wave::ACCUMULATORS;
use crate::{Machine, Reason};

const CHIPS: [&str; 3] = ["gfx90a", "gfx942", "gfx950"];

/// A machine with memory at 0x1000, whose words count from 100 on.
fn with_memory() -> Machine {
    let mut machine = machine();
    let words: Vec<u32> = (100..612).collect();
    machine.memory.map_words(0x1000, &words).expect("a mapping");
    machine.share = vec![0; 1024];
    let wave = &mut machine.waves[0];
    for lane in 0..64 {
        wave.set_lane(2, lane, 0x1000 + 4 * lane as u32);
        wave.set_lane(3, lane, 0);
        wave.set_lane(4, lane, 4 * lane as u32);
    }
    wave.set_pair(2, 0x1000);
    machine
}

#[test]
fn accumulation_registers_are_loaded_stored_and_moved() {
    for chip in CHIPS {
        let mut machine = with_memory();
        let text = "
            global_load_dword a5, v[2:3], off
            s_waitcnt vmcnt(0)
            v_accvgpr_mov_b32 a6, a5
            s_nop 7
            ds_write_b32 v4, a6
            s_waitcnt lgkmcnt(0)
            ds_read_b32 a7, v4
            s_waitcnt lgkmcnt(0)
            global_store_dword v[2:3], a7, off offset:1024
            v_accvgpr_read_b32 v8, a7";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        for lane in 0..64 {
            let expected = 100 + lane as u32;
            assert_eq!(wave.lane(ACCUMULATORS + 7, lane), expected, "{chip}");
            assert_eq!(wave.lane(8, lane), expected, "{chip}");
            assert_eq!(wave.lane(5, lane), 0, "{chip}: the vector register is another one");
            let stored = machine.memory.read(0x1400 + 4 * lane as u64, 4).expect("mapped");
            assert_eq!(stored, u64::from(expected), "{chip}");
        }
    }
}

#[test]
fn memory_is_loaded_into_the_share() {
    for (chip, load, words) in [
        ("gfx900", "global_load_dword v[2:3], off offset:4 lds", 1),
        ("gfx908", "global_load_dword v4, s[2:3] offset:4 lds", 1),
        ("gfx90a", "global_load_dword v[2:3], off offset:4 lds", 1),
        ("gfx942", "global_load_lds_dword v[2:3], off offset:4", 1),
        ("gfx950", "global_load_lds_dwordx3 v[2:3], off offset:4", 3),
        ("gfx950", "global_load_lds_dwordx4 v[2:3], off offset:4", 4),
    ] {
        let mut machine = with_memory();
        let text = format!("s_mov_b32 m0, 16\ns_nop 0\n{load}\ns_waitcnt vmcnt(0)");
        machine.share = vec![0; 2048];
        run(chip, &text, &mut machine).expect(chip);
        for lane in 0..64 {
            for word in 0..words {
                // M0, the offset, and one lane after the other.
                let at = 16 + 4 + 4 * (words * lane + word);
                let found = u32::from_le_bytes(machine.share[at..at + 4].try_into().expect("4"));
                assert_eq!(found as usize, 100 + lane + 1 + word, "{chip} {lane} {word}");
            }
        }
        let mut machine = with_memory();
        let text = format!("s_mov_b32 m0, 0x10000\ns_nop 0\n{load}");
        let stop = run(chip, &text, &mut machine).expect_err("beyond what M0 is said to hold");
        assert!(matches!(stop.reason, Reason::Unsupported(_)), "{chip} {:?}", stop.reason);
    }
}

#[test]
fn scratch_is_where_the_launch_put_it() {
    for chip in ["gfx942", "gfx950"] {
        let mut machine = with_memory();
        machine.waves[0].apertures.hidden_private = 0x1000;
        let wave = &mut machine.waves[0];
        (0..64).for_each(|lane| wave.set_lane(5, lane, 4));
        let text = "
            s_mov_b32 s4, 8
            scratch_load_dword v6, off, off offset:4
            scratch_load_dword v7, v5, off offset:4
            scratch_load_dword v8, off, s4
            scratch_load_dword v9, v5, s4
            s_waitcnt vmcnt(0)";
        run(chip, text, &mut machine).expect(chip);
        for lane in 0..64 {
            // A dword of each lane after the other.
            let word = |number: u32| 100 + 64 * number + lane as u32;
            let found = [6, 7, 8, 9].map(|register| machine.waves[0].lane(register, lane));
            assert_eq!(found, [word(1), word(2), word(2), word(3)], "{chip} {lane}");
        }
    }
}

#[test]
fn floats_in_memory_are_added_and_compared() {
    for chip in CHIPS {
        let mut machine = with_memory();
        machine.memory.write(0x1000, 8, 1.5_f64.to_bits()).expect("mapped");
        let wave = &mut machine.waves[0];
        wave.set_exec(1);
        for (first, value) in [(6, 2.25_f64), (8, -1.0)] {
            wave.set_lane(first, 0, value.to_bits() as u32);
            wave.set_lane(first + 1, 0, (value.to_bits() >> 32) as u32);
        }
        let returns = if chip == "gfx90a" { "glc" } else { "sc0" };
        let text = format!(
            "global_atomic_add_f64 v[10:11], v[2:3], v[6:7], off {returns}
            s_waitcnt vmcnt(0)
            global_atomic_min_f64 v[2:3], v[8:9], off
            ds_add_f64 v4, v[6:7]"
        );
        run(chip, &text, &mut machine).expect(chip);
        let old = machine.waves[0].number(10, 0, 2);
        assert_eq!(f64::from_bits(old), 1.5, "{chip}");
        let found = machine.memory.read(0x1000, 8).expect("mapped");
        assert_eq!(f64::from_bits(found), -1.0, "{chip}");
        assert_eq!(machine.share[..8], 2.25_f64.to_le_bytes(), "{chip}");
    }
}

#[test]
fn pairs_of_short_floats_in_memory_are_added() {
    // 1.5 and -2, to which 0.25 and 4 are added.
    let (before, added, after) = (0xc000_3fc0_u32, 0x4080_3e80, 0x4000_3fe0_u32);
    for chip in ["gfx942", "gfx950"] {
        let mut machine = with_memory();
        machine.memory.write(0x1000, 4, before.into()).expect("mapped");
        machine.share[..4].copy_from_slice(&before.to_le_bytes());
        machine.waves[0].set_exec(1);
        machine.waves[0].set_lane(6, 0, added);
        let text = "
            global_atomic_pk_add_bf16 v10, v[2:3], v6, off sc0
            s_waitcnt vmcnt(0)
            ds_pk_add_rtn_bf16 v11, v4, v6
            s_waitcnt lgkmcnt(0)
            flat_atomic_pk_add_bf16 v[2:3], v12";
        run(chip, text, &mut machine).expect(chip);
        let wave = &machine.waves[0];
        assert_eq!([wave.lane(10, 0), wave.lane(11, 0)], [before; 2], "{chip}: what was there");
        let found = machine.memory.read(0x1000, 4).expect("mapped");
        assert_eq!(found, u64::from(after), "{chip}: zeros change nothing");
        assert_eq!(machine.share[..4], after.to_le_bytes(), "{chip}");
    }
}

#[test]
fn a_lanes_64_bits_are_given_to_its_whole_row() {
    let modifiers = "row_newbcast:2 row_mask:0xf bank_mask:0xf";
    for chip in CHIPS {
        let mut machine = machine();
        let wave = &mut machine.waves[0];
        for lane in 0..64 {
            for (first, value) in [(2, lane as f64), (4, 0.5), (6, 100.0)] {
                wave.set_lane(first, lane, value.to_bits() as u32);
                wave.set_lane(first + 1, lane, (value.to_bits() >> 32) as u32);
            }
        }
        let mut text = format!("v_fmac_f64_dpp v[6:7], v[2:3], v[4:5] {modifiers}");
        if chip != "gfx90a" {
            text += &format!("\nv_mov_b64_dpp v[8:9], v[2:3] {modifiers}");
        }
        run(chip, &text, &mut machine).expect(chip);
        for lane in 0..64_usize {
            let given = (lane / 16 * 16 + 2) as f64;
            let wave = &machine.waves[0];
            assert_eq!(f64::from_bits(wave.number(6, lane, 2)), 100.0 + 0.5 * given, "{chip}");
            if chip != "gfx90a" {
                assert_eq!(f64::from_bits(wave.number(8, lane, 2)), given, "{chip}");
            }
        }
    }
}

#[test]
fn a_lane_is_given_to_its_whole_row() {
    for chip in CHIPS {
        let mut machine = machine();
        run(chip, "v_mov_b32_dpp v1, v0 row_newbcast:3 row_mask:0xf bank_mask:0xf", &mut machine)
            .expect(chip);
        for lane in 0..64_usize {
            assert_eq!(machine.waves[0].lane(1, lane) as usize, lane / 16 * 16 + 3, "{chip}");
        }
    }
}

#[test]
fn rows_are_exchanged() {
    for (row, text) in [(16, "v_permlane16_swap_b32 v1, v0"), (32, "v_permlane32_swap_b32 v1, v0")]
    {
        let mut machine = machine();
        (0..64).for_each(|lane| machine.waves[0].set_lane(1, lane, 100 + lane as u32));
        run("gfx950", text, &mut machine).expect(text);
        for lane in 0..64_usize {
            let is_upper = lane / row % 2 == 1;
            let (zero, one) = match is_upper {
                // The source keeps its upper rows, the destination its lower ones.
                true => (lane, lane - row),
                false => (100 + lane + row, 100 + lane),
            };
            let found = [0, 1].map(|register| machine.waves[0].lane(register, lane) as usize);
            assert_eq!(found, [zero, one], "{text} {lane}");
        }
        machine.waves[0].counter = 0;
        machine.waves[0].set_exec(1);
        let stop = run("gfx950", text, &mut machine).expect_err("inactive lanes");
        assert!(matches!(stop.reason, Reason::Unsupported(_)), "{text}");
    }
}

#[test]
fn the_die_and_the_caches_are_known() {
    for chip in ["gfx942", "gfx950"] {
        let mut machine = machine();
        machine.waves[0].set_scalar(4, 7);
        let text = "s_getreg_b32 s4, hwreg(HW_REG_XCC_ID)\nbuffer_wbl2 sc1\nbuffer_inv sc1";
        run(chip, text, &mut machine).expect(chip);
        assert_eq!(machine.waves[0].scalar(4), 0, "{chip}");
    }
}
