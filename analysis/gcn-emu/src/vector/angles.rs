//! The digits of 2/π by which large angles are reduced.
//!
//! Source: ISA manuals, V_TRIG_PREOP_F64: segments of 53 of its 1201 binary digits,
//! from a place on that the exponent of the angle gives; digits behind the last are 0.

use super::Inputs;
use softfloat::Rounding;

/// The binary digits of 2/π behind the point, the highest first.
const DIGITS: [u32; 38] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
    0xdebb_c561,
    0xb724_6e3a,
    0x424d_d2e0,
    0x0649_2eea,
    0x09d1_921c,
    0xfe1d_eb1c,
    0xb129_a73e,
    0xe882_35f5,
    0x2ebb_4484,
    0xe99c_7026,
    0xb45f_7e41,
    0x3991_d639,
    0x8353_39f4,
    0x9c84_5f8b,
    0xbdf9_283b,
    0x1ff8_97ff,
    0xde05_980f,
    0xef2f_118b,
    0x5a0a_6d1f,
    0x6d36_7ecf,
    0x27cb_09b7,
    0x4f46_3f66,
    0x9e5f_ea2d,
    0x7527_bac7,
    0xebe5_f17b,
    0x3d07_39f7,
    0x8a52_92ea,
    0x6bfb_5fb1,
    0x1f8d_5d08,
    0x5603_3046,
    0xfc7b_0000,
];

/// Digits that the hardware has.
const KNOWN: u32 = 1201;

/// Fifty-three digits from a place on, as a whole number.
fn segment(place: u32) -> u64 {
    let digit = |place: u32| {
        let word = DIGITS.get(place as usize / 32).copied().unwrap_or(0);
        u64::from(place < KNOWN) & u64::from(word >> (31 - place % 32) & 1)
    };
    (place..place + 53).fold(0, |all, place| all << 1 | digit(place))
}

/// V_TRIG_PREOP_F64.
pub(super) fn preparation(i: &Inputs) -> u64 {
    let exponent = (i.s[0] >> 52 & 0x7ff) as i32;
    let place = (i.s[1] as i32 & 31) * 53 + (exponent - 1077).max(0);
    let more = if exponent >= 1968 { 128 } else { 0 };
    let segment = segment(place as u32) as f64;
    crate::arithmetic::times_power::<64>(segment, more - 53 - place, Rounding::Nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers of many digits, the lowest first.
    type Big = Vec<u32>;

    fn divided(number: &Big, by: u32) -> Big {
        let mut rest = 0_u64;
        let mut out = vec![0; number.len()];
        for (digit, place) in number.iter().zip(&mut out).rev() {
            let whole = rest << 32 | u64::from(*digit);
            *place = (whole / u64::from(by)) as u32;
            rest = whole % u64::from(by);
        }
        out
    }

    fn combined(a: &Big, b: &Big, minus: bool) -> Big {
        let mut carry = 0_i64;
        a.iter()
            .zip(b)
            .map(|(a, b)| {
                let b = i64::from(*b);
                let sum = i64::from(*a) + if minus { -b } else { b } + carry;
                carry = sum >> 32;
                sum as u32
            })
            .collect()
    }

    fn times(a: &Big, b: &[u32]) -> Big {
        let mut out = vec![0_u32; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            let mut carry = 0_u64;
            for (j, y) in b.iter().enumerate() {
                let sum = u64::from(*x) * u64::from(*y) + u64::from(out[i + j]) + carry;
                out[i + j] = sum as u32;
                carry = sum >> 32;
            }
            out[i + b.len()] = carry as u32;
        }
        out
    }

    /// The inverse tangent of one part of a number, with 44 words behind the point.
    fn tangent(of: u32) -> Big {
        let mut one = vec![0; 45];
        one[44] = 1;
        let mut term = divided(&one, of);
        let mut sum = term.clone();
        let mut count = 1;
        while term.iter().any(|word| *word != 0) {
            term = divided(&divided(&term, of), of);
            count += 2;
            sum = combined(&sum, &divided(&term, count), count % 4 == 3);
        }
        sum
    }

    #[test]
    fn the_digits_are_those_of_two_over_pi() {
        // Machin's formula for π; then π times the digits is 2, less than one of the last.
        let quarter = combined(
            &times(&tangent(5), &[4])[..45].to_vec(),
            &times(&tangent(239), &[1])[..45].to_vec(),
            true,
        );
        let pi = times(&quarter, &[4]);
        let digits: Vec<u32> = DIGITS.iter().rev().copied().collect();
        let product = times(&pi[..45].to_vec(), &digits);
        // 44 + 38 words behind the point.
        let whole = product[82];
        assert_eq!(whole, 1, "a little less than two");
        let behind = &product[82 - 37..82];
        assert!(behind.iter().all(|word| *word == u32::MAX), "{behind:x?}");
    }
}
