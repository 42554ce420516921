//! The state of one lowering: the shader, what it declares, the function being written, and
//! the instruction at hand.

use isa::gcn::Generation;
use rustc_hash::FxHashMap;
use source::TextRange;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Shader};
use tgsi::words::File;

use crate::builder::Builder;
use crate::declared::Declared;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::frames::ControlFlow;
use crate::stages::state::StageState;
use crate::values::{Type, Value};

/// The result of emitting an instruction.
pub(crate) type Emitted<T = ()> = Result<T, Failure>;

/// One lowering.
pub(crate) struct Lowering<'shader> {
    pub(crate) shader: &'shader Shader,
    pub(crate) instructions: Vec<&'shader Instruction>,
    pub(crate) declared: Declared,
    pub(crate) environment: Environment,
    pub(crate) generation: Generation,
    /// The stage of the other shader where two are lowered to one program.
    pub(crate) other_half: Option<Stage>,
    pub(crate) builder: Builder,
    pub(crate) flow: ControlFlow,
    pub(crate) current: Current<'shader>,
    /// The state that only the shader's stage has.
    pub(crate) state: StageState,
    /// The registers that are cells of their own.
    pub(crate) cells: FxHashMap<(File, u32, Component), Value>,
    /// The arrays of the indexed ranges, by place of the range and component.
    pub(crate) arrays: FxHashMap<(usize, Component), Value>,
    entry_values: FxHashMap<EntryValue, Value>,
}

/// The instruction being lowered, and what holds for it alone.
#[derive(Debug, Default)]
pub(crate) struct Current<'shader> {
    /// Its opcode, for failures; the stage before the first instruction.
    pub(crate) place: TextRange,
    /// The instruction itself, if its operands have forms of the first years.
    pub(crate) historic: Option<&'shader Instruction>,
    /// The components that it may write; `None` if all.
    pub(crate) write_conditions: Option<[Value; 4]>,
    /// The factor that its result is multiplied by.
    pub(crate) result_factor: Option<f32>,
    /// The vertex attributes fetched for it.
    pub(crate) attributes: FxHashMap<u32, Value>,
}

/// A value that is made once, in the entry block, where all its uses can reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EntryValue {
    /// The descriptor of a constant buffer with a fixed number.
    ConstantBuffer(u32),
    /// The descriptor of the ring that a geometry shader reads its vertices from.
    ReadRing,
    /// The descriptor of the buffer between the stages of tessellation.
    OffchipBuffer,
    /// The lane's own memory.
    PrivateMemory,
    /// The registers of the historic stack.
    StackRegisters,
    /// The cell with the number of registers on that stack.
    StackHeight,
}

impl<'shader> Lowering<'shader> {
    /// Begins a lowering. `declared` must come from the same shader.
    pub(crate) fn new(
        shader: &'shader Shader,
        declared: Declared,
        generation: Generation,
        environment: Environment,
        builder: Builder,
    ) -> Lowering<'shader> {
        Lowering {
            shader,
            instructions: shader.instructions().collect(),
            declared,
            environment,
            generation,
            other_half: None,
            builder,
            flow: ControlFlow::default(),
            current: Current { place: shader.stage.range, ..Current::default() },
            state: StageState::default(),
            cells: FxHashMap::default(),
            arrays: FxHashMap::default(),
            entry_values: FxHashMap::default(),
        }
    }

    /// The stage of the shader.
    pub(crate) fn stage(&self) -> Stage {
        self.shader.stage.value
    }

    /// Begins an instruction: what held for the one before holds no more.
    pub(crate) fn begin_instruction(&mut self, instruction: &'shader Instruction) {
        let historic = (!instruction.historic.is_empty()).then_some(instruction);
        let place = instruction.opcode.range;
        self.current = Current { place, historic, ..Current::default() };
        self.builder.set_line(instruction.ordinal);
    }

    /// Returns a value that all its uses share; the first use makes it, in the entry block.
    pub(crate) fn entry_value(
        &mut self,
        key: EntryValue,
        make: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if let Some(value) = self.entry_values.get(&key) {
            return *value;
        }
        let value = self.in_entry(make);
        self.entry_values.insert(key, value);
        value
    }

    /// Emits to the entry block.
    pub(crate) fn in_entry<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.builder.in_entry, true);
        let emitted = emit(self);
        self.builder.in_entry = before;
        emitted
    }

    /// An integer argument, or what stands for it.
    pub(crate) fn integer_argument(&self, name: &'static str) -> Value {
        self.state.remapped(name).unwrap_or_else(|| Value::argument(Type::I32, name))
    }

    /// A float argument.
    pub(crate) fn float_argument(&self, name: &'static str) -> Value {
        Value::argument(Type::F32, name)
    }
}
