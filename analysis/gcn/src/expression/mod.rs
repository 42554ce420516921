//! Expressions: numbers, symbols, places, and the operators of each dialect.
//!
//! Values are 64 bits wide and wrap; a comparison that holds is all ones. Both
//! dialects rank the bit operators above addition, unlike C: the ranks are in
//! [`binary_operator`]. An expression with a symbol that is not defined yet is still
//! read to its end, and its value is [`Value::Undefined`]. Directives and operands of
//! instructions are read alike; they differ in their [`Scope`].

mod functions;
mod numbers;
mod operators;
mod symbols;

use thiserror::Error;

use crate::Target;
use crate::dialect::Dialect;
use crate::dialect::words::{end_of_name, end_of_string, is_word, skip_blanks};
use crate::limits::EXPRESSION_DEPTH;
use functions::Function;
pub(crate) use numbers::float;
use numbers::{Number, integer};
use operators::{Operator, binary_operator};
pub use symbols::{NoSymbols, Symbols};

/// The value of an expression or a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Absolute(i64),
    /// A place in a section.
    Address(Address),
    /// Registers that a symbol names, by index; see `Symbols::registers`.
    Registers(u32),
    /// A symbol in it has no definition, or none yet.
    Undefined,
    /// A value that depends on what the reader of the text alone cannot know.
    Unknown,
}

impl Value {
    /// Returns the number that it is.
    pub fn absolute(self) -> Option<i64> {
        match self {
            Value::Absolute(number) => Some(number),
            Value::Address(_) | Value::Registers(_) | Value::Undefined | Value::Unknown => None,
        }
    }
}

/// A place in the code: so many bytes behind the start of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    /// The section's index.
    pub section: u32,
    /// The index of the next statement at the place.
    pub statement: u32,
    /// Bytes added.
    pub addend: i64,
}

/// A reason why a text is not an expression; offsets are those of the text given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ExpressionError {
    /// The beginning of what is wrong.
    pub start: usize,
    /// The place up to which the text was read.
    pub at: usize,
    /// The way in which it is wrong.
    pub kind: ExpressionErrorKind,
}

/// The ways in which an expression can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum ExpressionErrorKind {
    /// Nesting that is too deep.
    #[error("the expression is nested too deeply")]
    TooDeep,
    /// There is no operand.
    #[error("an expression was expected")]
    NoOperand,
    /// The closing parenthesis is missing.
    #[error("`)` expected")]
    NoParenthesis,
    /// The colon of a choice is missing.
    #[error("`:` expected")]
    NoColon,
    /// The comma or the end of arguments is missing.
    #[error("`,` or `)` expected")]
    NoComma,
    /// A function needs more arguments.
    #[error("the function needs more arguments")]
    FewArguments,
    /// There is no character between quotes.
    #[error("a character such as `'a'` was expected")]
    NoCharacter,
    /// A number has no digits.
    #[error("the number has no digits")]
    NoDigits,
    /// A number has more than 64 bits, or a digit that its base lacks.
    #[error("the number does not fit in 64 bits")]
    UnfitNumber,
    /// A division by zero, which matters only where its value is needed.
    #[error("division by zero")]
    DivisionByZero,
}

/// Answers to what an expression asks about symbols.
pub(crate) trait Scope {
    /// Returns the value of a symbol; `1b` and `1f` are asked for under these names.
    fn symbol(&mut self, name: &str) -> Value;

    /// Returns the bytes from one place to another of the same section, if they are known.
    fn distance(&mut self, _from: Address, _to: Address) -> Option<i64> {
        None
    }

    /// Returns the chip, on which some functions depend; `None` where it is not known yet.
    fn target(&self) -> Option<Target> {
        None
    }

    /// Hears of a floating-point number, which counts by its bits; false where it is none
    /// of the expression.
    fn takes_float(&mut self) -> bool {
        false
    }
}

/// The part of a text that is an expression.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evaluated {
    /// Its value.
    pub(crate) value: Value,
    /// Its end; blanks behind it belong to it.
    pub(crate) end: usize,
    /// The place of the first division by zero.
    pub(crate) division: Option<usize>,
}

/// Reads the expression at `from`; returns its value and where it ends.
///
/// Takes time linear in its length.
pub(crate) fn evaluate(
    text: &str,
    from: usize,
    dialect: Dialect,
    scope: &mut dyn Scope,
) -> Result<(Value, usize)> {
    let Evaluated { value, end, division } = Reader::new(text, from, dialect, scope).whole()?;
    match division {
        None => Ok((value, end)),
        Some(at) => {
            Err(ExpressionError { start: at, at, kind: ExpressionErrorKind::DivisionByZero })
        }
    }
}

/// Reads expressions, from a place of a text on.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    scope: &'a mut dyn Scope,
    depth: u32,
    division: Option<usize>,
}

type Result<T, E = ExpressionError> = std::result::Result<T, E>;

impl<'a> Reader<'a> {
    pub(crate) fn new(
        text: &'a str,
        at: usize,
        dialect: Dialect,
        scope: &'a mut dyn Scope,
    ) -> Reader<'a> {
        Reader { text, at, dialect, scope, depth: 0, division: None }
    }

    /// Reads an expression.
    pub(crate) fn whole(mut self) -> Result<Evaluated> {
        let value = self.choice()?;
        Ok(self.evaluated(value))
    }

    /// Reads on an expression whose first operand was read already.
    pub(crate) fn behind(mut self, first: Value) -> Result<Evaluated> {
        let value = self.operators(first, 1)?;
        Ok(self.evaluated(value))
    }

    /// Reads a number or name, without the operators behind it.
    pub(crate) fn operand(mut self) -> Result<Evaluated> {
        let value = self.unary()?;
        Ok(Evaluated { value, end: self.at, division: self.division })
    }

    fn evaluated(mut self, value: Value) -> Evaluated {
        self.skip();
        Evaluated { value, end: self.at, division: self.division }
    }

    fn fail<T>(&self, kind: ExpressionErrorKind) -> Result<T> {
        Err(ExpressionError { start: self.at, at: self.at, kind })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips blanks and comments.
    #[inline]
    fn skip(&mut self) {
        // Mostly there is neither.
        if self.byte().is_some_and(|byte| byte <= b'/') {
            self.skip_all();
        }
    }

    fn skip_all(&mut self) {
        self.at = skip_blanks(self.text.as_bytes(), self.at);
        while let Some(comment) = self.text[self.at..].strip_prefix("/*") {
            let length = comment.find("*/").map_or(comment.len(), |length| length + 2);
            self.at = skip_blanks(self.text.as_bytes(), self.at + 2 + length);
        }
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > EXPRESSION_DEPTH { self.fail(ExpressionErrorKind::TooDeep) } else { Ok(()) }
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
                return self.fail(ExpressionErrorKind::NoColon);
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

    /// Reads operators of at least this rank, from left to right.
    fn binary(&mut self, rank: u8) -> Result<Value> {
        let left = self.unary()?;
        self.operators(left, rank)
    }

    fn operators(&mut self, mut left: Value, rank: u8) -> Result<Value> {
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
            left = self.apply(operator, left, right).unwrap_or_else(|| {
                self.division.get_or_insert(at);
                Value::Unknown
            });
        }
    }

    fn unary(&mut self) -> Result<Value> {
        // Mostly there are no signs and no blanks.
        if self.byte().is_some_and(is_word) {
            return self.primary();
        }
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
            None => self.fail(ExpressionErrorKind::NoOperand),
            Some(b'(') => {
                self.at += 1;
                let value = self.choice()?;
                self.skip();
                if self.byte() != Some(b')') {
                    return self.fail(ExpressionErrorKind::NoParenthesis);
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
            Some(byte) if is_word(byte) && byte != b'@' => self.word(),
            Some(_) => self.fail(ExpressionErrorKind::NoOperand),
        }
    }

    /// A symbol, or a function of the LLVM assembler.
    fn word(&mut self) -> Result<Value> {
        let start = self.at;
        let value = self.name();
        let name = &self.text[start..self.at];
        let function = Function::find(name).filter(|_| self.dialect == Dialect::Llvm);
        let open = skip_blanks(self.text.as_bytes(), self.at);
        let calls = self.text.as_bytes().get(open) == Some(&b'(');
        let Some(function) = function.filter(|_| calls) else { return Ok(value) };
        self.at = open + 1;
        self.call(function)
    }

    /// The arguments of a function, from behind its parenthesis.
    fn call(&mut self, function: Function) -> Result<Value> {
        let mut numbers = Vec::new();
        let mut other = None;
        loop {
            match self.choice()? {
                Value::Absolute(number) => numbers.push(number),
                // What is not defined yet may become a number.
                value if other != Some(Value::Undefined) => other = Some(value),
                _ => {}
            }
            self.skip();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b')') => break,
                _ => return self.fail(ExpressionErrorKind::NoComma),
            }
        }
        if other.is_none() && numbers.len() < function.arguments() {
            return self.fail(ExpressionErrorKind::FewArguments);
        }
        self.at += 1;
        Ok(match other {
            Some(value) => not_absolute(value),
            None => function
                .apply(&numbers, self.scope.target())
                .map_or(Value::Unknown, Value::Absolute),
        })
    }

    fn name(&mut self) -> Value {
        let start = self.at;
        self.at = end_of_name(self.text, start, self.dialect);
        self.scope.symbol(&self.text[start..self.at])
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        if let Some((value, length)) = float(&self.text[start..])
            && self.scope.takes_float()
        {
            self.at += length;
            return Ok(Value::Absolute(value.to_bits() as i64));
        }
        let (number, length) = integer(&self.text[start..]);
        self.at += length;
        let kind = match number {
            Number::Integer(value) => return Ok(Value::Absolute(value)),
            Number::NumericLabel => return Ok(self.scope.symbol(&self.text[start..self.at])),
            Number::NoDigits => ExpressionErrorKind::NoDigits,
            Number::Unfit => ExpressionErrorKind::UnfitNumber,
        };
        Err(ExpressionError { start, at: self.at, kind })
    }

    fn character(&mut self) -> Result<Value> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let (value, width) = match rest {
            [b'\\', code, b'\'', ..] => (escaped(*code), 4),
            [code, b'\'', ..] if *code != b'\\' => (*code, 3),
            _ => return self.fail(ExpressionErrorKind::NoCharacter),
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
            (Add, Value::Address(place), Value::Absolute(number))
            | (Add, Value::Absolute(number), Value::Address(place)) => {
                Value::Address(Address { addend: place.addend.wrapping_add(number), ..place })
            }
            (Subtract, Value::Address(place), Value::Absolute(number)) => {
                Value::Address(Address { addend: place.addend.wrapping_sub(number), ..place })
            }
            (_, Value::Address(left), Value::Address(right))
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

/// Returns what is left of a value that a number was needed of.
fn not_absolute(value: Value) -> Value {
    if value == Value::Undefined { Value::Undefined } else { Value::Unknown }
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
