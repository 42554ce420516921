//! Folders from which packages are made.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Product;
use super::zip::{self, Entry};

/// A folder that holds what a package will, removed with this value.
pub(crate) struct Staging {
    folder: PathBuf,
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What stays is in the way of nothing but the next run, which removes it.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Staging {
    pub(crate) fn new(made: &Path, name: &str) -> Result<Staging, String> {
        let folder = made.join(format!(".{name}"));
        empty(&folder)?;
        Ok(Staging { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Writes a text.
    pub(crate) fn text(&self, path: &str, text: &str) -> Result<(), String> {
        write(&self.folder.join(path), text)
    }

    /// Copies the program into a folder. It keeps its mode.
    pub(crate) fn program(&self, product: &Product<'_>, folder: &str) -> Result<(), String> {
        self.copy(&product.program, &format!("{folder}/{}", product.platform.program()))
    }

    /// Copies a file or a folder.
    pub(crate) fn copy(&self, from: &Path, path: &str) -> Result<(), String> {
        let to = self.folder.join(path);
        create(to.parent().unwrap_or(&self.folder))?;
        let (from, to) = (from.display().to_string(), to.display().to_string());
        run(Path::new("cp"), &["-r", &from, &to], &self.folder).map(drop)
    }

    /// Copies licences, the README, and the example with its inputs.
    pub(crate) fn documents(&self, product: &Product<'_>, folder: &str) -> Result<(), String> {
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
            self.copy(&product.root.join(name), &format!("{folder}/{name}"))?;
        }
        for name in ["lit_texture.tgsi", "lit_texture.inputs.toml"] {
            let from = product.root.join("examples").join(name);
            self.copy(&from, &format!("{folder}/examples/{name}"))?;
        }
        Ok(())
    }

    /// Packs a folder. The same files give the same bytes.
    pub(crate) fn tar(&self, file: &Path, folder: &str) -> Result<(), String> {
        let file = file.display().to_string();
        let plain = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
        let arguments: Vec<&str> =
            plain.into_iter().chain(["-I", "gzip -9n", "-cf", &file, folder]).collect();
        run(Path::new("tar"), &arguments, &self.folder).map(drop)
    }

    /// Packs all that is there in the format of zip. The same files give the same bytes.
    pub(crate) fn zip(&self, file: &Path) -> Result<(), String> {
        write_bytes(file, &zip::archive(&Entry::read_all(&self.folder)?)?)
    }
}

/// Writes bytes.
fn write_bytes(file: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(file, bytes).map_err(|why| format!("{}: {why}", file.display()))
}

/// Makes a folder, with those above it.
pub(crate) fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))
}

/// Makes an empty folder, in place of one that is there.
pub(crate) fn empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    }
    create(folder)
}

/// Writes a text, with the folders above it.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), String> {
    create(file.parent().unwrap_or(file))?;
    write_bytes(file, text.as_bytes())
}

/// Runs a program in a folder, and returns what it prints.
///
/// # Errors
/// It does not start, or does not end with 0.
pub(crate) fn run(program: &Path, arguments: &[&str], folder: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    output(&mut command)
}

/// Runs a command, and returns what it prints.
///
/// # Errors
/// It does not start, or does not end with 0.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|why| format!("{}: {why}", shown(command)))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(format!(
        "{}: {}\n{text}{}",
        shown(command),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// The words of a command, as one types them.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
