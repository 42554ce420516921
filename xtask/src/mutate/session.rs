//! Trying mutations: built together where they can be switched, else one by one, and
//! given to tests until one fails.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use super::build::{Cargo, Failure, Tests, blame};
use super::crates::{Crate, Suite};
use super::reach::{Prepared, Runner};
use super::report;
use super::state::{Entry, Mutation, Record, Verdict};
use super::tree::Tree;
use super::trial::Trial;

/// Every test of the repository.
const ALL: [Suite; 1] = [Suite { arguments: &["--workspace", "--tests"], filters: &[] }];

/// A session of tests on mutations.
pub(super) struct Session {
    pub(super) tree: Tree,
    pub(super) target: PathBuf,
    pub(super) prefix: Vec<String>,
    pub(super) jobs: usize,
}

/// The verdicts that a round of tests can give.
struct Words {
    seen: Verdict,
    unseen: Verdict,
}

/// Executables with the suites that they were built for.
type Built = Vec<(Tests, &'static Suite)>;

impl Session {
    /// Gives the mutations of a crate to its own tests.
    pub(super) fn own_tests(&mut self, it: &Crate, record: &mut Record) -> Result<(), String> {
        let mine = |entry: &&Entry| {
            entry.verdict == Verdict::Drawn && entry.mutation.folder() == it.folder
        };
        let list: Vec<Mutation> =
            record.entries.iter().filter(mine).map(|entry| entry.mutation.clone()).collect();
        // Those that the first suite does not see are asked about in the next.
        let mut list = list;
        for (place, suite) in it.own.iter().enumerate() {
            let last = place + 1 == it.own.len();
            let unseen = if last { Verdict::Missed } else { Verdict::Drawn };
            let words = Words { seen: Verdict::Killed, unseen };
            self.try_suites(&list, std::slice::from_ref(suite), &words, record)?;
            list = record.entries.iter().filter(mine).map(|entry| entry.mutation.clone()).collect();
        }
        Ok(())
    }

    /// Gives what its own crate's tests do not see to all tests.
    pub(super) fn all_tests(&mut self, record: &mut Record) -> Result<(), String> {
        let missed = |entry: &&Entry| entry.verdict == Verdict::Missed;
        let list: Vec<Mutation> =
            record.entries.iter().filter(missed).map(|entry| entry.mutation.clone()).collect();
        let words = Words { seen: Verdict::KilledByOthers, unseen: Verdict::Survived };
        self.try_suites(&list, &ALL, &words, record)
    }

    fn try_suites(
        &mut self,
        list: &[Mutation],
        suites: &'static [Suite],
        words: &Words,
        record: &mut Record,
    ) -> Result<(), String> {
        if list.is_empty() {
            return Ok(());
        }
        let mut open: BTreeMap<usize, &Mutation> = list.iter().enumerate().collect();
        let mut alone: BTreeMap<usize, &Mutation> = BTreeMap::new();
        let mut tests = None;
        while tests.is_none() && !open.is_empty() {
            self.tree.restore()?;
            let pairs: Vec<(usize, &Mutation)> = open.iter().map(|it| (*it.0, *it.1)).collect();
            let (written, refused) = self.tree.apply_switched(&pairs)?;
            for number in refused {
                alone.extend(open.remove_entry(&number));
            }
            match self.build(suites)? {
                Ok(built) => tests = Some(built),
                Err(failures) => {
                    let blame = blame(&failures, &written);
                    if blame.unviable.is_empty() && blame.alone.is_empty() {
                        return Err(blame.unexplained.join("\n"));
                    }
                    for number in blame.alone {
                        alone.extend(open.remove_entry(&number));
                    }
                    for number in blame.unviable {
                        let gone = open.remove(&number).into_iter();
                        for mutation in gone.chain(alone.remove(&number)) {
                            tell(record, mutation, Verdict::Unviable, "")?;
                        }
                    }
                }
            }
        }
        if tests.is_none() {
            tests = self.pristine(suites)?;
        }
        let Some(tests) = tests else {
            return Err("the tests do not compile as they are".to_owned());
        };
        let usual = self.prepare(tests)?;
        let list: Vec<(Option<usize>, &Mutation)> =
            open.into_iter().map(|(number, mutation)| (Some(number), mutation)).collect();
        self.try_all(&usual, &list, words, record)?;
        for mutation in alone.into_values() {
            self.tree.restore()?;
            let applied = self.tree.apply(mutation)?;
            match if applied { self.build(suites)? } else { Err(Vec::new()) } {
                Ok(tests) => {
                    let tests: Vec<Tests> = tests.into_iter().map(|it| it.0).collect();
                    let changed: Vec<Prepared> =
                        usual.iter().filter_map(|it| it.rebuilt(&tests)).collect();
                    self.try_all(&changed, &[(None, mutation)], words, record)?;
                }
                Err(_) => tell(record, mutation, Verdict::Unviable, "")?,
            }
        }
        self.tree.restore()
    }

    /// Builds suites; the inner error holds what the compiler did not take.
    fn build(&self, suites: &'static [Suite]) -> Result<Result<Built, Vec<Failure>>, String> {
        let cargo = Cargo { tree: &self.tree.folder, target: &self.target, prefix: &self.prefix };
        let mut all = Built::new();
        for suite in suites {
            match cargo.tests(suite.arguments)? {
                Err(failures) => return Ok(Err(failures)),
                Ok(tests) => {
                    let known =
                        |it: &Tests| all.iter().any(|(old, _)| old.executable == it.executable);
                    let new: Vec<Tests> = tests.into_iter().filter(|it| !known(it)).collect();
                    all.extend(new.into_iter().map(|tests| (tests, suite)));
                }
            }
        }
        Ok(Ok(all))
    }

    /// Builds suites without a mutation.
    fn pristine(&mut self, suites: &'static [Suite]) -> Result<Option<Built>, String> {
        self.tree.restore()?;
        Ok(self.build(suites)?.ok())
    }

    /// Runs tests without a mutation.
    fn prepare(&self, tests: Built) -> Result<Vec<Prepared>, String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let runner = Runner { jobs: cores.max(self.jobs), ..self.runner() };
        let mut prepared = Vec::new();
        for (tests, suite) in tests {
            prepared.push(runner.prepare(tests, suite.filters)?);
        }
        // Those with few tests are asked first.
        prepared.sort_by_key(|it| it.cases.iter().map(|case| case.time).sum::<Duration>());
        Ok(prepared)
    }

    fn runner(&self) -> Runner<'_> {
        Runner { prefix: &self.prefix, jobs: self.jobs }
    }

    fn try_all(
        &self,
        prepared: &[Prepared],
        list: &[(Option<usize>, &Mutation)],
        words: &Words,
        record: &mut Record,
    ) -> Result<(), String> {
        let (queue, record) = (Mutex::new(list.iter()), Mutex::new(record));
        let work = || -> Result<(), String> {
            loop {
                let next = queue.lock().map_err(|error| error.to_string())?.next();
                let Some((number, mutation)) = next else { return Ok(()) };
                let seen = self.seen(prepared, *number)?;
                let verdict = if seen.is_some() { words.seen } else { words.unseen };
                let mut record = record.lock().map_err(|error| error.to_string())?;
                tell(&mut record, mutation, verdict, &seen.unwrap_or_default())?;
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err("a thread ended ill".to_owned()))
            })
        })
    }

    /// Returns the test that sees a mutation.
    fn seen(&self, prepared: &[Prepared], number: Option<usize>) -> Result<Option<String>, String> {
        let runner = self.runner();
        for it in prepared {
            for (mut names, time) in it.batches(number) {
                let limit = time * 4 + Duration::from_secs(20);
                while !names.is_empty() {
                    let trial = runner.trial(&it.tests, &names, limit);
                    let outcome = Trial { mutation: number, ..trial }.run()?;
                    let Some(name) = outcome.failed else {
                        if outcome.ended {
                            break;
                        }
                        return Ok(Some(format!("{}: no end", it.tests.name)));
                    };
                    // What fails by chance does not fail alone as well.
                    let alone = [name.clone()];
                    let trial = runner.trial(&it.tests, &alone, limit);
                    let again = Trial { mutation: number, ..trial }.run()?;
                    if !again.ended || again.failed.is_some() {
                        return Ok(Some(name));
                    }
                    names.retain(|other| *other != name);
                }
            }
        }
        Ok(None)
    }
}

/// Writes down what became of a mutation.
fn tell(
    record: &mut Record,
    mutation: &Mutation,
    verdict: Verdict,
    test: &str,
) -> Result<(), String> {
    let entry = Entry { mutation: mutation.clone(), verdict, test: test.to_owned() };
    report::line(&entry);
    record.add(entry)
}
