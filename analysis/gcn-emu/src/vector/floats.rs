//! Arithmetic on floats of 16, 32 and 64 bits.
//!
//! Source: ISA manuals, VOP1, VOP2, VOP3. Two products and sums in a row (MAC, MAD)
//! round twice and never keep denormals of 32 bits; FMA rounds once. MIN and MAX drop
//! a NaN where the other is a number, and put -0 below +0 (Vega ISA, V_MIN_F32).

use std::cmp::Ordering;

use isa::gcn::operation::{VectorExtremes, VectorFloat, VectorFloatOrder, VectorFused};

use super::Inputs;
use crate::arithmetic;
use crate::float::{flushed, is_signalling, number, quieted, rounded, sign_bit};
use crate::mode::Mode;
use softfloat::settled;

/// The largest numbers below 1.
const BELOW_ONE: [u64; 3] = [0x3bff, 0x3f7f_ffff, 0x3fef_ffff_ffff_ffff];

impl Inputs {
    /// The sources as numbers.
    pub(super) fn numbers<const BITS: u8>(&self) -> [f64; 3] {
        self.s.map(number::<BITS>)
    }
}

/// A result scaled as the encoding says: 1 times 2, 2 times 4, 3 half. Nothing is scaled
/// where denormal results are kept or the rules of IEEE hold, and what is scaled has no
/// -0 (ISA manuals, "output modifiers").
pub(crate) fn scaled(value: u64, bits: u8, omod: u8, mode: Mode) -> u64 {
    if omod & 3 == 0 || mode.keeps_results(bits) || mode.is_ieee() {
        return value;
    }
    let power = [0, 1, 2, -1][usize::from(omod & 3)];
    let rounding = mode.rounding(bits);
    let scaled = match bits {
        16 => arithmetic::times_power::<16>(number::<16>(value), power, rounding),
        32 => arithmetic::times_power::<32>(number::<32>(value), power, rounding),
        _ => arithmetic::times_power::<64>(number::<64>(value), power, rounding),
    };
    let scaled = flushed(scaled, bits);
    if scaled == sign_bit(bits) { 0 } else { scaled }
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
    arithmetic::sum::<BITS>(a, b, i.mode)
}

fn subtract<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    arithmetic::sum::<BITS>(a, -b, i.mode)
}

fn subtract_from<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    arithmetic::sum::<BITS>(b, -a, i.mode)
}

fn multiply<const BITS: u8>(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<BITS>();
    arithmetic::product::<BITS>(a, b, i.mode)
}

/// A product and a sum, each rounded.
fn product_and_sum<const BITS: u8>(i: &Inputs, factors: [u64; 2], summand: u64) -> u64 {
    let [a, b] = factors.map(number::<BITS>);
    // MAD and MAC keep no denormals of 32 bits, whatever MODE says: neither the product's nor
    // the summand's reach the sum.
    let mut product = arithmetic::product::<BITS>(a, b, i.mode);
    let mut summand = summand;
    if BITS == 32 || !i.mode.keeps_results(BITS) {
        product = flushed(product, BITS);
        summand = flushed(summand, BITS);
    }
    let sum = arithmetic::sum::<BITS>(number::<BITS>(product), number::<BITS>(summand), i.mode);
    if BITS == 32 { flushed(sum, BITS) } else { sum }
}

fn mad<const BITS: u8>(i: &Inputs) -> u64 {
    product_and_sum::<BITS>(i, [i.s[0], i.s[1]], i.s[2])
}

fn mac<const BITS: u8>(i: &Inputs) -> u64 {
    product_and_sum::<BITS>(i, [i.s[0], i.s[1]], i.d & (u64::MAX >> (64 - BITS)))
}

fn fma<const BITS: u8>(i: &Inputs) -> u64 {
    arithmetic::fused::<BITS>(i.s, i.mode)
}

/// Zero times anything is zero, with no sign.
fn legacy_product(i: &Inputs) -> u64 {
    let [a, b, _] = i.numbers::<32>();
    if a == 0.0 || b == 0.0 { 0 } else { arithmetic::product::<32>(a, b, i.mode) }
}

fn legacy_sum(i: &Inputs, summand: u64) -> u64 {
    let product = flushed(legacy_product(i), 32);
    flushed(arithmetic::sum::<32>(number::<32>(product), number::<32>(summand), i.mode), 32)
}

/// A signalling NaN among two numbers, as the quiet one that IEEE 754 makes of it.
fn signal<const BITS: u8>(a: u64, b: u64, mode: Mode) -> Option<u64> {
    let found = [a, b].into_iter().find(|bits| is_signalling(*bits, BITS));
    found.filter(|_| mode.is_ieee()).map(|bits| quieted(bits, BITS))
}

/// One of two numbers: the number beside a NaN, the sign that zeros have together, else the
/// first if it is wanted.
fn extreme<const BITS: u8>(
    [a, b]: [u64; 2],
    mode: Mode,
    zero: fn(u64, u64) -> u64,
    takes_first: fn(f64, f64) -> bool,
) -> u64 {
    if let Some(nan) = signal::<BITS>(a, b, mode) {
        return nan;
    }
    let [x, y] = [a, b].map(number::<BITS>);
    match (x.is_nan(), y.is_nan()) {
        (true, _) => b,
        (false, true) => a,
        _ if x == 0.0 && y == 0.0 => zero(a, b),
        _ if takes_first(x, y) => a,
        _ => b,
    }
}

/// The smaller of two numbers.
pub(super) fn least<const BITS: u8>(a: u64, b: u64, mode: Mode) -> u64 {
    extreme::<BITS>([a, b], mode, |a, b| a | b, |x, y| x < y)
}

/// The larger of two numbers.
pub(super) fn greatest<const BITS: u8>(a: u64, b: u64, mode: Mode) -> u64 {
    extreme::<BITS>([a, b], mode, |a, b| a & b, |x, y| x >= y)
}

/// The smallest or largest of three numbers, of which NaN wins and -0 is below +0 (IEEE 754-2019;
/// RDNA4 ISA, V_MINIMUM_F32, whose code MI350's means): a signalling NaN before a quiet one.
pub(super) fn strict_extreme<const BITS: u8>([a, b, c]: [u64; 3], wanted: Ordering) -> u64 {
    let of = |a: u64, b: u64| {
        let [x, y] = [a, b].map(number::<BITS>);
        let nan = |bits: u64, is: bool| is.then(|| quieted(bits, BITS));
        let signalling = |bits: u64| nan(bits, is_signalling(bits, BITS));
        let found = signalling(a).or_else(|| signalling(b));
        let found = found.or_else(|| nan(a, x.is_nan())).or_else(|| nan(b, y.is_nan()));
        found.unwrap_or_else(|| if x.total_cmp(&y) == wanted { a } else { b })
    };
    of(of(a, b), c)
}

fn minimum<const BITS: u8>(i: &Inputs) -> u64 {
    least::<BITS>(i.s[0], i.s[1], i.mode)
}

fn maximum<const BITS: u8>(i: &Inputs) -> u64 {
    greatest::<BITS>(i.s[0], i.s[1], i.mode)
}

fn minimum3<const BITS: u8>(i: &Inputs) -> u64 {
    least::<BITS>(minimum::<BITS>(i), i.s[2], i.mode)
}

/// The one in the middle; of a NaN and two others, the smallest.
fn median<const BITS: u8>(i: &Inputs) -> u64 {
    if i.numbers::<BITS>().iter().any(|number| number.is_nan()) {
        return minimum3::<BITS>(i);
    }
    let below = least::<BITS>(maximum::<BITS>(i), i.s[2], i.mode);
    greatest::<BITS>(minimum::<BITS>(i), below, i.mode)
}

/// Returns the part above the largest whole number that is not greater; always less than 1.
fn fraction<const BITS: u8>(i: &Inputs) -> u64 {
    let [x, ..] = i.numbers::<BITS>();
    let value = arithmetic::sum::<BITS>(x, -x.floor(), i.mode);
    // The difference of a small negative number and its floor, -1, rounds to 1, which is no
    // fraction: the hardware gives the number below.
    let highest = BELOW_ONE[usize::from(BITS / 32)];
    if number::<BITS>(value) >= 1.0 { highest } else { value }
}

fn whole<const BITS: u8>(i: &Inputs, round: fn(f64) -> f64) -> u64 {
    let [x, ..] = i.numbers::<BITS>();
    rounded::<BITS>(settled(round(x), [x]))
}

/// A number as a fraction from 0.5 to 1 and a power of two.
pub(super) fn parts<const BITS: u8>(value: u64) -> (f64, i32) {
    let number = number::<BITS>(value);
    if number == 0.0 || !number.is_finite() {
        return (number, 0);
    }
    let mut scale = 0;
    let mut bits = number.to_bits();
    // A denormal of 64 bits has no exponent of its own until it is scaled up.
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

fn load_exponent<const BITS: u8>(i: &Inputs) -> u64 {
    let exponent = match BITS {
        16 => i32::from(i.s[1] as u16 as i16),
        _ => i.s[1] as u32 as i32,
    };
    arithmetic::times_power::<BITS>(i.numbers::<BITS>()[0], exponent, i.mode.rounding(BITS))
}

/// Returns the component of a direction that is largest: 0 x, 1 y, 2 z; ties go to z, then
/// y.
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

/// The product of V_MULLIT: a power's exponent times a logarithm, for lighting.
fn lighting_product(i: &Inputs) -> u64 {
    let [_, b, c] = i.numbers::<32>();
    let lowest = f64::from(-f32::MAX);
    let refused = c <= 0.0 || c.is_nan() || b == lowest || b.is_infinite() || b.is_nan();
    if refused { rounded::<32>(lowest) } else { legacy_product(i) }
}

/// Returns the function of an extreme or a median.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn order<const BITS: u8>(opcode: VectorFloatOrder) -> fn(&Inputs) -> u64 {
    use VectorFloatOrder as Op;
    match opcode {
        Op::v_min_f16 | Op::v_min_f32 | Op::v_min_f64 => minimum::<BITS>,
        Op::v_max_f16 | Op::v_max_f32 | Op::v_max_f64 => maximum::<BITS>,
        Op::v_min3_f16 | Op::v_min3_f32 => minimum3::<BITS>,
        Op::v_max3_f16 | Op::v_max3_f32 => |i| greatest::<BITS>(maximum::<BITS>(i), i.s[2], i.mode),
        Op::v_med3_f16 | Op::v_med3_f32 => median::<BITS>,
        Op::v_min_legacy_f32 => |i| {
            let [a, b, _] = i.numbers::<32>();
            if a < b { i.s[0] } else { i.s[1] }
        },
        Op::v_max_legacy_f32 => |i| {
            let [a, b, _] = i.numbers::<32>();
            if a >= b { i.s[0] } else { i.s[1] }
        },
    }
}

/// Returns the function of an extreme in which NaN wins.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn strict(opcode: VectorExtremes) -> fn(&Inputs) -> u64 {
    match opcode {
        VectorExtremes::v_minimum3_f32 => |i| strict_extreme::<32>(i.s, Ordering::Less),
        VectorExtremes::v_maximum3_f32 => |i| strict_extreme::<32>(i.s, Ordering::Greater),
    }
}

/// Returns the function of a product and a sum that are rounded once.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn fused(opcode: VectorFused) -> fn(&Inputs) -> u64 {
    match opcode {
        VectorFused::v_fmac_f64 => |i| arithmetic::fused::<64>([i.s[0], i.s[1], i.d], i.mode),
        VectorFused::v_fmaak_f32 | VectorFused::v_fmamk_f32 => fma::<32>,
    }
}

/// Returns the function of other arithmetic.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn function<const BITS: u8>(opcode: VectorFloat) -> fn(&Inputs) -> u64 {
    use VectorFloat as Op;
    match opcode {
        Op::v_add_f16 | Op::v_add_f32 | Op::v_add_f64 => add::<BITS>,
        Op::v_sub_f16 | Op::v_sub_f32 => subtract::<BITS>,
        Op::v_subrev_f16 | Op::v_subrev_f32 => subtract_from::<BITS>,
        Op::v_mul_f16 | Op::v_mul_f32 | Op::v_mul_f64 => multiply::<BITS>,
        Op::v_mad_f16 | Op::v_madak_f16 | Op::v_madmk_f16 | Op::v_mad_legacy_f16 => mad::<16>,
        Op::v_mad_f32 | Op::v_madak_f32 | Op::v_madmk_f32 => mad::<32>,
        Op::v_mac_f16 | Op::v_mac_f32 => mac::<BITS>,
        Op::v_fma_f16 | Op::v_fma_legacy_f16 | Op::v_fma_f32 | Op::v_fma_f64 => fma::<BITS>,
        Op::v_ldexp_f16 | Op::v_ldexp_f32 | Op::v_ldexp_f64 => load_exponent::<BITS>,
        Op::v_floor_f16 | Op::v_floor_f32 | Op::v_floor_f64 => |i| whole::<BITS>(i, f64::floor),
        Op::v_ceil_f16 | Op::v_ceil_f32 | Op::v_ceil_f64 => |i| whole::<BITS>(i, f64::ceil),
        Op::v_trunc_f16 | Op::v_trunc_f32 | Op::v_trunc_f64 => |i| whole::<BITS>(i, f64::trunc),
        Op::v_rndne_f16 | Op::v_rndne_f32 | Op::v_rndne_f64 => {
            |i| whole::<BITS>(i, f64::round_ties_even)
        }
        Op::v_fract_f16 | Op::v_fract_f32 | Op::v_fract_f64 => fraction::<BITS>,
        Op::v_frexp_mant_f16 | Op::v_frexp_mant_f32 | Op::v_frexp_mant_f64 => mantissa::<BITS>,
        Op::v_mul_legacy_f32 => legacy_product,
        Op::v_mac_legacy_f32 => |i| legacy_sum(i, i.d & 0xffff_ffff),
        Op::v_mad_legacy_f32 => |i| legacy_sum(i, i.s[2]),
        Op::v_fmac_f32 => |i| arithmetic::fused::<32>([i.s[0], i.s[1], i.d & 0xffff_ffff], i.mode),
        Op::v_mullit_f32 => lighting_product,
        Op::v_cubeid_f32 => face,
        Op::v_cubesc_f32 => face_first,
        Op::v_cubetc_f32 => face_second,
        Op::v_cubema_f32 => |i| rounded::<32>(2.0 * i.numbers::<32>()[major(i)]),
        Op::v_frexp_exp_i32_f32 | Op::v_frexp_exp_i32_f64 | Op::v_frexp_exp_i16_f16 => {
            exponent::<BITS>
        }
    }
}
