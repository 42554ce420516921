//! Tessellation: what both of its stages know of the memory between them.
//!
//! Control shaders write their outputs to a buffer outside of the chip, where
//! evaluation shaders find them: slot by slot, in each the vertices of all
//! patches of a group; behind these the attributes of the patches.

use tgsi::Stage;
use tgsi::ast::Component;

use crate::constants::ADDRESS_HIGH;
use crate::context::{EntryValue, Lowering};
use crate::slots::{Attribute, Varying};
use crate::values::{Type, Value};

/// Cache policy: past the first level cache, which the other stage's
/// multiprocessor does not share.
pub(crate) const SHARED_POLICY: i32 = 1;
/// The bits of the control stage's last scalar that are the buffer's address.
const BUFFER_ADDRESS: u32 = 0xfff8_0000;

impl Lowering<'_> {
    /// Returns the number of vertices that a patch has behind the control stage.
    pub(crate) fn patch_vertices(&mut self) -> Value {
        match self.stage() {
            Stage::TessellationControl => Value::uint(self.control_vertices()),
            _ => self.argument_field("offchip_layout", 6, 6),
        }
    }

    /// The number of the patch among those of the group.
    pub(crate) fn relative_patch(&mut self) -> Value {
        match self.stage() {
            Stage::TessellationControl => self.argument_field("relative_ids", 0, 8),
            _ => self.integer_argument("relative_patch"),
        }
    }

    /// The address of the buffer between the stages.
    pub(crate) fn offchip_address(&mut self) -> Value {
        if self.stage() == Stage::TessellationEvaluation {
            return self.integer_argument("offchip_address");
        }
        // The driver packs the address, which has its lower 19 bits clear, with other fields.
        let packed = self.integer_argument("output_layout");
        self.builder.binary("and", packed, Value::uint(BUFFER_ADDRESS))
    }

    /// The buffer between the stages.
    pub(crate) fn offchip_buffer(&mut self) -> Value {
        self.entry_value(EntryValue::OffchipBuffer, |lowering| {
            let address = lowering.offchip_address();
            lowering.builder.raw_buffer(address, ADDRESS_HIGH, u32::MAX)
        })
    }

    /// Returns the place of a component of an attribute in that buffer, in bytes.
    pub(crate) fn offchip_place(&mut self, attribute: &Attribute, component: Component) -> Value {
        let patch = self.relative_patch();
        let patches = self.argument_field("offchip_layout", 0, 6);
        let (number, stride) = match attribute.vertex {
            Some(vertex) => {
                let vertices = self.patch_vertices();
                let first = self.builder.small_product(patch, vertices);
                let number = self.builder.binary("add", first, vertex);
                (number, self.builder.binary("mul", vertices, patches))
            }
            None => (patch, patches),
        };
        let slot = Value::uint(attribute.slot.number());
        let slot = match attribute.further {
            Some(further) => self.builder.binary("add", further, slot),
            None => slot,
        };
        let number = match slot.constant_bits() {
            Some(0) => number,
            _ => {
                let behind = self.builder.binary("mul", slot, stride);
                self.builder.binary("add", behind, number)
            }
        };
        let mut byte = self.builder.binary("shl", number, Value::int(4));
        if matches!(attribute.slot, Varying::Patch(_)) {
            let patch_data = self.argument_field("offchip_layout", 12, 20);
            byte = self.builder.binary("add", byte, patch_data);
        }
        match component {
            Component::X => byte,
            _ => self.builder.binary("add", byte, Value::int(component as i32 * 4)),
        }
    }

    /// Reads a component of an attribute from that buffer.
    pub(crate) fn load_offchip(&mut self, attribute: &Attribute, component: Component) -> Value {
        let buffer = self.offchip_buffer();
        let place = self.offchip_place(attribute, component);
        let from = self.integer_argument("offchip_offset");
        let arguments = [buffer, place, from, Value::int(SHARED_POLICY)];
        self.builder.pure_call(Type::F32, "llvm.amdgcn.raw.buffer.load.f32", &arguments)
    }
}
