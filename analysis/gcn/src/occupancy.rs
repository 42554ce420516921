//! Occupancy: the waves that fit on a SIMD and what limits them, by granule arithmetic.
//!
//! Four SIMDs make a compute unit. Registers are a SIMD's own; local data share
//! is the unit's. Everything is allocated in granules, so a shader that uses one
//! register less often gains nothing, and at an edge gains a wave. How vector and
//! accumulation registers share is in [`vector_registers`].

mod scalar_registers;
mod vector_registers;

#[cfg(test)]
mod tests;

use crate::Target;
use crate::targets::Limits;
pub use editor_model::{OccupancyStep, Relief, ReliefKind, WholeGroups};
pub use scalar_registers::SpecialSgprs;
use vector_registers::VectorRegisters;

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
    /// Accumulation registers: of a file of their own, of which as many are allocated as of the
    /// other, or behind the vector registers in the same file.
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
        /// Vector registers; of both kinds, where they share a file.
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
    /// Vector registers allocated: of each of two files, or of the file that both kinds share.
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
    /// The whole workgroups that a compute unit holds.
    pub groups: u32,
}

impl Occupancy {
    /// Returns the whole workgroups that fit, where their waves are fewer than those that each
    /// SIMD has room for. LLVM and the drivers count the room.
    pub fn whole_groups(&self, usage: &Usage) -> Option<WholeGroups> {
        let waves = (self.groups * usage.waves_per_group.max(1)).div_ceil(SIMDS);
        (waves < self.waves).then_some(WholeGroups { groups: self.groups, waves })
    }

    /// Returns the vector and the accumulation registers that are allocated on a chip.
    pub fn allocated_by_kind(&self, usage: &Usage, target: Target) -> [u32; 2] {
        let limits = &target.row().limits;
        let all = self.allocated_vgprs;
        match (limits.accum_granule, usage.agprs) {
            (0, _) => [all, all],
            (_, 0) => [all, 0],
            _ => {
                let vgprs = VectorRegisters::of(usage, limits).accum_offset();
                [vgprs, all.saturating_sub(vgprs)]
            }
        }
    }

    /// Returns how many more vector registers cost no wave on a chip, those of both kinds counted
    /// together.
    pub fn spare_total_vgprs(&self, usage: &Usage, target: Target) -> u32 {
        let most = most_vgprs(self.waves, &target.row().limits);
        most.saturating_sub(usage.shared_vgprs(target).unwrap_or(most))
    }
}

impl Usage {
    /// Returns the registers of both kinds that a wave takes of the file that they share;
    /// `None` on a chip that has a file for each.
    pub fn shared_vgprs(&self, target: Target) -> Option<u32> {
        let limits = &target.row().limits;
        (limits.accum_granule > 0).then(|| VectorRegisters::of(self, limits).taken())
    }

    /// Returns the registers of both kinds, where they share a file and there are some of each.
    pub fn total_vgprs(&self, target: Target) -> Option<u32> {
        self.shared_vgprs(target).filter(|_| self.agprs > 0)
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
    let vectors = VectorRegisters::of(&usage, limits);
    let allocated_vgprs = allocate(vectors.taken().max(1), limits.vgpr_granule);
    let allocated_sgprs = match limits.fixed_sgprs {
        Some(fixed) => fixed.max(usage.sgprs),
        None => allocate(usage.sgprs.max(1), limits.sgpr_granule),
    };
    let allocated_lds = allocate(local_bytes(usage), limits.lds_granule);

    let by_vgprs = if vectors.can_be_named() { limits.vgpr_file / allocated_vgprs } else { 0 };
    let by_sgprs = if usage.sgprs > addressable_sgprs(limits) {
        0
    } else {
        limits.sgpr_file / allocated_sgprs
    };
    let (by_lds, by_groups) = group_waves(usage, allocated_lds, limits, sharing);
    let by_registers = limits.waves.min(by_vgprs).min(by_sgprs);
    let waves = by_registers.min(by_lds).min(by_groups);
    let groups = match sharing {
        Sharing::Groups(most) => {
            let own = (SIMDS * by_registers) / usage.waves_per_group;
            let most = if usage.waves_per_group > 1 { most } else { u32::MAX };
            own.min(most).min(lds_groups(allocated_lds, limits))
        }
        Sharing::Waves => SIMDS * waves / usage.waves_per_group,
    };
    let limiter = match waves {
        _ if waves == limits.waves => Limiter::Waves,
        _ if waves == by_vgprs && vectors.accumulators_rule() => Limiter::Agprs,
        _ if waves == by_vgprs => Limiter::Vgprs,
        _ if waves == by_sgprs => Limiter::Sgprs,
        _ if waves == by_lds => Limiter::Lds,
        _ => Limiter::Groups,
    };
    let spare = |most: Option<u32>, used: u32| most.unwrap_or(used).saturating_sub(used);
    let spare_vectors = vectors.spare(most_vgprs(waves, limits));
    Occupancy {
        waves,
        limiter,
        allocated_vgprs,
        allocated_sgprs,
        allocated_lds,
        spare_vgprs: spare_vectors.vgprs,
        spare_agprs: spare_vectors.agprs,
        spare_sgprs: spare(most_sgprs(waves, limits), usage.sgprs),
        spare_lds: spare(most_lds(waves, usage, limits, sharing), local_bytes(usage)),
        relief: relief(usage, waves, limits, sharing),
        groups,
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

/// The most vector registers with which `waves` fit; of both kinds, where they share a file.
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
    let vectors = VectorRegisters::of(&usage, limits).excess(most_vgprs(wanted, limits));
    Some(Relief {
        waves: wanted,
        vgprs: vectors.vgprs,
        agprs: vectors.agprs,
        either_kind: limits.accum_granule > 0 && vectors.vgprs > 0 && vectors.agprs > 0,
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
        (bytes, Sharing::Groups(_)) => simd_waves(lds_groups(bytes, limits)),
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

/// The workgroups that share the local data share.
fn lds_groups(allocated: u32, limits: &Limits) -> u32 {
    match limits.lds_unit.checked_div(allocated) {
        Some(_) if allocated > limits.lds_group => 0,
        Some(groups) => groups,
        None => u32::MAX,
    }
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
