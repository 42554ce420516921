//! Whether compiled code does what its shader says: the same inputs go through the
//! interpreter of TGSI and through the emulator of GCN, and what comes out is compared.
//!
//! A pure library: it is given a shader and what a compiler made of it. [`Subject`]
//! joins the two; [`Subject::judge`] makes up inputs from a seed, launches both sides
//! and says whether they agree, or where they first differ ([`Difference`]): in which
//! output, lane and component, by which machine instruction and line of TGSI.
//!
//! Two shaders that a chip runs as one program are a [`Merged`], which is judged by what
//! the second leaves of what the first handed to it.
//!
//! How the machine is launched follows from the parameters of the compiled function,
//! which the lowering names (`parameters.rs`); memory is laid out as the lowering's
//! lists of descriptors want it (`layout.rs`).

mod allowed;
mod captured;
mod compute;
mod control;
mod copy;
mod descriptors;
mod difference;
mod evaluation;
mod fragment;
mod geometry;
mod given;
mod handover;
mod inputs;
mod launched;
mod layout;
mod linked;
mod lowered;
mod merged;
mod outputs;
mod parameters;
mod random;
mod subject;
mod textures;
mod vertex;

pub use allowed::Tally;
pub use difference::{Difference, Place, Verdict};
pub use given::Given;
pub use lowered::{Lowered, environment, lowered, lowered_for, lowered_merged};
pub use merged::Merged;
pub use random::Random;
pub use subject::{Compiled, Subject};
