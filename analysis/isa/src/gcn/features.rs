//! What the instruction set of a chip has.

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

impl std::fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(Feature::all().filter(|it| self.has(*it))).finish()
    }
}
