//! A debugger of shaders and kernels that need no GPU: runs are recorded, so that they go
//! forwards and backwards.
//!
//! A pure library: no I/O, no time, no protocol. A [`Subject`] is a run that stands still
//! between two steps: a TGSI shader in the interpreter ([`shader`]), a GCN kernel in the
//! emulator ([`kernel`]), a shader with the machine code that it was compiled to ([`joined`]). A [`Recording`] of one keeps states on the way, within a bound of
//! memory, and reaches every position by going on from the nearest. The [`Debugger`] moves
//! through it: steps, breakpoints, conditions in the language of [`expression`], values that
//! change, and events such as a NaN that is made.

mod breakpoint;
mod conditions;
mod debugger;
pub mod expression;
pub mod joined;
pub mod kernel;
mod lines;
mod location;
mod machine;
mod origin;
#[cfg(test)]
mod record_tests;
mod recording;
pub mod shader;
mod stop;
mod subject;
#[cfg(test)]
mod tests;

pub use breakpoint::{Breakpoint, HitCondition, LogMessage, Watch};
pub use debugger::Debugger;
pub use expression::display;
pub use lines::LineValues;
pub use location::Location;
pub use origin::{Follow, Origin, Origins};
pub use recording::{Backward, DEFAULT_BYTES, Pace, Recording};
pub use stop::{Stop, Stride};
pub use subject::{Bits, Event, EventKind, Fault, Scope, Subject, Variable};
