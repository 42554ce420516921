//! The server's process: a private folder with its socket and its log, and its end.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use worker::enclosed::Enclosed;

use crate::Host;
use crate::connection::Stream;

/// Variables of ours that a server needs to find its libraries and drivers.
const KEPT: [&str; 6] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "LIBGL_DRIVERS_PATH",
    "__EGL_VENDOR_LIBRARY_DIRS",
    "__EGL_VENDOR_LIBRARY_FILENAMES",
    "XDG_DATA_DIRS",
];

/// Variables that have Mesa draw in software and print every shader with its verdict.
const SET: [(&str, &str); 7] = [
    ("LIBGL_ALWAYS_SOFTWARE", "1"),
    ("LP_NUM_THREADS", "0"),
    ("MESA_DEBUG", "1"),
    ("MESA_GLSL", "source,errors"),
    ("MESA_LOG_LEVEL", "debug"),
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    ("VIRGL_LOG_LEVEL", "debug"),
];

/// Bytes of a log that are read, at most.
const MOST_READ: u64 = 32 << 20;

/// A running server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Its private folder, with its socket and its log.
    pub folder: PathBuf,
    log: File,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; the folder is ours alone.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    /// Starts a server for a host; `executable` is our own program, which becomes the server
    /// in its sandbox.
    pub fn start(executable: &Path, program: &Path, host: &Host) -> io::Result<Server> {
        let folder = private_folder()?;
        let started = Server::start_in(&folder, executable, program, host);
        if started.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        started
    }

    fn start_in(
        folder: &Path,
        executable: &Path,
        program: &Path,
        host: &Host,
    ) -> io::Result<Server> {
        let path = folder.join("log");
        let written = File::options().create_new(true).append(true).open(&path)?;
        let log = File::open(&path)?;
        // In one word: the server does not read two.
        let mut socket = OsString::from("--socket-path=");
        socket.push(folder.join("socket"));
        let options = ["--use-egl-surfaceless", "--no-fork"]
            .into_iter()
            .chain(host.arguments().iter().copied());
        let arguments = options.map(OsString::from).chain([socket]).collect();
        let enclosed =
            Enclosed { program: program.to_owned(), arguments, folder: folder.to_owned() };
        let child = Command::new(executable)
            .arg(crate::COMMAND)
            .args(enclosed.arguments_of())
            .env_clear()
            .envs(KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))))
            .envs(SET)
            .envs(host.environment())
            .envs(["HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"].map(|it| (it, folder)))
            .stdin(Stdio::null())
            .stdout(written.try_clone()?)
            .stderr(written)
            .spawn()?;
        Ok(Server { child, folder: folder.to_owned(), log })
    }

    /// Connects, once the server listens.
    pub fn connect(&mut self, limit: Duration) -> io::Result<Box<dyn Stream>> {
        let deadline = Instant::now() + limit;
        loop {
            match platform::connect(&self.folder.join("socket")) {
                Ok(stream) => return Ok(stream),
                Err(error) if Instant::now() > deadline => return Err(error),
                Err(_) if self.has_ended() => {
                    return Err(io::Error::other("it ended before it listened"));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Tells whether the process is gone. What it was doing may take a moment to end it.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// As [`Server::has_ended`], after its connection ended.
    pub fn ends(&mut self) -> bool {
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.has_ended() {
            if Instant::now() > deadline {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// The end of the process in words.
    pub fn status(&mut self) -> String {
        self.child
            .try_wait()
            .ok()
            .flatten()
            .map_or_else(|| "it ended".to_owned(), |it| it.to_string())
    }

    /// Reads what was printed since it was asked last. The server does not keep lines back.
    pub fn printed(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        (&mut self.log).take(MOST_READ).read_to_end(&mut bytes)?;
        let at = self.log.stream_position()?;
        let end = self.log.seek(SeekFrom::End(0))?;
        debug_assert!(at <= end, "the log only grows");
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Makes a folder that nobody else reads, with a short name: paths of sockets are short.
pub fn private_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let parent = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|it| it.is_dir());
    let parent = parent.unwrap_or_else(std::env::temp_dir);
    let own = std::process::id();
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("tungsten-vrend-{own}-{count}"));
        match platform::create_private(&folder) {
            Ok(()) => return Ok(folder),
            // Left behind by a process of the same number, or laid there by somebody else.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(unix)]
mod platform {
    use std::fs::DirBuilder;
    use std::io;
    use std::os::unix::fs::DirBuilderExt as _;
    use std::os::unix::net::UnixStream;
    use std::path::Path;
    use std::time::Duration;

    use crate::connection::Stream;

    impl Stream for UnixStream {
        fn wait_at_most(&self, time: Duration) -> io::Result<()> {
            self.set_read_timeout(Some(time))?;
            self.set_write_timeout(Some(time))
        }
    }

    pub(super) fn connect(path: &Path) -> io::Result<Box<dyn Stream>> {
        Ok(Box::new(UnixStream::connect(path)?))
    }

    pub(super) fn create_private(folder: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(folder)
    }
}

#[cfg(not(unix))]
mod platform {
    use std::io;
    use std::path::Path;

    use crate::connection::Stream;

    pub(super) fn connect(_: &Path) -> io::Result<Box<dyn Stream>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn create_private(_: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
