//! The list of the crates inside, in the format of CycloneDX.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::staging::{run, write};
use super::{NAME, Product};

/// Writes the list, and returns its file.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<PathBuf, String> {
    let platform = product.platform.triple();
    let arguments = ["metadata", "--format-version=1", "--locked", "--filter-platform", platform];
    let metadata = run(Path::new("cargo"), &arguments, product.root)?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|why| why.to_string())?;
    let packages = array(&metadata["packages"]);
    let by_id: HashMap<&str, &Value> =
        packages.iter().filter_map(|package| Some((package["id"].as_str()?, package))).collect();
    let inside = inside(&metadata, packages)?;
    let components: Vec<Value> = inside
        .iter()
        .filter_map(|id| by_id.get(id))
        .map(|package| {
            let (name, version) = (text(&package["name"]), text(&package["version"]));
            json!({
                "type": "library", "name": name, "version": version,
                "purl": format!("pkg:cargo/{name}@{version}"),
                "licenses": [{ "expression": text(&package["license"]) }],
            })
        })
        .collect();
    if components.len() < 20 {
        return Err(format!("only {} crates were found inside", components.len()));
    }
    let bill = json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "component": {
            "type": "application", "name": NAME, "version": product.manifest.version,
        } },
        "components": components,
    });
    let file = made.join(format!("{NAME}-{}.cdx.json", product.manifest.version));
    let pretty = serde_json::to_string_pretty(&bill).map_err(|why| why.to_string())?;
    write(&file, &pretty)?;
    Ok(file)
}

/// The crates that the program is made of: what it depends on, but for builds and tests.
fn inside<'a>(metadata: &'a Value, packages: &'a [Value]) -> Result<BTreeSet<&'a str>, String> {
    let nodes: HashMap<&str, &Value> = array(&metadata["resolve"]["nodes"])
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let program = packages.iter().find(|package| package["name"] == NAME);
    let program = program.and_then(|it| it["id"].as_str()).ok_or("the program is not a package")?;
    let mut found = BTreeSet::new();
    let mut open = vec![program];
    while let Some(id) = open.pop() {
        let dependencies = nodes.get(id).map_or(&[][..], |node| array(&node["deps"]));
        for dependency in dependencies {
            let kinds = array(&dependency["dep_kinds"]);
            let is_inside = kinds.iter().any(|kind| kind["kind"].is_null());
            let Some(id) = dependency["pkg"].as_str().filter(|_| is_inside) else { continue };
            if found.insert(id) {
                open.push(id);
            }
        }
    }
    Ok(found)
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
