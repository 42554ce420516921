//! The npm packages: one for each platform, and one that starts the right one.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::platform::Platform;
use super::staging::{Staging, run};
use super::{LICENSE, NAME, Product, SUMMARY};

/// The files of the packages.
pub(crate) struct Files {
    /// The program for one platform.
    pub(crate) own: PathBuf,
    /// The starter, the same for every platform.
    pub(crate) starter: PathBuf,
}

/// The starter: the packages of all platforms are optional dependencies, of which npm installs
/// the one that fits.
const STARTER: &str = r#"#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const platform = `tungsten-lsp-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "tungsten.exe" : "tungsten";
let program;
try {
    program = require.resolve(`${platform}/bin/${file}`);
} catch {
    console.error(`tungsten: the package ${platform} is not installed, or there is none; build the program from its sources`);
    process.exit(2);
}
const { status, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`tungsten: ${error.message}`);
process.exit(status ?? 2);
"#;

/// Makes the packages.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<Files, String> {
    let version = &product.manifest.version;
    let name = |platform: Platform| format!("{NAME}-{}", platform.name());
    let own = name(product.platform);
    let (system, processor) = product.platform.of_node();
    let library = (system == "linux").then_some(["glibc"]);
    let of_own = manifest(
        product,
        json!({
            "name": own, "os": [system], "cpu": [processor], "libc": library,
            "files": ["bin", "examples"],
        }),
    );
    let all: Map<String, Value> =
        Platform::ALL.map(|platform| (name(platform), json!(version))).into_iter().collect();
    let of_starter = manifest(
        product,
        json!({
            "name": NAME, "bin": { "tungsten": "start.js" }, "files": ["start.js"],
            "optionalDependencies": all,
        }),
    );
    let staging = Staging::new(made, "npm")?;
    staging.program(product, "own/bin")?;
    staging.documents(product, "own")?;
    staging.text("own/package.json", &of_own.to_string())?;
    staging.text("starter/start.js", STARTER)?;
    staging.text("starter/package.json", &of_starter.to_string())?;
    let target = made.display().to_string();
    let pack = |folder: &str, name: &str| {
        let arguments = ["pack", "--silent", "--pack-destination", &target];
        run(Path::new("npm"), &arguments, &staging.path().join(folder))?;
        Ok::<PathBuf, String>(made.join(format!("{name}-{version}.tgz")))
    };
    Ok(Files { own: pack("own", &own)?, starter: pack("starter", NAME)? })
}

/// Fills in what all manifests say, and leaves out the fields that have no value yet.
fn manifest(product: &Product<'_>, own: Value) -> Value {
    let project = &product.manifest;
    let mut fields = json!({
        "version": project.version, "description": SUMMARY, "license": LICENSE,
        "repository": project.repository, "homepage": project.homepage,
    });
    if let (Some(fields), Value::Object(own)) = (fields.as_object_mut(), own) {
        fields.extend(own);
        fields.retain(|_, value| !value.is_null());
    }
    fields
}
