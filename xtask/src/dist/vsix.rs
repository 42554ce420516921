//! The extension for VS Code with the server inside, made by the extension's own script.

use std::path::{Path, PathBuf};

use super::Product;
use super::staging::run;

/// Makes the extension, and returns its file.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<PathBuf, String> {
    let folder = product.root.join("editors/vscode");
    run(Path::new("npm"), &["ci", "--silent", "--no-audit", "--no-fund"], &folder)?;
    let platform = product.platform.name();
    let file = made.join(format!("tungsten-{platform}-{}.vsix", product.manifest.version));
    let (program, to) = (product.program.display().to_string(), file.display().to_string());
    run(Path::new("node"), &["package.mjs", platform, &program, &to], &folder)?;
    Ok(file)
}
