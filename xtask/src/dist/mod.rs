//! Packages of a built program: an archive, a Debian package, a wheel and npm packages, the
//! extension for VS Code, the plugin for Neovim, a list of what is inside, and checksums. Each is installed in an empty
//! folder and compiles the example there.

mod address;
mod deb;
mod link;
mod npm;
mod sbom;
mod staging;
mod trial;
mod vsix;
mod wheel;
mod zip;

use std::path::{Path, PathBuf};

use address::Address;
use staging::{Staging, run};

/// The program to pack, and where to.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The program to pack; without one the release build is linked for older systems
    #[arg(long, value_name = "FILE")]
    tungsten: Option<PathBuf>,
    /// The folder for the packages; what is in it is replaced
    #[arg(long, value_name = "FOLDER", default_value = "target/dist")]
    folder: PathBuf,
}

/// A program for a machine, and what its packages say of it.
pub(crate) struct Product<'a> {
    /// The root of the repository.
    root: &'a Path,
    /// The program.
    program: PathBuf,
    /// Its version.
    version: String,
    /// The oldest glibc that it runs with: the second number of its version.
    glibc: u32,
    /// Makers and addresses.
    address: Address,
}

/// The files of the packages.
pub(crate) struct Packages {
    archive: PathBuf,
    deb: PathBuf,
    wheel: PathBuf,
    npm: Vec<PathBuf>,
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
    let product = match &options.tungsten {
        Some(program) => Product::of(root, program)?,
        None => Product::of(root, &link::for_old_systems(root)?)?,
    };
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
    let tried = trial::all(&folder.join("tried"), &packages)?;
    let Packages { archive, deb, wheel, npm, vsix, plugin } = packages;
    let mut files = vec![archive, deb, wheel, vsix, plugin, bill];
    files.extend(npm);
    let sums = checksums(&made, &files)?;
    staging::write(&made.join("SHA256SUMS"), &sums)?;
    Ok(format!("{sums}{tried}\n"))
}

impl Product<'_> {
    fn of<'a>(root: &'a Path, program: &Path) -> Result<Product<'a>, String> {
        let program = root.join(program);
        let bytes = std::fs::read(&program).map_err(|why| {
            format!("{}: {why}; `cargo build --release` makes it", program.display())
        })?;
        let said = run(&program, &["--version"], root)?;
        let version = said.split_whitespace().nth(1).ok_or("the program has no version")?;
        let glibc = newest_glibc(&bytes).ok_or("the program is not linked to glibc")?;
        let address = Address::read(root)?;
        Ok(Product { root, program, version: version.to_owned(), glibc, address })
    }

    /// The archive for those who have no package manager.
    fn archive(&self, made: &Path) -> Result<PathBuf, String> {
        let name = format!("{NAME}-{}-linux-x86_64", self.version);
        let staging = Staging::new(made, &name)?;
        staging.program(self, &format!("{name}/bin/tungsten"))?;
        staging.documents(self, &name)?;
        let file = made.join(format!("{name}.tar.gz"));
        staging.tar(&file, &name)?;
        Ok(file)
    }

    /// The plugin for Neovim, which finds the program on PATH.
    fn plugin(&self, made: &Path) -> Result<PathBuf, String> {
        let name = format!("tungsten.nvim-{}", self.version);
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
