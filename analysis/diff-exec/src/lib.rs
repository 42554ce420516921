//! Differential execution of compiled code: the same inputs go through the interpreter of
//! TGSI and through the emulator of GCN, and the outputs are compared.
//!
//! A pure library: it takes a shader and a compiler's output for it. [`TestPair`] joins the
//! two; [`TestPair::check`] makes random inputs from a seed, launches both sides and tells
//! whether they agree, or where they first differ ([`Difference`]): in which output, lane
//! and component, by which machine instruction and line of TGSI.
//!
//! Whoever else executes a shader compares its outputs with a [`Reference`], which needs no code.
//!
//! Two shaders that a chip runs as one program are a [`Merged`], of which the outputs of the
//! second are compared.
//!
//! How the machine is launched follows from the parameters of the compiled function,
//! which the lowering names (`parameters.rs`); memory is laid out as the lowering's
//! lists of descriptors want it (`layout.rs`).

mod compute;
mod control;
mod copy;
mod descriptors;
mod difference;
mod edited;
mod emitted;
mod error;
mod es_ls_outputs;
mod evaluation;
mod expectation;
mod fragment;
mod geometry;
mod indices;
mod input_source;
mod inputs;
mod interface;
mod launch;
mod layout;
mod lowered;
mod made_up;
mod merged;
mod outputs;
mod outside;
mod parameters;
mod random;
mod reference;
mod start;
mod stored;
mod stream_out;
mod test_pair;
mod textures;
mod values;
mod vertex;

pub use difference::{Difference, Observed, Verdict};
pub use error::Error;
pub use expectation::{Expectation, Statistics};
pub use input_source::ExplicitInputs;
pub use lower::{EntryPoint, Half};
pub use lowered::{Lowered, environment, lowered, lowered_for, lowered_merged};
pub use made_up::made_up;
pub use merged::Merged;
pub use outside::{
    Delivery, Entry, Lanes, OutsideCode, ScalarStart, SetAfter, VectorStart, WordHalf,
};
pub use parameters::{Parameter, Parameters};
pub use random::Random;
pub use reference::{ExecutorOutputs, PatchRecords, Reference};
pub use start::{HeldTextures, Start};
pub use test_pair::{Compiled, TestPair, relocated};
pub use values::lines_by_values;
