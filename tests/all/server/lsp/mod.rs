//! The server from the client's side, in memory.

mod actions;
mod advising;
mod assembly;
mod capabilities;
mod comparing;
mod compiled_code;
mod costs;
mod decoded_documents;
mod diagnostics;
mod editing;
mod exclusion;
mod formatting;
mod hostile;
mod ordering;
mod pages;
mod parts;
mod projects;
pub(super) mod random;
mod random_workspaces;
mod renaming_files;
mod requests;
mod runs;
mod settings;
mod shader;
mod sources;
mod status;
mod virtual_documents;
mod workspace;

use std::path::PathBuf;

use serde_json::{Value, json};
use tests::client::Client;

/// A client in memory with these capabilities and options.
pub(super) fn connect(capabilities: Value, options: Value) -> Client {
    connect_with_worker(capabilities, options, PathBuf::from(crate::TUNGSTEN))
}

/// The same with another program for the compiler process.
fn connect_with_worker(capabilities: Value, options: Value, worker: PathBuf) -> Client {
    Client::in_folders(&[], capabilities, options, worker)
}

/// A client that is pushed to, with the compiler off: for what needs none.
fn plain() -> Client {
    connect(json!({}), json!({"compile": false}))
}

/// Waits for the end of the search for a libLLVM, which there must be.
fn find_compiler(client: &mut Client) {
    assert!(client.has_compiler(), "no libLLVM");
}
