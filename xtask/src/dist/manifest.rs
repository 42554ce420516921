//! Version, makers and addresses of the project, as `Cargo.toml` has them.

use std::path::Path;

use serde_json::Value;

use super::NAME;
use super::staging::run;

/// Version, makers and addresses, as packages name them.
pub(crate) struct Manifest {
    /// The version.
    pub(crate) version: String,
    /// The maintainer, with an address for mail.
    pub(crate) maintainer: String,
    /// The address of the sources; `None` until that is filled in.
    pub(crate) repository: Option<String>,
    /// The site; `None` until that is filled in.
    pub(crate) homepage: Option<String>,
}

impl Manifest {
    /// Reads the manifest of the program, which takes it from that of the workspace.
    ///
    /// # Errors
    /// Where cargo does not read the manifests, or they name nobody.
    pub(crate) fn read(root: &Path) -> Result<Manifest, String> {
        let arguments = ["metadata", "--format-version=1", "--no-deps", "--locked"];
        let metadata = run(Path::new("cargo"), &arguments, root)?;
        let metadata: Value = serde_json::from_str(&metadata).map_err(|why| why.to_string())?;
        let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
        let program = packages.iter().find(|package| package["name"] == NAME);
        let program = program.ok_or("the program is not a package")?;
        let filled = |field: &str| {
            program[field].as_str().filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let maintainer = program["authors"][0].as_str().ok_or("Cargo.toml names no author")?;
        let version = program["version"].as_str().ok_or("the program has no version")?;
        Ok(Manifest {
            version: version.to_owned(),
            maintainer: maintainer.to_owned(),
            repository: filled("repository"),
            homepage: filled("homepage"),
        })
    }
}
