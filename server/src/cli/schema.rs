//! `tungsten schema`: what `tungsten.toml` may hold, for editors of TOML.

use std::io;

use super::Status;
use super::output::Output;
use crate::settings;

/// Prints the JSON schema.
pub(super) fn run(output: &mut Output) -> io::Result<Status> {
    output.document(&format!("{:#}\n", settings::schema::project()))?;
    Ok(Status::Good)
}
