//! Registers as operands: their names, numbers and alignment.

use super::cursor::Cursor;
use super::error::LineError;
use super::expression;
use crate::{Generation, Target, codes};
use isa::gcn::Feature;

/// A kind of register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bank {
    /// A value of the whole wave. Its number is the operand code, so that the
    /// special registers have one too.
    Scalar,
    /// A value of each lane.
    Vector,
    /// The registers in which the matrix instructions of gfx908 add up.
    Accumulator,
}

/// One or more consecutive registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Register {
    /// The kind.
    pub bank: Bank,
    /// The first: for scalar ones the operand code.
    pub first: u16,
    /// The number of them.
    pub dwords: u8,
}

/// Operand codes of the special scalar registers; of pairs that of the lower half.
pub mod code {
    /// FLAT_SCRATCH on gfx7, a pair.
    pub const FLAT_SCRATCH_GFX7: u16 = 104;
    /// FLAT_SCRATCH from gfx8 on, a pair.
    pub const FLAT_SCRATCH: u16 = 102;
    pub(crate) const XNACK_MASK: u16 = 104;
    /// VCC, a pair.
    pub const VCC: u16 = 106;
    pub(crate) const TBA: u16 = 108;
    pub(crate) const TMA: u16 = 110;
    pub(crate) const TTMP: u16 = 112;
    pub(crate) const TTMP_GFX9: u16 = 108;
    /// M0.
    pub const M0: u16 = 124;
    /// EXEC, a pair.
    pub const EXEC: u16 = 126;
    pub(crate) const SHARED_BASE: u16 = 235;
    pub(crate) const POPS_EXITING_WAVE_ID: u16 = 239;
    /// VCCZ and EXECZ: set where VCC and EXEC are zero.
    pub(crate) const VCCZ: u16 = 251;
    pub(crate) const EXECZ: u16 = 252;
    /// SCC.
    pub const SCC: u16 = 253;
    /// The word that M0 names in the local data share.
    pub(crate) const LDS_DIRECT: u16 = 254;
}

impl Register {
    /// Its name on a chip, as assemblers write it: `v[0:3]`, `vcc_lo`, `scc`.
    pub fn name(self, target: Target) -> String {
        let mut name = String::new();
        write(&mut name, self, target);
        name.strip_prefix("src_").map(str::to_owned).unwrap_or(name)
    }

    /// Scalar registers by operand code.
    pub(crate) fn scalar(first: u16, dwords: u8) -> Register {
        Register { bank: Bank::Scalar, first, dwords }
    }

    /// Vector registers by number.
    pub(crate) fn vector(first: u16, dwords: u8) -> Register {
        Register { bank: Bank::Vector, first, dwords }
    }

    /// Tells whether a single register is one of these.
    pub(crate) fn holds(self, single: Register) -> bool {
        let end = u32::from(self.first) + u32::from(self.dwords);
        self.bank == single.bank && self.first <= single.first && u32::from(single.first) < end
    }

    /// Tells whether they are vector registers that the target takes only from an even
    /// number on.
    pub(crate) fn is_odd_group(self, target: Target) -> bool {
        let is_odd = self.dwords > 1 && !self.first.is_multiple_of(2);
        self.bank != Bank::Scalar && is_odd && target.has(Feature::Gfx90aInsts)
    }

    /// These registers one by one.
    pub(crate) fn singles(self) -> impl Iterator<Item = Register> {
        let at = move |place| Register { first: self.first + place, dwords: 1, ..self };
        (0..u16::from(self.dwords)).map(at)
    }

    /// Tells whether it is part of EXEC.
    pub(crate) fn is_exec(self) -> bool {
        self.bank == Bank::Scalar && (code::EXEC..=code::EXEC + 1).contains(&self.first)
    }

    /// Tells whether it is M0.
    pub(crate) fn is_m0(self) -> bool {
        self.bank == Bank::Scalar && self.first == code::M0
    }

    /// Tells whether it is the word that the local data share hands over.
    pub(crate) fn is_lds_direct(self) -> bool {
        self.bank == Bank::Scalar && self.first == code::LDS_DIRECT
    }

    /// Tells whether it can only be read: the bases of segments, the flags.
    pub(crate) fn is_read_only(self) -> bool {
        self.bank == Bank::Scalar && self.first >= code::SHARED_BASE
    }
}

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

/// The letters before a number, and what they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Scalar,
    Trap,
    Vector,
    Accumulator,
}

/// The family of a word, and the digits after its letters.
pub(crate) fn family(word: &str) -> Option<(Family, &str)> {
    let (family, rest) = match word.as_bytes().first()? {
        b's' => (Family::Scalar, &word[1..]),
        b'v' => (Family::Vector, &word[1..]),
        // LLVM reads `acc3` as well, and writes `a3`.
        b'a' => (Family::Accumulator, word.strip_prefix("acc").unwrap_or(&word[1..])),
        b't' => (Family::Trap, word.strip_prefix("ttmp")?),
        _ => return None,
    };
    rest.bytes().all(|byte| byte.is_ascii_digit()).then_some((family, rest))
}

/// Reads `v12` or `s[4:7]` written with plain numbers, which most registers are:
/// the family, the first and the last number. The cursor stays where there is
/// something else.
#[inline]
fn plain(cursor: &mut Cursor<'_>) -> Option<(Family, u32, u32)> {
    let bytes = cursor.text.as_bytes().get(cursor.at..)?;
    let family = match bytes.first()? {
        b'v' => Family::Vector,
        b's' => Family::Scalar,
        _ => return None,
    };
    if bytes.get(1) == Some(&b'[') {
        let (first, colon) = digits(bytes, 2)?;
        let (last, close) = digits(bytes, colon + 1)?;
        let is_range =
            bytes.get(colon) == Some(&b':') && bytes.get(close) == Some(&b']') && first <= last;
        return is_range.then(|| {
            cursor.at += close + 1;
            (family, first, last)
        });
    }
    let (number, end) = digits(bytes, 1)?;
    matches!(bytes.get(end), None | Some(b',' | b' ' | b')' | b'|')).then(|| {
        cursor.at += end;
        (family, number, number)
    })
}

/// A decimal number of a few digits without a zero in front, and where it ends.
#[inline]
fn digits(bytes: &[u8], from: usize) -> Option<(u32, usize)> {
    let mut number = 0;
    let mut at = from;
    while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
        number = number * 10 + u32::from(digit - b'0');
        at += 1;
        if at > from + 4 {
            return None;
        }
    }
    let is_octal = at > from + 1 && bytes[from] == b'0';
    (at > from && !is_octal).then_some((number, at))
}

/// Reads a register if the word at the cursor names one; the cursor stays where
/// it does not.
///
/// # Errors
/// Where the name is a register's but the target has no such register.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<Option<Register>, LineError> {
    cursor.skip_blanks();
    let (start, target) = (cursor.at, cursor.context.target);
    if cursor.peek() == b'[' {
        return parse_list(cursor).map(Some);
    }
    if let Some((family, first, last)) = plain(cursor) {
        return make(family, first, last, start..cursor.at, target).map(Some);
    }
    let word = cursor.word();
    if let Some((family, digits)) = family(word) {
        if !digits.is_empty() {
            let number = digits.parse().unwrap_or(u32::MAX);
            return make(family, number, number, start..cursor.at, target).map(Some);
        }
        let name = cursor.at;
        cursor.skip_blanks();
        if cursor.peek() == b'[' {
            let (first, last) = range(cursor)?;
            return make(family, first, last, start..cursor.at, target).map(Some);
        }
        cursor.at = name;
    }
    if let Some(special) = special(word, target) {
        if !special.available {
            let message = format!("`{word}` does not exist on {}", target.processor());
            return Err(LineError::new(codes::REGISTER, start..cursor.at, message));
        }
        return Ok(Some(Register::scalar(special.first, special.dwords)));
    }
    cursor.at = start;
    Ok(None)
}

/// The numbers in `[first]` or `[first:last]`.
pub(crate) fn range(cursor: &mut Cursor<'_>) -> Result<(u32, u32), LineError> {
    cursor.expect(b'[', "a bracket is expected")?;
    let start = cursor.at;
    let first = expression::absolute(cursor)?;
    let last = if cursor.take(b':') { expression::absolute(cursor)? } else { first };
    cursor.expect(b']', "the closing bracket of the registers is missing")?;
    match (u32::try_from(first), u32::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => {
            let message = "the first register must not be above the last, nor below 0";
            Err(LineError::new(codes::REGISTER, start..cursor.at - 1, message))
        }
    }
}

/// `[s0,s1]`: single registers that follow one another.
fn parse_list(cursor: &mut Cursor<'_>) -> Result<Register, LineError> {
    let (start, target) = (cursor.at, cursor.context.target);
    cursor.at += 1;
    let mut whole: Option<Register> = None;
    loop {
        cursor.skip_blanks();
        let from = cursor.at;
        let part = if cursor.peek() == b'[' { None } else { parse(cursor)? };
        let Some(part) = part.filter(|part| part.dwords == 1) else {
            let message = "a list takes single registers";
            let end = cursor.at.max(cursor.behind_character(from));
            return Err(LineError::new(codes::REGISTER, from..end, message));
        };
        match &mut whole {
            None => whole = Some(part),
            Some(whole)
                if whole.bank == part.bank
                    && u32::from(part.first)
                        == u32::from(whole.first) + u32::from(whole.dwords)
                    && whole.dwords < 32 =>
            {
                whole.dwords += 1;
            }
            Some(_) => {
                let message = "the registers of a list must follow one another";
                return Err(LineError::new(codes::REGISTER, from..cursor.at, message));
            }
        }
        if !cursor.take(b',') {
            break;
        }
    }
    cursor.expect(b']', "a comma or the closing bracket of the list is missing")?;
    let whole = whole.unwrap_or(Register::scalar(0, 1));
    check_size_and_alignment(whole, start..cursor.at, target)?;
    Ok(whole)
}

fn make(
    family: Family,
    first: u32,
    last: u32,
    range: std::ops::Range<usize>,
    target: Target,
) -> Result<Register, LineError> {
    let register = numbered(family, first, last, range.clone(), target)?;
    check_size_and_alignment(register, range, target)?;
    Ok(register)
}

/// The registers of a family from a number to another, wherever they begin.
///
/// # Errors
/// Where the target has fewer.
#[inline]
pub(crate) fn numbered(
    family: Family,
    first: u32,
    last: u32,
    range: std::ops::Range<usize>,
    target: Target,
) -> Result<Register, LineError> {
    let (bank, base, count) = match family {
        Family::Vector => (Bank::Vector, 0, 256),
        Family::Accumulator => {
            (Bank::Accumulator, 0, if target.has(Feature::Mai) { 256 } else { 0 })
        }
        Family::Scalar => (Bank::Scalar, 0, target.row().limits.sgpr_addressable),
        Family::Trap => {
            let codes = trap_codes(target);
            (Bank::Scalar, codes.start, u32::from(codes.end - codes.start))
        }
    };
    if last >= count {
        return Err(beyond(family, count, range, target));
    }
    // Both are below 256.
    let dwords = (last - first + 1).min(255) as u8;
    Ok(Register { bank, first: base + first as u16, dwords })
}

/// The error of a register behind the last one.
#[cold]
fn beyond(family: Family, count: u32, range: std::ops::Range<usize>, target: Target) -> LineError {
    let message = match family {
        Family::Accumulator if count == 0 => format!(
            "accumulation registers exist on gfx908 only; the target is {}",
            target.processor()
        ),
        _ => format!("{} has {count} of these registers", target.processor()),
    };
    LineError::new(codes::REGISTER, range, message)
}

/// Groups come in the sizes that some instruction takes; scalar ones begin at
/// even numbers, those of three and more at multiples of four; from gfx90a on vector ones
/// begin at even numbers.
#[inline]
fn check_size_and_alignment(
    register: Register,
    range: std::ops::Range<usize>,
    target: Target,
) -> Result<(), LineError> {
    if !matches!(register.dwords, 1..=12 | 16 | 32) {
        let message = format!("no instruction takes {} registers at once", register.dwords);
        return Err(LineError::new(codes::REGISTER, range, message));
    }
    let alignment = alignment(register.dwords);
    if register.bank == Bank::Scalar && !register.first.is_multiple_of(alignment) {
        let message =
            format!("{} scalar registers must begin at a multiple of {alignment}", register.dwords);
        return Err(LineError::new(codes::REGISTER, range, message));
    }
    if register.is_odd_group(target) {
        let message = format!(
            "on {} two and more vector registers begin at an even number",
            target.processor()
        );
        return Err(LineError::new(codes::REGISTER, range, message));
    }
    Ok(())
}

/// The name of registers, as disassemblers write it.
pub(crate) fn write(out: &mut String, register: Register, target: Target) {
    let Register { bank, first, dwords } = register;
    let prefix = match bank {
        Bank::Vector => "v",
        Bank::Accumulator => "a",
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
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = if dwords == 1 {
        write!(out, "{prefix}{first}")
    } else {
        write!(out, "{prefix}[{first}:{}]", first + u16::from(dwords) - 1)
    };
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
fn trap_codes(target: Target) -> std::ops::Range<u16> {
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
    let trap = trap_codes(target);
    let start = if trap.contains(&first) { first - trap.start } else { first };
    let is_aligned = start.is_multiple_of(alignment(dwords));
    let is_special = special_name(first, dwords, target).is_some()
        && dwords <= 2
        && (dwords <= 1 || first.is_multiple_of(2) || first >= code::SHARED_BASE);
    let exists = (last < numbered && is_aligned)
        || (trap.contains(&first) && trap.contains(&last) && is_aligned)
        || is_special;
    // The special sources are one register whatever the size.
    let single = first >= code::SHARED_BASE && first != code::LDS_DIRECT;
    let dwords = if single { 0 } else { dwords };
    exists.then_some(Register { bank: Bank::Scalar, first, dwords })
}

/// The multiple at which a group of scalar registers begins.
pub(super) fn alignment(dwords: u8) -> u16 {
    match dwords {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    }
}
