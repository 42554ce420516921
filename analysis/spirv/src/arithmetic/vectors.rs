//! Arithmetic that joins components, or has a rule for each.

use tgsi::ast::{Component, Instruction};

use crate::arithmetic::float::{divide, power};
use crate::arithmetic::multiply_add;
use crate::builder::Builder;
use crate::context::{Emitted, Translation};
use crate::values::{F32, Value};
use crate::words::{Extended, Op};

fn sum_of_products(builder: &mut Builder, pairs: &[[Value; 2]]) -> Value {
    let mut sum = builder.multiply(pairs[0][0], pairs[0][1]);
    for [a, b] in &pairs[1..] {
        sum = multiply_add(builder, &[*a, *b, sum]);
    }
    sum
}

fn factors(
    this: &mut Translation<'_>,
    instruction: &Instruction,
    count: usize,
) -> Emitted<Vec<[Value; 2]>> {
    Component::ALL[..count]
        .iter()
        .map(|component| {
            let a = this.float(instruction, 0, *component)?;
            let b = this.float(instruction, 1, *component)?;
            Ok([a, b])
        })
        .collect()
}

pub(crate) fn dot_product(
    this: &mut Translation<'_>,
    instruction: &Instruction,
    count: usize,
) -> Emitted {
    let pairs = factors(this, instruction, count)?;
    let sum = sum_of_products(&mut this.builder, &pairs);
    this.store_all(instruction, sum)
}

pub(crate) fn homogeneous_dot_product(
    this: &mut Translation<'_>,
    instruction: &Instruction,
) -> Emitted {
    let pairs = factors(this, instruction, 3)?;
    let sum = sum_of_products(&mut this.builder, &pairs);
    let last = this.float(instruction, 1, Component::W)?;
    let sum = this.builder.binary(Op::FAdd, sum, last);
    this.store_all(instruction, sum)
}

pub(crate) fn distance(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let a = this.float(instruction, 0, Component::Y)?;
    let b = this.float(instruction, 1, Component::Y)?;
    let z = this.float(instruction, 0, Component::Z)?;
    let w = this.float(instruction, 1, Component::W)?;
    let y = this.builder.multiply(a, b);
    let one = this.builder.float(1.0);
    this.store_each(instruction, [one, y, z, w])
}

/// Diffuse and specular lighting.
pub(crate) fn light(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let x = this.float(instruction, 0, Component::X)?;
    let y = this.float(instruction, 0, Component::Y)?;
    let w = this.float(instruction, 0, Component::W)?;
    let builder = &mut this.builder;
    let [zero, one] = [0.0, 1.0].map(|number| builder.float(number));
    let diffuse = builder.extended(Extended::NMax, F32, &[x, zero]);
    let base = builder.extended(Extended::NMax, F32, &[y, zero]);
    let exponent = builder.clamped(w, -128, 128);
    let specular = power(builder, &[base, exponent]);
    let lit = builder.compare(Op::FOrdGreaterThan, x, zero);
    let specular = builder.select(lit, specular, zero);
    this.store_each(instruction, [one, diffuse, specular, one])
}

pub(crate) fn exponential(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let x = this.float(instruction, 0, Component::X)?;
    let builder = &mut this.builder;
    let whole = builder.extended(Extended::Floor, F32, &[x]);
    let power_of_whole = builder.extended(Extended::Exp2, F32, &[whole]);
    let rest = builder.binary(Op::FSub, x, whole);
    let power = builder.extended(Extended::Exp2, F32, &[x]);
    let one = builder.float(1.0);
    this.store_each(instruction, [power_of_whole, rest, power, one])
}

pub(crate) fn logarithm(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let x = this.float(instruction, 0, Component::X)?;
    let builder = &mut this.builder;
    let magnitude = builder.extended(Extended::FAbs, F32, &[x]);
    let logarithm = builder.extended(Extended::Log2, F32, &[magnitude]);
    let whole = builder.extended(Extended::Floor, F32, &[logarithm]);
    let power = builder.extended(Extended::Exp2, F32, &[whole]);
    let mantissa = divide(builder, &[magnitude, power]);
    let one = builder.float(1.0);
    this.store_each(instruction, [whole, mantissa, logarithm, one])
}

pub(crate) fn cross_product(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let pairs = factors(this, instruction, 3)?;
    let builder = &mut this.builder;
    let mut difference = |first: usize, second: usize| {
        let left = builder.multiply(pairs[first][0], pairs[second][1]);
        let right = builder.multiply(pairs[second][0], pairs[first][1]);
        builder.binary(Op::FSub, left, right)
    };
    let (x, y, z) = (difference(1, 2), difference(2, 0), difference(0, 1));
    let one = this.builder.float(1.0);
    this.store_each(instruction, [x, y, z, one])
}

pub(crate) fn sine_cosine(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let x = this.float(instruction, 0, Component::X)?;
    let builder = &mut this.builder;
    let cosine = builder.extended(Extended::Cos, F32, &[x]);
    let sine = builder.extended(Extended::Sin, F32, &[x]);
    let [zero, one] = [0.0, 1.0].map(|number| builder.float(number));
    this.store_each(instruction, [cosine, sine, zero, one])
}

/// The historic `DP2A`: a dot product of two components plus the third source's x.
pub(crate) fn dot_product_plus(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let pairs = factors(this, instruction, 2)?;
    let sum = sum_of_products(&mut this.builder, &pairs);
    let last = this.float(instruction, 2, Component::X)?;
    let sum = this.builder.binary(Op::FAdd, sum, last);
    this.store_all(instruction, sum)
}

/// A derivative of each component.
pub(crate) fn derivative(this: &mut Translation<'_>, instruction: &Instruction, op: Op) -> Emitted {
    crate::stages::only_in(tgsi::Stage::Fragment, this.stage(), instruction)?;
    this.builder.require(crate::words::Capability::DerivativeControl);
    let mut values = [this.builder.float(0.0); 4];
    for component in instruction.destinations[0].mask.components() {
        this.builder.set_channel(component as u32 + 1);
        let value = this.float(instruction, 0, component)?;
        values[component as usize] = this.builder.op(op, F32, &[value]);
    }
    this.store_each(instruction, values)
}
