//! Texture access as arithmetic: the same coordinates, texture and sampler
//! give the same bits on every machine.
//!
//! The interpreter of TGSI and the emulator of GCN look up textures here, so
//! that a difference between them is one of the coordinates that they computed
//! and never one of filtering. No hardware filters quite like this: weights
//! are not rounded to eight bits, nothing is anisotropic, and a colour is
//! rounded once, at the end. The rules are those of the OpenGL 4.6 core
//! specification, section 8.14, with what it leaves open decided:
//!
//! - A coordinate that is NaN counts as 0.
//! - Texels without weight play no part, even infinite ones.
//! - Integers are not filtered: the nearest texel of the nearest level is taken.
//! - Taps over the edge of a cube's face come from the neighbouring face. At a
//!   corner, where there is no fourth face, the nearest texel of one of the
//!   three counts twice.
//! - What lies outside of a texture reads as 0 where single texels are fetched.
//!
//! [`sample`] filters, [`gather`] gives the texels that a filter would blend,
//! [`Texture::fetch`] gives one texel. Which level is looked at follows from
//! [`Detail`], which [`implicit_detail`] computes from a quad's coordinates.

mod compare;
mod contents;
mod cube;
mod detail;
mod filter;
mod sampler;
mod shape;
mod wrap;

pub use compare::Compare;
pub use contents::{Numbers, Texture};
pub use cube::{CubePlace, cube_derivatives, cube_place};
pub use detail::{Detail, derivative_detail, implicit_detail, query_detail};
pub use filter::{Point, gather, sample};
pub use sampler::{Filter, MipFilter, Sampler};
pub use shape::{Dimension, InvalidShape, Shape, Space};
pub use wrap::Wrap;

/// Lanes of a quad: the pixels (x, y), (x+1, y), (x, y+1), (x+1, y+1).
pub const LANES: usize = 4;
