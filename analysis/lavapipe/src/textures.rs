//! Textures: images with their texels, views and samplers.

use ash::vk;
use vulkan::Faults;

use crate::made::{Made, Thing};
use crate::{Dimension, Filter, MipFilter, Numbers, Sampler, Texture, Wrap};

/// A texture that is ready to be sampled once its copies have run.
pub(crate) struct Sampled {
    pub(crate) view: vk::ImageView,
    pub(crate) sampler: vk::Sampler,
    image: vk::Image,
    range: vk::ImageSubresourceRange,
    staging: vk::Buffer,
    copies: Vec<vk::BufferImageCopy>,
}

impl Texture {
    fn is_depth(&self) -> bool {
        self.numbers == Numbers::Depth
    }

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
}

/// The format of texels.
pub(crate) fn format(numbers: Numbers) -> vk::Format {
    match numbers {
        Numbers::Float => vk::Format::R32G32B32A32_SFLOAT,
        Numbers::Depth => vk::Format::D32_SFLOAT,
        Numbers::Signed => vk::Format::R32G32B32A32_SINT,
        Numbers::Unsigned => vk::Format::R32G32B32A32_UINT,
    }
}

impl Made<'_> {
    /// Makes a texture; its texels are copied by [`Sampled::fill`].
    pub(crate) fn texture(&mut self, texture: &Texture) -> Result<Sampled, Faults> {
        let (levels, layers) = (texture.levels.len().max(1) as u32, texture.layers());
        let is_cube = matches!(texture.dimension, Dimension::Cube | Dimension::CubeArray);
        let mut flags = vk::ImageCreateFlags::empty();
        if is_cube {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(match texture.dimension {
                Dimension::One | Dimension::OneArray => vk::ImageType::TYPE_1D,
                Dimension::Three => vk::ImageType::TYPE_3D,
                _ => vk::ImageType::TYPE_2D,
            })
            .format(format(texture.numbers))
            .extent(texture.extent(0))
            .mip_levels(levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST);
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
        let aspect = if texture.is_depth() {
            vk::ImageAspectFlags::DEPTH
        } else {
            vk::ImageAspectFlags::COLOR
        };
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(aspect)
            .level_count(levels)
            .layer_count(layers);
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(match texture.dimension {
                Dimension::One => vk::ImageViewType::TYPE_1D,
                Dimension::OneArray => vk::ImageViewType::TYPE_1D_ARRAY,
                Dimension::Two => vk::ImageViewType::TYPE_2D,
                Dimension::TwoArray => vk::ImageViewType::TYPE_2D_ARRAY,
                Dimension::Three => vk::ImageViewType::TYPE_3D,
                Dimension::Cube => vk::ImageViewType::CUBE,
                Dimension::CubeArray => vk::ImageViewType::CUBE_ARRAY,
            })
            .format(format(texture.numbers))
            .subresource_range(range);
        // SAFETY: the structure is valid during the call.
        let view = unsafe { self.own.device.create_image_view(&info, None) };
        let view = view.map_err(Faults::of("an image's view"))?;
        self.keep(Thing::ImageView(view));
        let sampler = self.sampler(&texture.sampler)?;
        let mut words = Vec::new();
        let mut copies = Vec::new();
        for (level, texels) in (0..).zip(&texture.levels) {
            let layer = vk::ImageSubresourceLayers::default()
                .aspect_mask(aspect)
                .mip_level(level)
                .layer_count(layers);
            copies.push(
                vk::BufferImageCopy::default()
                    .buffer_offset(4 * words.len() as u64)
                    .image_subresource(layer)
                    .image_extent(texture.extent(level)),
            );
            match texture.is_depth() {
                true => words.extend(texels.iter().map(|texel| texel[0])),
                false => words.extend(texels.as_flattened()),
            }
        }
        let staging = self.buffer(&words, vk::BufferUsageFlags::TRANSFER_SRC)?.buffer;
        Ok(Sampled { view, sampler, image, range, staging, copies })
    }

    fn sampler(&mut self, sampler: &Sampler) -> Result<vk::Sampler, Faults> {
        let filter = |filter| match filter {
            Filter::Nearest => vk::Filter::NEAREST,
            Filter::Linear => vk::Filter::LINEAR,
        };
        let [u, v, w] = sampler.wrap.map(|wrap| match wrap {
            Wrap::Repeat => vk::SamplerAddressMode::REPEAT,
            Wrap::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
            Wrap::ClampToEdge => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Wrap::MirrorClampToEdge => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
            Wrap::ClampToZero => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        });
        let (mip, most) = match sampler.mip {
            // Vulkan has no filter that leaves the other levels alone.
            MipFilter::None => (vk::SamplerMipmapMode::NEAREST, 0.25),
            MipFilter::Nearest => (vk::SamplerMipmapMode::NEAREST, f32::MAX),
            MipFilter::Linear => (vk::SamplerMipmapMode::LINEAR, f32::MAX),
        };
        let mut info = vk::SamplerCreateInfo::default()
            .min_filter(filter(sampler.minify))
            .mag_filter(filter(sampler.magnify))
            .mipmap_mode(mip)
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(w)
            .mip_lod_bias(f32::from_bits(sampler.bias))
            .min_lod(f32::from_bits(sampler.least_detail).min(most))
            .max_lod(f32::from_bits(sampler.greatest_detail).min(most))
            .border_color(vk::BorderColor::FLOAT_TRANSPARENT_BLACK);
        if let Some(compare) = sampler.compare {
            let op = i32::try_from(compare).unwrap_or_default();
            info = info.compare_enable(true).compare_op(vk::CompareOp::from_raw(op));
        }
        // SAFETY: the structure is valid during the call.
        let made = unsafe { self.own.device.create_sampler(&info, None) };
        let made = made.map_err(Faults::of("a sampler"))?;
        self.keep(Thing::Sampler(made));
        Ok(made)
    }
}

impl Sampled {
    /// Writes the commands that fill the image.
    pub(crate) fn fill(&self, device: &ash::Device, commands: vk::CommandBuffer) {
        use vk::{AccessFlags, ImageLayout, PipelineStageFlags};
        let change = |from, to, before, behind, stages: [PipelineStageFlags; 2]| {
            let barrier = vk::ImageMemoryBarrier::default()
                .image(self.image)
                .subresource_range(self.range)
                .old_layout(from)
                .new_layout(to)
                .src_access_mask(before)
                .dst_access_mask(behind);
            let flags = vk::DependencyFlags::empty();
            // SAFETY: the commands are being recorded, and the image lives until they have run.
            unsafe {
                device.cmd_pipeline_barrier(
                    commands,
                    stages[0],
                    stages[1],
                    flags,
                    &[],
                    &[],
                    &[barrier],
                );
            }
        };
        let write = AccessFlags::TRANSFER_WRITE;
        let copied = ImageLayout::TRANSFER_DST_OPTIMAL;
        change(
            ImageLayout::UNDEFINED,
            copied,
            AccessFlags::empty(),
            write,
            [PipelineStageFlags::TOP_OF_PIPE, PipelineStageFlags::TRANSFER],
        );
        // SAFETY: as above; the copies lie within buffer and image, which were made for them.
        unsafe {
            device.cmd_copy_buffer_to_image(
                commands,
                self.staging,
                self.image,
                copied,
                &self.copies,
            );
        }
        change(
            copied,
            ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            write,
            AccessFlags::SHADER_READ,
            [PipelineStageFlags::TRANSFER, PipelineStageFlags::ALL_COMMANDS],
        );
    }
}
