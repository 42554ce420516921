//! The tests that reach each mutation: each test is run once alone, with no mutation on,
//! and the switches note that they were asked, in whatever process or thread that was.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use super::build::{Tests, command};
use super::report;
use super::store::Known;
use super::trial::Trial;

/// The variable that names the file for notes.
pub(super) const VARIABLE: &str = "TUNGSTEN_REACHED";

/// The longest processor time of a test without a mutation.
const LIMIT: Duration = Duration::from_secs(900);

/// A test, as it goes without a mutation.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) name: String,
    /// Its processor time; nothing where it does not pass.
    pub(super) time: Option<Duration>,
    /// The mutations that it reaches.
    pub(super) reached: BTreeSet<usize>,
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
    /// Runs every test of an executable of which nothing is known yet.
    pub(super) fn prepare(&self, tests: Tests, known: &Mutex<Known>) -> Result<Prepared, String> {
        let names = names(&tests)?;
        let (queue, cases) = (Mutex::new(names.iter().enumerate()), Mutex::new(Vec::new()));
        let failed = |error: &dyn std::fmt::Display| error.to_string();
        let work = || -> Result<(), String> {
            loop {
                let next = queue.lock().map_err(|error| failed(&error))?.next();
                let Some((place, name)) = next else { return Ok(()) };
                let old = known.lock().map_err(|error| failed(&error))?.case(&tests, name);
                let case = match old {
                    Some(case) => case,
                    None => {
                        let case = self.record(&tests, name, place)?;
                        known.lock().map_err(|error| failed(&error))?.add(&tests, &case)?;
                        case
                    }
                };
                cases.lock().map_err(|error| failed(&error))?.push(case);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err("a thread ended ill".to_owned()))
            })
        })?;
        let mut cases = cases.into_inner().map_err(|error| error.to_string())?;
        cases.retain(|case| {
            if case.time.is_none() {
                report::print(&format!(
                    "{}: left out, it fails as it is: {}\n",
                    tests.name, case.name
                ));
            }
            case.time.is_some()
        });
        cases.sort_by(|a: &Case, b| (a.time, &a.name).cmp(&(b.time, &b.name)));
        Ok(Prepared { tests, cases })
    }

    /// Runs a test alone.
    fn record(&self, tests: &Tests, name: &str, place: usize) -> Result<Case, String> {
        let notes = tests.executable.with_extension(format!("{place}.reached"));
        drop(std::fs::remove_file(&notes));
        let names = [name.to_owned()];
        let trial = self.trial(tests, &names, LIMIT);
        let outcome = Trial { notes: Some(&notes), ..trial }.run()?;
        let reached = read(&notes);
        drop(std::fs::remove_file(&notes));
        let passed = outcome.ended && outcome.failed.is_none();
        Ok(Case { name: name.to_owned(), time: passed.then_some(outcome.time), reached })
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
        Trial { tests, names, mutations: &[], notes: None, limit, prefix, threads }
    }
}

impl Prepared {
    /// Returns the processor time of all tests.
    pub(super) fn time(&self) -> Duration {
        self.cases.iter().filter_map(|case| case.time).sum()
    }

    /// Describes the same tests in an executable that was built anew.
    pub(super) fn rebuilt(&self, built: &[Tests]) -> Option<Prepared> {
        let same = |it: &&Tests| it.name == self.tests.name && it.folder == self.tests.folder;
        let tests = built.iter().find(same)?.clone();
        Some(Prepared { tests, cases: self.cases.clone() })
    }
}

/// Puts tests together that run in one process, with their time. Those which have seen most
/// mutations come first, then the quick ones.
pub(super) fn batches(
    mut cases: Vec<&Case>,
    successes: &BTreeMap<String, usize>,
) -> Vec<(Vec<String>, Duration)> {
    /// Tests that run in one process take so long together, or it is one test.
    const TOGETHER: Duration = Duration::from_secs(4);
    let seen = |case: &Case| successes.get(&case.name).copied().unwrap_or(0);
    cases.sort_by_key(|case| std::cmp::Reverse(seen(case)));
    let mut batches: Vec<(Vec<String>, Duration)> = Vec::new();
    let mut had_success = false;
    for case in cases {
        let (time, has_success) = (case.time.unwrap_or_default(), seen(case) > 0);
        match batches.last_mut() {
            Some((names, sum)) if *sum + time < TOGETHER && had_success == has_success => {
                names.push(case.name.clone());
                *sum += time;
            }
            _ => batches.push((vec![case.name.clone()], time)),
        }
        had_success = has_success;
    }
    batches
}

/// The names of the tests of an executable.
fn names(tests: &Tests) -> Result<Vec<String>, String> {
    let mut command = command(&[], &tests.executable);
    command.args(["--list", "--format", "terse"]).current_dir(&tests.folder);
    let output = command.output().map_err(|error| format!("{}: {error}", tests.name))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// The numbers that were noted.
fn read(notes: &Path) -> BTreeSet<usize> {
    let text = std::fs::read_to_string(notes).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}
