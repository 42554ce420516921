//! Memory instructions: scalar and vector memory, and the local data share.

pub(crate) mod atomic;
mod buffer;
mod descriptor;
mod flat;
pub(crate) mod format;
mod scalar_memory;
mod share;
mod share_bytes;
mod share_direct;
mod share_lanes;
mod share_second;
mod share_transposed;

pub(crate) use atomic::{AtomicInputs, apply};
pub(crate) use buffer::Buffer;
pub(crate) use flat::Flat;
pub(crate) use format::{Halves, narrowed, widened};
pub(crate) use scalar_memory::ScalarMemory;
pub(crate) use share::Share;
pub(crate) use share_direct::direct;

/// Addresses have 48 bits (ISA manuals, "buffer resource descriptor").
const ADDRESS_BITS: u64 = (1 << 48) - 1;
