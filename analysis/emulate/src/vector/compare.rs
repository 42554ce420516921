//! Comparisons: a bit of a mask for every lane.
//!
//! Source: ISA manuals, VOPC. With NaN only the negated comparisons hold, and U. The
//! signalling forms (V_CMPS) differ in exceptions, which do not exist here.

use std::cmp::Ordering;

use super::{Function, Inputs, Mask};
use crate::float::{is_denormal, number, quiet_bit, sign_bit};

type Relate = fn(&Inputs) -> u8;

/// Returns the set of relations for which a comparison holds: 1 less, 2 equal, 4 greater, 8
/// unordered. The opcodes are counted by these bits.
fn holds(word: &str) -> Option<u8> {
    let words = [
        "f", "lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq",
        "nlt", "tru",
    ];
    match word {
        "ne" => Some(5),
        "t" => Some(15),
        _ => words.iter().position(|it| *it == word).map(|place| place as u8),
    }
}

fn relation(order: Option<Ordering>) -> u8 {
    match order {
        Some(Ordering::Less) => 1,
        Some(Ordering::Equal) => 2,
        Some(Ordering::Greater) => 4,
        None => 8,
    }
}

fn of_floats<const BITS: u8>(i: &Inputs) -> u8 {
    relation(number::<BITS>(i.s[0]).partial_cmp(&number::<BITS>(i.s[1])))
}

fn of_signed<const BITS: u8>(i: &Inputs) -> u8 {
    let of = |value: u64| (value << (64 - BITS)) as i64 >> (64 - BITS);
    relation(Some(of(i.s[0]).cmp(&of(i.s[1]))))
}

fn of_unsigned<const BITS: u8>(i: &Inputs) -> u8 {
    let of = |value: u64| value << (64 - BITS) >> (64 - BITS);
    relation(Some(of(i.s[0]).cmp(&of(i.s[1]))))
}

/// Tells whether a number is of one of the classes that the bits of the second source name:
/// signalling and quiet NaN, -inf, negative, -denormal, -0, and back up.
fn class<const BITS: u8>(i: &Inputs) -> bool {
    let value = number::<BITS>(i.s[0]);
    let negative = i.s[0] & sign_bit(BITS) != 0;
    let place = match () {
        () if value.is_nan() => u32::from(i.s[0] & quiet_bit(BITS) != 0),
        () => {
            let size = match () {
                () if value.is_infinite() => 0,
                () if value == 0.0 => 3,
                () if is_denormal(i.s[0], BITS) => 2,
                () => 1,
            };
            if negative { 2 + size } else { 9 - size }
        }
    };
    i.s[1] >> place & 1 == 1
}

pub(super) fn find(name: &str) -> Option<Function> {
    let rest = name.strip_prefix("v_cmp")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let (target, rest) = match rest.strip_prefix('x') {
        Some(rest) => (Mask::RegisterAndExec, rest),
        None => (Mask::Register, rest),
    };
    let (word, ty) = rest.strip_prefix('_')?.split_once('_')?;
    let class = match ty {
        "f16" => class::<16> as fn(&Inputs) -> bool,
        "f32" => class::<32>,
        _ => class::<64>,
    };
    if word == "class" {
        return Some(Function::Class(class, target));
    }
    let relation: Relate = match ty {
        "f16" => of_floats::<16>,
        "f32" => of_floats::<32>,
        "f64" => of_floats::<64>,
        "i16" => of_signed::<16>,
        "i32" => of_signed::<32>,
        "i64" => of_signed::<64>,
        "u16" => of_unsigned::<16>,
        "u32" => of_unsigned::<32>,
        "u64" => of_unsigned::<64>,
        _ => return None,
    };
    Some(Function::Compare(relation, holds(word)?, target))
}
