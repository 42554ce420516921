//! The job manager: compiles what the engine wants, on threads of its own.
//!
//! At most one job runs and one waits for each shader and target; a newer
//! wish replaces the waiting one. Results are kept by key in a bounded cache,
//! so that undoing an edit costs no compile. The language server and the
//! command line share it.

mod cache;
mod compiling;
mod library;

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::{FileId, JobKey, Outcome, WantedJob};
use llvm::Interrupter;

use cache::Cache;
pub(crate) use library::{LibraryState, install_advice, search};

/// Called when results or notices are waiting. Must not block.
pub(crate) type Notify = Box<dyn Fn() + Send + Sync>;

/// What the compiler threads have for their owner.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    /// Jobs and how they ended.
    pub(crate) results: Vec<(WantedJob, Outcome)>,
    /// What the user should know of the compiler itself: that it died, and how.
    pub(crate) notices: Vec<String>,
}

/// Owns the compiler threads. Dropping it stops them after their running job.
pub(crate) struct JobManager {
    shared: Arc<Shared>,
}

/// A place that holds one result: jobs for the same place supersede each other.
type Slot = (FileId, usize, gcn::Target);

fn slot(job: &WantedJob) -> Slot {
    (job.file, job.shader, job.target)
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    notify: Notify,
}

#[derive(Default)]
struct State {
    /// The compiler to use; jobs wait until there is one.
    configuration: Option<llvm::Configuration>,
    /// Counts changes of the configuration, so that threads know theirs is old.
    generation: u64,
    waiting: VecDeque<WantedJob>,
    running: Vec<Running>,
    finished: Finished,
    cache: Cache,
    threads: usize,
    stopping: bool,
}

struct Running {
    slot: Slot,
    key: JobKey,
    since: Instant,
    interrupter: Interrupter,
    /// It was told to stop, and will give no result.
    stopped: bool,
}

/// A superseded job that has run for this long is stopped: that costs a new
/// worker, which is worth it only where the rest may take longer.
const WORTH_STOPPING: Duration = Duration::from_millis(400);

impl JobManager {
    /// A manager without a compiler: jobs wait until [`Self::set_compiler`].
    pub(crate) fn new(notify: Notify) -> JobManager {
        let state = Mutex::new(State::default());
        JobManager { shared: Arc::new(Shared { state, wake: Condvar::new(), notify }) }
    }

    /// Says which compiler to use from the next job on; `None` makes jobs wait.
    pub(crate) fn set_compiler(&self, configuration: Option<llvm::Configuration>) {
        let mut state = self.shared.lock();
        if state.configuration != configuration {
            state.configuration = configuration;
            state.generation += 1;
            state.cache = Cache::default();
        }
        self.start_threads(&mut state);
        drop(state);
        self.shared.wake.notify_all();
    }

    /// Replaces what is wanted for a file. What is known already comes back at once.
    pub(crate) fn want(&self, file: FileId, jobs: Vec<WantedJob>) {
        let mut state = self.shared.lock();
        state.waiting.retain(|job| job.file != file);
        let mut answered = false;
        for running in state.running.iter_mut().filter(|running| running.slot.0 == file) {
            let wanted = jobs.iter().any(|job| job.key == running.key);
            if !wanted && running.since.elapsed() > WORTH_STOPPING {
                running.stopped = running.interrupter.interrupt();
            }
        }
        for job in jobs {
            if let Some(outcome) = state.cache.get(job.key) {
                state.finished.results.push((job, outcome));
                answered = true;
            } else if !state.running.iter().any(|running| {
                running.slot == slot(&job) && running.key == job.key && !running.stopped
            }) {
                state.waiting.push_back(job);
            }
        }
        self.start_threads(&mut state);
        drop(state);
        self.shared.wake.notify_all();
        if answered {
            (self.shared.notify)();
        }
    }

    /// Takes everything that has finished since the last call.
    pub(crate) fn take_finished(&self) -> Finished {
        std::mem::take(&mut self.shared.lock().finished)
    }

    /// How many jobs run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        let state = self.shared.lock();
        state.running.len() + state.waiting.len()
    }

    /// Waits until nothing runs or waits. Only for owners without mail.
    pub(crate) fn wait_until_finished(&self) {
        let mut state = self.shared.lock();
        while !(state.running.is_empty() && state.waiting.is_empty()) {
            state = self.shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Starts threads while there is more to do than threads to do it.
    fn start_threads(&self, state: &mut State) {
        if state.configuration.is_none() {
            return;
        }
        let wanted = (state.waiting.len() + state.running.len()).min(thread_limit());
        while state.threads < wanted {
            let shared = Arc::clone(&self.shared);
            let started = std::thread::Builder::new()
                .name("compile".to_owned())
                .spawn(move || compiling::run(&shared));
            if started.is_err() {
                return;
            }
            state.threads += 1;
        }
    }
}

impl Drop for JobManager {
    fn drop(&mut self) {
        self.shared.lock().stopping = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent between statements; a thread that panicked
        // while it held the lock leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Each thread keeps a warm worker of some 100 MiB; more than four gain little
/// for the one or two targets of an edit.
fn thread_limit() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4))
}
