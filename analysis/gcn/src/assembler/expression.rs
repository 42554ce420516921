//! Expressions: numbers, symbols, places, and the operators of each dialect.
//!
//! Values are 64 bits wide and wrap; a comparison that holds is all ones. Both
//! dialects rank the bit operators above addition or beside it, unlike C: the
//! ranks are in [`binary_operator`]. An expression with a symbol that is not
//! defined yet is still read to its end, and its value is [`Value::Undefined`].

use super::dialect::Dialect;
use super::lines::{is_word, skip_blanks};

/// What an expression or a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Absolute(i64),
    /// A place in a section.
    Place(Place),
    /// Registers that a symbol names, by index; see `Symbols::registers`.
    Registers(u32),
    /// A symbol in it has no definition, or none yet.
    Undefined,
    /// It depends on what the reader of the text alone cannot know.
    Unknown,
}

/// A place in the code: so many bytes behind the start of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The section's index.
    pub section: u32,
    /// The index of the next statement at the place.
    pub statement: u32,
    /// Bytes added.
    pub addend: i64,
}

/// Why a text is no expression; offsets are those of the text given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// Where.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

/// What an expression asks about symbols.
pub(super) trait Scope {
    /// The value of a symbol; `1b` and `1f` are asked for under these names.
    fn symbol(&mut self, name: &str) -> Value;
    /// The bytes from one place to another of the same section, if they are known.
    fn distance(&mut self, from: Place, to: Place) -> Option<i64>;
}

/// Parentheses and choices may stand so deep within each other.
const DEPTH_LIMIT: u32 = 128;

/// Reads the expression at `from`; returns its value and where it ends.
///
/// Takes time linear in its length.
pub(super) fn evaluate(
    text: &str,
    from: usize,
    dialect: Dialect,
    scope: &mut dyn Scope,
) -> Result<(Value, usize), ExpressionError> {
    let mut reader = Reader { text, at: from, dialect, scope, depth: 0 };
    let value = reader.choice()?;
    reader.at = skip_blanks(text.as_bytes(), reader.at);
    Ok((value, reader.at))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    scope: &'a mut dyn Scope,
    depth: u32,
}

type Result<T, E = ExpressionError> = std::result::Result<T, E>;

impl Reader<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ExpressionError { at: self.at, message: message.into() })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self) {
        self.at = skip_blanks(self.text.as_bytes(), self.at);
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            self.fail("the expression is nested too deeply")
        } else {
            Ok(())
        }
    }

    /// `condition ? yes : no`, in the dialect that has it.
    fn choice(&mut self) -> Result<Value> {
        self.enter()?;
        let condition = self.binary(1)?;
        self.skip();
        let value = if self.dialect == Dialect::Clrx && self.byte() == Some(b'?') {
            self.at += 1;
            let yes = self.choice()?;
            self.skip();
            if self.byte() != Some(b':') {
                return self.fail("`:` expected");
            }
            self.at += 1;
            let no = self.choice()?;
            match condition {
                Value::Absolute(0) => no,
                Value::Absolute(_) => yes,
                other => not_absolute(other),
            }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Operators of at least this rank, from left to right.
    fn binary(&mut self, rank: u8) -> Result<Value> {
        let mut left = self.unary()?;
        loop {
            self.skip();
            let Some((operator, width, own)) = binary_operator(&self.text[self.at..], self.dialect)
            else {
                return Ok(left);
            };
            if own < rank {
                return Ok(left);
            }
            let at = self.at;
            self.at += width;
            let right = self.binary(own + 1)?;
            left = match self.apply(operator, left, right) {
                Some(value) => value,
                None => {
                    self.at = at;
                    return self.fail("division by zero");
                }
            };
        }
    }

    fn unary(&mut self) -> Result<Value> {
        // Signs may follow each other without end: they are kept, not nested.
        let mut signs = Vec::new();
        loop {
            self.skip();
            match self.byte() {
                Some(sign @ (b'-' | b'~' | b'!')) => signs.push(sign),
                Some(b'+') => {}
                _ => break,
            }
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            value = match (sign, value) {
                (b'-', Value::Absolute(number)) => Value::Absolute(number.wrapping_neg()),
                (b'~', Value::Absolute(number)) => Value::Absolute(!number),
                (_, Value::Absolute(number)) => Value::Absolute(i64::from(number == 0)),
                (_, other) => not_absolute(other),
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<Value> {
        match self.byte() {
            None => self.fail("an expression was expected"),
            Some(b'(') => {
                self.at += 1;
                let value = self.choice()?;
                self.skip();
                if self.byte() != Some(b')') {
                    return self.fail("`)` expected");
                }
                self.at += 1;
                Ok(value)
            }
            Some(b'\'') => self.character(),
            Some(byte) if byte.is_ascii_digit() => self.number(),
            Some(b':')
                if self.dialect == Dialect::Clrx && self.text[self.at..].starts_with("::") =>
            {
                Ok(self.name())
            }
            Some(byte) if is_word(byte) => self.word(),
            Some(_) => self.fail("an expression was expected"),
        }
    }

    /// A symbol, or a function of the LLVM assembler.
    fn word(&mut self) -> Result<Value> {
        let start = self.at;
        let value = self.name();
        let name = &self.text[start..self.at];
        if self.dialect == Dialect::Clrx || !matches!(name, "max" | "or") {
            return Ok(value);
        }
        let open = skip_blanks(self.text.as_bytes(), self.at);
        if self.text.as_bytes().get(open) != Some(&b'(') {
            return Ok(value);
        }
        let is_max = name == "max";
        self.at = open + 1;
        let mut result: Option<Value> = None;
        loop {
            let next = self.choice()?;
            result = Some(match (result, next) {
                (None, next) => next,
                (Some(Value::Absolute(left)), Value::Absolute(right)) if is_max => {
                    Value::Absolute(left.max(right))
                }
                (Some(Value::Absolute(left)), Value::Absolute(right)) => {
                    Value::Absolute(left | right)
                }
                (Some(Value::Absolute(_)), other) | (Some(other), _) => not_absolute(other),
            });
            self.skip();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b')') => break,
                _ => return self.fail("`,` or `)` expected"),
            }
        }
        self.at += 1;
        Ok(result.unwrap_or(Value::Unknown))
    }

    fn name(&mut self) -> Value {
        let start = self.at;
        self.at = end_of_name(self.text, start, self.dialect);
        self.scope.symbol(&self.text[start..self.at])
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        match number(&self.text[start..]) {
            Number::Integer { value, length } => {
                self.at = start + length;
                Ok(Value::Absolute(value))
            }
            Number::NearLabel { length } => {
                self.at = start + length;
                Ok(self.scope.symbol(&self.text[start..self.at]))
            }
            Number::Float { length, value } => {
                self.at = start + length;
                Ok(Value::Absolute(value.to_bits() as i64))
            }
            Number::TooLarge { length } => {
                self.at = start + length;
                self.fail("the number does not fit in 64 bits")
            }
        }
    }

    fn character(&mut self) -> Result<Value> {
        let rest = self.text[self.at + 1..].as_bytes();
        let (value, width) = match rest {
            [b'\\', code, b'\'', ..] => (escaped(*code), 4),
            [code, b'\'', ..] if *code != b'\\' => (*code, 3),
            _ => return self.fail("a character such as `'a'` was expected"),
        };
        self.at += width;
        Ok(Value::Absolute(i64::from(value)))
    }

    /// The result; `None` for a division by zero.
    fn apply(&mut self, operator: Operator, left: Value, right: Value) -> Option<Value> {
        use Operator::{Add, Subtract};
        Some(match (operator, left, right) {
            (_, Value::Absolute(left), Value::Absolute(right)) => {
                Value::Absolute(operator.apply(left, right, self.dialect)?)
            }
            (_, Value::Undefined, _) | (_, _, Value::Undefined) => Value::Undefined,
            (Add, Value::Place(place), Value::Absolute(number))
            | (Add, Value::Absolute(number), Value::Place(place)) => {
                Value::Place(Place { addend: place.addend.wrapping_add(number), ..place })
            }
            (Subtract, Value::Place(place), Value::Absolute(number)) => {
                Value::Place(Place { addend: place.addend.wrapping_sub(number), ..place })
            }
            (_, Value::Place(left), Value::Place(right))
                if left.section == right.section && operator.compares_or_subtracts() =>
            {
                match self.scope.distance(right, left) {
                    Some(distance) if operator == Subtract => Value::Absolute(distance),
                    Some(distance) => Value::Absolute(operator.apply(distance, 0, self.dialect)?),
                    None => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        })
    }
}

/// What is left of a value that a number was needed of.
fn not_absolute(value: Value) -> Value {
    if value == Value::Undefined { Value::Undefined } else { Value::Unknown }
}

/// Where the name at `start` ends: words, in one dialect with `::` between.
pub(super) fn end_of_name(text: &str, start: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        if bytes.get(at).is_some_and(|byte| is_word(*byte)) {
            at += 1;
        } else if dialect == Dialect::Clrx
            && text[at..].starts_with("::")
            && bytes.get(at + 2).is_some_and(|byte| is_word(*byte))
        {
            at += 2;
        } else {
            return at;
        }
    }
}

/// What the digits at the start of a text are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    /// A whole number.
    Integer {
        /// The value; 64 bits, whatever its sign.
        value: i64,
        /// Bytes read.
        length: usize,
    },
    /// `1b`, `1f`: the nearest such label before or after.
    NearLabel {
        /// Bytes read.
        length: usize,
    },
    /// `1.5`, `0x1.8p1`, `1e3`.
    Float {
        /// The value.
        value: f64,
        /// Bytes read.
        length: usize,
    },
    /// More than 64 bits.
    TooLarge {
        /// Bytes read.
        length: usize,
    },
}

/// Reads the number at the start of a text, which begins with a digit.
pub(super) fn number(text: &str) -> Number {
    let bytes = text.as_bytes();
    let digits = |from: usize, radix: u32| {
        let digit = |byte: &u8| char::from(*byte).is_digit(radix);
        from + bytes[from.min(bytes.len())..].iter().take_while(|byte| digit(byte)).count()
    };
    let prefix = (bytes.first() == Some(&b'0')).then(|| bytes.get(1)).flatten();
    let (from, radix) = match prefix {
        Some(b'x' | b'X') if digits(2, 16) > 2 => (2, 16),
        Some(b'b' | b'B') if digits(2, 2) > 2 => (2, 2),
        _ => (0, 10),
    };
    let length = digits(from, radix);
    if radix == 10 {
        let next = bytes.get(length).copied();
        let after = bytes.get(length + 1).copied();
        if matches!(next, Some(b'b' | b'f')) && !after.is_some_and(is_word) {
            return Number::NearLabel { length: length + 1 };
        }
        if let Some(float) = decimal_float(text, length) {
            return float;
        }
    }
    let radix = if radix == 10 && length > 1 && bytes[0] == b'0' { 8 } else { radix };
    match u64::from_str_radix(&text[from..length], radix) {
        Ok(value) => Number::Integer { value: value as i64, length },
        // `09`: no octal number; read as it stands.
        Err(_) if radix == 8 => match text[from..length].parse::<u64>() {
            Ok(value) => Number::Integer { value: value as i64, length },
            Err(_) => Number::TooLarge { length },
        },
        Err(_) => Number::TooLarge { length },
    }
}

/// A decimal fraction or exponent behind `whole` digits.
fn decimal_float(text: &str, whole: usize) -> Option<Number> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = whole;
    if bytes.get(length) == Some(&b'.') {
        length = digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let from = length + 1 + sign;
        if bytes.get(from).is_some_and(u8::is_ascii_digit) {
            length = digits(from);
        }
    }
    if length == whole {
        return None;
    }
    let value = text[..length].trim_end_matches('.').parse().ok()?;
    Some(Number::Float { value, length })
}

fn escaped(code: u8) -> u8 {
    match code {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'0' => 0,
        other => other,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
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

/// The operator a text begins with, its length and its rank: the higher binds
/// the tighter.
///
/// LLVM ranks `||`, `&&`, comparisons, `+ -`, `| ^ & !`, `* / % << >>`; CLRX
/// ranks `&&` with `||` and `+ -` with the bit operators.
fn binary_operator(text: &str, dialect: Dialect) -> Option<(Operator, usize, u8)> {
    use Operator::*;
    let clrx = dialect == Dialect::Clrx;
    let bytes = text.as_bytes();
    let next = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let sum = if clrx { 5 } else { 4 };
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
        (b'<', ..) => (Less, 1, 3),
        (b'>', ..) => (Greater, 1, 3),
        (b'*', ..) => (Multiply, 1, 6),
        (b'/', ..) => (Divide, 1, 6),
        (b'%', ..) => (Remainder, 1, 6),
        (b'&', ..) => (And, 1, 5),
        (b'|', ..) => (Or, 1, 5),
        (b'^', ..) => (ExclusiveOr, 1, 5),
        (b'!', ..) => (OrNot, 1, 5),
        (b'+', ..) => (Add, 1, sum),
        (b'-', ..) => (Subtract, 1, sum),
        _ => return None,
    })
}

impl Operator {
    fn compares_or_subtracts(self) -> bool {
        use Operator::*;
        matches!(self, Subtract | Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// The result; `None` for a division by zero.
    fn apply(self, left: i64, right: i64, dialect: Dialect) -> Option<i64> {
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
