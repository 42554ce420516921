//! Outputs of tessellation control shaders, which lie in memory that all invocations of a patch
//! see: they are read and written where they are.

use lower::failure::{undeclared, unsupported};
use source::TextRange;
use tgsi::ast::{Component, Register, Semantic};
use tgsi::words::{File, PropertyName, SemanticName};

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::registers::direct_index;
use crate::stages::{VECTOR, is_of_patch};
use crate::values::{F32, Type, U32, Value};
use crate::words::{BuiltIn, Op, StorageClass};

const OUTPUT: StorageClass = StorageClass::Output;

impl Translation<'_> {
    /// The bits of one component of an output of a control shader.
    pub(crate) fn read_control_output(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        if register.index.indirect.is_none() {
            let index = direct_index(register)?;
            return self.control_output(register, index, component);
        }
        let (index, first, length) = self.control_index(register)?;
        self.each_of(index, length, U32, |this, number| {
            this.control_output(register, first + number, component)
        })
    }

    /// Writes one component of an output of a control shader.
    pub(crate) fn store_control_output(
        &mut self,
        register: &Register,
        component: Component,
        value: Value,
    ) -> Emitted {
        let write = |this: &mut Self, index: u32| {
            if this.by_buffers() {
                this.write_control_output(register, (index, component), value)?;
            }
            let value = this.builder.bitcast(value, F32);
            if let Some(pointer) = this.control_pointer(register, index, component)? {
                this.builder.store(pointer, value);
            }
            Ok(this.builder.uint(0))
        };
        if register.index.indirect.is_none() {
            let index = direct_index(register)?;
            return write(self, index).map(|_| ());
        }
        let (index, first, length) = self.control_index(register)?;
        self.each_of(index, length, U32, |this, number| write(this, first + number)).map(|_| ())
    }

    /// Writes one component of an output to the buffer of values.
    fn write_control_output(
        &mut self,
        register: &Register,
        (index, component): (u32, Component),
        value: Value,
    ) -> Emitted {
        let Some(output) = self.declared.outputs.get(&index).copied() else { return Ok(()) };
        let vertex = match is_of_patch(output.semantic.name) {
            true => None,
            false => Some(self.control_vertex(register)?),
        };
        self.write_control_value_out(vertex, (index, component), value);
        Ok(())
    }

    /// The vertex whose output an operand names.
    fn control_vertex(&mut self, register: &Register) -> Emitted<Value> {
        let Some(dimension) = register.dimension else {
            // The vertex of the invocation itself.
            return Ok(self.built_in_number(BuiltIn::InvocationId));
        };
        let vertex = self.index_value(&dimension)?;
        Ok(match dimension.indirect {
            Some(_) => self.bounded(vertex, self.patch_size()),
            None => vertex,
        })
    }

    /// The computed number of an output in its range, and that range.
    fn control_index(&mut self, register: &Register) -> Emitted<(Value, u32, u32)> {
        let array = register.index.indirect.and_then(|indirect| indirect.array);
        let near = register.index.offset.max(0) as u32;
        let place = self.declared.indexed_place(File::Output, array, near);
        let Some(place) = place else { return Err(undeclared(register, near)) };
        let range = self.declared.indexed()[place];
        let index = self.index_value(&register.index)?;
        let first = self.builder.uint(range.first);
        let index = self.builder.binary(Op::ISub, index, first);
        Ok((index, range.first, range.length()))
    }

    fn control_output(
        &mut self,
        register: &Register,
        index: u32,
        component: Component,
    ) -> Emitted<Value> {
        let value = match self.control_pointer(register, index, component)? {
            Some(pointer) => self.builder.load(F32, pointer),
            None => self.builder.float(0.0),
        };
        Ok(self.builder.bitcast(value, U32))
    }

    /// The pointer to a component of an output; `None` if Vulkan has no place for it.
    fn control_pointer(
        &mut self,
        register: &Register,
        index: u32,
        component: Component,
    ) -> Emitted<Option<Id>> {
        let output = self.declared.outputs.get(&index).copied();
        // A computed number may be that of a register between those that are declared.
        if output.is_none() && register.index.indirect.is_some() {
            return Ok(None);
        }
        let output = output.ok_or_else(|| undeclared(register, index))?;
        let Semantic { name, index } = output.semantic;
        if matches!(name, SemanticName::TessellationOuter | SemanticName::TessellationInner) {
            let (variable, length) = self.factors(OUTPUT, name);
            if component as u32 >= length {
                return Ok(None);
            }
            let place = self.builder.uint(component as u32);
            return Ok(Some(self.builder.part(OUTPUT, F32, variable, &[place])));
        }
        let channel = self.builder.uint(component as u32);
        if is_of_patch(name) {
            let variable = self.varying(OUTPUT, output.semantic, None, output.range)?;
            return Ok(Some(self.builder.part(OUTPUT, F32, variable, &[channel])));
        }
        let vertices = self.patch_size();
        let vertex = self.control_vertex(register)?;
        let (variable, places) = match name {
            SemanticName::Position => {
                (self.output_array(BuiltIn::Position, vertices, VECTOR), vec![vertex, channel])
            }
            SemanticName::PointSize => {
                (self.output_array(BuiltIn::PointSize, vertices, F32), vec![vertex])
            }
            SemanticName::ClipDistance => {
                let number = index * 4 + component as u32;
                return self.control_distance(number, vertex, output.range).map(Some);
            }
            _ => {
                let semantic = output.semantic;
                let range = output.range;
                (self.varying(OUTPUT, semantic, Some(vertices), range)?, vec![vertex, channel])
            }
        };
        Ok(Some(self.builder.part(OUTPUT, F32, variable, &places)))
    }

    fn output_array(&mut self, built_in: BuiltIn, vertices: u32, ty: Type) -> Id {
        self.built_in_of(OUTPUT, built_in, |this| {
            let ty = this.builder.value_type(ty);
            this.builder.array_type(ty, vertices)
        })
    }

    fn control_distance(&mut self, number: u32, vertex: Value, range: TextRange) -> Emitted<Id> {
        let registers = self.declared.outputs.values();
        let count =
            registers.filter(|it| it.semantic.name == SemanticName::ClipDistance).count() as u32;
        let length = (count * 4).min(8);
        if number >= length {
            return Err(unsupported(range, format!("clip distance {number}")));
        }
        let vertices = self.patch_size();
        let variable = self.built_in_of(OUTPUT, BuiltIn::ClipDistance, |this| {
            let ty = this.builder.value_type(F32);
            let ty = this.builder.array_type(ty, length);
            this.builder.array_type(ty, vertices)
        });
        let place = self.builder.uint(number);
        Ok(self.builder.part(OUTPUT, F32, variable, &[vertex, place]))
    }

    /// The vertices of the output patch.
    pub(crate) fn patch_size(&self) -> u32 {
        self.property(PropertyName::ControlVerticesOut).clamp(1, 32)
    }
}
