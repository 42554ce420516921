//! The sources of vector instructions, with their modifiers: sign, magnitude, part of a
//! register.
//!
//! Source: ISA manuals, VOP1, VOP2, VOP3; GCN3 ISA, SDWA and DPP.

use gcn::encoding::{Encoding, Extension};
use gcn::instruction::{NumberKind, OpFlags, Type};

use super::lanes::indexed;
use super::negated;
use super::selection::SdwaSelect;
use crate::float::sign_bit;
use crate::operand::{Fields, ValueSource};
use crate::wave::Wave;

/// A source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VectorSource {
    pub(super) place: ValueSource,
    pub(super) ty: Type,
    negate: bool,
    absolute: bool,
    /// A part of the register instead of the whole.
    part: Option<SdwaSelect>,
    /// SEXT: the part is a number with sign.
    extend: bool,
}

impl VectorSource {
    pub(super) const NOTHING: VectorSource = VectorSource {
        place: ValueSource::Constant(0),
        ty: Type::WORD,
        negate: false,
        absolute: false,
        part: None,
        extend: false,
    };

    /// The constant that follows the instruction: a number like its result.
    pub(super) fn literal(fields: &Fields, ty: Type) -> VectorSource {
        let value = fields.literal.unwrap_or(0);
        VectorSource { place: ValueSource::Constant(value.into()), ty, ..VectorSource::NOTHING }
    }

    /// The source of a number, counted from 0. `None` for codes that no number has.
    pub(super) fn of(
        number: u32,
        ty: Type,
        fields: &Fields,
        flags: &OpFlags,
        form: SourceForm,
    ) -> Option<VectorSource> {
        let code = match number {
            0 if fields.extension == Extension::Sdwa || fields.extension == Extension::Dpp => {
                let scalar = fields.flag("s0");
                fields.get("src0") + if scalar { 0 } else { 256 }
            }
            0 => fields.get("src0"),
            1 => match fields.find("src1") {
                Some(code) => code,
                None if form.lane || fields.flag("s1") => fields.get("vsrc1"),
                None => fields.get("vsrc1") + 256,
            },
            _ => fields.get("src2"),
        };
        let bit = |name: &str| fields.get(name) >> number & 1 == 1;
        let place = match number {
            0 => ValueSource::of_first_source(code, ty, fields)?,
            _ => ValueSource::of(code, ty, fields)?,
        };
        let mut source = VectorSource { place, ty, ..VectorSource::NOTHING };
        match (fields.extension, fields.encoding) {
            (Extension::Sdwa | Extension::Dpp, _) => {
                let name = |what: &str| format!("src{number}_{what}");
                source.negate = fields.flag(&name("neg"));
                source.absolute = fields.flag(&name("abs"));
                source.extend = fields.flag(&name("sext"));
                source.part = fields.find(&name("sel")).map(SdwaSelect::of);
            }
            (_, Encoding::Vop3) => {
                source.negate = bit("neg");
                source.absolute = !form.mask_in_abs && bit("abs");
                let upper = ty.bits == 16 && flags.op_sel() && bit("op_sel");
                source.part = upper.then_some(SdwaSelect::Word(1));
            }
            _ => {}
        }
        Some(source)
    }

    /// The number of the first register; 0 where it is not a vector register.
    pub(super) fn first_vector(&self) -> usize {
        match self.place {
            ValueSource::Vector(first) => first.into(),
            _ => 0,
        }
    }

    /// The number in a lane. `index` is the bit of this source in the index mode.
    pub(super) fn read(&self, wave: &Wave, lane: usize, index: u8) -> u64 {
        self.modified(self.bits(wave, lane, index))
    }

    /// The bits in a lane, as the registers hold them.
    pub(super) fn bits(&self, wave: &Wave, lane: usize, index: u8) -> u64 {
        let place = match self.place {
            ValueSource::Vector(first) => ValueSource::Vector(indexed(first, index, wave) as u16),
            place => place,
        };
        place.read(wave, lane, self.ty.dwords())
    }

    /// The number that bits mean: a part of them, without or with another sign.
    pub(super) fn modified(&self, bits: u64) -> u64 {
        let mut value = match self.part {
            Some(part) => part.of_word(bits as u32, self.extend).into(),
            None => bits,
        };
        if self.ty.bits == 16 && !self.ty.is_pair() {
            value &= 0xffff;
        }
        if matches!(self.ty.kind, NumberKind::Float | NumberKind::UpperFloat) {
            if self.absolute {
                value &= !sign_bit(self.ty.bits);
            }
            if self.negate {
                value = negated(value, self.ty.bits);
            }
        }
        value
    }
}

/// Properties of the instruction's form that bear on its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SourceForm {
    /// The second source is a lane's number: a scalar.
    pub(super) lane: bool,
    /// The bits of magnitude hold the code of a mask.
    pub(super) mask_in_abs: bool,
}
