//! Reasons why a kernel is not launched.

use thiserror::Error;

use super::{MOST_GROUPS, MOST_ITEMS};

/// The reason why a kernel cannot be launched.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// Lines that are not an instruction.
    #[error("{0} lines of the kernel are not an instruction")]
    Missing(usize),
    /// Nothing to execute.
    #[error("the kernel has no instructions")]
    Empty,
    /// The kernel takes the address of something outside of it.
    #[error(
        "the kernel takes the address of `{0}`: functions that it calls and data of the program \
         are not part of a run; compile it with its functions inlined"
    )]
    Address(String),
    /// The kernel uses too much scratch memory.
    #[error("the kernel uses {0} bytes of scratch a work-item; a group can be given 16 MiB")]
    Scratch(u32),
    /// The inputs name a buffer that they do not give.
    #[error("the inputs name `buf.{0}` and do not give it")]
    NoBuffer(usize),
    /// The inputs name an image that they do not give.
    #[error("the inputs name `img.{0}` and do not give it")]
    NoImage(usize),
    /// The inputs name a sampler that they do not give.
    #[error("the inputs name `samp.{0}` and do not give it")]
    NoSampler(usize),
    /// Too many work-items.
    #[error("a group has {0} work-items; 1 to {MOST_ITEMS} can be launched")]
    Group(u64),
    /// Too many groups.
    #[error("the grid has {0} groups; 1 to {MOST_GROUPS} can be launched")]
    Grid(u64),
    /// A work-item that is not there.
    #[error("there are {0} work-items, and none is number {1}")]
    Lane(u64, usize),
    /// An image has levels, and the chip is too old.
    #[error("`img.{0}` has several levels, whose place in memory is known on GFX9 alone")]
    Levels(usize),
    /// Arguments overlap.
    #[error("the arguments at {0} and {1} overlap")]
    Arguments(usize, usize),
    /// More memory than there is.
    #[error("buffers and images are larger than the memory of a run")]
    Memory,
}
