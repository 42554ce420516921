//! The digits of 2/π by which large angles are reduced.
//!
//! Source: ISA manuals, V_TRIG_PREOP_F64: segments of 53 of its 1201 binary digits,
//! from a place on that the exponent of the angle gives; digits behind the last are 0.

use super::Inputs;
use softfloat::Rounding;

/// The digits of 2/π behind the point, the highest first, in base 16.
const DIGITS: &[u8] =
    b"a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424d\
    d2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639\
    835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f46\
    3f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b0000";

/// Binary digits that the hardware has.
const KNOWN: u32 = 1201;

/// Fifty-three digits from a place on, as a whole number.
fn segment(place: u32) -> u64 {
    let digit = |place: u32| {
        let digit = DIGITS.get(place as usize / 4).and_then(|it| char::from(*it).to_digit(16));
        u64::from(place < KNOWN) & u64::from(digit.unwrap_or(0) >> (3 - place % 4) & 1)
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
        let text = std::str::from_utf8(DIGITS).expect("digits");
        let words = (0..38).map(|at| u32::from_str_radix(&text[8 * at..8 * at + 8], 16));
        let digits: Vec<u32> = words.rev().map(|word| word.expect("a word")).collect();
        let product = times(&pi[..45].to_vec(), &digits);
        // 44 + 38 words behind the point.
        let whole = product[82];
        assert_eq!(whole, 1, "a little less than two");
        let behind = &product[82 - 37..82];
        assert!(behind.iter().all(|word| *word == u32::MAX), "{behind:x?}");
    }
}
