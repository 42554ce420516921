//! Edges of granules, chip by chip.

use super::*;

fn target(name: &str) -> Target {
    Target::find(name).expect(name)
}

fn waves(usage: Usage, name: &str) -> u32 {
    occupancy(usage, target(name)).waves
}

fn vgprs(vgprs: u32) -> Usage {
    Usage { vgprs, ..Usage::default() }
}

fn sgprs(sgprs: u32) -> Usage {
    Usage { sgprs, ..Usage::default() }
}

#[test]
fn vector_register_edges() {
    let edges = [24, 28, 32, 36, 40, 48, 64, 84, 128, 256];
    for name in ["tahiti", "bonaire", "fiji", "vega10"] {
        for (most, expected) in edges.into_iter().zip((1..=10).rev()) {
            assert_eq!(waves(vgprs(most), name), expected, "{name} {most}");
            assert_eq!(most_vgprs(expected, &target(name).row().limits), most);
            if expected > 1 {
                assert_eq!(waves(vgprs(most + 1), name), expected - 1, "{name} {most} + 1");
            }
        }
        assert_eq!(waves(vgprs(257), name), 0);
    }
}

#[test]
fn whole_workgroups_may_be_fewer_than_there_is_room_for() {
    let whole = |vgprs, waves_per_group| {
        let usage = Usage { vgprs, waves_per_group, ..Usage::default() };
        let occupancy = occupancy(usage, target("gfx908"));
        (occupancy.waves, occupancy.whole_groups(&usage))
    };
    assert_eq!(whole(48, 16), (5, Some(WholeGroups { groups: 1, waves: 4 })));
    assert_eq!(whole(84, 16), (3, Some(WholeGroups { groups: 0, waves: 0 })));
    assert_eq!(whole(64, 16), (4, None));
    assert_eq!(whole(48, 1), (5, None));
    assert_eq!(whole(36, 12), (7, Some(WholeGroups { groups: 2, waves: 6 })));
}

#[test]
fn ladders_begin_with_the_chips_own_limit() {
    let steps = |name| ladder(target(name)).collect::<Vec<OccupancyStep>>();
    assert_eq!(steps("vega10")[0], OccupancyStep { waves: 10, vgprs: 24, sgprs: Some(80) });
    assert_eq!(steps("polaris10")[0], OccupancyStep { waves: 8, vgprs: 32, sgprs: Some(96) });
    assert_eq!(steps("tonga")[0].sgprs, None);
    for name in ["tahiti", "tonga", "polaris10", "vega10"] {
        for step in steps(name) {
            let Some(sgprs) = step.sgprs else { continue };
            let usage = Usage { vgprs: step.vgprs, sgprs, ..Usage::default() };
            assert!(waves(usage, name) >= step.waves, "{name} {step:?}");
        }
        assert_eq!(steps(name).last().map(|it| (it.waves, it.vgprs)), Some((1, 256)));
    }
}

#[test]
fn scalar_register_edges() {
    let old = [(48, 10), (49, 9), (56, 9), (64, 8), (72, 7), (80, 6), (96, 5), (97, 4)];
    for (used, expected) in old {
        assert_eq!(waves(sgprs(used), "tahiti"), expected, "{used}");
        assert_eq!(waves(sgprs(used), "bonaire"), expected, "{used}");
    }
    for (used, expected) in [(80, 10), (81, 8), (96, 8), (97, 7), (102, 7)] {
        assert_eq!(waves(sgprs(used), "vega10"), expected, "{used}");
        assert_eq!(waves(sgprs(used), "fiji"), expected, "{used}");
    }
    // The SGPR fault allocates 96 whatever is used.
    assert_eq!(waves(sgprs(8), "tonga"), 8);
    assert_eq!(occupancy(sgprs(8), target("tonga")).limiter, Limiter::Sgprs);
    assert_eq!(occupancy(sgprs(8), target("tonga")).relief, None);
}

#[test]
fn polaris_holds_eight_waves() {
    let found = occupancy(vgprs(24), target("polaris10"));
    assert_eq!((found.waves, found.limiter), (8, Limiter::Waves));
    assert_eq!((found.spare_vgprs, found.relief), (8, None));
}

#[test]
fn local_data_share_is_the_units() {
    let usage = Usage { lds: 16 << 10, waves_per_group: 4, ..Usage::default() };
    // Four groups of four waves: one wave of each on every SIMD.
    let found = occupancy(usage, target("vega10"));
    assert_eq!((found.waves, found.limiter), (4, Limiter::Lds));
    // Five groups fit when each takes a fifth, in granules of 512.
    let relief = found.relief.expect("less memory helps");
    assert_eq!((relief.waves, relief.lds), (5, (16 << 10) - 12800));
    assert_eq!(waves(Usage { lds: (16 << 10) - relief.lds, ..usage }, "vega10"), 5);
    assert_eq!(waves(Usage { lds: 40 << 10, ..usage }, "tahiti"), 0);
    assert_eq!(waves(Usage { lds: 40 << 10, ..usage }, "bonaire"), 1);
    // Sixteen groups of two waves, however small.
    let small = Usage { waves_per_group: 2, ..Usage::default() };
    let found = occupancy(small, target("vega10"));
    assert_eq!((found.waves, found.limiter), (8, Limiter::Groups));
    assert_eq!(found.relief, None);
}

#[test]
fn drivers_count_in_their_own_way() {
    let by = |arithmetic, usage, name| occupancy_by(arithmetic, usage, target(name)).waves;
    let small = Usage { lds: 1024, ..Usage::default() };
    // A group of one wave and 1 KiB: 64 of them by the chip, 32 by Mesa on gfx6.
    assert_eq!(by(Arithmetic::Chip, small, "tahiti"), 10);
    assert_eq!(by(Arithmetic::Mesa22, small, "tahiti"), 10);
    assert_eq!(by(Arithmetic::Mesa25, small, "tahiti"), 8);
    assert_eq!(by(Arithmetic::Mesa25, small, "bonaire"), 10);
    let pairs = Usage { waves_per_group: 2, ..Usage::default() };
    assert_eq!(by(Arithmetic::Chip, pairs, "vega10"), 8);
    assert_eq!(by(Arithmetic::Mesa25, pairs, "vega10"), 10);
    // Two groups of 16 waves fit: eight waves on a SIMD. Of single waves with 1504 bytes
    // each it would be eleven.
    let large = Usage { lds: 24_000, waves_per_group: 16, ..Usage::default() };
    assert_eq!(by(Arithmetic::Chip, large, "vega10"), 8);
    assert_eq!(by(Arithmetic::Mesa22, large, "vega10"), 10);
    assert_eq!(by(Arithmetic::Mesa25, large, "vega10"), 8);
}

#[test]
fn edges_are_where_they_are_said_to_be() {
    for name in ["tahiti", "bonaire", "tonga", "polaris10", "vega10"] {
        for vgprs in (1..=256).step_by(3) {
            for sgprs in (1..=100).step_by(9) {
                for lds in [0, 700, 8000, 30000] {
                    let usage = Usage { vgprs, sgprs, lds, waves_per_group: 3, ..Usage::default() };
                    for arithmetic in [Arithmetic::Chip, Arithmetic::Mesa22, Arithmetic::Mesa25] {
                        edges_are_right(usage, arithmetic, target(name));
                    }
                }
            }
        }
    }
}

fn edges_are_right(usage: Usage, arithmetic: Arithmetic, target: Target) {
    let Usage { vgprs, sgprs, lds, .. } = usage;
    let found = occupancy_by(arithmetic, usage, target);
    let waves = |usage| occupancy_by(arithmetic, usage, target).waves;
    let spent = Usage { vgprs: vgprs + found.spare_vgprs, ..usage };
    assert_eq!(waves(spent), found.waves, "{target} {arithmetic:?} {usage:?}");
    let spent = Usage { sgprs: sgprs + found.spare_sgprs, ..usage };
    assert_eq!(waves(spent), found.waves, "{target} {arithmetic:?} {usage:?}");
    let spent = Usage { lds: lds + found.spare_lds, ..usage };
    assert_eq!(waves(spent), found.waves, "{target} {arithmetic:?} {usage:?}");
    let Some(relief) = found.relief else { return };
    let less = Usage {
        vgprs: vgprs - relief.vgprs,
        sgprs: sgprs - relief.sgprs,
        lds: lds - relief.lds,
        ..usage
    };
    assert!(waves(less) >= relief.waves, "{target} {arithmetic:?} {usage:?}");
}

#[test]
fn the_larger_of_two_register_files_counts() {
    let of = |vgprs, agprs| {
        let usage = Usage { vgprs, agprs, ..Usage::default() };
        occupancy(usage, target("gfx908"))
    };
    assert_eq!((of(40, 64).waves, of(40, 64).limiter), (4, Limiter::Agprs));
    assert_eq!((of(64, 40).waves, of(64, 64).limiter), (4, Limiter::Vgprs));
    assert_eq!((of(40, 64).spare_vgprs, of(40, 64).spare_agprs), (24, 0));
    let relief = of(60, 64).relief.expect("five waves have 48 of each");
    assert_eq!((relief.waves, relief.vgprs, relief.agprs), (5, 12, 16));
}

#[test]
fn absurd_figures_do_not_overflow() {
    let usage = Usage {
        vgprs: u32::MAX,
        agprs: u32::MAX,
        sgprs: u32::MAX,
        lds: u32::MAX,
        waves_per_group: u32::MAX,
        interpolants: u32::MAX,
    };
    for target in Target::all() {
        assert_eq!(occupancy(usage, target).waves, 0);
        assert_eq!(occupancy(Usage { waves_per_group: 0, ..usage }, target).waves, 0);
    }
}

/// The occupancy of a kernel of vector and accumulation registers on a chip.
fn both(vgprs: u32, agprs: u32, name: &str) -> (Usage, Occupancy) {
    let usage = Usage { vgprs, agprs, ..Usage::default() };
    (usage, occupancy(usage, target(name)))
}

#[test]
fn one_file_holds_both_kinds() {
    for name in ["gfx90a", "gfx942", "gfx950"] {
        let of = |vgprs, agprs| both(vgprs, agprs, name).1;
        assert_eq!((of(64, 0).waves, of(65, 0).waves, of(256, 256).waves), (8, 7, 1), "{name}");
        // Nine vector registers and four of the other kind: 12 + 4.
        assert_eq!((of(9, 4).allocated_vgprs, of(9, 0).allocated_vgprs), (16, 16));
        assert_eq!((of(61, 1).waves, of(60, 4).waves, of(60, 5).waves), (7, 8, 7));
        assert_eq!((of(257, 0).waves, of(1, 257).waves), (0, 0), "there are no such names");
        let (usage, found) = both(100, 60, name);
        assert_eq!(usage.shared_vgprs(target(name)), Some(160));
        assert_eq!((found.waves, found.limiter), (3, Limiter::Vgprs));
        assert_eq!((found.spare_vgprs, found.spare_agprs), (8, 8));
        let relief = found.relief.expect("four waves have 128");
        assert_eq!((relief.waves, relief.vgprs, relief.agprs), (4, 32, 32));
        // No number of vector registers leaves 128 to four waves.
        let relief = both(20, 140, name).1.relief.expect("four waves");
        assert_eq!((relief.vgprs, relief.agprs), (0, 32));
    }
    assert_eq!(both(100, 60, "gfx908").0.shared_vgprs(target("gfx908")), None);
    assert_eq!(ladder(target("gfx942")).last().map(|it| it.vgprs), Some(512));
}

#[test]
fn spare_and_relief_of_one_file_are_the_edges() {
    let chip = "gfx942";
    let waves = |vgprs, agprs| both(vgprs, agprs, chip).1.waves;
    for vgprs in (1..=256).step_by(5) {
        for agprs in (0..=256).step_by(7) {
            let (_, found) = both(vgprs, agprs, chip);
            assert_eq!(waves(vgprs + found.spare_vgprs, agprs), found.waves, "{vgprs} {agprs}");
            assert_eq!(waves(vgprs, agprs + found.spare_agprs), found.waves, "{vgprs} {agprs}");
            assert!(waves(vgprs + found.spare_vgprs + 1, agprs) < found.waves, "{vgprs} {agprs}");
            assert!(waves(vgprs, agprs + found.spare_agprs + 1) < found.waves, "{vgprs} {agprs}");
            let Some(relief) = found.relief else { continue };
            assert!(relief.vgprs + relief.agprs > 0, "{vgprs} {agprs}");
            if relief.vgprs > 0 {
                assert!(waves(vgprs - relief.vgprs, agprs) >= relief.waves, "{vgprs} {agprs}");
                assert!(waves(vgprs - relief.vgprs + 1, agprs) < relief.waves, "{vgprs} {agprs}");
            }
            if relief.agprs > 0 {
                assert!(waves(vgprs, agprs - relief.agprs) >= relief.waves, "{vgprs} {agprs}");
                assert!(waves(vgprs, agprs - relief.agprs + 1) < relief.waves, "{vgprs} {agprs}");
            }
        }
    }
}

#[test]
fn the_larger_local_data_share_has_a_larger_granule() {
    let of = |lds, waves_per_group, name| {
        let usage = Usage { lds, waves_per_group, ..Usage::default() };
        let found = occupancy(usage, target(name));
        (found.waves, found.groups, found.allocated_lds)
    };
    // Of 160 KiB five groups of 32 KiB would fit, were it not for the granule.
    assert_eq!(of(32 << 10, 4, "gfx950"), (4, 4, 33_280));
    assert_eq!(of(32 << 10, 4, "gfx942"), (2, 2, 32 << 10));
    assert_eq!(of(160 << 10, 16, "gfx950"), (4, 1, 160 << 10));
    assert_eq!(of((160 << 10) + 1, 16, "gfx950").0, 0);
}

/// `getTotalNumVGPRs` of LLVM: behind vector registers in fours, together in eights. Chips with a
/// file for each kind allocate as many of both.
#[test]
fn allocated_registers_are_told_by_kind() {
    for (chip, vgprs, agprs, expected, spare) in [
        ("gfx908", 70, 5, [72, 72], 0),
        ("gfx908", 3, 0, [4, 4], 0),
        ("gfx90a", 70, 70, [72, 72], 26),
        ("gfx90a", 69, 5, [72, 8], 3),
        ("gfx90a", 0, 5, [4, 12], 55),
        ("gfx90a", 70, 0, [72, 0], 2),
        ("gfx900", 27, 0, [28, 28], 0),
    ] {
        let (usage, found) = both(vgprs, agprs, chip);
        let name = format!("{chip}, {vgprs} and {agprs}");
        assert_eq!(found.allocated_by_kind(&usage, target(chip)), expected, "{name}");
        let total = found.spare_total_vgprs(&usage, target(chip));
        assert_eq!(total, spare, "{name}");
        if let Some(taken) = usage.shared_vgprs(target(chip)) {
            let waves = [0, 1].map(|more| both(taken + total + more, 0, chip).1.waves);
            assert!(waves[0] == found.waves && waves[1] < found.waves, "{name}: {waves:?}");
        }
    }
}
