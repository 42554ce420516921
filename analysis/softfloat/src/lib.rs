//! Floats in software, for what the processor that runs us does not do alike everywhere, or
//! not at all: ways of rounding, halves and smaller formats, and sums of products that are rounded
//! once.

mod exact;
mod fused;
mod half;
mod nan;
mod small;

pub use exact::Exact;
pub use fused::{fused, fused_f32, sum_f32};
pub use half::{from_half, to_half};
pub use nan::{from_single, settled, to_single};
pub use small::{Overflow, SmallFormat};

/// The rounding mode of a result that does not fit its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, ties to even.
    Nearest,
    /// To the next that is not less.
    Up,
    /// To the next that is not more.
    Down,
    /// To the next that is not a larger in size.
    TowardsZero,
}
