//! Trying mutations that have no switch: each is built by itself, on top of the common build.

use std::collections::BTreeMap;

use super::build::{Built, Goal, Tests};
use super::others::Names;
use super::reach::{Case, Prepared};
use super::session::{Session, Subject, owner, tell};
use super::state::{Entry, Mutation, Record, Verdict};

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

    /// Gives mutations that their crates' tests do not see to all others, first all at once.
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
            _ => self.suspects_alone(&missed, prepared, record)?,
        };
        for number in missed {
            self.try_one_by_others(number, prepared, suspects.as_ref(), record)?;
        }
        Ok(())
    }

    /// Returns the tests that fail with all of these mutations; nothing where they cannot be
    /// built together.
    fn suspects_alone(
        &mut self,
        numbers: &[usize],
        prepared: &[Prepared],
        record: &Record,
    ) -> Result<Option<Names>, String> {
        let mutations: Vec<&Mutation> =
            numbers.iter().map(|number| &record.entries[*number].mutation).collect();
        let Some(before) = self.tree.apply(&mutations)? else { return Ok(None) };
        let built = self.cargo().build(Goal::Everything)?;
        let mut found = built.is_ok().then(Names::new);
        if let (Ok(built), Some(names)) = (built, &mut found) {
            for it in rebuilt(prepared, &built) {
                names.extend(self.failing(&it, it.cases.iter().collect(), &[])?);
            }
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
