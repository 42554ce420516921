//! Flat addresses in the share and in scratch, and the share as a source of vectors.

use super::{machine, run};
use crate::{Machine, Reason, Unmapped};

const CHIPS: [&str; 3] = ["bonaire", "polaris10", "vega10"];

/// FLAT_SCRATCH of a chip.
fn flat_scratch(chip: &str) -> u16 {
    if chip == "bonaire" { 104 } else { 102 }
}

/// A machine with 0x400 bytes of share, memory at 0x2000 and scratch for all lanes at
/// 0x10000, of 32 bytes each; v0 counts lanes, v[2:3] are addresses for the test to fill.
fn ready(chip: &str) -> Machine {
    let mut machine = machine();
    machine.share = (0..0x400_u32 / 4).flat_map(|word| (0x100 + word).to_le_bytes()).collect();
    let memory: Vec<u32> = (0..0x80).map(|word| 0x200 + word).collect();
    machine.memory.map_words(0x2000, &memory).expect("a mapping");
    let scratch: Vec<u32> = (0..8 * 64).map(|word| 0x3000 + word).collect();
    machine.memory.map_words(0x10000, &scratch).expect("a mapping");
    let wave = &mut machine.waves[0];
    let code = flat_scratch(chip);
    if chip == "vega10" {
        wave.set_pair(code, 0x10000);
    } else {
        // Bases that only upper halves tell apart, as Linux has them there.
        wave.apertures.shared = 0x2000_0000;
        wave.apertures.private = 0x2000_0001;
        wave.apertures.hidden_private = 0x8000;
        wave.set_scalar(code, 32);
        wave.set_scalar(code + 1, 0x80);
    }
    wave.set_scalar(gcn::analysis::M0, u32::MAX);
    machine
}

fn point(machine: &mut Machine, lane: usize, upper: u32, lower: u32) {
    machine.waves[0].set_lane(2, lane, lower);
    machine.waves[0].set_lane(3, lane, upper);
}

const WAIT: &str = "s_waitcnt vmcnt(0) lgkmcnt(0)";

#[test]
fn one_load_reaches_memory_share_and_scratch() {
    for chip in CHIPS {
        let mut machine = ready(chip);
        let apertures = machine.waves[0].apertures;
        for lane in 0..64_u32 {
            let (upper, lower) = match lane % 3 {
                0 => (0, 0x2000 + 4 * lane),
                1 => (apertures.shared, 4 * lane),
                _ => (apertures.private, 4 * (lane % 8)),
            };
            point(&mut machine, lane as usize, upper, lower);
        }
        run(chip, &format!("flat_load_dword v4, v[2:3]\n{WAIT}"), &mut machine).expect(chip);
        for lane in 0..64_u32 {
            let expected = match lane % 3 {
                0 => 0x200 + lane,
                1 => 0x100 + lane,
                _ => 0x3000 + lane % 8 * 64 + lane,
            };
            assert_eq!(machine.waves[0].lane(4, lane as usize), expected, "{chip} {lane}");
        }
    }
}

#[test]
fn stores_and_atomics_reach_the_share() {
    for chip in CHIPS {
        let mut machine = ready(chip);
        let shared = machine.waves[0].apertures.shared;
        for lane in 0..64 {
            point(&mut machine, lane, shared, 8);
        }
        let text = format!("flat_atomic_add v5, v[2:3], v0 glc\n{WAIT}");
        run(chip, &text, &mut machine).expect(chip);
        let word =
            |place: usize| u32::from_le_bytes(machine.share[place..][..4].try_into().expect("4"));
        assert_eq!(word(8), 0x102 + 63 * 64 / 2, "{chip}");
        assert_eq!(machine.waves[0].lane(5, 3), 0x102 + 1 + 2, "{chip}");
        let mut machine = ready(chip);
        for lane in 0..64 {
            point(&mut machine, lane, shared, 4 * lane as u32 + 1);
        }
        run(chip, "flat_store_byte v[2:3], v0", &mut machine).expect(chip);
        assert_eq!(machine.share[4 * 17..][..4], [0x11, 17, 0, 0], "{chip}");
    }
}

#[test]
fn violations_end_the_run() {
    for chip in CHIPS {
        let limit =
            |machine: &mut Machine, bytes| machine.waves[0].set_scalar(gcn::analysis::M0, bytes);
        let ended = |prepare: &dyn Fn(&mut Machine), private: bool, lower: u32, text: &str| {
            let mut machine = ready(chip);
            let apertures = machine.waves[0].apertures;
            let upper = if private { apertures.private } else { apertures.shared };
            point(&mut machine, 0, upper, lower);
            machine.waves[0].set_exec(1);
            prepare(&mut machine);
            let address = u64::from(upper) << 32 | u64::from(lower);
            let ended = run(chip, text, &mut machine).map_err(|stop| stop.reason);
            (ended, Err(Reason::Unmapped(Unmapped { address })))
        };
        let load = "flat_load_dword v4, v[2:3]";
        let (found, violation) = ended(&|_| {}, false, 0x400, load);
        assert_eq!(found, violation, "{chip}");
        // M0 limits the share before gfx9, and only there.
        let (found, violation) = ended(&|machine| limit(machine, 0x20), false, 0x20, load);
        assert_eq!(found, if chip == "vega10" { Ok(()) } else { violation }, "{chip}");
        // So does FLAT_SCRATCH the lane's scratch; on gfx9 nothing says where it ends.
        let (found, violation) = ended(&|_| {}, true, 32, load);
        assert_eq!(found.is_err(), violation.is_err(), "{chip}");
        let (found, _) = ended(&|_| {}, true, 28, load);
        assert_eq!(found, Ok(()), "{chip}");
        if chip == "vega10" {
            let load = "global_load_dword v4, v[2:3], off";
            let (found, violation) = ended(&|_| {}, false, 0, load);
            assert_eq!(found, violation);
        }
    }
}

#[test]
fn scratch_is_the_same_by_either_instruction() {
    let mut machine = ready("vega10");
    machine.waves[0].set_lane(2, 5, 12);
    for lane in 0..64 {
        let private = machine.waves[0].apertures.private;
        point(&mut machine, lane, private, 12);
    }
    let text = "v_mov_b32 v6, 14
                v_mov_b32 v7, 12
                flat_store_short v[2:3], v0
                scratch_store_byte v6, v0, off
                s_waitcnt vmcnt(0) lgkmcnt(0)
                scratch_load_dword v8, v7, off
                s_waitcnt vmcnt(0)";
    run("vega10", text, &mut machine).expect("scratch");
    for lane in 0..64_u32 {
        // The upper byte of what was there stays.
        let expected = lane | lane << 16 | (0x3000 + 3 * 64 + lane) & 0xff00_0000;
        assert_eq!(machine.waves[0].lane(8, lane as usize), expected, "{lane}");
    }
}

#[test]
fn code_reads_where_the_apertures_are() {
    let mut machine = machine();
    machine.waves[0].apertures.shared = 0x1234_0000;
    machine.waves[0].apertures.private = 0x5678_0000;
    let text = "s_mov_b64 s[0:1], src_shared_base
                s_mov_b64 s[2:3], src_shared_limit
                s_mov_b64 s[4:5], src_private_base
                s_mov_b64 s[6:7], src_private_limit
                s_getreg_b32 s8, hwreg(HW_REG_SH_MEM_BASES, 16, 16)
                s_getreg_b32 s9, hwreg(HW_REG_SH_MEM_BASES, 0, 16)";
    run("vega10", text, &mut machine).expect("scalars");
    let pairs = [0, 2, 4, 6].map(|first| machine.waves[0].pair(first));
    let expected = [
        0x1234_0000_0000_0000,
        0x1234_0000_ffff_ffff,
        0x5678_0000_0000_0000,
        0x5678_0000_ffff_ffff,
    ];
    assert_eq!(pairs, expected);
    assert_eq!([8, 9].map(|code| machine.waves[0].scalar(code)), [0x1234, 0x5678]);
}

#[test]
fn vectors_read_the_share_by_m0() {
    for chip in super::CHIPS {
        for (ty, expected) in [
            (0, Some(0xf2)),
            (1, Some(0x82f2)),
            (2, Some(0x9182_82f2)),
            (3, None),
            (4, Some(0xffff_fff2)),
            (5, Some(0xffff_82f2)),
            (6, None),
        ] {
            let mut machine = ready(chip);
            machine.share[8..12].copy_from_slice(&0x9182_82f2_u32.to_le_bytes());
            machine.waves[0].set_scalar(gcn::analysis::M0, ty << 16 | 8);
            let ended = run(chip, "v_add_f32 v1, src_lds_direct, v9", &mut machine);
            let found = ended.is_ok().then(|| {
                let again = "v_mov_b32 v4, src_lds_direct";
                machine.waves[0].counter = 0;
                run(chip, again, &mut machine).expect(chip);
                machine.waves[0].lane(4, 63)
            });
            assert_eq!(found, expected, "{chip} {ty}");
        }
        // A place between words means nothing; behind the end there are zeros.
        let mut machine = ready(chip);
        machine.waves[0].set_scalar(gcn::analysis::M0, 2 << 16 | 6);
        let ended = run(chip, "v_mov_b32 v4, src_lds_direct", &mut machine);
        assert!(matches!(ended.map_err(|stop| stop.reason), Err(Reason::Unsupported(_))), "{chip}");
        let mut machine = ready(chip);
        machine.waves[0].set_scalar(gcn::analysis::M0, 2 << 16 | 0x400);
        machine.waves[0].set_lane(4, 0, 7);
        run(chip, "v_mov_b32 v4, src_lds_direct", &mut machine).expect(chip);
        assert_eq!(machine.waves[0].lane(4, 0), 0, "{chip}");
    }
}
