//! Comparing the words that a run left with those that it is to leave.

/// The distance that two floats may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tolerance {
    /// Units in the last place.
    pub ulps: u32,
}

/// Tells whether two words agree: the same bits, both NaN, or floats that are as
/// close as allowed.
pub fn agree(ours: u32, recorded: u32, tolerance: Tolerance) -> bool {
    ours == recorded
        || f32::from_bits(ours).is_nan() && f32::from_bits(recorded).is_nan()
        || distance(ours, recorded) <= u64::from(tolerance.ulps)
}

/// The number of floats between two, NaNs counted as beyond infinity.
fn distance(a: u32, b: u32) -> u64 {
    let ordered = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 0 { magnitude } else { -magnitude }
    };
    let same = a == b;
    ordered(a).abs_diff(ordered(b)).max(u64::from(!same))
}
