//! A folder of a test's own, in which the command line is run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of files, removed with the last value that names it.
#[derive(Clone)]
pub(crate) struct Folder(Arc<Owned>);

struct Owned(PathBuf);

/// The number of folders made so far: tests that run at once may give theirs one name.
static MADE: AtomicUsize = AtomicUsize::new(0);

impl Folder {
    /// A new folder without files; its name is for who finds it left over.
    pub(crate) fn new(name: &str) -> Folder {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let own = format!("tungsten-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(own);
        // Left over from a process that was killed and had the same number.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("made");
        Folder(Arc::new(Owned(path)))
    }

    /// A folder with some files, each with its text.
    pub(crate) fn with(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new(name);
        for (file, text) in files {
            folder.write(file, text);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0.0
    }

    /// Writes a file, and the folders on the way to it; returns its URI.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
        self.uri(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("UTF-8")
    }

    /// Removes a file, or a folder with all in it.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.path().join(name);
        match path.is_dir() {
            true => std::fs::remove_dir_all(path).expect("removed"),
            false => std::fs::remove_file(path).expect("removed"),
        }
    }

    /// The URI of a file in it.
    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path().join(name).display())
    }

    /// The URI of the folder itself.
    pub(crate) fn own_uri(&self) -> String {
        format!("file://{}", self.path().display())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(arguments).current_dir(self.path()).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("tungsten starts")
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(super) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(super) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
