//! Tables that build scripts turn into constants.
//!
//! A build script reads a [`Table`] and writes constants; a cell that it refuses ends the
//! build with the table's path and line. Names are found again through a hash index, which
//! the build script makes with [`index`] and the program searches with [`find`].

// Cargo is spoken to on standard output.
#![allow(clippy::print_stdout)]

mod error;
mod generate;
mod hash;
pub mod print;
mod table;

pub use error::{Error, Result};
pub use generate::generate;
pub use hash::{find, find_as, find_pair, index, pair};
pub use table::{Row, Table, read};
