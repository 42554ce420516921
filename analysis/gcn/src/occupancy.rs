//! Occupancy: the waves that fit on a SIMD and what limits them, by granule arithmetic.
//!
//! Four SIMDs make a compute unit. Registers are a SIMD's own; local data share
//! is the unit's. Everything is allocated in granules, so a shader that uses one
//! register less often gains nothing, and at an edge gains a wave.

use crate::Target;
use crate::targets::Limits;
pub use editor_model::{OccupancyStep, Relief, WholeGroups};

/// SIMDs of a compute unit.
const SIMDS: u32 = 4;
/// The most workgroups of more than one wave on a compute unit: there are no more barriers.
const GROUPS: u32 = 16;
/// Bytes of local data share that one interpolated attribute takes: three
/// vertices of four floats.
const INTERPOLANT_BYTES: u32 = 48;

/// The resources that a shader uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulation registers, a file of their own of the same size: the larger need of the
    /// two is allocated in both.
    pub agprs: u32,
    /// Scalar registers, VCC and the like included.
    pub sgprs: u32,
    /// Bytes of local data share of a workgroup.
    pub lds: u32,
    /// Waves of a workgroup; 1 for graphics stages.
    pub waves_per_group: u32,
    /// Attributes that a fragment shader interpolates; 0 for other stages.
    pub interpolants: u32,
}

impl Default for Usage {
    fn default() -> Usage {
        Usage { vgprs: 0, agprs: 0, sgprs: 0, lds: 0, waves_per_group: 1, interpolants: 0 }
    }
}

isa::words! {
    /// The limit that keeps waves from being more.
    Limiter {
        /// The chip's own limit.
        Waves "waves",
        /// Vector registers.
        Vgprs "vgprs",
        /// Accumulation registers.
        Agprs "agprs",
        /// Scalar registers.
        Sgprs "sgprs",
        /// Local data share.
        Lds "lds",
        /// The number of workgroups.
        Groups "groups",
    }
}

/// The waves that fit, and the distance of the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Waves per SIMD; 0 where the shader does not fit at all.
    pub waves: u32,
    /// The limit that keeps the waves from being more; the first of several that do.
    pub limiter: Limiter,
    /// Vector registers allocated, and as many accumulation registers where there are any.
    pub allocated_vgprs: u32,
    /// Scalar registers allocated.
    pub allocated_sgprs: u32,
    /// Bytes of local data share allocated per workgroup.
    pub allocated_lds: u32,
    /// Vector registers that may still be used without losing a wave.
    pub spare_vgprs: u32,
    /// Accumulation registers that may still be used without losing a wave.
    pub spare_agprs: u32,
    /// Scalar registers that may still be used without losing a wave.
    pub spare_sgprs: u32,
    /// Bytes of local data share that may still be used without losing a wave.
    pub spare_lds: u32,
    /// The price of one wave more; `None` where no saving gives one.
    pub relief: Option<Relief>,
}

impl Occupancy {
    /// Returns the whole workgroups that fit, where their waves are fewer than those that each
    /// SIMD has room for. LLVM and the drivers count the room.
    pub fn whole_groups(&self, usage: &Usage) -> Option<WholeGroups> {
        let own = usage.waves_per_group.max(1);
        let groups = SIMDS * self.waves / own;
        let waves = (groups * own).div_ceil(SIMDS);
        (waves < self.waves).then_some(WholeGroups { groups, waves })
    }
}

/// The arithmetic that counts the waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Arithmetic {
    /// The chip's.
    #[default]
    Chip,
    /// The arithmetic of Mesa 22.3's statistics: registers and local data share, of which each
    /// wave has its part and each SIMD a quarter, as if waves came without their workgroups.
    Mesa22,
    /// The arithmetic of the statistics of Mesa 25.0 and later: registers and local data
    /// share, of which a compute unit is taken to have no more than one workgroup gets; any
    /// number of workgroups.
    Mesa25,
}

/// The rule by which waves share the local data share of a compute unit.
#[derive(Debug, Clone, Copy)]
enum Sharing {
    /// Whole workgroups fit, of several waves at most so many.
    Groups(u32),
    /// Single waves fit.
    Waves,
}

/// The occupancy of a shader on a chip.
pub fn occupancy(usage: Usage, target: Target) -> Occupancy {
    occupancy_by(Arithmetic::Chip, usage, target)
}

/// The occupancy of a shader on a chip, as somebody counts it.
pub fn occupancy_by(arithmetic: Arithmetic, usage: Usage, target: Target) -> Occupancy {
    let row = &target.row().limits;
    match arithmetic {
        Arithmetic::Chip => {
            // A workgroup is there as a whole or not at all.
            let whole = SIMDS * row.waves / usage.waves_per_group.max(1);
            within(usage, row, Sharing::Groups(whole.min(GROUPS)))
        }
        Arithmetic::Mesa22 => within(usage, row, Sharing::Waves),
        Arithmetic::Mesa25 => {
            let limits = Limits { lds_unit: row.lds_group, ..*row };
            within(usage, &limits, Sharing::Groups(u32::MAX))
        }
    }
}

/// The occupancy within limits.
fn within(usage: Usage, limits: &Limits, sharing: Sharing) -> Occupancy {
    let usage = Usage { waves_per_group: usage.waves_per_group.max(1), ..usage };
    let allocated_vgprs = allocate(usage.vgprs.max(usage.agprs).max(1), limits.vgpr_granule);
    let allocated_sgprs = match limits.fixed_sgprs {
        Some(fixed) => fixed.max(usage.sgprs),
        None => allocate(usage.sgprs.max(1), limits.sgpr_granule),
    };
    let allocated_lds = allocate(local_bytes(usage), limits.lds_granule);

    let by_vgprs = limits.vgpr_file / allocated_vgprs;
    let by_sgprs = if usage.sgprs > addressable_sgprs(limits) {
        0
    } else {
        limits.sgpr_file / allocated_sgprs
    };
    let (by_lds, by_groups) = group_waves(usage, allocated_lds, limits, sharing);
    let waves = limits.waves.min(by_vgprs).min(by_sgprs).min(by_lds).min(by_groups);
    let limiter = match waves {
        _ if waves == limits.waves => Limiter::Waves,
        _ if waves == by_vgprs && usage.agprs > usage.vgprs => Limiter::Agprs,
        _ if waves == by_vgprs => Limiter::Vgprs,
        _ if waves == by_sgprs => Limiter::Sgprs,
        _ if waves == by_lds => Limiter::Lds,
        _ => Limiter::Groups,
    };
    let spare = |most: Option<u32>, used: u32| most.unwrap_or(used).saturating_sub(used);
    Occupancy {
        waves,
        limiter,
        allocated_vgprs,
        allocated_sgprs,
        allocated_lds,
        spare_vgprs: spare(Some(most_vgprs(waves, limits)), usage.vgprs),
        spare_agprs: spare(Some(most_vgprs(waves, limits)), usage.agprs),
        spare_sgprs: spare(most_sgprs(waves, limits), usage.sgprs),
        spare_lds: spare(most_lds(waves, usage, limits, sharing), local_bytes(usage)),
        relief: relief(usage, waves, limits, sharing),
    }
}

/// Returns which registers give how many waves on a chip, from the most waves down to one.
pub fn ladder(target: Target) -> impl Iterator<Item = OccupancyStep> {
    let limits = &target.row().limits;
    (1..=limits.waves).rev().map(|waves| OccupancyStep {
        waves,
        vgprs: most_vgprs(waves, limits),
        sgprs: most_sgprs(waves, limits),
    })
}

/// The most vector registers with which `waves` fit.
pub fn most_vgprs(waves: u32, limits: &Limits) -> u32 {
    floor(limits.vgpr_file / waves.max(1), limits.vgpr_granule)
}

/// The most scalar registers with which `waves` fit, those of VCC and the like
/// included; `None` where the chip always allocates too many.
pub fn most_sgprs(waves: u32, limits: &Limits) -> Option<u32> {
    let file = limits.sgpr_file / waves.max(1);
    match limits.fixed_sgprs {
        Some(fixed) => (fixed <= file).then_some(fixed),
        None => Some(floor(file, limits.sgpr_granule).min(addressable_sgprs(limits))),
    }
}

/// The most scalar registers that can be allocated: numbered ones and VCC's.
/// From gfx8 on the special registers lie within the addressable ones and a
/// shader that needs all of them allocates 112.
fn addressable_sgprs(limits: &Limits) -> u32 {
    let most = limits.sgpr_addressable + limits.extra_vcc;
    let special = limits.extra_flat_scratch.max(limits.extra_xnack);
    allocate(most.max(limits.sgpr_addressable + special), limits.sgpr_granule)
}

/// The most bytes of local data share of a workgroup with which `waves` fit.
fn most_lds(waves: u32, usage: Usage, limits: &Limits, sharing: Sharing) -> Option<u32> {
    let before = waves.saturating_sub(1);
    let most = match sharing {
        Sharing::Groups(most_groups) => {
            // The fewest groups that bring one SIMD to `waves`.
            let groups = (SIMDS * before) / usage.waves_per_group + 1;
            if usage.waves_per_group > 1 && groups > most_groups {
                return None;
            }
            limits.lds_unit / groups
        }
        // What is left beside the waves before it is at least a byte.
        Sharing::Waves => match (limits.lds_unit / SIMDS - 1).checked_div(before) {
            Some(part) => (part + 1).saturating_mul(usage.waves_per_group).saturating_sub(1),
            None => limits.lds_group,
        },
    };
    Some(floor(most, limits.lds_granule).min(limits.lds_group))
}

fn relief(usage: Usage, waves: u32, limits: &Limits, sharing: Sharing) -> Option<Relief> {
    let wanted = waves + 1;
    if wanted > limits.waves {
        return None;
    }
    Some(Relief {
        waves: wanted,
        vgprs: usage.vgprs.saturating_sub(most_vgprs(wanted, limits)),
        agprs: usage.agprs.saturating_sub(most_vgprs(wanted, limits)),
        sgprs: usage.sgprs.saturating_sub(most_sgprs(wanted, limits)?),
        lds: local_bytes(usage).saturating_sub(most_lds(wanted, usage, limits, sharing)?),
    })
}

/// Waves per SIMD by local data share, and by the number of workgroups.
fn group_waves(usage: Usage, allocated_lds: u32, limits: &Limits, sharing: Sharing) -> (u32, u32) {
    let simd_waves = |groups: u32| groups.saturating_mul(usage.waves_per_group).div_ceil(SIMDS);
    let by_lds = match (allocated_lds, sharing) {
        (0, _) => u32::MAX,
        (bytes, _) if bytes > limits.lds_group => 0,
        (bytes, Sharing::Groups(_)) => simd_waves(limits.lds_unit / bytes),
        (bytes, Sharing::Waves) => {
            (limits.lds_unit / SIMDS).div_ceil((bytes / usage.waves_per_group).max(1))
        }
    };
    let by_groups = match sharing {
        Sharing::Groups(most) if usage.waves_per_group > 1 => simd_waves(most),
        _ => u32::MAX,
    };
    (by_lds, by_groups)
}

fn local_bytes(usage: Usage) -> u32 {
    usage.lds.saturating_add(usage.interpolants.saturating_mul(INTERPOLANT_BYTES))
}

fn allocate(amount: u32, granule: u32) -> u32 {
    amount.div_ceil(granule).saturating_mul(granule)
}

fn floor(amount: u32, granule: u32) -> u32 {
    amount / granule * granule
}

#[cfg(test)]
mod tests {
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
                        let usage =
                            Usage { vgprs, sgprs, lds, waves_per_group: 3, ..Usage::default() };
                        for arithmetic in [Arithmetic::Chip, Arithmetic::Mesa22, Arithmetic::Mesa25]
                        {
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
}
