//! The features of a chip's instruction set, and the expressions by which tables ask for it.

use super::chips::Feature;

/// A set of features, a generation among them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureSet(pub(super) u64);

impl FeatureSet {
    /// Tells whether a feature is in it.
    pub const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u64 != 0
    }
}

/// A set of features that chips have. Chips with equal features share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subtarget(pub(super) u8);

impl std::fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(Feature::all().filter(|it| self.has(*it))).finish()
    }
}
/// An expression over features, which the build made from a table's: one of its clauses
/// must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When(pub(super) &'static [Clause]);

/// Features that must be there, and features that must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause {
    /// Features that must be there.
    pub required: FeatureSet,
    /// Features that must not.
    pub excluded: FeatureSet,
}

impl Clause {
    pub(super) const fn of(required: u64, excluded: u64) -> Clause {
        Clause { required: FeatureSet(required), excluded: FeatureSet(excluded) }
    }
}

impl When {
    /// Tells whether it holds for a chip's features.
    pub const fn holds(self, features: FeatureSet) -> bool {
        let mut index = 0;
        while index < self.0.len() {
            let Clause { required, excluded } = self.0[index];
            if features.0 & required.0 == required.0 && features.0 & excluded.0 == 0 {
                return true;
            }
            index += 1;
        }
        false
    }
}
