//! Results by job key, bounded by bytes; the one not used for longest goes first.

use std::collections::{BTreeMap, HashMap};

use engine::{JobKey, JobResult};
use rustc_hash::FxBuildHasher;

/// The most bytes of results that are kept: some thousand shaders.
const LIMIT: usize = 32 << 20;

/// A bounded map from keys to results.
#[derive(Default)]
pub(super) struct Cache {
    entries: HashMap<JobKey, CachedResult, FxBuildHasher>,
    /// Keys by the time of their last use.
    uses: BTreeMap<u64, JobKey>,
    clock: u64,
    bytes: usize,
}

struct CachedResult {
    outcome: JobResult,
    used: u64,
}

impl Cache {
    /// A copy of a result, which counts as a use of it.
    pub(super) fn get(&mut self, key: JobKey) -> Option<JobResult> {
        let entry = self.entries.get_mut(&key)?;
        self.clock += 1;
        self.uses.remove(&entry.used);
        self.uses.insert(self.clock, key);
        entry.used = self.clock;
        Some(entry.outcome.clone())
    }

    /// Keeps a result, and drops old ones for it.
    pub(super) fn insert(&mut self, key: JobKey, outcome: JobResult) {
        self.clock += 1;
        self.bytes += size(&outcome);
        let entry = CachedResult { outcome, used: self.clock };
        if let Some(old) = self.entries.insert(key, entry) {
            self.uses.remove(&old.used);
            self.bytes -= size(&old.outcome);
        }
        self.uses.insert(self.clock, key);
        while self.bytes > LIMIT {
            let Some((_, oldest)) = self.uses.pop_first() else { return };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.bytes -= size(&entry.outcome);
            }
        }
    }
}

fn size(outcome: &JobResult) -> usize {
    const OVERHEAD: usize = 200;
    const INSTRUCTION: usize = 150;
    OVERHEAD
        + match outcome {
            JobResult::Compiled { assembly, code, warnings } => {
                let warnings: usize = warnings.iter().map(|(_, message)| message.len() + 32).sum();
                assembly.len() + code.len() + warnings
            }
            // Its text, words and places.
            JobResult::Read { compiled, .. } => compiled.instructions.len() * INSTRUCTION,
            JobResult::Failed(message) => message.len(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(bytes: usize) -> JobResult {
        JobResult::Failed("x".repeat(bytes))
    }

    #[test]
    fn the_least_recently_used_result_goes_first() {
        let mut cache = Cache::default();
        let half = LIMIT / 2 - 1000;
        cache.insert(JobKey(1), failed(half));
        cache.insert(JobKey(2), failed(half));
        assert!(cache.get(JobKey(1)).is_some());
        cache.insert(JobKey(3), failed(half));
        assert!(cache.get(JobKey(2)).is_none());
        assert!(cache.get(JobKey(1)).is_some());
        assert!(cache.get(JobKey(3)).is_some());
        assert!(cache.bytes <= LIMIT);
    }

    #[test]
    fn replacing_a_result_does_not_count_it_twice() {
        let mut cache = Cache::default();
        for _ in 0..10 {
            cache.insert(JobKey(1), failed(100));
        }
        assert_eq!(cache.bytes, size(&failed(100)));
        assert_eq!(cache.uses.len(), 1);
    }
}
