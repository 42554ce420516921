//! The chips: processor names, marketing names, generation, features, limits.
//!
//! What a whole generation shares is `data/gcn/generations.tsv`, what chips have beyond it
//! `data/gcn/features.tsv`. Nothing about a chip is written anywhere else.

use std::fmt;

use super::features::{FeatureSet, Subtarget};
use super::plain::Generation;

include!(concat!(env!("OUT_DIR"), "/gcn_chips.rs"));

/// A row of the table of generations.
struct GenerationRow {
    label: &'static str,
    architecture: &'static str,
    nop_states: u8,
    features: FeatureSet,
}

impl Generation {
    fn row(self) -> &'static GenerationRow {
        &GENERATIONS[self as usize]
    }

    /// Returns the name by which the field counts them, and AMD's own: `GCN 1.0`,
    /// `Southern Islands`.
    pub fn titles(self) -> (&'static str, &'static str) {
        (self.row().label, self.row().architecture)
    }

    /// Returns what all of its chips have.
    pub fn features(self) -> FeatureSet {
        self.row().features
    }

    /// Returns the subtarget that has what all of its chips have, and no more.
    pub fn subtarget(self) -> Subtarget {
        // Those of whole generations come first.
        Subtarget(self as u8)
    }

    /// Returns the most wait states that one `s_nop` makes.
    pub fn most_nop_states(self) -> u8 {
        self.row().nop_states
    }

    /// Returns the wait states that an `s_nop` with this operand makes: the hardware reads
    /// only so many of its bits.
    pub fn nop_states(self, operand: u64) -> u8 {
        let mask = self.most_nop_states() - 1;
        (operand as u8 & mask) + 1
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Feature {
    /// Lists every feature, those that are generations first.
    pub fn all() -> impl Iterator<Item = Feature> {
        FEATURES.iter().map(|it| it.0)
    }

    /// Returns the name that the tables use: `fma-mix`.
    pub fn name(self) -> &'static str {
        FEATURES[self as usize].1
    }

    /// Returns a sentence about it.
    pub fn summary(self) -> &'static str {
        FEATURES[self as usize].2
    }
}

/// A chip: a row of the table. Two targets are equal if they are the same row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target(u16);

/// The facts about a chip, a row of `data/gcn/targets.tsv`.
#[derive(Debug)]
pub struct TargetInfo {
    /// The name users know: `polaris10`, or the processor's own: `gfx803`.
    pub name: &'static str,
    /// The name LLVM takes: `gfx803`.
    pub processor: &'static str,
    /// The generation.
    pub generation: Generation,
    /// The features of its instruction set, the generation included.
    pub features: FeatureSet,
    /// The number of its set of features.
    pub subtarget: Subtarget,
    /// Other names of the chip: `ellesmere`.
    pub aliases: &'static [&'static str],
    /// Says what it was sold as; empty for a row that is only a processor.
    pub products: &'static str,
    /// Sizes of what waves share.
    pub limits: Limits,
    /// Tells whether every shader allocates the registers of page-fault retry.
    pub xnack: bool,
    /// The rate of 64-bit addition beside the 32-bit one: `1/16`.
    pub fp64_rate: &'static str,
    /// Tells whether 32-bit fused multiply-add is as fast as multiplication.
    pub fast_fma: bool,
    /// The first version of LLVM that knows the processor, of those that compile shaders.
    pub llvm_since: u32,
    /// The feature string LLVM is given; empty for none.
    pub llvm_features: &'static str,
    /// The shaders that are compiled for it; else it is only assembled and decoded.
    pub compiles: Compiles,
    /// The number in the flags of ELF files; only the processors' own rows have one.
    pub machine: Option<u32>,
    /// The source of the row.
    pub source: &'static str,
}

/// The shaders that are compiled for a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compiles {
    /// Shaders of all stages.
    AllStages,
    /// Compute shaders: the chip draws nothing.
    Compute,
    /// None.
    Nothing,
}

/// Sizes of what the waves of a SIMD or a compute unit share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The invocations of a wave.
    pub lanes: u32,
    /// The most waves on a SIMD.
    pub waves: u32,
    /// Vector registers of a lane, on a SIMD.
    pub vgpr_file: u32,
    /// Vector registers are allocated in multiples of this.
    pub vgpr_granule: u32,
    /// Says how many vector registers of a kind an instruction can name.
    pub vgpr_addressable: u32,
    /// Accumulation registers begin behind the vector registers, at a multiple of this; 0 where
    /// they have a file of their own.
    pub accum_granule: u32,
    /// Scalar registers of a SIMD.
    pub sgpr_file: u32,
    /// Scalar registers are allocated in multiples of this.
    pub sgpr_granule: u32,
    /// Says how many numbered scalar registers an instruction can name.
    pub sgpr_addressable: u32,
    /// Says what is always allocated, on chips with the SGPR initialisation fault.
    pub fixed_sgprs: Option<u32>,
    /// Bytes of local data share of a compute unit.
    pub lds_unit: u32,
    /// The most bytes of local data share of a workgroup.
    pub lds_group: u32,
    /// Local data share is allocated in multiples of this, in bytes.
    pub lds_granule: u32,
    /// Scalar registers added where VCC is used. The three additions overlap:
    /// the largest that applies counts.
    pub extra_vcc: u32,
    /// Scalar registers added where the chip retries page faults.
    pub extra_xnack: u32,
    /// Scalar registers added where FLAT_SCRATCH is used.
    pub extra_flat_scratch: u32,
    /// The most wait states that one `s_nop` makes.
    pub nop_states: u32,
}

impl Target {
    /// Returns the target of a chip's name, processor, or other name; letter case does not
    /// count.
    ///
    /// A processor's name is its own row, with the limits that LLVM knows:
    /// `gfx803` has 10 waves where `polaris10` has 8.
    pub fn find(name: &str) -> Option<Target> {
        let name = name.trim();
        let find =
            |matches: &dyn Fn(&TargetInfo) -> bool| Target::all().find(|it| matches(it.row()));
        find(&|row| row.name.eq_ignore_ascii_case(name))
            .or_else(|| find(&|row| row.aliases.iter().any(|it| it.eq_ignore_ascii_case(name))))
    }

    /// Returns the processor of a number in the flags of an ELF file.
    pub fn of_machine(machine: u32) -> Option<Target> {
        Target::all().find(|target| target.row().machine == Some(machine))
    }

    /// Lists every target, processor by processor.
    pub fn all() -> impl ExactSizeIterator<Item = Target> {
        (0..TARGETS.len() as u16).map(Target)
    }

    /// Returns the facts about it.
    pub fn row(self) -> &'static TargetInfo {
        &TARGETS[usize::from(self.0)]
    }

    /// Returns the name users know: `polaris10`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name LLVM takes: `gfx803`.
    pub fn processor(self) -> &'static str {
        self.row().processor
    }

    /// Tells whether its name is one that LLVM had for a processor which it knows by another
    /// name now.
    pub fn is_former_name(self) -> bool {
        self.name().starts_with("gfx") && self.name() != self.processor()
    }

    /// Returns the generation.
    pub fn generation(self) -> Generation {
        self.row().generation
    }

    /// Returns what its instruction set has.
    pub fn features(self) -> FeatureSet {
        self.row().features
    }

    /// Tells whether its instruction set has a feature.
    pub fn has(self, feature: Feature) -> bool {
        self.features().has(feature)
    }
}

impl Subtarget {
    /// Returns its features.
    pub fn features(self) -> FeatureSet {
        SUBTARGET_FEATURES[usize::from(self.0)]
    }
}

impl Default for Target {
    fn default() -> Target {
        DEFAULT
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Target({})", self.name())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
