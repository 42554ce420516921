//! One operand into one slot.

use super::constant::{self, Encoded, LITERAL};
use super::encode::{Assembly, FixupKind, Reason, fixup};
use super::form::{CacheWords, NO_BIT, OffsetRule, ScalarOffset, ScalarSet, Slot, SlotKind};
use super::modifier::{Flag, Key, cache};
use super::operands::{Immediate, Type};
use super::parse::{Parsed, Value};
use super::register::{Bank, Register, code};
use super::source::{encode_number, fill_scalar_source, fill_source, number};
use crate::Generation;

pub(super) fn fill_default(slot: &Slot, default: u32, assembly: &mut Assembly<'_>) {
    match slot.kind {
        SlotKind::List { key, sources } => put_list(slot, key, sources, default as u8, assembly),
        _ => assembly.put(slot.low, u64::from(default)),
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn fill_slot(
    slot: &Slot,
    operand: &Parsed,
    index: usize,
    assembly: &mut Assembly<'_>,
) -> Result<(), Reason> {
    let wanted = Reason::Wanted(slot.kind);
    if operand.has_modifiers() && !matches!(slot.kind, SlotKind::Source(_)) {
        let is_register = matches!(operand.value, Value::Register(_));
        return Err(if is_register { Reason::Modifiers } else { wanted });
    }
    let integer = || operand.value.integer().ok_or(wanted);
    let is_off = || operand.value.flag(Flag::Off) == Some(true);
    let value = match slot.kind {
        SlotKind::Source(source) => return fill_source(slot, source, operand, index, assembly),
        SlotKind::ScalarSource { ty, from } => {
            return fill_scalar_source(slot, ty, from, operand, assembly);
        }
        SlotKind::Vector { dwords } => {
            // Addresses of 9 to 12 registers were written as 16 up to LLVM 15.
            let fits = |given| given == dwords || (given == 16 && matches!(dwords, 9..=12));
            let found = register(slot, operand, |it| it.bank == Bank::Vector && fits(it.dwords))?;
            u64::from(found.first) + nine_bits(slot)
        }
        SlotKind::Accumulator { dwords } => {
            let fits = |it: Register| (it.bank, it.dwords) == (Bank::Accumulator, dwords);
            u64::from(register(slot, operand, fits)?.first) + nine_bits(slot)
        }
        SlotKind::VectorOrAccumulator { dwords } => {
            let fits = |it: Register| it.bank != Bank::Scalar && it.dwords == dwords;
            fill_either(slot, register(slot, operand, fits)?, assembly)?
        }
        SlotKind::Sum { ty, .. } if operand.register().is_none() => {
            match encode_number(operand, ty, assembly.target).ok_or(wanted)? {
                Encoded::Code(code) => code.into(),
                Encoded::Literal(_) => return Err(Reason::Literal),
                Encoded::Unfit => return Err(Reason::Unfit(ty)),
            }
        }
        SlotKind::Sum { dwords, .. } => {
            let fits = |it: Register| it.bank != Bank::Scalar && it.dwords == dwords;
            fill_either(slot, register(slot, operand, fits)?, assembly)?
        }
        SlotKind::Vectors => {
            let has_bit = slot.scalar != NO_BIT;
            let fits = |it: Register| match it.bank {
                Bank::Vector => true,
                Bank::Accumulator => has_bit,
                Bank::Scalar => false,
            };
            fill_either(slot, register(slot, operand, fits)?, assembly)?
        }
        SlotKind::VectorOrLds => {
            let is_vector = |it: Register| (it.bank, it.dwords) == (Bank::Vector, 1);
            let found = register(slot, operand, |it| is_vector(it) || it.is_lds_direct())?;
            u64::from(found.first) + if is_vector(found) { 256 } else { 0 }
        }
        SlotKind::Scalar { dwords, set, shift } => {
            let found = register(slot, operand, |it| takes_scalar(it, dwords, set))?;
            u64::from(found.first >> shift)
        }
        SlotKind::Mask => {
            let found = register(slot, operand, |it| takes_scalar(it, 2, ScalarSet::All))?;
            // A mask that is a source comes over the constant bus.
            if slot.low >= 32 && slot.scalar == NO_BIT {
                assembly.scalars.add(found, index);
            }
            if slot.scalar != NO_BIT && found.first == code::VCC {
                return Ok(());
            }
            assembly.put(slot.scalar, 1);
            found.first.into()
        }
        SlotKind::Vcc => {
            return register(slot, operand, |it| it == Register::scalar(code::VCC, 2)).map(|_| ());
        }
        SlotKind::Lane { literal } => fill_lane(literal, operand, index, assembly)?.into(),
        SlotKind::Literal(ty) => return fill_literal(ty, operand, assembly),
        SlotKind::Immediate(rule) => {
            let (lowest, highest) = match rule {
                Immediate::Either => (-0x8000, 0xffff),
                Immediate::Unsigned => (0, 0xffff),
                Immediate::Cut | Immediate::Optional => (i64::MIN, i64::MAX),
            };
            cut(slot, in_range(integer()?, lowest, highest)?)
        }
        SlotKind::Branch if operand.value == Value::Unresolved => {
            assembly.fixup = Some(fixup(operand, FixupKind::Branch));
            return Ok(());
        }
        SlotKind::Branch => cut(slot, in_range(integer()?, -0x8000, 0xffff)?),
        SlotKind::HardwareRegister
        | SlotKind::WaitCounters
        | SlotKind::Message
        | SlotKind::IndexMode
        | SlotKind::AttributePart
        | SlotKind::ExportTarget
        | SlotKind::Probe => cut(slot, integer()?),
        SlotKind::Attribute => {
            assembly.put(slot.scalar, (integer()? as u64) >> 6);
            cut(slot, integer()?)
        }
        SlotKind::ExportSource { .. } if is_off() => return Ok(()),
        SlotKind::ExportSource { place } => {
            let found = register(slot, operand, |it| (it.bank, it.dwords) == (Bank::Vector, 1))?;
            assembly.put(place, 1);
            found.first.into()
        }
        SlotKind::Off { code } => {
            if !is_off() {
                return Err(wanted);
            }
            code.into()
        }
        SlotKind::ScalarOffset(rule) => {
            let number = match (rule, operand.value) {
                (ScalarOffset::Literal, Value::Encoded(Encoded::Literal(value))) => value.into(),
                _ => integer()?,
            };
            return fill_scalar_offset(slot, rule, number, assembly);
        }
        SlotKind::CachePolicy { slc, scc, words } => {
            let Value::CachePolicy(given) = operand.value else { return Err(wanted) };
            let own = cache::words(words);
            for ((_, bit), place) in own.into_iter().zip([slot.low, slc, scc]) {
                let is_dropped = words == CacheWords::GlcWithoutScope;
                if given & bit != 0 && place == NO_BIT && !is_dropped {
                    return Err(wanted);
                }
                assembly.put(place, u64::from(given & bit != 0));
            }
            if own.iter().fold(given, |rest, (_, bit)| rest & !bit) != 0 {
                return Err(wanted);
            }
            return Ok(());
        }
        SlotKind::Flag(flag) => operand.value.flag(flag).ok_or(wanted)?.into(),
        SlotKind::Number { key, rule: OffsetRule::Absent, .. } => {
            return match operand.value.keyed(key).ok_or(wanted)? {
                0 => Ok(()),
                _ => Err(Reason::Absent(key)),
            };
        }
        SlotKind::Number { key: Key::Bitop3, .. } => {
            let value = operand.value.keyed(Key::Bitop3).ok_or(wanted)?;
            let value = in_range(value, 0, 0xff)? as u64;
            assembly.put(slot.magnitude, value >> 3 & 7);
            assembly.put(slot.extend, value >> 6);
            value & 7
        }
        // A number that no form of the opcode takes is refused with the bounds of this one.
        SlotKind::Number { key: key @ (Key::Cbsz | Key::Blgp), lowest, highest, .. } => {
            let value = operand.value.keyed(key).ok_or(wanted)?;
            in_range(value, lowest.into(), highest.into())? as u64
        }
        SlotKind::Number { key, lowest, highest, rule: OffsetRule::Strict } => {
            let value = operand.value.keyed(key).ok_or(wanted)?;
            cut(slot, in_range(value, lowest.into(), highest.into())?)
        }
        SlotKind::List { key, sources } => {
            let bits = operand.value.list(key).ok_or(wanted)?;
            put_list(slot, key, sources, bits, assembly);
            return Ok(());
        }
        SlotKind::FormatParts => operand.value.keyed(Key::Dfmt).ok_or(wanted)? as u64,
        SlotKind::Format => operand.value.keyed(Key::Format).ok_or(wanted)? as u64,
    };
    assembly.put(slot.low, value);
    Ok(())
}

/// Returns the registers of an operand, where they fit a slot.
fn register(
    slot: &Slot,
    operand: &Parsed,
    fits: impl Fn(Register) -> bool,
) -> Result<Register, Reason> {
    operand.register().filter(|it| fits(*it)).ok_or(Reason::Wanted(slot.kind))
}

/// Puts the bit that says whether registers are accumulation registers, and returns their
/// operand code. Operands that share the bit must agree.
fn fill_either(slot: &Slot, found: Register, assembly: &mut Assembly<'_>) -> Result<u64, Reason> {
    let accumulates = found.bank == Bank::Accumulator;
    // What the semaphores of waves take is even, though it is one register.
    if assembly.form.flags().gds() && !found.first.is_multiple_of(2) {
        return Err(Reason::Odd);
    }
    if slot.scalar != NO_BIT {
        let bit = 1 << slot.scalar;
        if assembly.banks_said & bit != 0 && (assembly.bits & bit != 0) != accumulates {
            return Err(Reason::Banks);
        }
        assembly.banks_said |= bit;
        assembly.put(slot.scalar, accumulates.into());
    }
    Ok(u64::from(found.first) + nine_bits(slot))
}

/// Returns what tells vector registers from other sources: destinations have eight bits,
/// sources nine.
fn nine_bits(slot: &Slot) -> u64 {
    if slot.width > 8 { 256 } else { 0 }
}

/// Returns the operand code of what selects a lane or is written to one.
fn fill_lane(
    literal: bool,
    operand: &Parsed,
    index: usize,
    assembly: &mut Assembly<'_>,
) -> Result<u16, Reason> {
    let wanted = Err(Reason::Wanted(SlotKind::Lane { literal }));
    if let Value::Register(register) = operand.value {
        let direct = register.is_lds_direct();
        let has_path = index == 1 && assembly.target.generation() < Generation::Gfx8;
        if register.bank != Bank::Scalar || register.dwords > 1 || direct && !has_path {
            return wanted;
        }
        // M0 selects a lane beside another scalar register.
        let is_lane_in_m0 = register.is_m0() && index == 2;
        if !is_lane_in_m0 && !direct {
            assembly.scalars.add(register, index);
        }
        return Ok(register.first);
    }
    if !matches!(operand.value, Value::Integer(_) | Value::Float(_) | Value::Encoded(_)) {
        return wanted;
    }
    match encode_number(operand, Type::WORD, assembly.target) {
        Some(Encoded::Code(code)) => Ok(code),
        Some(Encoded::Literal(value)) if literal => {
            assembly.put_literal(value)?;
            Ok(LITERAL)
        }
        Some(Encoded::Literal(_)) => Err(Reason::Literal),
        _ => wanted,
    }
}

/// Puts the literal after the instruction.
fn fill_literal(ty: Type, operand: &Parsed, assembly: &mut Assembly<'_>) -> Result<(), Reason> {
    match operand.value {
        Value::Unresolved if ty.bits == 32 && ty.is_float() => {
            assembly.fixup = Some(fixup(operand, FixupKind::Literal));
            assembly.literal = Some(0);
            Ok(())
        }
        Value::Encoded(Encoded::Literal(value)) => assembly.put_literal(value),
        _ => {
            let number = number(operand).ok_or(Reason::Wanted(SlotKind::Literal(ty)))?;
            assembly.put_literal(constant::literal(number, ty).ok_or(Reason::Unfit(ty))?)
        }
    }
}

/// Returns a number that is within bounds.
fn in_range(value: i64, lowest: i64, highest: i64) -> Result<i64, Reason> {
    let is_within = (lowest..=highest).contains(&value);
    if is_within { Ok(value) } else { Err(Reason::Range(lowest, highest)) }
}

/// Returns a number that the slot's field cuts.
fn cut(slot: &Slot, value: i64) -> u64 {
    value as u64 & ((1 << slot.width) - 1)
}

fn fill_scalar_offset(
    slot: &Slot,
    rule: ScalarOffset,
    value: i64,
    assembly: &mut Assembly<'_>,
) -> Result<(), Reason> {
    let (lowest, highest) = match rule {
        ScalarOffset::Byte => (0, 0xff),
        ScalarOffset::Literal => (0, 0xffff_ffff),
        ScalarOffset::Unsigned20 => (0, 0xf_ffff),
        ScalarOffset::Signed21 => (-0x10_0000, 0xf_ffff),
        ScalarOffset::Either21 => (-0x10_0000, 0x1f_ffff),
    };
    in_range(value, lowest, highest)?;
    if rule == ScalarOffset::Literal {
        assembly.put(slot.low, u64::from(LITERAL));
        assembly.literal = Some(value as u32);
    } else {
        assembly.put(slot.low, cut(slot, value));
    }
    Ok(())
}

/// Bits for the sources go to the field; the one after them is the destination's,
/// which is the field's last. The third upper half has a place of its own.
fn put_list(slot: &Slot, key: Key, sources: u8, bits: u8, assembly: &mut Assembly<'_>) {
    let bits = u64::from(bits);
    let of_sources = bits & ((1 << sources) - 1);
    match key {
        Key::OpSelHi => {
            assembly.put(slot.low, of_sources & 3);
            assembly.put(slot.extend, of_sources >> 2);
        }
        Key::OpSel => {
            assembly.put(slot.low, of_sources);
            assembly.put(slot.extend, (bits >> sources) & 1);
        }
        _ => assembly.put(slot.low, of_sources),
    }
}

fn takes_scalar(register: Register, dwords: u8, set: ScalarSet) -> bool {
    register.bank == Bank::Scalar
        && register.dwords == dwords
        && !register.is_read_only()
        && match set {
            ScalarSet::All => true,
            ScalarSet::NoExecHigh => register.first != code::EXEC + 1,
            ScalarSet::NoM0NoExec => !register.is_exec() && !register.is_m0(),
        }
}
