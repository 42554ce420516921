//! A search for faster forms of a program: changes that keep its meaning, each measured and
//! proven by whoever asks.
//!
//! A pure library without a compiler. [`shader`] and [`kernel`] know the changes that a text
//! allows by its dependences ([`Moves`]); [`search()`] tries them, what they led to as well, by
//! the figures that a [`Bench`] measures, as long as the bench says that there is time. What
//! it returns is better in the figures and is equal by the bench's proof; what was tried
//! without gain is counted. The same seed tries the same changes in the same order.

mod difference;
mod figures;
pub mod kernel;
mod random;
mod search;
pub mod shader;

pub use difference::{DiffLine, difference, line_edits};
pub use figures::Figures;
pub use search::{Bench, Found, Moves, Outcome, Promise, Proof, Variant, search};
