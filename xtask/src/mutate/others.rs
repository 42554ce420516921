//! Tests of other crates, asked about what the tests of its own crate do not see. That nearly all
//! of them pass takes long to see for each mutation: they run with several mutations at once, and
//! only those that fail are asked about each. A mutation that hides another one may make it
//! survive, and makes none be killed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::build::Tests;
use super::reach::{Case, Prepared, batches};
use super::session::{Session, Subject, owner};
use super::state::{Record, Verdict};

/// Tests, by the folder that they run in and by name.
pub(super) type Names = BTreeSet<(PathBuf, String)>;

impl Session {
    /// Returns the tests that fail with mutations switched on, of those that may reach one.
    pub(super) fn suspects(
        &self,
        switched: &[usize],
        prepared: &[Prepared],
        record: &Record,
    ) -> Result<Names, String> {
        let mut has_notes = true;
        for number in switched {
            has_notes &= owner(&record.entries[*number].mutation)?.has_notes();
        }
        let reaches =
            |case: &&Case| !has_notes || switched.iter().any(|it| case.reached.contains(it));
        let mut found = Names::new();
        for it in prepared {
            let cases = it.cases.iter().filter(reaches).collect();
            found.extend(self.failing(it, cases, switched)?);
        }
        Ok(found)
    }

    /// Returns those of some tests that fail with mutations switched on.
    pub(super) fn failing(
        &self,
        it: &Prepared,
        cases: Vec<&Case>,
        switched: &[usize],
    ) -> Result<Names, String> {
        let mut found = Names::new();
        for (mut left, time) in batches(cases, &BTreeMap::new()) {
            while let Some(name) = self.seen_in(it, left.clone(), time, (switched, 1))? {
                // Where a process does not end, any of its tests may be why.
                let is_one = left.contains(&name);
                let ill = left.extract_if(.., |other| !is_one || *other == name);
                found.extend(ill.map(|name| (it.tests.folder.clone(), name)));
            }
        }
        Ok(found)
    }

    /// Gives a mutation that has a switch to the suspects among other crates' tests.
    pub(super) fn seen_by_suspects(
        &self,
        suspects: &Names,
        prepared: &[Prepared],
        subject: Subject<'_>,
    ) -> Result<(Verdict, String), String> {
        let own = owner(subject.mutation)?.own;
        let is_asked = |tests: &Tests, case: &Case| {
            suspects.contains(&(tests.folder.clone(), case.name.clone()))
                && !own.iter().any(|suite| suite.holds(tests, &case.name))
        };
        Ok(match self.seen(prepared, subject, &BTreeMap::new(), is_asked)? {
            Some(test) => (Verdict::KilledByOthers, test),
            None => (Verdict::Survived, String::new()),
        })
    }
}
