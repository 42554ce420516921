//! Numbers held exactly until they are rounded once, as the four rounding modes need them.
//!
//! Processors are set to round to the nearest only. Sums, products and both in one step of
//! floats of up to 64 bits fit 126 bits here, save for addends so much smaller that they
//! count as a sticky bit alone.

use crate::Rounding;

/// A finite number: `magnitude` times a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
    negative: bool,
    /// Zero, or with [`TOP`] as its highest bit. The lowest bit also stands for all below it.
    magnitude: u128,
    /// The power of two that the lowest bit counts.
    exponent: i32,
}

/// The highest bit of a magnitude: one is free above it, for the carry of a sum.
const TOP: u32 = 125;

impl Exact {
    /// A number; `None` for what is not finite.
    pub fn of(value: f64) -> Option<Exact> {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let fraction = u128::from(bits & ((1 << 52) - 1));
        let (magnitude, exponent) = match exponent {
            0x7ff => return None,
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        Some(Exact { negative: value.is_sign_negative(), magnitude, exponent }.normalised())
    }

    /// The same number with its highest bit in its place.
    fn normalised(mut self) -> Exact {
        if self.magnitude == 0 {
            self.exponent = 0;
            return self;
        }
        let highest = 127 - self.magnitude.leading_zeros();
        if highest > TOP {
            let down = highest - TOP;
            self.magnitude = shifted_down(self.magnitude, down);
            self.exponent += down as i32;
        } else {
            let up = TOP - highest;
            self.magnitude <<= up;
            self.exponent -= up as i32;
        }
        self
    }

    /// The product of two numbers of at most 53 bits each.
    pub fn times(self, other: Exact) -> Exact {
        let negative = self.negative != other.negative;
        // The 53 bits that count, from the top: two of them make 106, which fit.
        let low = TOP + 1 - 53;
        let magnitude = (self.magnitude >> low) * (other.magnitude >> low);
        let exponent = self.exponent + other.exponent + 2 * low as i32;
        Exact { negative, magnitude, exponent }.normalised()
    }

    /// The number times a power of two. Beyond some power every number is out of range of
    /// every format, whatever the rest of the power: so the sum stays far from overflow.
    pub fn times_power(mut self, power: i32) -> Exact {
        self.exponent += power.clamp(-4096, 4096);
        self
    }

    /// The sum. Two zeros of different signs, and what cancels, give +0, or -0 where it is
    /// rounded down.
    pub fn plus(self, other: Exact, rounding: Rounding) -> Exact {
        let (large, small) = match (self.magnitude, other.magnitude) {
            (0, 0) if self.negative == other.negative => return self,
            (0, 0) => return Exact { negative: rounding == Rounding::Down, ..self },
            (0, _) => return other,
            (_, 0) => return self,
            _ if self.exponent >= other.exponent => (self, other),
            _ => (other, self),
        };
        // Numbers have at most 106 bits of the 126, so a shift by up to 20 loses nothing. A
        // longer one leaves a sticky bit far below the last place of every format. Then at
        // most one leading bit can cancel, so it stays below and only says "not exact".
        let distance = (large.exponent - small.exponent) as u32;
        let addend = shifted_down(small.magnitude, distance);
        if large.negative == small.negative {
            return Exact { magnitude: large.magnitude + addend, ..large }.normalised();
        }
        let (magnitude, negative) = match large.magnitude.checked_sub(addend) {
            Some(0) => (0, rounding == Rounding::Down),
            Some(rest) => (rest, large.negative),
            None => (addend - large.magnitude, small.negative),
        };
        Exact { negative, magnitude, exponent: large.exponent }.normalised()
    }

    /// The bits of the number in a format of 16, 32 or 64 bits.
    pub fn rounded(self, bits: u8, rounding: Rounding) -> u64 {
        // Bits of the fraction, and the exponent of the smallest normal number.
        let (fraction, least) = match bits {
            16 => (10, -14),
            32 => (23, -126),
            _ => (52, -1022),
        };
        let sign = u64::from(self.negative) << (bits - 1);
        if self.magnitude == 0 {
            return sign;
        }
        // The exponent of the highest bit, and of the last place that the format has. It
        // stops at the smallest normal number: denormals have the same last place.
        let exponent = (self.exponent + TOP as i32).max(least);
        let last = exponent - fraction;
        let down = (last - self.exponent).max(0) as u32;
        let (whole, rest) = match down {
            0..=127 => (self.magnitude >> down, self.magnitude & ((1 << down) - 1)),
            _ => (0, self.magnitude),
        };
        let half = 1_u128.checked_shl(down.wrapping_sub(1)).unwrap_or(u128::MAX);
        let up = match rounding {
            Rounding::Nearest => rest > half || rest == half && whole & 1 == 1,
            Rounding::TowardsZero => false,
            Rounding::Up => rest != 0 && !self.negative,
            Rounding::Down => rest != 0 && self.negative,
        };
        let whole = whole as u64 + u64::from(up);
        let hidden = 1_u64 << fraction;
        // A carry out of the fraction counts the exponent up, which is what it should.
        let place = if whole < hidden { 0 } else { (exponent - least) as u64 };
        let infinite = u64::from(bits) - 1 - fraction as u64;
        let infinite = ((1_u64 << infinite) - 1) << fraction;
        // From the largest format's exponent of infinity on, all are infinite.
        let found = place.min(0x7ff) * hidden + whole;
        if found < infinite {
            return sign | found;
        }
        // A directed rounding mode overflows to the largest number, not to infinity, where
        // infinity lies on the wrong side (IEEE 754, 7.4).
        let away = match rounding {
            Rounding::Nearest => true,
            Rounding::TowardsZero => false,
            Rounding::Up => !self.negative,
            Rounding::Down => self.negative,
        };
        sign | if away { infinite } else { infinite - 1 }
    }
}

/// Moves bits down; those that leave stay as a lowest bit that is set.
fn shifted_down(value: u128, count: u32) -> u128 {
    match count {
        0 => value,
        1..=127 => value >> count | u128::from(value & ((1 << count) - 1) != 0),
        _ => u128::from(value != 0),
    }
}
