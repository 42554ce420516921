//! Packages of a built program: an archive, a Debian package, a wheel and npm packages, the
//! extension for VS Code, the plugin for Neovim, a list of what is inside, and checksums. Each is installed in an empty
//! folder and compiles the example there.

mod deb;
mod manifest;
mod npm;
mod platform;
mod sbom;
mod staging;
mod trial;
mod vsix;
mod wheel;
mod zip;

use std::path::{Path, PathBuf};

use manifest::Manifest;
use platform::{Platform, Runner};
use staging::{Staging, run};

/// The program to pack, and where to.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The program to pack; without one it is built, and linked for older systems
    #[arg(long, value_name = "FILE")]
    tungsten: Option<PathBuf>,
    /// The system and processor that the packages are for
    #[arg(long, value_enum, default_value_t = Platform::LinuxX64)]
    platform: Platform,
    /// The folder for the packages; what is in it is replaced
    #[arg(long, value_name = "FOLDER", default_value = "target/dist")]
    folder: PathBuf,
}

/// A program for a platform, and what its packages say of it.
pub(crate) struct Product<'a> {
    /// The root of the repository.
    root: &'a Path,
    /// The program.
    program: PathBuf,
    /// The machines that run it.
    platform: Platform,
    /// The oldest glibc that it runs with, of a program for Linux: the second number of its
    /// version.
    glibc: Option<u32>,
    /// Version, makers and addresses.
    manifest: Manifest,
}

/// The files of the packages.
pub(crate) struct Packages {
    archive: PathBuf,
    deb: Option<PathBuf>,
    wheel: PathBuf,
    npm: npm::Files,
    vsix: PathBuf,
    plugin: PathBuf,
}

/// The description that packages give.
const SUMMARY: &str = "Language server and command line for TGSI and AMD GCN assembly";
/// The name under which registries have it: `tungsten` is another project's.
const NAME: &str = "tungsten-lsp";
const LICENSE: &str = "MIT OR Apache-2.0";

/// Makes and tries all packages.
///
/// # Errors
/// What cannot be made, or does not work once installed.
pub(crate) fn run_all(root: &Path, options: &Options) -> Result<String, String> {
    let platform = options.platform;
    let program = match &options.tungsten {
        Some(program) => root.join(program),
        None => platform.link(root)?,
    };
    let product = Product::of(root, program, platform)?;
    let folder = root.join(&options.folder);
    let made = folder.join("made");
    staging::empty(&folder)?;
    staging::create(&made)?;
    let archive = product.archive(&made)?;
    let deb = deb::make(&product, &made)?;
    let wheel = wheel::make(&product, &made)?;
    let npm = npm::make(&product, &made)?;
    let vsix = vsix::make(&product, &made)?;
    let plugin = product.plugin(&made)?;
    let bill = sbom::make(&product, &made)?;
    let packages = Packages { archive, deb, wheel, npm, vsix, plugin };
    let tried = trial::all(&folder.join("tried"), &product, &packages)?;
    let Packages { archive, deb, wheel, npm, vsix, plugin } = packages;
    let mut files = vec![archive, wheel, vsix, plugin, bill, npm.own, npm.starter];
    files.extend(deb);
    let sums = checksums(&made, &files)?;
    staging::write(&made.join("SHA256SUMS"), &sums)?;
    Ok(format!("{sums}{tried}\n"))
}

impl Product<'_> {
    fn of(root: &Path, program: PathBuf, platform: Platform) -> Result<Product<'_>, String> {
        let bytes = std::fs::read(&program).map_err(|why| {
            format!("{}: {why}; `cargo build --release` makes it", program.display())
        })?;
        let glibc = newest_glibc(&bytes);
        if platform.of_debian().is_some() && glibc.is_none() {
            return Err(format!("{} is not linked to glibc", program.display()));
        }
        let product = Product { root, program, platform, glibc, manifest: Manifest::read(root)? };
        if platform.runner() != Runner::Nowhere {
            let (said, version) = (product.run(&["--version"])?, &product.manifest.version);
            if said.split_whitespace().nth(1) != Some(version) {
                return Err(format!("the program says that it is {said}, and not {version}"));
            }
        }
        Ok(product)
    }

    /// Runs the program, and returns what it prints.
    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let command = self.platform.runner().command(&self.program);
        let mut command = command.ok_or("the program cannot be run here")?;
        staging::output(command.args(arguments).current_dir(self.root))
    }

    /// The archive for those who have no package manager.
    fn archive(&self, made: &Path) -> Result<PathBuf, String> {
        let name = format!("{NAME}-{}-{}", self.manifest.version, self.platform.name());
        let staging = Staging::new(made, &name)?;
        staging.program(self, &format!("{name}/bin"))?;
        staging.documents(self, &name)?;
        match self.platform {
            Platform::Win32X64 => {
                let file = made.join(format!("{name}.zip"));
                staging.zip(&file).map(|()| file)
            }
            _ => {
                let file = made.join(format!("{name}.tar.gz"));
                staging.tar(&file, &name).map(|()| file)
            }
        }
    }

    /// The plugin for Neovim, which finds the program on PATH.
    fn plugin(&self, made: &Path) -> Result<PathBuf, String> {
        let name = format!("tungsten.nvim-{}", self.manifest.version);
        let staging = Staging::new(made, &name)?;
        staging.copy(&self.root.join("editors/nvim"), &name)?;
        let file = made.join(format!("{name}.tar.gz"));
        staging.tar(&file, &name)?;
        Ok(file)
    }
}

/// Finds the newest glibc whose symbols a program names: the names are in its bytes.
fn newest_glibc(bytes: &[u8]) -> Option<u32> {
    const MARK: &[u8] = b"GLIBC_2.";
    let after = bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    let number = |(at, _): (usize, &[u8])| {
        let digits = bytes.get(at + MARK.len()..)?.iter().take_while(|it| it.is_ascii_digit());
        let digits: String = digits.map(|it| char::from(*it)).collect();
        digits.parse().ok()
    };
    after.filter_map(number).max()
}

/// The lines of `sha256sum` about files of a folder.
fn checksums(folder: &Path, files: &[PathBuf]) -> Result<String, String> {
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    run(Path::new("sha256sum"), &names.collect::<Vec<_>>(), folder)
}
