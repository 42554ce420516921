//! The geometry stage: the vertices of a primitive, emitted vertices, streams.
//!
//! What is emitted goes through a ring in memory to the copy shader
//! (`geometry_copy.rs`), while messages tell the hardware how many vertices and
//! strips there are.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction, PropertyValue, Register};
use tgsi::opcodes::ValueType;
use tgsi::words::{Primitive, PropertyName, SemanticName};
use tgsi::{Opcode, Stage};

use crate::context::{Emitted, EntryValue, Lowering};
use crate::failure::{Failure, invalid, left_open, unsupported};
use crate::internal_buffers::{READ_RING, WRITTEN_RING};
use crate::opcodes::only_in;
use crate::stages::state::Stream;
use crate::values::{Element, Type, Value};

/// Opcodes that named no stream until 2014 and then mean the first.
pub const STREAM_MAY_LACK: [Opcode; 2] = [Opcode::EMIT, Opcode::ENDPRIM];

/// Cache policy of reads: past the first level cache, of a swizzled buffer.
const READ_POLICY: i32 = 1 | 8;
/// Messages to the unit that assembles primitives.
const EMIT_MESSAGE: i32 = 0x22;
const CUT_MESSAGE: i32 = 0x12;
const DONE_MESSAGE: i32 = 3;
/// The stream of an `EMIT` or `CUT` message begins at this bit.
const MESSAGE_STREAM: i32 = 8;
/// The streams of vertices.
pub(crate) const STREAMS: u32 = 4;
/// The most words that all vertices of a primitive have in one stream: a ring
/// descriptor's stride has 14 bits, in bytes.
const MOST_STREAM_WORDS: u32 = (1 << 14) / 4 - 1;
/// The second word of a ring descriptor, beside stride and address: lanes are
/// interleaved.
const SWIZZLED: u32 = 1 << 31;
/// The first bit of the stride in that word.
const STRIDE: u32 = 16;
/// Lanes of a wave: the records of a ring.
const RECORDS: u32 = 64;
/// The fourth word: 32-bit elements of 4 bytes, 16 lanes side by side, the
/// lane's number added to the index.
const INTERLEAVED_WORDS: u32 = 0x00aa_7fac;

impl Lowering<'_> {
    /// The most vertices that one invocation emits; numbers beyond what any
    /// ring has room for are all alike.
    pub(crate) fn most_vertices(&self) -> Option<u32> {
        [PropertyName::GeometryMaxOutputVertices, PropertyName::GeometryMaxVertices]
            .into_iter()
            .find_map(|name| self.declared.property(name))
            .map(|most| most.min(MOST_STREAM_WORDS + 1))
    }

    /// Returns the number of vertices of an input primitive.
    fn vertices_in(&self) -> u32 {
        match self.declared.property_value(PropertyName::GeometryInputPrimitive) {
            Some(PropertyValue::Primitive(primitive)) => primitive.geometry_vertices(),
            _ => 6,
        }
    }

    /// Tells whether the primitives that come in are such as a chip hands on, so that their
    /// vertices are known.
    fn counts_vertices(&self) -> bool {
        let kind = self.declared.property_value(PropertyName::GeometryInputPrimitive);
        let Some(PropertyValue::Primitive(primitive)) = kind else { return true };
        !matches!(
            primitive,
            Primitive::Quads | Primitive::QuadStrip | Primitive::Polygon | Primitive::Patches
        )
    }

    /// The outputs' components that go to a stream, in the order of the ring.
    pub(crate) fn stream_components(&self, stream: u32) -> Vec<(u32, Component)> {
        let mut components = Vec::new();
        for (register, output) in &self.declared.outputs {
            for component in output.mask.components() {
                if output.streams[component as usize] == stream {
                    components.push((*register, component));
                }
            }
        }
        components
    }

    /// Returns the reasons why the shader cannot be lowered as a whole: too many words for the
    /// ring, or no number of vertices.
    pub(crate) fn geometry_failures(&self) -> Vec<Failure> {
        let Some(most) = self.most_vertices() else {
            let message = "GS_MAX_OUTPUT_VERTICES does not say how many vertices there are";
            return vec![left_open(self.current.place, "property", message.to_owned())];
        };
        let words = (0..STREAMS)
            .map(|stream| (self.stream_components(stream).len() as u32).saturating_mul(most));
        match words.max() {
            Some(words) if words > MOST_STREAM_WORDS => {
                let construct = format!("{words} words for the vertices of a primitive");
                vec![unsupported(self.current.place, construct)]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the offset of a vertex of the primitive, in words.
    fn vertex_offset(&mut self, vertex: u32) -> Value {
        if self.generation >= Generation::Gfx9 {
            let pairs = ["vertices01", "vertices23", "vertices45"];
            let pair = pairs[(vertex / 2).min(2) as usize];
            return self.argument_field(pair, (vertex % 2) as i32 * 16, 16);
        }
        let names = ["vertex0", "vertex1", "vertex2", "vertex3", "vertex4", "vertex5"];
        self.integer_argument(names[vertex.min(5) as usize])
    }

    /// Returns the offset of the vertex that an operand names, in words. A computed number chooses
    /// among the offsets, which are registers.
    fn chosen_vertex(&mut self, register: &Register, vertex: Value) -> Emitted<Value> {
        let count = self.vertices_in();
        if let Some(vertex) = vertex.constant_bits() {
            if vertex >= count {
                let message = format!("the primitive has {count} vertices");
                let failure = if self.counts_vertices() { invalid } else { left_open };
                return Err(failure(register.range, "register IN", message));
            }
            return Ok(self.vertex_offset(vertex));
        }
        let mut chosen = self.vertex_offset(0);
        for other in 1..count {
            let offset = self.vertex_offset(other);
            let this = self.builder.compare("icmp eq", vertex, Value::uint(other));
            chosen = self.builder.select(this, offset, chosen);
        }
        Ok(chosen)
    }

    /// One component of an input.
    pub(crate) fn geometry_input(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let index = u32::try_from(register.index.offset).unwrap_or(0);
        let semantic = self.declared.inputs.get(&index).and_then(|input| input.semantic);
        let direct = register.index.indirect.is_none();
        if direct && semantic.is_some_and(|one| one.name == SemanticName::PrimitiveId) {
            let number = self.integer_argument("geometry_primitive_id");
            return Ok(self.builder.bitcast(number, Type::F32));
        }
        let attribute = self.attribute_place(register)?;
        let vertex = self.chosen_vertex(register, attribute.vertex.unwrap_or(Value::int(0)))?;
        let word = attribute.slot.number() * 4 + component as u32;
        if self.generation >= Generation::Gfx9 {
            let mut place = self.builder.binary("add", vertex, Value::uint(word));
            if let Some(further) = attribute.further {
                let further = self.builder.binary("shl", further, Value::int(2));
                place = self.builder.binary("add", place, further);
            }
            return Ok(self.load_group_word(place));
        }
        let ring = self.entry_value(EntryValue::ReadRing, |it| it.internal_buffer(READ_RING));
        let mut place = self.builder.binary("shl", vertex, Value::int(2));
        if let Some(further) = attribute.further {
            // 64 lanes of four words of four bytes.
            let further = self.builder.binary("shl", further, Value::int(10));
            place = self.builder.binary("add", place, further);
        }
        // The ring interleaves lanes: a word of all 64 of them comes before the next.
        let from = Value::uint(word * 64 * 4);
        let arguments = [ring, place, from, Value::int(READ_POLICY)];
        Ok(self.builder.pure_call(Type::F32, "llvm.amdgcn.raw.buffer.load.f32", &arguments))
    }

    /// A geometry shader's system value.
    pub(crate) fn geometry_system_value(&mut self, name: SemanticName) -> Option<Value> {
        Some(match name {
            SemanticName::PrimitiveId => self.integer_argument("geometry_primitive_id"),
            SemanticName::InvocationId => self.integer_argument("invocation_id"),
            SemanticName::VerticesIn => Value::uint(self.vertices_in()),
            _ => return None,
        })
    }

    /// The part of the ring that a stream has, and how full it is. Each lane
    /// writes its vertices one after the other, component by component.
    fn stream(&mut self, stream: u32) -> Stream {
        if let Some(known) = self.state.streams.get(&stream) {
            return *known;
        }
        let most = self.most_vertices().unwrap_or(0);
        let strides = [0, 1, 2, 3].map(|one| self.stream_components(one).len() as u32 * 4 * most);
        // The streams share one ring, each behind those before it.
        let behind: u32 = strides[..stream as usize].iter().sum::<u32>() * RECORDS;
        let [ring, count] = self.in_entry(|lowering| {
            let whole = lowering.internal_buffer(WRITTEN_RING);
            let mut address = [0, 1].map(|word| lowering.builder.extract(whole, word));
            if behind > 0 {
                let base = lowering.wide(address[0], address[1], Type::I64);
                let moved = lowering.builder.binary("add", base, Value::long(behind.into()));
                address = lowering.halves(moved);
            }
            let shape = (strides[stream as usize] << STRIDE) | SWIZZLED;
            let high = lowering.builder.binary("or", address[1], Value::uint(shape));
            let words = [address[0], high, Value::uint(RECORDS), Value::uint(INTERLEAVED_WORDS)];
            let ring = lowering.builder.vector(Element::I32, &words);
            let count = lowering.builder.allocate(Type::I32, None);
            lowering.builder.store(Value::int(0), count);
            [ring, count]
        });
        let new = Stream { ring, count, known: Some(0) };
        self.state.streams.insert(stream, new);
        new
    }

    /// The number of the wave, which goes with every message.
    fn wave_id(&mut self) -> Value {
        match self.generation >= Generation::Gfx9 {
            true => self.argument_field("wave_info", 16, 8),
            false => self.integer_argument("wave_id"),
        }
    }

    fn send(&mut self, message: i32) {
        // It goes into M0, from which the unit knows the wave.
        let wave = self.wave_id();
        let arguments = [Value::int(message), wave];
        self.builder.call(Type::Void, "llvm.amdgcn.s.sendmsg", &arguments);
    }

    /// Ends a geometry shader: no more vertices come.
    pub(crate) fn finish_geometry(&mut self) {
        self.send(DONE_MESSAGE);
    }

    /// The stream that an instruction names; 0 where a historic one names none.
    fn instruction_stream(&mut self, instruction: &Instruction) -> Emitted<u32> {
        let Some(source) = instruction.sources.first() else { return Ok(0) };
        let stream = self.fetch(source, Component::X, ValueType::Unsigned)?;
        match stream.constant_bits() {
            Some(stream) if stream < STREAMS => Ok(stream),
            Some(stream) => {
                let message = format!("there is no stream {stream}, only 0 to 3");
                Err(invalid(source.register.range, "operand", message))
            }
            None => {
                let construct = "a stream that is not an immediate".to_owned();
                Err(unsupported(source.register.range, construct))
            }
        }
    }
}

/// Writes the outputs to the ring, if the vertex is one of those announced.
pub(crate) fn emit_vertex(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Geometry, lowering.stage(), instruction)?;
    let number = lowering.instruction_stream(instruction)?;
    let most = lowering.most_vertices().unwrap_or(0);
    let components = lowering.stream_components(number);
    if components.is_empty() {
        return Ok(());
    }
    let Stream { ring, count, known } = lowering.stream(number);
    let known = known.filter(|_| lowering.flow.is_straight());
    let next = known.map(|vertices| vertices.saturating_add(1));
    lowering.state.streams.insert(number, Stream { ring, count, known: next });
    let behind = lowering.builder.new_block();
    let vertex = match known {
        // The ring has no room for more than was announced.
        Some(vertices) if vertices >= most => return Ok(()),
        Some(vertices) => Value::uint(vertices),
        None => {
            let vertex = lowering.builder.load(Type::I32, count);
            let fits = lowering.builder.compare("icmp ult", vertex, Value::uint(most));
            let inside = lowering.builder.new_block();
            lowering.builder.branch(fits, inside, behind);
            lowering.builder.begin(inside);
            vertex
        }
    };
    for (place, (register, component)) in (0..).zip(components) {
        let value = lowering.output(register, component);
        let word = lowering.builder.binary("add", vertex, Value::uint(place * most));
        let byte = lowering.builder.binary("shl", word, Value::int(2));
        let from = lowering.integer_argument("ring_offset");
        lowering.store_ring_word(ring, value, byte, from);
    }
    let next = lowering.builder.binary("add", vertex, Value::int(1));
    lowering.builder.store(next, count);
    lowering.send(EMIT_MESSAGE | (number as i32) << MESSAGE_STREAM);
    if known.is_none() {
        lowering.fall_through_to(behind);
    }
    Ok(())
}

pub(crate) fn end_primitive(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Geometry, lowering.stage(), instruction)?;
    let number = lowering.instruction_stream(instruction)?;
    lowering.send(CUT_MESSAGE | (number as i32) << MESSAGE_STREAM);
    Ok(())
}
