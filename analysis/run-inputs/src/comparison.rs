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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_by_bits_by_class_or_by_distance() {
        let exact = Tolerance { ulps: 0 };
        assert!(agree(1, 1, exact) && agree(0x7fc0_0000, 0xffff_ffff, exact));
        assert!(!agree(0, 0x8000_0000, exact) && !agree(1, 2, exact));
        assert!(agree(0x3f80_0000, 0x3f80_0002, Tolerance { ulps: 2 }));
        assert!(agree(0, 0x8000_0000, Tolerance { ulps: 1 }));
        assert!(!agree(0x3f80_0000, 0xbf80_0000, Tolerance { ulps: 2 }));
    }
}
