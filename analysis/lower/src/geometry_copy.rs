//! The program that runs after a geometry shader as a vertex shader: it fetches
//! what the shader emitted from the ring and exports it.
//!
//! It exists for the first stream; the others are only captured.

use tgsi::Stage;
use tgsi::words::File;

use crate::context::Lowering;
use crate::environment::GeometryPart;
use crate::geometry::WRITTEN_RING;
use crate::handover::RING_POLICY;
use crate::values::{DESCRIPTOR4, Type, Value};

/// Bytes from a word of a vertex to the next: 16 lanes side by side.
const INTERLEAVED_BYTES: u32 = 64;

impl Lowering<'_> {
    /// Whether the copy shader is wanted in place of the shader itself.
    pub(crate) fn is_copy(&self) -> bool {
        self.stage == Stage::Geometry && self.environment.geometry_part == GeometryPart::Copy
    }

    /// Fetches the outputs of the first stream.
    pub(crate) fn fetch_emitted(&mut self) {
        let components = self.stream_components(0);
        let most = self.most_vertices().unwrap_or(0);
        let list = self.list("rw_buffers");
        let ring = self.builder.descriptor(list, DESCRIPTOR4, Value::uint(WRITTEN_RING));
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
        let first = |register: &u32| components.iter().any(|(other, _)| other == register);
        self.declared.outputs.retain(|register, _| first(register));
    }
}
