//! Pipelines of a vertex and a fragment shader.

use std::error::Error;

use ash::vk;

use super::Driver;

/// The form of the attachment, which decides how a fragment shader exports.
const COLOUR: vk::Format = vk::Format::R8G8B8A8_UNORM;
/// The form of an attribute, and its bytes.
const ATTRIBUTE: (vk::Format, u32) = (vk::Format::R32G32B32A32_SFLOAT, 16);
/// The attributes of a vertex; those that a shader does not read are nothing to the driver.
const ATTRIBUTES: u32 = 4;

impl Driver {
    /// Compiles a vertex and a fragment shader that belong together.
    pub(crate) fn compile_both(
        &self,
        vertex: &[u32],
        fragment: &[u32],
    ) -> Result<(), Box<dyn Error>> {
        let stages = [
            self.stage(vk::ShaderStageFlags::VERTEX, vertex)?,
            self.stage(vk::ShaderStageFlags::FRAGMENT, fragment)?,
        ];
        let (format, bytes) = ATTRIBUTE;
        let attributes: Vec<_> = (0..ATTRIBUTES)
            .map(|number| {
                vk::VertexInputAttributeDescription::default()
                    .location(number)
                    .format(format)
                    .offset(number * bytes)
            })
            .collect();
        let buffers = [vk::VertexInputBindingDescription::default().stride(ATTRIBUTES * bytes)];
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&buffers)
            .vertex_attribute_descriptions(&attributes);
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let extent = vk::Extent2D { width: 64, height: 64 };
        let viewports = [vk::Viewport { width: 64.0, height: 64.0, ..vk::Viewport::default() }];
        let scissors = [vk::Rect2D { extent, ..vk::Rect2D::default() }];
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewports(&viewports)
            .scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let blends = [vk::PipelineColorBlendAttachmentState::default()
            .color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .layout(self.layout)
            .render_pass(self.render_pass()?);
        let cache = vk::PipelineCache::null();
        // SAFETY: every structure is built by `ash` and is valid during the call; the modules
        // are ours, and agree with each other and with the layout.
        let made = unsafe { self.device.create_graphics_pipelines(cache, &[info], None) };
        made.map(|_| ()).map_err(|(_, error)| error.into())
    }

    /// Makes a pass with one colour.
    fn render_pass(&self) -> Result<vk::RenderPass, vk::Result> {
        let attachments = [vk::AttachmentDescription::default()
            .format(COLOUR)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .final_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)];
        let colours =
            [vk::AttachmentReference::default().layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)];
        let passes = [vk::SubpassDescription::default().color_attachments(&colours)];
        let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&passes);
        // SAFETY: as above.
        unsafe { self.device.create_render_pass(&info, None) }
    }
}
