//! The tests that reach each mutation: each test is run once alone, with no mutation on,
//! and the switches note that they were asked, in whatever process or thread that was.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use super::build::{Tests, command};
use super::report;
use super::trial::Trial;

/// The variable that names the file for notes.
pub(super) const VARIABLE: &str = "TUNGSTEN_REACHED";

/// Tests that run in one process take so long together, or it is one test.
const TOGETHER: Duration = Duration::from_secs(4);

/// The longest time of a test without a mutation.
const LIMIT: Duration = Duration::from_secs(900);

/// A test, as it goes without a mutation.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) time: Duration,
    /// The mutations that it reaches.
    reached: BTreeSet<usize>,
}

/// An executable with the tests of it that pass, quick ones first.
pub(super) struct Prepared {
    pub(super) tests: Tests,
    pub(super) cases: Vec<Case>,
}

/// The settings of runs of tests.
#[derive(Clone, Copy)]
pub(super) struct Runner<'a> {
    pub(super) prefix: &'a [String],
    /// The number of tests that run at once.
    pub(super) jobs: usize,
}

impl Runner<'_> {
    /// Runs every test of an executable that begins as one of the filters says.
    pub(super) fn prepare(&self, tests: Tests, filters: &[&str]) -> Result<Prepared, String> {
        let names = names(&tests, filters)?;
        let (queue, cases) = (Mutex::new(names.iter().enumerate()), Mutex::new(Vec::new()));
        let work = || -> Result<(), String> {
            loop {
                let next = queue.lock().map_err(|error| error.to_string())?.next();
                let Some((place, name)) = next else { return Ok(()) };
                let case = self.record(&tests, name, place)?;
                cases.lock().map_err(|error| error.to_string())?.extend(case);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err("a thread ended ill".to_owned()))
            })
        })?;
        let mut cases = cases.into_inner().map_err(|error| error.to_string())?;
        cases.sort_by(|a: &Case, b| (a.time, &a.name).cmp(&(b.time, &b.name)));
        Ok(Prepared { tests, cases })
    }

    /// Runs a test alone; nothing where it does not pass.
    fn record(&self, tests: &Tests, name: &str, place: usize) -> Result<Option<Case>, String> {
        let notes = tests.executable.with_extension(format!("{place}.reached"));
        drop(std::fs::remove_file(&notes));
        let names = [name.to_owned()];
        let trial = self.trial(tests, &names, LIMIT);
        let outcome = Trial { notes: Some(&notes), ..trial }.run()?;
        let reached = read(&notes);
        drop(std::fs::remove_file(&notes));
        if !outcome.ended || outcome.failed.is_some() {
            report::print(&format!("{}: left out, it fails as it is: {name}\n", tests.name));
            return Ok(None);
        }
        Ok(Some(Case { name: name.to_owned(), time: outcome.time, reached }))
    }

    /// Describes a run of some tests without a mutation.
    pub(super) fn trial<'a>(
        &'a self,
        tests: &'a Tests,
        names: &'a [String],
        limit: Duration,
    ) -> Trial<'a> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (cores / self.jobs).max(1);
        let prefix = self.prefix;
        Trial { tests, names, mutation: None, notes: None, limit, prefix, threads }
    }
}

impl Prepared {
    /// The tests that reach a mutation, or all: those that run in one process together, with
    /// their time.
    pub(super) fn batches(&self, mutation: Option<usize>) -> Vec<(Vec<String>, Duration)> {
        let reach = |case: &&Case| mutation.is_none_or(|number| case.reached.contains(&number));
        let mut batches: Vec<(Vec<String>, Duration)> = Vec::new();
        for case in self.cases.iter().filter(reach) {
            match batches.last_mut() {
                Some((names, time)) if *time + case.time < TOGETHER => {
                    names.push(case.name.clone());
                    *time += case.time;
                }
                _ => batches.push((vec![case.name.clone()], case.time)),
            }
        }
        batches
    }

    /// Describes the same tests in an executable that was built anew.
    pub(super) fn rebuilt(&self, built: &[Tests]) -> Option<Prepared> {
        let same = |it: &&Tests| it.name == self.tests.name && it.folder == self.tests.folder;
        let tests = built.iter().find(same)?.clone();
        Some(Prepared { tests, cases: self.cases.clone() })
    }
}

/// The names of tests that begin as one of the filters says; of all where there are none.
fn names(tests: &Tests, filters: &[&str]) -> Result<Vec<String>, String> {
    let mut command = command(&[], &tests.executable);
    command.args(["--list", "--format", "terse"]).current_dir(&tests.folder);
    let output = command.output().map_err(|error| format!("{}: {error}", tests.name))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    let wanted =
        |name: &&str| filters.is_empty() || filters.iter().any(|filter| name.starts_with(filter));
    Ok(names.filter(wanted).map(str::to_owned).collect())
}

/// The numbers that were noted.
fn read(notes: &Path) -> BTreeSet<usize> {
    let text = std::fs::read_to_string(notes).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}
