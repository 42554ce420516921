//! The values of immediates as the operands read them.

use crate::ast::{Component, Immediate};
use crate::opcodes::ValueType;
use crate::values;
use crate::words::ImmediateType;

/// The values of components of an immediate as an operand of this type reads
/// them: `0.5`, or `(0.5, 1.0)`.
pub(super) fn values(immediate: &Immediate, ty: ValueType, components: &[Component]) -> String {
    let ty = match (ty, immediate.ty.value) {
        (ValueType::Untyped, ImmediateType::Float32) => ValueType::Float,
        (ValueType::Untyped, ImmediateType::Signed32) => ValueType::Signed,
        (ValueType::Untyped, _) => ValueType::Unsigned,
        (ty, _) => ty,
    };
    let bits: Vec<u32> = components.iter().map(|it| immediate.bits[*it as usize]).collect();
    match values::words(ty, &bits).as_slice() {
        [value] => value.clone(),
        values => format!("({})", values.join(", ")),
    }
}
