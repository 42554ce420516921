//! The wheel: an archive whose program `pip` puts on PATH.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::staging::{Staging, run};
use super::zip::{Entry, Mode, archive};
use super::{LICENSE, NAME, Product, SUMMARY};

/// Makes the wheel, and returns its file.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<PathBuf, String> {
    let Manifest { version, repository, homepage, .. } = &product.manifest;
    let name = NAME.replace('-', "_");
    let tag = format!("py3-none-{}", product.platform.of_python(product.glibc));
    let info = format!("{name}-{version}.dist-info");
    let scripts = format!("{name}-{version}.data/scripts");
    let program = format!("{scripts}/{}", product.platform.program());
    let staging = Staging::new(made, "wheel")?;
    staging.program(product, &scripts)?;
    let urls = [("Repository", repository), ("Homepage", homepage)];
    let urls: String = urls
        .into_iter()
        .filter_map(|(name, url)| Some(format!("Project-URL: {name}, {}\n", url.as_ref()?)))
        .collect();
    staging.text(
        &format!("{info}/METADATA"),
        &format!(
            "Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\n\
             License-Expression: {LICENSE}\nLicense-File: LICENSE-MIT\n\
             License-File: LICENSE-APACHE\n{urls}\n{SUMMARY}.\n"
        ),
    )?;
    staging.text(
        &format!("{info}/WHEEL"),
        &format!("Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: false\nTag: {tag}\n"),
    )?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        staging.copy(&product.root.join(licence), &format!("{info}/licenses/{licence}"))?;
    }
    let files = [
        program.clone(),
        format!("{info}/licenses/LICENSE-MIT"),
        format!("{info}/licenses/LICENSE-APACHE"),
        format!("{info}/METADATA"),
        format!("{info}/WHEEL"),
    ];
    let mut record = String::new();
    let mut entries = Vec::new();
    for path in files {
        let file = staging.path().join(&path);
        let mode = if path == program { Mode::Program } else { Mode::Plain };
        let entry = Entry::read(&file, path, mode)?;
        record += &format!("{},sha256={},{}\n", entry.path, hash(&file)?, entry.bytes.len());
        entries.push(entry);
    }
    let path = format!("{info}/RECORD");
    record += &format!("{path},,\n");
    entries.push(Entry { path, bytes: record.into_bytes(), mode: Mode::Plain });
    let file = made.join(format!("{name}-{version}-{tag}.whl"));
    std::fs::write(&file, archive(&entries)?)
        .map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(file)
}

/// The hash of a file in the letters of addresses, as a wheel's record has it.
fn hash(file: &Path) -> Result<String, String> {
    let script = "import base64,hashlib,sys;print(base64.urlsafe_b64encode(hashlib.sha256(\
                  open(sys.argv[1],'rb').read()).digest()).decode().rstrip('='))";
    let file = file.display().to_string();
    let printed = run(Path::new("python3"), &["-c", script, &file], Path::new("."))?;
    Ok(printed.trim().to_owned())
}
