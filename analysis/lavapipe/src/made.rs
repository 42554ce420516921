//! The things of one run, which go with it.

use ash::vk;
use vulkan::Faults;

use crate::device::Device;

/// Something that was made for a run.
pub(crate) enum Thing {
    Buffer(vk::Buffer),
    Memory(vk::DeviceMemory),
    BufferView(vk::BufferView),
    Image(vk::Image),
    ImageView(vk::ImageView),
    Sampler(vk::Sampler),
    Sets(vk::DescriptorSetLayout),
    Pool(vk::DescriptorPool),
    Layout(vk::PipelineLayout),
    Module(vk::ShaderModule),
    Pipeline(vk::Pipeline),
    Commands(vk::CommandBuffer),
    Fence(vk::Fence),
}

/// The things of one run, in the order in which they were made.
pub(crate) struct Made<'a> {
    pub(crate) own: &'a Device,
    things: Vec<Thing>,
}

/// A buffer whose memory the processor sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    words: usize,
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        let device = &self.own.device;
        // SAFETY: all were made by this device, and nothing runs any more: whoever submits work
        // waits for its end. What needs another goes first.
        unsafe {
            for thing in self.things.drain(..).rev() {
                match thing {
                    Thing::Buffer(it) => device.destroy_buffer(it, None),
                    Thing::Memory(it) => device.free_memory(it, None),
                    Thing::BufferView(it) => device.destroy_buffer_view(it, None),
                    Thing::Image(it) => device.destroy_image(it, None),
                    Thing::ImageView(it) => device.destroy_image_view(it, None),
                    Thing::Sampler(it) => device.destroy_sampler(it, None),
                    Thing::Sets(it) => device.destroy_descriptor_set_layout(it, None),
                    Thing::Pool(it) => device.destroy_descriptor_pool(it, None),
                    Thing::Layout(it) => device.destroy_pipeline_layout(it, None),
                    Thing::Module(it) => device.destroy_shader_module(it, None),
                    Thing::Pipeline(it) => device.destroy_pipeline(it, None),
                    Thing::Commands(it) => device.free_command_buffers(self.own.commands, &[it]),
                    Thing::Fence(it) => device.destroy_fence(it, None),
                }
            }
        }
    }
}

impl<'a> Made<'a> {
    pub(crate) fn new(own: &'a Device) -> Made<'a> {
        Made { own, things: Vec::new() }
    }

    /// Keeps a thing until the end of the run.
    pub(crate) fn keep(&mut self, thing: Thing) {
        self.things.push(thing);
    }

    /// Takes memory for what has these requirements.
    pub(crate) fn memory(
        &mut self,
        needs: vk::MemoryRequirements,
    ) -> Result<vk::DeviceMemory, Faults> {
        let kind = self.own.memory_type(needs.memory_type_bits)?;
        let info =
            vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind);
        // SAFETY: the structure is valid during the call.
        let memory = unsafe { self.own.device.allocate_memory(&info, None) };
        let memory = memory.map_err(Faults::of("memory"))?;
        self.keep(Thing::Memory(memory));
        Ok(memory)
    }

    /// Makes a buffer with contents.
    pub(crate) fn buffer(
        &mut self,
        words: &[u32],
        usage: vk::BufferUsageFlags,
    ) -> Result<Seen, Faults> {
        // There is no buffer without bytes.
        let size = 4 * words.len().max(1) as u64;
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        let device = &self.own.device;
        // SAFETY: the structure is valid during the call.
        let buffer =
            unsafe { device.create_buffer(&info, None) }.map_err(Faults::of("a buffer"))?;
        self.keep(Thing::Buffer(buffer));
        // SAFETY: the buffer was made by this device.
        let needs = unsafe { self.own.device.get_buffer_memory_requirements(buffer) };
        let memory = self.memory(needs)?;
        // SAFETY: the memory is as large as the buffer needs, and of a kind that it may have.
        unsafe { self.own.device.bind_buffer_memory(buffer, memory, 0) }
            .map_err(Faults::of("a buffer's memory"))?;
        let seen = Seen { buffer, memory, words: words.len() };
        self.mapped(seen, |mapped| mapped.copy_from_slice(words))?;
        Ok(seen)
    }

    /// Returns the words of a buffer.
    pub(crate) fn words(&self, seen: Seen) -> Result<Vec<u32>, Faults> {
        self.mapped(seen, |words| words.to_vec())
    }

    /// Lets a function see the words of a buffer.
    fn mapped<T>(&self, seen: Seen, see: impl FnOnce(&mut [u32]) -> T) -> Result<T, Faults> {
        let device = &self.own.device;
        let flags = vk::MemoryMapFlags::empty();
        // SAFETY: the memory is of a kind that can be mapped, holds at least so many words,
        // and nothing runs that writes to it; it is unmapped behind the last use.
        unsafe {
            let start = device
                .map_memory(seen.memory, 0, vk::WHOLE_SIZE, flags)
                .map_err(Faults::of("to see memory"))?;
            let seen_words = std::slice::from_raw_parts_mut(start.cast::<u32>(), seen.words);
            let result = see(seen_words);
            device.unmap_memory(seen.memory);
            Ok(result)
        }
    }
}
