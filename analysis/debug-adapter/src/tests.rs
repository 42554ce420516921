//! Whole sessions: a client of our own speaks the protocol, as editors do.

mod client;
mod schema;
mod sessions;
