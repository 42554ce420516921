//! Two halves or two words at once (VOP3P), and mixes of halves and whole floats.
//!
//! Source: Vega ISA, VOP3P. `op_sel` and `op_sel_hi` choose the half of each source for
//! the lower and the upper result; `neg_lo` and `neg_hi` turn signs. For mixes
//! `op_sel_hi` says that a source is a half, `op_sel` which, and `neg_hi` is the
//! magnitude. Of words a constant is the lower one alone (LLVM, SIFoldOperands).

use std::cmp::Ordering;

use gcn::encoding::Encoding;
use isa::gcn::operation::{VectorPacked as Op, VectorPackedShort, VectorPackedWords};

use super::floats::{clamped, greatest, least, strict_extreme};
use super::{Inputs, Vector, negated};
use crate::arithmetic;
use crate::float::{flushed, number, rounded};
use crate::mode::Mode;
use crate::operand::Fields;

/// An instruction on halves, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    kind: PackedFunction,
    select: u32,
    select_high: u32,
    negate: u32,
    negate_high: u32,
}

#[derive(Debug, Clone, Copy)]
enum PackedFunction {
    Floats(fn([u64; 3], Mode) -> u64),
    /// Floats of 32 bits, two of them in two registers.
    Words(fn([u64; 3], Mode) -> u64),
    /// A word of each of the first two sources.
    MoveWords,
    Integers(fn([u16; 3]) -> i64, Range),
    /// One result of a mix, and which half it goes to; `None` for all 32 bits.
    Mix {
        half: Option<u32>,
        fused: bool,
    },
    /// A sum of products of parts `bits` wide.
    Dot {
        bits: u32,
        signed: bool,
    },
    DotFloats,
    /// The same of floats of 16 bits with the exponent of 32, product after product.
    DotShort,
    /// The same with the destination for a third source.
    Accumulate(Accumulate),
}

/// The operation whose result is added to the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Accumulate {
    /// A sum of products of signed parts, by their width in bits.
    Dot(u32),
    DotFloats,
    DotShort,
    /// The product of each half.
    Halves,
}

/// The range that an integer result is clamped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    Signed,
    Unsigned,
}

#[deny(clippy::wildcard_enum_match_arm)]
fn kind(opcode: Op) -> PackedFunction {
    use Range::{Signed, Unsigned};
    match opcode {
        Op::v_pk_add_f16 => {
            PackedFunction::Floats(|[a, b, _], mode| arithmetic::sum::<16>(half(a), half(b), mode))
        }
        Op::v_pk_mul_f16 => PackedFunction::Floats(|[a, b, _], mode| {
            arithmetic::product::<16>(half(a), half(b), mode)
        }),
        Op::v_pk_fma_f16 => PackedFunction::Floats(arithmetic::fused::<16>),
        Op::v_pk_min_f16 => PackedFunction::Floats(|[a, b, _], mode| least::<16>(a, b, mode)),
        Op::v_pk_max_f16 => PackedFunction::Floats(|[a, b, _], mode| greatest::<16>(a, b, mode)),
        Op::v_pk_add_u16 => {
            PackedFunction::Integers(|[a, b, _]| i64::from(a) + i64::from(b), Unsigned)
        }
        Op::v_pk_sub_u16 => {
            PackedFunction::Integers(|[a, b, _]| i64::from(a) - i64::from(b), Unsigned)
        }
        Op::v_pk_add_i16 => PackedFunction::Integers(|[a, b, _]| signed(a) + signed(b), Signed),
        Op::v_pk_sub_i16 => PackedFunction::Integers(|[a, b, _]| signed(a) - signed(b), Signed),
        Op::v_pk_mul_lo_u16 => {
            PackedFunction::Integers(|[a, b, _]| product(a, b) & 0xffff, Unsigned)
        }
        Op::v_pk_mad_u16 => {
            PackedFunction::Integers(|[a, b, c]| product(a, b) + i64::from(c), Unsigned)
        }
        Op::v_pk_mad_i16 => {
            PackedFunction::Integers(|[a, b, c]| signed(a) * signed(b) + signed(c), Signed)
        }
        Op::v_pk_min_u16 => PackedFunction::Integers(|[a, b, _]| a.min(b).into(), Unsigned),
        Op::v_pk_max_u16 => PackedFunction::Integers(|[a, b, _]| a.max(b).into(), Unsigned),
        Op::v_pk_min_i16 => PackedFunction::Integers(|[a, b, _]| signed(a).min(signed(b)), Signed),
        Op::v_pk_max_i16 => PackedFunction::Integers(|[a, b, _]| signed(a).max(signed(b)), Signed),
        Op::v_pk_lshlrev_b16 => {
            PackedFunction::Integers(|[a, b, _]| (b << (a & 15)).into(), Unsigned)
        }
        Op::v_pk_lshrrev_b16 => {
            PackedFunction::Integers(|[a, b, _]| (b >> (a & 15)).into(), Unsigned)
        }
        Op::v_pk_ashrrev_i16 => PackedFunction::Integers(|[a, b, _]| signed(b) >> (a & 15), Signed),
        Op::v_mad_mix_f32 => PackedFunction::Mix { half: None, fused: false },
        Op::v_mad_mixlo_f16 => PackedFunction::Mix { half: Some(0), fused: false },
        Op::v_mad_mixhi_f16 => PackedFunction::Mix { half: Some(1), fused: false },
        Op::v_fma_mix_f32 => PackedFunction::Mix { half: None, fused: true },
        Op::v_fma_mixlo_f16 => PackedFunction::Mix { half: Some(0), fused: true },
        Op::v_fma_mixhi_f16 => PackedFunction::Mix { half: Some(1), fused: true },
        Op::v_dot2_f32_f16 => PackedFunction::DotFloats,
        Op::v_dot2_i32_i16 => PackedFunction::Dot { bits: 16, signed: true },
        Op::v_dot2_u32_u16 => PackedFunction::Dot { bits: 16, signed: false },
        Op::v_dot2c_f32_f16 => PackedFunction::Accumulate(Accumulate::DotFloats),
        Op::v_dot2c_i32_i16 => PackedFunction::Accumulate(Accumulate::Dot(16)),
        Op::v_dot4c_i32_i8 => PackedFunction::Accumulate(Accumulate::Dot(8)),
        Op::v_dot8c_i32_i4 => PackedFunction::Accumulate(Accumulate::Dot(4)),
        Op::v_pk_fmac_f16 => PackedFunction::Accumulate(Accumulate::Halves),
        Op::v_dot4_i32_i8 => PackedFunction::Dot { bits: 8, signed: true },
        Op::v_dot4_u32_u8 => PackedFunction::Dot { bits: 8, signed: false },
        Op::v_dot8_i32_i4 => PackedFunction::Dot { bits: 4, signed: true },
        Op::v_dot8_u32_u4 => PackedFunction::Dot { bits: 4, signed: false },
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
fn words(opcode: VectorPackedWords) -> PackedFunction {
    use VectorPackedWords as Op;
    match opcode {
        Op::v_pk_fma_f32 => PackedFunction::Words(arithmetic::fused::<32>),
        Op::v_pk_mul_f32 => PackedFunction::Words(|[a, b, _], mode| {
            arithmetic::product::<32>(number::<32>(a), number::<32>(b), mode)
        }),
        Op::v_pk_add_f32 => PackedFunction::Words(|[a, b, _], mode| {
            arithmetic::sum::<32>(number::<32>(a), number::<32>(b), mode)
        }),
        Op::v_pk_mov_b32 => PackedFunction::MoveWords,
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
fn short(opcode: VectorPackedShort) -> PackedFunction {
    use VectorPackedShort as Op;
    match opcode {
        Op::v_dot2_f32_bf16 => PackedFunction::DotShort,
        Op::v_dot2c_f32_bf16 => PackedFunction::Accumulate(Accumulate::DotShort),
        Op::v_pk_minimum3_f16 => {
            PackedFunction::Floats(|s, _| strict_extreme::<16>(s, Ordering::Less))
        }
        Op::v_pk_maximum3_f16 => {
            PackedFunction::Floats(|s, _| strict_extreme::<16>(s, Ordering::Greater))
        }
    }
}

fn half(bits: u64) -> f64 {
    number::<16>(bits)
}

fn signed(value: u16) -> i64 {
    i64::from(value as i16)
}

fn product(a: u16, b: u16) -> i64 {
    i64::from(a) * i64::from(b)
}

impl Packed {
    pub(super) fn of(opcode: Op) -> Packed {
        Packed::with(kind(opcode))
    }

    /// Returns that of an operation on words.
    pub(super) fn of_words(opcode: VectorPackedWords) -> Packed {
        Packed::with(words(opcode))
    }

    /// Returns that of an operation that came with MI350.
    pub(super) fn of_short(opcode: VectorPackedShort) -> Packed {
        Packed::with(short(opcode))
    }

    fn with(kind: PackedFunction) -> Packed {
        Packed { kind, select: 0, select_high: 0, negate: 0, negate_high: 0 }
    }

    /// Reads the bits that choose.
    pub(super) fn fill(&mut self, fields: &Fields) {
        self.select = fields.get("op_sel");
        self.select_high = fields.get("op_sel_hi") | fields.get("op_sel_hi_2") << 2;
        // Forms of two sources take the upper halves for the upper result.
        if fields.encoding != Encoding::Vop3p {
            self.select_high = 7;
            return;
        }
        self.negate = fields.get("neg_lo");
        self.negate_high = fields.get("neg_hi");
    }

    pub(super) fn run(&self, own: &Vector, i: &Inputs, mode: Mode) -> u64 {
        match self.kind {
            PackedFunction::Floats(function) => {
                let of = |upper: bool| {
                    let s = self.halves(i, upper, true, mode);
                    let value = function(s, mode);
                    let value = if mode.keeps_results(16) { value } else { flushed(value, 16) };
                    if own.clamp { clamped(value, 16, mode) } else { value }
                };
                of(false) | of(true) << 16
            }
            PackedFunction::Words(function) => {
                let of = |upper: bool| {
                    let value = function(self.words(i, upper, mode), mode);
                    let value = if mode.keeps_results(32) { value } else { flushed(value, 32) };
                    if own.clamp { clamped(value, 32, mode) } else { value }
                };
                of(false) | of(true) << 32
            }
            PackedFunction::MoveWords => {
                let word =
                    |place: usize| i.s[place] >> (32 * (self.select >> place & 1)) & 0xffff_ffff;
                word(0) | word(1) << 32
            }
            PackedFunction::Integers(function, range) => {
                let of = |upper: bool| {
                    let s = self.halves(i, upper, false, mode).map(|value| value as u16);
                    let value = function(s);
                    let value = match (own.clamp, range) {
                        (false, _) => value,
                        (true, Range::Signed) => value.clamp(-0x8000, 0x7fff),
                        (true, Range::Unsigned) => value.clamp(0, 0xffff),
                    };
                    u64::from(value as u16)
                };
                of(false) | of(true) << 16
            }
            PackedFunction::Mix { half, fused } => self.mix(own, i, mode, half, fused),
            PackedFunction::DotShort => self.dot_short(own, i, mode),
            PackedFunction::Dot { bits, signed } => dot(i, own.clamp, bits, signed),
            PackedFunction::Accumulate(what) => {
                let kind = match what {
                    Accumulate::Dot(bits) => PackedFunction::Dot { bits, signed: true },
                    Accumulate::DotFloats => PackedFunction::DotFloats,
                    Accumulate::DotShort => PackedFunction::DotShort,
                    Accumulate::Halves => PackedFunction::Floats(arithmetic::fused::<16>),
                };
                let with = Inputs { s: [i.s[0], i.s[1], i.d], ..*i };
                Packed { kind, ..*self }.run(own, &with, mode)
            }
            PackedFunction::DotFloats => {
                let of = |upper| {
                    let [a, b, _] = self.halves(i, upper, true, mode);
                    [a, b].map(number::<16>)
                };
                let sum = arithmetic::dot([of(false), of(true)], number::<32>(i.s[2]), mode);
                let sum = if mode.keeps_results(32) { sum } else { flushed(sum, 32) };
                if own.clamp { clamped(sum, 32, mode) } else { sum }
            }
        }
    }

    /// The sum of two products of floats of 16 bits and a float of 32, in the order that the
    /// CDNA4 ISA's code has: each step is rounded, as its lines are.
    fn dot_short(&self, own: &Vector, i: &Inputs, mode: Mode) -> u64 {
        let pair = |upper: bool| {
            let shift = |place: usize| {
                let select = if upper { self.select_high } else { self.select };
                let negate = if upper { self.negate_high } else { self.negate };
                let half = i.s[place] >> (16 * (select >> place & 1)) & 0xffff;
                let bits =
                    if mode.keeps_sources(32) { half << 16 } else { flushed(half << 16, 32) };
                if negate >> place & 1 == 1 { negated(bits, 32) } else { bits }
            };
            [shift(0), shift(1)]
        };
        let [[a, b], [c, d]] = [pair(false), pair(true)];
        let third = i.s[2] & 0xffff_ffff;
        let third = if self.negate >> 2 & 1 == 1 { negated(third, 32) } else { third };
        let fused = |a: u64, b: u64, sum: u64| arithmetic::fused::<32>([a, b, sum], mode);
        let sum = match own.reads_destination {
            true => fused(c, d, fused(a, b, third)),
            false => {
                let [a, b] = [a, b].map(number::<32>);
                let products = fused(c, d, arithmetic::product::<32>(a, b, mode));
                arithmetic::sum::<32>(number::<32>(products), number::<32>(third), mode)
            }
        };
        let sum = if mode.keeps_results(32) { sum } else { flushed(sum, 32) };
        if own.clamp { clamped(sum, 32, mode) } else { sum }
    }

    /// The words of the sources for one of the two results.
    fn words(&self, i: &Inputs, upper: bool, mode: Mode) -> [u64; 3] {
        let (select, negate) =
            if upper { (self.select_high, self.negate_high) } else { (self.select, self.negate) };
        std::array::from_fn(|place| {
            let word = i.s[place] >> (32 * (select >> place & 1)) & 0xffff_ffff;
            let word = if mode.keeps_sources(32) { word } else { flushed(word, 32) };
            if negate >> place & 1 == 1 { negated(word, 32) } else { word }
        })
    }

    /// The halves of the sources for one of the two results.
    fn halves(&self, i: &Inputs, upper: bool, floats: bool, mode: Mode) -> [u64; 3] {
        let (select, negate) =
            if upper { (self.select_high, self.negate_high) } else { (self.select, self.negate) };
        std::array::from_fn(|place| {
            let shift = if select >> place & 1 == 1 { 16 } else { 0 };
            let mut value = i.s[place] >> shift & 0xffff;
            if floats && !mode.keeps_sources(16) {
                value = flushed(value, 16);
            }
            if floats && negate >> place & 1 == 1 { negated(value, 16) } else { value }
        })
    }

    fn mix(&self, own: &Vector, i: &Inputs, mode: Mode, half: Option<u32>, fused: bool) -> u64 {
        let s: [u64; 3] = std::array::from_fn(|place| {
            let bit = |mask: u32| mask >> place & 1 == 1;
            let mut value = match (bit(self.select_high), bit(self.select)) {
                (false, _) => i.s[place] & 0xffff_ffff,
                (true, upper) => {
                    let half = i.s[place] >> if upper { 16 } else { 0 };
                    rounded::<32>(number::<16>(half))
                }
            };
            if bit(self.negate_high) {
                value &= 0x7fff_ffff;
            }
            value = if mode.keeps_sources(32) { value } else { flushed(value, 32) };
            if bit(self.negate) { negated(value, 32) } else { value }
        });
        let result = match fused {
            true => arithmetic::fused::<32>(s, mode),
            false => {
                let [a, b, c] = s.map(number::<32>);
                let product = flushed(arithmetic::product::<32>(a, b, mode), 32);
                arithmetic::sum::<32>(number::<32>(product), c, mode)
            }
        };
        let result = if mode.keeps_results(32) { result } else { flushed(result, 32) };
        let result = if own.clamp { clamped(result, 32, mode) } else { result };
        match half {
            None => result,
            Some(place) => {
                let shift = 16 * place;
                let value = arithmetic::converted::<16>(number::<32>(result), mode);
                i.d & !(0xffff << shift) & 0xffff_ffff | value << shift
            }
        }
    }
}

fn dot(i: &Inputs, clamp: bool, bits: u32, signed: bool) -> u64 {
    let part = |value: u64, place: u32| {
        let value = (value >> (place * bits)) << (64 - bits);
        if signed { i128::from(value as i64 >> (64 - bits)) } else { (value >> (64 - bits)).into() }
    };
    let products = (0..32 / bits).map(|place| part(i.s[0], place) * part(i.s[1], place));
    let products: i128 = products.sum();
    if signed {
        let exact = products + i128::from(i.s[2] as i32);
        let clamped = exact.clamp(i32::MIN.into(), i32::MAX.into());
        u64::from(if clamp { clamped } else { exact } as u32)
    } else {
        let exact = products + i128::from(i.s[2] as u32);
        u64::from(if clamp { exact.clamp(0, u32::MAX.into()) } else { exact } as u32)
    }
}
