//! Reads and writes registers: swizzles, modifiers, masks, indexes.
//!
//! Registers that the shader can write are cells (`cells.rs`); some stages have others in
//! memory.

use tgsi::Stage;
use tgsi::ast::{Component, Destination, Index, Instruction, Register, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::alu_integer::absolute;
use crate::cells::{cell_type, is_cell};
use crate::context::{Emitted, Lowering};
use crate::failure::{invalid, undeclared, unsupported};
use crate::values::{Element, Type, Value};

/// The sign of a float.
const SIGN: u32 = 1 << 31;

/// The clamp of a value on its way to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clamp {
    No,
    /// `_SAT`
    ToUnit,
    /// The historic `_SSAT`
    ToSignedUnit,
}

impl Clamp {
    /// Returns the clamp that an instruction's modifier asks for.
    pub(crate) fn of(instruction: &Instruction) -> Clamp {
        match instruction {
            Instruction { saturate: true, .. } => Clamp::ToUnit,
            Instruction { signed_saturate: true, .. } => Clamp::ToSignedUnit,
            _ => Clamp::No,
        }
    }
}

/// The IR type that an operand of a TGSI type is computed in.
pub(crate) fn ir_type(ty: ValueType) -> Type {
    match ty {
        ValueType::Untyped | ValueType::Float => Type::F32,
        ValueType::Signed | ValueType::Unsigned => Type::I32,
        ValueType::Double => Type::F64,
        ValueType::Signed64 | ValueType::Unsigned64 => Type::I64,
    }
}

/// Number of constant buffers that the list of descriptors has room for.
pub(crate) const CONSTANT_BUFFERS: u32 = 16;

/// Tells whether a constant with a plain number is one of a buffer that there can be.
fn is_constant(register: &Register, number: u32) -> bool {
    let buffer = register.dimension.unwrap_or_default();
    let is_buffer = u32::try_from(buffer.offset).is_ok_and(|buffer| buffer < CONSTANT_BUFFERS);
    buffer.indirect.is_none() && is_buffer && number.checked_mul(16).is_some()
}

impl Lowering<'_> {
    /// Tells whether the registers of an instruction are surely there, so that to fetch and to store
    /// its values cannot fail. What is computed, and what depends on the stage, is not looked at.
    pub(crate) fn has_registers(&self, instruction: &Instruction) -> bool {
        let declared = &self.declared;
        let is_read = |register: &Register, number: u32| match register.file {
            File::Temporary | File::Address => register.dimension.is_none(),
            File::Immediate => {
                register.dimension.is_none() && (number as usize) < declared.immediates.len()
            }
            File::Constant => is_constant(register, number),
            File::Input => {
                matches!(self.stage(), Stage::Fragment | Stage::Vertex)
                    && register.dimension.is_none()
                    && declared.inputs.contains_key(&number)
            }
            _ => false,
        };
        let is_written = |register: &Register, number: u32| match register.file {
            File::Temporary | File::Address => register.dimension.is_none(),
            File::Output => {
                self.stage() != Stage::TessellationControl
                    && register.dimension.is_none()
                    && declared.outputs.contains_key(&number)
            }
            _ => false,
        };
        let mut destinations = instruction.destinations.iter().map(|it| &it.register);
        let mut sources = instruction.sources.iter().map(|it| &it.register);
        instruction.predicate.is_none()
            && instruction.historic.is_empty()
            && sources.all(|it| it.number().is_some_and(|number| is_read(it, number)))
            && destinations.all(|it| it.number().is_some_and(|number| is_written(it, number)))
    }

    /// One component of a source as a 32-bit type, modifiers applied.
    pub(crate) fn fetch(
        &mut self,
        source: &Source,
        component: Component,
        ty: ValueType,
    ) -> Emitted<Value> {
        let swizzled = source.swizzle.0[component as usize];
        let bits = self.read(&source.register, swizzled)?;
        if let Some(instruction) = self.current.historic {
            let value = self.builder.bitcast(bits, Type::F32);
            let mut value = self.historic_value(instruction, source, component, value);
            if !self.has_historic_signs(instruction, source) {
                value = self.modified(value, source);
            }
            return Ok(self.builder.bitcast(value, ir_type(ty)));
        }
        let value = self.builder.bitcast(bits, ir_type(ty));
        Ok(self.modified(value, source))
    }

    /// One component of the first source as bits, with modifiers of the type that the table has.
    pub(crate) fn source_bits(
        &mut self,
        instruction: &Instruction,
        component: Component,
    ) -> Emitted<Value> {
        let ty = instruction.info().source_types.first().copied().unwrap_or(ValueType::Untyped);
        let value = self.fetch(&instruction.sources[0], component, ty)?;
        Ok(self.builder.bitcast(value, Type::I32))
    }

    /// A pair of components of a source, xy (0) or zw (1), as a 64-bit type.
    pub(crate) fn fetch_wide(
        &mut self,
        source: &Source,
        pair: usize,
        ty: ValueType,
    ) -> Emitted<Value> {
        let [low, high] = [source.swizzle.0[pair * 2], source.swizzle.0[pair * 2 + 1]];
        let low = self.read(&source.register, low)?;
        let high = self.read(&source.register, high)?;
        let low = self.builder.bitcast(low, Type::I32);
        let high = self.builder.bitcast(high, Type::I32);
        let value = self.wide(low, high, ir_type(ty));
        Ok(self.modified(value, source))
    }

    /// A 64-bit value of two halves.
    pub(crate) fn wide(&mut self, low: Value, high: Value, ty: Type) -> Value {
        let halves = self.builder.vector(Element::I32, &[low, high]);
        self.builder.bitcast(halves, ty)
    }

    /// The halves of a 64-bit value, low first.
    pub(crate) fn halves(&mut self, value: Value) -> [Value; 2] {
        let halves = self.builder.bitcast(value, Type::Vector(2, Element::I32));
        [0, 1].map(|half| self.builder.extract(halves, half))
    }

    /// The absolute value first, then the negation.
    pub(crate) fn modified(&mut self, value: Value, source: &Source) -> Value {
        let builder = &mut self.builder;
        let mut value = value;
        if let (Type::F32, Some(bits)) = (value.ty, value.constant_bits()) {
            let magnitude = if source.absolute { bits & !SIGN } else { bits };
            return Value::bits(value.ty, if source.negate { magnitude ^ SIGN } else { magnitude });
        }
        if source.absolute {
            value = match value.ty.is_float() {
                true => builder.overloaded("llvm.fabs", &[value]),
                false => absolute(builder, &[value]),
            };
        }
        if source.negate {
            value = builder.negate(value);
        }
        value
    }

    /// The bits of one component of a register.
    pub(crate) fn read(&mut self, register: &Register, component: Component) -> Emitted<Value> {
        let file = register.file;
        if file == File::Constant {
            return self.read_constant(register, component);
        }
        if let Some(value) = self.read_stage_memory(register, component) {
            return value;
        }
        self.refuse_dimension(register)?;
        if register.index.indirect.is_some() {
            let pointer = self.indexed_cell(register, component)?;
            return Ok(self.builder.load(cell_type(file), pointer));
        }
        let index = direct_index(register)?;
        match file {
            file if is_cell(file) => {
                let pointer = self.cell(file, index, component);
                Ok(self.builder.load(cell_type(file), pointer))
            }
            File::Immediate | File::ImmediateArray | File::Input | File::SystemValue => {
                let value = self.read_fixed(file, index, component)?;
                value.ok_or_else(|| undeclared(register, index))
            }
            _ => Err(unsupported(register.range, format!("file {file}"))),
        }
    }

    /// The bits of a register that the shader cannot write; `None` if it is
    /// not declared.
    pub(crate) fn read_fixed(
        &mut self,
        file: File,
        index: u32,
        component: Component,
    ) -> Emitted<Option<Value>> {
        let constant = |bits: &[u32; 4]| Ok(Value::bits(Type::F32, bits[component as usize]));
        let declared = &self.declared;
        let value = match file {
            File::Immediate => declared.immediates.get(index as usize).map(constant),
            File::ImmediateArray => declared.immediate_arrays.get(&index).map(constant),
            File::Input => {
                let input = declared.inputs.get(&index).copied();
                input.map(|input| self.stage_input(index, input, component))
            }
            _ => {
                let name = declared.system_values.get(&index).copied();
                name.map(|name| self.system_value(name, component))
            }
        };
        value.transpose()
    }

    /// Writes one component.
    pub(crate) fn store(
        &mut self,
        destination: &Destination,
        clamp: Clamp,
        component: Component,
        value: Value,
    ) -> Emitted {
        let register = &destination.register;
        let mut value = value;
        if let Some(factor) = self.current.result_factor {
            let product = self.builder.bitcast(value, Type::F32);
            value = self.builder.multiply(product, Value::float(factor));
        }
        let value = self.clamped(value, clamp);
        let file = register.file;
        if (self.stage(), file) == (Stage::TessellationControl, File::Output) {
            return self.store_control_output(register, component, value);
        }
        let pointer = match file {
            file if is_cell(file) => {
                self.refuse_dimension(register)?;
                if register.index.indirect.is_some() {
                    self.indexed_cell(register, component)?
                } else {
                    let index = direct_index(register)?;
                    if file == File::Output && !self.declared.outputs.contains_key(&index) {
                        return Err(undeclared(register, index));
                    }
                    self.cell(file, index, component)
                }
            }
            File::Null => return Ok(()),
            _ => return Err(unsupported(register.range, format!("file {file} as destination"))),
        };
        let mut value = self.builder.bitcast(value, cell_type(file));
        if let Some(conditions) = self.current.write_conditions {
            let before = self.builder.load(cell_type(file), pointer);
            value = self.builder.select(conditions[component as usize], value, before);
        }
        self.builder.store(value, pointer);
        Ok(())
    }

    /// Writes a 64-bit value to those components of a pair that the mask has.
    pub(crate) fn store_wide(
        &mut self,
        destination: &Destination,
        clamp: Clamp,
        pair: usize,
        value: Value,
    ) -> Emitted {
        let value = self.clamped(value, clamp);
        let halves = self.halves(value);
        for (half, component) in halves.into_iter().zip(&Component::ALL[pair * 2..]) {
            if destination.mask.contains(*component) {
                self.store(destination, Clamp::No, *component, half)?;
            }
        }
        Ok(())
    }

    fn clamped(&mut self, value: Value, clamp: Clamp) -> Value {
        match clamp {
            Clamp::No => value,
            Clamp::ToUnit => self.saturated(value),
            Clamp::ToSignedUnit => self.clamped_between(value, -1.0, 1.0),
        }
    }

    /// A value clamped to 0..1, NaN to 0; the hardware has a bit for it.
    pub(crate) fn saturated(&mut self, value: Value) -> Value {
        self.clamped_between(value, 0.0, 1.0)
    }

    /// A value clamped to a range, NaN to its lower end. 64-bit integers stay.
    fn clamped_between(&mut self, value: Value, low: f32, high: f32) -> Value {
        let (value, low, high) = match value.ty {
            Type::F64 => (value, Value::double(low.into()), Value::double(high.into())),
            Type::F32 | Type::I32 => {
                let float = self.builder.bitcast(value, Type::F32);
                (float, Value::float(low), Value::float(high))
            }
            _ => return value,
        };
        let least = self.builder.overloaded("llvm.maxnum", &[value, low]);
        self.builder.overloaded("llvm.minnum", &[least, high])
    }

    /// An index as a number: what is added plus the index register.
    pub(crate) fn index_value(&mut self, register: &Register, index: &Index) -> Emitted<Value> {
        let Some(indirect) = index.indirect else { return Ok(Value::int(index.offset)) };
        let base = Register {
            range: register.range,
            file: indirect.file,
            dimension: None,
            index: Index { offset: indirect.index as i32, indirect: None },
        };
        let value = self.read(&base, indirect.component)?;
        let value = self.builder.bitcast(value, Type::I32);
        Ok(match index.offset {
            0 => value,
            offset => self.builder.binary("add", value, Value::int(offset)),
        })
    }

    /// An index bounded to 0..length.
    pub(crate) fn bounded(&mut self, index: Value, length: u32) -> Value {
        if length.is_power_of_two() {
            return self.builder.binary("and", index, Value::uint(length - 1));
        }
        self.builder.overloaded("llvm.umin", &[index, Value::uint(length.saturating_sub(1))])
    }

    fn refuse_dimension(&self, register: &Register) -> Emitted {
        match register.dimension {
            None => Ok(()),
            Some(_) => Err(unsupported(
                register.range,
                format!("two-dimensional {} in {}", register.file, self.stage()),
            )),
        }
    }
}

/// The number of a register that is named without an index register.
pub(crate) fn direct_index(register: &Register) -> Emitted<u32> {
    u32::try_from(register.index.offset).map_err(|_| {
        let message = format!("{}[{}] does not exist", register.file, register.index.offset);
        invalid(register.range, &format!("register {}", register.file), message)
    })
}
