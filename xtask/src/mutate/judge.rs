//! Trying mutations: built together where they can be switched, else one by one, and
//! given to tests until one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use super::build::{Cargo, Failure, Tests, blame};
use super::crates::{Crate, Suite};
use super::report;
use super::state::{Entry, Mutation, Record, Verdict};
use super::tree::Tree;
use super::trial::Trial;

/// Every test of the repository.
const ALL: [Suite; 1] = [Suite { arguments: &["--workspace", "--tests"], filters: &[] }];

/// Whoever tries mutations.
pub(super) struct Judge {
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

/// An executable with the tests to run of it, and how they go without a mutation.
struct Prepared {
    tests: Tests,
    filters: &'static [&'static str],
    /// The tests that fail anyway.
    known: BTreeSet<String>,
    limit: Duration,
}

impl Judge {
    /// Gives the mutations of a crate to its own tests.
    pub(super) fn own_tests(&mut self, it: &Crate, record: &mut Record) -> Result<(), String> {
        let mine = |entry: &&Entry| {
            entry.verdict == Verdict::Drawn && entry.mutation.folder() == it.folder
        };
        let list: Vec<Mutation> =
            record.entries.iter().filter(mine).map(|entry| entry.mutation.clone()).collect();
        let words = Words { seen: Verdict::Killed, unseen: Verdict::Missed };
        self.judge(&list, it.own, &words, record)
    }

    /// Gives what its own crate's tests do not see to all tests.
    pub(super) fn all_tests(&mut self, record: &mut Record) -> Result<(), String> {
        let missed = |entry: &&Entry| entry.verdict == Verdict::Missed;
        let list: Vec<Mutation> =
            record.entries.iter().filter(missed).map(|entry| entry.mutation.clone()).collect();
        let words = Words { seen: Verdict::KilledByOthers, unseen: Verdict::Survived };
        self.judge(&list, &ALL, &words, record)
    }

    fn judge(
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
                    let changed =
                        usual.iter().filter_map(|it| it.rebuilt(&tests)).collect::<Vec<_>>();
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
        let mut prepared = Vec::new();
        for pair in tests {
            let mut it = Prepared::unknown(pair);
            let outcome = self.trial(&it, None, None).run()?;
            if !outcome.ended {
                report::print(&format!("{}: left out, it fails as it is\n", it.tests.name));
                continue;
            }
            if !outcome.failed.is_empty() {
                report::print(&format!("{}: fail as it is: {:?}\n", it.tests.name, outcome.failed));
            }
            it.known = outcome.failed.into_iter().collect();
            it.limit = outcome.time * 4 + Duration::from_secs(20);
            prepared.push(it);
        }
        // Quick ones are asked first.
        prepared.sort_by_key(|it| it.limit);
        Ok(prepared)
    }

    fn trial<'a>(
        &'a self,
        it: &'a Prepared,
        mutation: Option<usize>,
        known: Option<&'a BTreeSet<String>>,
    ) -> Trial<'a> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Trial {
            tests: &it.tests,
            filters: it.filters,
            exact: None,
            mutation,
            limit: it.limit,
            prefix: &self.prefix,
            threads: (cores / self.jobs).max(1),
            known,
        }
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
        for it in prepared {
            let mut known = it.known.clone();
            loop {
                let outcome = self.trial(it, number, Some(&known)).run()?;
                let new = outcome.failed.iter().find(|name| !known.contains(*name));
                let Some(name) = new else {
                    if outcome.ended {
                        break;
                    }
                    return Ok(Some(format!("{}: no end", it.tests.name)));
                };
                // What fails by chance does not fail alone as well.
                let mut alone = self.trial(it, number, None);
                alone.exact = Some(name);
                let again = alone.run()?;
                if !again.ended || again.failed.contains(name) {
                    return Ok(Some(name.clone()));
                }
                known.insert(name.clone());
            }
        }
        Ok(None)
    }
}

impl Prepared {
    /// Describes tests whose times nobody has taken.
    fn unknown((tests, suite): (Tests, &'static Suite)) -> Self {
        let limit = Duration::from_secs(900);
        Self { tests, filters: suite.filters, known: BTreeSet::new(), limit }
    }

    /// Describes the same tests in an executable that was built anew.
    fn rebuilt(&self, built: &Built) -> Option<Self> {
        let same = |it: &&(Tests, &Suite)| {
            it.0.name == self.tests.name && it.0.folder == self.tests.folder
        };
        let (tests, _) = built.iter().find(same)?;
        let (known, limit) = (self.known.clone(), self.limit);
        Some(Self { tests: tests.clone(), filters: self.filters, known, limit })
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
