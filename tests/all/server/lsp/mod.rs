//! The server from the client's side, in memory.

mod actions;
mod assembly;
mod capabilities;
pub(super) mod client;
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
mod status;
mod virtual_documents;
mod workspace;
