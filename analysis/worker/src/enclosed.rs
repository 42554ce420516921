//! A foreign program in a sandbox of its own: our binary gives up all rights but those that
//! the program needs, and becomes the program, which has no others.

use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;

/// A program, and all that it may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosed {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The one folder that it may write to.
    pub folder: PathBuf,
}

/// The system's folders, which every program reads: libraries, settings, devices.
#[cfg(target_os = "linux")]
const SYSTEM: [&str; 12] = [
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt", "/nix", "/gnu", "/etc", "/proc", "/sys",
    "/dev",
];

impl Enclosed {
    /// Reads what [`Enclosed::arguments_of`] wrote.
    pub fn of_arguments(arguments: impl Iterator<Item = OsString>) -> Option<Enclosed> {
        let mut arguments = arguments;
        let (folder, program) = (arguments.next()?.into(), arguments.next()?.into());
        Some(Enclosed { folder, program, arguments: arguments.collect() })
    }

    /// The arguments from which a process of our own knows what to become.
    pub fn arguments_of(self) -> Vec<OsString> {
        let first = [self.folder.into_os_string(), self.program.into_os_string()];
        first.into_iter().chain(self.arguments).collect()
    }

    /// Enters the sandbox and becomes the program. Never returns: where the program cannot be
    /// started, standard error says why.
    pub fn run(self) -> ! {
        let error = platform::become_program(&self);
        eprintln!("{}: {error}", self.program.display());
        crate::process::exit(crate::serve::STATUS_USAGE)
    }
}

/// The folders whose files a program may read: those of the system, and its own. A program of
/// the system brings none.
#[cfg(target_os = "linux")]
pub fn readable(program: &Path) -> Vec<PathBuf> {
    let own = program.canonicalize().ok();
    let own = own.as_deref().and_then(Path::parent).map(Path::to_owned);
    SYSTEM.iter().map(PathBuf::from).chain(own).filter(|it| it.is_dir()).collect()
}

#[cfg(target_os = "linux")]
mod platform {
    use std::io;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    use super::{Enclosed, readable};
    use crate::confinement::{Reach, enclose};

    pub(super) fn become_program(enclosed: &Enclosed) -> io::Error {
        let Enclosed { program, arguments, folder } = enclosed;
        enclose(&Reach { readable: readable(program), written: folder.clone() });
        Command::new(program).args(arguments).exec()
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;

    pub(super) fn become_program(_: &super::Enclosed) -> io::Error {
        io::ErrorKind::Unsupported.into()
    }
}
