//! One run: resources in, commands, resources out.

use ash::vk;
use vulkan::Faults;

use crate::device::Device;
use crate::images::{Filled, Use, format};
use crate::made::{Made, Seen, Thing};
use crate::pipeline::area;
use crate::textures::Sampled;
use crate::{Buffer, BufferKind, Job, Launch, Output, Texels};

/// More than a set has that anybody writes.
const MOST_BINDINGS: usize = 128;
/// Nanoseconds of a wait; the parent loses its patience long before.
const PATIENCE: u64 = 3_600_000_000_000;

/// A resource as a descriptor has it.
enum Resource {
    Buffer(Seen, vk::DescriptorType),
    Texels(Seen, vk::BufferView, vk::DescriptorType),
    Texture(Sampled),
    Image(Filled),
}

impl Resource {
    fn kind(&self) -> vk::DescriptorType {
        match self {
            Resource::Buffer(_, kind) | Resource::Texels(_, _, kind) => *kind,
            Resource::Texture(_) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
            Resource::Image(_) => vk::DescriptorType::STORAGE_IMAGE,
        }
    }

    /// The image that is filled before shaders run.
    fn image(&self) -> Option<&Filled> {
        match self {
            Resource::Texture(Sampled { image, .. }) | Resource::Image(image) => Some(image),
            Resource::Buffer(..) | Resource::Texels(..) => None,
        }
    }

    /// The buffer that has its words once a run has ended, if shaders write to it.
    fn written(&self) -> Option<Seen> {
        use vk::DescriptorType as Type;
        match self {
            Resource::Buffer(seen, Type::STORAGE_BUFFER)
            | Resource::Texels(seen, _, Type::STORAGE_TEXEL_BUFFER) => Some(*seen),
            Resource::Image(image) => Some(image.staging),
            Resource::Buffer(..) | Resource::Texels(..) | Resource::Texture(_) => None,
        }
    }
}

impl Device {
    /// Executes a job.
    ///
    /// # Errors
    /// The driver refuses it. A module that is broken may end the process.
    pub(crate) fn execute(&self, job: &Job) -> Result<Output, Faults> {
        if job.buffers.len() + job.textures.len() + job.images.len() > MOST_BINDINGS {
            return Err(Faults::Job(format!("more than {MOST_BINDINGS} resources")));
        }
        let mut made = Made::new(self);
        let mut resources = Vec::new();
        for buffer in &job.buffers {
            resources.push((buffer.binding, made.resource(buffer)?));
        }
        for texture in &job.textures {
            resources.push((texture.binding, Resource::Texture(made.texture(texture)?)));
        }
        for image in &job.images {
            resources.push((image.binding, Resource::Image(made.image(image)?)));
        }
        let (layout, set) = made.descriptors(&resources)?;
        let pipeline = made.pipeline(&job.launch, layout)?;
        made.run(&job.launch, &resources, (layout, set), pipeline)?;
        let mut words = Vec::new();
        for (binding, resource) in &resources {
            if let Some(seen) = resource.written() {
                words.push((*binding, made.words(seen)?));
            }
        }
        Ok(Output { words })
    }
}

impl Made<'_> {
    fn resource(&mut self, buffer: &Buffer) -> Result<Resource, Faults> {
        use vk::BufferUsageFlags as Usage;
        let words = &buffer.words;
        Ok(match buffer.kind {
            BufferKind::Uniform => {
                let seen = self.buffer(words, Usage::UNIFORM_BUFFER)?;
                Resource::Buffer(seen, vk::DescriptorType::UNIFORM_BUFFER)
            }
            BufferKind::Storage => {
                let seen = self.buffer(words, Usage::STORAGE_BUFFER)?;
                Resource::Buffer(seen, vk::DescriptorType::STORAGE_BUFFER)
            }
            BufferKind::Texels(texels) => {
                let seen = self.buffer(words, Usage::UNIFORM_TEXEL_BUFFER)?;
                let view = self.view(seen, texels)?;
                Resource::Texels(seen, view, vk::DescriptorType::UNIFORM_TEXEL_BUFFER)
            }
            BufferKind::StorageTexels(texels) => {
                let seen = self.buffer(words, Usage::STORAGE_TEXEL_BUFFER)?;
                let view = self.view(seen, texels)?;
                Resource::Texels(seen, view, vk::DescriptorType::STORAGE_TEXEL_BUFFER)
            }
        })
    }

    /// Makes a view of a buffer as texels.
    fn view(&mut self, seen: Seen, texels: Texels) -> Result<vk::BufferView, Faults> {
        let info = vk::BufferViewCreateInfo::default()
            .buffer(seen.buffer)
            .format(format(texels))
            .range(vk::WHOLE_SIZE);
        // SAFETY: the structure is valid during the call, and the buffer lives.
        let view = unsafe { self.own.device.create_buffer_view(&info, None) };
        let view = view.map_err(Faults::of("a view of a buffer"))?;
        self.keep(Thing::BufferView(view));
        Ok(view)
    }

    /// Makes the descriptor set, with every binding written.
    fn descriptors(
        &mut self,
        resources: &[(u32, Resource)],
    ) -> Result<(vk::PipelineLayout, vk::DescriptorSet), Faults> {
        let device = &self.own.device;
        let bindings: Vec<_> = resources
            .iter()
            .map(|(binding, resource)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(*binding)
                    .descriptor_type(resource.kind())
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::ALL)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: here and below, the structures are valid during the calls.
        let sets = unsafe { device.create_descriptor_set_layout(&info, None) }
            .map_err(Faults::of("the layout of the set"))?;
        self.keep(Thing::Sets(sets));
        let sets = [sets];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        let device = &self.own.device;
        // SAFETY: as above.
        let layout = unsafe { device.create_pipeline_layout(&info, None) }
            .map_err(Faults::of("the layout"))?;
        self.keep(Thing::Layout(layout));
        let count = resources.len().max(1) as u32;
        let sizes = [
            vk::DescriptorType::UNIFORM_BUFFER,
            vk::DescriptorType::STORAGE_BUFFER,
            vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
            vk::DescriptorType::STORAGE_TEXEL_BUFFER,
            vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
            vk::DescriptorType::STORAGE_IMAGE,
        ]
        .map(|kind| vk::DescriptorPoolSize::default().ty(kind).descriptor_count(count));
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let device = &self.own.device;
        // SAFETY: as above.
        let pool = unsafe { device.create_descriptor_pool(&info, None) }
            .map_err(Faults::of("the pool of descriptors"))?;
        self.keep(Thing::Pool(pool));
        let info =
            vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&sets);
        let device = &self.own.device;
        // SAFETY: as above; the set goes with its pool.
        let all = unsafe { device.allocate_descriptor_sets(&info) }
            .map_err(Faults::of("the descriptor set"))?;
        let set = *all.first().ok_or(Faults::Job("there is no set".to_owned()))?;
        for (binding, resource) in resources {
            self.write(set, *binding, resource);
        }
        Ok((layout, set))
    }

    /// Writes a descriptor.
    fn write(&self, set: vk::DescriptorSet, binding: u32, resource: &Resource) {
        let write = vk::WriteDescriptorSet::default()
            .dst_set(set)
            .dst_binding(binding)
            .descriptor_type(resource.kind());
        let device = &self.own.device;
        // SAFETY: set and resources live, nothing runs, and the structures are valid during the
        // calls.
        unsafe {
            match resource {
                Resource::Buffer(seen, _) => {
                    let info = [vk::DescriptorBufferInfo::default()
                        .buffer(seen.buffer)
                        .range(vk::WHOLE_SIZE)];
                    device.update_descriptor_sets(&[write.buffer_info(&info)], &[]);
                }
                Resource::Texels(_, view, _) => {
                    let views = [*view];
                    device.update_descriptor_sets(&[write.texel_buffer_view(&views)], &[]);
                }
                Resource::Texture(sampled) => {
                    let info = [vk::DescriptorImageInfo::default()
                        .image_view(sampled.image.view)
                        .sampler(sampled.sampler)
                        .image_layout(Use::Sampled.layout())];
                    device.update_descriptor_sets(&[write.image_info(&info)], &[]);
                }
                Resource::Image(image) => {
                    let info = [vk::DescriptorImageInfo::default()
                        .image_view(image.view)
                        .image_layout(Use::Stored.layout())];
                    device.update_descriptor_sets(&[write.image_info(&info)], &[]);
                }
            }
        }
    }

    /// Records the commands, submits them and waits for their end.
    fn run(
        &mut self,
        launch: &Launch,
        resources: &[(u32, Resource)],
        (layout, set): (vk::PipelineLayout, vk::DescriptorSet),
        pipeline: vk::Pipeline,
    ) -> Result<(), Faults> {
        let own = self.own;
        let device = &own.device;
        let point = match launch {
            Launch::Grid { .. } => vk::PipelineBindPoint::COMPUTE,
            _ => vk::PipelineBindPoint::GRAPHICS,
        };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(own.commands)
            .command_buffer_count(1);
        // SAFETY: the commands are recorded by this thread alone, refer to what lives until their
        // end is waited for, and every structure is valid during its call.
        unsafe {
            let all = device.allocate_command_buffers(&info).map_err(Faults::of("commands"))?;
            let commands = *all.first().ok_or(Faults::Job("there are no commands".to_owned()))?;
            self.keep(Thing::Commands(commands));
            let once = vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT;
            device
                .begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default().flags(once))
                .map_err(Faults::of("to record commands"))?;
            for image in resources.iter().filter_map(|it| it.1.image()) {
                image.fill(device, commands);
            }
            device.cmd_bind_pipeline(commands, point, pipeline);
            device.cmd_bind_descriptor_sets(commands, point, layout, 0, &[set], &[]);
            match launch {
                Launch::Grid { groups: [x, y, z], .. } => device.cmd_dispatch(commands, *x, *y, *z),
                Launch::Vertices { count, .. } => draw(device, commands, *count),
                Launch::Quad { .. } => draw(device, commands, 3),
            }
            for (_, resource) in resources {
                if let Resource::Image(image) = resource {
                    image.fetch(device, commands);
                }
            }
            let written = vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::TRANSFER_WRITE;
            let barrier = vk::MemoryBarrier::default()
                .src_access_mask(written)
                .dst_access_mask(vk::AccessFlags::HOST_READ);
            device.cmd_pipeline_barrier(
                commands,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &[barrier],
                &[],
                &[],
            );
            device.end_command_buffer(commands).map_err(Faults::of("the end of the commands"))?;
            let fence = device
                .create_fence(&vk::FenceCreateInfo::default(), None)
                .map_err(Faults::of("a fence"))?;
            self.keep(Thing::Fence(fence));
            let buffers = [commands];
            let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
            device.queue_submit(own.queue, &submit, fence).map_err(Faults::of("the run"))?;
            device.wait_for_fences(&[fence], true, PATIENCE).map_err(Faults::of("its end"))
        }
    }
}

/// Draws vertices to no image.
///
/// # Safety
/// The commands are being recorded, and a graphics pipeline is bound.
unsafe fn draw(device: &ash::Device, commands: vk::CommandBuffer, vertices: u32) {
    let info = vk::RenderingInfo::default().render_area(area()).layer_count(1);
    // SAFETY: as promised; the structure is valid during the call.
    unsafe {
        device.cmd_begin_rendering(commands, &info);
        device.cmd_draw(commands, vertices, 1, 0, 0);
        device.cmd_end_rendering(commands);
    }
}
