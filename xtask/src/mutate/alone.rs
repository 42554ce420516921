//! Trying mutations that have no switch: each is built by itself, on top of the common build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::build::{Built, Goal, Tests};
use super::reach::{Case, Prepared, batches};
use super::session::{Session, Subject, owner, tell};
use super::state::{Entry, Mutation, Record, Verdict};

/// Tests, by the folder that they run in and by name.
type Names = BTreeSet<(PathBuf, String)>;

impl Session {
    /// Builds one mutation and gives it to the tests of its crate.
    pub(super) fn try_alone_by_own(
        &mut self,
        number: usize,
        prepared: &[Prepared],
        record: &mut Record,
    ) -> Result<(), String> {
        let Entry { mutation, verdict, .. } = record.entries[number].clone();
        if verdict != Verdict::Drawn {
            return Ok(());
        }
        let Some(before) = self.tree.apply(&[&mutation])? else {
            return tell(record, number, Verdict::Unviable, "");
        };
        let successes = successes(record, &mutation);
        let subject = Subject { mutation: &mutation, switch: None };
        let (mut verdict, mut seen) = (Verdict::Missed, None);
        for suite in owner(&mutation)?.suites_of(&mutation.path) {
            let Ok(built) = self.cargo().build(Goal::Package(suite.folder))? else {
                verdict = Verdict::Unviable;
                break;
            };
            let is_asked = |tests: &Tests, case: &Case| suite.holds(tests, &case.name);
            seen = self.seen(&rebuilt(prepared, &built), subject, &successes, is_asked)?;
            if seen.is_some() {
                verdict = Verdict::Killed;
                break;
            }
        }
        self.tree.take_back(&before)?;
        tell(record, number, verdict, &seen.unwrap_or_default())
    }

    /// Gives mutations that their crates' tests do not see to all others. A build of all tests
    /// and a run of them take minutes: both are for all mutations at once first, and what passes
    /// with all of them is not asked about each.
    pub(super) fn try_alone_by_others(
        &mut self,
        numbers: &[usize],
        prepared: &[Prepared],
        record: &mut Record,
    ) -> Result<(), String> {
        let mut missed = numbers.to_vec();
        missed.retain(|number| record.entries[*number].verdict == Verdict::Missed);
        let suspects = match missed.len() {
            0 | 1 => None,
            _ => self.suspects(&missed, prepared, record)?,
        };
        for number in missed {
            self.try_one_by_others(number, prepared, suspects.as_ref(), record)?;
        }
        Ok(())
    }

    /// Returns the tests that fail with all of these mutations; nothing where they cannot be
    /// built together.
    fn suspects(
        &mut self,
        numbers: &[usize],
        prepared: &[Prepared],
        record: &Record,
    ) -> Result<Option<Names>, String> {
        let mutations: Vec<&Mutation> =
            numbers.iter().map(|number| &record.entries[*number].mutation).collect();
        let Some(before) = self.tree.apply(&mutations)? else { return Ok(None) };
        let mut found = None;
        if let Ok(built) = self.cargo().build(Goal::Everything)? {
            let mut names = Names::new();
            for it in rebuilt(prepared, &built) {
                for (names_of_one, time) in batches(it.cases.iter().collect(), &BTreeMap::new()) {
                    let mut left = names_of_one;
                    while let Some(name) = self.seen_in(&it, left.clone(), time, None)? {
                        // Where a process does not end, any of its tests may be why.
                        let is_one = left.contains(&name);
                        let (ill, well) =
                            left.into_iter().partition(|other| !is_one || *other == name);
                        let ill: Vec<String> = ill;
                        names.extend(ill.into_iter().map(|name| (it.tests.folder.clone(), name)));
                        left = well;
                    }
                }
            }
            found = Some(names);
        }
        self.tree.take_back(&before)?;
        Ok(found)
    }

    /// Builds one mutation and gives it to tests of other crates, to the suspects only where
    /// there are any.
    fn try_one_by_others(
        &mut self,
        number: usize,
        prepared: &[Prepared],
        suspects: Option<&Names>,
        record: &mut Record,
    ) -> Result<(), String> {
        let mutation = record.entries[number].mutation.clone();
        let own = owner(&mutation)?.own;
        let is_asked = |tests: &Tests, case: &Case| {
            let is_suspect =
                |names: &Names| names.contains(&(tests.folder.clone(), case.name.clone()));
            suspects.is_none_or(is_suspect)
                && !own.iter().any(|suite| suite.holds(tests, &case.name))
        };
        let has_asked = |it: &Prepared| it.cases.iter().any(|case| is_asked(&it.tests, case));
        if !prepared.iter().any(has_asked) {
            return tell(record, number, Verdict::Survived, "");
        }
        let Some(before) = self.tree.apply(&[&mutation])? else {
            return tell(record, number, Verdict::Unviable, "");
        };
        let built = self.cargo().build(Goal::Everything)?;
        let seen = match &built {
            Ok(built) => {
                let subject = Subject { mutation: &mutation, switch: None };
                self.seen(&rebuilt(prepared, built), subject, &BTreeMap::new(), is_asked)?
            }
            Err(_) => None,
        };
        self.tree.take_back(&before)?;
        match (built, seen) {
            (Err(_), _) => tell(record, number, Verdict::Unviable, ""),
            (_, Some(test)) => tell(record, number, Verdict::KilledByOthers, &test),
            (_, None) => tell(record, number, Verdict::Survived, ""),
        }
    }
}

/// Describes the tests that were built once more.
fn rebuilt(prepared: &[Prepared], built: &Built) -> Vec<Prepared> {
    prepared.iter().filter_map(|it| it.rebuilt(&built.tests)).collect()
}

/// Counts for each test the mutations of the same crate that it has seen.
fn successes(record: &Record, mutation: &Mutation) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entry in &record.entries {
        if !entry.test.is_empty() && entry.mutation.folder() == mutation.folder() {
            *counts.entry(entry.test.clone()).or_default() += 1;
        }
    }
    counts
}
