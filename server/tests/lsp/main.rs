//! The server from the client's side, in memory.

mod capabilities;
mod client;
mod compiled_code;
mod diagnostics;
mod ordering;
mod requests;
mod settings;
