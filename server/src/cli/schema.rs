//! `tungsten schema`: what `tungsten.toml` may hold, for editors of TOML.

use super::output::Output;
use super::{Status, Stop};
use crate::settings;

/// Prints the JSON schema.
pub(super) fn run(output: &mut Output) -> Result<Status, Stop> {
    output.document(&format!("{:#}\n", settings::schema::project()))?;
    Ok(Status::Good)
}
