//! Issue clocks of the classes of instructions on a chip: `issue_clocks.tsv` of `isa`.

use isa::gcn::Feature;
use isa::gcn::timing::Clocks;

use super::{Model, Profile};
use crate::Target;
use crate::behaviour::{IssueClass, Unit};

isa::words! {
    /// A part of the compute unit that instructions keep busy, as sums of time tell
    /// them apart.
    UnitGroup {
        /// Vector arithmetic, interpolation.
        Valu "valu",
        /// Products of matrices.
        Matrix "matrix",
        /// Scalar arithmetic.
        Salu "salu",
        /// Scalar memory.
        Smem "smem",
        /// Branches and messages.
        Branch "branch",
        /// Local data share.
        Lds "lds",
        /// Exports and the global data share.
        Export "export",
        /// Vector memory of any kind.
        Vmem "vmem",
        /// None: waits, ends, no-operations.
        None "none",
    }
}

impl UnitGroup {
    /// The group of a unit.
    pub fn of(unit: Unit) -> UnitGroup {
        match unit {
            Unit::Sequencer => UnitGroup::None,
            Unit::Branch | Unit::Message => UnitGroup::Branch,
            Unit::Salu => UnitGroup::Salu,
            Unit::Smem => UnitGroup::Smem,
            Unit::Valu | Unit::Interp => UnitGroup::Valu,
            Unit::Matrix => UnitGroup::Matrix,
            Unit::Lds => UnitGroup::Lds,
            Unit::Gds | Unit::Export => UnitGroup::Export,
            Unit::Vmem | Unit::Scratch | Unit::Flat => UnitGroup::Vmem,
        }
    }

    /// Tells whether the four SIMDs of a compute unit share it, so that the waves of all four
    /// compete for it.
    fn is_shared(self) -> bool {
        matches!(self, UnitGroup::Lds | UnitGroup::Export | UnitGroup::Vmem)
    }
}

/// Clocks of an issue slot.
pub(super) const SLOT: u32 = 4;
/// SIMDs that share a compute unit.
const SIMDS: u32 = 4;

/// The costs of an instruction of a class on a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IssueCost {
    /// Clocks until the wave may issue its next instruction.
    pub(super) issue: u32,
    /// The same where it is a branch that is surely taken.
    pub(super) taken: u32,
    /// Clocks for which a shared unit is taken, in the share of one SIMD.
    shared: Option<u32>,
    /// True if the model has a figure; else one slot is charged.
    pub(super) known: bool,
}

impl IssueCost {
    /// Clocks for which its group's unit is busy.
    pub(super) fn busy(&self, group: UnitGroup) -> u32 {
        self.shared.filter(|_| group.is_shared()).unwrap_or(self.issue)
    }
}

/// The cost of every class on a chip.
#[derive(Debug, Clone)]
pub(super) struct Costs(Vec<IssueCost>);

impl Costs {
    pub(super) fn new(model: Model, profile: Profile, target: Target) -> Costs {
        let cost = |class: &IssueClass| {
            let row = class.clocks();
            let own = row.f64_add_half.filter(|_| target.has(Feature::F64AddHalf));
            let clocks = match (model, own) {
                (Model::Aco, _) => on(row.aco, target, profile),
                (Model::Measured, Some(own)) => Some([own; 2]),
                (Model::Measured, None) => on(row.measured, target, profile),
            };
            let [issue, taken] = clocks.unwrap_or([SLOT; 2]);
            let shared = row.busy.filter(|_| model == Model::Measured).map(|busy| busy * SIMDS);
            IssueCost { issue, taken, shared, known: clocks.is_some() }
        };
        Costs(IssueClass::ALL.iter().map(cost).collect())
    }

    /// The cost of a class.
    pub(super) fn of(&self, class: IssueClass) -> IssueCost {
        self.0[class as usize]
    }
}

/// Returns the clocks on a chip; of a branch those when it is passed and when it is taken.
fn on(clocks: Clocks, target: Target, profile: Profile) -> Option<[u32; 2]> {
    let clocks = match clocks {
        Clocks::Fixed(clocks) => clocks,
        Clocks::ByRate(clocks) => match target.row().fp64_rate {
            "1/1" | "1/2" => clocks[0],
            "1/4" => clocks[1],
            "1/8" => clocks[2],
            _ => clocks[3],
        },
        Clocks::ByMultiplyAdd([fast, _]) if target.row().fast_fma => fast,
        Clocks::ByMultiplyAdd([_, slow]) => slow,
        Clocks::ByProfile([mesa22, mesa25]) => match profile {
            Profile::Mesa22 => mesa22,
            Profile::Mesa25 => mesa25,
        },
        Clocks::ByBranch(ways) => return Some(ways),
        Clocks::Unknown => return None,
    };
    Some([clocks; 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics::op_info;

    fn issue(mnemonic: &str, model: Model, target: &str) -> u32 {
        let target = Target::find(target).expect(target);
        let info = op_info(mnemonic).expect(mnemonic);
        let behaviour = info.behaviour(target.generation()).expect(mnemonic);
        Costs::new(model, Profile::Mesa25, target).of(behaviour.issue).issue
    }

    #[test]
    fn rates_are_the_chips() {
        for (mnemonic, target, measured, aco) in [
            ("v_add_f32", "tahiti", 4, 4),
            ("v_fma_f32", "tahiti", 4, 4),
            ("v_fma_f32", "polaris10", 16, 16),
            ("v_add_f64", "tahiti", 8, 32),
            ("v_mul_f64", "tahiti", 16, 64),
            ("v_mul_f64", "hawaii", 32, 64),
            ("v_mul_f64", "vega10", 64, 64),
            ("v_add_f64", "vega20", 8, 32),
            ("v_div_scale_f32", "bonaire", 16, 4),
            ("v_div_fixup_f64", "bonaire", 32, 4),
            ("v_cvt_f32_f64", "bonaire", 32, 16),
            ("v_cmp_lt_f64", "bonaire", 32, 64),
            ("v_cmp_lt_u64", "bonaire", 32, 8),
            ("v_mul_lo_u32", "vega10", 16, 16),
            ("v_mul_lo_u16", "vega10", 4, 4),
            ("s_and_saveexec_b64", "vega10", 8, 4),
            ("s_load_dwordx8", "vega10", 8, 4),
            ("ds_read_b128", "vega10", 16, 4),
            ("s_cbranch_scc0", "vega10", 4, 4),
        ] {
            assert_eq!(issue(mnemonic, Model::Measured, target), measured, "{mnemonic} {target}");
            assert_eq!(issue(mnemonic, Model::Aco, target), aco, "{mnemonic} {target}");
        }
    }

    #[test]
    fn versions_of_mesa_differ_in_branches() {
        let cost =
            |profile| Costs::new(Model::Aco, profile, Target::default()).of(IssueClass::Branch);
        assert_eq!((cost(Profile::Mesa22).issue, cost(Profile::Mesa25).issue), (8, 4));
    }

    #[test]
    fn shared_units_are_shared_by_four() {
        let costs = Costs::new(Model::Measured, Profile::Mesa25, Target::default());
        let read = costs.of(IssueClass::LdsRead128);
        assert_eq!((read.issue, read.busy(UnitGroup::Lds)), (16, 32));
        assert_eq!(costs.of(IssueClass::Trans).busy(UnitGroup::Valu), 16);
    }
}
