//! The places of resources: descriptor set 0, each binding one descriptor, for all shaders.

/// The first binding of constant buffers: `CONST[n][i]` is binding n.
pub const FIRST_CONSTANT_BUFFER: u32 = 0;
/// The first binding of textures with their samplers: `SAMP[n]` and `SVIEW[n]` are binding 16 + n.
pub const FIRST_SAMPLER: u32 = 16;
/// The first binding of storage buffers: `BUFFER[n]` is binding 32 + n. Buffers of hardware
/// counters follow the last one that is declared.
pub const FIRST_BUFFER: u32 = 32;
/// The first binding of storage images: `IMAGE[n]` is binding 40 + n.
pub const FIRST_IMAGE: u32 = 40;
/// The number of bindings.
pub const BINDINGS: u32 = 48;
/// The binding of the values that come in by a buffer; see [`Exchange::Buffers`](crate::Exchange).
pub const VALUES_IN: u32 = 48;
/// The binding of the values that go out by a buffer.
pub const VALUES_OUT: u32 = 49;
/// The registers of a constant buffer, 16 bytes each: what every Vulkan driver can bind.
pub const CONSTANT_BUFFER_REGISTERS: u32 = 4096;
/// The locations of varyings that drivers have, of vertices and of patches each.
pub const LOCATIONS: u32 = 32;

/// The specialization constant with the reference of the alpha test.
pub const ALPHA_REFERENCE: u32 = 0;
/// The first of three specialization constants with the size of a block that is not fixed.
pub const BLOCK_SIZE: u32 = 1;

/// The types of descriptors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DescriptorType {
    /// A buffer of constants.
    UniformBuffer,
    /// A texture and a sampler.
    CombinedImageSampler,
    /// A buffer that is fetched from as a texture.
    UniformTexelBuffer,
    /// A buffer that is written to.
    StorageBuffer,
    /// An image that is written to.
    StorageImage,
    /// A buffer that is written to as an image.
    StorageTexelBuffer,
}

/// A binding that a module uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binding {
    /// Its number in descriptor set 0.
    pub number: u32,
    /// The type of descriptor that it takes.
    pub descriptor: DescriptorType,
}
