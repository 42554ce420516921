//! Numbers that do not fit their fields: CLRX warns and keeps the low bits.

use crate::codes;
use crate::instruction::constant::Encoded;
use crate::instruction::encode::{Mismatch, Reason};
use crate::instruction::parse::{CutNumber, Operands, Value};
use crate::instruction::{Assembled, LineError};

/// Cuts the number that is out of range to the bits of its field, or of a literal; false
/// where it is none. `written` are the operands before their constants were encoded.
pub(super) fn cut(mismatch: Mismatch, written: &Operands, operands: &mut Operands) -> bool {
    let Some(operand) = operands.as_mut_slice().get_mut(mismatch.operand) else { return false };
    let (lowest, highest, value) = match (mismatch.reason, &mut operand.value) {
        (Reason::Range(lowest, highest), Value::Integer(value) | Value::Keyed(_, value)) => {
            (lowest, highest, value)
        }
        (Reason::Unfit(_), encoded) => {
            let written = written.as_slice().get(mismatch.operand);
            let Some(number) = written.and_then(|it| it.value.integer()) else { return false };
            *encoded = Value::Encoded(Encoded::Literal(number as u32));
            return true;
        }
        _ => return false,
    };
    // A field with a sign alone has one bit more than its highest number.
    let is_signed = highest + 1 == -lowest;
    let bits = if is_signed { 2 * highest + 1 } else { highest };
    if bits & (bits + 1) != 0 {
        return false;
    }
    *value &= bits;
    if *value > highest {
        *value -= bits + 1;
    }
    true
}

impl CutNumber {
    /// The warning about it, with the words that were made all the same.
    pub(super) fn error(self, assembled: Assembled) -> LineError {
        let CutNumber { start, end, highest } = self;
        let message = format!("this is 0 to {highest}; CLRX cuts it off");
        LineError { cut: Some(assembled), ..LineError::new(codes::RANGE, start..end, message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::parse::{NOTHING, Parsed};

    fn cut_to(value: i64, lowest: i64, highest: i64) -> Option<i64> {
        let mut operands = Operands::new();
        operands.push(Parsed { value: Value::Integer(value), ..NOTHING }).ok()?;
        let reason = Reason::Range(lowest, highest);
        let is_cut = cut(Mismatch { operand: 0, reason }, &Operands::new(), &mut operands);
        operands.as_slice()[0].value.integer().filter(|_| is_cut)
    }

    #[test]
    fn the_low_bits_stay() {
        assert_eq!(cut_to(0x1234, 0, 0xff), Some(0x34));
        assert_eq!(cut_to(0x1fff, -0x1000, 0xfff), Some(-1));
        assert_eq!(cut_to(-0x8001, -0x8000, 0xffff), Some(0x7fff));
        // Six of seven codes are not field.
        assert_eq!(cut_to(9, 0, 6), None);
    }
}
