//! The common build of a run, kept with what each test of it reaches, so that a run which was
//! broken off neither builds it again nor asks its tests again.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::build::{Built, Tests};
use super::reach::Case;

/// A folder with the executables of a build.
pub(super) struct Store {
    folder: PathBuf,
}

impl Store {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Puts the executables back where they were built, if they are of this tree.
    pub(super) fn load(&self, stamp: u64) -> Option<Built> {
        let list = std::fs::read_to_string(self.folder.join("list.tsv")).ok()?;
        let mut rows = list.lines();
        if rows.next()? != stamp.to_string() {
            return None;
        }
        let mut built = Built::default();
        for (place, row) in rows.enumerate() {
            let cells: Vec<&str> = row.split('\t').collect();
            let executable = PathBuf::from(cells.first()?);
            // What stands there may run, or be of one mutation.
            drop(std::fs::remove_file(&executable));
            std::fs::copy(self.folder.join(place.to_string()), &executable).ok()?;
            match cells[1..] {
                [folder, name] => {
                    built.tests.push(Tests {
                        executable,
                        folder: folder.into(),
                        name: name.into(),
                    });
                }
                _ => built.programs.push(executable),
            }
        }
        Some(built)
    }

    /// Keeps the executables of a tree.
    pub(super) fn save(&self, stamp: u64, built: &Built) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.folder.display());
        drop(std::fs::remove_dir_all(&self.folder));
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut list = format!("{stamp}\n");
        for tests in &built.tests {
            let Tests { executable, folder, name } = tests;
            let _ = writeln!(list, "{}\t{}\t{name}", executable.display(), folder.display());
        }
        for program in &built.programs {
            let _ = writeln!(list, "{}", program.display());
        }
        let executables = built.tests.iter().map(|it| &it.executable).chain(&built.programs);
        for (place, executable) in executables.enumerate() {
            std::fs::copy(executable, self.folder.join(place.to_string())).map_err(failed)?;
        }
        std::fs::write(self.folder.join("list.tsv"), list).map_err(failed)
    }

    /// Opens what is known of the tests.
    pub(super) fn known(&self) -> Result<Known, String> {
        Known::open(&self.folder.join("cases.tsv"))
    }
}

/// Facts about the tests of a build, one line each, appended as they run.
pub(super) struct Known {
    file: File,
    cases: Vec<(String, Case)>,
}

impl Known {
    fn open(path: &Path) -> Result<Self, String> {
        let failed = |error| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        Ok(Self { file, cases: text.lines().filter_map(read).collect() })
    }

    /// Returns what is known of a test.
    pub(super) fn case(&self, tests: &Tests, name: &str) -> Option<Case> {
        let folder = tests.folder.to_string_lossy();
        self.cases.iter().find(|it| it.0 == folder && it.1.name == name).map(|it| it.1.clone())
    }

    /// Writes down what a test did.
    pub(super) fn add(&mut self, tests: &Tests, case: &Case) -> Result<(), String> {
        let time = case.time.map_or("-".to_owned(), |time| time.as_millis().to_string());
        let reached: Vec<String> = case.reached.iter().map(usize::to_string).collect();
        let (folder, reached) = (tests.folder.to_string_lossy(), reached.join(","));
        let line = format!("{folder}\t{}\t{time}\t{reached}\n", case.name);
        self.file.write_all(line.as_bytes()).map_err(|error| error.to_string())
    }
}

fn read(line: &str) -> Option<(String, Case)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [folder, name, time, reached] = cells[..] else { return None };
    let reached = reached.split(',').filter_map(|number| number.parse().ok()).collect();
    let time = time.parse().ok().map(Duration::from_millis);
    Some((folder.to_owned(), Case { name: name.to_owned(), time, reached }))
}
