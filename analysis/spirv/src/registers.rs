//! Reads and writes registers: swizzles, modifiers, masks, indexes.
//!
//! A register that the shader can write is a variable of 32 bits for each component; a range that
//! is indexed is an array for each component.

use lower::declared::is_in_registers;
use lower::failure::{invalid, undeclared, unsupported};
use tgsi::Stage;
use tgsi::ast::{Component, Destination, Index, Instruction, Register, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::values::{F32, F64, Scalar, Type, U32, U64, Value};
use crate::words::{Extended, Op, StorageClass};

/// The sign of a float.
const SIGN: u64 = 1 << 31;

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

/// The type that an operand of a TGSI type is computed in.
pub(crate) fn value_type(ty: ValueType) -> Type {
    match ty {
        ValueType::Untyped | ValueType::Float => F32,
        ValueType::Signed | ValueType::Unsigned => U32,
        ValueType::Double => F64,
        ValueType::Signed64 | ValueType::Unsigned64 => U64,
    }
}

impl Translation<'_> {
    /// One component of a source as a 32-bit type, modifiers applied.
    pub(crate) fn fetch(
        &mut self,
        source: &Source,
        component: Component,
        ty: ValueType,
    ) -> Emitted<Value> {
        let bits = self.read(&source.register, source.swizzle.0[component as usize])?;
        // A copy without modifiers stays an integer.
        if ty == ValueType::Untyped && !source.absolute && !source.negate {
            return Ok(bits);
        }
        let value = self.builder.bitcast(bits, value_type(ty));
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
        Ok(self.builder.bitcast(value, U32))
    }

    /// One component of a source as a float.
    pub(crate) fn float(
        &mut self,
        instruction: &Instruction,
        source: usize,
        component: Component,
    ) -> Emitted<Value> {
        self.fetch(&instruction.sources[source], component, ValueType::Float)
    }

    /// All four components of a source.
    pub(crate) fn components(&mut self, source: &Source, ty: ValueType) -> Emitted<[Value; 4]> {
        let mut values = [self.builder.uint(0); 4];
        for component in Component::ALL {
            values[component as usize] = self.fetch(source, component, ty)?;
        }
        Ok(values)
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
        let halves = self.builder.vector(&[low, high]);
        let value = self.builder.bitcast(halves, value_type(ty));
        Ok(self.modified(value, source))
    }

    /// The absolute value first, then the negation.
    fn modified(&mut self, value: Value, source: &Source) -> Value {
        let builder = &mut self.builder;
        if let (F32, Some(bits)) = (value.ty, value.bits) {
            let magnitude = if source.absolute { bits & !SIGN } else { bits };
            let bits = if source.negate { magnitude ^ SIGN } else { magnitude };
            return builder.constant(Scalar::F32, bits);
        }
        let mut value = value;
        if source.absolute {
            value = match value.ty.is_float() {
                true => builder.extended(Extended::FAbs, value.ty, &[value]),
                false => crate::arithmetic::integer::absolute(builder, &[value]),
            };
        }
        match source.negate {
            true => builder.negate(value),
            false => value,
        }
    }

    /// The bits of one component of a register.
    pub(crate) fn read(&mut self, register: &Register, component: Component) -> Emitted<Value> {
        match register.file {
            File::Constant => return self.read_constant(register, component),
            File::Input => return self.read_input(register, component),
            File::Output if self.stage() == Stage::TessellationControl => {
                return self.read_control_output(register, component);
            }
            _ => {}
        }
        self.refuse_dimension(register)?;
        if register.index.indirect.is_some() && is_in_registers(register.file) {
            let pointer = self.indexed_cell(register, component)?;
            return Ok(self.builder.load(U32, pointer));
        }
        let index = direct_index(register)?;
        let declared = &self.declared;
        match register.file {
            File::Immediate | File::ImmediateArray => {
                let bits = match register.file {
                    File::Immediate => declared.immediates.get(index as usize),
                    _ => declared.immediate_arrays.get(&index),
                };
                let bits = *bits.ok_or_else(|| undeclared(register, index))?;
                Ok(self.builder.uint(bits[component as usize]))
            }
            File::SystemValue => {
                let name = declared.system_values.get(&index).copied();
                let name = name.ok_or_else(|| undeclared(register, index))?;
                match self.by_buffers() {
                    true => self.system_value_of_buffer(index, name, component),
                    false => self.system_value(name, component),
                }
            }
            file if is_cell(file) => {
                let pointer = self.cell(file, index, component);
                Ok(self.builder.load(U32, pointer))
            }
            file => Err(unsupported(register.range, format!("file {file}"))),
        }
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
        let value = self.clamp(value, clamp);
        let value = self.builder.bitcast(value, U32);
        match register.file {
            File::Null => return Ok(()),
            File::Output if self.stage() == Stage::TessellationControl => {
                return self.store_control_output(register, component, value);
            }
            file if is_cell(file) => {}
            file => {
                return Err(unsupported(register.range, format!("file {file} as destination")));
            }
        }
        self.refuse_dimension(register)?;
        let pointer = match register.index.indirect {
            Some(_) => self.indexed_cell(register, component)?,
            None => {
                let index = direct_index(register)?;
                if register.file == File::Output && !self.declared.outputs.contains_key(&index) {
                    return Err(undeclared(register, index));
                }
                self.cell(register.file, index, component)
            }
        };
        self.builder.store(pointer, value);
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
        let value = self.clamp(value, clamp);
        let halves = self.builder.halves(value);
        for (half, component) in halves.into_iter().zip(&Component::ALL[pair * 2..]) {
            if destination.mask.contains(*component) {
                self.store(destination, Clamp::No, *component, half)?;
            }
        }
        Ok(())
    }

    /// Writes one value to every component of the first destination's mask.
    pub(crate) fn store_all(&mut self, instruction: &Instruction, value: Value) -> Emitted {
        self.store_each(instruction, [value; 4])
    }

    /// Writes a value for each component of the first destination's mask.
    pub(crate) fn store_each(&mut self, instruction: &Instruction, values: [Value; 4]) -> Emitted {
        let destination = &instruction.destinations[0];
        for component in destination.mask.components() {
            self.builder.set_channel(component as u32 + 1);
            let value = values[component as usize];
            self.store(destination, Clamp::of(instruction), component, value)?;
        }
        self.builder.set_channel(0);
        Ok(())
    }

    /// 64-bit integers stay as they are.
    fn clamp(&mut self, value: Value, clamp: Clamp) -> Value {
        let low = match clamp {
            Clamp::No => return value,
            Clamp::ToUnit => 0,
            Clamp::ToSignedUnit => -1,
        };
        match value.ty {
            F64 => self.builder.clamped(value, low, 1),
            F32 | U32 => {
                let float = self.builder.bitcast(value, F32);
                self.builder.clamped(float, low, 1)
            }
            _ => value,
        }
    }

    /// The variable of a component of a register that is no part of an indexed range, else the
    /// pointer into its array.
    pub(crate) fn cell(&mut self, file: File, index: u32, component: Component) -> Id {
        if let Some(place) = self.declared.indexed_range(file, index) {
            let first = self.declared.indexed()[place].first;
            let array = self.array(place, component);
            let index = self.builder.uint(index - first);
            return self.builder.part(StorageClass::Private, U32, array, &[index]);
        }
        if let Some(cell) = self.cells.get(&(file, index, component)) {
            return *cell;
        }
        let ty = self.builder.value_type(U32);
        let cell = self.builder.variable(StorageClass::Private, ty);
        self.builder.name(cell, &format!("{file}{index}_{}", letter(component)));
        self.cells.insert((file, index, component), cell);
        cell
    }

    /// The array of a component of an indexed range.
    pub(crate) fn array(&mut self, place: usize, component: Component) -> Id {
        if let Some(array) = self.arrays.get(&(place, component)) {
            return *array;
        }
        let range = self.declared.indexed()[place];
        let ty = self.builder.value_type(U32);
        let ty = self.builder.array_type(ty, range.length());
        let initial = self.initial(range.file, range.first, range.last, component);
        let array = match initial {
            Some(parts) => self.builder.initialized_array(ty, &parts),
            None => self.builder.variable(StorageClass::Private, ty),
        };
        self.builder.name(array, &format!("{}{}_{}", range.file, range.first, letter(component)));
        self.arrays.insert((place, component), array);
        array
    }

    /// The values of an array of immediates.
    fn initial(
        &mut self,
        file: File,
        first: u32,
        last: u32,
        component: Component,
    ) -> Option<Vec<Value>> {
        let value = |declared: &lower::declared::Declared, index: u32| match file {
            File::Immediate => declared.immediates.get(index as usize).copied(),
            _ => declared.immediate_arrays.get(&index).copied(),
        };
        if !matches!(file, File::Immediate | File::ImmediateArray) {
            return None;
        }
        let bits = (first..=last).map(|index| value(&self.declared, index).unwrap_or_default());
        let bits: Vec<[u32; 4]> = bits.collect();
        Some(bits.into_iter().map(|bits| self.builder.uint(bits[component as usize])).collect())
    }

    /// The pointer to a component of an indexed register.
    fn indexed_cell(&mut self, register: &Register, component: Component) -> Emitted<Id> {
        let file = register.file;
        let array = register.index.indirect.and_then(|indirect| indirect.array);
        let near = register.index.offset.max(0) as u32;
        let Some(place) = self.declared.indexed_place(file, array, near) else {
            return Err(undeclared(register, near));
        };
        let range = self.declared.indexed()[place];
        let index = self.index_value(&register.index)?;
        let first = self.builder.uint(range.first);
        let index = match range.first {
            0 => index,
            _ => self.builder.binary(Op::ISub, index, first),
        };
        let index = self.bounded(index, range.length());
        let array = self.array(place, component);
        Ok(self.builder.part(StorageClass::Private, U32, array, &[index]))
    }

    /// An index as a number: what is added plus the index register.
    pub(crate) fn index_value(&mut self, index: &Index) -> Emitted<Value> {
        let Some(indirect) = index.indirect else {
            return Ok(self.builder.uint(index.offset as u32));
        };
        let base = Register {
            range: self.place,
            file: indirect.file,
            dimension: None,
            index: Index { offset: indirect.index as i32, indirect: None },
        };
        let value = self.read(&base, indirect.component)?;
        let offset = self.builder.uint(index.offset as u32);
        Ok(match index.offset {
            0 => value,
            _ => self.builder.binary(Op::IAdd, value, offset),
        })
    }

    /// An index bounded to 0..length.
    pub(crate) fn bounded(&mut self, index: Value, length: u32) -> Value {
        let last = self.builder.uint(length.saturating_sub(1));
        self.builder.extended(Extended::UMin, U32, &[index, last])
    }

    pub(crate) fn refuse_dimension(&self, register: &Register) -> Emitted {
        match register.dimension {
            None => Ok(()),
            Some(_) => Err(unsupported(
                register.range,
                format!("two-dimensional {} in {}", register.file, self.stage()),
            )),
        }
    }
}

/// Tells whether registers of a file are variables of the shader.
fn is_cell(file: File) -> bool {
    matches!(
        file,
        File::Temporary | File::TemporaryArray | File::Output | File::Address | File::Predicate
    )
}

/// The number of a register that is named without an index register.
pub(crate) fn direct_index(register: &Register) -> Emitted<u32> {
    register.number().ok_or_else(|| {
        let message = format!("{}[{}] does not exist", register.file, register.index.offset);
        invalid(register.range, &format!("register {}", register.file), message)
    })
}

/// The letter of a component, for names.
fn letter(component: Component) -> char {
    ['x', 'y', 'z', 'w'][component as usize]
}
