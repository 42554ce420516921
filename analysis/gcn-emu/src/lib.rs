//! An emulator of GCN machine code: executes the words of a program, instruction by
//! instruction, in waves of 64 lanes.
//!
//! A pure library: no I/O, no time, no randomness; the same state gives the same
//! result. [`Program::prepare`] decodes the words once by the instruction set's own
//! tables; [`Machine`] holds the waves of a workgroup, their local data share and the
//! memory, and runs them until they end, within [`Limits`]. Code that has no defined
//! result on real hardware ends the run with a reason ([`Stop`]): a register used before
//! the wait that makes sure of it, too few wait states, an address that is not mapped.
//!
//! Where the manuals leave a result open, the emulator decides and says so at the
//! place; results of transcendental functions are the nearest floats, which the
//! hardware is allowed to miss by one or two units in the last place. MODE is obeyed:
//! the four rounding modes, denormals by width, what clamping makes of NaN,
//! IEEE 754's rule for signalling ones; nothing raises exceptions.
//!
//! The opcodes that are not executed are the rows of `data/not_executed.tsv`, each with
//! its reason. Every other one has a case: its formula, as the instruction set's tables
//! have it, is evaluated beside the emulator on numbers at random, or rows of
//! `data/cases.tsv` say what comes out.

mod aperture;
mod arithmetic;
mod execution;
mod export;
mod float;
mod image;
mod interpolate;
pub mod launch;
mod machine;
mod matrix;
mod memory;
mod mode;
mod numbers;
mod operand;
mod program;
mod scalar;
mod stop;
mod storage;
pub mod texture;
mod vector;
mod wave;

#[cfg(test)]
mod tests;

pub use aperture::Apertures;
pub use execution::{Execution, TimingFaults};
pub use export::{Export, Message, Signal, SignalKind};
pub use image::{ImageAddress, ImageError, ImageOperation, ImageRequest, Images, NoImages};
pub use isa::gcn::operation::{Conversion, ImageAccess};
pub use machine::{Limits, Machine};
pub use memory::{Memory, Unmapped};
pub use mode::Mode;
pub use program::{Instruction, Program};
pub use stop::{Reason, Stop};
pub use wave::{Attribute, LANES, Wave};
