//! Single-precision arithmetic.
//!
//! The documents promise little of special values; these rules hold here:
//! - Denormals are kept. Whoever compares with hardware that flushes them
//!   flushes both sides.
//! - A comparison with NaN is false, only "not equal" is true. `MIN`, `MAX`
//!   and `_SAT` are comparisons: `MIN` gives its second source where either is
//!   NaN, a NaN that is saturated stays one. So did Mesa's interpreter until 2021.
//! - `MAD` and the dot products round every product and every sum
//!   ([`products`](crate::products)).
//! - Square roots, logarithms and powers outside their domain give NaN, as in
//!   IEEE 754. Transcendental functions are computed in double precision and
//!   rounded once.

use tgsi::Opcode;

use crate::operation::Operation::{Each, Replicated, Whole};
use crate::operation::{Table, Vectors};

/// The float of some bits.
pub(crate) fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Computed numbers as bits.
pub(crate) trait Computed {
    /// The word of as many bits.
    type Word;

    /// Returns the bits. Every NaN is the same one: the documents say nothing of its bits, and
    /// those that the processor leaves depend on how this program was compiled.
    fn bits(self) -> Self::Word;
}

impl Computed for f32 {
    type Word = u32;

    fn bits(self) -> u32 {
        if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() }
    }
}

impl Computed for f64 {
    type Word = u64;

    fn bits(self) -> u64 {
        if self.is_nan() { 0x7ff8 << 48 } else { self.to_bits() }
    }
}

/// The bits of 1.0.
pub(crate) const ONE: u32 = 0x3f80_0000;

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::MOV, Each(|v| v[0])),
    // A pixel has one sample here, in its centre, where inputs are interpolated.
    (Opcode::INTERP_CENTROID, Each(|v| v[0])),
    (Opcode::INTERP_SAMPLE, Each(|v| v[0])),
    (Opcode::ADD, Each(|v| (f(v[0]) + f(v[1])).bits())),
    (Opcode::SUB, Each(|v| (f(v[0]) - f(v[1])).bits())),
    (Opcode::DIV, Each(|v| (f(v[0]) / f(v[1])).bits())),
    (Opcode::MIN, Each(|v| if f(v[0]) < f(v[1]) { v[0] } else { v[1] })),
    (Opcode::MAX, Each(|v| if f(v[0]) > f(v[1]) { v[0] } else { v[1] })),
    (Opcode::ABS, Each(|v| v[0] & 0x7fff_ffff)),
    (Opcode::NEGATE, Each(|v| v[0] ^ 0x8000_0000)),
    (Opcode::CLAMP, Each(clamp)),
    (Opcode::CND, Each(|v| if f(v[2]) > 0.5 { v[0] } else { v[1] })),
    (Opcode::CMP, Each(|v| if f(v[0]) < 0.0 { v[1] } else { v[2] })),
    (Opcode::UCMP, Each(|v| if v[0] != 0 { v[1] } else { v[2] })),
    (Opcode::SSG, Each(sign)),
    (Opcode::FRC, Each(|v| (f(v[0]) - f(v[0]).floor()).bits())),
    (Opcode::FLR, Each(|v| f(v[0]).floor().bits())),
    (Opcode::CEIL, Each(|v| f(v[0]).ceil().bits())),
    (Opcode::TRUNC, Each(|v| f(v[0]).trunc().bits())),
    (Opcode::ROUND, Each(|v| f(v[0]).round_ties_even().bits())),
    (Opcode::LDEXP, Each(|v| scale(f64::from(f(v[0])), v[1] as i32).bits())),
    (Opcode::SLT, Each(|v| one_if(f(v[0]) < f(v[1])))),
    (Opcode::SGE, Each(|v| one_if(f(v[0]) >= f(v[1])))),
    (Opcode::SGT, Each(|v| one_if(f(v[0]) > f(v[1])))),
    (Opcode::SLE, Each(|v| one_if(f(v[0]) <= f(v[1])))),
    (Opcode::SEQ, Each(|v| one_if(f(v[0]) == f(v[1])))),
    (Opcode::SNE, Each(|v| one_if(f(v[0]) != f(v[1])))),
    (Opcode::SFL, Replicated(|_| 0)),
    (Opcode::STR, Replicated(|_| ONE)),
    (Opcode::FSLT, Each(|v| all_if(f(v[0]) < f(v[1])))),
    (Opcode::FSGE, Each(|v| all_if(f(v[0]) >= f(v[1])))),
    (Opcode::FSEQ, Each(|v| all_if(f(v[0]) == f(v[1])))),
    (Opcode::FSNE, Each(|v| all_if(f(v[0]) != f(v[1])))),
    (Opcode::RCP, Replicated(|v| (1.0 / f(v[0])).bits())),
    (Opcode::RSQ, Replicated(|v| in_double(v[0], |x| 1.0 / x.sqrt()))),
    (Opcode::SQRT, Replicated(|v| f(v[0]).sqrt().bits())),
    (Opcode::EX2, Replicated(|v| in_double(v[0], f64::exp2))),
    (Opcode::LG2, Replicated(|v| in_double(v[0], f64::log2))),
    (Opcode::POW, Replicated(|v| power(v[0], v[1]))),
    (Opcode::SIN, Replicated(|v| in_double(v[0], f64::sin))),
    (Opcode::COS, Replicated(|v| in_double(v[0], f64::cos))),
    (Opcode::LIT, Whole(light)),
    (Opcode::EXP, Whole(exponential)),
    (Opcode::LOG, Whole(logarithm)),
    (Opcode::SCS, Whole(|v| [in_double(v[0][0], f64::cos), in_double(v[0][0], f64::sin), 0, ONE])),
];

fn one_if(condition: bool) -> u32 {
    if condition { ONE } else { 0 }
}

/// All bits set or none.
pub(crate) fn all_if(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

/// A function computed in double precision, and rounded once.
pub(crate) fn in_double(bits: u32, function: fn(f64) -> f64) -> u32 {
    (function(f64::from(f(bits))) as f32).bits()
}

fn power(base: u32, exponent: u32) -> u32 {
    (f64::from(f(base)).powf(f64::from(f(exponent))) as f32).bits()
}

/// Scales by a power of two with one rounding: the exponent of a float has far
/// less reach than that of a double.
fn scale(value: f64, exponent: i32) -> f32 {
    (value * 2.0f64.powi(exponent.clamp(-500, 500))) as f32
}

fn clamp(v: crate::operation::Words) -> u32 {
    match f(v[0]) {
        x if x < f(v[1]) => v[1],
        x if x > f(v[2]) => v[2],
        _ => v[0],
    }
}

/// 0 for NaN, too.
fn sign(v: crate::operation::Words) -> u32 {
    match f(v[0]) {
        x if x > 0.0 => ONE,
        x if x < 0.0 => (-1.0f32).to_bits(),
        _ => 0,
    }
}

/// The maximum that drops NaN, as the document's `max` against a constant.
fn light(v: &Vectors) -> [u32; 4] {
    let [x, y, _, w] = v[0].map(f);
    let specular = if x > 0.0 {
        let base = if y > 0.0 { y } else { 0.0 };
        power(base.bits(), w.clamp(-128.0, 128.0).bits())
    } else {
        0
    };
    [ONE, (if x > 0.0 { x } else { 0.0 }).bits(), specular, ONE]
}

fn exponential(v: &Vectors) -> [u32; 4] {
    let x = f(v[0][0]);
    let whole = x.floor();
    [in_double(whole.bits(), f64::exp2), (x - whole).bits(), in_double(v[0][0], f64::exp2), ONE]
}

fn logarithm(v: &Vectors) -> [u32; 4] {
    let magnitude = f(v[0][0]).abs();
    let logarithm = in_double(magnitude.bits(), f64::log2);
    let whole = f(logarithm).floor();
    let power = f(in_double(whole.bits(), f64::exp2));
    [whole.bits(), (magnitude / power).bits(), logarithm, ONE]
}

/// `_SAT` on a float.
pub(crate) fn saturate(bits: u32) -> u32 {
    match f(bits) {
        x if x < 0.0 => 0,
        x if x > 1.0 => ONE,
        _ => bits,
    }
}

/// `_SSAT` on a float, which left the language in 2015.
pub(crate) fn clamp_signed(bits: u32) -> u32 {
    match f(bits) {
        x if x < -1.0 => (-1.0f32).to_bits(),
        x if x > 1.0 => ONE,
        _ => bits,
    }
}
