//! Operands: where a number comes from, as the fields of an instruction say.
//!
//! The codes are the same in scalar and vector instructions (ISA manuals, "scalar
//! operand encoding"); what a constant's code means depends on the operand's type.

use gcn::Generation;
use gcn::encoding::{Encoding, Extension};
use gcn::instruction::{Layout, NumberKind, Type, field};
use isa::gcn::FeatureSet;

use crate::aperture::Apertures;
use crate::float::{quarter_of, rounded};
use crate::wave::{ACCUMULATORS, Wave};

/// The code that says that a literal follows.
pub(crate) const LITERAL: u32 = 255;

/// The code of the share read by M0 alone.
const SHARE_DIRECT: u32 = 254;

/// The fields of an instruction's words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The words, without a literal.
    pub(crate) bits: u128,
    pub(crate) literal: Option<u32>,
    pub(crate) encoding: Encoding,
    pub(crate) extension: Extension,
    pub(crate) generation: Generation,
    /// The features of the chip.
    pub(crate) features: FeatureSet,
}

impl Fields {
    /// A field by name; 0 where the encoding has none.
    pub(crate) fn get(&self, name: &str) -> u32 {
        self.find(name).unwrap_or(0)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let of = |layout: Layout| Some(field(layout, self.features, name)?.value(self.bits) as u32);
        let own = Layout::Of(self.encoding);
        match self.extension {
            Extension::Sdwa => of(Layout::Sdwa).or_else(|| of(own)),
            Extension::Dpp => of(Layout::Dpp).or_else(|| of(own)),
            Extension::None | Extension::Literal => of(own),
        }
    }

    /// The first register of a memory instruction's data: an accumulation register where a bit
    /// says so.
    pub(crate) fn data(&self, name: &str) -> usize {
        let first = self.get(name) as usize;
        if self.flag("acc") { ACCUMULATORS + first } else { first }
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name) & 1 == 1
    }

    /// A number with sign, of a field whose highest bit is the sign.
    pub(crate) fn signed(&self, name: &str, width: u32) -> i64 {
        let shift = 64 - width;
        (u64::from(self.get(name)) << shift) as i64 >> shift
    }
}

/// The source of an operand's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// Scalar registers from a code on.
    Scalar(u16),
    /// Vector registers from a number on.
    Vector(u16),
    /// The same for all lanes.
    Constant(u64),
    /// 1 if VCC is zero, else 0.
    VccZero,
    /// 1 if EXEC is zero, else 0.
    ExecZero,
    /// SCC.
    Scc,
    /// The first or the last address of an aperture, by the operand's code.
    Aperture(u32),
    /// The dword of the local data share that M0 names.
    ShareDirect,
}

impl ValueSource {
    /// The place of an operand's code; `None` for codes that no number has.
    pub(crate) fn of(code: u32, ty: Type, fields: &Fields) -> Option<ValueSource> {
        Some(match code {
            0..=127 => ValueSource::Scalar(code as u16),
            128..=192 => ValueSource::Constant(integer(i64::from(code) - 128, ty)),
            193..=208 => ValueSource::Constant(integer(192 - i64::from(code), ty)),
            240..=247 => ValueSource::Constant(float(quarter_of(code), ty)),
            248 => ValueSource::Constant(inverse_of_two_pi(ty)),
            251 => ValueSource::VccZero,
            252 => ValueSource::ExecZero,
            253 => ValueSource::Scc,
            LITERAL => ValueSource::Constant(literal(fields.literal?, ty)),
            256..=511 => ValueSource::Vector((code - 256) as u16),
            _ => return None,
        })
    }

    /// The same of the scalar unit, which reads the apertures of gfx9 too: all 64 bits of
    /// them. Of 32 bits, and in vectors, LLVM knows no sure value (getSegmentAperture).
    pub(crate) fn of_scalar_unit(code: u32, ty: Type, fields: &Fields) -> Option<ValueSource> {
        let is_aperture = Apertures::OPERANDS.contains(&code);
        if is_aperture && fields.generation == Generation::Gfx9 && ty.bits == 64 {
            return Some(ValueSource::Aperture(code));
        }
        ValueSource::of(code, ty, fields)
    }

    /// The same of a vector instruction's first source, which alone has the path to the
    /// share (Vega ISA, "LDS Direct Reads"): for a dword at most.
    pub(crate) fn of_first_source(code: u32, ty: Type, fields: &Fields) -> Option<ValueSource> {
        match code {
            SHARE_DIRECT if ty.bits <= 32 => Some(ValueSource::ShareDirect),
            _ => ValueSource::of(code, ty, fields),
        }
    }

    /// The number in a lane, of one or two registers.
    pub(crate) fn read(self, wave: &Wave, lane: usize, dwords: u8) -> u64 {
        match self {
            ValueSource::Vector(first) => wave.number(first.into(), lane, dwords.into()),
            _ => self.read_scalar(wave, dwords),
        }
    }

    /// The number, which no vector register holds.
    pub(crate) fn read_scalar(self, wave: &Wave, dwords: u8) -> u64 {
        match self {
            ValueSource::Scalar(code) if dwords == 1 => wave.scalar(code).into(),
            ValueSource::Scalar(code) => wave.pair(code),
            ValueSource::Constant(value) => value,
            ValueSource::VccZero => u64::from(wave.vcc() == 0),
            ValueSource::ExecZero => u64::from(wave.exec() == 0),
            ValueSource::Scc => u64::from(wave.scc),
            ValueSource::Aperture(code) => wave.apertures.operand(code),
            ValueSource::ShareDirect => wave.direct.into(),
            ValueSource::Vector(_) => 0,
        }
    }
}

fn width_mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// An integer constant: of pairs only the lower half has it (Vega ISA, VOP3P).
fn integer(value: i64, ty: Type) -> u64 {
    let bits = if ty.is_pair() { 32 } else { ty.bits };
    value as u64 & width_mask(bits)
}

fn is_upper_half(ty: Type) -> bool {
    matches!(ty.kind, NumberKind::UpperFloat | NumberKind::PackedUpperFloat)
}

/// A float constant, in the format of the operand's width; of pairs, as a half.
fn float(value: f64, ty: Type) -> u64 {
    match ty.bits {
        // Constants lose nothing.
        16 if is_upper_half(ty) => rounded::<32>(value) >> 16,
        64 => rounded::<64>(value),
        16 => rounded::<16>(value),
        _ => rounded::<32>(value),
    }
}

/// 1/2π as each format has it (GCN3 ISA, operand 248).
fn inverse_of_two_pi(ty: Type) -> u64 {
    match ty.bits {
        64 => 0x3fc4_5f30_6dc9_c882,
        16 if is_upper_half(ty) => 0x3e22,
        16 => 0x3118,
        _ => 0x3e22_f983,
    }
}

/// A literal of 32 bits: the upper half of a double, the low bits of what is
/// narrower, and of wide integers the low half.
fn literal(value: u32, ty: Type) -> u64 {
    match (ty.bits, ty.kind) {
        (64, NumberKind::Float) => u64::from(value) << 32,
        (16, _) if !ty.is_pair() => u64::from(value & 0xffff),
        _ => value.into(),
    }
}
