//! The names of registers, read and written.

use isa::gcn::Feature;
use source::digits;

use super::register::{Bank, Register, alignment, code};
use crate::{Generation, Target};

/// A register of a fixed name.
pub(crate) struct Special {
    pub(crate) first: u16,
    pub(crate) dwords: u8,
    /// Tells whether the target has it.
    pub(crate) available: bool,
}

/// Tells whether a chip has a register.
type Exists = fn(Target) -> bool;

const IS_GFX9: Exists = |it| it.generation() == Generation::Gfx9;
const IS_BEFORE_GFX9: Exists = |it| it.generation() < Generation::Gfx9;

/// Pairs of fixed names: of both, of the lower, of the upper; and the code of the lower.
const PAIRS: [([&str; 3], u16, Exists); 7] = [
    (["flat_scratch", "flat_scratch_lo", "flat_scratch_hi"], code::FLAT_SCRATCH, |it| {
        it.generation() >= Generation::Gfx8
    }),
    (["flat_scratch", "flat_scratch_lo", "flat_scratch_hi"], code::FLAT_SCRATCH_GFX7, |it| {
        it.generation() == Generation::Gfx7
    }),
    (["xnack_mask", "xnack_mask_lo", "xnack_mask_hi"], code::XNACK_MASK, |it| {
        it.has(Feature::XnackMask)
    }),
    (["vcc", "vcc_lo", "vcc_hi"], code::VCC, |_| true),
    (["tba", "tba_lo", "tba_hi"], code::TBA, IS_BEFORE_GFX9),
    (["tma", "tma_lo", "tma_hi"], code::TMA, IS_BEFORE_GFX9),
    (["exec", "exec_lo", "exec_hi"], code::EXEC, |_| true),
];

/// Single registers of fixed names: their codes and sizes. `src_` may be left out.
const SINGLES: [(&str, u16, u8, Exists); 11] = [
    ("m0", code::M0, 1, |_| true),
    ("src_shared_base", code::SHARED_BASE, 0, IS_GFX9),
    ("src_shared_limit", code::SHARED_BASE + 1, 0, IS_GFX9),
    ("src_private_base", code::SHARED_BASE + 2, 0, IS_GFX9),
    ("src_private_limit", code::SHARED_BASE + 3, 0, IS_GFX9),
    ("src_pops_exiting_wave_id", code::POPS_EXITING_WAVE_ID, 0, IS_GFX9),
    ("src_vccz", code::VCCZ, 0, |_| true),
    ("src_execz", code::EXECZ, 0, |_| true),
    ("src_scc", code::SCC, 0, |_| true),
    ("src_lds_direct", code::LDS_DIRECT, 1, |it| !it.has(Feature::Gfx90aInsts)),
    ("null", 0, 1, |_| false),
];

/// The letters that such names begin with, a bit for each: most words of a line begin with
/// others.
const BEGINNINGS: u128 = {
    let mut letters = 0;
    let mut at = 0;
    while at < PAIRS.len() {
        letters |= 1 << PAIRS[at].0[0].as_bytes()[0];
        at += 1;
    }
    at = 0;
    while at < SINGLES.len() {
        let name = SINGLES[at].0.as_bytes();
        letters |= 1 << name[0];
        if let [b's', b'r', b'c', b'_', letter, ..] = name {
            letters |= 1 << *letter;
        }
        at += 1;
    }
    letters
};

/// The register that a name stands for on some target.
pub(crate) fn special(name: &str, target: Target) -> Option<Special> {
    let beginning = name.bytes().next().filter(u8::is_ascii)?;
    if BEGINNINGS >> beginning & 1 == 0 {
        return None;
    }
    let pairs = PAIRS.iter().rev().filter_map(|(names, first, exists)| {
        let part = names.iter().position(|it| *it == name)?;
        let (first, dwords) = (first + u16::from(part == 2), if part == 0 { 2 } else { 1 });
        Some(Special { first, dwords, available: exists(target) })
    });
    // One that the target has, or else the first row.
    let pair = pairs.max_by_key(|it| it.available);
    pair.or_else(|| {
        let is_named = |it: &str| it == name || it.strip_prefix("src_") == Some(name);
        let (_, first, dwords, exists) = SINGLES.iter().find(|it| is_named(it.0))?;
        Some(Special { first: *first, dwords: *dwords, available: exists(target) })
    })
}

/// The name of registers, as disassemblers write it.
pub(crate) fn write(out: &mut String, register: Register, target: Target) {
    let Register { bank, first, dwords } = register;
    let prefix = match bank {
        Bank::Vector => "v",
        Bank::Accumulator => "a",
        Bank::Scalar if u32::from(first) < target.row().limits.sgpr_addressable => "s",
        Bank::Scalar => {
            if let Some(name) = special_name(first, dwords, target) {
                out.push_str(name);
                return;
            }
            let trap = trap_codes(target);
            if trap.contains(&first) {
                return write_numbered(out, "ttmp", first - trap.start, dwords);
            }
            "s"
        }
    };
    write_numbered(out, prefix, first, dwords);
}

fn write_numbered(out: &mut String, prefix: &str, first: u16, dwords: u8) {
    out.push_str(prefix);
    if dwords == 1 {
        return digits::decimal(out, first.into());
    }
    out.push('[');
    digits::decimal(out, first.into());
    out.push(':');
    digits::decimal(out, u64::from(first) + u64::from(dwords) - 1);
    out.push(']');
}

fn special_name(first: u16, dwords: u8, target: Target) -> Option<&'static str> {
    let of_pair = |(names, lower, exists): &([&'static str; 3], u16, Exists)| {
        let part = first.checked_sub(*lower).filter(|part| *part < 2 && exists(target))?;
        match (part, dwords) {
            (0, 2) => Some(names[0]),
            (0, _) => Some(names[1]),
            (_, 1) => Some(names[2]),
            _ => None,
        }
    };
    let of_single = |(name, own, size, exists): &(&'static str, u16, u8, Exists)| {
        let is_it = *own == first && (*size == 0 || *size == dwords) && exists(target);
        is_it.then_some(*name)
    };
    PAIRS.iter().find_map(of_pair).or_else(|| SINGLES.iter().find_map(of_single))
}

/// The operand codes of a trap handler's registers.
pub(super) fn trap_codes(target: Target) -> std::ops::Range<u16> {
    match target.generation() {
        Generation::Gfx9 => code::TTMP_GFX9..code::M0,
        _ => code::TTMP..code::M0,
    }
}

/// The scalar registers that an operand code names, if the target has them and
/// they are an aligned group.
pub(crate) fn by_code(first: u16, dwords: u8, target: Target) -> Option<Register> {
    let numbered = target.row().limits.sgpr_addressable as u16;
    let last = first + u16::from(dwords.max(1)) - 1;
    if last < numbered {
        let register = Register { bank: Bank::Scalar, first, dwords };
        return first.is_multiple_of(alignment(dwords)).then_some(register);
    }
    let trap = trap_codes(target);
    let start = if trap.contains(&first) { first - trap.start } else { first };
    let is_aligned = start.is_multiple_of(alignment(dwords));
    let is_special = special_name(first, dwords, target).is_some()
        && dwords <= 2
        && (dwords <= 1 || first.is_multiple_of(2) || first >= code::SHARED_BASE);
    let exists = (trap.contains(&first) && trap.contains(&last) && is_aligned) || is_special;
    // The special sources are one register whatever the size.
    let single = first >= code::SHARED_BASE && first != code::LDS_DIRECT;
    let dwords = if single { 0 } else { dwords };
    exists.then_some(Register { bank: Bank::Scalar, first, dwords })
}
