//! From operands to words: each operand fills the next slot that takes it.

use super::constant::{self, Encoded, LITERAL};
use super::error::LineError;
use super::features::Features;
use super::form::{InstDesc, Kind, NO_BIT, ScalarOffset, ScalarSet, Slot};
use super::modifier::Key;
use super::operands::{Immediate, Type};
use super::parse::{Parsed, Value};
use super::register::{Bank, Register};
use super::source::{encode_number, fill_scalar_source, fill_source, number};
use crate::Generation;

/// The words of an instruction as they are put together.
#[derive(Debug, Clone)]
pub(crate) struct Assembly {
    pub(crate) bits: u64,
    pub(crate) literal: Option<u32>,
    /// An operand whose value comes later: its place, and where it goes.
    pub(crate) later: Option<Later>,
    /// The scalar registers a vector instruction reads.
    pub(crate) scalars: ScalarReads,
}

/// A value that is filled in later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Later {
    /// The operand's bytes in the line.
    pub range: (u32, u32),
    /// The use of the value.
    pub place: LaterPlace,
}

/// The place of a later value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaterPlace {
    /// The literal word.
    Literal,
    /// The low half of the first word: a distance in words from the end of the
    /// instruction.
    Branch,
    /// Fields of registers that an allocator chooses: the words are not known.
    Registers,
}

/// Distinct scalar registers, and where the last new one was read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScalarReads {
    registers: [Option<Register>; 4],
    pub(crate) last_operand: u8,
}

impl ScalarReads {
    pub(crate) fn add(&mut self, register: Register, operand: usize) {
        for place in &mut self.registers {
            match place {
                Some(known) if *known == register => return,
                Some(_) => {}
                None => {
                    *place = Some(register);
                    self.last_operand = operand as u8;
                    return;
                }
            }
        }
    }

    /// Adds a register that no operand names.
    pub(crate) fn add_implicit(&mut self, register: Register) {
        let last = self.last_operand;
        self.add(register, usize::from(last));
        self.last_operand = last;
    }

    pub(crate) fn count(&self) -> usize {
        self.registers.iter().flatten().count()
    }
}

/// A reason why operands do not fill the slots: the operand, and the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// The operand; one past the last where one is missing.
    pub(crate) operand: usize,
    pub(crate) reason: Reason,
}

/// The rule that an operand breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The slot takes something else.
    Wanted(Kind),
    /// A literal has no place in this encoding.
    Literal,
    /// A second, different literal.
    TwoLiterals,
    /// The number does not fit the type.
    Unfit(Type),
    /// The number is outside these bounds.
    Range(i64, i64),
    /// The target has no such field.
    Absent(Key),
    /// `-`, `| |` or `sext` where the operand takes none.
    Modifiers,
    /// One more operand than the instruction takes.
    Extra,
}

impl Assembly {
    pub(super) fn put(&mut self, low: u8, value: u64) {
        if low != NO_BIT {
            self.bits |= value << low;
        }
    }

    pub(super) fn put_literal(&mut self, value: u32) -> bool {
        let same = self.literal.is_none_or(|literal| literal == value);
        self.literal = Some(value);
        same
    }
}

/// Fills the slots of a form.
pub(crate) fn fill(
    form: &InstDesc,
    operands: &[Parsed],
    features: &Features,
) -> Result<Assembly, Mismatch> {
    let mut assembly =
        Assembly { bits: form.base, literal: None, later: None, scalars: ScalarReads::default() };
    let mut next = 0;
    for slot in form.slots() {
        let outcome = match operands.get(next) {
            Some(operand) => fill_slot(slot, operand, next, features, &mut assembly),
            None => Err(Reason::Wanted(slot.kind)),
        };
        match (outcome, slot.default) {
            (Ok(()), _) => next += 1,
            (Err(Reason::Wanted(_)), Some(default)) => fill_default(slot, default, &mut assembly),
            (Err(reason), _) => return Err(Mismatch { operand: next, reason }),
        }
    }
    if next < operands.len() {
        return Err(Mismatch { operand: next, reason: Reason::Extra });
    }
    if form.check == super::form::Check::Export {
        join_halves(&mut assembly.bits);
    }
    Ok(assembly)
}

/// With `compr` a register holds two halves: the second and fourth operands only
/// repeat the first and third, which move together and are enabled in pairs.
fn join_halves(bits: &mut u64) {
    const COMPRESSED: u64 = 1 << 10;
    if *bits & COMPRESSED == 0 {
        return;
    }
    let third = (*bits >> 48) & 0xff;
    let enabled = *bits & 15;
    let pairs = [0b0011, 0b1100].into_iter().enumerate();
    // Only the first of a pair is looked at: the first and third operand.
    let joined = pairs
        .filter(|(index, _)| enabled & (1 << (2 * index)) != 0)
        .fold(0, |joined, (_, pair)| joined | pair);
    *bits = (*bits & !(0xffff_ff00 << 32) & !15) | third << 40 | joined;
}

fn fill_default(slot: &Slot, default: u32, assembly: &mut Assembly) {
    match slot.kind {
        Kind::List { key, sources } => put_list(slot, key, sources, default as u8, assembly),
        _ if default != 0 => assembly.put(slot.low, u64::from(default)),
        _ => {}
    }
}

fn fill_slot(
    slot: &Slot,
    operand: &Parsed,
    index: usize,
    features: &Features,
    assembly: &mut Assembly,
) -> Result<(), Reason> {
    let wanted = Err(Reason::Wanted(slot.kind));
    match slot.kind {
        Kind::Source(source) => {
            return fill_source(slot, source, operand, index, features, assembly);
        }
        _ if operand.has_modifiers() => {
            return if matches!(operand.value, Value::Register(_)) {
                Err(Reason::Modifiers)
            } else {
                wanted
            };
        }
        _ => {}
    }
    match slot.kind {
        Kind::Source(_) => {}
        Kind::Vector { dwords } => match operand.value {
            // Addresses of 9 to 12 registers were written as 16 up to LLVM 15.
            Value::Register(Register { bank: Bank::Vector, first, dwords: given })
                if given == dwords || (given == 16 && matches!(dwords, 9..=12)) =>
            {
                assembly.put(slot.low, u64::from(first));
            }
            _ => return wanted,
        },
        Kind::Accumulator { dwords } => match operand.value {
            Value::Register(Register { bank: Bank::Accumulator, first, dwords: given })
                if given == dwords =>
            {
                // Destinations have eight bits, sources nine.
                let base = if slot.width > 8 { 256 } else { 0 };
                assembly.put(slot.low, u64::from(first) + base);
            }
            _ => return wanted,
        },
        Kind::VectorOrAccumulator { dwords } => match operand.value {
            Value::Register(Register { bank, first, dwords: given })
                if given == dwords && bank != Bank::Scalar =>
            {
                assembly.put(slot.low, u64::from(first) + 256);
                assembly.put(slot.scalar, u64::from(bank == Bank::Accumulator));
            }
            _ => return wanted,
        },
        Kind::Vectors => match operand.value {
            Value::Register(Register { bank: Bank::Vector, first, .. }) => {
                assembly.put(slot.low, u64::from(first));
            }
            _ => return wanted,
        },
        Kind::VectorOrLds => match operand.value {
            Value::Register(Register { bank: Bank::Vector, first, dwords: 1 }) => {
                assembly.put(slot.low, u64::from(first) + 256);
            }
            Value::Register(register) if register.is_lds_direct() => {
                assembly.put(slot.low, u64::from(register.first));
            }
            _ => return wanted,
        },
        Kind::Scalar { dwords, set, shift } => match operand.value {
            Value::Register(register) if takes_scalar(register, dwords, set) => {
                assembly.put(slot.low, u64::from(register.first >> shift));
            }
            _ => return wanted,
        },
        Kind::Mask => match operand.value {
            Value::Register(register) if takes_scalar(register, 2, ScalarSet::All) => {
                let is_vcc = register.first == super::register::code::VCC;
                if slot.scalar == NO_BIT {
                    assembly.put(slot.low, u64::from(register.first));
                } else if !is_vcc {
                    assembly.put(slot.low, u64::from(register.first));
                    assembly.put(slot.scalar, 1);
                }
                // A mask that is a source comes over the constant bus.
                if slot.low >= 32 && slot.scalar == NO_BIT {
                    assembly.scalars.add(register, index);
                }
            }
            _ => return wanted,
        },
        Kind::Vcc => match operand.value {
            Value::Register(register)
                if register.first == super::register::code::VCC
                    && register.dwords == 2
                    && register.bank == Bank::Scalar => {}
            _ => return wanted,
        },
        Kind::ScalarSource { ty, from } => {
            return fill_scalar_source(slot, ty, from, operand, features, assembly);
        }
        Kind::Lane { literal } => match operand.value {
            Value::Register(register)
                if register.bank == Bank::Scalar
                    && register.dwords <= 1
                    && (!register.is_lds_direct()
                        || (index == 1 && features.generation < Generation::Gfx8)) =>
            {
                // M0 selects a lane beside another scalar register.
                let is_lane_in_m0 = register.is_m0() && index == 2;
                if !is_lane_in_m0 && !register.is_lds_direct() {
                    assembly.scalars.add(register, index);
                }
                assembly.put(slot.low, u64::from(register.first));
            }
            Value::Integer(_) | Value::Float(_) | Value::Encoded(_) => {
                let ty = Type { kind: super::operands::NumberKind::Integer, bits: 32 };
                match encode_number(operand, ty, features) {
                    Some(Encoded::Code(code)) => assembly.put(slot.low, u64::from(code)),
                    Some(Encoded::Literal(value)) if literal => {
                        assembly.put_literal(value);
                        assembly.put(slot.low, u64::from(LITERAL));
                    }
                    Some(Encoded::Literal(_)) => return Err(Reason::Literal),
                    _ => return wanted,
                }
            }
            _ => return wanted,
        },
        Kind::Literal(ty) => match operand.value {
            Value::Later if ty.bits == 32 && ty.is_float() => {
                assembly.later = Some(later(operand, LaterPlace::Literal));
                assembly.literal = Some(0);
            }
            _ => {
                let value = match (operand.value, number(operand)) {
                    (Value::Encoded(Encoded::Literal(value)), _) => value,
                    (_, Some(number)) => match constant::literal(number, ty) {
                        Some(value) => value,
                        None => return Err(Reason::Unfit(ty)),
                    },
                    (_, None) => return wanted,
                };
                if !assembly.put_literal(value) {
                    return Err(Reason::TwoLiterals);
                }
            }
        },
        Kind::Immediate(rule) => {
            let Value::Integer(value) = operand.value else { return wanted };
            let (lowest, highest) = match rule {
                Immediate::Either => (-0x8000, 0xffff),
                Immediate::Unsigned => (0, 0xffff),
                Immediate::Cut | Immediate::Optional => (i64::MIN, i64::MAX),
            };
            check_range(value, lowest, highest)?;
            assembly.put(slot.low, (value as u64) & 0xffff);
        }
        Kind::Branch => match operand.value {
            Value::Integer(value) => {
                check_range(value, -0x8000, 0xffff)?;
                assembly.put(slot.low, (value as u64) & 0xffff);
            }
            Value::Later => assembly.later = Some(later(operand, LaterPlace::Branch)),
            _ => return wanted,
        },
        Kind::HardwareRegister | Kind::WaitCounters | Kind::Message => match operand.value {
            Value::Integer(value) => assembly.put(slot.low, (value as u64) & 0xffff),
            _ => return wanted,
        },
        Kind::IndexMode => match operand.value {
            Value::Integer(value) => assembly.put(slot.low, (value as u64) & 15),
            _ => return wanted,
        },
        Kind::Attribute => match operand.value {
            Value::Integer(value) => {
                assembly.put(slot.low, (value as u64) & 63);
                assembly.put(slot.scalar, (value as u64) >> 6);
            }
            _ => return wanted,
        },
        Kind::AttributePart | Kind::ExportTarget => match operand.value {
            Value::Integer(value) => assembly.put(slot.low, value as u64),
            _ => return wanted,
        },
        Kind::ExportSource { place } => match operand.value {
            Value::Register(Register { bank: Bank::Vector, first, dwords: 1 }) => {
                assembly.put(slot.low, u64::from(first));
                assembly.put(place, 1);
            }
            Value::Flag(super::modifier::Flag::Off, true) => {}
            _ => return wanted,
        },
        Kind::Off { code } => match operand.value {
            Value::Flag(super::modifier::Flag::Off, true) => {
                assembly.put(slot.low, u64::from(code));
            }
            _ => return wanted,
        },
        Kind::ScalarOffset(rule) => {
            let Value::Integer(value) = operand.value else { return wanted };
            fill_scalar_offset(slot, rule, value, assembly)?;
        }
        Kind::Probe => {
            let Value::Integer(value) = operand.value else { return wanted };
            assembly.put(slot.low, (value as u64) & 0x7f);
        }
        Kind::CachePolicy { slc } => {
            let Value::CachePolicy(bits) = operand.value else { return wanted };
            if bits & super::modifier::cache::GLC != 0 {
                assembly.put(slot.low, 1);
            }
            if bits & super::modifier::cache::SLC != 0 {
                if slc == NO_BIT {
                    return wanted;
                }
                assembly.put(slc, 1);
            }
        }
        Kind::Flag(flag) => match operand.value {
            Value::Flag(given, on) if given == flag => assembly.put(slot.low, u64::from(on)),
            _ => return wanted,
        },
        Kind::Number { key, lowest, highest, rule } => {
            let Value::Keyed(given, value) = operand.value else { return wanted };
            if given != key {
                return wanted;
            }
            if rule == super::form::OffsetRule::Absent {
                return if value == 0 { Ok(()) } else { Err(Reason::Absent(key)) };
            }
            check_range(value, i64::from(lowest), i64::from(highest))?;
            let mask = if lowest < 0 { (highest as u64) * 2 + 1 } else { u64::MAX };
            assembly.put(slot.low, (value as u64) & mask);
        }
        Kind::List { key, sources } => match operand.value {
            Value::List(given, bits, _) if given == key => {
                put_list(slot, key, sources, bits, assembly);
            }
            _ => return wanted,
        },
        Kind::FormatParts => match operand.value {
            Value::Keyed(Key::Dfmt, value) => assembly.put(slot.low, value as u64),
            _ => return wanted,
        },
        Kind::Format => match operand.value {
            Value::Keyed(Key::Format, value) => assembly.put(slot.low, value as u64),
            _ => return wanted,
        },
    }
    Ok(())
}

fn check_range(value: i64, lowest: i64, highest: i64) -> Result<(), Reason> {
    if (lowest..=highest).contains(&value) { Ok(()) } else { Err(Reason::Range(lowest, highest)) }
}

fn fill_scalar_offset(
    slot: &Slot,
    rule: ScalarOffset,
    value: i64,
    assembly: &mut Assembly,
) -> Result<(), Reason> {
    match rule {
        ScalarOffset::Byte => {
            check_range(value, 0, 0xff)?;
            assembly.put(slot.low, value as u64);
        }
        ScalarOffset::Literal => {
            check_range(value, 0, 0xffff_ffff)?;
            assembly.put(slot.low, u64::from(LITERAL));
            assembly.literal = Some(value as u32);
        }
        ScalarOffset::Unsigned20 => {
            check_range(value, 0, 0xf_ffff)?;
            assembly.put(slot.low, value as u64);
        }
        ScalarOffset::Signed21 => {
            check_range(value, -0x10_0000, 0xf_ffff)?;
            assembly.put(slot.low, (value as u64) & 0x1f_ffff);
        }
    }
    Ok(())
}

/// Bits for the sources go to the field; the one after them is the destination's,
/// which is the field's last. The third upper half has a place of its own.
fn put_list(slot: &Slot, key: Key, sources: u8, bits: u8, assembly: &mut Assembly) {
    let bits = u64::from(bits);
    let of_sources = bits & ((1 << sources) - 1);
    match key {
        Key::OpSelHi => {
            assembly.put(slot.low, of_sources & 3);
            assembly.put(slot.extend, of_sources >> 2);
        }
        Key::OpSel => {
            assembly.put(slot.low, of_sources);
            if slot.extend != NO_BIT {
                assembly.put(slot.extend, (bits >> sources) & 1);
            }
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
            ScalarSet::NoExecHigh => register.first != super::register::code::EXEC + 1,
            ScalarSet::NoM0NoExec => !register.is_exec() && !register.is_m0(),
        }
}

pub(super) fn later(operand: &Parsed, place: LaterPlace) -> Later {
    Later { range: (operand.start, operand.end), place }
}

/// Checks that look at more than one operand.
pub(crate) fn check(
    form: &InstDesc,
    assembly: &Assembly,
    operands: &[Parsed],
    features: &Features,
) -> Result<(), LineError> {
    super::check::check(form, assembly, operands, features).map_err(|(code, operand, message)| {
        let range = operands.get(operand).map_or(0..0, Parsed::range);
        LineError::new(code, range, message)
    })
}
