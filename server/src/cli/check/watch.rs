//! `tungsten check --watch`: once more whenever something changes that a diagnostic may depend
//! on: the files that are checked, what they include, the other files of their pipelines,
//! the projects around them and the profiles these name.
//!
//! The files are asked for their times, four times a second. That works on every file
//! system and needs no watcher of the operating system's, which would be ten crates more
//! for this one mode. Looks are at most a tenth of the time, however many files there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::{Arguments, Wishes, once};
use crate::cli::named::Named;
use crate::cli::output::Output;
use crate::cli::{Status, Stop};
use crate::project;

/// Between two looks at few files.
const PERIOD: Duration = Duration::from_millis(250);

/// The things that a run depends on beside its arguments: files, whether they are there or not, and
/// folders that were searched.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Dependencies {
    /// The time of change and the length of each; nothing of one that is not there.
    seen: BTreeMap<PathBuf, Option<(SystemTime, u64)>>,
    /// Set where one was seen in two states.
    changed_meanwhile: bool,
}

impl Dependencies {
    /// Something is about to be read.
    pub(super) fn note(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        // What it was when it was read first counts: a change since then is news.
        self.seen.entry(path).or_insert_with_key(|path| stamp(path));
    }

    /// A file is about to be checked: it is read with the project around it.
    pub(super) fn note_checked(&mut self, path: &Path) {
        self.note(path);
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        for folder in absolute.ancestors().skip(1) {
            let project = folder.join(project::NAME);
            if self.seen.contains_key(&project) {
                break;
            }
            self.note(&project);
        }
    }

    /// Takes those of another part of the same run.
    pub(super) fn join(&mut self, others: Dependencies) {
        self.changed_meanwhile |= others.changed_meanwhile;
        for (path, stamp) in others.seen {
            let known = *self.seen.entry(path).or_insert(stamp);
            self.changed_meanwhile |= known != stamp;
        }
    }

    fn have_changed(&self) -> bool {
        self.changed_meanwhile || self.seen.iter().any(|(path, seen)| stamp(path) != *seen)
    }
}

/// Checks until interrupted.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    loop {
        let mut dependencies = Dependencies::default();
        if let Some(profile) = &arguments.profile {
            dependencies.note(Path::new(profile));
        }
        let files = Named::by(&arguments.files).files;
        // A profile that is wrong now may be fixed.
        match Wishes::read(arguments) {
            Ok(wishes) => once(arguments, &wishes, &mut dependencies, output)?,
            Err(stop) if dependencies.seen.is_empty() => return Err(stop),
            Err(_) => Status::Failed,
        };
        output.flush()?;
        loop {
            let begin = Instant::now();
            if dependencies.have_changed() || Named::by(&arguments.files).files != files {
                break;
            }
            std::thread::sleep(PERIOD.max(begin.elapsed() * 10));
        }
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = path.metadata().ok()?;
    Some((about.modified().ok()?, about.len()))
}
