//! Outputs that a vertex or evaluation shader hands to a geometry or tessellation control
//! shader, and the memory that they go through.
//!
//! Before tessellation control everything lies in the memory of the group.
//! Before geometry it does so on gfx9, where both stages are one program;
//! older chips have a ring in memory that interleaves the words of 64 lanes.

use isa::gcn::Generation;
use tgsi::ast::Component;
use tgsi::words::SemanticName;

use crate::context::Lowering;
use crate::hardware_stage::HardwareStage;
use crate::internal_buffers::EXPORT_RING;
use crate::lanes::WAVE_SIZE;
use crate::slots::Varying;
use crate::values::{Type, Value};

/// Cache policy of ring accesses: past the first level cache, not to be kept,
/// and of a swizzled buffer. Without the last LLVM would join the stores of
/// words that lie side by side only in their numbers.
pub(crate) const RING_POLICY: i32 = 1 | 2 | 8;
/// One word of 32 bits, as the typed stores name their format.
const WORD_FORMAT: i32 = 68;

impl Lowering<'_> {
    /// The bits of an argument from `first` on.
    pub(crate) fn argument_field(&mut self, name: &'static str, first: i32, bits: i32) -> Value {
        let mut value = self.integer_argument(name);
        if first > 0 {
            value = self.builder.binary("lshr", value, Value::int(first));
        }
        if first + bits < 32 {
            value = self.builder.binary("and", value, Value::int((1 << bits) - 1));
        }
        value
    }

    /// The place of a word of the group's memory, which begins at address 0.
    fn group_word(&mut self, word: Value) -> Value {
        let byte = self.builder.binary("shl", word, Value::int(2));
        self.group_byte(byte)
    }

    fn group_byte(&mut self, byte: Value) -> Value {
        self.builder.convert("inttoptr", byte, Type::SharedPointer)
    }

    /// Reads a word of the group's memory.
    pub(crate) fn load_group_word(&mut self, word: Value) -> Value {
        let pointer = self.group_word(word);
        self.builder.load(Type::F32, pointer)
    }

    /// Writes a word of the group's memory.
    pub(crate) fn store_group_word(&mut self, word: Value, value: Value) {
        let pointer = self.group_word(word);
        self.builder.store(value, pointer);
    }

    /// Waits for the other lanes of the group.
    pub(crate) fn group_barrier(&mut self) {
        self.builder.call(Type::Void, "llvm.amdgcn.s.barrier", &[]);
    }

    /// Writes one word of a ring whose descriptor interleaves lanes.
    pub(crate) fn store_ring_word(&mut self, ring: Value, value: Value, place: Value, from: Value) {
        let value = self.builder.bitcast(value, Type::I32);
        let format = Value::int(WORD_FORMAT);
        let arguments = [value, ring, place, from, format, Value::int(RING_POLICY)];
        self.builder.call(Type::Void, "llvm.amdgcn.raw.tbuffer.store.i32", &arguments);
    }

    /// Hands the outputs to the stage that follows.
    pub(crate) fn store_es_ls_outputs(&mut self) {
        // A word more than the attributes take spreads the vertices over the
        // banks of the memory.
        let stride = Value::uint((self.vertex_words() + 1) * 4);
        // The first byte in the memory of the group, or else the ring.
        let base = match self.hardware_stage() {
            HardwareStage::Local => {
                let vertex = self.integer_argument("relative_vertex");
                Ok(self.builder.small_product(vertex, stride))
            }
            _ if self.generation >= Generation::Gfx9 => {
                let wave = self.argument_field("wave_info", 24, 4);
                let first = self.builder.binary("mul", wave, Value::int(WAVE_SIZE));
                let lane = self.lane();
                let vertex = self.builder.binary("or", first, lane);
                Ok(self.builder.small_product(vertex, stride))
            }
            _ => Err(self.internal_buffer(EXPORT_RING)),
        };
        let outputs: Vec<_> = self.declared.outputs.iter().map(|(at, one)| (*at, *one)).collect();
        for (register, output) in outputs {
            // These two the rasterizer takes from its own last stage only.
            let skipped = [SemanticName::Layer, SemanticName::ViewportIndex];
            let Some(Varying::Vertex(slot)) = Varying::of(output.semantic) else {
                continue;
            };
            if skipped.contains(&output.semantic.name) {
                continue;
            }
            for component in Component::ALL {
                if !output.mask.contains(component) {
                    continue;
                }
                let value = self.output(register, component);
                let word = slot * 4 + component as u32;
                match base {
                    Ok(base) => {
                        let byte = self.builder.binary("add", base, Value::uint(word * 4));
                        let pointer = self.group_byte(byte);
                        self.builder.store(value, pointer);
                    }
                    Err(ring) => {
                        let from = self.integer_argument("export_offset");
                        self.store_ring_word(ring, value, Value::uint(word * 4), from);
                    }
                }
            }
        }
    }
}
