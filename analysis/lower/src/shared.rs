//! Memory that the lanes of a group share.
//!
//! It begins at address 0. How much of it a shader has is not in its text: the
//! state that it is used with says so.

use tgsi::ast::{Component, Register, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::MemoryKind;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::memory::Resource;
use crate::unsupported;
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
    /// unknown size is taken to begin at its alignment, which is address 0.
    pub(crate) fn shared_memory_definition(&self) -> String {
        if !self.uses_shared_memory {
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

    /// The place in shared memory that an address names.
    pub(crate) fn shared_place(
        &mut self,
        register: &Register,
        address: &Source,
    ) -> Emitted<Resource> {
        let index = u32::try_from(register.index.offset).unwrap_or(0);
        let kind = self.declared.memories.get(&index).copied().unwrap_or(MemoryKind::Shared);
        if kind != MemoryKind::Shared {
            return Err(unsupported(register.range, format!("memory of kind {kind}")));
        }
        let offset = self.fetch(address, Component::X, ValueType::Unsigned)?;
        self.uses_shared_memory = true;
        let base = Value::global(Type::SharedPointer, NAME);
        Ok(Resource::Shared { pointer: self.builder.shared_address(base, offset) })
    }
}
