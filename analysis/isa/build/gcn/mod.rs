//! The tables of GCN.

mod chips;
mod when;

use std::path::Path;

/// Returns the files that the tables become, by name.
pub(crate) fn files(data: &Path) -> Result<Vec<(&'static str, String)>, String> {
    Ok(vec![("gcn_chips.rs", chips::read(data)?)])
}
