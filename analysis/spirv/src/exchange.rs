//! The ways by which values come into a shader and go out of it: through the pipeline, or through
//! two storage buffers that whoever executes the module fills and reads, lane by lane, or vertex by
//! vertex.
//!
//! Through buffers every bit of every input and output is exactly known: nothing is interpolated,
//! blended or converted on the way.

use tgsi::Stage;
use tgsi::ast::{Component, Register};
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
    /// The inputs and system values come from the storage buffer [`VALUES_IN`], and the outputs go
    /// to [`VALUES_OUT`], at [`ValuePlaces`]. The lane of a vertex is its number; that of a fragment
    /// follows from its place among two by two pixels, that of a point of the tessellator is the
    /// number of its patch. There is one primitive, and one patch that is written.
    Buffers,
}

/// Pixels of a row of the quad, and all of them.
const SIDE: u32 = 2;
const QUAD: u32 = SIDE * SIDE;

/// The things whose inputs stand together in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputsOf {
    /// Inputs of a lane, before its system values.
    Lanes,
    /// Inputs of a vertex, behind the system values of all lanes; inputs of the patch are among
    /// those of the first.
    Vertices,
}

/// The places of values in their buffers: words, by lane or by vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValuePlaces {
    /// The things that have the inputs.
    pub of: InputsOf,
    /// Input registers of a lane or a vertex, up to the last that is declared.
    pub inputs: u32,
    /// System values of a lane.
    pub system_values: u32,
    /// Output registers of a record, which follow its first word.
    pub outputs: u32,
    /// Records that go out: those of lanes; the vertices that are emitted at most; or the vertices
    /// of a patch and behind them the patch itself.
    pub records: u32,
}

impl ValuePlaces {
    /// Words of the system values of a lane, and of its inputs where they are of lanes.
    fn words_of_lane(&self) -> u32 {
        match self.of {
            InputsOf::Lanes => 4 * (self.inputs + self.system_values),
            InputsOf::Vertices => 4 * self.system_values,
        }
    }

    /// All words that come in, of so many vertices.
    pub fn words_in(&self, vertices: u32) -> u32 {
        QUAD * self.words_of_lane()
            + match self.of {
                InputsOf::Lanes => 0,
                InputsOf::Vertices => vertices * 4 * self.inputs,
            }
    }

    /// Words of a record that goes out.
    pub fn words_out(&self) -> u32 {
        1 + 4 * self.outputs
    }

    /// The word of a component of an input of a lane or vertex.
    pub fn input(&self, owner: u32, register: u32, component: u32) -> u32 {
        let [first, each] = match self.of {
            InputsOf::Lanes => [0, self.words_of_lane()],
            InputsOf::Vertices => [QUAD * self.words_of_lane(), 4 * self.inputs],
        };
        first + owner * each + 4 * register + component
    }

    /// The word of a component of a system value of a lane.
    pub fn system_value(&self, lane: u32, register: u32, component: u32) -> u32 {
        let before = match self.of {
            InputsOf::Lanes => 4 * self.inputs,
            InputsOf::Vertices => 0,
        };
        lane * self.words_of_lane() + before + 4 * register + component
    }

    /// The word of a record that is not 0 where it was written: by a lane that came to its end
    /// alive, or for a vertex with [`ValuePlaces::emitted`].
    pub fn alive(&self) -> u32 {
        0
    }

    /// The first word of a vertex that is emitted to a stream when so many strips of it have
    /// ended.
    pub fn emitted(stream: u32, strips: u32) -> u32 {
        1 + stream + STREAMS * strips
    }

    /// The stream of an emitted vertex, and the strips of the stream that ended before it, by the
    /// first word of its record; `None` where nothing was emitted.
    pub fn place_of_emitted(word: u32) -> Option<(u32, u32)> {
        let word = word.checked_sub(1)?;
        Some((word % STREAMS, word / STREAMS))
    }

    /// The word of a component of an output in a record.
    pub fn output(&self, register: u32, component: u32) -> u32 {
        1 + 4 * register + component
    }
}

/// Streams of vertices.
const STREAMS: u32 = 4;

impl Translation<'_> {
    /// Tells whether values come and go by buffers. Compute shaders have none of their own.
    pub(crate) fn by_buffers(&self) -> bool {
        self.options.exchange == Exchange::Buffers && self.stage() != Stage::Compute
    }

    /// The places of the values of the shader.
    pub(crate) fn value_places(&self) -> ValuePlaces {
        let count = |last: Option<&u32>| last.map_or(0, |last| last.saturating_add(1));
        let declared = &self.declared;
        ValuePlaces {
            of: match self.reads_vertices() {
                true => InputsOf::Vertices,
                false => InputsOf::Lanes,
            },
            inputs: count(declared.inputs.keys().next_back()),
            system_values: count(declared.system_values.keys().next_back()),
            outputs: count(declared.outputs.keys().next_back()),
            records: match self.stage() {
                Stage::Geometry => self.most_emitted().unwrap_or(0),
                Stage::TessellationControl => self.patch_size() + 1,
                _ => QUAD,
            },
        }
    }

    /// The bits of one component of an input that comes by a buffer; `register` is the operand that
    /// reads it.
    pub(crate) fn input_of_buffer(
        &mut self,
        register: &Register,
        index: u32,
        component: Component,
    ) -> Emitted<Value> {
        let places = self.value_places();
        let owner = match (places.of, register.dimension) {
            (InputsOf::Lanes, _) => self.lane(),
            (InputsOf::Vertices, None) => self.builder.uint(0),
            (InputsOf::Vertices, Some(dimension)) => self.input_vertex(register, dimension)?,
        };
        let first = places.input(0, index, component as u32);
        let each = places.input(1, index, component as u32) - first;
        let pointer = self.value_pointer(VALUES_IN, owner, [each, first]);
        Ok(self.builder.load(U32, pointer))
    }

    /// The bits of one component of a system value that comes by a buffer. Subgroups are those
    /// of whoever executes, and so are the numbers of a patch's invocations.
    pub(crate) fn system_value_of_buffer(
        &mut self,
        register: u32,
        name: SemanticName,
        component: Component,
    ) -> Emitted<Value> {
        let is_invocation =
            name == SemanticName::InvocationId && self.stage() == Stage::TessellationControl;
        if name.is_of_subgroup() || is_invocation {
            return self.system_value(name, component);
        }
        let places = self.value_places();
        let lane = self.lane();
        let first = places.system_value(0, register, component as u32);
        let each = places.system_value(1, register, component as u32) - first;
        let pointer = self.value_pointer(VALUES_IN, lane, [each, first]);
        Ok(self.builder.load(U32, pointer))
    }

    /// Writes what the main program leaves behind.
    pub(crate) fn finish_values_out(&mut self) {
        if matches!(self.stage(), Stage::TessellationControl | Stage::Geometry) {
            return;
        }
        let lane = self.lane();
        let alive = self.builder.uint(1);
        self.write_values_out(lane, alive);
    }

    /// Writes all outputs to a record of their buffer, and the word that says so: what a lane that
    /// was killed writes goes nowhere.
    fn write_values_out(&mut self, record: Value, alive: Value) {
        let places = self.value_places();
        let all: Vec<u32> = self.declared.outputs.keys().copied().collect();
        for register in all {
            for component in Component::ALL {
                if !self.is_written(register, component) {
                    continue;
                }
                let cell = self.cell(File::Output, register, component);
                let value = self.builder.load(U32, cell);
                let word = places.output(register, component as u32);
                let pointer = self.value_pointer(VALUES_OUT, record, [places.words_out(), word]);
                self.builder.store(pointer, value);
            }
        }
        let words = [places.words_out(), places.alive()];
        let pointer = self.value_pointer(VALUES_OUT, record, words);
        self.builder.store(pointer, alive);
    }

    /// Writes the record of a vertex that is emitted.
    pub(crate) fn write_emitted(&mut self, stream: u32) {
        let count = self.own_count(VariableKey::Emitted, "emitted");
        let number = self.count_up(count);
        let strips = self.own_count(VariableKey::Strips(stream), "strips");
        let strips = self.builder.load(U32, strips);
        let streams = self.builder.uint(STREAMS);
        let strips = self.builder.binary(Op::IMul, strips, streams);
        let first = self.builder.uint(ValuePlaces::emitted(stream, 0));
        let word = self.builder.binary(Op::IAdd, strips, first);
        // Behind the last record there is nothing, and nothing is written there.
        self.write_values_out(number, word);
    }

    /// Counts a strip of a stream that ends.
    pub(crate) fn end_strip(&mut self, stream: u32) {
        let strips = self.own_count(VariableKey::Strips(stream), "strips");
        self.count_up(strips);
    }

    /// Adds one to a number of the invocation; returns what it was.
    fn count_up(&mut self, variable: Id) -> Value {
        let number = self.builder.load(U32, variable);
        let one = self.builder.uint(1);
        let next = self.builder.binary(Op::IAdd, number, one);
        self.builder.store(variable, next);
        number
    }

    /// A number of the invocation that begins with 0.
    fn own_count(&mut self, key: VariableKey, name: &str) -> Id {
        if let Some(variable) = self.variables.get(&key) {
            return *variable;
        }
        let ty = self.builder.value_type(U32);
        let zero = self.builder.uint(0);
        let variable = self.builder.initialized(ty, zero.id);
        self.builder.name(variable, name);
        self.variables.insert(key, variable);
        variable
    }

    /// Writes one component of an output of a control shader, of a vertex or, without one, of the
    /// patch, to its buffer.
    pub(crate) fn write_control_value_out(
        &mut self,
        vertex: Option<Value>,
        (register, component): (u32, Component),
        value: Value,
    ) {
        let places = self.value_places();
        let record = vertex.unwrap_or_else(|| self.builder.uint(places.records - 1));
        let one = self.builder.uint(1);
        let word = places.output(register, component as u32);
        for (word, value) in [(word, value), (places.alive(), one)] {
            let pointer = self.value_pointer(VALUES_OUT, record, [places.words_out(), word]);
            self.builder.store(pointer, value);
        }
    }

    /// The pointer to a word of a buffer: that of a number, so many words each, and behind a first
    /// one.
    fn value_pointer(&mut self, binding: u32, number: Value, [each, first]: [u32; 2]) -> Id {
        let name = if binding == VALUES_IN { "VALUES_IN" } else { "VALUES_OUT" };
        let own = Binding { number: binding, descriptor: DescriptorType::StorageBuffer };
        let class = StorageClass::StorageBuffer;
        let key = VariableKey::Values(binding);
        let variable = self
            .bound(key, own, class, name.to_owned(), |this| this.builder.block_type(U32, 4, None));
        let [each, first] = [each, first].map(|number| self.builder.uint(number));
        let before = self.builder.binary(Op::IMul, number, each);
        let index = self.builder.binary(Op::IAdd, before, first);
        let member = self.builder.uint(0);
        self.builder.part(class, U32, variable, &[member, index])
    }

    /// The number of the invocation among those of a quad.
    fn lane(&mut self) -> Value {
        match self.stage() {
            Stage::Vertex => self.built_in_number(BuiltIn::VertexIndex),
            Stage::TessellationEvaluation => self.built_in_number(BuiltIn::PrimitiveId),
            Stage::Geometry => self.builder.uint(0),
            Stage::TessellationControl => {
                let number = self.built_in_number(BuiltIn::InvocationId);
                let last = self.builder.uint(QUAD - 1);
                self.builder.binary(Op::BitwiseAnd, number, last)
            }
            Stage::Fragment | Stage::Compute => self.lane_of_pixel(),
        }
    }

    fn lane_of_pixel(&mut self) -> Value {
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
