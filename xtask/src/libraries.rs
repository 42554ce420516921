//! The crates that others can build on, packed as a registry has them.

use std::path::Path;
use std::process::Command;

/// The crates, by their folders in `analysis`: those that are of use alone, and what they
/// depend on.
const LIBRARIES: [&str; 6] = ["source", "tables", "editor-model", "isa", "tgsi", "gcn"];

/// Packs every library and builds each from its package alone.
///
/// # Errors
/// A package that is not whole: a file that is missing in it, or a dependency without a
/// version.
pub(crate) fn run(root: &Path) -> Result<String, String> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["package", "--locked", "--allow-dirty", "--quiet"]);
    for folder in LIBRARIES {
        // No registry has the others yet: they are taken from here.
        let path = root.join("analysis").join(folder);
        cargo.args(["--package", &format!("tungsten-{folder}")]);
        cargo.arg("--config");
        cargo.arg(format!(
            "patch.crates-io.tungsten-{folder}.path={:?}",
            path.display().to_string()
        ));
    }
    let output = cargo.output().map_err(|why| format!("cargo package: {why}"))?;
    if !output.status.success() {
        return Err(format!("cargo package: {}", String::from_utf8_lossy(&output.stderr)));
    }
    for folder in LIBRARIES {
        let readme = root.join("analysis").join(folder).join("README.md");
        if !readme.is_file() {
            return Err(format!("{} is missing", readme.display()));
        }
    }
    Ok(format!("{} libraries are packed, and build from their packages\n", LIBRARIES.len()))
}
