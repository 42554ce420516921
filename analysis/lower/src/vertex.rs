//! The vertex stage: arguments and attributes.

use tgsi::ast::Component;

use crate::context::Lowering;
use crate::values::{DESCRIPTOR4, VECTOR4, Value};

/// The function's parameters: user data in scalar registers in the order in
/// which radeonsi set it, then what the hardware puts into vector registers.
pub(crate) const PARAMETERS: &str = "\
    ptr addrspace(6) inreg noalias dereferenceable(18446744073709551615) %rw_buffers, \
    ptr addrspace(6) inreg noalias dereferenceable(18446744073709551615) %bindless, \
    ptr addrspace(6) inreg noalias dereferenceable(18446744073709551615) %const_and_shader_buffers, \
    ptr addrspace(6) inreg noalias dereferenceable(18446744073709551615) %samplers_and_images, \
    i32 inreg %state_bits, i32 inreg %base_vertex, i32 inreg %start_instance, i32 inreg %draw_id, \
    ptr addrspace(6) inreg noalias dereferenceable(18446744073709551615) %vertex_buffers, \
    i32 %vertex_id, i32 %instance_id, i32 %primitive_id, i32 %unused";

impl Lowering<'_> {
    /// The index of the vertex in its buffers.
    pub(crate) fn vertex_index(&mut self) -> Value {
        let vertex = self.integer_argument("vertex_id");
        let base = self.integer_argument("base_vertex");
        self.builder.binary("add", vertex, base)
    }

    /// One component of a vertex attribute. The whole attribute is fetched;
    /// LLVM shrinks the load to what is used.
    pub(crate) fn vertex_input(&mut self, attribute: u32, component: Component) -> Value {
        let vector = match self.vectors.get(&attribute) {
            Some(vector) => *vector,
            None => {
                let vector = self.fetch_attribute(attribute);
                self.vectors.insert(attribute, vector);
                vector
            }
        };
        self.builder.extract(vector, component as u32)
    }

    fn fetch_attribute(&mut self, attribute: u32) -> Value {
        let list = self.list("vertex_buffers");
        let descriptor = self.builder.descriptor(list, DESCRIPTOR4, Value::uint(attribute));
        let index = self.vertex_index();
        let zero = Value::int(0);
        let name = "llvm.amdgcn.struct.buffer.load.format.v4f32";
        self.builder.call(VECTOR4, name, &[descriptor, index, zero, zero, zero])
    }
}
