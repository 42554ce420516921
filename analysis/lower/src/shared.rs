//! Memory that the lanes of a group share, and the other kinds of `MEMORY`.
//!
//! It begins at address 0. How much of it a shader has is not in its text: the
//! state that it is used with says so.

use tgsi::ast::{Component, Register, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::MemoryKind;

use crate::builder::Builder;
use crate::constants::FIRST_CONSTANT_BUFFER;
use crate::context::{Emitted, EntryValue, Lowering};
use crate::failure::{invalid, unsupported};
use crate::resources::{Access, Resource};
use crate::values::{Element, Type, Value};

/// The name of the definition.
const NAME: &str = "shared";

impl Builder {
    /// The address of one of the four words at a place in shared memory.
    pub(crate) fn shared_word(&mut self, pointer: Value, component: Component) -> Value {
        match component {
            Component::X => pointer,
            _ => self.shared_address(pointer, Value::int(component as i32 * 4)),
        }
    }

    /// The four words at a place in shared memory; LLVM drops what is not used.
    pub(crate) fn shared_words(&mut self, pointer: Value) -> Value {
        let words = Component::ALL.map(|component| {
            let place = self.shared_word(pointer, component);
            self.load(Type::F32, place)
        });
        self.vector(Element::F32, &words)
    }
}

impl Lowering<'_> {
    /// The definition of shared memory, for modules that use some. One of
    /// unknown size is taken to begin at its alignment, which is address 0; with a small one
    /// LLVM leaves the address to a relocation.
    pub(crate) fn shared_memory_definition(&self) -> String {
        if !self.builder.uses_shared_memory {
            return String::new();
        }
        match self.environment.shared_memory.div_ceil(4) {
            0 => format!("@{NAME} = external addrspace(3) global [0 x i32], align 65536\n\n"),
            words => {
                format!(
                    "@{NAME} = internal addrspace(3) global [{words} x i32] undef, align 16\n\n"
                )
            }
        }
    }

    /// The place in memory that an address names. No driver for these chips had
    /// the kinds that came for compute languages, so they follow their sentence in
    /// the documentation: global memory is all that 32 bits of address reach, and
    /// the inputs of a kernel are where drivers put them, in constant buffer 0.
    pub(crate) fn memory_place(
        &mut self,
        register: &Register,
        address: &Source,
        access: Access,
    ) -> Emitted<Resource> {
        let index = u32::try_from(register.index.offset).unwrap_or(0);
        let kind = self.declared.memories.get(&index).copied().unwrap_or(MemoryKind::Shared);
        let offset = self.fetch(address, Component::X, ValueType::Unsigned)?;
        Ok(match kind {
            MemoryKind::Shared => {
                self.builder.uses_shared_memory = true;
                let base = Value::global(Type::SharedPointer, NAME);
                Resource::Shared { pointer: self.builder.shared_address(base, offset) }
            }
            MemoryKind::Private => {
                let base = self.private_memory(register)?;
                Resource::Shared { pointer: self.builder.shared_address(base, offset) }
            }
            MemoryKind::Global => {
                let descriptor = self.builder.raw_buffer(Value::int(0), 0, u32::MAX);
                Resource::Raw { descriptor, offset }
            }
            MemoryKind::Input if access == Access::Write => {
                let message = "the inputs of a kernel are not written".to_owned();
                return Err(invalid(register.range, "memory of kind INPUT", message));
            }
            MemoryKind::Input => {
                let descriptor = self.buffer(Value::uint(FIRST_CONSTANT_BUFFER));
                Resource::Raw { descriptor, offset }
            }
        })
    }

    /// The memory of the lane's own.
    fn private_memory(&mut self, register: &Register) -> Emitted<Value> {
        let words = self.environment.private_memory.div_ceil(4);
        if words == 0 {
            let construct =
                "private memory of unknown size (`private-memory=BYTES` says it)".to_owned();
            return Err(unsupported(register.range, construct));
        }
        Ok(self.entry_value(EntryValue::PrivateMemory, |lowering| {
            lowering.builder.allocate(Type::I32, Some(words))
        }))
    }
}
