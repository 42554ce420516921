//! The language of conditions, log messages and watches: `TEMP[3].x > 1 && lane == 2`,
//! `v5[17]`, `any(isnan(OUT[0]))`.
//!
//! An expression computes with values of a lane and changes nothing. Names are those of
//! registers, which the run resolves; `lane` is the lane's number. A register's bits have the
//! type of what they are computed with: beside `1.0` they are a float, beside `1` an integer
//! with sign; by themselves they are what the run takes them for. `float(…)`, `int(…)`,
//! `uint(…)` and `bits(…)` say it. A vector is true where one of its components is.

mod display;
mod evaluate;
mod parse;
#[cfg(test)]
mod tests;

use thiserror::Error;

pub use display::display;
pub use evaluate::{Context, Value, ValueKind};

/// Characters of an expression, at most.
pub const MOST_LENGTH: usize = 1000;
/// Parentheses and operators within each other, at most.
pub const DEEPEST: usize = 50;

/// A reason why an expression cannot be read or computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExpressionError(pub String);

impl From<String> for ExpressionError {
    fn from(reason: String) -> ExpressionError {
        ExpressionError(reason)
    }
}

impl From<&str> for ExpressionError {
    fn from(reason: &str) -> ExpressionError {
        ExpressionError(reason.to_owned())
    }
}

/// A register that an expression names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Its name, such as `TEMP` or `v5`.
    pub name: String,
    /// The numbers in its brackets.
    pub indices: Vec<i64>,
    /// Its components, from 0; none for all of it.
    pub components: Vec<usize>,
}

impl Reference {
    /// The lane that a vector register's bracket names.
    pub(crate) fn lane(&self) -> Option<usize> {
        let is_vector = self.name.starts_with(['v', 'V', 'a', 'A'])
            && self.name[1..].bytes().all(|byte| byte.is_ascii_digit());
        let lane = self.indices.first().filter(|_| is_vector && self.name.len() > 1)?;
        usize::try_from(*lane).ok()
    }
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator before an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Negate,
    Complement,
}

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    /// True where its argument is true in an active lane.
    Any,
    /// True where it is true in every active lane.
    All,
    /// The number of active lanes in which it is true.
    Count,
    IsNan,
    IsInfinite,
    Absolute,
    Minimum,
    Maximum,
    Float,
    Int,
    Uint,
    Bits,
}

/// The functions by their names, with the number of their arguments.
pub(crate) const FUNCTIONS: [(&str, Function, usize); 12] = [
    ("any", Function::Any, 1),
    ("all", Function::All, 1),
    ("count", Function::Count, 1),
    ("isnan", Function::IsNan, 1),
    ("isinf", Function::IsInfinite, 1),
    ("abs", Function::Absolute, 1),
    ("min", Function::Minimum, 2),
    ("max", Function::Maximum, 2),
    ("float", Function::Float, 1),
    ("int", Function::Int, 1),
    ("uint", Function::Uint, 1),
    ("bits", Function::Bits, 1),
];

/// A part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Integer(i64),
    Float(f64),
    Lane,
    Register { name: String, indices: Vec<Node>, components: Vec<usize> },
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
}

/// An expression that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    pub(crate) node: Node,
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        parse::parse(text).map(|node| Expression { node })
    }
}
