//! Expressions: numbers, symbols, places, and the operators of each dialect.
//!
//! Values are 64 bits wide and wrap; a comparison that holds is all ones. Both
//! dialects rank the bit operators above addition or beside it, unlike C: the
//! ranks are in [`binary_operator`]. An expression with a symbol that is not
//! defined yet is still read to its end, and its value is [`Value::Undefined`].

use super::lines::{end_of_string, is_word, skip_blanks};
use super::numbers::{Number, number};
use super::operators::{Operator, binary_operator};
use crate::dialect::Dialect;
use crate::limits::EXPRESSION_DEPTH;

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
    /// What kind of wrong.
    pub kind: ExpressionErrorKind,
}

/// The ways in which an expression can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExpressionErrorKind {
    /// It cannot be read.
    Syntax,
    /// It divides by zero, which matters only where its value is needed.
    DivisionByZero,
}

/// What an expression asks about symbols.
pub(super) trait Scope {
    /// The value of a symbol; `1b` and `1f` are asked for under these names.
    fn symbol(&mut self, name: &str) -> Value;
    /// The bytes from one place to another of the same section, if they are known.
    fn distance(&mut self, from: Place, to: Place) -> Option<i64>;
    /// Hears of a floating-point number, which counts by its bits.
    fn float(&mut self) {}
}

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
        let kind = ExpressionErrorKind::Syntax;
        Err(ExpressionError { at: self.at, message: message.into(), kind })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self) {
        self.at = skip_blanks(self.text.as_bytes(), self.at);
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > EXPRESSION_DEPTH {
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
                    let kind = ExpressionErrorKind::DivisionByZero;
                    let message = "division by zero".to_owned();
                    return Err(ExpressionError { at, message, kind });
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
            Some(b'"') if self.dialect == Dialect::Llvm => {
                // A symbol may have any name, between quotes.
                let end = end_of_string(self.text.as_bytes(), self.at);
                let name = self.text[self.at..end].trim_matches('"');
                self.at = end;
                Ok(self.scope.symbol(name))
            }
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
                self.scope.float();
                Ok(Value::Absolute(value.to_bits() as i64))
            }
            Number::TooLarge { length } => {
                self.at = start + length;
                self.fail("the number does not fit in 64 bits")
            }
        }
    }

    fn character(&mut self) -> Result<Value> {
        let rest = &self.text.as_bytes()[self.at + 1..];
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
