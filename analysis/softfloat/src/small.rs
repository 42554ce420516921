//! Floats of 16, 8, 6 and 4 bits that matrices are made of.
//!
//! Sources: OCP 8-bit Floating Point Specification, OCP Microscaling Formats (MX); AMD's ISA
//! documents of MI300 and MI350 for the formats without negative zero.

/// The meaning of the codes that are not a finite number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// The highest exponent is infinity, and NaN with a fraction.
    InfinityAndNan,
    /// All ones but the sign are NaN.
    LastIsNan,
    /// The code of negative zero is NaN.
    NegativeZeroIsNan,
    /// Every code is a finite number.
    None,
}

/// The result of a number that is beyond the largest of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// Infinity, or NaN in formats that have none; the largest number in formats with neither.
    Special,
    /// The largest number.
    Largest,
}

/// A format of a sign, an exponent and a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallFormat {
    exponent: u32,
    fraction: u32,
    bias: i32,
    specials: Specials,
}

const fn format(exponent: u32, fraction: u32, bias: i32, specials: Specials) -> SmallFormat {
    SmallFormat { exponent, fraction, bias, specials }
}

impl SmallFormat {
    /// Half the bits of a float of 32.
    pub const BF16: SmallFormat = format(8, 7, 127, Specials::InfinityAndNan);
    /// Half floats of IEEE 754.
    pub const F16: SmallFormat = format(5, 10, 15, Specials::InfinityAndNan);
    /// E4M3 of OCP: up to 448, no infinity.
    pub const FP8: SmallFormat = format(4, 3, 7, Specials::LastIsNan);
    /// E5M2 of OCP: the upper half of a half float.
    pub const BF8: SmallFormat = format(5, 2, 15, Specials::InfinityAndNan);
    /// E4M3 of MI300: up to 240, one zero, one NaN.
    pub const FP8_FNUZ: SmallFormat = format(4, 3, 8, Specials::NegativeZeroIsNan);
    /// E5M2 of MI300: up to 57344, one zero, one NaN.
    pub const BF8_FNUZ: SmallFormat = format(5, 2, 16, Specials::NegativeZeroIsNan);
    /// E2M3: up to 7.5.
    pub const FP6: SmallFormat = format(2, 3, 1, Specials::None);
    /// E3M2: up to 28.
    pub const BF6: SmallFormat = format(3, 2, 3, Specials::None);
    /// E2M1: up to 6.
    pub const FP4: SmallFormat = format(2, 1, 1, Specials::None);

    /// Returns the bits of a number.
    pub const fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// Tells whether the format has NaN.
    pub const fn has_nan(self) -> bool {
        !matches!(self.specials, Specials::None)
    }

    fn sign_bit(self) -> u32 {
        1 << (self.exponent + self.fraction)
    }

    /// The exponent of the smallest normal number.
    fn least(self) -> i32 {
        1 - self.bias
    }

    /// The magnitude of the largest finite number.
    fn largest(self) -> u32 {
        let all = self.sign_bit() - 1;
        match self.specials {
            Specials::InfinityAndNan => all - (1 << self.fraction),
            Specials::LastIsNan => all - 1,
            Specials::NegativeZeroIsNan | Specials::None => all,
        }
    }

    /// Returns the smallest number that has all bits of the fraction.
    pub fn smallest_normal(self) -> f64 {
        2.0_f64.powi(self.least())
    }

    /// Returns the number that bits are; those above the format's do not count.
    pub fn value(self, bits: u32) -> f64 {
        let negative = bits & self.sign_bit() != 0;
        let magnitude = bits & (self.sign_bit() - 1);
        let signed = |value: f64| if negative { -value } else { value };
        if magnitude > self.largest() {
            let infinite = magnitude == self.largest() + 1;
            let infinite = infinite && self.specials == Specials::InfinityAndNan;
            return signed(if infinite { f64::INFINITY } else { f64::NAN });
        }
        if magnitude == 0 && negative && self.specials == Specials::NegativeZeroIsNan {
            return -f64::NAN;
        }
        let fraction = magnitude & ((1 << self.fraction) - 1);
        let (exponent, whole) = match magnitude >> self.fraction {
            0 => (self.least(), fraction),
            biased => (biased as i32 - self.bias, fraction | 1 << self.fraction),
        };
        signed(f64::from(whole) * 2.0_f64.powi(exponent - self.fraction as i32))
    }

    /// Returns the nearest number, of two that are as near the even one; `None` for NaN where
    /// the format has none.
    pub fn nearest(self, value: f64, overflow: Overflow) -> Option<u32> {
        self.rounded(value, overflow, |units| units.round_ties_even())
    }

    /// Returns the number below or above, by random bits: what is cut off, as a part of 2^32, is
    /// added to them, and the carry counts up. `None` for NaN where the format has none.
    ///
    /// AMD's ISA documents have it so for results of normal size (V_CVT_SR_FP8_F32). What they
    /// leave open is here as in AMD's own emulator (rocjitsu): smaller results likewise, and less
    /// than half of the smallest number becomes zero whatever the bits.
    pub fn stochastic(self, value: f64, random: u32, overflow: Overflow) -> Option<u32> {
        let part = f64::from(random) / 4_294_967_296.0;
        self.rounded(value, overflow, |units| {
            let whole = units.trunc();
            // A sum of less than 53 bits: exact, so the comparison is.
            let up = units >= 0.5 && units - whole >= 1.0 - part;
            if up { whole + 1.0 } else { whole }
        })
    }

    /// Rounds by a function from the units of the last place to a whole number of them.
    fn rounded(self, value: f64, overflow: Overflow, whole: impl Fn(f64) -> f64) -> Option<u32> {
        let sign = if value.is_sign_negative() { self.sign_bit() } else { 0 };
        if value.is_nan() {
            return match self.specials {
                Specials::None => None,
                Specials::NegativeZeroIsNan => Some(self.sign_bit()),
                Specials::InfinityAndNan | Specials::LastIsNan => {
                    Some(sign | (self.sign_bit() - 1))
                }
            };
        }
        let magnitude = value.abs();
        let found = match magnitude.is_infinite() {
            true => u32::MAX,
            false => {
                let bits = magnitude.to_bits();
                let exponent = ((bits >> 52) as i32 - 1023).max(self.least());
                let units = magnitude * 2.0_f64.powi(self.fraction as i32 - exponent);
                // A carry out of the fraction counts the exponent up, which is what it should.
                let place = (exponent - self.least()) as u32;
                place.saturating_mul(1 << self.fraction).saturating_add(whole(units) as u32)
            }
        };
        Some(match (found > self.largest(), overflow, self.specials) {
            (false, ..) if found == 0 && self.specials == Specials::NegativeZeroIsNan => 0,
            (false, ..) => sign | found,
            (true, Overflow::Largest, _) | (true, _, Specials::None) => sign | self.largest(),
            (true, _, Specials::NegativeZeroIsNan) => self.sign_bit(),
            // Infinity, or the NaN that follows the largest number.
            (true, ..) => sign | (self.largest() + 1),
        })
    }
}
