//! `tungsten check --watch`: once more whenever something changes.
//!
//! The files are asked for their times. That works on every file system and needs
//! no watcher of the operating system's, which would be ten crates more for this one
//! mode. Looks are at most a tenth of the time, however many files there are.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use super::{Arguments, Wishes, files_of, once};
use crate::cli::Status;
use crate::cli::output::Output;
use crate::project;

/// Between two looks at few files.
const PERIOD: Duration = Duration::from_millis(250);

/// When each file was changed, and how long it is; nothing of one that is gone.
type Look = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Checks until interrupted.
pub(super) fn run(
    arguments: &Arguments,
    wishes: &Wishes,
    output: &mut Output,
) -> io::Result<Status> {
    loop {
        let before = look(arguments);
        once(arguments, wishes, output)?;
        output.flush()?;
        loop {
            let begin = Instant::now();
            if look(arguments) != before {
                break;
            }
            std::thread::sleep(PERIOD.max(begin.elapsed() * 10));
        }
    }
}

/// The files that are checked, and the projects' files around them.
fn look(arguments: &Arguments) -> Look {
    let mut look = Look::new();
    for path in files_of(arguments) {
        let absolute = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        for folder in absolute.ancestors().skip(1) {
            let project = folder.join(project::NAME);
            if look.contains_key(&project) {
                break;
            }
            look.insert(project.clone(), stamp(&project));
        }
        look.insert(absolute.clone(), stamp(&absolute));
    }
    look
}

fn stamp(path: &std::path::Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
