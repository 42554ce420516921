//! The values of expressions.

use super::{Binary, Expression, ExpressionError, Function, Node, Reference, Unary};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Bits of a register whose type nothing says: the type is what the run takes them for.
    Bits(u32, ValueKind),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// True or false.
    Truth(bool),
    /// Several values, such as the components of a register.
    Vector(Vec<Value>),
}

/// The type that bits are taken for where nothing says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Floats of 32 bits.
    Float,
    /// Integers with sign.
    Integer,
}

/// The surroundings of an expression.
pub struct Context<'a> {
    /// The lane.
    pub lane: usize,
    /// The lanes that `any`, `all` and `count` look at, a bit each.
    pub active: u64,
    /// The value of a register in a lane.
    pub register: &'a dyn Fn(usize, &Reference) -> Result<Value, ExpressionError>,
}

/// A number to compute with.
#[derive(Debug, Clone, Copy)]
enum Number {
    Integer(i64),
    Float(f64),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            Number::Integer(number) => number as f64,
            Number::Float(number) => number,
        }
    }
}

impl Value {
    /// Tells whether it counts as true: not zero, of a vector one of its parts.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Truth(truth) => *truth,
            Value::Integer(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::Bits(bits, ValueKind::Float) => f32::from_bits(*bits) != 0.0,
            Value::Bits(bits, ValueKind::Integer) => *bits != 0,
            Value::Vector(values) => values.iter().any(Value::is_true),
        }
    }

    /// The number that it is beside another value.
    fn beside(&self, other: &Value) -> Result<Number, ExpressionError> {
        Ok(match (self, other) {
            (Value::Bits(bits, _), Value::Float(_)) => Number::Float(f32::from_bits(*bits).into()),
            (Value::Bits(bits, _), Value::Integer(_) | Value::Truth(_)) => {
                Number::Integer((*bits as i32).into())
            }
            (Value::Bits(bits, ValueKind::Float), _) => Number::Float(f32::from_bits(*bits).into()),
            (Value::Bits(bits, ValueKind::Integer), _) => Number::Integer((*bits as i32).into()),
            (Value::Integer(number), _) => Number::Integer(*number),
            (Value::Float(number), _) => Number::Float(*number),
            (Value::Truth(truth), _) => Number::Integer((*truth).into()),
            (Value::Vector(_), _) => {
                return Err(ExpressionError("a vector is not a number".to_owned()));
            }
        })
    }

    fn number(&self) -> Result<Number, ExpressionError> {
        self.beside(self)
    }

    /// Applies a function to it, or to each of its parts.
    fn each(
        self,
        apply: &dyn Fn(Value) -> Result<Value, ExpressionError>,
    ) -> Result<Value, ExpressionError> {
        match self {
            Value::Vector(values) => values
                .into_iter()
                .map(|it| it.each(apply))
                .collect::<Result<_, _>>()
                .map(Value::Vector),
            one => apply(one),
        }
    }
}

impl Expression {
    /// Computes the value.
    ///
    /// # Errors
    /// The reason why it has none.
    pub fn evaluate(&self, context: &Context<'_>) -> Result<Value, ExpressionError> {
        evaluate(&self.node, context, context.lane)
    }

    /// The register that it names.
    ///
    /// # Errors
    /// It is anything but a register, or its numbers have no value.
    pub(crate) fn reference(&self, context: &Context<'_>) -> Result<Reference, ExpressionError> {
        match &self.node {
            Node::Register { name, indices, components } => {
                reference(name, indices, components, context, context.lane)
            }
            _ => Err("only a register or a word of memory comes from somewhere".into()),
        }
    }

    /// Computes whether it is true in an active lane, and in which first. Where it does not
    /// depend on lanes that is the first active one.
    ///
    /// # Errors
    /// The reason why it has no value.
    pub fn first_lane(&self, context: &Context<'_>) -> Result<Option<usize>, ExpressionError> {
        for lane in lanes(context.active) {
            if evaluate(&self.node, context, lane)?.is_true() {
                return Ok(Some(lane));
            }
        }
        Ok(None)
    }
}

fn lanes(active: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |lane| active >> lane & 1 == 1)
}

fn evaluate(node: &Node, context: &Context<'_>, lane: usize) -> Result<Value, ExpressionError> {
    match node {
        Node::Integer(number) => Ok(Value::Integer(*number)),
        Node::Float(number) => Ok(Value::Float(*number)),
        Node::Lane => Ok(Value::Integer(lane as i64)),
        Node::Register { name, indices, components } => {
            let reference = reference(name, indices, components, context, lane)?;
            (context.register)(lane, &reference)
        }
        Node::Unary(operator, operand) => {
            let value = evaluate(operand, context, lane)?;
            if *operator == Unary::Not {
                return Ok(Value::Truth(!value.is_true()));
            }
            value.each(&|value| match (operator, value.number()?) {
                (Unary::Complement, Number::Integer(number)) => Ok(Value::Integer(!number)),
                (Unary::Complement, Number::Float(_)) => {
                    Err(ExpressionError("`~` takes an integer; `bits(…)` makes one".to_owned()))
                }
                (_, Number::Integer(number)) => Ok(Value::Integer(number.wrapping_neg())),
                (_, Number::Float(number)) => Ok(Value::Float(-number)),
            })
        }
        Node::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            let left = evaluate(left, context, lane)?.is_true();
            // The right side may only hold where the left one does.
            Ok(Value::Truth(match operator {
                Binary::And => left && evaluate(right, context, lane)?.is_true(),
                _ => left || evaluate(right, context, lane)?.is_true(),
            }))
        }
        Node::Binary(operator, left, right) => {
            let (left, right) = (evaluate(left, context, lane)?, evaluate(right, context, lane)?);
            pairs(*operator, left, right)
        }
        Node::Call(function, arguments) => call(*function, arguments, context, lane),
    }
}

/// The register that an expression names, with its numbers computed.
fn reference(
    name: &str,
    indices: &[Node],
    components: &[usize],
    context: &Context<'_>,
    lane: usize,
) -> Result<Reference, ExpressionError> {
    let index = |node: &Node| match evaluate(node, context, lane)? {
        // An address register holds an integer, whatever its bits look like.
        Value::Bits(bits, _) => Ok(i64::from(bits as i32)),
        other => match other.number()? {
            Number::Integer(number) => Ok(number),
            Number::Float(_) => Err(ExpressionError(format!("`{name}`: brackets hold an integer"))),
        },
    };
    let indices = indices.iter().map(index).collect::<Result<_, _>>()?;
    Ok(Reference { name: name.to_owned(), indices, components: components.to_vec() })
}

/// Computes with two values, component by component where one is a vector.
fn pairs(operator: Binary, left: Value, right: Value) -> Result<Value, ExpressionError> {
    match (left, right) {
        (Value::Vector(left), Value::Vector(right)) if left.len() == right.len() => {
            let pairs = left.into_iter().zip(right);
            let values = pairs.map(|(left, right)| pairs_of(operator, &left, &right));
            values.collect::<Result<_, _>>().map(Value::Vector)
        }
        (Value::Vector(_), Value::Vector(_)) => {
            Err(ExpressionError("the vectors have different lengths".to_owned()))
        }
        (Value::Vector(left), right) => {
            let values = left.iter().map(|left| pairs_of(operator, left, &right));
            values.collect::<Result<_, _>>().map(Value::Vector)
        }
        (left, Value::Vector(right)) => {
            let values = right.iter().map(|right| pairs_of(operator, &left, right));
            values.collect::<Result<_, _>>().map(Value::Vector)
        }
        (left, right) => pairs_of(operator, &left, &right),
    }
}

fn pairs_of(operator: Binary, left: &Value, right: &Value) -> Result<Value, ExpressionError> {
    let (a, b) = (left.beside(right)?, right.beside(left)?);
    if let (Number::Integer(a), Number::Integer(b)) = (a, b) {
        return integers(operator, a, b);
    }
    let (a, b) = (a.float(), b.float());
    Ok(match operator {
        Binary::Equal => Value::Truth(a == b),
        Binary::Unequal => Value::Truth(a != b),
        Binary::Less => Value::Truth(a < b),
        Binary::LessEqual => Value::Truth(a <= b),
        Binary::Greater => Value::Truth(a > b),
        Binary::GreaterEqual => Value::Truth(a >= b),
        Binary::Add => Value::Float(a + b),
        Binary::Subtract => Value::Float(a - b),
        Binary::Multiply => Value::Float(a * b),
        Binary::Divide => Value::Float(a / b),
        Binary::Remainder => Value::Float(a % b),
        Binary::Or
        | Binary::And
        | Binary::BitOr
        | Binary::BitXor
        | Binary::BitAnd
        | Binary::ShiftLeft
        | Binary::ShiftRight => {
            let message = "an operator on bits takes integers; `bits(…)` makes one";
            return Err(ExpressionError(message.to_owned()));
        }
    })
}

fn integers(operator: Binary, a: i64, b: i64) -> Result<Value, ExpressionError> {
    let divided = |value: Option<i64>| {
        value.map(Value::Integer).ok_or_else(|| ExpressionError("a division by zero".to_owned()))
    };
    Ok(match operator {
        Binary::Equal => Value::Truth(a == b),
        Binary::Unequal => Value::Truth(a != b),
        Binary::Less => Value::Truth(a < b),
        Binary::LessEqual => Value::Truth(a <= b),
        Binary::Greater => Value::Truth(a > b),
        Binary::GreaterEqual => Value::Truth(a >= b),
        Binary::Add => Value::Integer(a.wrapping_add(b)),
        Binary::Subtract => Value::Integer(a.wrapping_sub(b)),
        Binary::Multiply => Value::Integer(a.wrapping_mul(b)),
        Binary::Divide => return divided(a.checked_div(b)),
        Binary::Remainder => return divided(a.checked_rem(b)),
        Binary::BitOr => Value::Integer(a | b),
        Binary::BitXor => Value::Integer(a ^ b),
        Binary::BitAnd => Value::Integer(a & b),
        Binary::ShiftLeft => Value::Integer(a.wrapping_shl(b as u32)),
        Binary::ShiftRight => Value::Integer(a.wrapping_shr(b as u32)),
        Binary::Or => Value::Truth(a != 0 || b != 0),
        Binary::And => Value::Truth(a != 0 && b != 0),
    })
}

fn call(
    function: Function,
    arguments: &[Node],
    context: &Context<'_>,
    lane: usize,
) -> Result<Value, ExpressionError> {
    let argument = |number: usize, lane: usize| match arguments.get(number) {
        Some(node) => evaluate(node, context, lane),
        None => Err(ExpressionError("an argument is missing".to_owned())),
    };
    let count = || -> Result<(i64, i64), ExpressionError> {
        let (mut all, mut found) = (0, 0);
        for lane in lanes(context.active) {
            all += 1;
            found += i64::from(argument(0, lane)?.is_true());
        }
        Ok((all, found))
    };
    let extreme = |order: Binary| {
        let (left, right) = (argument(0, lane)?, argument(1, lane)?);
        let is_left = pairs_of(order, &left, &right)?.is_true();
        Ok(if is_left { left } else { right })
    };
    match function {
        Function::Any => Ok(Value::Truth(count()?.1 > 0)),
        Function::All => {
            let (all, found) = count()?;
            Ok(Value::Truth(all == found))
        }
        Function::Count => Ok(Value::Integer(count()?.1)),
        Function::Minimum => extreme(Binary::Less),
        Function::Maximum => extreme(Binary::Greater),
        Function::IsNan => argument(0, lane)?.each(&|it| Ok(Value::Truth(float(&it)?.is_nan()))),
        Function::IsInfinite => {
            argument(0, lane)?.each(&|it| Ok(Value::Truth(float(&it)?.is_infinite())))
        }
        Function::Absolute => argument(0, lane)?.each(&|it| {
            Ok(match it.number()? {
                Number::Integer(number) => Value::Integer(number.wrapping_abs()),
                Number::Float(number) => Value::Float(number.abs()),
            })
        }),
        Function::Float => argument(0, lane)?.each(&|it| float(&it).map(Value::Float)),
        Function::Int => argument(0, lane)?.each(&|it| {
            Ok(Value::Integer(match it {
                Value::Bits(bits, _) => (bits as i32).into(),
                other => match other.number()? {
                    Number::Integer(number) => number,
                    Number::Float(number) => number as i64,
                },
            }))
        }),
        Function::Uint | Function::Bits => argument(0, lane)?.each(&|it| {
            Ok(Value::Integer(match it {
                Value::Bits(bits, _) => bits.into(),
                Value::Float(number) if function == Function::Bits => {
                    (number as f32).to_bits().into()
                }
                other => match other.number()? {
                    Number::Integer(number) => number,
                    Number::Float(number) => number as i64,
                },
            }))
        }),
    }
}

/// A value as a float: bits are those of one.
fn float(value: &Value) -> Result<f64, ExpressionError> {
    match value {
        Value::Bits(bits, _) => Ok(f32::from_bits(*bits).into()),
        other => other.number().map(Number::float),
    }
}
