//! The server from the client's side, in memory.
#![allow(clippy::print_stdout)] // What a test skips, it says.

mod assembly;
mod capabilities;
mod client;
mod comparing;
mod compiled_code;
mod costs;
mod decoded_documents;
mod diagnostics;
mod editing;
mod formatting;
mod ordering;
mod pages;
mod projects;
mod random;
mod renaming_files;
mod requests;
mod runs;
mod settings;
