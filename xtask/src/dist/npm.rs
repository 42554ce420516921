//! The npm packages: one for each platform, and one that starts the right one.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::staging::{Staging, run};
use super::{LICENSE, NAME, Product, SUMMARY};

/// The starter: its platform's package is an optional dependency, of which npm installs the
/// one that fits.
const STARTER: &str = r#"#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const platform = `tungsten-lsp-${process.platform}-${process.arch}`;
let program;
try {
    program = require.resolve(`${platform}/bin/tungsten`);
} catch {
    console.error(`tungsten: there is no package ${platform}; build the program from its sources`);
    process.exit(2);
}
const { status, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`tungsten: ${error.message}`);
process.exit(status ?? 2);
"#;

/// Makes the packages, and returns their files: the platform's, then the starter.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<Vec<PathBuf>, String> {
    let version = &product.version;
    let platform = format!("{NAME}-linux-x64");
    let own = manifest(json!({
        "name": platform, "version": version, "description": SUMMARY, "license": LICENSE,
        "repository": product.address.repository, "homepage": product.address.homepage,
        "os": ["linux"], "cpu": ["x64"], "libc": ["glibc"], "files": ["bin", "examples"],
    }));
    let starter = manifest(json!({
        "name": NAME, "version": version, "description": SUMMARY, "license": LICENSE,
        "repository": product.address.repository, "homepage": product.address.homepage,
        "bin": { "tungsten": "start.js" }, "files": ["start.js"],
        "optionalDependencies": { (&*platform): version },
    }));
    let staging = Staging::new(made, "npm")?;
    staging.program(product, "platform/bin/tungsten")?;
    staging.documents(product, "platform")?;
    staging.text("platform/package.json", &own.to_string())?;
    staging.text("starter/start.js", STARTER)?;
    staging.text("starter/package.json", &starter.to_string())?;
    let target = made.display().to_string();
    let mut files = Vec::new();
    for (folder, name) in [("platform", &*platform), ("starter", NAME)] {
        let arguments = ["pack", "--silent", "--pack-destination", &target];
        run(Path::new("npm"), &arguments, &staging.path().join(folder))?;
        files.push(made.join(format!("{name}-{version}.tgz")));
    }
    Ok(files)
}

/// Leaves out the fields of a manifest that are not filled in yet.
fn manifest(mut fields: Value) -> Value {
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}
