//! The worker's side: the driver behind the jobs of a [`worker`](::worker) process.

use std::io;
use std::path::Path;

use ::worker::{Needs, Programs, Refusal, Service};

use crate::{Driver, Job, Output};

/// The first argument of the program that makes it a worker of the driver.
pub const COMMAND: &str = "radv-worker";

/// The second argument: what the worker keeps of the driver's words.
pub(crate) const CODE: &str = "code";
/// As [`CODE`], with the driver's texts.
pub(crate) const TEXTS: &str = "texts";

/// Bytes of a dump, at most.
const MOST_DUMPED: u64 = 64 << 20;

/// Serves compile jobs until standard input ends. Never returns.
///
/// The arguments are what to keep, the path of the driver's library, and what
/// [`serve`](::worker::serve()) says.
pub fn run(mut arguments: impl Iterator<Item = String>) -> ! {
    let (Some(keeps), Some(library)) = (arguments.next(), arguments.next()) else {
        let background = ::worker::serve::BACKGROUND;
        ::worker::serve::refuse_usage(&format!("{COMMAND} {CODE}|{TEXTS} LIBRARY [{background}]"))
    };
    let manner = arguments.next().unwrap_or_default();
    ::worker::serve(&manner, move || {
        let driver = Driver::open(Path::new(&library)).map_err(Refusal::of)?;
        // Behind what opens the driver: its complaints are for the parent.
        let dump = match keeps.as_str() {
            TEXTS => Some(Dump::begin().map_err(words)?),
            _ => None,
        };
        let version = format!("{}\t{}", driver.version, driver.chip);
        Ok(Session { driver, dump, version })
    })
}

/// Says that the file in place of standard error failed.
fn words(error: io::Error) -> Refusal {
    Refusal::of(format!("standard error: {error}"))
}

/// The driver at work.
struct Session {
    driver: Driver,
    /// Standard error, where the driver's texts are wanted.
    dump: Option<Dump>,
    /// The version of Mesa and the driver's name of the chip, a tab between them.
    version: String,
}

impl Service for Session {
    type Job = Job;
    type Output = Output;
    /// For texts about code of GFX6 and GFX7 the driver asks whether there is a disassembler.
    const NEEDS: Needs =
        Needs { written: MOST_DUMPED, programs: Programs::Refused, ..Needs::NOTHING };

    fn version(&self) -> &str {
        &self.version
    }

    fn run(&mut self, job: &Job) -> Result<Output, Refusal> {
        let Some(dump) = &mut self.dump else {
            return self.driver.compile(job).map_err(Refusal::of);
        };
        dump.rewind().map_err(words)?;
        let output = self.driver.compile_with_texts(job).map_err(Refusal::of)?;
        Ok(Output { dump: dump.take().map_err(words)?, ..output })
    }
}

/// Standard error as a file in memory, for what the driver prints there.
struct Dump(platform::File);

impl Dump {
    fn begin() -> io::Result<Dump> {
        platform::replace_standard_error().map(Dump)
    }

    fn rewind(&mut self) -> io::Result<()> {
        platform::rewind(&mut self.0)
    }

    /// The words since it was rewound.
    fn take(&mut self) -> io::Result<String> {
        let bytes = platform::written(&mut self.0)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::io::{self, Read, Seek, SeekFrom};

    pub(super) use std::fs::File;

    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::stdio::dup2_stderr;

    /// Puts a file in memory in the place of standard error, with which it shares its position.
    pub(super) fn replace_standard_error() -> io::Result<File> {
        // By a system call: older glibcs have no such function.
        let memory = memfd_create("dump", MemfdFlags::empty())?;
        dup2_stderr(&memory)?;
        Ok(memory.into())
    }

    pub(super) fn rewind(file: &mut File) -> io::Result<()> {
        file.seek(SeekFrom::Start(0)).map(drop)
    }

    pub(super) fn written(file: &mut File) -> io::Result<Vec<u8>> {
        let length = file.stream_position()?;
        file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;

    pub(super) struct File;

    pub(super) fn replace_standard_error() -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn rewind(_: &mut File) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn written(_: &mut File) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
}
