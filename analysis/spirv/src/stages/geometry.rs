//! Geometry shaders: primitives in, vertices out.

use lower::failure::{left_open, unsupported};
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, PropertyValue};
use tgsi::opcodes::ValueType;
use tgsi::words::{Primitive, PropertyName};

use crate::context::{Emitted, Translation};
use crate::stages::only_in;
use crate::values::Value;
use crate::words::{Capability, ExecutionMode, Op};

impl Translation<'_> {
    pub(super) fn input_primitive(&self) -> Primitive {
        match self.declared.property_value(PropertyName::GeometryInputPrimitive) {
            Some(PropertyValue::Primitive(primitive)) => primitive,
            _ => Primitive::Triangles,
        }
    }

    /// The vertices of the primitive that a geometry shader reads.
    pub(super) fn primitive_vertices(&self) -> u32 {
        match self.input_primitive() {
            Primitive::Points => 1,
            Primitive::Lines | Primitive::LineLoop | Primitive::LineStrip => 2,
            Primitive::LinesAdjacency | Primitive::LineStripAdjacency => 4,
            Primitive::TrianglesAdjacency | Primitive::TriangleStripAdjacency => 6,
            _ => 3,
        }
    }

    /// Declares the primitives that go in and come out.
    pub(super) fn declare_geometry(&mut self) -> Emitted {
        self.builder.require(Capability::Geometry);
        let input = match self.primitive_vertices() {
            1 => ExecutionMode::InputPoints,
            2 => ExecutionMode::InputLines,
            4 => ExecutionMode::InputLinesAdjacency,
            6 => ExecutionMode::InputTrianglesAdjacency,
            _ => ExecutionMode::Triangles,
        };
        let output = match self.declared.property_value(PropertyName::GeometryOutputPrimitive) {
            Some(PropertyValue::Primitive(Primitive::Points)) => ExecutionMode::OutputPoints,
            Some(PropertyValue::Primitive(Primitive::LineStrip | Primitive::Lines)) => {
                ExecutionMode::OutputLineStrip
            }
            _ => ExecutionMode::OutputTriangleStrip,
        };
        let Some(most) = self.most_emitted() else {
            let message = "a geometry shader must say how many vertices it emits at most: \
                           PROPERTY GS_MAX_OUTPUT_VERTICES";
            let range = self.place;
            return Err(left_open(range, "property GS_MAX_OUTPUT_VERTICES", message.to_owned()));
        };
        let runs = self.property(PropertyName::GeometryInvocations).max(1);
        self.builder.mode(input, &[]);
        self.builder.mode(ExecutionMode::Invocations, &[runs]);
        self.builder.mode(output, &[]);
        self.builder.mode(ExecutionMode::OutputVertices, &[most]);
        if self.has_streams() {
            self.builder.require(Capability::GeometryStreams);
        }
        Ok(())
    }

    /// The vertices that may be emitted, if the shader says how many.
    pub(crate) fn most_emitted(&self) -> Option<u32> {
        let most = [PropertyName::GeometryMaxOutputVertices, PropertyName::GeometryMaxVertices];
        most.into_iter().find_map(|name| self.declared.property(name))
    }

    /// Tells whether vertices go to more than the first stream.
    fn has_streams(&self) -> bool {
        self.declared.outputs.values().any(|output| output.streams.iter().any(|it| *it != 0))
    }

    /// The number of a stream, which SPIR-V wants to be constant.
    fn stream(&mut self, instruction: &Instruction) -> Emitted<u32> {
        let Some(source) = instruction.sources.first() else { return Ok(0) };
        let stream = self.fetch(source, Component::X, ValueType::Unsigned)?;
        match stream {
            Value { bits: Some(bits @ 0..=3), .. } => Ok(bits as u32),
            _ => Err(unsupported(source.range, "a stream beyond 3, or a computed one".to_owned())),
        }
    }

    fn end_in_stream(&mut self, stream: u32, first: Op, numbered: Op) {
        if !self.has_streams() && stream == 0 {
            return self.builder.effect(first, &[]);
        }
        self.builder.require(Capability::GeometryStreams);
        let stream = self.builder.uint(stream);
        self.builder.effect(numbered, &[stream.id.0]);
    }
}

pub(crate) fn emit_vertex(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Geometry, this.stage(), instruction)?;
    let stream = this.stream(instruction)?;
    match this.by_buffers() {
        true => this.write_emitted(stream),
        false => this.write_outputs(Some(stream))?,
    }
    this.end_in_stream(stream, Op::EmitVertex, Op::EmitStreamVertex);
    Ok(())
}

pub(crate) fn end_primitive(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Geometry, this.stage(), instruction)?;
    let stream = this.stream(instruction)?;
    if this.by_buffers() {
        this.end_strip(stream);
    }
    this.end_in_stream(stream, Op::EndPrimitive, Op::EndStreamPrimitive);
    Ok(())
}
