//! Ends the work on requests that takes longer than any answer is worth waiting for.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::Canceller;

/// Work that is under way.
struct Running {
    ends: Instant,
    canceller: Canceller,
    /// True if it was ended.
    is_late: bool,
}

#[derive(Default)]
struct Shared {
    running: Mutex<BTreeMap<u64, Running>>,
    /// Told where work begins while there was none.
    begun: Condvar,
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, BTreeMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives each piece of work so long. Its thread sleeps while there is none, and else until
/// the first may be late.
#[derive(Clone)]
pub(crate) struct TimeLimit {
    limit: Duration,
    shared: Arc<Shared>,
}

/// A piece of work; forgotten when it is dropped.
pub(crate) struct Watched {
    number: u64,
    shared: Arc<Shared>,
}

impl TimeLimit {
    /// Starts the thread. Without one nothing is ended.
    pub(crate) fn start(limit: Duration) -> TimeLimit {
        let shared = Arc::<Shared>::default();
        let watched = Arc::clone(&shared);
        // The thread ends with the process, as the workers do.
        let _ = std::thread::Builder::new()
            .name("time limit".to_owned())
            .spawn(move || end_what_is_late(&watched));
        TimeLimit { limit, shared }
    }

    /// Watches what begins now.
    pub(crate) fn watch(&self, canceller: Canceller) -> Watched {
        let mut running = self.shared.running();
        let number = running.last_key_value().map_or(0, |(last, _)| last + 1);
        if running.is_empty() {
            self.shared.begun.notify_one();
        }
        let ends = Instant::now() + self.limit;
        running.insert(number, Running { ends, canceller, is_late: false });
        Watched { number, shared: Arc::clone(&self.shared) }
    }

    /// The time that each piece has.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}

impl Watched {
    /// Tells whether it was ended, for it was late.
    pub(crate) fn is_late(&self) -> bool {
        self.shared.running().get(&self.number).is_some_and(|it| it.is_late)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.shared.running().remove(&self.number);
    }
}

fn end_what_is_late(shared: &Shared) {
    let mut running = shared.running();
    loop {
        let now = Instant::now();
        for late in running.values_mut().filter(|it| !it.is_late && it.ends <= now) {
            late.is_late = true;
            late.canceller.cancel();
        }
        let next = running.values().filter(|it| !it.is_late).map(|it| it.ends).min();
        running = match next {
            None => shared.begun.wait(running).unwrap_or_else(PoisonError::into_inner),
            Some(next) => {
                let rest = next.saturating_duration_since(now);
                let woken = shared.begun.wait_timeout(running, rest);
                woken.unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_has_ended_is_forgotten() {
        let host = engine::Host::new(engine::Settings::default());
        let limit = TimeLimit::start(Duration::from_secs(600));
        let first = limit.watch(host.snapshot().canceller());
        let second = limit.watch(host.snapshot().canceller());
        assert!(!first.is_late() && !second.is_late());
        drop(first);
        assert_eq!(limit.shared.running().keys().copied().collect::<Vec<_>>(), [second.number]);
        drop(second);
        assert!(limit.shared.running().is_empty());
    }
}
