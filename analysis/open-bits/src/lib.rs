//! Sets of the words that a result may be, where a language leaves some of its bits open.
//!
//! A [`Word`] stands for all 32-bit words that the documents allow at one place, with the
//! [`Rules`] by which they are more than one. It is exact, a list of a few words, an interval
//! of floats, or [`KnownBits`] with the others open; what an operation gives on sets holds
//! everything that it gives on their members. A result that is not in its set is a defect.
//!
//! A pure library: numbers in, numbers out.

mod apply;
mod float_order;
mod float_word;
mod known_bits;
mod rule;
mod word;

pub use apply::{Image, Points, apply};
pub use float_order::{float_key, from_key};
pub use known_bits::KnownBits;
pub use rule::{Rule, Rules, page};
pub use word::Word;
