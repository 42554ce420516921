//! A folder of a test's own, in which the command line is run.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of files, removed with it.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tungsten-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("made");
        Folder(path)
    }

    /// A folder with some files, each with its text.
    pub(super) fn with(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new(name);
        files.iter().for_each(|(file, text)| folder.write(file, text));
        folder
    }

    /// Writes a file, and the folders on the way to it.
    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("UTF-8")
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(arguments).current_dir(&self.0).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("tungsten starts")
    }
}

impl Drop for Folder {
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
