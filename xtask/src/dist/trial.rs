//! Packages installed in empty folders, where each has to compile the example.

use std::path::Path;
use std::process::Command;

use super::Packages;
use super::staging::{empty, run};

/// The chip that the example is compiled for, and an instruction that its code has.
const CHIP: &str = "polaris10";
const INSTRUCTION: &str = "image_sample";

/// Installs and tries every package.
///
/// # Errors
/// A package that cannot be installed, or whose program does not compile.
pub(crate) fn all(folder: &Path, packages: &Packages) -> Result<String, String> {
    let Packages { archive, deb, wheel, npm, vsix, plugin } = packages;
    let own = |name: &str| {
        let folder = folder.join(name);
        empty(&folder).map(|()| folder)
    };
    let unpacked = own("archive")?;
    run(Path::new("tar"), &["-xzf", &text(archive), "--strip-components=1"], &unpacked)?;
    let example = unpacked.join("examples/lit_texture.tgsi");
    compiles(&unpacked.join("bin/tungsten"), &example)?;

    let root = own("deb")?;
    run(Path::new("dpkg-deb"), &["--extract", &text(deb), "."], &root)?;
    let documents = root.join("usr/share/doc/tungsten-lsp");
    compiles(&root.join("usr/bin/tungsten"), &documents.join("examples/lit_texture.tgsi"))?;

    let python = own("wheel")?;
    run(Path::new("python3"), &["-m", "venv", "."], &python)?;
    let install = ["install", "--quiet", "--no-index", "--disable-pip-version-check", &text(wheel)];
    run(&python.join("bin/pip"), &install, &python)?;
    compiles(&python.join("bin/tungsten"), &example)?;

    let node = own("npm")?;
    std::fs::write(node.join("package.json"), "{}").map_err(|why| why.to_string())?;
    let files: Vec<String> = npm.iter().map(|file| text(file)).collect();
    let mut install = vec!["install", "--silent", "--offline", "--no-audit", "--no-fund"];
    install.extend(files.iter().map(String::as_str));
    run(Path::new("npm"), &install, &node)?;
    compiles(&node.join("node_modules/.bin/tungsten"), &example)?;

    let code = own("vscode")?;
    run(Path::new("python3"), &["-m", "zipfile", "--extract", &text(vsix), "."], &code)?;
    let server = code.join("extension/server/tungsten");
    // Unlike VS Code, Python leaves a file's mode in the archive.
    run(Path::new("chmod"), &["+x", &text(&server)], &code)?;
    compiles(&server, &example)?;

    let nvim = own("nvim")?;
    run(Path::new("tar"), &["-xzf", &text(plugin), "--strip-components=1"], &nvim)?;
    for part in ["plugin", "lua", "ftdetect", "doc"] {
        if !nvim.join(part).is_dir() {
            return Err(format!("the plugin has no folder {part}"));
        }
    }
    Ok("the archive, the Debian package, the wheel, the npm packages and the extension compile \
        the example; the plugin is whole"
        .to_owned())
}

/// Has an installed program compile the example, without results of earlier runs.
fn compiles(program: &Path, example: &Path) -> Result<(), String> {
    let output = Command::new(program)
        .args(["compile", "--target", CHIP])
        .arg(example)
        .env("TUNGSTEN_CACHE", "off")
        .current_dir(example.parent().unwrap_or(example))
        .output()
        .map_err(|why| format!("{}: {why}", program.display()))?;
    let code = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && code.contains(INSTRUCTION) {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} does not compile the example: {}\n{errors}", program.display(), output.status))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
