//! The ways by which values come into a shader and go out of it: through the pipeline, or through
//! two storage buffers that whoever executes the module fills and reads, lane by lane.
//!
//! Through buffers every bit of every input and output is exactly known: nothing is interpolated,
//! blended or converted on the way.

use lower::declared::Declared;
use lower::failure::{Failure, unsupported};
use tgsi::Stage;
use tgsi::ast::Component;
use tgsi::words::{File, SemanticName};

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::layout::{Binding, DescriptorType, VALUES_IN, VALUES_OUT};
use crate::stages::{VECTOR, VariableKey};
use crate::values::{F32, U32, Value};
use crate::words::{BuiltIn, Op, StorageClass};

/// The way by which values come in and go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Exchange {
    /// As a pipeline has it: attributes, varyings, built-in values, colours.
    #[default]
    Pipeline,
    /// Of vertices and fragments the inputs and system values come from the storage buffer
    /// [`VALUES_IN`], and the outputs go to [`VALUES_OUT`], at [`ValuePlaces`]. The lane of a
    /// vertex is its number; that of a fragment follows from its place among two by two pixels.
    Buffers,
}

/// Pixels of a row of the quad.
const SIDE: u32 = 2;

/// The places of values in their buffers: words, lane by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValuePlaces {
    /// Input registers of a lane, up to the last that is declared.
    pub inputs: u32,
    /// System values, which follow them.
    pub system_values: u32,
    /// Output registers, which follow the word that says that a lane came to its end alive.
    pub outputs: u32,
}

impl ValuePlaces {
    pub(crate) fn of(declared: &Declared) -> ValuePlaces {
        let count = |last: Option<&u32>| last.map_or(0, |last| last.saturating_add(1));
        ValuePlaces {
            inputs: count(declared.inputs.keys().next_back()),
            system_values: count(declared.system_values.keys().next_back()),
            outputs: count(declared.outputs.keys().next_back()),
        }
    }

    /// Words of a lane that come in.
    pub fn words_in(&self) -> u32 {
        4 * (self.inputs + self.system_values)
    }

    /// Words of a lane that go out.
    pub fn words_out(&self) -> u32 {
        1 + 4 * self.outputs
    }

    /// The word of a component of an input among those of its lane.
    pub fn input(&self, register: u32, component: u32) -> u32 {
        4 * register + component
    }

    /// The word of a component of a system value.
    pub fn system_value(&self, register: u32, component: u32) -> u32 {
        4 * (self.inputs + register) + component
    }

    /// The word that is 1 where a lane came to its end alive.
    pub fn alive(&self) -> u32 {
        0
    }

    /// The word of a component of an output.
    pub fn output(&self, register: u32, component: u32) -> u32 {
        1 + 4 * register + component
    }
}

impl Translation<'_> {
    /// Tells whether values come and go by buffers. Compute shaders have none of their own.
    pub(crate) fn by_buffers(&self) -> bool {
        self.options.exchange == Exchange::Buffers && self.stage() != Stage::Compute
    }

    /// Returns the reasons why the values of the shader cannot come and go by buffers.
    pub(crate) fn refused_exchange(&self) -> Vec<Failure> {
        if !self.by_buffers() || matches!(self.stage(), Stage::Vertex | Stage::Fragment) {
            return Vec::new();
        }
        let construct = format!("values by buffers in {}", self.stage());
        vec![unsupported(self.shader.stage.range, construct)]
    }

    /// The bits of one component of an input that comes by a buffer.
    pub(crate) fn input_of_buffer(&mut self, register: u32, component: Component) -> Value {
        let places = ValuePlaces::of(&self.declared);
        self.value_in(places.input(register, component as u32))
    }

    /// The bits of one component of a system value that comes by a buffer. Subgroups are those
    /// of whoever executes.
    pub(crate) fn system_value_of_buffer(
        &mut self,
        register: u32,
        name: SemanticName,
        component: Component,
    ) -> Emitted<Value> {
        if name.is_of_subgroup() {
            return self.system_value(name, component);
        }
        let places = ValuePlaces::of(&self.declared);
        Ok(self.value_in(places.system_value(register, component as u32)))
    }

    fn value_in(&mut self, word: u32) -> Value {
        let lane = ValuePlaces::of(&self.declared).words_in();
        let pointer = self.value_pointer(VALUES_IN, lane, word);
        self.builder.load(U32, pointer)
    }

    /// Writes all outputs to their buffer, and that the lane is alive: what a lane that was killed
    /// writes goes nowhere.
    pub(crate) fn write_values_out(&mut self) {
        let places = ValuePlaces::of(&self.declared);
        let all: Vec<u32> = self.declared.outputs.keys().copied().collect();
        for register in all {
            for component in Component::ALL {
                // What nothing writes has no variable.
                let written = self.declared.indexed_range(File::Output, register).is_some()
                    || self.cells.contains_key(&(File::Output, register, component));
                if !written {
                    continue;
                }
                let cell = self.cell(File::Output, register, component);
                let value = self.builder.load(U32, cell);
                let word = places.output(register, component as u32);
                let pointer = self.value_pointer(VALUES_OUT, places.words_out(), word);
                self.builder.store(pointer, value);
            }
        }
        let pointer = self.value_pointer(VALUES_OUT, places.words_out(), places.alive());
        let alive = self.builder.uint(1);
        self.builder.store(pointer, alive);
    }

    /// The pointer to a word of the invocation's own lane, of so many words.
    fn value_pointer(&mut self, binding: u32, lane_words: u32, word: u32) -> Id {
        let name = if binding == VALUES_IN { "VALUES_IN" } else { "VALUES_OUT" };
        let own = Binding { number: binding, descriptor: DescriptorType::StorageBuffer };
        let class = StorageClass::StorageBuffer;
        let key = VariableKey::Values(binding);
        let variable = self
            .bound(key, own, class, name.to_owned(), |this| this.builder.block_type(U32, 4, None));
        let lane = self.lane();
        let [lane_words, word] = [lane_words, word].map(|number| self.builder.uint(number));
        let first = self.builder.binary(Op::IMul, lane, lane_words);
        let index = self.builder.binary(Op::IAdd, first, word);
        let member = self.builder.uint(0);
        self.builder.part(class, U32, variable, &[member, index])
    }

    /// The number of the invocation.
    fn lane(&mut self) -> Value {
        if self.stage() == Stage::Vertex {
            return self.built_in_number(BuiltIn::VertexIndex);
        }
        let class = StorageClass::Input;
        let place = self.built_in(class, BuiltIn::FragCoord, VECTOR);
        let [x, y] = [Component::X, Component::Y].map(|axis| {
            let axis = self.builder.uint(axis as u32);
            let pointer = self.builder.part(class, F32, place, &[axis]);
            let value = self.builder.load(F32, pointer);
            self.builder.op(Op::ConvertFToU, U32, &[value])
        });
        let side = self.builder.uint(SIDE);
        let rows = self.builder.binary(Op::IMul, y, side);
        self.builder.binary(Op::IAdd, rows, x)
    }
}
