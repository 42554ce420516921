//! Small formats: every code against a table made another way, and rounding against the table.

use softfloat::{Overflow, SmallFormat};

/// A format, with how many numbers are finite and not below zero, and what the first codes
/// beyond them are.
struct Expected {
    format: SmallFormat,
    fraction: u32,
    bias: i32,
    finite: u32,
    infinite: bool,
    negative_zero: bool,
}

const fn row(
    format: SmallFormat,
    (fraction, bias): (u32, i32),
    finite: u32,
    infinite: bool,
    negative_zero: bool,
) -> Expected {
    Expected { format, fraction, bias, finite, infinite, negative_zero }
}

const ALL: [Expected; 9] = [
    row(SmallFormat::BF16, (7, 127), 0x7f80, true, true),
    row(SmallFormat::F16, (10, 15), 0x7c00, true, true),
    row(SmallFormat::FP8, (3, 7), 127, false, true),
    row(SmallFormat::BF8, (2, 15), 124, true, true),
    row(SmallFormat::FP8_FNUZ, (3, 8), 128, false, false),
    row(SmallFormat::BF8_FNUZ, (2, 16), 128, false, false),
    row(SmallFormat::FP6, (3, 1), 32, false, true),
    row(SmallFormat::BF6, (2, 3), 32, false, true),
    row(SmallFormat::FP4, (1, 1), 8, false, true),
];

impl Expected {
    /// The numbers from 0 up, made by counting: the step doubles with every exponent but the
    /// first.
    fn numbers(&self) -> Vec<f64> {
        let mut step = 2.0_f64.powi(1 - self.bias - self.fraction as i32);
        let mut numbers = vec![0.0];
        for code in 1..self.finite {
            let last = numbers[code as usize - 1];
            numbers.push(last + step);
            if code % (1 << self.fraction) == 0 && code >= 2 << self.fraction {
                step *= 2.0;
            }
        }
        numbers
    }
}

#[test]
fn every_code_is_the_number_of_the_table() {
    for row in &ALL {
        let sign = 1 << (row.format.bits() - 1);
        for (code, number) in row.numbers().into_iter().enumerate() {
            assert_eq!(row.format.value(code as u32).to_bits(), number.to_bits(), "{code:x}");
            let negative = row.format.value(code as u32 | sign);
            match code {
                0 if !row.negative_zero => assert!(negative.is_nan()),
                _ => assert_eq!(negative.to_bits(), (-number).to_bits(), "-{code:x}"),
            }
        }
        for code in row.finite..sign {
            let value = row.format.value(code);
            assert_eq!(value.is_infinite(), row.infinite && code == row.finite, "{code:x}");
            assert_eq!(value.is_nan(), !(row.infinite && code == row.finite), "{code:x}");
        }
    }
}

#[test]
fn the_largest_and_smallest_numbers_are_those_of_the_standards() {
    let largest = |row: &Expected| row.format.value(row.finite - 1);
    let found: Vec<f64> = ALL[2..].iter().map(largest).collect();
    assert_eq!(found, [448.0, 57344.0, 240.0, 57344.0, 7.5, 28.0, 6.0]);
    let found: Vec<f64> = ALL[2..].iter().map(|row| row.format.value(1)).collect();
    let powers = [-9, -16, -10, -17, -3, -4, -1];
    assert_eq!(found, powers.map(|power| 2.0_f64.powi(power)));
}

/// The sign, where there is a sign at zero.
fn signed(row: &Expected, code: u32) -> u32 {
    if code == 0 && !row.negative_zero { 0 } else { code | 1 << (row.format.bits() - 1) }
}

#[test]
fn numbers_between_two_go_to_the_nearer_or_the_even_one() {
    for row in &ALL {
        let numbers = row.numbers();
        let near = |value: f64| row.format.nearest(value, Overflow::Special);
        for (code, pair) in numbers.windows(2).enumerate() {
            let ([low, high], code) = ([pair[0], pair[1]], code as u32);
            let middle = low + (high - low) / 2.0;
            let even = code + code % 2;
            for (value, expected) in [
                (low, code),
                (low + (high - low) / 8.0, code),
                (middle.next_down(), code),
                (middle, even),
                (middle.next_up(), code + 1),
                (high, code + 1),
            ] {
                assert_eq!(near(value), Some(expected), "{value} {code:x}");
                assert_eq!(near(-value), Some(signed(row, expected)), "-{value} {code:x}");
            }
        }
    }
}

#[test]
fn numbers_beyond_the_largest_are_special_or_the_largest() {
    for row in &ALL {
        let numbers = row.numbers();
        let last = row.finite - 1;
        let [below, largest] = [numbers[last as usize - 1], numbers[last as usize]];
        let half = largest + (largest - below) / 2.0;
        // The code that would follow is odd or even; a tie goes to the even one.
        let tie = if last % 2 == 0 { half } else { half.next_down() };
        assert_eq!(row.format.nearest(tie, Overflow::Special), Some(last));
        let beyond = match (row.negative_zero, row.format.has_nan()) {
            (false, _) => 1 << (row.format.bits() - 1),
            (true, true) => last + 1,
            (true, false) => last,
        };
        for value in [half.next_up(), 4.0 * largest, f64::INFINITY] {
            assert_eq!(row.format.nearest(value, Overflow::Special), Some(beyond), "{value}");
            assert_eq!(row.format.nearest(value, Overflow::Largest), Some(last), "{value}");
            let negative = row.format.nearest(-value, Overflow::Largest);
            assert_eq!(negative, Some(signed(row, last)), "-{value}");
        }
        let nan = row.format.nearest(f64::NAN, Overflow::Largest);
        assert_eq!(nan.is_some(), row.format.has_nan());
        assert!(nan.is_none_or(|bits| row.format.value(bits).is_nan()));
    }
}

/// As the documents have it: the random's upper bits are added to the bits that are cut off.
fn by_bits(value: f32, fraction: u32, random: u32) -> f32 {
    let cut = 23 - fraction;
    let bits = value.to_bits() + (random >> (32 - cut));
    f32::from_bits(bits >> cut << cut)
}

#[test]
fn random_bits_are_added_to_what_is_cut_off() {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    };
    for row in &ALL {
        let (least, most) = (row.format.smallest_normal(), row.format.value(row.finite - 1));
        for _ in 0..4000 {
            let exponent = 127 - (next() >> 8) % 6;
            let value = f32::from_bits(exponent << 23 | next() >> 9);
            let random = match next() >> 30 {
                0 => 0,
                1 => u32::MAX,
                _ => next(),
            };
            let expected = f64::from(by_bits(value, row.fraction, random));
            if f64::from(value) < least || expected > most {
                continue;
            }
            let found = row.format.stochastic(value.into(), random, Overflow::Special);
            let found = found.expect("a number");
            assert_eq!(row.format.value(found), expected, "{value} {random:x}");
        }
        // Of all random bits as many round up as the part that is cut off is large.
        let step = row.format.value(1);
        let value = row.format.smallest_normal() + 0.75 * step;
        let up = (0..256_u32).filter(|part| {
            let found = row.format.stochastic(value, part << 24, Overflow::Special);
            row.format.value(found.expect("a number")) > value
        });
        assert_eq!(up.count(), 192);
        let tiny = row.format.stochastic(0.4375 * step, u32::MAX, Overflow::Special);
        assert_eq!(tiny, Some(0));
    }
}
