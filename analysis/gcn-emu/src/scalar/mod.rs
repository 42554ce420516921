//! The scalar unit: arithmetic on the wave's own registers, and control.

mod arithmetic;
mod control;

use gcn::Generation;
use gcn::instruction::{NumberKind, Operand, OperandSpec, Type};
use isa::gcn::FeatureSet;
use isa::gcn::operation::{self, NumberType, Relations, ScalarControl};

use crate::arithmetic::order;
use crate::operand::{Fields, LITERAL, ValueSource};
use crate::stop::Reason;
use crate::wave::Wave;

/// The continuation of a wave after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// The instruction that the counter names.
    Go,
    /// The wave waits at a barrier.
    Barrier,
    /// The wave ends.
    End,
}

/// The inputs of a scalar function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs {
    /// The sources.
    pub(crate) s: [u64; 2],
    /// The old value of the destination.
    pub(crate) d: u64,
    /// The sixteen bits of the instruction, with sign.
    pub(crate) k: i32,
    pub(crate) scc: bool,
    pub(crate) exec: u64,
}

/// The results of a scalar function; a `None` leaves its register as it was.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) value: Option<u64>,
    pub(crate) scc: Option<bool>,
    pub(crate) exec: Option<u64>,
}

pub(crate) type Compute = fn(&Inputs) -> Outcome;

#[derive(Debug, Clone, Copy)]
enum Function {
    Compute(Compute),
    Compare(Relations, NumberType),
    CompareConstant(Relations, NumberType),
    Control(ScalarControl),
}

impl Function {
    /// Returns that of an operation; `None` for those that are not executed.
    fn of(operation: operation::Scalar, row: &OperandSpec) -> Option<Function> {
        let is_wide = |operand: &Operand| match operand {
            Operand::Scalar { dwords, .. } => *dwords > 1,
            Operand::Number { ty, .. } => ty.bits > 32,
            _ => false,
        };
        match row.operands.iter().any(is_wide) {
            true => Function::of_width::<64>(operation),
            false => Function::of_width::<32>(operation),
        }
    }

    /// Returns that of an operation whose widest operand has so many bits.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn of_width<const BITS: u32>(operation: operation::Scalar) -> Option<Function> {
        use operation::Scalar;
        Some(match operation {
            Scalar::Move(opcode) => Function::Compute(arithmetic::move_(opcode)),
            Scalar::SaveExec(opcode) => Function::Compute(arithmetic::save_exec(opcode)),
            Scalar::Integer(opcode) => Function::Compute(arithmetic::integer(opcode)),
            Scalar::Logic(opcode) => Function::Compute(arithmetic::logic::<BITS>(opcode)),
            Scalar::Bits(opcode) => Function::Compute(arithmetic::bits::<BITS>(opcode)),
            Scalar::Compare { relations, number } => Function::Compare(relations, number),
            Scalar::CompareConstant { relations, number } => {
                Function::CompareConstant(relations, number)
            }
            Scalar::SignedBits(opcode) => Function::Compute(arithmetic::signed_bits(opcode)),
            Scalar::Control(opcode) => Function::Control(opcode),
            Scalar::Trap | Scalar::Undocumented => return None,
        })
    }
}

/// An instruction of the scalar unit, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar {
    function: Function,
    sources: [ValueSource; 2],
    widths: [u8; 2],
    /// The code of the register of the result, and its dwords; 0 where there is none.
    destination: u16,
    dwords: u8,
    k: u16,
    literal: u32,
    generation: Generation,
    features: FeatureSet,
}

const NOTHING: ValueSource = ValueSource::Constant(0);

impl Scalar {
    pub(crate) fn of(
        operation: operation::Scalar,
        row: &OperandSpec,
        fields: &Fields,
    ) -> Option<Scalar> {
        let function = Function::of(operation, row)?;
        let is_signed = matches!(operation, operation::Scalar::SignedBits(_));
        let mut scalar = Scalar {
            function,
            sources: [NOTHING; 2],
            widths: [1; 2],
            destination: 0,
            dwords: 0,
            k: fields.get("simm16") as u16,
            literal: fields.literal.unwrap_or(0),
            generation: fields.generation,
            features: fields.features,
        };
        let codes = ["s0", "s1"].map(|field| fields.get(field));
        let mut count = 0;
        for operand in row.operands {
            match operand {
                // What reads a register in SOPK has it in the place of the destination.
                Operand::Scalar { dwords, .. } => {
                    scalar.destination = fields.get("sdst") as u16;
                    scalar.dwords = *dwords;
                }
                Operand::Number { ty, .. } if count < 2 => {
                    let is_wide_integer = ty.bits == 64 && ty.kind == NumberKind::Integer;
                    let place = ValueSource::of_scalar_unit(codes[count], *ty, fields)?;
                    scalar.sources[count] = match place {
                        // Numbers with sign keep it, bits get zeros.
                        ValueSource::Constant(value)
                            if is_signed && is_wide_integer && codes[count] == LITERAL =>
                        {
                            ValueSource::Constant(value as i32 as u64)
                        }
                        place => place,
                    };
                    scalar.widths[count] = ty.dwords();
                    count += 1;
                }
                _ => {}
            }
        }
        match function {
            // The condition stands in the place of the destination.
            Function::Control(ScalarControl::s_cbranch_i_fork) => {
                let pair = Type { kind: NumberKind::Integer, bits: 64 };
                scalar.sources[0] = ValueSource::of(fields.get("sdst"), pair, fields)?;
                scalar.widths[0] = 2;
                scalar.dwords = 0;
            }
            // The operands that an index is added to stand where a source would.
            Function::Control(ScalarControl::s_set_gpr_idx_on) => scalar.k = codes[1] as u16,
            Function::Control(ScalarControl::s_setreg_b32) => {
                scalar.sources[0] = ValueSource::of(fields.get("sdst"), Type::WORD, fields)?;
                scalar.dwords = 0;
            }
            _ => {}
        }
        Some(scalar)
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        send: &mut dyn FnMut(u16, &Wave),
    ) -> Result<Next, Reason> {
        let [s0, s1] = [self.source(wave, 0), self.source(wave, 1)];
        let old = ValueSource::Scalar(self.destination).read_scalar(wave, self.dwords);
        let outcome = match self.function {
            Function::Compute(compute) => compute(&Inputs {
                s: [s0, s1],
                d: old,
                k: i32::from(self.k as i16),
                scc: wave.scc,
                exec: wave.exec(),
            }),
            Function::Compare(relations, number) => {
                arithmetic::flag(relations.hold(order(number, s0, s1)))
            }
            Function::CompareConstant(relations, number) => {
                let constant =
                    if number.is_signed() { self.k as i16 as u64 } else { self.k.into() };
                arithmetic::flag(relations.hold(order(number, old, constant)))
            }
            Function::Control(control) => return control::run(control, self, wave, send),
        };
        // A SAVEEXEC writes EXEC and gives the old value to its destination. Where that is EXEC
        // too, the destination is written last.
        if let Some(exec) = outcome.exec {
            wave.set_exec(exec);
        }
        if let Some(value) = outcome.value {
            self.write(wave, value);
        }
        wave.scc = outcome.scc.unwrap_or(wave.scc);
        Ok(Next::Go)
    }

    fn source(&self, wave: &Wave, place: usize) -> u64 {
        self.sources[place].read_scalar(wave, self.widths[place])
    }

    fn write(&self, wave: &mut Wave, value: u64) {
        match self.dwords {
            0 => {}
            1 => wave.set_scalar(self.destination, value as u32),
            _ => wave.set_pair(self.destination, value),
        }
    }
}
