//! Double precision arithmetic that is more than one operation.

use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::arithmetic::float::reciprocal;
use crate::builder::Builder;
use crate::context::{Emitted, Translation};
use crate::registers::Clamp;
use crate::values::{F64, Scalar, Type, Value};
use crate::words::{Extended, Op};

/// The true square root and a division: an approximation falls short of double precision.
pub(crate) fn reciprocal_square_root(builder: &mut Builder, v: &[Value]) -> Value {
    let root = builder.extended(Extended::Sqrt, F64, &v[..1]);
    reciprocal(builder, &[root])
}

pub(crate) fn fraction(builder: &mut Builder, v: &[Value]) -> Value {
    let whole = builder.extended(Extended::Floor, F64, &v[..1]);
    builder.binary(Op::FSub, v[0], whole)
}

pub(crate) fn fraction_exponent(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let value = this.fetch_wide(&instruction.sources[0], 0, ValueType::Double)?;
    let builder = &mut this.builder;
    let both =
        builder.extended(Extended::FrexpStruct, Type::Pair(Scalar::F64, Scalar::U32), &[value]);
    let [fraction, exponent] = [0, 1].map(|place| builder.extract(both, place));
    let [fractions, exponents] = [&instruction.destinations[0], &instruction.destinations[1]];
    for pair in [0, 1] {
        if fractions.mask.0 & (3 << (pair * 2)) != 0 {
            this.store_wide(fractions, Clamp::of(instruction), pair, fraction)?;
        }
    }
    for component in Component::ALL {
        if exponents.mask.contains(component) {
            this.store(exponents, Clamp::No, component, exponent)?;
        }
    }
    Ok(())
}
