//! Lists of descriptors: the arguments that point to the resources of a shader.

use crate::context::Lowering;
use crate::values::{DESCRIPTOR4, Type, Value};

/// The lists of descriptors in the order in which all stages get them.
pub(crate) const LISTS: &str = "rw_buffers bindless const_and_shader_buffers samplers_and_images";
/// The names of the first shader's lists where two shaders are lowered to one program.
pub(crate) const FIRST_BUFFERS: &str = "first_const_and_shader_buffers";
pub(crate) const FIRST_IMAGES: &str = "first_samplers_and_images";

impl Lowering<'_> {
    /// A pointer argument: one of the lists of descriptors.
    pub(crate) fn list(&self, name: &'static str) -> Value {
        Value::argument(Type::ConstantPointer, self.list_name(name))
    }

    /// The descriptor of one of the driver's own buffers.
    pub(crate) fn internal_buffer(&mut self, number: u32) -> Value {
        self.builder.descriptor(self.list("rw_buffers"), DESCRIPTOR4, Value::uint(number))
    }

    /// The descriptor of an entry of the list of buffers.
    pub(crate) fn buffer(&mut self, entry: Value) -> Value {
        self.builder.descriptor(self.list("const_and_shader_buffers"), DESCRIPTOR4, entry)
    }

    /// Returns the argument that a list comes in.
    pub(crate) fn list_name(&self, name: &'static str) -> &'static str {
        match name {
            "const_and_shader_buffers" if self.is_first_of_two() => FIRST_BUFFERS,
            "samplers_and_images" if self.is_first_of_two() => FIRST_IMAGES,
            name => name,
        }
    }
}
