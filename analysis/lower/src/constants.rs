//! Constant buffers.
//!
//! They are read with scalar loads where the index is the same for all lanes.
//! A shader whose only buffer is constant buffer 0 gets that buffer's address
//! in place of the list of descriptors and makes the descriptor itself, which
//! saves a dependent load; this is what radeonsi did.

use tgsi::ast::{Component, Register};

use crate::builder::Builder;
use crate::context::{Emitted, EntryValue, Lowering};
use crate::failure::invalid;
use crate::registers::CONSTANT_BUFFERS;
use crate::values::{Element, Type, Value};

/// Constant buffer n is entry 16 + n of its list; shader buffers lie below.
pub(crate) const FIRST_CONSTANT_BUFFER: u32 = 16;
/// The upper half of every descriptor address: the 32-bit address space that
/// descriptor lists and constant buffers live in.
pub(crate) const ADDRESS_HIGH: u32 = 0x8000;
/// The last descriptor word: xyzw in order, 32-bit float elements.
const RAW_FLOAT_BUFFER: u32 = 0x0002_7fac;

impl Builder {
    /// The four words of a constant buffer from a byte on.
    pub(crate) fn constant_words(&mut self, descriptor: Value, offset: Value) -> Value {
        let words = [0, 4, 8, 12].map(|byte| {
            let offset = match byte {
                0 => offset,
                _ => self.binary("add", offset, Value::int(byte)),
            };
            self.constant_word(descriptor, offset)
        });
        self.vector(Element::F32, &words)
    }

    /// The word at a byte of a constant buffer.
    pub(crate) fn constant_word(&mut self, descriptor: Value, offset: Value) -> Value {
        let arguments = [descriptor, offset, Value::int(0)];
        self.call(Type::F32, "llvm.amdgcn.s.buffer.load.f32", &arguments)
    }

    /// The descriptor of so many bytes at an address.
    pub(crate) fn raw_buffer(&mut self, low: Value, high: u32, bytes: u32) -> Value {
        let words = [low, Value::uint(high), Value::uint(bytes), Value::uint(RAW_FLOAT_BUFFER)];
        self.vector(Element::I32, &words)
    }
}

impl Lowering<'_> {
    /// The bits of one component of a constant.
    pub(crate) fn read_constant(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let descriptor = self.constant_descriptor(register)?;
        let byte = component as u32 * 4;
        let offset = if register.index.indirect.is_some() {
            let index = self.index_value(register, &register.index)?;
            let scaled = self.builder.binary("mul", index, Value::int(16));
            self.builder.binary("add", scaled, Value::uint(byte))
        } else {
            let index = crate::registers::direct_index(register)?;
            let offset = index.checked_mul(16).and_then(|offset| offset.checked_add(byte));
            offset.map(Value::uint).ok_or_else(|| {
                let message = format!("CONST[{index}] is beyond any buffer");
                invalid(register.range, "register CONST", message)
            })?
        };
        Ok(self.builder.constant_word(descriptor, offset))
    }

    fn constant_descriptor(&mut self, register: &Register) -> Emitted<Value> {
        let Some(dimension) = register.dimension.filter(|one| one.indirect.is_some()) else {
            let buffer = register.dimension.map_or(0, |dimension| dimension.offset);
            let buffer = u32::try_from(buffer).ok().filter(|buffer| *buffer < CONSTANT_BUFFERS);
            let Some(buffer) = buffer else {
                let message = format!("there are only {CONSTANT_BUFFERS} constant buffers");
                return Err(invalid(register.range, "register CONST", message));
            };
            return Ok(self.fixed_constant_descriptor(buffer));
        };
        let index = self.index_value(register, &dimension)?;
        let last = self.declared.constants.keys().next_back().copied().unwrap_or(0);
        let index = self.bounded(index, last.min(CONSTANT_BUFFERS - 1) + 1);
        let index = self.builder.binary("add", index, Value::uint(FIRST_CONSTANT_BUFFER));
        Ok(self.buffer(index))
    }

    /// Descriptors of constant buffers are shared by all their uses, so they
    /// are loaded in the entry block.
    fn fixed_constant_descriptor(&mut self, buffer: u32) -> Value {
        self.entry_value(EntryValue::ConstantBuffer(buffer), |lowering| {
            let Some(last) = lowering.declared.single_constant_buffer() else {
                return lowering.buffer(Value::uint(FIRST_CONSTANT_BUFFER + buffer));
            };
            let list = lowering.list("const_and_shader_buffers");
            let address = lowering.builder.convert("ptrtoint", list, Type::I32);
            let name = lowering.list_name("const_and_shader_buffers");
            lowering.builder.constant_buffers.insert(name);
            let bytes = last.saturating_add(1).saturating_mul(16);
            lowering.builder.raw_buffer(address, ADDRESS_HIGH, bytes)
        })
    }
}
