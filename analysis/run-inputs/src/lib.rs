//! Files of inputs: the values that a run is given and those that it is to leave, in TOML.
//!
//! A pure library: text in, values out. [`sections`] reads the tables of a file one by one;
//! who runs something says what each of them means. Every mistake has its place.

mod comparison;
mod expectation;
mod reader;
mod sampler_state;

use std::ops::Range;

use thiserror::Error;
use toml::de::DeTable;

pub use comparison::{Tolerance, agree};
pub use expectation::{Expectation, Expected, Table, Unexpected};
pub use reader::Reader;
pub use sampler_state::sampler_state;

/// An error in a file of inputs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Mistake {
    /// The place, as a range of bytes.
    pub range: Range<usize>,
    /// The message.
    pub message: String,
}

impl Mistake {
    /// The line, from 1.
    pub fn line(&self, text: &str) -> usize {
        let before = text.get(..self.range.start).unwrap_or(text);
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }
}

/// Reads a file: `section` is given the name of each value of the file, the value, and the
/// name's place.
///
/// # Errors
/// The first thing that is wrong with the text, or that `section` refuses.
pub fn sections(
    text: &str,
    mut section: impl FnMut(&str, &Reader<'_>, Range<usize>) -> Result<(), Mistake>,
) -> Result<(), Mistake> {
    let table = DeTable::parse(text).map_err(|error| Mistake {
        range: error.span().unwrap_or_default(),
        message: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    for (key, value) in table.get_ref() {
        section(key.get_ref(), &Reader::new(value), key.span())?;
    }
    Ok(())
}
