//! Products with a constant as shifts and sums, where those take fewer clocks.

use gcn::Generation;
use gcn::analysis::RegisterSet;
use gcn::instruction::{Bank, Register};

use super::Change;
use super::listing::Listing;
use crate::search::Promise;

/// A vector multiplication of 32 bits takes four times the clocks of a sum: up to two other
/// instructions are fewer.
const MOST_SHIFT: u32 = 31;

pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    let generation = listing.generation;
    let mut lines = listing.lines.clone();
    let mut places = Vec::new();
    for (place, instruction) in listing.instructions.iter().enumerate().rev() {
        let live = listing.liveness.after(&listing.cfg, place);
        let Some(texts) = replaced(&instruction.text, generation, live) else { continue };
        let Some(old) = lines.get(instruction.line) else { continue };
        let indent: String = old.chars().take_while(|it| it.is_whitespace()).collect();
        let new: Vec<String> = texts.iter().map(|text| format!("{indent}{text}")).collect();
        lines.splice(instruction.line..=instruction.line, new);
        places.push(listing.place(place).to_string());
    }
    if !places.is_empty() {
        places.reverse();
        let what = format!("shifts and sums for the product of line {}", places.join(", "));
        changes.push(Change { lines, what, promise: Promise::Much });
    }
}

/// The instructions that stand for a product; `None` where it is none, or no few of them do.
fn replaced(text: &str, generation: Generation, live: &RegisterSet) -> Option<Vec<String>> {
    let (opcode, operands) = text.split_once(char::is_whitespace)?;
    let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
    match (opcode, &operands[..]) {
        ("v_mul_lo_u32", [to, one, two]) => {
            let (from, factor) = with_factor(one, two)?;
            vector(from)?;
            product(to, from, factor, generation)
        }
        ("v_mad_u64_u32", [to, carry, one, two, sum]) => {
            let (from, factor) = with_factor(one, two)?;
            let (to, high) = pair(to)?;
            let is_dead = |bank, first, dwords| !live.touches(Register { bank, first, dwords });
            let carry: u16 = match *carry {
                "vcc" => gcn::analysis::VCC,
                name => name.strip_prefix("s[")?.split_once(':')?.0.parse().ok()?,
            };
            // The low half alone is wanted.
            if !is_dead(Bank::Vector, high, 1) || !is_dead(Bank::Scalar, carry, 2) {
                return None;
            }
            let sum = match pair(sum) {
                Some((low, _)) => format!("v{low}"),
                None => constant(sum).map(|it| it.to_string())?,
            };
            summed(&format!("v{to}"), from, factor, &sum, generation)
        }
        _ => None,
    }
}

/// `to = from * factor`.
fn product(to: &str, from: &str, factor: u32, generation: Generation) -> Option<Vec<String>> {
    if factor.is_power_of_two() {
        return Some(vec![shift(to, from, factor.trailing_zeros())]);
    }
    let has_shifted_sums = generation >= Generation::Gfx9;
    if !has_shifted_sums {
        return None;
    }
    // Once, or as two: of a sum that was shifted the target holds the first one.
    let once = |to: &str, factor: u32| {
        let power = factor.checked_sub(1).filter(|it| it.is_power_of_two())?;
        Some(shifted_sum(to, from, power.trailing_zeros(), from))
    };
    if let Some(text) = once(to, factor) {
        return Some(vec![text]);
    }
    let zeros = factor.trailing_zeros();
    if let Some(text) = once(to, factor >> zeros).filter(|_| zeros > 0) {
        return Some(vec![text, shift(to, to, zeros)]);
    }
    let shifts = 1..=MOST_SHIFT;
    let both = shifts.clone().find_map(|power| {
        let half = (1_u32 << power).checked_add(1)?;
        let text = factor
            .checked_rem(half)
            .filter(|rest| *rest == 0)
            .and_then(|_| once(to, factor / half))?;
        Some(vec![text, shifted_sum(to, to, power, to)])
    });
    if both.is_some() || to == from {
        return both;
    }
    if factor.checked_add(1).is_some_and(u32::is_power_of_two) {
        let power = (factor + 1).trailing_zeros();
        return Some(vec![shift(to, from, power), format!("v_sub_u32_e32 {to}, {to}, {from}")]);
    }
    shifts.clone().find_map(|power| {
        let rest = factor.checked_sub(1 << power)?;
        Some(vec![once(to, rest)?, shifted_sum(to, from, power, to)])
    })
}

/// `to = from * factor + sum`.
fn summed(
    to: &str,
    from: &str,
    factor: u32,
    sum: &str,
    generation: Generation,
) -> Option<Vec<String>> {
    if generation < Generation::Gfx9 {
        return None;
    }
    if factor.is_power_of_two() {
        return Some(vec![shifted_sum(to, from, factor.trailing_zeros(), sum)]);
    }
    let power = factor.checked_sub(1).filter(|it| it.is_power_of_two())?;
    let text = shifted_sum(to, from, power.trailing_zeros(), sum);
    (to != from)
        .then(|| vec![text, format!("v_add_u32_e32 {to}, {from}, {to}")])
        .filter(|_| vector(from).is_some())
}

fn shift(to: &str, from: &str, power: u32) -> String {
    format!("v_lshlrev_b32_e32 {to}, {power}, {from}")
}

fn shifted_sum(to: &str, from: &str, power: u32, sum: &str) -> String {
    format!("v_lshl_add_u32 {to}, {from}, {power}, {sum}")
}

/// A factor that the text shows, with the other one.
fn with_factor<'t>(one: &'t str, two: &'t str) -> Option<(&'t str, u32)> {
    let found = constant(two).map(|factor| (one, factor));
    found.or_else(|| constant(one).map(|factor| (two, factor))).filter(|(_, factor)| *factor > 0)
}

fn constant(operand: &str) -> Option<u32> {
    match operand.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => operand.parse().ok(),
    }
}

/// The number of a vector register.
fn vector(name: &str) -> Option<u16> {
    name.strip_prefix('v')?.parse().ok()
}

/// The numbers of a pair of vector registers.
fn pair(name: &str) -> Option<(u16, u16)> {
    let (low, high) = name.strip_prefix("v[")?.strip_suffix(']')?.split_once(':')?;
    Some((low.parse().ok()?, high.parse().ok()?))
}
