//! The vector unit: arithmetic on lanes, in all its encodings.
//!
//! An instruction is a function of up to three numbers of one lane, with what its
//! encoding adds around it: sign and magnitude of the sources, parts of registers
//! (SDWA, halves of gfx9), values of other lanes (DPP), scaling and clamping of the
//! result. Instructions on several lanes at once are in `lanes.rs`.

mod angles;
mod bit_functions;
mod compare;
mod conversion;
mod division;
mod floats;
mod function;
mod integers;
mod lanes;
mod narrow;
mod packed;
mod partition;
mod selection;
mod sources;
mod transcendental;
mod wide;

use gcn::Generation;
use gcn::analysis::VCC;
use gcn::encoding::{Encoding, Extension};
use gcn::instruction::{NumberKind, Operand, OperandSpec, Type};
use isa::gcn::operation;

use crate::arithmetic::order;
use crate::float::{flushed, sign_bit};
use crate::mode::Mode;
use crate::operand::{Fields, ValueSource};
use crate::stop::Reason;
use crate::storage::direct;
use crate::wave::{LANES, Wave};
use function::Function;
pub(crate) use function::{Inputs, Mask};
use selection::{Dpp, Sdwa, SdwaSelect};
use sources::{SourceForm, VectorSource};

/// An instruction of the vector unit, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vector {
    function: Function,
    sources: [VectorSource; 3],
    /// The number of sources.
    count: usize,
    /// The number of the register of the result; of scalar results its code.
    destination: u16,
    result: Type,
    /// The code of the mask that is written, and the mask that is read.
    mask_out: u16,
    mask_in: ValueSource,
    clamp: bool,
    /// 1, 2 and 3: times 2, times 4, half.
    omod: u8,
    sdwa: Option<Sdwa>,
    dpp: Option<Dpp>,
    /// The half of the destination that gets a result of 16 bits; `None` where the upper
    /// one becomes zero.
    half: Option<SdwaSelect>,
    reads_destination: bool,
    /// True if denormals are kept, whatever MODE says: in sources, and in results.
    keeps_sources: bool,
    keeps_results: bool,
}

impl Vector {
    pub(crate) fn of(
        operation: operation::Vector,
        row: &OperandSpec,
        fields: &Fields,
    ) -> Option<Vector> {
        use operation::{Vector as Unit, VectorConversion, VectorDivision};
        let function = match (operation, fields.generation) {
            (Unit::Conversion(VectorConversion::v_cvt_f16_f32), Generation::Gfx6) => {
                conversion::GFX6_TO_HALF
            }
            _ => Function::of(operation, row, fields)?,
        };
        let long = matches!(fields.encoding, Encoding::Vop3 | Encoding::Vop3p);
        let compares = matches!(function, Function::Compare(..) | Function::Class(..));
        let mut vector = Vector {
            function,
            sources: [VectorSource::NOTHING; 3],
            count: 0,
            destination: fields.get("vdst") as u16,
            result: Type::WORD,
            mask_out: VCC,
            mask_in: ValueSource::Scalar(VCC),
            clamp: fields.flag("clamp"),
            omod: fields.get("omod") as u8,
            sdwa: (fields.extension == Extension::Sdwa).then(|| Sdwa::of(fields, compares)),
            dpp: (fields.extension == Extension::Dpp).then(|| Dpp::of(fields)),
            half: None,
            reads_destination: row.flags.reads_destination(),
            keeps_sources: matches!(
                operation,
                Unit::Division(VectorDivision::v_div_fmas_f32 | VectorDivision::v_div_fmas_f64)
            ),
            keeps_results: false,
        };
        // What returns one of its sources looks at MODE's rule for denormals from gfx9 on only
        // (LLVM, "min/max denorm modes").
        if fields.generation < Generation::Gfx9 && matches!(operation, Unit::FloatOrder(_)) {
            (vector.keeps_sources, vector.keeps_results) = (true, true);
        }
        if long {
            vector.mask_out = fields.get(if compares { "vdst" } else { "sdst" }) as u16;
            if row.operands.len() > 1 && matches!(row.operands.last(), Some(Operand::Mask)) {
                let pair = Type { kind: NumberKind::Integer, bits: 64 };
                let code = fields.get("src2");
                vector.mask_in = ValueSource::of(code, pair, fields)?;
            }
        } else if compares && fields.flag("sd") {
            vector.mask_out = fields.get("sdst") as u16;
        }
        let masks = row.operands.iter().filter(|operand| matches!(operand, Operand::Mask)).count();
        let mask_in_abs = long && matches!(row.operands.get(1), Some(Operand::Mask));
        if masks == 0 && !compares {
            vector.mask_out = NO_MASK;
        }
        if mask_in_abs && fields.generation <= Generation::Gfx7 {
            vector.clamp = false;
        }
        let mut fields_used = 0;
        let has_result = !matches!(row.operands.first(), None | Some(Operand::Mask));
        for (place, operand) in row.operands.iter().enumerate() {
            let ty = match operand {
                Operand::Number { ty, .. } => *ty,
                Operand::Scalar { .. } | Operand::Lane | Operand::Literal => Type::WORD,
                // More registers than a number has: the first of them.
                Operand::Part { .. } => Type::WORD,
                _ => continue,
            };
            if place == 0 && has_result {
                vector.result = ty;
                continue;
            }
            let own = vector.sources.get_mut(vector.count)?;
            if matches!(operand, Operand::Literal) {
                *own = VectorSource::literal(fields, vector.result);
            } else {
                let form = SourceForm { lane: matches!(operand, Operand::Lane), mask_in_abs };
                *own = VectorSource::of(fields_used, ty, fields, &row.flags, form)?;
                fields_used += 1;
            }
            vector.count += 1;
        }
        // With op_sel the half that is not the destination keeps its value (Vega ISA, VOP3).
        let chooses = fields.generation >= Generation::Gfx9 && row.flags.op_sel();
        if long && chooses && vector.result.bits == 16 {
            let upper = fields.get("op_sel") >> 3 & 1 == 1;
            vector.half = Some(if upper { SdwaSelect::Word(1) } else { SdwaSelect::Word(0) });
        }
        // A pair of bytes goes to one of two halves.
        let is_part = row.flags.op_sel() && vector.reads_destination;
        if long && is_part && matches!(operation, Unit::BitFunction(_)) {
            vector.half = Some(SdwaSelect::Word((fields.get("op_sel") >> 3 & 1) as u8));
        }
        if let Function::Packed(packed) = &mut vector.function {
            packed.fill(fields);
        }
        Some(vector)
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        share: &[u8],
        instruction: u32,
    ) -> Result<(), Reason> {
        if self.sources[0].place == ValueSource::ShareDirect {
            wave.direct = direct(wave.m0(), share)?;
        }
        if let Function::Lanes(lanes) = self.function {
            return lanes::run(lanes, self, wave, instruction);
        }
        if let Function::RowSwap(opcode) = self.function {
            return lanes::swap_rows(opcode, self, wave, instruction);
        }
        if let Function::Narrow(narrow) = &self.function {
            return narrow.run(self, wave, instruction);
        }
        let exec = wave.exec();
        let read = |wave: &Wave, lane: usize| self.inputs(wave, lane);
        let mut mask = 0_u64;
        // A lane may read what another one writes only through DPP, and then the register
        // as it was before.
        let before: Option<Vec<_>> =
            self.dpp.map(|_| (0..LANES).map(|lane| read(wave, lane)).collect());
        // EXEC as it was at issue: a comparison that writes it too (V_CMPX) does so at the end.
        for lane in (0..64).filter(|lane| exec >> lane & 1 == 1) {
            let inputs = match &before {
                Some(all) => all.get(lane).copied().flatten(),
                None => read(wave, lane),
            };
            let Some(inputs) = inputs else { continue };
            let value = match self.function {
                Function::Float(function) => self.finished(function(&inputs), wave.mode),
                Function::Bits(function) => self.whole(function(&inputs), wave.mode),
                Function::Carry(function) | Function::Scale(function) => {
                    let (value, carry) = function(&inputs);
                    mask |= u64::from(carry) << lane;
                    value
                }
                Function::Compare(relations, number, _) => {
                    let [a, b, _] = inputs.s;
                    mask |= u64::from(relations.hold(order(number, a, b))) << lane;
                    continue;
                }
                Function::Class(function, _) => {
                    mask |= u64::from(function(&inputs)) << lane;
                    continue;
                }
                Function::Wide(function) => {
                    self.run_wide(function, wave, lane, inputs.s);
                    continue;
                }
                Function::Packed(packed) => packed.run(self, &inputs, wave.mode),
                Function::Table(table) => bit_functions::by_table(table, inputs.s),
                Function::Lanes(_) | Function::RowSwap(_) | Function::Narrow(_) => continue,
            };
            self.write(wave, lane, value, &inputs);
        }
        match self.function {
            // Masks are written whole, the bits of inactive lanes as 0, and after all lanes:
            // the mask that they read may be the same register.
            Function::Compare(.., target) | Function::Class(_, target) => {
                wave.set_pair(self.mask_out, mask);
                if target == Mask::RegisterAndExec {
                    wave.set_exec(mask);
                }
                return Ok(());
            }
            // The form of some generations has no mask for the carry.
            Function::Carry(_) if self.mask_out == NO_MASK => {}
            Function::Carry(_) | Function::Scale(_) => wave.set_pair(self.mask_out, mask),
            _ => {}
        }
        let count = match self.function {
            Function::Wide(_) => 4,
            _ => self.result.dwords().into(),
        };
        let first = lanes::indexed(self.destination, 8, wave);
        wave.note_writer(first, count, instruction);
        Ok(())
    }

    /// The numbers of a lane; `None` where DPP gives the lane none.
    fn inputs(&self, wave: &Wave, lane: usize) -> Option<Inputs> {
        let mut s = [0; 3];
        let floats = !self.keeps_sources
            && matches!(self.function, Function::Float(_) | Function::Compare(..));
        for (place, source) in self.sources[..self.count].iter().enumerate() {
            let mut value = match (&self.dpp, place) {
                (Some(dpp), 0) => {
                    let from = dpp.from(lane, wave.exec())?;
                    source.modified(from.map_or(0, |from| source.bits(wave, from, 1)))
                }
                _ => source.read(wave, lane, 1 << place),
            };
            let Type { kind, bits } = source.ty;
            if floats && kind == NumberKind::Float && !wave.mode.keeps_sources(bits) {
                value = flushed(value, bits);
            }
            s[place] = value;
        }
        let d = if self.reads_destination || self.half.is_some() || self.sdwa.is_some() {
            let first = lanes::indexed(self.destination, 8, wave);
            wave.number(first, lane, self.result.dwords().into())
        } else {
            0
        };
        Some(Inputs {
            s,
            d,
            carry: self.mask_in.read_scalar(wave, 2) >> lane & 1 == 1,
            clamp: self.clamp,
            lane: lane as u32,
            mode: wave.mode,
        })
    }

    /// A result of arithmetic: scaled, flushed, clamped.
    fn finished(&self, value: u64, mode: Mode) -> u64 {
        let bits = self.result.bits;
        if !self.result.is_float() {
            return value;
        }
        let scaled = floats::scaled(value, bits, self.omod, mode);
        let value = match mode.keeps_results(bits) || self.keeps_results {
            true => scaled,
            false => flushed(scaled, bits),
        };
        if self.clamp { floats::clamped(value, bits, mode) } else { value }
    }

    /// A result of bits: floats among them are clamped, nothing else.
    fn whole(&self, value: u64, mode: Mode) -> u64 {
        let floats = self.result.is_float() && self.clamp;
        if floats { floats::clamped(value, self.result.bits, mode) } else { value }
    }

    fn write(&self, wave: &mut Wave, lane: usize, value: u64, inputs: &Inputs) {
        let first = lanes::indexed(self.destination, 8, wave);
        let mut value = value;
        if self.result.bits == 16 && !matches!(self.function, Function::Packed(_)) {
            value &= 0xffff;
        }
        if let Some(sdwa) = &self.sdwa {
            value = sdwa.placed(value, inputs.d);
        } else if let Some(part) = self.half {
            value = part.inserted(value, inputs.d);
        }
        wave.set_number(first, lane, self.result.dwords().into(), value);
    }

    fn run_wide(
        &self,
        function: fn([u64; 2], [u32; 4]) -> [u32; 4],
        wave: &mut Wave,
        lane: usize,
        s: [u64; 3],
    ) {
        let third = self.sources[2].first_vector();
        let old = [0, 1, 2, 3].map(|place| wave.lane(third + place, lane));
        for (place, word) in function([s[0], s[1]], old).into_iter().enumerate() {
            wave.set_lane(usize::from(self.destination) + place, lane, word);
        }
    }
}

/// The code of a mask where the form has none.
const NO_MASK: u16 = u16::MAX;

/// Turns a number's sign.
fn negated(value: u64, bits: u8) -> u64 {
    value ^ sign_bit(bits)
}

pub(crate) use conversion::{snorm16, unorm16};
pub(crate) use floats::{clamped, scaled};
