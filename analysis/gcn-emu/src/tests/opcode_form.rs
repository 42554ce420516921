//! One opcode in one form, set up so that its formula can be asked the same question:
//! operands in known registers, memory and share with known bytes.

use std::cell::OnceCell;

use gcn::Target;
use gcn::encoding::{Encoding, base};
use gcn::instruction::{Class, Layout, NumberKind, Operand, OperandSpec, Type, fields};
use gcn::mnemonics::{OpEncoding, OpInfo};

use super::formula::Names;
use crate::{Limits, Machine, NoImages, Program, Stop, Wave};

/// The registers of the operands, vector or scalar: the sources', then the result's.
pub(super) const SOURCES: [u32; 3] = [4, 8, 12];
pub(super) const RESULT: u32 = 16;
/// Scalar pairs: the mask that is written, and the one that is read.
pub(super) const MASK_OUT: u32 = 20;
pub(super) const MASK_IN: u32 = 22;
/// The bytes that are mapped, where an instruction accesses them, and what the share has.
pub(super) const MEMORY: u64 = 0x1000;
pub(super) const PLACE: u64 = 0x100;

/// An opcode in a form.
pub(super) struct OpcodeForm {
    pub(super) name: &'static str,
    pub(super) target: Target,
    pub(super) form: OpEncoding,
    pub(super) row: &'static OperandSpec,
    /// `None` where nothing is computed.
    pub(super) formula: Option<&'static str>,
    bits: u64,
    literal: Option<u32>,
    /// Its program, where no constant tells one from another.
    plain: OnceCell<Program>,
}

/// The width of an operand's registers, in bits.
pub(super) fn width(ty: Type) -> u32 {
    if ty.is_pair() { 32 } else { ty.bits.into() }
}

impl OpcodeForm {
    pub(super) fn of(
        info: &'static OpInfo,
        form: OpEncoding,
        target: Target,
    ) -> Option<OpcodeForm> {
        let formula = info.opcode.formula(target.row().subtarget)?;
        let formula = Some(formula).filter(|it| *it != "-");
        let row = info.opcode.operands(target.row().subtarget)?;
        let bits = u64::from(base(form.encoding, form.opcode, target.generation())?);
        let mut opcode_form = OpcodeForm {
            name: info.name,
            target,
            form,
            row,
            formula,
            bits,
            literal: None,
            plain: OnceCell::new(),
        };
        opcode_form.encode();
        Some(opcode_form)
    }

    fn set(&mut self, field: &str, value: u32) -> bool {
        let generation = self.target.generation();
        let mut own = fields(Layout::Of(self.form.encoding), generation.features());
        let found = own.find(|it| it.name == field);
        let Some(found) = found else { return false };
        self.bits |= u64::from(value) << found.low;
        true
    }

    /// The types of the result and of the sources that have registers.
    pub(super) fn numbers(&self) -> (Option<Type>, Vec<Type>) {
        let mut result = None;
        let mut sources = Vec::new();
        for (place, operand) in self.row.operands.iter().enumerate() {
            match operand {
                Operand::Number { ty, .. } => {
                    let first = place == 0 && self.row.class == Class::Vector;
                    if first { result = Some(*ty) } else { sources.push(*ty) }
                }
                Operand::Scalar { dwords, read: false } => {
                    result = Some(Type { kind: NumberKind::Integer, bits: 32 * dwords });
                }
                Operand::Scalar { dwords, read: true } => {
                    sources.push(Type { kind: NumberKind::Integer, bits: 32 * dwords });
                }
                _ => {}
            }
        }
        (result, sources)
    }

    fn encode(&mut self) {
        match self.row.class {
            Class::Vector => self.encode_vector(),
            Class::Scalar => {
                self.set("s0", SOURCES[0]);
                self.set("s1", SOURCES[1]);
                let in_place = self.form.encoding == Encoding::Sopk;
                self.set("sdst", if in_place { SOURCES[0] } else { RESULT });
            }
            Class::ScalarMemory => {
                self.set("sbase", SOURCES[0] / 2);
                self.set("sdst", RESULT);
                self.set("sdata", RESULT);
                self.set("imm", 1);
                self.set("glc", 1);
            }
            Class::Buffer => {
                self.set("srsrc", SOURCES[0] / 4);
                self.set("vaddr", SOURCES[1]);
                self.set("vdata", RESULT);
                self.set("offen", 1);
                self.set("soffset", 128);
                self.set("glc", self.returns().into());
                // Four words of 32 bits, as floats: nothing is converted.
                self.set("dfmt", 14);
                self.set("nfmt", 7);
            }
            Class::Flat => {
                self.set("addr", SOURCES[0]);
                self.set("data", RESULT);
                self.set("vdst", RESULT);
                self.set("saddr", 0x7f);
                self.set("glc", self.returns().into());
            }
            Class::DataShare => {
                self.set("addr", SOURCES[0]);
                self.set("data0", SOURCES[1]);
                self.set("data1", SOURCES[2]);
                self.set("vdst", RESULT);
            }
            _ => {}
        }
    }

    /// Tells whether the formula gives what was in memory when GLC asks for it.
    fn returns(&self) -> bool {
        self.formula.as_ref().is_some_and(|text| text.contains("glc"))
    }

    fn encode_vector(&mut self) {
        let long = matches!(self.form.encoding, Encoding::Vop3 | Encoding::Vop3p);
        let masks = |place: usize| matches!(self.row.operands.get(place), Some(Operand::Mask));
        let (compares, carries) = (masks(0), masks(1));
        let reads = self.row.operands.len() > 2 && masks(self.row.operands.len() - 1);
        let count = self.numbers().1.len();
        self.set("src0", 256 + SOURCES[0]);
        self.set("vdst", if compares { MASK_OUT } else { RESULT });
        if carries {
            self.set("sdst", MASK_OUT);
        }
        // Only what has that many sources has codes there.
        if count > 1 {
            self.set("src1", 256 + SOURCES[1]);
            self.set("vsrc1", SOURCES[1]);
        }
        if reads {
            self.set("src2", MASK_IN);
        } else if count > 2 {
            self.set("src2", 256 + SOURCES[2]);
        }
        if self.form.encoding == Encoding::Vop3p {
            self.set("op_sel_hi", 3);
            self.set("op_sel_hi_2", 1);
        }
        if !long && self.row.operands.contains(&Operand::Literal) {
            self.literal = Some(0);
        }
    }

    /// The mask that a vector instruction writes or reads in this form.
    pub(super) fn mask(&self, written: bool) -> u16 {
        let long = matches!(self.form.encoding, Encoding::Vop3 | Encoding::Vop3p);
        match (long, written) {
            (false, _) => gcn::analysis::VCC,
            (true, true) => MASK_OUT as u16,
            (true, false) => MASK_IN as u16,
        }
    }

    /// The program of it alone with this constant, and the sixteen bits of SOPK in it.
    fn program(&self, constant: u32) -> Program {
        let mut bits = self.bits;
        if self.form.encoding == Encoding::Sopk {
            bits |= u64::from(constant & 0xffff);
        }
        let mut words = vec![bits as u32, (bits >> 32) as u32];
        let short = matches!(
            self.form.encoding,
            Encoding::Sop1
                | Encoding::Sop2
                | Encoding::Sopc
                | Encoding::Sopk
                | Encoding::Sopp
                | Encoding::Smrd
                | Encoding::Vop1
                | Encoding::Vop2
                | Encoding::Vopc
                | Encoding::Vintrp
        );
        if short {
            words.pop();
        }
        words.extend(self.literal.map(|_| constant));
        words.push(0xbf81_0000);
        Program::prepare(self.target, &words)
    }

    /// Runs it on a machine with a constant.
    pub(super) fn run(&self, machine: &mut Machine, constant: u32) -> Result<(), Stop> {
        let has_constant = self.form.encoding == Encoding::Sopk || self.literal.is_some();
        let own;
        let program = if has_constant {
            own = self.program(constant);
            &own
        } else {
            self.plain.get_or_init(|| self.program(0))
        };
        machine.run(program, &mut NoImages, Limits::default()).map(|_| ())
    }
}

/// A machine of one lane whose memory and share hold these bytes.
pub(super) fn machine(bytes: &[u8]) -> Machine {
    let mut machine = Machine { waves: vec![Wave::new(1)], ..Machine::default() };
    if !bytes.is_empty() {
        machine.memory.map(MEMORY, bytes.to_vec()).expect("a mapping");
    }
    machine.share = bytes.to_vec();
    machine.waves[0].set_scalar(gcn::analysis::M0, u32::MAX);
    machine
}

/// Reads `bits` bits of vector registers, in lane 0.
pub(super) fn vector_bits(wave: &Wave, first: u32, bits: u32) -> u128 {
    let words = (0..bits.div_ceil(32)).rev();
    let all = words
        .fold(0_u128, |all, word| all << 32 | u128::from(wave.lane((first + word) as usize, 0)));
    if bits < 128 { all & ((1 << bits) - 1) } else { all }
}

/// Reads `bits` bits of scalar registers.
pub(super) fn scalar_bits(wave: &Wave, first: u32, bits: u32) -> u128 {
    let words = (0..bits.div_ceil(32)).rev();
    words.fold(0, |all, word| all << 32 | u128::from(wave.scalar((first + word) as u16)))
}

pub(super) fn set_vector(wave: &mut Wave, first: u32, bits: u128) {
    for word in 0..4 {
        wave.set_lane((first + word) as usize, 0, (bits >> (32 * word)) as u32);
    }
}

pub(super) fn set_scalar(wave: &mut Wave, first: u32, bits: u128) {
    for word in 0..4 {
        wave.set_scalar((first + word) as u16, (bits >> (32 * word)) as u32);
    }
}

/// A name's bits, cut to a width; 0 where the formula has none.
pub(super) fn named(names: &Names, name: &str, bits: u32) -> u128 {
    let value = names.get(name).copied().unwrap_or(0);
    if bits < 128 { value & ((1 << bits) - 1) } else { value }
}
