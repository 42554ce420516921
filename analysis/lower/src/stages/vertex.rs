//! The vertex stage: attributes, fetched and converted.

use tgsi::ast::Component;
use tgsi::words::SemanticName;

use crate::alu_integer::high_product;
use crate::context::Lowering;
use crate::environment::MOST_ATTRIBUTES;
use crate::hardware_stage::{HardwareStage, LANE_BITS};
use crate::internal_buffers::INSTANCE_DIVISORS;
use crate::values::{DESCRIPTOR4, Element, Type, VECTOR4, Value};
use crate::vertex_formats::{Channel, Fetch, VertexFormat};

/// The largest number of 31 bits, and of 32, and 2 to the 16th: what normalized
/// and fixed-point words are divided by.
const LARGEST_SIGNED: f32 = 2_147_483_647.0;
const LARGEST_UNSIGNED: f32 = 4_294_967_295.0;
const FIXED_ONE: f32 = 65536.0;
/// In the vertex stage's state bits: the draw has an index buffer.
const INDEXED_DRAW: i32 = 2;

impl Lowering<'_> {
    /// In a wave without lanes of the control shader vega10 and raven put what they
    /// say of vertices two registers lower, into those of the control shader.
    /// Source: radeonsi of Mesa 19.2, the vertex prolog's `ls_vgpr_fix`.
    pub(crate) fn remap_local_arguments(&mut self) {
        if self.hardware_stage() != HardwareStage::Local {
            return;
        }
        let control_lanes = self.argument_field("wave_info", LANE_BITS, LANE_BITS);
        let has_some = self.builder.compare("icmp ne", control_lanes, Value::int(0));
        let pairs = [
            ("instance_id", "vertex_id"),
            ("relative_vertex", "relative_ids"),
            ("vertex_id", "patch_id"),
        ];
        for (name, lower) in pairs {
            let [right, lower] = [name, lower].map(|name| Value::argument(Type::I32, name));
            let value = self.builder.select(has_some, right, lower);
            self.state.remapped_arguments.insert(name, value);
        }
    }

    /// A system value of a vertex shader.
    pub(super) fn vertex_system_value(&mut self, name: SemanticName) -> Option<Value> {
        Some(match name {
            SemanticName::VertexId => self.vertex_index(),
            SemanticName::VertexIdNoBase => self.integer_argument("vertex_id"),
            SemanticName::InstanceId => self.integer_argument("instance_id"),
            SemanticName::BaseInstance => self.integer_argument("start_instance"),
            SemanticName::DrawId => self.integer_argument("draw_id"),
            // Before tessellation there are no primitives.
            SemanticName::PrimitiveId if self.hardware_stage() == HardwareStage::Local => {
                return None;
            }
            SemanticName::PrimitiveId => self.integer_argument("primitive_id"),
            SemanticName::BaseVertex => {
                let state = self.integer_argument("state_bits");
                let base = self.integer_argument("base_vertex");
                let bit = self.builder.binary("and", state, Value::int(INDEXED_DRAW));
                let indexed = self.builder.compare("icmp ne", bit, Value::int(0));
                self.builder.select(indexed, base, Value::int(0))
            }
            _ => return None,
        })
    }

    /// The index of the vertex in its buffers.
    pub(crate) fn vertex_index(&mut self) -> Value {
        let vertex = self.integer_argument("vertex_id");
        let base = self.integer_argument("base_vertex");
        self.builder.binary("add", vertex, base)
    }

    /// The index of an attribute's value in its buffer: of the vertex, or of
    /// the instance, or of several instances together. These divide by a number
    /// that is not known; the driver passes the factors of a multiplication.
    fn attribute_index(&mut self, attribute: u32) -> Value {
        let divisor = self.environment.instance_divisors[attribute_place(attribute)];
        if divisor == 0 {
            return self.vertex_index();
        }
        let mut instance = self.integer_argument("instance_id");
        if divisor > 1 {
            let buffer = self.internal_buffer(INSTANCE_DIVISORS);
            let builder = &mut self.builder;
            let [multiplier, before, after, increment] = [0, 1, 2, 3].map(|word| {
                let offset = Value::uint((attribute * 4 + word) * 4);
                let factor = builder.constant_word(buffer, offset);
                builder.bitcast(factor, Type::I32)
            });
            let shifted = builder.binary("lshr", instance, before);
            let raised = builder.binary("add", shifted, increment);
            let high = high_product(builder, "zext", &[raised, multiplier]);
            instance = builder.binary("lshr", high, after);
        }
        let start = self.integer_argument("start_instance");
        self.builder.binary("add", instance, start)
    }

    /// One component of a vertex attribute. The whole attribute is fetched;
    /// LLVM shrinks the load to what is used.
    pub(crate) fn vertex_input(&mut self, attribute: u32, component: Component) -> Value {
        let vector = match self.current.attributes.get(&attribute) {
            Some(vector) => *vector,
            None => {
                let vector = self.fetch_attribute(attribute);
                self.current.attributes.insert(attribute, vector);
                vector
            }
        };
        self.builder.extract(vector, component as u32)
    }

    fn fetch_attribute(&mut self, attribute: u32) -> Value {
        let list = self.list("vertex_buffers");
        let descriptor = self.builder.descriptor(list, DESCRIPTOR4, Value::uint(attribute));
        let index = self.attribute_index(attribute);
        let format: VertexFormat = self.environment.vertex_formats[attribute_place(attribute)];
        let load = |lowering: &mut Self, name: &str, byte: u32| {
            let arguments = [descriptor, index, Value::uint(byte), Value::int(0), Value::int(0)];
            lowering.builder.call(VECTOR4, name, &arguments)
        };
        let fetched = |lowering: &mut Self, byte| {
            load(lowering, "llvm.amdgcn.struct.buffer.load.format.v4f32", byte)
        };
        let words = |lowering: &mut Self, byte| {
            load(lowering, "llvm.amdgcn.struct.buffer.load.v4f32", byte)
        };
        match format.fetch() {
            Fetch::Formatted => fetched(self, 0),
            Fetch::SignedAlpha(channel) => {
                let whole = fetched(self, 0);
                let alpha = self.builder.extract(whole, 3);
                let alpha = self.signed_alpha(alpha, channel);
                self.builder.insert(whole, alpha, 3)
            }
            Fetch::Triple(channel, bytes) => {
                let mut channels = Vec::new();
                for place in 0..3 {
                    let one = fetched(self, place * bytes);
                    channels.push(self.builder.extract(one, 0));
                }
                self.filled_up(channels, channel)
            }
            Fetch::Words(channel, count) => {
                let whole = words(self, 0);
                let converted = (0..count).map(|place| {
                    let word = self.builder.extract(whole, place);
                    self.converted_word(word, channel)
                });
                let channels = converted.collect();
                self.filled_up(channels, channel)
            }
            Fetch::Doubles(count) => {
                let pairs: Vec<Value> =
                    (0..count.div_ceil(2)).map(|pair| words(self, pair * 16)).collect();
                let converted = (0..count).map(|place| {
                    let vector = pairs[place as usize / 2];
                    let halves = [0, 1].map(|half| {
                        let word = self.builder.extract(vector, place % 2 * 2 + half);
                        self.builder.bitcast(word, Type::I32)
                    });
                    let double = self.wide(halves[0], halves[1], Type::F64);
                    self.builder.convert("fptrunc", double, Type::F32)
                });
                let channels = converted.collect();
                self.filled_up(channels, Channel::Float)
            }
        }
    }

    /// A vector of the channels that there are; the others are 0, the last is 1.
    fn filled_up(&mut self, mut channels: Vec<Value>, channel: Channel) -> Value {
        while channels.len() < 4 {
            channels.push(match (channels.len(), channel.is_integer()) {
                (3, false) => Value::float(1.0),
                (3, true) => Value::bits(Type::F32, 1),
                _ => Value::float(0.0),
            });
        }
        self.builder.vector(Element::F32, &channels)
    }

    /// A word of memory as a float.
    fn converted_word(&mut self, word: Value, channel: Channel) -> Value {
        let builder = &mut self.builder;
        let integer = builder.bitcast(word, Type::I32);
        let (conversion, factor) = match channel {
            Channel::Unorm => ("uitofp", Some(1.0 / LARGEST_UNSIGNED)),
            Channel::Uscaled => ("uitofp", None),
            Channel::Snorm => ("sitofp", Some(1.0 / LARGEST_SIGNED)),
            Channel::Fixed => ("sitofp", Some(1.0 / FIXED_ONE)),
            Channel::Sscaled => ("sitofp", None),
            Channel::Float | Channel::Uint | Channel::Sint => return word,
        };
        let mut float = builder.convert(conversion, integer, Type::F32);
        if let Some(factor) = factor {
            float = builder.binary("fmul", float, Value::float(factor));
        }
        if channel == Channel::Snorm {
            // Of the two least numbers both are -1.
            float = builder.overloaded("llvm.maxnum", &[float, Value::float(-1.0)]);
        }
        float
    }

    /// The two bits of an alpha channel that the hardware took for unsigned, as
    /// a signed number: they are the lowest of an integer, and of normalized
    /// ones, which are 0, 1/3, 2/3 and 1, the two lowest of the exponent.
    fn signed_alpha(&mut self, alpha: Value, channel: Channel) -> Value {
        let builder = &mut self.builder;
        let bits = match channel {
            Channel::Sscaled => builder.convert("fptoui", alpha, Type::I32),
            _ => builder.bitcast(alpha, Type::I32),
        };
        let left = if channel == Channel::Snorm { 7 } else { 30 };
        let high = builder.binary("shl", bits, Value::int(left));
        let signed = builder.binary("ashr", high, Value::int(30));
        match channel {
            Channel::Snorm => {
                let float = builder.convert("sitofp", signed, Type::F32);
                builder.overloaded("llvm.maxnum", &[float, Value::float(-1.0)])
            }
            Channel::Sscaled => builder.convert("sitofp", signed, Type::F32),
            _ => builder.bitcast(signed, Type::F32),
        }
    }
}

/// Returns the place of an attribute's settings; all behind the last have those of the last.
fn attribute_place(attribute: u32) -> usize {
    (attribute as usize).min(MOST_ATTRIBUTES - 1)
}
