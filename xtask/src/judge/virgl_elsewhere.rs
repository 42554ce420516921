//! Our shaders on systems without the sockets that virglrenderer's test server listens on.

use std::path::Path;

use super::table::Outcome;

/// Refuses: nobody can be asked here.
pub(crate) fn table(_root: &Path, command: &str) -> Result<(String, Outcome), String> {
    Err(format!(
        "`{command}` listens on a Unix socket, which this system does not have: judge shaders on Unix"
    ))
}
