//! Pipelines that end in no image.

use std::ffi::CStr;

use ash::vk;
use vulkan::Faults;

use crate::Launch;
use crate::made::{Made, Thing};

/// The name of the entry point of every module.
const MAIN: &CStr = c"main";
/// Pixels along each side of a quad.
const SIDE: u32 = 2;
/// Pixels along each side of the view volume, half of which a triangle within it covers.
const VIEW: f32 = 8.0;

impl Made<'_> {
    /// Makes the pipeline of a launch.
    pub(crate) fn pipeline(
        &mut self,
        launch: &Launch,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline, Faults> {
        let cache = vk::PipelineCache::null();
        let made = match launch {
            Launch::Grid { module, .. } => {
                let stage = self.stage(module, vk::ShaderStageFlags::COMPUTE)?;
                let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
                // SAFETY: every structure is built by `ash` and is valid during the call; what
                // the driver believes of the modules ends no more than this process.
                unsafe { self.own.device.create_compute_pipelines(cache, &[info], None) }
            }
            Launch::Vertices { module, .. } => {
                let stages = [self.stage(module, vk::ShaderStageFlags::VERTEX)?];
                self.graphics(&stages, layout)
            }
            Launch::Quad { vertex, fragment } => {
                let stages = [
                    self.stage(vertex, vk::ShaderStageFlags::VERTEX)?,
                    self.stage(fragment, vk::ShaderStageFlags::FRAGMENT)?,
                ];
                self.graphics(&stages, layout)
            }
        };
        let made = made.map_err(|(_, result)| Faults::Vulkan("the pipeline", result))?;
        let pipeline = *made.first().ok_or(Faults::Job("there is no pipeline".to_owned()))?;
        self.keep(Thing::Pipeline(pipeline));
        Ok(pipeline)
    }

    fn stage(
        &mut self,
        words: &[u32],
        stage: vk::ShaderStageFlags,
    ) -> Result<vk::PipelineShaderStageCreateInfo<'static>, Faults> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are valid during the call.
        let made = unsafe { self.own.device.create_shader_module(&info, None) };
        let made = made.map_err(Faults::of("a module"))?;
        self.keep(Thing::Module(made));
        Ok(vk::PipelineShaderStageCreateInfo::default().stage(stage).module(made).name(MAIN))
    }

    /// A pipeline of triangles, or of points that nobody draws where there is no stage for pixels.
    fn graphics(
        &self,
        stages: &[vk::PipelineShaderStageCreateInfo<'_>],
        layout: vk::PipelineLayout,
    ) -> Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)> {
        let draws = stages.len() > 1;
        let topology = match draws {
            true => vk::PrimitiveTopology::TRIANGLE_LIST,
            false => vk::PrimitiveTopology::POINT_LIST,
        };
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
        let viewports =
            [vk::Viewport { width: VIEW, height: VIEW, max_depth: 1.0, ..vk::Viewport::default() }];
        let scissors = [area()];
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewports(&viewports)
            .scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .rasterizer_discard_enable(!draws)
            .line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default();
        let blend = vk::PipelineColorBlendStateCreateInfo::default();
        let mut rendering = vk::PipelineRenderingCreateInfo::default();
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(stages)
            .layout(layout)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .push_next(&mut rendering);
        // SAFETY: see `pipeline`; all that the structure refers to lives here or in the caller.
        unsafe {
            self.own.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None)
        }
    }
}

/// The pixels of a quad.
pub(crate) fn area() -> vk::Rect2D {
    let extent = vk::Extent2D { width: SIDE, height: SIDE };
    vk::Rect2D { extent, ..vk::Rect2D::default() }
}
