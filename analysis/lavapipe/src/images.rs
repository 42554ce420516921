//! Images with their texels and views: the common part of textures and storage images.

use ash::vk;
use vulkan::Faults;

use crate::made::{Made, Seen, Thing};
use crate::{Dimension, Image, Numbers, Texels};

/// The use of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Sampled,
    Stored,
}

impl Use {
    fn usage(self) -> vk::ImageUsageFlags {
        match self {
            Use::Sampled => vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST,
            Use::Stored => {
                vk::ImageUsageFlags::STORAGE
                    | vk::ImageUsageFlags::TRANSFER_DST
                    | vk::ImageUsageFlags::TRANSFER_SRC
            }
        }
    }

    /// The layout in which a shader sees the image.
    pub(crate) fn layout(self) -> vk::ImageLayout {
        match self {
            Use::Sampled => vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            Use::Stored => vk::ImageLayout::GENERAL,
        }
    }
}

/// An image to make.
pub(crate) struct Plan {
    pub(crate) dimension: Dimension,
    /// As [`Image::size`].
    pub(crate) size: [u32; 3],
    pub(crate) format: vk::Format,
    /// The words of a texel.
    pub(crate) components: u32,
    pub(crate) aspect: vk::ImageAspectFlags,
    /// The words of each level.
    pub(crate) levels: Vec<Vec<u32>>,
    pub(crate) purpose: Use,
}

impl Plan {
    /// The number of layers.
    fn layers(&self) -> u32 {
        match self.dimension {
            Dimension::OneArray | Dimension::TwoArray | Dimension::Cube | Dimension::CubeArray => {
                self.size[2].max(1)
            }
            Dimension::One | Dimension::Two | Dimension::Three => 1,
        }
    }

    /// The sizes of a level, without layers.
    fn extent(&self, level: u32) -> vk::Extent3D {
        let [width, height, depth] = self.size.map(|side| (side >> level).max(1));
        match self.dimension {
            Dimension::One | Dimension::OneArray => vk::Extent3D { width, height: 1, depth: 1 },
            Dimension::Three => vk::Extent3D { width, height, depth },
            _ => vk::Extent3D { width, height, depth: 1 },
        }
    }

    /// Tells whether a level has as many words as its texels.
    fn is_whole(&self, level: u32, words: &[u32]) -> bool {
        let vk::Extent3D { width, height, depth } = self.extent(level);
        let sides = [width, height, depth, self.layers(), self.components];
        let product =
            sides.iter().try_fold(1u64, |product, side| product.checked_mul(u64::from(*side)));
        product == Some(words.len() as u64)
    }
}

/// The format of texels.
pub(crate) fn format(texels: Texels) -> vk::Format {
    use vk::Format as Of;
    match (texels.numbers, texels.components) {
        (Numbers::Depth, _) => Of::D32_SFLOAT,
        (Numbers::Float, 1) => Of::R32_SFLOAT,
        (Numbers::Float, 2) => Of::R32G32_SFLOAT,
        (Numbers::Float, _) => Of::R32G32B32A32_SFLOAT,
        (Numbers::Signed, 1) => Of::R32_SINT,
        (Numbers::Signed, 2) => Of::R32G32_SINT,
        (Numbers::Signed, _) => Of::R32G32B32A32_SINT,
        (Numbers::Unsigned, 1) => Of::R32_UINT,
        (Numbers::Unsigned, 2) => Of::R32G32_UINT,
        (Numbers::Unsigned, _) => Of::R32G32B32A32_UINT,
    }
}

/// An image that is ready once its copies have run.
pub(crate) struct Filled {
    pub(crate) view: vk::ImageView,
    /// The texels before, and those afterwards once they were fetched.
    pub(crate) staging: Seen,
    purpose: Use,
    image: vk::Image,
    range: vk::ImageSubresourceRange,
    copies: Vec<vk::BufferImageCopy>,
}

impl Made<'_> {
    /// Makes a storage image; its texels are copied by [`Filled::fill`].
    pub(crate) fn image(&mut self, image: &Image) -> Result<Filled, Faults> {
        self.filled(&Plan {
            dimension: image.dimension,
            size: image.size,
            format: format(image.texels),
            components: image.texels.components,
            aspect: vk::ImageAspectFlags::COLOR,
            levels: vec![image.words.clone()],
            purpose: Use::Stored,
        })
    }

    /// Makes an image with its view and its texels beside it.
    pub(crate) fn filled(&mut self, plan: &Plan) -> Result<Filled, Faults> {
        // What is copied lies within the buffer beside it.
        if !(0..).zip(&plan.levels).all(|(level, words)| plan.is_whole(level, words)) {
            return Err(Faults::Job("an image has more or fewer words than texels".to_owned()));
        }
        let (levels, layers) = (plan.levels.len().max(1) as u32, plan.layers());
        let is_cube = matches!(plan.dimension, Dimension::Cube | Dimension::CubeArray);
        let mut flags = vk::ImageCreateFlags::empty();
        if is_cube {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(match plan.dimension {
                Dimension::One | Dimension::OneArray => vk::ImageType::TYPE_1D,
                Dimension::Three => vk::ImageType::TYPE_3D,
                _ => vk::ImageType::TYPE_2D,
            })
            .format(plan.format)
            .extent(plan.extent(0))
            .mip_levels(levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(plan.purpose.usage());
        // SAFETY: the structure is valid during the call.
        let image = unsafe { self.own.device.create_image(&info, None) };
        let image = image.map_err(Faults::of("an image"))?;
        self.keep(Thing::Image(image));
        // SAFETY: the image was made by this device.
        let needs = unsafe { self.own.device.get_image_memory_requirements(image) };
        let memory = self.memory(needs)?;
        // SAFETY: the memory is as large as the image needs, and of a kind that it may have.
        unsafe { self.own.device.bind_image_memory(image, memory, 0) }
            .map_err(Faults::of("an image's memory"))?;
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(plan.aspect)
            .level_count(levels)
            .layer_count(layers);
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(match plan.dimension {
                Dimension::One => vk::ImageViewType::TYPE_1D,
                Dimension::OneArray => vk::ImageViewType::TYPE_1D_ARRAY,
                Dimension::Two => vk::ImageViewType::TYPE_2D,
                Dimension::TwoArray => vk::ImageViewType::TYPE_2D_ARRAY,
                Dimension::Three => vk::ImageViewType::TYPE_3D,
                Dimension::Cube => vk::ImageViewType::CUBE,
                Dimension::CubeArray => vk::ImageViewType::CUBE_ARRAY,
            })
            .format(plan.format)
            .subresource_range(range);
        // SAFETY: the structure is valid during the call.
        let view = unsafe { self.own.device.create_image_view(&info, None) };
        let view = view.map_err(Faults::of("an image's view"))?;
        self.keep(Thing::ImageView(view));
        let mut offset = 0;
        let mut copies = Vec::new();
        for (level, words) in (0..).zip(&plan.levels) {
            let layer = vk::ImageSubresourceLayers::default()
                .aspect_mask(plan.aspect)
                .mip_level(level)
                .layer_count(layers);
            copies.push(
                vk::BufferImageCopy::default()
                    .buffer_offset(offset)
                    .image_subresource(layer)
                    .image_extent(plan.extent(level)),
            );
            offset += 4 * words.len() as u64;
        }
        let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let staging = self.buffer(&plan.levels.concat(), usage)?;
        Ok(Filled { view, staging, purpose: plan.purpose, image, range, copies })
    }
}

impl Filled {
    /// Writes the commands that fill the image.
    pub(crate) fn fill(&self, device: &ash::Device, commands: vk::CommandBuffer) {
        use vk::{AccessFlags as Access, ImageLayout as Layout, PipelineStageFlags as Stage};
        let copied = (Layout::TRANSFER_DST_OPTIMAL, Access::TRANSFER_WRITE, Stage::TRANSFER);
        let nothing = (Layout::UNDEFINED, Access::empty(), Stage::TOP_OF_PIPE);
        self.change(device, commands, nothing, copied);
        // SAFETY: the commands are being recorded; the copies lie within buffer and image, which
        // were made for them and live until the commands have run.
        unsafe {
            device.cmd_copy_buffer_to_image(
                commands,
                self.staging.buffer,
                self.image,
                copied.0,
                &self.copies,
            );
        }
        let seen = Access::SHADER_READ | Access::SHADER_WRITE;
        self.change(device, commands, copied, (self.purpose.layout(), seen, Stage::ALL_COMMANDS));
    }

    /// Writes the commands that copy a storage image back once shaders have run.
    pub(crate) fn fetch(&self, device: &ash::Device, commands: vk::CommandBuffer) {
        use vk::{AccessFlags as Access, ImageLayout as Layout, PipelineStageFlags as Stage};
        let written = (self.purpose.layout(), Access::SHADER_WRITE, Stage::ALL_COMMANDS);
        let read = (Layout::TRANSFER_SRC_OPTIMAL, Access::TRANSFER_READ, Stage::TRANSFER);
        self.change(device, commands, written, read);
        // SAFETY: as in `fill`.
        unsafe {
            device.cmd_copy_image_to_buffer(
                commands,
                self.image,
                read.0,
                self.staging.buffer,
                &self.copies,
            );
        }
    }

    /// Writes the command that changes the layout behind one access and before another.
    fn change(
        &self,
        device: &ash::Device,
        commands: vk::CommandBuffer,
        before: (vk::ImageLayout, vk::AccessFlags, vk::PipelineStageFlags),
        behind: (vk::ImageLayout, vk::AccessFlags, vk::PipelineStageFlags),
    ) {
        let barrier = vk::ImageMemoryBarrier::default()
            .image(self.image)
            .subresource_range(self.range)
            .old_layout(before.0)
            .new_layout(behind.0)
            .src_access_mask(before.1)
            .dst_access_mask(behind.1);
        let flags = vk::DependencyFlags::empty();
        // SAFETY: the commands are being recorded, and the image lives until they have run.
        unsafe {
            device.cmd_pipeline_barrier(commands, before.2, behind.2, flags, &[], &[], &[barrier]);
        }
    }
}
