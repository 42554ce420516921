//! Cells: the places of registers in the lane's own memory, which LLVM turns into values.
//!
//! Every component of a register is a cell of 32 bits, allocated in the entry block on first
//! use. Ranges that are reached through an index register are arrays, one per component. An
//! index outside of its array is bent to a place inside: the language leaves that undefined,
//! and this way it harms nothing else.

use tgsi::ast::{Component, Register};
use tgsi::words::File;

use crate::context::{Emitted, Lowering};
use crate::failure::invalid;
use crate::values::{Type, Value};

/// The longest array that LLVM keeps in registers as one vector. LLVM 15 dies
/// in register coalescing if a part of such a vector is never written.
const LONGEST_VECTOR: u32 = 16;

/// Tells whether the registers of a file are cells, which the shader can write.
pub(crate) fn is_cell(file: File) -> bool {
    matches!(
        file,
        File::Temporary
            | File::TemporaryArray
            | File::Address
            | File::Output
            | File::Predicate
            | File::Loop
    )
}

/// The type of a register's cells. Registers hold bits of any type, and float
/// is the most frequent; only index registers are always integers.
pub(crate) fn cell_type(file: File) -> Type {
    if file == File::Address { Type::I32 } else { Type::F32 }
}

impl Lowering<'_> {
    /// The cell of a directly named register.
    pub(crate) fn cell(&mut self, file: File, index: u32, component: Component) -> Value {
        if let Some(place) = self.declared.indexed_range(file, index) {
            let range = self.declared.indexed()[place];
            let array = self.array(place, component);
            let offset = Value::uint(index - range.first);
            return self.builder.element(array, cell_type(file), range.length(), offset);
        }
        let builder = &mut self.builder;
        *self
            .cells
            .entry((file, index, component))
            .or_insert_with(|| builder.allocate(cell_type(file), None))
    }

    /// The cell of a register that is named with an index register.
    pub(crate) fn indexed_cell(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let file = register.file;
        let nearest = register.index.offset.max(0) as u32;
        let array = register.index.indirect.and_then(|indirect| indirect.array);
        let place = self.declared.indexed_place(file, array, nearest);
        let Some(place) = place else {
            let message = format!("no register of {file} is declared");
            return Err(invalid(register.range, &format!("register {file}"), message));
        };
        let range = self.declared.indexed()[place];
        let index = self.index_value(register, &register.index)?;
        let index = match range.first {
            0 => index,
            first => self.builder.binary("sub", index, Value::uint(first)),
        };
        let index = self.bounded(index, range.length());
        let array = self.array(place, component);
        Ok(self.builder.element(array, cell_type(file), range.length(), index))
    }

    /// The array of one component of an indexed range. Those of files that the
    /// shader cannot write are filled where they are made, in the entry block;
    /// short ones of other files begin as zeros.
    fn array(&mut self, place: usize, component: Component) -> Value {
        if let Some(array) = self.arrays.get(&(place, component)) {
            return *array;
        }
        let range = self.declared.indexed()[place];
        let ty = cell_type(range.file);
        let array = self.builder.allocate(ty, Some(range.length()));
        self.arrays.insert((place, component), array);
        if matches!(range.file, File::Input | File::Immediate | File::ImmediateArray) {
            let attributes = std::mem::take(&mut self.current.attributes);
            self.in_entry(|lowering| {
                for index in range.first..=range.last {
                    // An input without a value of its own leaves its place open.
                    if let Ok(Some(value)) = lowering.read_fixed(range.file, index, component) {
                        let offset = Value::uint(index - range.first);
                        let cell = lowering.builder.element(array, ty, range.length(), offset);
                        lowering.builder.store(value, cell);
                    }
                }
            });
            self.current.attributes = attributes;
        } else if range.length() <= LONGEST_VECTOR {
            self.in_entry(|Lowering { builder, .. }| {
                for index in 0..range.length() {
                    let cell = builder.element(array, ty, range.length(), Value::uint(index));
                    builder.store(Value::bits(ty, 0), cell);
                }
            });
        }
        array
    }
}
