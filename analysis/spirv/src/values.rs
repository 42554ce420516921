//! Values and their types. Integers are unsigned in type: operations say which sign they mean.

use crate::builder::{Builder, Id};
use crate::words::{Extended, Op};

/// The types of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scalar {
    Bool,
    U32,
    /// For texel offsets and images of signed integers alone.
    I32,
    U64,
    F32,
    F64,
}

impl Scalar {
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// The types of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    One(Scalar),
    Vector(Scalar, u32),
    /// Two results of one instruction.
    Pair(Scalar, Scalar),
}

pub(crate) const BOOL: Type = Type::One(Scalar::Bool);
pub(crate) const U32: Type = Type::One(Scalar::U32);
pub(crate) const U64: Type = Type::One(Scalar::U64);
pub(crate) const F32: Type = Type::One(Scalar::F32);
pub(crate) const F64: Type = Type::One(Scalar::F64);

impl Type {
    /// Returns the type of its numbers.
    pub(crate) fn scalar(self) -> Scalar {
        match self {
            Type::One(scalar) | Type::Vector(scalar, _) | Type::Pair(scalar, _) => scalar,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        self.scalar().is_float()
    }

    /// Returns the type of as many numbers of another type.
    pub(crate) fn with(self, scalar: Scalar) -> Type {
        match self {
            Type::Vector(_, length) => Type::Vector(scalar, length),
            _ => Type::One(scalar),
        }
    }
}

/// A value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value {
    pub(crate) id: Id,
    pub(crate) ty: Type,
    /// Its bits, if it is a constant number.
    pub(crate) bits: Option<u64>,
}

impl Builder {
    /// The same bits as another type.
    pub(crate) fn bitcast(&mut self, value: Value, ty: Type) -> Value {
        match (value.bits, ty) {
            _ if value.ty == ty => value,
            (Some(bits), Type::One(scalar)) => self.constant(scalar, bits),
            _ => self.op(Op::Bitcast, ty, &[value]),
        }
    }

    /// A vector of numbers of one type.
    pub(crate) fn vector(&mut self, parts: &[Value]) -> Value {
        let scalar = parts[0].ty.scalar();
        match parts {
            [one] => *one,
            _ if parts.iter().all(|part| part.bits.is_some()) => {
                self.constant_vector(scalar, parts)
            }
            _ => self.op(Op::CompositeConstruct, Type::Vector(scalar, parts.len() as u32), parts),
        }
    }

    /// A number of a vector, or a result of a pair.
    pub(crate) fn extract(&mut self, value: Value, place: u32) -> Value {
        let scalar = match (value.ty, place) {
            (Type::Pair(_, second), 1) => second,
            (Type::One(_), _) => return value,
            (ty, _) => ty.scalar(),
        };
        self.raw(Op::CompositeExtract, Type::One(scalar), &[value.id.0, place])
    }

    pub(crate) fn compare(&mut self, op: Op, left: Value, right: Value) -> Value {
        self.op(op, left.ty.with(Scalar::Bool), &[left, right])
    }

    pub(crate) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.op(Op::Select, yes.ty, &[condition, yes, no])
    }

    pub(crate) fn binary(&mut self, op: Op, left: Value, right: Value) -> Value {
        self.op(op, left.ty, &[left, right])
    }

    /// A product of floats; where zero wins the product with one is zero, in the form that
    /// drivers know.
    pub(crate) fn multiply(&mut self, left: Value, right: Value) -> Value {
        if !self.zero_wins || left.ty != F32 {
            return self.binary(Op::FMul, left, right);
        }
        self.legacy_multiply(left, right)
    }

    /// A product that is zero as soon as one factor is.
    pub(crate) fn legacy_multiply(&mut self, left: Value, right: Value) -> Value {
        let [left, right] = self.zeroed_factors(left, right);
        self.binary(Op::FMul, left, right)
    }

    /// Two factors, each zero where the other is.
    pub(crate) fn zeroed_factors(&mut self, left: Value, right: Value) -> [Value; 2] {
        let zero = self.float(0.0);
        let no_right = self.compare(Op::FOrdEqual, right, zero);
        let no_left = self.compare(Op::FOrdEqual, left, zero);
        [self.select(no_right, zero, left), self.select(no_left, zero, right)]
    }

    pub(crate) fn negate(&mut self, value: Value) -> Value {
        match value.ty.is_float() {
            true => self.op(Op::FNegate, value.ty, &[value]),
            false => self.op(Op::SNegate, value.ty, &[value]),
        }
    }

    /// A condition as all bits or none.
    pub(crate) fn mask(&mut self, condition: Value) -> Value {
        let [all, none] = [u32::MAX, 0].map(|bits| self.uint(bits));
        self.select(condition, all, none)
    }

    /// Tells whether a number's bits are not all zero.
    pub(crate) fn is_set(&mut self, value: Value) -> Value {
        let value = self.bitcast(value, U32);
        let zero = self.uint(0);
        self.compare(Op::INotEqual, value, zero)
    }

    /// A value within bounds, NaN at the lower one.
    pub(crate) fn clamped(&mut self, value: Value, low: i32, high: i32) -> Value {
        let [low, high] = [low, high].map(|bound| self.whole(value.ty.scalar(), bound));
        self.extended(Extended::NClamp, value.ty, &[value, low, high])
    }

    /// The halves of a value of 64 bits, low first.
    pub(crate) fn halves(&mut self, value: Value) -> [Value; 2] {
        let halves = self.op(Op::Bitcast, Type::Vector(Scalar::U32, 2), &[value]);
        [self.extract(halves, 0), self.extract(halves, 1)]
    }
}
