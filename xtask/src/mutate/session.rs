//! Trying mutations: those that can be switched in one build of all tests, the others in a
//! build each, and given to tests until one fails.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use super::build::{Built, Cargo, Goal, Tests, blame};
use super::crates::{CRATES, Crate};
use super::reach::{Case, Prepared, Runner, batches};
use super::report;
use super::state::{Entry, Mutation, Record, Verdict, Way};
use super::store::Store;
use super::tree::Tree;
use super::trial::Trial;

/// The mutations that other crates' tests are asked about at once: with more of them more tests
/// fail, and each of these is asked about each mutation.
const GROUP: usize = 16;

/// A session of tests on mutations.
pub(super) struct Session {
    pub(super) tree: Tree,
    pub(super) target: PathBuf,
    pub(super) store: Store,
    pub(super) prefix: Vec<String>,
    pub(super) jobs: usize,
}

/// The tests that are asked about a mutation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// The tests of its crate.
    Own,
    /// The tests of its crate, and then all others.
    All,
}

/// The mutations that a session is about.
pub(super) struct Scope {
    /// The folders of their crates.
    pub(super) folders: Vec<&'static str>,
    /// The number that counts.
    pub(super) count: usize,
    pub(super) asked: Asked,
}

impl Scope {
    fn holds(&self, entry: &Entry) -> bool {
        self.folders.contains(&entry.mutation.folder())
    }

    /// Returns the numbers of the mutations that count and have no last verdict yet.
    pub(super) fn open(&self, record: &Record) -> Vec<usize> {
        let is_open = |entry: &Entry| match entry.verdict {
            Verdict::Drawn => true,
            Verdict::Missed => self.asked == Asked::All,
            _ => false,
        };
        let counted = record.counted(self.count);
        counted.filter(|(_, it)| self.holds(it) && is_open(it)).map(|it| it.0).collect()
    }
}

/// A mutation as tests see it.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) mutation: &'a Mutation,
    /// Its number, if a variable switches it on.
    pub(super) switch: Option<usize>,
}

impl Session {
    /// Tries all mutations that count and have no last verdict.
    pub(super) fn round(&mut self, scope: &Scope, record: &mut Record) -> Result<(), String> {
        let built = self.build_together(scope, record)?;
        let prepared = self.prepare(built.tests)?;
        self.try_switched(&prepared, scope, record)?;
        let mut alone = scope.open(record);
        alone.retain(|number| record.entries[*number].way == Way::Alone);
        for number in &alone {
            self.try_alone_by_own(*number, &prepared, record)?;
        }
        if scope.asked == Asked::All {
            self.try_alone_by_others(&alone, &prepared, record)?;
        }
        Ok(())
    }

    /// Builds all tests with every mutation that can be switched.
    fn build_together(&mut self, scope: &Scope, record: &mut Record) -> Result<Built, String> {
        loop {
            let drawn = record.entries.clone();
            let is_switched = |(_, it): &(usize, &Entry)| {
                it.verdict != Verdict::Unviable && it.way == Way::Switched && scope.holds(it)
            };
            let entries = drawn.iter().enumerate().filter(is_switched);
            let pairs: Vec<(usize, &Mutation)> =
                entries.map(|(number, it)| (number, &it.mutation)).collect();
            let (written, refused) = self.tree.apply_switched(&pairs)?;
            for number in refused {
                record.set_alone(number)?;
            }
            let stamp = self.tree.stamp()?;
            if let Some(built) = self.store.load(stamp) {
                return Ok(built);
            }
            let failures = match self.cargo().build(Goal::Everything)? {
                Ok(built) => {
                    self.store.save(stamp, &built)?;
                    return Ok(built);
                }
                Err(failures) => failures,
            };
            let blame = blame(&failures, &written);
            if blame.unviable.is_empty() && blame.alone.is_empty() {
                return Err(blame.unexplained.join("\n"));
            }
            for number in blame.alone {
                record.set_alone(number)?;
            }
            for number in blame.unviable {
                tell(record, number, Verdict::Unviable, "")?;
            }
        }
    }

    pub(super) fn cargo(&self) -> Cargo<'_> {
        Cargo { tree: &self.tree.folder, target: &self.target, prefix: &self.prefix }
    }

    /// Runs every test without a mutation.
    fn prepare(&self, tests: Vec<Tests>) -> Result<Vec<Prepared>, String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let runner = Runner { prefix: &self.prefix, jobs: cores.max(self.jobs) };
        let known = Mutex::new(self.store.known()?);
        let prepared = tests.into_iter().map(|tests| runner.prepare(tests, &known));
        let mut prepared = prepared.collect::<Result<Vec<_>, _>>()?;
        // Those with quick tests are asked first.
        prepared.sort_by_key(Prepared::time);
        Ok(prepared)
    }

    fn try_switched(
        &self,
        prepared: &[Prepared],
        scope: &Scope,
        record: &mut Record,
    ) -> Result<(), String> {
        let open = |record: &Record, verdict: Verdict| -> Vec<usize> {
            let mut open = scope.open(record);
            let is_wanted = |it: &Entry| it.way == Way::Switched && it.verdict == verdict;
            open.retain(|number| is_wanted(&record.entries[*number]));
            open
        };
        let drawn = open(record, Verdict::Drawn);
        self.try_each(&drawn, record, |subject| {
            for suite in owner(subject.mutation)?.own {
                let is_asked = |tests: &Tests, case: &Case| suite.holds(tests, &case.name);
                let seen = self.seen(prepared, subject, &BTreeMap::new(), is_asked)?;
                if let Some(test) = seen {
                    return Ok((Verdict::Killed, test));
                }
            }
            Ok((Verdict::Missed, String::new()))
        })?;
        if scope.asked == Asked::Own {
            return Ok(());
        }
        for group in open(record, Verdict::Missed).chunks(GROUP) {
            let suspects = self.suspects(group, prepared, record)?;
            self.try_each(group, record, |subject| {
                self.seen_by_suspects(&suspects, prepared, subject)
            })?;
        }
        Ok(())
    }

    /// Tries mutations that have a switch, several at once.
    fn try_each(
        &self,
        numbers: &[usize],
        record: &mut Record,
        verdict: impl Fn(Subject<'_>) -> Result<(Verdict, String), String> + Sync,
    ) -> Result<(), String> {
        let entries = record.entries.clone();
        let (queue, record) = (Mutex::new(numbers.iter()), Mutex::new(record));
        let work = || -> Result<(), String> {
            loop {
                let next = queue.lock().map_err(|error| error.to_string())?.next();
                let Some(&number) = next else { return Ok(()) };
                let mutation = &entries[number].mutation;
                let (verdict, test) = verdict(Subject { mutation, switch: Some(number) })?;
                let mut record = record.lock().map_err(|error| error.to_string())?;
                tell(&mut record, number, verdict, &test)?;
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err("a thread ended ill".to_owned()))
            })
        })
    }

    /// Returns the test that sees a mutation, of those that reach it and are asked.
    pub(super) fn seen(
        &self,
        prepared: &[Prepared],
        subject: Subject<'_>,
        successes: &BTreeMap<String, usize>,
        is_asked: impl Fn(&Tests, &Case) -> bool,
    ) -> Result<Option<String>, String> {
        let has_notes = owner(subject.mutation)?.has_notes();
        let reaches = |case: &Case| {
            let number = subject.switch.filter(|_| has_notes);
            number.is_none_or(|number| case.reached.contains(&number))
        };
        // What is not switched is tried while nothing else is.
        let jobs = if subject.switch.is_some() { self.jobs } else { 1 };
        for it in prepared {
            let cases = it.cases.iter().filter(|case| is_asked(&it.tests, case) && reaches(case));
            for (names, time) in batches(cases.collect(), successes) {
                let seen = self.seen_in(it, names, time, (subject.switch.as_slice(), jobs))?;
                if seen.is_some() {
                    return Ok(seen);
                }
            }
        }
        Ok(None)
    }

    /// Returns the test of a process that sees mutations, one of so many processes at once.
    pub(super) fn seen_in(
        &self,
        it: &Prepared,
        mut names: Vec<String>,
        time: Duration,
        (mutations, jobs): (&[usize], usize),
    ) -> Result<Option<String>, String> {
        let runner = Runner { prefix: &self.prefix, jobs };
        let limit = time * 4 + Duration::from_secs(20);
        while !names.is_empty() {
            let trial = runner.trial(&it.tests, &names, limit);
            let outcome = Trial { mutations, ..trial }.run()?;
            let Some(name) = outcome.failed else {
                return Ok((!outcome.ended).then(|| format!("{}: no end", it.tests.name)));
            };
            // What fails by chance does not fail alone as well.
            let alone = [name.clone()];
            let trial = runner.trial(&it.tests, &alone, limit);
            let again = Trial { mutations, ..trial }.run()?;
            if !again.ended || again.failed.is_some() {
                return Ok(Some(name));
            }
            names.retain(|other| *other != name);
        }
        Ok(None)
    }
}

/// Returns the crate of a mutation.
pub(super) fn owner(mutation: &Mutation) -> Result<&'static Crate, String> {
    let folder = mutation.folder();
    let found = CRATES.iter().find(|it| it.folder == folder);
    found.ok_or_else(|| format!("{folder} is no crate of the table"))
}

/// Writes down what became of a mutation, and prints it.
pub(super) fn tell(
    record: &mut Record,
    number: usize,
    verdict: Verdict,
    test: &str,
) -> Result<(), String> {
    record.tell(number, verdict, test)?;
    report::line(&record.entries[number]);
    Ok(())
}
