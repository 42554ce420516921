//! Buffers, images and other memory: their variables, and the choice among them.

use lower::failure::{invalid, unsupported};
use source::TextRange;
use tgsi::ast::{Component, Index, Register, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, MemoryKind};

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::layout::{
    Binding, CONSTANT_BUFFER_REGISTERS, DescriptorType, FIRST_BUFFER, FIRST_CONSTANT_BUFFER,
    FIRST_IMAGE, FIRST_SAMPLER,
};
use crate::registers::direct_index;
use crate::stages::VariableKey;
use crate::values::{Scalar, Type, U32, Value};
use crate::words::{Decoration, Op, StorageClass};

/// Bytes of memory of a group, or of an invocation, whose size nobody says: what every Vulkan
/// driver has for groups.
const UNKNOWN_MEMORY: u32 = 16384;
/// Bytes of a register of a constant buffer.
const REGISTER_BYTES: u32 = 16;

/// A word in memory that can be pointed to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    pub(crate) class: StorageClass,
    pub(crate) variable: Id,
    /// The number of the first word.
    pub(crate) first: Value,
}

impl Translation<'_> {
    /// Chooses among numbered things of which the pipeline has one binding each: emits what is to
    /// be done for each number below `count`, and goes to the one that `index` is.
    pub(crate) fn each_of(
        &mut self,
        index: Value,
        count: u32,
        ty: Type,
        mut emit: impl FnMut(&mut Self, u32) -> Emitted<Value>,
    ) -> Emitted<Value> {
        let last = count.saturating_sub(1);
        if let Some(bits) = index.bits {
            return emit(self, (bits as u32).min(last));
        }
        if last == 0 || !self.builder.is_live() {
            return emit(self, 0);
        }
        let end = self.builder.new_id();
        let blocks: Vec<(u32, Id)> = (0..count).map(|it| (it, self.builder.new_id())).collect();
        self.builder.selection(end);
        self.builder.switch(index, blocks[last as usize].1, &blocks[..last as usize]);
        let mut operands = Vec::new();
        for (number, block) in blocks {
            self.builder.enter(block);
            let value = emit(self, number)?;
            if let Some(block) = self.builder.current_block() {
                operands.extend([value.id.0, block.0]);
            }
            self.builder.jump(end);
        }
        self.builder.enter(end);
        Ok(self.builder.raw(Op::Phi, ty, &operands))
    }

    /// A variable at a binding.
    pub(crate) fn bound(
        &mut self,
        key: VariableKey,
        binding: Binding,
        class: StorageClass,
        name: String,
        ty: impl FnOnce(&mut Self) -> Id,
    ) -> Id {
        if let Some(variable) = self.variables.get(&key) {
            return *variable;
        }
        let ty = ty(self);
        let variable = self.builder.variable(class, ty);
        self.builder.decorate(variable, Decoration::DescriptorSet, &[0]);
        self.builder.decorate(variable, Decoration::Binding, &[binding.number]);
        if self.coherent.contains(&binding.number) {
            self.builder.decorate(variable, Decoration::Coherent, &[]);
        }
        self.builder.name(variable, &name);
        self.bindings.insert(binding);
        self.variables.insert(key, variable);
        variable
    }

    fn constant_buffer(&mut self, number: u32, range: TextRange) -> Emitted<Id> {
        within(number, FIRST_SAMPLER - FIRST_CONSTANT_BUFFER, "CONST", range)?;
        let binding = Binding {
            number: FIRST_CONSTANT_BUFFER + number,
            descriptor: DescriptorType::UniformBuffer,
        };
        let key = VariableKey::ConstantBuffer(number);
        let name = format!("CONST{number}");
        Ok(self.bound(key, binding, StorageClass::Uniform, name, |this| {
            let element = Type::Vector(Scalar::U32, 4);
            let length = Some(CONSTANT_BUFFER_REGISTERS);
            this.builder.block_type(element, REGISTER_BYTES, length)
        }))
    }

    pub(crate) fn storage_buffer(&mut self, number: u32, range: TextRange) -> Emitted<Id> {
        within(number, FIRST_IMAGE - FIRST_BUFFER, "BUFFER", range)?;
        let binding =
            Binding { number: FIRST_BUFFER + number, descriptor: DescriptorType::StorageBuffer };
        let key = VariableKey::StorageBuffer(number);
        let name = format!("BUFFER{number}");
        Ok(self.bound(key, binding, StorageClass::StorageBuffer, name, |this| {
            this.builder.block_type(U32, 4, None)
        }))
    }

    /// A variable of a type that has no parts: an image, or a texture with its sampler.
    pub(crate) fn opaque(&mut self, binding: Binding, ty: Id, name: String) -> Id {
        let key = VariableKey::Opaque(binding.number, ty);
        self.bound(key, binding, StorageClass::UniformConstant, name, |_| ty)
    }

    /// The bits of one component of a constant.
    pub(crate) fn read_constant(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let buffer = register.dimension.unwrap_or(Index { offset: 0, indirect: None });
        let number = self.index_value(&buffer)?;
        let index = match register.index.indirect {
            Some(_) => self.index_value(&register.index)?,
            None => {
                let index = direct_index(register)?;
                within(index, CONSTANT_BUFFER_REGISTERS, "constant", register.range)?;
                self.builder.uint(index)
            }
        };
        let channel = self.builder.uint(component as u32);
        let last = self.declared.constants.keys().next_back().copied().unwrap_or(0);
        // A fixed number beyond the bindings is refused, not bent.
        let count = match buffer.indirect {
            Some(_) => last.saturating_add(1).min(FIRST_SAMPLER - FIRST_CONSTANT_BUFFER),
            None => u32::MAX,
        };
        self.each_of(number, count, U32, |this, number| {
            let variable = this.constant_buffer(number, register.range)?;
            let first = this.builder.uint(0);
            let class = StorageClass::Uniform;
            let pointer = this.builder.part(class, U32, variable, &[first, index, channel]);
            Ok(this.builder.load(U32, pointer))
        })
    }

    /// The words of a constant buffer from a byte on, of an instruction that accesses it as memory.
    pub(crate) fn constant_word(
        &mut self,
        number: u32,
        word: Value,
        range: TextRange,
    ) -> Emitted<Value> {
        let variable = self.constant_buffer(number, range)?;
        let [zero, two, three] = [0, 2, 3].map(|number| self.builder.uint(number));
        let index = self.builder.binary(Op::ShiftRightLogical, word, two);
        let channel = self.builder.binary(Op::BitwiseAnd, word, three);
        let class = StorageClass::Uniform;
        let pointer = self.builder.part(class, U32, variable, &[zero, index, channel]);
        Ok(self.builder.load(U32, pointer))
    }

    /// The number of a resource, and how many there are where it is computed.
    pub(crate) fn resource_number(&mut self, register: &Register) -> Emitted<(Value, u32)> {
        if register.dimension.is_some() {
            let construct = format!("two-dimensional {}", register.file);
            return Err(unsupported(register.range, construct));
        }
        if register.index.indirect.is_none() {
            let index = direct_index(register)?;
            return Ok((self.builder.uint(index), u32::MAX));
        }
        let number = self.index_value(&register.index)?;
        let most = match register.file {
            File::Sampler | File::SamplerView | File::ConstantBuffer => 16,
            _ => 8,
        };
        let count = self.declared.last(register.file).saturating_add(1).min(most);
        Ok((number, count))
    }

    /// The number of a word from an address in bytes.
    pub(crate) fn word_number(&mut self, address: &Source) -> Emitted<Value> {
        let address = self.fetch(address, Component::X, ValueType::Unsigned)?;
        if let Some(bits) = address.bits {
            return Ok(self.builder.uint(bits as u32 / 4));
        }
        let two = self.builder.uint(2);
        Ok(self.builder.binary(Op::ShiftRightLogical, address, two))
    }

    /// The words of a hardware counter: there are none in Vulkan, so they are words of storage
    /// buffers behind those that the shader declares, one for each buffer of counters.
    pub(crate) fn counter(&mut self, register: &Register) -> Emitted<Words> {
        let buffer = register.dimension.unwrap_or(Index { offset: 0, indirect: None });
        if buffer.indirect.is_some() {
            let construct = "computed number of a buffer of counters".to_owned();
            return Err(unsupported(register.range, construct));
        }
        let number = (buffer.offset as u32).saturating_add(self.declared.buffers);
        let variable = self.storage_buffer(number, register.range)?;
        let first = self.index_value(&register.index)?;
        Ok(Words { class: StorageClass::StorageBuffer, variable, first })
    }

    /// The words of memory without a resource, at an address in bytes.
    pub(crate) fn memory_words(&mut self, register: &Register, address: &Source) -> Emitted<Words> {
        let number = direct_index(register)?;
        let memories = &self.declared.memories;
        // `MEMORY[1], SHARED` is `MEMORY[0]` where it is used.
        let only = memories.values().next().filter(|_| memories.len() == 1);
        let Some(kind) = memories.get(&number).or(only).copied() else {
            let message = format!("MEMORY[{number}] is not declared");
            return Err(invalid(register.range, "register MEMORY", message));
        };
        let environment = &self.options.environment;
        let (class, key, bytes, name) = match kind {
            MemoryKind::Shared => {
                let bytes = environment.shared_memory;
                (StorageClass::Workgroup, VariableKey::SharedMemory, bytes, "SHARED")
            }
            MemoryKind::Private => {
                let bytes = environment.private_memory;
                (StorageClass::Private, VariableKey::PrivateMemory, bytes, "PRIVATE")
            }
            MemoryKind::Global | MemoryKind::Input => {
                let message = format!(
                    "memory of kind {kind} is reached by addresses, and Vulkan knows resources alone"
                );
                return Err(lower::failure::left_open(register.range, "register MEMORY", message));
            }
        };
        let first = self.word_number(address)?;
        let bytes = if bytes == 0 { UNKNOWN_MEMORY } else { bytes };
        let builder = &mut self.builder;
        let variable = *self.variables.entry(key).or_insert_with(|| {
            let word = builder.value_type(U32);
            let ty = builder.array_type(word, bytes.div_ceil(4));
            let variable = builder.variable(class, ty);
            builder.name(variable, name);
            variable
        });
        Ok(Words { class, variable, first })
    }

    /// The pointer to a word, so many words behind the first.
    pub(crate) fn word(&mut self, words: Words, behind: u32) -> Id {
        let offset = self.builder.uint(behind);
        let index = match behind {
            0 => words.first,
            _ => self.builder.binary(Op::IAdd, words.first, offset),
        };
        let member = self.builder.uint(0);
        let indices = match words.class {
            StorageClass::StorageBuffer => vec![member, index],
            _ => vec![index],
        };
        self.builder.part(words.class, U32, words.variable, &indices)
    }
}

/// Refuses a number that has no binding.
pub(crate) fn within(number: u32, count: u32, name: &str, range: TextRange) -> Emitted {
    match number < count {
        true => Ok(()),
        false => Err(unsupported(range, format!("{name} {number}: the layout has {count}"))),
    }
}

/// Tells whether a resource operand of a file is a register with a bindless handle, rather than the
/// resource itself.
pub(crate) fn is_handle(file: File) -> bool {
    matches!(
        file,
        File::Temporary
            | File::Constant
            | File::Input
            | File::Output
            | File::Immediate
            | File::SystemValue
    )
}

/// Refuses a resource that a register names.
pub(crate) fn refuse_handle(register: &Register) -> Emitted {
    if !is_handle(register.file) {
        return Ok(());
    }
    let message = "a bindless handle is a number that the driver gave out, and Vulkan has none";
    Err(lower::failure::left_open(register.range, "bindless handle", message.to_owned()))
}
