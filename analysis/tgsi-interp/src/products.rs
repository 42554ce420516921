//! The opcodes whose formula has products of floats, under both rules that a
//! shader may ask for: IEEE 754's, and the one of Direct3D 9 (the property
//! `MUL_ZERO_WINS`, later `LEGACY_MATH_RULES`), by which 0 times anything is 0,
//! even infinity and NaN.

use tgsi::Opcode;

use crate::float::{Computed, ONE, f};
use crate::operation::Operation::{Each, Whole};
use crate::operation::{Table, Vectors, Words};

/// The multiplication of two floats.
pub(crate) trait Product {
    /// The product.
    fn of(left: f32, right: f32) -> f32;

    /// The product and a sum, rounded once.
    fn fused(left: f32, right: f32, addend: f32) -> f32 {
        softfloat::fused_f32(left, right, addend)
    }
}

/// IEEE 754.
pub(crate) struct Ieee;

impl Product for Ieee {
    fn of(left: f32, right: f32) -> f32 {
        left * right
    }
}

/// Zero wins.
pub(crate) struct ZeroWins;

impl Product for ZeroWins {
    fn of(left: f32, right: f32) -> f32 {
        if left == 0.0 || right == 0.0 { 0.0 } else { left * right }
    }

    fn fused(left: f32, right: f32, addend: f32) -> f32 {
        let zero = left == 0.0 || right == 0.0;
        let [left, right] = if zero { [0.0; 2] } else { [left, right] };
        softfloat::fused_f32(left, right, addend)
    }
}

/// The opcodes of this file, under one rule.
pub(crate) struct Products<P>(std::marker::PhantomData<P>);

impl<P: Product> Products<P> {
    /// The rows, as those of the other files.
    pub(crate) const TABLE: Table = &[
        (Opcode::MUL, Each(|v| P::of(f(v[0]), f(v[1])).bits())),
        (Opcode::MAD, Each(|v| (P::of(f(v[0]), f(v[1])) + f(v[2])).bits())),
        (Opcode::FMA, Each(|v| P::fused(f(v[0]), f(v[1]), f(v[2])).bits())),
        (Opcode::LRP, Each(interpolate::<P>)),
        (Opcode::DP2, Whole(|v| [dot::<P>(&v[0], &v[1], 2).bits(); 4])),
        (Opcode::DP3, Whole(|v| [dot::<P>(&v[0], &v[1], 3).bits(); 4])),
        (Opcode::DP4, Whole(|v| [dot::<P>(&v[0], &v[1], 4).bits(); 4])),
        (Opcode::DPH, Whole(|v| [(dot::<P>(&v[0], &v[1], 3) + f(v[1][3])).bits(); 4])),
        (Opcode::DP2A, Whole(dot_plus::<P>)),
        (Opcode::DP2ADD, Whole(dot_plus::<P>)),
        (Opcode::DOT2ADD, Whole(dot_plus::<P>)),
        (Opcode::DST, Whole(|v| [ONE, P::of(f(v[0][1]), f(v[1][1])).bits(), v[0][2], v[1][3]])),
        (Opcode::XPD, Whole(cross_product::<P>)),
        (Opcode::CRS, Whole(cross_product::<P>)),
        (Opcode::CROSSPRODUCT, Whole(cross_product::<P>)),
        (Opcode::NRM, Whole(|v| normalize::<P>(v, 3))),
        (Opcode::NRM4, Whole(|v| normalize::<P>(v, 4))),
        (Opcode::RFL, Whole(reflect::<P>)),
        (Opcode::X2D, Whole(transform::<P>)),
    ];
}

fn interpolate<P: Product>(v: Words) -> u32 {
    let [share, first, second] = [f(v[0]), f(v[1]), f(v[2])];
    (P::of(share, first) + P::of(1.0 - share, second)).bits()
}

/// The sum of the first products, rounded after each step.
pub(crate) fn dot<P: Product>(left: &[u32; 4], right: &[u32; 4], count: usize) -> f32 {
    let products =
        left.iter().zip(right).take(count).map(|(left, right)| P::of(f(*left), f(*right)));
    products.reduce(|sum, product| sum + product).unwrap_or(0.0)
}

fn dot_plus<P: Product>(v: &Vectors) -> [u32; 4] {
    [(dot::<P>(&v[0], &v[1], 2) + f(v[2][0])).bits(); 4]
}

fn cross_product<P: Product>(v: &Vectors) -> [u32; 4] {
    let term = |first: usize, second: usize| {
        let left = P::of(f(v[0][first]), f(v[1][second]));
        (left - P::of(f(v[1][first]), f(v[0][second]))).bits()
    };
    [term(1, 2), term(2, 0), term(0, 1), ONE]
}

/// Scales by the reciprocal root, which is rounded to single precision before
/// it is used. Components beyond the vector's are 1.
fn normalize<P: Product>(v: &Vectors, length: usize) -> [u32; 4] {
    let square = dot::<P>(&v[0], &v[0], length);
    let scale = (1.0 / f64::from(square).sqrt()) as f32;
    std::array::from_fn(|it| if it < length { P::of(f(v[0][it]), scale).bits() } else { ONE })
}

/// The second vector mirrored about the first.
fn reflect<P: Product>(v: &Vectors) -> [u32; 4] {
    let share = dot::<P>(&v[0], &v[1], 3) / dot::<P>(&v[0], &v[0], 3);
    let twice = share + share;
    let along = |it: usize| (P::of(twice, f(v[0][it])) - f(v[1][it])).bits();
    [along(0), along(1), along(2), ONE]
}

/// A place plus a vector times a matrix of two by two.
fn transform<P: Product>(v: &Vectors) -> [u32; 4] {
    let [even, odd] = [0, 1].map(|axis| {
        let first = f(v[0][axis]) + P::of(f(v[1][0]), f(v[2][axis * 2]));
        (first + P::of(f(v[1][1]), f(v[2][axis * 2 + 1]))).bits()
    });
    [even, odd, even, odd]
}
