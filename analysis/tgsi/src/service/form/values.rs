//! The values of immediates as the operands read them.

use crate::ast::{Component, Immediate};
use crate::opcodes::ValueType;
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
    let bits = |component: &Component| immediate.bits[*component as usize];
    let values: Vec<String> = if ty.is_wide() {
        let pairs = components.chunks_exact(2);
        pairs.map(|pair| wide_value(ty, bits(&pair[0]), bits(&pair[1]))).collect()
    } else {
        components.iter().map(|component| value(ty, bits(component))).collect()
    };
    match values.as_slice() {
        [value] => value.clone(),
        values => format!("({})", values.join(", ")),
    }
}

fn value(ty: ValueType, bits: u32) -> String {
    match ty {
        ValueType::Float => format!("{:?}", f32::from_bits(bits)),
        ValueType::Signed => (bits as i32).to_string(),
        _ => bits.to_string(),
    }
}

fn wide_value(ty: ValueType, low: u32, high: u32) -> String {
    let bits = u64::from(high) << 32 | u64::from(low);
    match ty {
        ValueType::Double => format!("{:?}", f64::from_bits(bits)),
        ValueType::Signed64 => (bits as i64).to_string(),
        _ => bits.to_string(),
    }
}
