//! The binary form of TGSI: a stream of 32-bit words that drivers are handed.
//!
//! [`encode()`] makes it of a parsed shader, [`decode()`] reads it back and
//! says what every word means. The bits of every kind of word and the numbers
//! behind every name are rows of two tables, by [`Layout`]: the format was
//! renumbered and rebuilt several times since 2007, and a stream does not say
//! which one it is in. [`detect()`] finds it out, as far as that is possible.

mod bytes;
mod codec;
mod decode;
mod detect;
mod encode;
mod fields;
mod layout;
mod numbers;
#[cfg(test)]
mod tests;

pub use bytes::{
    FILE_EXTENSION, FileError, MAX_BYTES, Opened, from_hexadecimal, from_raw, open, to_hexadecimal,
    to_raw,
};
pub use decode::{Decoded, Diagnostic, TokenWord, decode};
pub use detect::{Detection, detect};
pub use encode::{Unencodable, encode};
pub use fields::{Field, TokenType, fields};
pub use layout::Layout;
