//! Stream output, also called transform feedback: the last stage before the rasterizer writes
//! outputs to buffers beside exporting them.
//!
//! Vertex, evaluation and copy shaders do it. The hardware counts the primitives
//! and passes the shader how many of its lanes may write, and where.

use tgsi::ast::Component;

use crate::captures::{BUFFERS, Capture};
use crate::context::Lowering;
use crate::internal_buffers::STREAM_OUTPUT;
use crate::memory::BufferPlace;
use crate::values::Value;

/// Cache policy of the stores: past the first level cache, not to be kept.
const POLICY: i32 = 1 | 2;
/// Fields of the scalar that configures stream output, first bit and width: the number of
/// lanes that may write, and the stream that a copy shader is run for.
const LANES: (i32, i32) = (16, 7);
const STREAM: (i32, i32) = (24, 2);

/// The scalars that say where in each buffer the wave writes.
const OFFSETS: [&str; BUFFERS] =
    ["stream_offset0", "stream_offset1", "stream_offset2", "stream_offset3"];

impl Lowering<'_> {
    /// The parameters that stream output adds behind the user data, if there is
    /// any. An evaluation shader's configuration comes in a scalar that it has
    /// without stream output, too.
    pub(crate) fn stream_parameters(&self) -> String {
        let captured = &self.environment.stream_output;
        if captured.is_empty() {
            return String::new();
        }
        let mut names = String::from("stream_configuration stream_index");
        for (name, stride) in OFFSETS.iter().zip(captured.strides()) {
            if stride > 0 {
                names.push(' ');
                names.push_str(name);
            }
        }
        names
    }

    /// The stream that a copy shader is run for.
    pub(crate) fn copied_stream(&mut self) -> Value {
        self.argument_field("stream_configuration", STREAM.0, STREAM.1)
    }

    /// The stream that a component of an output belongs to; that of its first
    /// declared component where a capture has more.
    fn captured_stream(&self, capture: &Capture) -> Option<u32> {
        let output = self.declared.outputs.get(&u32::from(capture.register))?;
        Some(output.streams[usize::from(capture.first) % 4])
    }

    /// Writes what is captured of a stream, in the lanes that may.
    pub(crate) fn capture_stream(&mut self, stream: u32) {
        let state = self.environment.stream_output;
        let captures: Vec<Capture> = state
            .captures()
            .filter(|capture| self.captured_stream(capture) == Some(stream))
            .copied()
            .collect();
        if captures.is_empty() {
            return;
        }
        let lanes = self.argument_field("stream_configuration", LANES.0, LANES.1);
        let lane = self.lane();
        let may_write = self.builder.compare("icmp ult", lane, lanes);
        self.only_if(may_write, |lowering| lowering.store_captures(&captures, lane));
    }

    /// Stores what is captured of the vertex of a lane.
    fn store_captures(&mut self, captures: &[Capture], lane: Value) {
        let state = self.environment.stream_output;
        let index = self.integer_argument("stream_index");
        let vertex = self.builder.binary("add", index, lane);
        let buffers = [0, 1, 2, 3].map(|buffer: usize| {
            let stride = state.strides()[buffer];
            (stride > 0).then(|| {
                let descriptor = self.internal_buffer(STREAM_OUTPUT + buffer as u32);
                let begin = self.integer_argument(OFFSETS[buffer]);
                let begin = self.builder.binary("shl", begin, Value::int(2));
                let behind = Value::uint(u32::from(stride) * 4);
                let behind = self.builder.binary("mul", vertex, behind);
                (descriptor, self.builder.binary("add", behind, begin))
            })
        });
        for capture in captures {
            let Some((descriptor, begin)) = buffers[usize::from(capture.buffer) % BUFFERS] else {
                continue;
            };
            let components = (capture.first..capture.first + capture.count).map(|component| {
                let component = Component::ALL[usize::from(component) % 4];
                self.output(capture.register.into(), component)
            });
            let components: Vec<Value> = components.collect();
            let place = BufferPlace {
                descriptor,
                offset: begin,
                behind: u32::from(capture.place) * 4,
                from: Value::int(0),
            };
            self.store_words(place, &components, Value::int(POLICY));
        }
    }
}
