//! Pipelines of a job's stages, and what becomes of them.

use std::ffi::CStr;

use ash::vk;

use crate::executables::Texts;
use crate::interface::{Interface, Scalar, interface};
use crate::spirv::{instructions, op};
use crate::{BindingKind, Colour, Driver, Executable, Faults, Job, Module, Output, Stage, State};
use crate::{cached, partner};

/// The name of the entry point of every stage.
const MAIN: &CStr = c"main";
/// Bytes of an attribute.
const ATTRIBUTE: u32 = 16;

impl Driver {
    /// Compiles a job.
    ///
    /// # Errors
    /// The job is none, or the driver refuses it. A module that is broken in another way than
    /// by its beginning and its lengths may end the process.
    pub fn compile(&self, job: &Job) -> Result<Output, Faults> {
        self.output(job, Texts::Untold)
    }

    /// Compiles a job and keeps the driver's texts about it.
    ///
    /// # Errors
    /// As [`Driver::compile`].
    pub fn compile_with_texts(&self, job: &Job) -> Result<Output, Faults> {
        self.output(job, Texts::Told)
    }

    fn output(&self, job: &Job, texts: Texts) -> Result<Output, Faults> {
        let (modules, added) = complete(job)?;
        let mut made = Made { driver: self, modules: Vec::new(), rest: Vec::new() };
        let pipeline = made.pipeline(&modules, &job.state, texts)?;
        let mut executables = self.executables(pipeline, texts)?;
        let data = made.cached()?;
        for executable in &mut executables {
            match cached::code(&data, executable) {
                Some((code, constants)) => {
                    (executable.code, executable.constants) = (code, constants)
                }
                None => executable.code = assembled(executable),
            }
        }
        Ok(Output { executables, added, dump: String::new() })
    }
}

/// The words in the comments of an assembly text, where there is one.
fn assembled(executable: &Executable) -> Vec<u32> {
    let lines = executable.text("Assembly").unwrap_or_default().lines();
    let comments = lines.filter_map(|line| line.rsplit_once(';'));
    let words = comments.flat_map(|(_, hex)| hex.split_whitespace());
    let words = words.filter(|it| it.len() == 8);
    words.map(|it| u32::from_str_radix(it, 16)).collect::<Result<_, _>>().unwrap_or_default()
}

/// A stage and its interface.
struct Part {
    module: Module,
    interface: Interface,
}

/// Reads a job's modules and adds the stages that a pipeline cannot be without; returns them
/// in order, and which were added.
fn complete(job: &Job) -> Result<(Vec<Part>, u32), Faults> {
    let refused = |message: String| Faults::Job(message);
    let part = |module: Module| {
        let interface = interface(&module.words, module.stage);
        let interface = interface.map_err(|error| refused(error.to_string()))?;
        Ok::<_, Faults>(Part { module, interface })
    };
    let mut parts = job.modules.iter().cloned().map(part).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.module.stage);
    let stages: Vec<Stage> = parts.iter().map(|part| part.module.stage).collect();
    if stages.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(refused("a pipeline has each stage once".to_owned()));
    }
    let has = |stage| stages.contains(&stage);
    if has(Stage::Compute) && stages.len() > 1 {
        return Err(refused("a compute shader is a pipeline of its own".to_owned()));
    }
    if stages.is_empty() {
        return Err(refused("a pipeline has at least one stage".to_owned()));
    }
    if has(Stage::Compute) {
        return Ok((parts, 0));
    }
    let others = |parts: &[Part], which: usize| {
        let part = &parts[which];
        match part.interface.others {
            0 => Ok(()),
            _ => Err(refused(format!(
                "no partner can be made for this {} shader: a variable between the stages is \
                 neither a scalar nor a vector of 32 bits, nor an array of such",
                part.module.stage
            ))),
        }
    };
    let mut added = 0;
    let tessellation = [Stage::TessellationControl, Stage::TessellationEvaluation];
    let own = parts.iter().position(|part| tessellation.contains(&part.module.stage));
    if let Some(own) = own.filter(|_| !tessellation.into_iter().all(has)) {
        others(&parts, own)?;
        let interface = &parts[own].interface;
        let (stage, words) = match parts[own].module.stage {
            Stage::TessellationControl => {
                (Stage::TessellationEvaluation, partner::evaluation(&interface.outputs))
            }
            _ => {
                let vertices = job.state.patch_vertices;
                (Stage::TessellationControl, partner::control(&interface.inputs, vertices))
            }
        };
        parts.push(part(Module { stage, words })?);
        parts.sort_by_key(|part| part.module.stage);
        added |= stage.bit();
    }
    if !has(Stage::Vertex) {
        others(&parts, 0)?;
        let words = partner::vertex(&parts[0].interface.inputs).ok_or_else(|| {
            refused(format!(
                "no vertex shader can be made for this {} shader: it reads more than {} inputs",
                parts[0].module.stage,
                partner::MAX_ATTRIBUTES - 1
            ))
        })?;
        parts.insert(0, part(Module { stage: Stage::Vertex, words })?);
        added |= Stage::Vertex.bit();
    }
    if !has(Stage::Fragment) {
        let last = parts.len() - 1;
        others(&parts, last)?;
        let words = partner::fragment(&parts[last].interface.outputs);
        parts.push(part(Module { stage: Stage::Fragment, words })?);
        added |= Stage::Fragment.bit();
    }
    Ok((parts, added))
}

/// The things of a pipeline that go with it.
struct Made<'a> {
    driver: &'a Driver,
    modules: Vec<vk::ShaderModule>,
    rest: Vec<Thing>,
}

/// Something that was made for a pipeline.
enum Thing {
    Sets(vk::DescriptorSetLayout),
    Layout(vk::PipelineLayout),
    Cache(vk::PipelineCache),
    Pipeline(vk::Pipeline),
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        let device = &self.driver.device;
        // SAFETY: all were made by this device and are used by nobody any more; what needs
        // another goes first.
        unsafe {
            for thing in self.rest.drain(..).rev() {
                match thing {
                    Thing::Sets(it) => device.destroy_descriptor_set_layout(it, None),
                    Thing::Layout(it) => device.destroy_pipeline_layout(it, None),
                    Thing::Cache(it) => device.destroy_pipeline_cache(it, None),
                    Thing::Pipeline(it) => device.destroy_pipeline(it, None),
                }
            }
            for module in self.modules.drain(..) {
                device.destroy_shader_module(module, None);
            }
        }
    }
}

impl Made<'_> {
    /// Makes the pipeline.
    fn pipeline(
        &mut self,
        parts: &[Part],
        state: &State,
        texts: Texts,
    ) -> Result<vk::Pipeline, Faults> {
        let mut flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
        if texts == Texts::Told {
            flags |= vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR;
        }
        let layout = self.layout(state)?;
        let cache = self.cache()?;
        let mut stages = Vec::new();
        for part in parts {
            stages.push(self.stage(&part.module)?);
        }
        let device = &self.driver.device;
        let made = match stages[..] {
            [stage] => {
                let info = vk::ComputePipelineCreateInfo::default();
                let info = info.flags(flags).stage(stage).layout(layout);
                // SAFETY: every structure is built by `ash` and is valid during the call; the
                // modules are whole, and what else the driver believes of them ends no more
                // than this process.
                unsafe { device.create_compute_pipelines(cache, &[info], None) }
            }
            _ => {
                let info = vk::GraphicsPipelineCreateInfo::default();
                let info = info.flags(flags).stages(&stages).layout(layout);
                graphics(device, cache, info, parts, state)
            }
        };
        let made = made.map_err(|(_, result)| Faults::Vulkan("the pipeline", result))?;
        let pipeline = *made.first().ok_or(Faults::Job("there is no pipeline".to_owned()))?;
        self.rest.push(Thing::Pipeline(pipeline));
        Ok(pipeline)
    }

    fn stage(
        &mut self,
        module: &Module,
    ) -> Result<vk::PipelineShaderStageCreateInfo<'static>, Faults> {
        let info = vk::ShaderModuleCreateInfo::default().code(&module.words);
        // SAFETY: the words are valid during the call.
        let made = unsafe { self.driver.device.create_shader_module(&info, None) };
        let made = made.map_err(|result| Faults::Vulkan("a module", result))?;
        self.modules.push(made);
        let stage = vk::ShaderStageFlags::from_raw(module.stage.bit());
        Ok(vk::PipelineShaderStageCreateInfo::default().stage(stage).module(made).name(MAIN))
    }

    fn layout(&mut self, state: &State) -> Result<vk::PipelineLayout, Faults> {
        let bindings = state.bindings.iter().flat_map(|own| {
            let kind = match own.kind {
                BindingKind::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
                BindingKind::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
                BindingKind::SampledImage => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
                BindingKind::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
                BindingKind::UniformTexels => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
                BindingKind::StorageTexels => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
            };
            (own.first..own.first.saturating_add(own.count)).map(move |number| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(number)
                    .descriptor_type(kind)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::ALL)
            })
        });
        let bindings: Vec<_> = bindings.take(MAX_BINDINGS).collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let told = |result| Faults::Vulkan("the layout", result);
        let device = &self.driver.device;
        // SAFETY: the structures are valid during the calls.
        unsafe {
            let sets = device.create_descriptor_set_layout(&info, None).map_err(told)?;
            self.rest.push(Thing::Sets(sets));
            let sets = [sets];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            let layout = device.create_pipeline_layout(&info, None).map_err(told)?;
            self.rest.push(Thing::Layout(layout));
            Ok(layout)
        }
    }

    fn cache(&mut self) -> Result<vk::PipelineCache, Faults> {
        let info = vk::PipelineCacheCreateInfo::default();
        // SAFETY: the structure is valid during the call.
        let made = unsafe { self.driver.device.create_pipeline_cache(&info, None) };
        let made = made.map_err(|result| Faults::Vulkan("the cache", result))?;
        self.rest.push(Thing::Cache(made));
        Ok(made)
    }

    /// The data of the cache.
    fn cached(&self) -> Result<Vec<u8>, Faults> {
        let cache = self.rest.iter().find_map(|thing| match thing {
            Thing::Cache(cache) => Some(*cache),
            _ => None,
        });
        let Some(cache) = cache else { return Ok(Vec::new()) };
        // SAFETY: the cache lives.
        unsafe { self.driver.device.get_pipeline_cache_data(cache) }
            .map_err(|result| Faults::Vulkan("the cache's data", result))
    }
}

/// More than a layout has that anybody writes.
const MAX_BINDINGS: usize = 1024;

type Created = Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>;

/// Makes a graphics pipeline of one that has its stages and its layout.
fn graphics(
    device: &ash::Device,
    cache: vk::PipelineCache,
    info: vk::GraphicsPipelineCreateInfo<'_>,
    parts: &[Part],
    state: &State,
) -> Created {
    let part = |stage| parts.iter().find(|part| part.module.stage == stage);
    let attributes = attributes(part(Stage::Vertex));
    let stride = attributes.iter().map(|it| it.offset + ATTRIBUTE).max().unwrap_or(ATTRIBUTE);
    let buffers = [vk::VertexInputBindingDescription::default().stride(stride)];
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&buffers)
        .vertex_attribute_descriptions(&attributes);
    let is_tessellated = part(Stage::TessellationControl).is_some();
    let topology = match part(Stage::Geometry) {
        _ if is_tessellated => vk::PrimitiveTopology::PATCH_LIST,
        Some(geometry) => topology(geometry),
        None => vk::PrimitiveTopology::TRIANGLE_LIST,
    };
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let patches = vk::PipelineTessellationStateCreateInfo::default()
        .patch_control_points(state.patch_vertices);
    let extent = vk::Extent2D { width: 64, height: 64 };
    let viewports = [vk::Viewport { width: 64.0, height: 64.0, ..vk::Viewport::default() }];
    let scissors = [vk::Rect2D { extent, ..vk::Rect2D::default() }];
    let viewport =
        vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(state.samples));
    let depth = vk::PipelineDepthStencilStateCreateInfo::default();
    let formats = colours(part(Stage::Fragment), state.colour);
    let blends = vec![
        vk::PipelineColorBlendAttachmentState::default()
            .color_write_mask(vk::ColorComponentFlags::RGBA);
        formats.len()
    ];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let mut rendering =
        vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    let mut info = info
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend);
    if is_tessellated {
        info = info.tessellation_state(&patches);
    }
    let info = info.push_next(&mut rendering);
    // SAFETY: see `Made::pipeline`; all that the structure refers to lives here or in the caller.
    unsafe { device.create_graphics_pipelines(cache, &[info], None) }
}

/// The attributes that a vertex shader reads, each in its own four words.
fn attributes(vertex: Option<&Part>) -> Vec<vk::VertexInputAttributeDescription> {
    let inputs = vertex.map_or(&[][..], |part| &part.interface.inputs);
    let all = inputs.iter().flat_map(|input| {
        let format = match input.scalar {
            Scalar::Float => vk::Format::R32G32B32A32_SFLOAT,
            Scalar::Int => vk::Format::R32G32B32A32_SINT,
            Scalar::Uint => vk::Format::R32G32B32A32_UINT,
        };
        (input.location..input.location.saturating_add(input.elements)).map(move |location| {
            vk::VertexInputAttributeDescription::default()
                .location(location)
                .format(format)
                .offset(location.saturating_mul(ATTRIBUTE))
        })
    });
    let most = partner::MAX_ATTRIBUTES;
    let mut all: Vec<_> = all.filter(|it| (it.location as usize) < most).collect();
    all.sort_by_key(|it| it.location);
    all.dedup_by_key(|it| it.location);
    all
}

/// The formats of the attachments that a fragment shader writes.
fn colours(fragment: Option<&Part>, colour: Colour) -> Vec<vk::Format> {
    let outputs = fragment.map_or(&[][..], |part| &part.interface.outputs);
    let mut formats = Vec::new();
    for output in outputs {
        let format = match (output.scalar, colour) {
            (Scalar::Float, Colour::Unorm8) => vk::Format::R8G8B8A8_UNORM,
            (Scalar::Float, Colour::Float32) => vk::Format::R32G32B32A32_SFLOAT,
            (Scalar::Int, _) => vk::Format::R32G32B32A32_SINT,
            (Scalar::Uint, _) => vk::Format::R32G32B32A32_UINT,
        };
        for location in output.location..output.location.saturating_add(output.elements) {
            let place = location as usize;
            if place < MAX_COLOURS {
                let length = formats.len().max(place + 1);
                formats.resize(length, vk::Format::UNDEFINED);
                formats[place] = format;
            }
        }
    }
    formats
}

/// The most colour attachments.
const MAX_COLOURS: usize = 8;

/// The primitives that a geometry shader reads, by its execution mode.
fn topology(geometry: &Part) -> vk::PrimitiveTopology {
    let all = instructions(&geometry.module.words).unwrap_or_default();
    let modes = all.iter().filter(|it| it.opcode == op::EXECUTION_MODE);
    let mut known = modes.filter_map(|it| match it.operand(1) {
        19 => Some(vk::PrimitiveTopology::POINT_LIST),
        20 => Some(vk::PrimitiveTopology::LINE_LIST),
        21 => Some(vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY),
        22 => Some(vk::PrimitiveTopology::TRIANGLE_LIST),
        23 => Some(vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY),
        _ => None,
    });
    known.next_back().unwrap_or(vk::PrimitiveTopology::TRIANGLE_LIST)
}
