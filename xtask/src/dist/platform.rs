//! Systems and processors that packages are made for.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::staging::{create, run, write};

/// The glibc that is linked against: the oldest that programs of Rust run with.
const GLIBC: &str = "2.17";
/// The linker of all but Windows, which has the symbols of every glibc and the libraries of
/// macOS, as Python's registry has it.
const ZIG: &str = "ziglang==0.15.2";

/// The library that Rust's crates for macOS name beside the system's own, of which the linker has
/// no description.
const ICONV: &str = "\
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libiconv.2.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _iconv, _iconv_close, _iconv_open ]
...
";

/// A system on a processor, under the name that VS Code has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Platform {
    LinuxX64,
    LinuxArm64,
    Win32X64,
    DarwinArm64,
    DarwinX64,
}

/// The place of a program's run: this machine, or one that is imitated on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    /// This machine.
    Here,
    /// An imitation, by this program.
    Imitated(&'static str),
    /// None: packages are made, and what is in them was never run.
    Nowhere,
}

impl Runner {
    /// The command that runs a program, or `None` where there is none.
    pub(crate) fn command(self, program: &Path) -> Option<Command> {
        match self {
            Runner::Here => Some(Command::new(program)),
            Runner::Imitated(imitation) => {
                let mut command = Command::new(imitation);
                command.arg(program);
                Some(command)
            }
            Runner::Nowhere => None,
        }
    }
}

impl Platform {
    /// All platforms that packages are made for.
    pub(crate) const ALL: [Platform; 5] = [
        Platform::LinuxX64,
        Platform::LinuxArm64,
        Platform::Win32X64,
        Platform::DarwinArm64,
        Platform::DarwinX64,
    ];

    /// The name, as VS Code has it; before and behind its dash stand the names of Node.js for
    /// the system and the processor.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Platform::LinuxX64 => "linux-x64",
            Platform::LinuxArm64 => "linux-arm64",
            Platform::Win32X64 => "win32-x64",
            Platform::DarwinArm64 => "darwin-arm64",
            Platform::DarwinX64 => "darwin-x64",
        }
    }

    /// The name of the system and of the processor for Node.js.
    pub(crate) fn of_node(self) -> (&'static str, &'static str) {
        self.name().split_once('-').unwrap_or_default()
    }

    /// The name of rustc.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Platform::LinuxX64 => "x86_64-unknown-linux-gnu",
            Platform::LinuxArm64 => "aarch64-unknown-linux-gnu",
            Platform::Win32X64 => "x86_64-pc-windows-gnu",
            Platform::DarwinArm64 => "aarch64-apple-darwin",
            Platform::DarwinX64 => "x86_64-apple-darwin",
        }
    }

    /// The linker's name of the platform; `None` for one that has a linker of its own.
    fn of_linker(self) -> Option<String> {
        match self {
            Platform::LinuxX64 => Some(format!("x86_64-linux-gnu.{GLIBC}")),
            Platform::LinuxArm64 => Some(format!("aarch64-linux-gnu.{GLIBC}")),
            Platform::Win32X64 => None,
            Platform::DarwinArm64 => Some("aarch64-macos".to_owned()),
            Platform::DarwinX64 => Some("x86_64-macos".to_owned()),
        }
    }

    /// The name of Python's registry; a program for Linux names the glibc that it wants.
    pub(crate) fn of_python(self, glibc: Option<u32>) -> String {
        let glibc = glibc.unwrap_or_default();
        match self {
            Platform::LinuxX64 => format!("manylinux_2_{glibc}_x86_64"),
            Platform::LinuxArm64 => format!("manylinux_2_{glibc}_aarch64"),
            Platform::Win32X64 => "win_amd64".to_owned(),
            // The oldest systems that programs of Rust run on.
            Platform::DarwinArm64 => "macosx_11_0_arm64".to_owned(),
            Platform::DarwinX64 => "macosx_10_12_x86_64".to_owned(),
        }
    }

    /// The name of the processor for Debian, for a system that it is.
    pub(crate) fn of_debian(self) -> Option<&'static str> {
        match self {
            Platform::LinuxX64 => Some("amd64"),
            Platform::LinuxArm64 => Some("arm64"),
            _ => None,
        }
    }

    /// The name of the program's file.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Platform::Win32X64 => "tungsten.exe",
            _ => "tungsten",
        }
    }

    /// The place where its programs can be run.
    pub(crate) fn runner(self) -> Runner {
        match self {
            Platform::LinuxX64 => Runner::Here,
            Platform::LinuxArm64 => Runner::Imitated("qemu-aarch64"),
            Platform::Win32X64 => Runner::Imitated("wine"),
            Platform::DarwinArm64 | Platform::DarwinX64 => Runner::Nowhere,
        }
    }

    /// Links a release build of the program, and returns its file. What was compiled stays, so
    /// another run only links; the linker is kept in a folder beside it.
    ///
    /// # Errors
    /// The step that failed: a download, the build, or the linking.
    pub(crate) fn link(self, root: &Path) -> Result<PathBuf, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = root.join(target.unwrap_or_else(|| "target".into()));
        let tools = target.join("dist-tools");
        let setting = format!("linker={}", self.linker(&tools)?.display());
        let build = ["rustc", "--quiet", "--locked", "--release", "--package", "tungsten-lsp"];
        // The release build of this machine is there already, in the folder without a name.
        let (folder, named) = match self.runner() {
            Runner::Here => (target, None),
            _ => (target.join(self.triple()), Some(["--target", self.triple()])),
        };
        let link = ["--bin", "tungsten", "--", "-C", &setting];
        let arguments: Vec<&str> =
            build.into_iter().chain(named.into_iter().flatten()).chain(link).collect();
        run(Path::new("cargo"), &arguments, root)?;
        Ok(folder.join("release").join(self.program()))
    }

    /// Returns a program that links as `cc` does: a script that is written here, or for Windows
    /// that of MinGW (Debian: gcc-mingw-w64-x86-64).
    fn linker(self, tools: &Path) -> Result<PathBuf, String> {
        let Some(own_name) = self.of_linker() else {
            return Ok("x86_64-w64-mingw32-gcc".into());
        };
        let python = tools.join("bin/python");
        if !python.is_file() {
            create(tools)?;
            run(Path::new("python3"), &["-m", "venv", "."], tools)?;
        }
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG];
        run(&python, &install, tools)?;
        let libraries = tools.join("macos");
        write(&libraries.join("libiconv.tbd"), ICONV)?;
        let find = match self {
            Platform::DarwinArm64 | Platform::DarwinX64 => format!(" -L'{}'", libraries.display()),
            _ => String::new(),
        };
        let name = format!("cc-{}", self.name());
        let (script, python) = (tools.join(&name), python.display());
        let link = format!("-m ziglang cc -target {own_name}{find}");
        write(&script, &format!("#!/bin/sh\nexec '{python}' {link} \"$@\"\n"))?;
        run(Path::new("chmod"), &["+x", &name], tools)?;
        Ok(script)
    }
}
