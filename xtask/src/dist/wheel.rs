//! The wheel: an archive whose program `pip` puts on PATH.

use std::path::{Path, PathBuf};

use super::staging::{Staging, run};
use super::zip::{Entry, Mode, archive};
use super::{LICENSE, NAME, Product, SUMMARY};

/// Makes the wheel, and returns its file.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<PathBuf, String> {
    let (name, version, glibc) = (NAME.replace('-', "_"), &product.version, product.glibc);
    let tag = format!("py3-none-manylinux_2_{glibc}_x86_64");
    let info = format!("{name}-{version}.dist-info");
    let program = format!("{name}-{version}.data/scripts/tungsten");
    let staging = Staging::new(made, "wheel")?;
    staging.program(product, &program)?;
    let urls =
        [("Repository", &product.address.repository), ("Homepage", &product.address.homepage)];
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
        let bytes = std::fs::read(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        record += &format!("{path},sha256={},{}\n", hash(&file)?, bytes.len());
        let mode = if path == program { Mode::Program } else { Mode::Plain };
        entries.push(Entry { path, bytes, mode });
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
