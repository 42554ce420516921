//! Textures: images and samplers.

use ash::vk;
use vulkan::Faults;

use crate::images::{Filled, Plan, Use, format};
use crate::made::{Made, Thing};
use crate::{Filter, MipFilter, Numbers, Sampler, Texels, Texture, Wrap};

/// A texture that is ready to be sampled once its copies have run.
pub(crate) struct Sampled {
    pub(crate) image: Filled,
    pub(crate) sampler: vk::Sampler,
}

impl Made<'_> {
    /// Makes a texture; its texels are copied by [`Filled::fill`].
    pub(crate) fn texture(&mut self, texture: &Texture) -> Result<Sampled, Faults> {
        let is_depth = texture.numbers == Numbers::Depth;
        let words = |texels: &Vec<[u32; 4]>| match is_depth {
            true => texels.iter().map(|texel| texel[0]).collect(),
            false => texels.as_flattened().to_vec(),
        };
        let image = self.filled(&Plan {
            dimension: texture.dimension,
            size: texture.size,
            format: format(Texels { numbers: texture.numbers, components: 4 }),
            components: if is_depth { 1 } else { 4 },
            aspect: match is_depth {
                true => vk::ImageAspectFlags::DEPTH,
                false => vk::ImageAspectFlags::COLOR,
            },
            levels: texture.levels.iter().map(words).collect(),
            purpose: Use::Sampled,
        })?;
        Ok(Sampled { image, sampler: self.sampler(&texture.sampler)? })
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
