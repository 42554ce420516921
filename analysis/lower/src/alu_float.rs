//! Single precision arithmetic.
//!
//! Nothing here is reassociated, and `FMA` alone is fused: any other multiply-add stays a
//! product that is rounded and then a sum, which is what the hardware's v_mad computes.

use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::registers::Clamp;
use crate::values::{Type, Value};

/// `v[0] * v[1] + v[2]`, rounded twice.
pub(crate) fn multiply_add(builder: &mut Builder, v: &[Value]) -> Value {
    let product = builder.multiply(v[0], v[1]);
    builder.binary("fadd", product, v[2])
}

/// `v[0] * v[1] + v[2]`, rounded once. Where zero wins the other factor of a zero counts as
/// zero too: the hardware's fused sum knows no such rule.
pub(crate) fn fused(builder: &mut Builder, v: &[Value]) -> Value {
    let [mut left, mut right] = [v[0], v[1]];
    if builder.zero_wins {
        let zero = Value::float(0.0);
        let [no_left, no_right] = [left, right].map(|it| builder.compare("fcmp oeq", it, zero));
        left = builder.select(no_right, zero, left);
        right = builder.select(no_left, zero, right);
    }
    builder.overloaded("llvm.fma", &[left, right, v[2]])
}

/// `v[0] / v[1]` as the hardware's reciprocal gives it.
pub(crate) fn divide(builder: &mut Builder, v: &[Value]) -> Value {
    let reciprocal = builder.overloaded("llvm.amdgcn.rcp", &v[1..]);
    builder.multiply(v[0], reciprocal)
}

pub(crate) fn blend(builder: &mut Builder, v: &[Value]) -> Value {
    let rest = builder.binary("fsub", Value::float(1.0), v[0]);
    let other = builder.multiply(rest, v[2]);
    multiply_add(builder, &[v[0], v[1], other])
}

/// `x` to the `y`, where anything to the 0 is 1: the product of logarithm and
/// exponent is 0 as soon as one factor is.
pub(crate) fn power(builder: &mut Builder, v: &[Value]) -> Value {
    let logarithm = builder.overloaded("llvm.log2", &v[..1]);
    let product = builder.call(Type::F32, "llvm.amdgcn.fmul.legacy", &[logarithm, v[1]]);
    builder.overloaded("llvm.exp2", &[product])
}

/// 0 for NaN, too.
pub(crate) fn sign(builder: &mut Builder, v: &[Value]) -> Value {
    let [zero, one, minus_one] = [0, 1, -1].map(|number| Value::whole(v[0].ty, number));
    let [above, below] = match v[0].ty.is_float() {
        true => ["fcmp ogt", "fcmp olt"],
        false => ["icmp sgt", "icmp slt"],
    };
    let positive = builder.compare(above, v[0], zero);
    let negative = builder.compare(below, v[0], zero);
    let rest = builder.select(negative, minus_one, zero);
    builder.select(positive, one, rest)
}

/// 1.0 or 0.0.
pub(crate) fn one_if(builder: &mut Builder, comparison: &str, v: &[Value]) -> Value {
    let holds = builder.compare(comparison, v[0], v[1]);
    builder.select(holds, Value::float(1.0), Value::float(0.0))
}

/// All bits set or none.
pub(crate) fn mask_if(builder: &mut Builder, comparison: &str, v: &[Value]) -> Value {
    let holds = builder.compare(comparison, v[0], v[1]);
    builder.convert("sext", holds, Type::I32)
}

pub(crate) fn select_negative(builder: &mut Builder, v: &[Value]) -> Value {
    let negative = builder.compare("fcmp olt", v[0], Value::float(0.0));
    builder.select(negative, v[1], v[2])
}

pub(crate) fn select_nonzero(builder: &mut Builder, v: &[Value]) -> Value {
    let set = builder.compare("icmp ne", v[0], Value::int(0));
    builder.select(set, v[1], v[2])
}

impl Lowering<'_> {
    /// One component of the n-th source as a float.
    pub(crate) fn float(
        &mut self,
        instruction: &Instruction,
        source: usize,
        component: Component,
    ) -> Emitted<Value> {
        self.fetch(&instruction.sources[source], component, ValueType::Float)
    }

    /// Writes one value to every component of the first destination's mask.
    pub(crate) fn store_all(&mut self, instruction: &Instruction, value: Value) -> Emitted {
        let destination = &instruction.destinations[0];
        for component in destination.mask.components() {
            self.store(destination, Clamp::of(instruction), component, value)?;
        }
        Ok(())
    }

    /// Writes a value for each component of the first destination's mask.
    pub(crate) fn store_each(&mut self, instruction: &Instruction, values: [Value; 4]) -> Emitted {
        let destination = &instruction.destinations[0];
        for component in destination.mask.components() {
            let value = values[component as usize];
            self.store(destination, Clamp::of(instruction), component, value)?;
        }
        Ok(())
    }
}

pub(crate) fn sum_of_products(lowering: &mut Lowering<'_>, pairs: &[[Value; 2]]) -> Value {
    let builder = &mut lowering.builder;
    let mut sum = builder.multiply(pairs[0][0], pairs[0][1]);
    for [a, b] in &pairs[1..] {
        sum = multiply_add(builder, &[*a, *b, sum]);
    }
    sum
}

fn factors(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    count: usize,
) -> Emitted<Vec<[Value; 2]>> {
    Component::ALL[..count]
        .iter()
        .map(|component| {
            let a = lowering.float(instruction, 0, *component)?;
            let b = lowering.float(instruction, 1, *component)?;
            Ok([a, b])
        })
        .collect()
}

impl Lowering<'_> {
    /// The dot product of the first components of two sources.
    pub(crate) fn dot_product_of(
        &mut self,
        instruction: &Instruction,
        count: usize,
    ) -> Emitted<Value> {
        let pairs = factors(self, instruction, count)?;
        Ok(sum_of_products(self, &pairs))
    }
}

pub(crate) fn dot_product(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    count: usize,
) -> Emitted {
    let sum = lowering.dot_product_of(instruction, count)?;
    lowering.store_all(instruction, sum)
}

pub(crate) fn homogeneous_dot_product(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let pairs = factors(lowering, instruction, 3)?;
    let sum = sum_of_products(lowering, &pairs);
    let last = lowering.float(instruction, 1, Component::W)?;
    let sum = lowering.builder.binary("fadd", sum, last);
    lowering.store_all(instruction, sum)
}

pub(crate) fn distance(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let a = lowering.float(instruction, 0, Component::Y)?;
    let b = lowering.float(instruction, 1, Component::Y)?;
    let z = lowering.float(instruction, 0, Component::Z)?;
    let w = lowering.float(instruction, 1, Component::W)?;
    let y = lowering.builder.multiply(a, b);
    lowering.store_each(instruction, [Value::float(1.0), y, z, w])
}

/// Diffuse and specular lighting.
pub(crate) fn light(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let x = lowering.float(instruction, 0, Component::X)?;
    let y = lowering.float(instruction, 0, Component::Y)?;
    let w = lowering.float(instruction, 0, Component::W)?;
    let builder = &mut lowering.builder;
    let zero = Value::float(0.0);
    let diffuse = builder.overloaded("llvm.maxnum", &[x, zero]);
    let base = builder.overloaded("llvm.maxnum", &[y, zero]);
    let exponent = builder.overloaded("llvm.maxnum", &[w, Value::float(-128.0)]);
    let exponent = builder.overloaded("llvm.minnum", &[exponent, Value::float(128.0)]);
    let specular = power(builder, &[base, exponent]);
    let lit = builder.compare("fcmp ogt", x, zero);
    let specular = builder.select(lit, specular, zero);
    let one = Value::float(1.0);
    lowering.store_each(instruction, [one, diffuse, specular, one])
}

pub(crate) fn exponential(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let x = lowering.float(instruction, 0, Component::X)?;
    let builder = &mut lowering.builder;
    let whole = builder.overloaded("llvm.floor", &[x]);
    let power_of_whole = builder.overloaded("llvm.exp2", &[whole]);
    let rest = builder.binary("fsub", x, whole);
    let power = builder.overloaded("llvm.exp2", &[x]);
    lowering.store_each(instruction, [power_of_whole, rest, power, Value::float(1.0)])
}

pub(crate) fn logarithm(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let x = lowering.float(instruction, 0, Component::X)?;
    let builder = &mut lowering.builder;
    let magnitude = builder.overloaded("llvm.fabs", &[x]);
    let logarithm = builder.overloaded("llvm.log2", &[magnitude]);
    let whole = builder.overloaded("llvm.floor", &[logarithm]);
    let power = builder.overloaded("llvm.exp2", &[whole]);
    let mantissa = divide(builder, &[magnitude, power]);
    lowering.store_each(instruction, [whole, mantissa, logarithm, Value::float(1.0)])
}

pub(crate) fn cross_product(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let pairs = factors(lowering, instruction, 3)?;
    let builder = &mut lowering.builder;
    let mut difference = |first: usize, second: usize| {
        let left = builder.multiply(pairs[first][0], pairs[second][1]);
        let right = builder.multiply(pairs[second][0], pairs[first][1]);
        builder.binary("fsub", left, right)
    };
    let (x, y, z) = (difference(1, 2), difference(2, 0), difference(0, 1));
    lowering.store_each(instruction, [x, y, z, Value::float(1.0)])
}

pub(crate) fn sine_cosine(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let x = lowering.float(instruction, 0, Component::X)?;
    let cosine = lowering.builder.overloaded("llvm.cos", &[x]);
    let sine = lowering.builder.overloaded("llvm.sin", &[x]);
    lowering.store_each(instruction, [cosine, sine, Value::float(0.0), Value::float(1.0)])
}
