//! The three steps by which compilers divide exactly.
//!
//! Source: GCN3 ISA, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP. The manual gives V_DIV_FMAS
//! the factor 2^32 (2^64); what undoes V_DIV_SCALE is 2^64 up or down (2^128), as the
//! manuals of later generations say, and only that makes quotients right. So it is with
//! overflow in V_DIV_FIXUP: the manuals ask for a denominator whose exponent is all ones,
//! which was dealt with before; the quotient's is meant, whose steps end in infinity or NaN.
//! V_DIV_FMAS reads denormals whatever MODE says (MI100 ISA, V_DIV_FMAS_F32).

use isa::gcn::operation::VectorDivision as Op;

use super::{Function, Inputs, negated};
use crate::arithmetic;
use crate::float::{is_denormal, number, quiet_bit, quieted, rounded, sign_bit};

/// The constants of a width.
struct Format {
    /// The place and the number of the exponent's bits, all ones.
    low: u32,
    ones: i32,
    /// The difference of exponents from which on a quotient may overflow.
    far: i32,
    /// The power of two by which operands are scaled.
    scale: i32,
    /// Numerators with at most this exponent are scaled up.
    small: i32,
    /// Quotients below this exponent are zero.
    nothing: i32,
}

const SINGLE: Format = Format { low: 23, ones: 255, far: 96, scale: 64, small: 23, nothing: -150 };
const DOUBLE: Format =
    Format { low: 52, ones: 2047, far: 768, scale: 128, small: 53, nothing: -1075 };
const HALF: Format = Format { low: 10, ones: 31, far: 0, scale: 0, small: 0, nothing: i32::MIN };

fn format(bits: u8) -> &'static Format {
    match bits {
        16 => &HALF,
        32 => &SINGLE,
        _ => &DOUBLE,
    }
}

impl Format {
    fn exponent(&self, bits: u64) -> i32 {
        (bits >> self.low) as i32 & self.ones
    }
}

fn scale<const BITS: u8>(i: &Inputs) -> (u64, bool) {
    let own = format(BITS);
    let [value, denominator, numerator] = i.s;
    let rounding = i.mode.rounding(BITS);
    let by = |power: i32| arithmetic::times_power::<BITS>(number::<BITS>(value), power, rounding);
    let [d, n] = [denominator, numerator].map(number::<BITS>);
    if n == 0.0 || d == 0.0 {
        return (rounded::<BITS>(f64::NAN), false);
    }
    let tiny = |value: f64| is_denormal(rounded::<BITS>(value), BITS);
    let is_denominator = value == denominator;
    if own.exponent(numerator) - own.exponent(denominator) >= own.far {
        return (if is_denominator { by(own.scale) } else { value }, true);
    }
    if is_denormal(denominator, BITS) {
        return (by(own.scale), false);
    }
    match (tiny(1.0 / d), tiny(n / d)) {
        // The manuals scale up, where such a denominator always becomes infinite.
        (true, true) => (if is_denominator { by(-own.scale) } else { value }, true),
        (true, false) => (by(-own.scale), false),
        (false, true) => (if value == numerator { by(own.scale) } else { value }, true),
        _ if own.exponent(numerator) <= own.small => (by(own.scale), false),
        _ => (value, false),
    }
}

fn step<const BITS: u8>(i: &Inputs) -> u64 {
    if !i.carry {
        return arithmetic::fused::<BITS>(i.s, i.mode);
    }
    let own = format(BITS);
    let up = own.exponent(i.s[2]) > own.ones / 2;
    let power = if up { own.scale } else { -own.scale };
    arithmetic::fused_times_power::<BITS>(i.s, power, i.mode)
}

fn fix<const BITS: u8>(i: &Inputs) -> u64 {
    let own = format(BITS);
    let [quotient, denominator, numerator] = i.s;
    let [d, n] = [denominator, numerator].map(number::<BITS>);
    let negative = (denominator ^ numerator) & sign_bit(BITS) != 0;
    let signed = |value: f64| rounded::<BITS>(if negative { -value } else { value });
    let nothing = (d == 0.0 && n == 0.0) || (d.is_infinite() && n.is_infinite());
    match () {
        () if n.is_nan() => quieted(numerator, BITS),
        () if d.is_nan() => quieted(denominator, BITS),
        // The NaN of a quotient that is none.
        () if nothing => sign_bit(BITS) | (sign_bit(BITS) - quiet_bit(BITS)),
        () if d == 0.0 || n.is_infinite() => signed(f64::INFINITY),
        () if d.is_infinite() || n == 0.0 => signed(0.0),
        () if own.exponent(numerator) - own.exponent(denominator) < own.nothing => signed(0.0),
        () if own.exponent(quotient) == own.ones => signed(f64::INFINITY),
        () => {
            let magnitude = quotient & !sign_bit(BITS);
            if negative { negated(magnitude, BITS) } else { magnitude }
        }
    }
}

/// Returns the function of a step.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn function<const BITS: u8>(opcode: Op) -> Function {
    match opcode {
        Op::v_div_scale_f32 | Op::v_div_scale_f64 => Function::Scale(scale::<BITS>),
        Op::v_div_fmas_f32 | Op::v_div_fmas_f64 => Function::Float(step::<BITS>),
        Op::v_div_fixup_f16 | Op::v_div_fixup_legacy_f16 => Function::Float(fix::<16>),
        Op::v_div_fixup_f32 => Function::Float(fix::<32>),
        Op::v_div_fixup_f64 => Function::Float(fix::<64>),
    }
}
