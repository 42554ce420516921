//! Forms of the language's first years: opcodes that went, predicates,
//! condition codes, and what operands could say of themselves.
//!
//! Condition registers were four values that every instruction could have
//! been told to set; no text ever told one, so the registers hold what they
//! begin with, which is zero.

use tgsi::ast::{Component, HistoricForm, Instruction, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::Modifier;

use crate::builder::Builder;
use crate::context::{Emitted, EntryValue, Lowering};
use crate::failure::unsupported;
use crate::values::{Type, Value};

/// The number of registers that can be pushed.
const STACK_DEPTH: u32 = 16;

pub(crate) fn clamp(builder: &mut Builder, v: &[Value]) -> Value {
    let least = builder.overloaded("llvm.maxnum", &[v[0], v[1]]);
    builder.overloaded("llvm.minnum", &[least, v[2]])
}

pub(crate) fn select_above_half(builder: &mut Builder, v: &[Value]) -> Value {
    let above = builder.compare("fcmp ogt", v[2], Value::float(0.5));
    builder.select(above, v[0], v[1])
}

pub(crate) fn select_positive(builder: &mut Builder, v: &[Value]) -> Value {
    let positive = builder.compare("fcmp oge", v[2], Value::float(0.0));
    builder.select(positive, v[0], v[1])
}

/// A reciprocal kept within the limits of its definition, with its sign.
pub(crate) fn clamped_reciprocal(builder: &mut Builder, v: &[Value]) -> Value {
    // 2 to the -64, and the number that the definition has for 2 to the 64.
    let [least, most] = [f32::from_bits(0x1f80_0000), 1.884_467e19].map(Value::float);
    let reciprocal = builder.overloaded("llvm.amdgcn.rcp", &v[..1]);
    let size = builder.overloaded("llvm.fabs", &[reciprocal]);
    let size = builder.overloaded("llvm.maxnum", &[size, least]);
    let size = builder.overloaded("llvm.minnum", &[size, most]);
    let negative = builder.compare("fcmp olt", v[0], Value::float(0.0));
    let opposite = builder.negate(size);
    builder.select(negative, opposite, size)
}

pub(crate) fn sum_of_differences(builder: &mut Builder, v: &[Value]) -> Value {
    let most = builder.overloaded("llvm.umax", &v[..2]);
    let least = builder.overloaded("llvm.umin", &v[..2]);
    let difference = builder.binary("sub", most, least);
    builder.binary("add", difference, v[2])
}

/// x and z of two address registers, y and w of them.
pub(crate) fn add_addresses(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [x, y, z, w] = lowering.components(&instruction.sources[0], ValueType::Signed)?;
    let even = lowering.builder.binary("add", x, z);
    let odd = lowering.builder.binary("add", y, w);
    lowering.store_each(instruction, [even, odd, even, odd])
}

pub(crate) fn dot_product_plus(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let product = lowering.dot_product_of(instruction, 2)?;
    let addend = lowering.float(instruction, 2, Component::X)?;
    let sum = lowering.builder.binary("fadd", product, addend);
    lowering.store_all(instruction, sum)
}

/// A vector times the rows of a matrix, which are registers one behind the
/// other.
pub(crate) fn matrix(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    length: usize,
    rows: usize,
) -> Emitted {
    let vector = lowering.floats(instruction, 0)?;
    let mut values = [Value::float(1.0); 4];
    for (row, value) in values.iter_mut().enumerate().take(rows) {
        let mut source = instruction.sources[1];
        source.register.index.offset = source.register.index.offset.saturating_add(row as i32);
        let mut sum = None;
        for component in &Component::ALL[..length] {
            let factor = lowering.fetch(&source, *component, ValueType::Float)?;
            let builder = &mut lowering.builder;
            let product = builder.multiply(vector[*component as usize], factor);
            sum = Some(builder.joined("fadd", sum, product));
        }
        *value = sum.unwrap_or(*value);
    }
    lowering.store_each(instruction, values)
}

pub(crate) fn normalize(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    length: usize,
) -> Emitted {
    let vector = lowering.floats(instruction, 0)?;
    let pairs: Vec<[Value; 2]> = vector[..length].iter().map(|value| [*value; 2]).collect();
    let square = crate::alu_float::sum_of_products(lowering, &pairs);
    let scale = lowering.builder.overloaded("llvm.amdgcn.rsq", &[square]);
    let mut values = [Value::float(1.0); 4];
    for (value, component) in values.iter_mut().zip(&vector[..length]) {
        *value = lowering.builder.multiply(*component, scale);
    }
    lowering.store_each(instruction, values)
}

pub(crate) fn reflect(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [axis, vector] = [lowering.floats(instruction, 0)?, lowering.floats(instruction, 1)?];
    let product = lowering.dot_product_of(instruction, 3)?;
    let squares: Vec<[Value; 2]> = axis[..3].iter().map(|value| [*value; 2]).collect();
    let square = crate::alu_float::sum_of_products(lowering, &squares);
    let builder = &mut lowering.builder;
    let share = crate::alu_float::divide(builder, &[product, square]);
    let twice = builder.binary("fadd", share, share);
    let mut values = [Value::float(1.0); 4];
    for index in 0..3 {
        let along = builder.multiply(twice, axis[index]);
        values[index] = builder.binary("fsub", along, vector[index]);
    }
    lowering.store_each(instruction, values)
}

/// A place plus a vector times a matrix of two by two.
pub(crate) fn transform(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let place = lowering.floats(instruction, 0)?;
    let vector = lowering.floats(instruction, 1)?;
    let matrix = lowering.floats(instruction, 2)?;
    let builder = &mut lowering.builder;
    let [even, odd] = [0, 1].map(|axis| {
        let first = builder.multiply(vector[0], matrix[axis * 2]);
        let first = builder.binary("fadd", place[axis], first);
        let second = builder.multiply(vector[1], matrix[axis * 2 + 1]);
        builder.binary("fadd", first, second)
    });
    lowering.store_each(instruction, [even, odd, even, odd])
}

/// Waits for all memory accesses.
pub(crate) fn fence(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    lowering.wait_for_memory(true, true);
    Ok(())
}

impl Lowering<'_> {
    /// The stack's registers and its height.
    fn stack(&mut self) -> [Value; 2] {
        let registers = self.entry_value(EntryValue::StackRegisters, |lowering| {
            lowering.builder.allocate(Type::F32, Some(STACK_DEPTH * 4))
        });
        let height = self.entry_value(EntryValue::StackHeight, |lowering| {
            let height = lowering.builder.allocate(Type::I32, None);
            lowering.builder.store(Value::int(0), height);
            height
        });
        [registers, height]
    }

    /// The place of a component in the register at a height.
    fn stacked(&mut self, registers: Value, height: Value, component: Component) -> Value {
        let first = self.builder.binary("shl", height, Value::int(2));
        let index = self.builder.binary("add", first, Value::int(component as i32));
        let index = self.bounded(index, STACK_DEPTH * 4);
        self.builder.element(registers, Type::F32, STACK_DEPTH * 4, index)
    }
}

pub(crate) fn push(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let values = lowering.floats(instruction, 0)?;
    let [registers, top] = lowering.stack();
    let height = lowering.builder.load(Type::I32, top);
    for component in Component::ALL {
        let place = lowering.stacked(registers, height, component);
        lowering.builder.store(values[component as usize], place);
    }
    let height = lowering.builder.binary("add", height, Value::int(1));
    lowering.builder.store(height, top);
    Ok(())
}

pub(crate) fn pop(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [registers, top] = lowering.stack();
    let height = lowering.builder.load(Type::I32, top);
    let height = lowering.builder.binary("sub", height, Value::int(1));
    lowering.builder.store(height, top);
    let mut values = [Value::float(0.0); 4];
    for component in instruction.destinations[0].mask.components() {
        let place = lowering.stacked(registers, height, component);
        values[component as usize] = lowering.builder.load(Type::F32, place);
    }
    lowering.store_each(instruction, values)
}

/// Returns the forms of the first years that a source is written with.
fn forms_of<'a>(
    instruction: &'a Instruction,
    source: &Source,
) -> impl Iterator<Item = &'a HistoricForm> {
    let inside = source.range;
    instruction.historic.iter().filter(move |form| inside.contains_range(form.range))
}

impl Lowering<'_> {
    /// Finds the components that the instruction may write: those for which its predicate and its
    /// condition code hold. They are read before it writes anything.
    pub(crate) fn find_write_conditions(&mut self, instruction: &Instruction) -> Emitted {
        self.current.write_conditions = None;
        let mut conditions: Option<[Value; 4]> = None;
        if let Some(predicate) = &instruction.predicate {
            let mut found = [Value::condition(true); 4];
            for component in Component::ALL {
                let read = predicate.swizzle.0[component as usize];
                let bits = self.read(&predicate.register, read)?;
                let bits = self.builder.bitcast(bits, Type::I32);
                let comparison = if predicate.inverted { "icmp eq" } else { "icmp ne" };
                found[component as usize] = self.builder.compare(comparison, bits, Value::int(0));
            }
            conditions = Some(found);
        }
        for form in &instruction.historic {
            if form.kind != Modifier::ConditionCode {
                continue;
            }
            let code = form.spelling.split('.').next().unwrap_or_default();
            let holds = match code.trim_end_matches(|it: char| it.is_ascii_digit()) {
                "EQ" | "LE" | "GE" | "TR" => true,
                "NE" | "LT" | "GT" | "FL" | "UN" => false,
                other => {
                    let construct = format!("condition code {other}");
                    return Err(unsupported(form.range, construct));
                }
            };
            let holds = Value::condition(holds);
            conditions = Some(match conditions {
                Some(others) => others.map(|other| self.builder.binary("and", other, holds)),
                None => [holds; 4],
            });
        }
        self.current.write_conditions = conditions;
        self.current.result_factor = instruction.historic.iter().find_map(|form| {
            let factor = match (form.kind, form.spelling.as_str()) {
                (Modifier::Factor, "_2X") => 2.0,
                (Modifier::Factor, "_4X") => 4.0,
                (Modifier::Factor, "_8X") => 8.0,
                (Modifier::Factor, "_D2") => 0.5,
                (Modifier::Factor, "_D4") => 0.25,
                (Modifier::Factor, "_D8") => 0.125,
                _ => return None,
            };
            Some(factor)
        });
        Ok(())
    }

    /// A source's component with everything that the first years could say of
    /// it: from the inside to the outside the swizzle's constants and signs,
    /// the complement, the bias, the scale, absolute value, sign.
    pub(crate) fn historic_value(
        &mut self,
        instruction: &Instruction,
        source: &Source,
        component: Component,
        value: Value,
    ) -> Value {
        let mut value = value;
        let mut signs = "";
        for form in forms_of(instruction, source) {
            match form.kind {
                Modifier::ExtendedSwizzle => {
                    value = self.extended(&form.spelling, component, value);
                }
                Modifier::Complement | Modifier::Bias | Modifier::Scale => signs = &form.spelling,
                _ => {}
            }
        }
        // The sign that stands directly before the register is inside of all.
        let builder = &mut self.builder;
        let mut rest = signs;
        if let Some(outer) = rest.strip_suffix('-') {
            value = builder.negate(value);
            rest = outer;
        }
        type ApplySign = fn(&mut Builder, Value) -> Value;
        let steps: [(&str, ApplySign); 5] = [
            ("1-(", |builder, value| builder.binary("fsub", Value::float(1.0), value)),
            ("2*(", |builder, value| builder.binary("fadd", value, value)),
            ("-(", Builder::negate),
            ("(", |builder, value| builder.binary("fadd", value, Value::float(-0.5))),
            ("|", |builder, value| builder.overloaded("llvm.fabs", &[value])),
        ];
        let step = |rest: &str| {
            steps.iter().find_map(|(sign, make)| Some((rest.strip_suffix(sign)?.len(), make)))
        };
        while let Some((length, make)) = step(rest) {
            value = make(builder, value);
            rest = &rest[..length];
        }
        value
    }

    /// Tells whether a source's signs stand in a historic spelling, which has them in an order of its
    /// own.
    pub(crate) fn has_historic_signs(&self, instruction: &Instruction, source: &Source) -> bool {
        forms_of(instruction, source).any(|form| {
            matches!(form.kind, Modifier::Complement | Modifier::Bias | Modifier::Scale)
        })
    }

    /// The component of a swizzle with constants and signs: `X01-W`.
    fn extended(&mut self, spelling: &str, component: Component, value: Value) -> Value {
        let mut place = 0;
        let mut negative = false;
        for letter in spelling.chars() {
            if letter == '-' {
                negative = true;
                continue;
            }
            if place == component as usize {
                let value = match letter {
                    '0' => Value::float(0.0),
                    '1' => Value::float(1.0),
                    _ => value,
                };
                return if negative { self.builder.negate(value) } else { value };
            }
            place += 1;
            negative = false;
        }
        value
    }
}
