//! The list of internal buffers (`rw_buffers`): what the driver gives a shader beside the
//! resources of the application, and which entry has it.
//!
//! An entry is a descriptor of four words; an image takes two of them. Source: Mesa 19.2,
//! `si_state.h`.

/// The ring from export to geometry shaders, for those that write it.
pub const EXPORT_RING: u32 = 0;
/// The same ring, for those that read it.
pub const READ_RING: u32 = 1;
/// The ring behind geometry shaders.
pub const WRITTEN_RING: u32 = 2;
/// The first of the four buffers of stream output.
pub const STREAM_OUTPUT: u32 = 3;
/// The divisors of the instance number: four words for each attribute, the factors of a
/// multiplication.
pub const INSTANCE_DIVISORS: u32 = 8;
/// The planes that vertices are clipped at, 16 bytes each.
pub const CLIP_PLANES: u32 = 9;
/// The pattern of polygons: 32 rows of 32 bits.
pub const POLYGON_STIPPLE: u32 = 10;
/// Places of samples in their pixels, 8 bytes each.
pub const SAMPLE_POSITIONS: u32 = 11;
/// The image of colour buffer 0.
pub const COLOR_BUFFER_0: u32 = 12;
/// The number of entries.
pub const COUNT: u32 = 16;
