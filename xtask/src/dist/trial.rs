//! Packages installed in empty folders, where each has to compile the example.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::platform::{Platform, Runner};
use super::staging::{empty, output, run};
use super::{NAME, Packages, Product};

/// The work that an installed program does with the example.
struct Task {
    /// The verb of a report.
    verb: &'static str,
    /// The words of the command line before the example.
    command: &'static [&'static str],
    /// A word of the answer.
    answer: &'static str,
}

const COMPILE: Task = Task {
    verb: "compile",
    command: &["compile", "--target", "polaris10"],
    answer: "image_sample",
};
const INTERPRET: Task = Task { verb: "interpret", command: &["run"], answer: "OUT[0]" };

/// Packages that are tried, and the folders for that.
struct Trial<'a> {
    folder: &'a Path,
    product: &'a Product<'a>,
    packages: &'a Packages,
}

/// Installs and tries every package.
///
/// # Errors
/// A package that cannot be installed, that holds another program, or whose program does not
/// compile.
pub(crate) fn all(
    folder: &Path,
    product: &Product<'_>,
    packages: &Packages,
) -> Result<String, String> {
    let trial = Trial { folder, product, packages };
    let began = Instant::now();
    let (archive, example) = trial.archive()?;
    trial.does(&archive, &example)?;
    let seconds = began.elapsed().as_secs_f32();
    let mut installed = vec![archive, trial.wheel()?, trial.npm()?, trial.vsix()?];
    installed.extend(trial.deb()?);
    trial.plugin()?;
    for program in &installed {
        trial.is_same(program)?;
        trial.does(program, &example)?;
    }
    let (count, verb) = (installed.len(), trial.task().verb);
    let place = match product.platform.runner() {
        Runner::Here => "here".to_owned(),
        Runner::Imitated(imitation) => format!("by {imitation}"),
        Runner::Nowhere => {
            let platform = product.platform.name();
            return Ok(format!(
                "{count} packages hold the program; it was not run, which wants {platform}; the \
                 plugin is whole"
            ));
        }
    };
    Ok(format!(
        "{count} packages {verb} the example, run {place}, the first {seconds:.1} s after it was a \
         file; the plugin is whole"
    ))
}

impl Trial<'_> {
    /// An empty folder for a package.
    fn own(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        empty(&folder).map(|()| folder)
    }

    /// The program in a folder.
    fn program(&self, folder: &Path) -> PathBuf {
        folder.join(self.product.platform.program())
    }

    /// The program and the example of the archive.
    fn archive(&self) -> Result<(PathBuf, PathBuf), String> {
        let folder = self.own("archive")?;
        let file = text(&self.packages.archive);
        match self.product.platform {
            Platform::Win32X64 => unzip(&file, &folder)?,
            _ => drop(run(Path::new("tar"), &["-xzf", &file], &folder)?),
        }
        let version = &self.product.manifest.version;
        let inside = folder.join(format!("{NAME}-{version}-{}", self.product.platform.name()));
        Ok((self.program(&inside.join("bin")), inside.join("examples/lit_texture.tgsi")))
    }

    fn deb(&self) -> Result<Option<PathBuf>, String> {
        let Some(deb) = &self.packages.deb else { return Ok(None) };
        let root = self.own("deb")?;
        run(Path::new("dpkg-deb"), &["--extract", &text(deb), "."], &root)?;
        Ok(Some(self.program(&root.join("usr/bin"))))
    }

    fn wheel(&self) -> Result<PathBuf, String> {
        let folder = self.own("wheel")?;
        run(Path::new("python3"), &["-m", "venv", "."], &folder)?;
        let wheel = text(&self.packages.wheel);
        let mut install =
            vec!["install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"];
        // What is for another system goes where it can do no harm to this one's Python.
        let other = self.product.platform.of_python(self.product.glibc);
        let own = match self.product.platform.runner() {
            Runner::Here => folder.clone(),
            _ => {
                install.extend(["--only-binary", ":all:", "--target", "other"]);
                install.extend(["--platform", &other]);
                folder.join("other")
            }
        };
        install.push(&wheel);
        run(&folder.join("bin/pip"), &install, &folder)?;
        Ok(self.program(&own.join("bin")))
    }

    fn npm(&self) -> Result<PathBuf, String> {
        let folder = self.own("npm")?;
        std::fs::write(folder.join("package.json"), "{}").map_err(|why| why.to_string())?;
        let files = [&self.packages.npm.own, &self.packages.npm.starter].map(|file| text(file));
        let mut install = vec!["install", "--silent", "--offline", "--no-audit", "--no-fund"];
        if self.product.platform.runner() != Runner::Here {
            // npm refuses what is for another system.
            install.push("--force");
        }
        install.extend(files.iter().map(String::as_str));
        run(Path::new("npm"), &install, &folder)?;
        if self.product.platform.runner() == Runner::Here {
            // The starter finds it: other platforms have another Node.js.
            let version = run(&folder.join("node_modules/.bin/tungsten"), &["--version"], &folder)?;
            if !version.contains(&self.product.manifest.version) {
                return Err(format!("the starter of npm starts {version}"));
            }
        }
        let own = format!("node_modules/{NAME}-{}/bin", self.product.platform.name());
        Ok(self.program(&folder.join(own)))
    }

    fn vsix(&self) -> Result<PathBuf, String> {
        let folder = self.own("vscode")?;
        unzip(&text(&self.packages.vsix), &folder)?;
        let server = self.program(&folder.join("extension/server"));
        // Unlike VS Code, Python leaves a file's mode in the archive.
        run(Path::new("chmod"), &["+x", &text(&server)], &folder)?;
        Ok(server)
    }

    fn plugin(&self) -> Result<(), String> {
        let folder = self.own("nvim")?;
        let plugin = text(&self.packages.plugin);
        run(Path::new("tar"), &["-xzf", &plugin, "--strip-components=1"], &folder)?;
        let missing = ["plugin", "lua", "ftdetect", "doc"]
            .into_iter()
            .find(|part| !folder.join(part).is_dir());
        missing.map_or(Ok(()), |part| Err(format!("the plugin has no folder {part}")))
    }

    /// An installed program is the one that was packed.
    fn is_same(&self, program: &Path) -> Result<(), String> {
        let read =
            |file: &Path| std::fs::read(file).map_err(|why| format!("{}: {why}", file.display()));
        if read(program)? == read(&self.product.program)? {
            return Ok(());
        }
        Err(format!("{} is another program", program.display()))
    }

    /// The work that is asked of an installed program.
    fn task(&self) -> Task {
        match self.product.platform {
            // No registry has a libLLVM for it that could be put beside the program here.
            Platform::Win32X64 => INTERPRET,
            _ => COMPILE,
        }
    }

    /// Has an installed program do its work, without results of earlier runs.
    fn does(&self, program: &Path, example: &Path) -> Result<(), String> {
        let Some(mut command) = self.product.platform.runner().command(program) else {
            return Ok(());
        };
        let task = self.task();
        command
            .args(task.command)
            .arg(example)
            .env("TUNGSTEN_CACHE", "off")
            .current_dir(example.parent().unwrap_or(example));
        let answer = output(&mut command)?;
        if answer.contains(task.answer) {
            return Ok(());
        }
        Err(format!("{} does not {} the example:\n{answer}", program.display(), task.verb))
    }
}

fn unzip(file: &str, folder: &Path) -> Result<(), String> {
    run(Path::new("python3"), &["-m", "zipfile", "--extract", file, "."], folder).map(drop)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
