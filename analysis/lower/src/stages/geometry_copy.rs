//! The program that runs after a geometry shader as a vertex shader: it fetches
//! what the shader emitted from the ring and exports it.
//!
//! The first stream is exported; the others are only captured. Where there is
//! stream output the hardware runs it for each stream and says for which.

use tgsi::Stage;
use tgsi::words::File;

use crate::context::Lowering;
use crate::environment::GeometryPart;
use crate::es_ls_outputs::RING_POLICY;
use crate::internal_buffers::WRITTEN_RING;
use crate::stages::geometry::STREAMS;
use crate::values::{Type, Value};

/// Bytes from a word of a vertex to the next: 16 lanes side by side.
const INTERLEAVED_BYTES: u32 = 64;

impl Lowering<'_> {
    /// Tells whether the copy shader is wanted in place of the shader itself.
    pub(crate) fn is_copy(&self) -> bool {
        self.stage() == Stage::Geometry && self.environment.geometry_part == GeometryPart::Copy
    }

    /// Fetches what was emitted, captures it, and exports the first stream.
    pub(crate) fn copy_emitted(&mut self) {
        let end = self.builder.new_block();
        let captures = !self.environment.stream_output.is_empty();
        let streams = if captures { STREAMS } else { 1 };
        for stream in (1..streams).rev() {
            if self.stream_components(stream).is_empty() {
                continue;
            }
            let wanted = self.copied_stream();
            let this = self.builder.compare("icmp eq", wanted, Value::uint(stream));
            let (inside, others) = (self.builder.new_block(), self.builder.new_block());
            self.builder.branch(this, inside, others);
            self.builder.begin(inside);
            self.fetch_emitted(stream);
            self.capture_stream(stream);
            self.builder.jump(end);
            self.builder.begin(others);
        }
        self.fetch_emitted(0);
        self.capture_stream(0);
        let exported = self.stream_components(0);
        let first = |register: &u32| exported.iter().any(|(other, _)| other == register);
        self.declared.outputs.retain(|register, _| first(register));
        self.export_vertex();
        self.fall_through_to(end);
    }

    /// Fetches the outputs of a stream.
    fn fetch_emitted(&mut self, stream: u32) {
        let components = self.stream_components(stream);
        let most = self.most_vertices().unwrap_or(0);
        let ring = self.internal_buffer(WRITTEN_RING);
        let vertex = self.integer_argument("vertex_id");
        let place = self.builder.binary("shl", vertex, Value::int(2));
        for (number, (register, component)) in (0..).zip(&components) {
            let from = Value::uint(number * most * INTERLEAVED_BYTES);
            let arguments = [ring, place, from, Value::int(RING_POLICY)];
            let name = "llvm.amdgcn.raw.buffer.load.f32";
            let value = self.builder.pure_call(Type::F32, name, &arguments);
            let cell = self.cell(File::Output, *register, *component);
            self.builder.store(value, cell);
        }
    }
}
