//! Values as people read them.

use tgsi::opcodes::ValueType;
use tgsi::values;

use super::{Value, ValueKind};

/// Shows a value to people.
pub fn display(value: &Value) -> String {
    match value {
        Value::Bits(bits, ValueKind::Float) => values::word(ValueType::Untyped, *bits),
        Value::Bits(bits, ValueKind::Integer) => (*bits as i32).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{:?}", *number as f32),
        Value::Truth(truth) => truth.to_string(),
        Value::Vector(values) => {
            let parts: Vec<String> = values.iter().map(display).collect();
            format!("({})", parts.join(", "))
        }
    }
}
