//! Arithmetic on floats of 16, 32 and 64 bits.
//!
//! Source: ISA manuals, VOP1, VOP2, VOP3. Two products and sums in a row (MAC, MAD)
//! round twice and never keep denormals of 32 bits; FMA rounds once. MIN and MAX drop
//! a NaN where the other is a number, and put -0 below +0 (Vega ISA, V_MIN_F32).

use super::{Function, Inputs};
use crate::float::{flushed, number, rounded, sign_bit};
use crate::mode::Mode;

/// The largest numbers below 1.
const BELOW_ONE: [u64; 3] = [0x3bff, 0x3f7f_ffff, 0x3fef_ffff_ffff_ffff];

impl Inputs {
    /// The sources as numbers.
    pub(super) fn numbers<const BITS: u8>(&self) -> [f64; 3] {
        self.s.map(number::<BITS>)
    }
}

/// A result scaled as the encoding says: 1 times 2, 2 times 4, 3 half.
pub(crate) fn scaled(value: u64, bits: u8, omod: u8) -> u64 {
    let factor = match omod & 3 {
        0 => return value,
        1 => 2.0,
        2 => 4.0,
        _ => 0.5,
    };
    match bits {
        16 => rounded::<16>(number::<16>(value) * factor),
        32 => rounded::<32>(number::<32>(value) * factor),
        _ => rounded::<64>(number::<64>(value) * factor),
    }
}

/// A result between 0 and 1.
pub(crate) fn clamped(value: u64, bits: u8, mode: Mode) -> u64 {
    let (number, one) = match bits {
        16 => (number::<16>(value), 0x3c00),
        32 => (number::<32>(value), 0x3f80_0000),
        _ => (number::<64>(value), 0x3ff0_0000_0000_0000),
    };
    if number.is_nan() {
        return if mode.clamps_nan() { 0 } else { value };
    }
    match number {
        _ if number <= 0.0 => 0,
        _ if number > 1.0 => one,
        _ => value,
    }
}

fn add<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    rounded::<BITS>(a + b)
}

fn subtract<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    rounded::<BITS>(a - b)
}

fn subtract_from<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    rounded::<BITS>(b - a)
}

fn multiply<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    rounded::<BITS>(a * b)
}

/// A product and a sum, each rounded.
fn product_and_sum<const BITS: u8>(i: &Inputs, factors: [u64; 2], summand: u64) -> u64 {
    let [a, b] = factors.map(number::<BITS>);
    let mut product = rounded::<BITS>(a * b);
    let mut summand = summand;
    if BITS == 32 || !i.mode.keeps_results(BITS) {
        product = flushed(product, BITS);
        summand = flushed(summand, BITS);
    }
    let sum = rounded::<BITS>(number::<BITS>(product) + number::<BITS>(summand));
    if BITS == 32 { flushed(sum, BITS) } else { sum }
}

fn mad<const BITS: u8>(i: &Inputs) -> u64 {
    product_and_sum::<BITS>(i, [i.s[0], i.s[1]], i.s[2])
}

fn mac<const BITS: u8>(i: &Inputs) -> u64 {
    product_and_sum::<BITS>(i, [i.s[0], i.s[1]], i.d & mask::<BITS>())
}

/// The constant is the second factor.
fn madmk<const BITS: u8>(i: &Inputs) -> u64 {
    mad::<BITS>(i)
}

fn mask<const BITS: u8>() -> u64 {
    sign_bit(BITS) | (sign_bit(BITS) - 1)
}

/// A product and a sum, rounded once.
pub(super) fn fused<const BITS: u8>(a: u64, b: u64, c: u64) -> u64 {
    match BITS {
        32 => {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            a.mul_add(b, c).to_bits().into()
        }
        _ => {
            let [a, b, c] = [a, b, c].map(number::<BITS>);
            rounded::<BITS>(a.mul_add(b, c))
        }
    }
}

fn fma<const BITS: u8>(i: &Inputs) -> u64 {
    fused::<BITS>(i.s[0], i.s[1], i.s[2])
}

fn fmac(i: &Inputs) -> u64 {
    fused::<32>(i.s[0], i.s[1], i.d & 0xffff_ffff)
}

/// Zero times anything is zero, with no sign.
fn legacy_product(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<32>();
    if a == 0.0 || b == 0.0 { 0 } else { rounded::<32>(a * b) }
}

fn legacy_sum(i: &Inputs, summand: u64) -> u64 {
    let product = flushed(legacy_product(i), 32);
    flushed(rounded::<32>(number::<32>(product) + number::<32>(summand)), 32)
}

/// The smaller of two numbers.
pub(super) fn least<const BITS: u8>(a: u64, b: u64) -> u64 {
    let [x, y] = [a, b].map(number::<BITS>);
    match (x.is_nan(), y.is_nan()) {
        (true, _) => b,
        (false, true) => a,
        _ if x == 0.0 && y == 0.0 => a | b,
        _ if x < y => a,
        _ => b,
    }
}

/// The larger of two numbers.
pub(super) fn greatest<const BITS: u8>(a: u64, b: u64) -> u64 {
    let [x, y] = [a, b].map(number::<BITS>);
    match (x.is_nan(), y.is_nan()) {
        (true, _) => b,
        (false, true) => a,
        _ if x == 0.0 && y == 0.0 => a & b,
        _ if x >= y => a,
        _ => b,
    }
}

fn minimum<const BITS: u8>(i: &Inputs) -> u64 {
    least::<BITS>(i.s[0], i.s[1])
}

fn maximum<const BITS: u8>(i: &Inputs) -> u64 {
    greatest::<BITS>(i.s[0], i.s[1])
}

fn minimum3<const BITS: u8>(i: &Inputs) -> u64 {
    least::<BITS>(minimum::<BITS>(i), i.s[2])
}

fn maximum3<const BITS: u8>(i: &Inputs) -> u64 {
    greatest::<BITS>(maximum::<BITS>(i), i.s[2])
}

/// The one in the middle; of a NaN and two others, the smallest.
fn median<const BITS: u8>(i: &Inputs) -> u64 {
    if i.numbers::<BITS>().iter().any(|number| number.is_nan()) {
        return minimum3::<BITS>(i);
    }
    let upper = greatest::<BITS>(i.s[0], i.s[1]);
    greatest::<BITS>(least::<BITS>(i.s[0], i.s[1]), least::<BITS>(upper, i.s[2]))
}

/// What is left above the whole number below; always less than 1.
fn fraction<const BITS: u8>(i: &Inputs) -> u64 {
    let [x, ..] = i.numbers::<BITS>();
    let value = rounded::<BITS>(x - x.floor());
    let highest = BELOW_ONE[usize::from(BITS / 32)];
    if number::<BITS>(value) >= 1.0 { highest } else { value }
}

fn whole<const BITS: u8>(i: &Inputs, round: fn(f64) -> f64) -> u64 {
    rounded::<BITS>(round(i.numbers::<BITS>()[0]))
}

/// A number as a fraction from 0.5 to 1 and a power of two.
pub(super) fn parts<const BITS: u8>(value: u64) -> (f64, i32) {
    let number = number::<BITS>(value);
    if number == 0.0 || !number.is_finite() {
        return (number, 0);
    }
    let mut scale = 0;
    let mut bits = number.to_bits();
    if bits >> 52 & 0x7ff == 0 {
        bits = (number * 2.0_f64.powi(64)).to_bits();
        scale = 64;
    }
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022 - scale;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent)
}

fn mantissa<const BITS: u8>(i: &Inputs) -> u64 {
    rounded::<BITS>(parts::<BITS>(i.s[0]).0)
}

fn exponent<const BITS: u8>(i: &Inputs) -> u64 {
    let exponent = parts::<BITS>(i.s[0]).1 as u32;
    if BITS == 16 { (exponent & 0xffff).into() } else { exponent.into() }
}

/// A number times a power of two, rounded once: doubles in steps that are exact until
/// the last.
pub(super) fn times_power(value: f64, exponent: i32) -> f64 {
    let (mut value, mut rest) = (value, exponent.clamp(-4400, 4400));
    // Scaling down, the number is made small enough first that only the last step rounds.
    while rest > 1000 {
        value *= 2.0_f64.powi(1000);
        rest -= 1000;
    }
    while rest < -1000 {
        let (fraction, own) = parts::<64>(value.to_bits());
        if own + rest < -1100 {
            return fraction * 0.0;
        }
        let step = (own - 2).clamp(1, -rest - 1);
        value *= 2.0_f64.powi(-step);
        rest += step;
        if own <= 3 {
            break;
        }
    }
    value * 2.0_f64.powi(rest.max(-1074)) * 2.0_f64.powi((rest + 1074).min(0))
}

fn load_exponent<const BITS: u8>(i: &Inputs) -> u64 {
    let exponent = match BITS {
        16 => i32::from(i.s[1] as u16 as i16),
        _ => i.s[1] as u32 as i32,
    };
    rounded::<BITS>(times_power(i.numbers::<BITS>()[0], exponent))
}

/// Which component of a direction is largest: 0 x, 1 y, 2 z; ties go to z, then y.
fn major(i: &Inputs) -> usize {
    let [x, y, z] = i.numbers::<32>().map(f64::abs);
    match () {
        () if z >= x && z >= y => 2,
        () if y >= x => 1,
        () => 0,
    }
}

fn face(i: &Inputs) -> u64 {
    let axis = major(i);
    let negative = i.numbers::<32>()[axis] < 0.0;
    rounded::<32>((2 * axis + usize::from(negative)) as f64)
}

fn face_first(i: &Inputs) -> u64 {
    let [x, _, z] = i.numbers::<32>();
    let value = match major(i) {
        2 if z < 0.0 => -x,
        0 if x < 0.0 => z,
        0 => -z,
        _ => x,
    };
    rounded::<32>(value)
}

fn face_second(i: &Inputs) -> u64 {
    let [_, y, z] = i.numbers::<32>();
    let value = match major(i) {
        1 if y < 0.0 => -z,
        1 => z,
        _ => -y,
    };
    rounded::<32>(value)
}

fn face_major(i: &Inputs) -> u64 {
    rounded::<32>(2.0 * i.numbers::<32>()[major(i)])
}

/// The product of V_MULLIT: a power's exponent times a logarithm, for lighting.
fn lighting_product(i: &Inputs) -> u64 {
    let [_, b, c] = i.numbers::<32>();
    let lowest = f64::from(-f32::MAX);
    let refused = c <= 0.0 || c.is_nan() || b == lowest || b.is_infinite() || b.is_nan();
    if refused { rounded::<32>(lowest) } else { legacy_product(i) }
}

/// Rows of a function that exists in several widths.
macro_rules! widths {
    ($name:expr, $($prefix:literal: $function:ident,)*) => {
        match $name {
            $(
                concat!($prefix, "_f16") => Some($function::<16> as fn(&Inputs) -> u64),
                concat!($prefix, "_f32") => Some($function::<32> as fn(&Inputs) -> u64),
                concat!($prefix, "_f64") => Some($function::<64> as fn(&Inputs) -> u64),
            )*
            _ => None,
        }
    };
}

pub(super) fn find(name: &str) -> Option<Function> {
    let of_any_width = arithmetic(name).or_else(|| wholes(name));
    if let Some(function) = of_any_width {
        return Some(Function::Float(function));
    }
    let function: fn(&Inputs) -> u64 = match name {
        "v_mul_legacy_f32" => legacy_product,
        "v_mac_legacy_f32" => |i| legacy_sum(i, i.d & 0xffff_ffff),
        "v_mad_legacy_f32" => |i| legacy_sum(i, i.s[2]),
        "v_min_legacy_f32" => |i| {
            let [a, b, _] = i.numbers::<32>();
            if a < b { i.s[0] } else { i.s[1] }
        },
        "v_max_legacy_f32" => |i| {
            let [a, b, _] = i.numbers::<32>();
            if a >= b { i.s[0] } else { i.s[1] }
        },
        "v_fmac_f32" => fmac,
        "v_mullit_f32" => lighting_product,
        "v_cubeid_f32" => face,
        "v_cubesc_f32" => face_first,
        "v_cubetc_f32" => face_second,
        "v_cubema_f32" => face_major,
        "v_frexp_exp_i32_f32" => exponent::<32>,
        "v_frexp_exp_i32_f64" => exponent::<64>,
        "v_frexp_exp_i16_f16" => exponent::<16>,
        "v_fma_legacy_f16" => fma::<16>,
        "v_mad_legacy_f16" => mad::<16>,
        _ => return None,
    };
    Some(Function::Float(function))
}

fn arithmetic(name: &str) -> Option<fn(&Inputs) -> u64> {
    widths!(name,
        "v_add": add,
        "v_sub": subtract,
        "v_subrev": subtract_from,
        "v_mul": multiply,
        "v_mad": mad,
        "v_mac": mac,
        "v_madak": mad,
        "v_madmk": madmk,
        "v_fma": fma,
        "v_min": minimum,
        "v_max": maximum,
        "v_min3": minimum3,
        "v_max3": maximum3,
        "v_med3": median,
        "v_ldexp": load_exponent,
    )
}

fn wholes(name: &str) -> Option<fn(&Inputs) -> u64> {
    fn floor<const BITS: u8>(i: &Inputs) -> u64 {
        whole::<BITS>(i, f64::floor)
    }
    fn ceil<const BITS: u8>(i: &Inputs) -> u64 {
        whole::<BITS>(i, f64::ceil)
    }
    fn truncate<const BITS: u8>(i: &Inputs) -> u64 {
        whole::<BITS>(i, f64::trunc)
    }
    fn nearest<const BITS: u8>(i: &Inputs) -> u64 {
        whole::<BITS>(i, f64::round_ties_even)
    }
    widths!(name,
        "v_floor": floor,
        "v_ceil": ceil,
        "v_trunc": truncate,
        "v_rndne": nearest,
        "v_fract": fraction,
        "v_frexp_mant": mantissa,
    )
}
