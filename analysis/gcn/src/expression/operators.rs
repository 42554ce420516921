//! Operators of expressions: how they are written, ranked and computed.

use crate::dialect::Dialect;

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Multiply,
    Divide,
    DivideUnsigned,
    Remainder,
    RemainderUnsigned,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    And,
    Or,
    ExclusiveOr,
    OrNot,
    Add,
    Subtract,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    LessUnsigned,
    LessOrEqualUnsigned,
    GreaterUnsigned,
    GreaterOrEqualUnsigned,
    LogicalAnd,
    LogicalOr,
}

/// Finds the operator a text begins with, its length and its rank: the higher binds
/// the tighter. `//` and `/*` begin comments where they are not operators.
///
/// Both rank `||`, `&&`, comparisons, `+ -`, `| ^ & !`, `* / % << >>` as the GNU
/// assembler does, but CLRX ranks `&&` with `||`.
pub(super) fn binary_operator(text: &str, dialect: Dialect) -> Option<(Operator, usize, u8)> {
    use Operator::*;
    let clrx = dialect == Dialect::Clrx;
    let bytes = text.as_bytes();
    let next = |at: usize| bytes.get(at).copied().unwrap_or(0);
    Some(match (next(0), next(1), next(2)) {
        (b'<', b'=', b'@') if clrx => (LessOrEqualUnsigned, 3, 3),
        (b'>', b'=', b'@') if clrx => (GreaterOrEqualUnsigned, 3, 3),
        (b'>', b'>', b'>') if clrx => (ShiftRightSigned, 3, 6),
        (b'<', b'@', _) if clrx => (LessUnsigned, 2, 3),
        (b'>', b'@', _) if clrx => (GreaterUnsigned, 2, 3),
        (b'/', b'/', _) if clrx => (DivideUnsigned, 2, 6),
        (b'%', b'%', _) if clrx => (RemainderUnsigned, 2, 6),
        (b'<', b'<', _) => (ShiftLeft, 2, 6),
        (b'>', b'>', _) => (ShiftRight, 2, 6),
        (b'=', b'=', _) => (Equal, 2, 3),
        (b'!', b'=', _) | (b'<', b'>', _) => (NotEqual, 2, 3),
        (b'<', b'=', _) => (LessOrEqual, 2, 3),
        (b'>', b'=', _) => (GreaterOrEqual, 2, 3),
        (b'&', b'&', _) => (LogicalAnd, 2, if clrx { 1 } else { 2 }),
        (b'|', b'|', _) => (LogicalOr, 2, 1),
        (b'/', b'/' | b'*', _) => return None,
        (b'<', ..) => (Less, 1, 3),
        (b'>', ..) => (Greater, 1, 3),
        (b'*', ..) => (Multiply, 1, 6),
        (b'/', ..) => (Divide, 1, 6),
        (b'%', ..) => (Remainder, 1, 6),
        (b'&', ..) => (And, 1, 5),
        (b'|', ..) => (Or, 1, 5),
        (b'^', ..) => (ExclusiveOr, 1, 5),
        (b'!', ..) => (OrNot, 1, 5),
        (b'+', ..) => (Add, 1, 4),
        (b'-', ..) => (Subtract, 1, 4),
        _ => return None,
    })
}

impl Operator {
    pub(super) fn compares_or_subtracts(self) -> bool {
        use Operator::*;
        matches!(self, Subtract | Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// Returns the result; `None` for a division by zero.
    pub(super) fn apply(self, left: i64, right: i64, dialect: Dialect) -> Option<i64> {
        use Operator::*;
        let truth = |holds: bool| if holds { -1 } else { 0 };
        let (unsigned_left, unsigned_right) = (left as u64, right as u64);
        // Shifts by 64 and more: CLRX has none of the bits left, LLVM takes the
        // amount modulo 64 as the processor does.
        let amount = right as u32;
        let gone = dialect == Dialect::Clrx && unsigned_right >= 64;
        Some(match self {
            Multiply => left.wrapping_mul(right),
            Divide if right == 0 => return None,
            Divide => left.wrapping_div(right),
            DivideUnsigned => unsigned_left.checked_div(unsigned_right)? as i64,
            Remainder if right == 0 => return None,
            Remainder => left.wrapping_rem(right),
            RemainderUnsigned => unsigned_left.checked_rem(unsigned_right)? as i64,
            ShiftLeft | ShiftRight if gone => 0,
            ShiftRightSigned if gone => left >> 63,
            ShiftLeft => left.wrapping_shl(amount),
            ShiftRight => unsigned_left.wrapping_shr(amount) as i64,
            ShiftRightSigned => left.wrapping_shr(amount),
            And => left & right,
            Or => left | right,
            ExclusiveOr => left ^ right,
            OrNot => left | !right,
            Add => left.wrapping_add(right),
            Subtract => left.wrapping_sub(right),
            Equal => truth(left == right),
            NotEqual => truth(left != right),
            Less => truth(left < right),
            LessOrEqual => truth(left <= right),
            Greater => truth(left > right),
            GreaterOrEqual => truth(left >= right),
            LessUnsigned => truth(unsigned_left < unsigned_right),
            LessOrEqualUnsigned => truth(unsigned_left <= unsigned_right),
            GreaterUnsigned => truth(unsigned_left > unsigned_right),
            GreaterOrEqualUnsigned => truth(unsigned_left >= unsigned_right),
            LogicalAnd => i64::from(left != 0 && right != 0),
            LogicalOr => i64::from(left != 0 || right != 0),
        })
    }
}
