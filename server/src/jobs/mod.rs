//! The job manager: compiles what the engine wants, on threads of its own.
//!
//! At most one job runs and one waits for each shader and target; a newer
//! wish replaces the waiting one. Results are kept by key in a bounded cache,
//! so that undoing an edit costs no compile, and on the disk, so that opening a
//! file again costs none either. The language server and the command line share it.

mod aco;
mod cache;
mod compiling;
mod disk;
mod library;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::{Build, FileId, JobInput, JobKey, JobResult, WantedJob};
use llvm::Interrupter;

use cache::Cache;
pub(crate) use compiling::{is_older, of_lowered};
pub(crate) use disk::{CacheSetting, cache, folder, system_folder};
pub(crate) use library::{LibraryState, install_advice, search};

use crate::limits::COMPILER_FAILURES;

/// Called when results or notices are waiting. Must not block.
pub(crate) type Notify = Box<dyn Fn() + Send + Sync>;

/// The things that the compiler threads have for their owner.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    /// Jobs and how they ended.
    pub(crate) results: Vec<(WantedJob, JobResult)>,
    /// News for the user of the compiler itself: that it died, and how.
    pub(crate) notices: Vec<String>,
}

/// Owns the compiler threads. Dropping it stops them after their running job.
pub(crate) struct JobManager {
    shared: Arc<Shared>,
}

/// A place that holds one result: jobs for the same place supersede each other.
type SlotKey = (FileId, usize, Build);

fn slot(job: &WantedJob) -> SlotKey {
    (job.file, job.shader, job.build)
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
    /// Results on the disk.
    disk: Option<Arc<llvm::cache::Cache>>,
    threads: usize,
    /// Our own executable, which serves as worker of ACO's driver, and whether its thread runs.
    aco: Option<PathBuf>,
    has_aco_thread: bool,
    /// Results that are being written to the disk.
    writing: usize,
    stopping: bool,
    trouble: Trouble,
}

/// The ends of the compiler's processes of late.
#[derive(Debug, Default)]
struct Trouble {
    /// Failures since the last result that one gave.
    in_a_row: u32,
    /// The last one.
    last: String,
}

struct Running {
    slot: SlotKey,
    key: JobKey,
    since: Instant,
    /// Stops it, where that is worth it.
    interrupter: Option<Interrupter>,
    /// True if it was told to stop, and will give no result.
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
            state.trouble = Trouble::default();
            state.cache = Cache::default();
        }
        self.start_threads(&mut state);
        drop(state);
        self.shared.wake.notify_all();
    }

    /// The libLLVM that jobs are compiled with, if there is one.
    pub(crate) fn configuration(&self) -> Option<llvm::Configuration> {
        self.shared.lock().configuration.clone()
    }

    /// Says which executable serves as worker of ACO's driver: our own. Its jobs wait until then.
    pub(crate) fn set_aco(&self, worker: PathBuf) {
        self.shared.lock().aco = Some(worker);
    }

    /// Says where results are kept on the disk; `None` keeps none.
    pub(crate) fn set_cache(&self, disk: Option<Arc<llvm::cache::Cache>>) {
        self.shared.lock().disk = disk;
    }

    /// Replaces what is wanted for a file. What is known already comes back at once.
    pub(crate) fn want(&self, file: FileId, jobs: Vec<WantedJob>) {
        let mut state = self.shared.lock();
        state.waiting.retain(|job| job.file != file);
        let mut answered = false;
        for running in state.running.iter_mut().filter(|running| running.slot.0 == file) {
            let wanted = jobs.iter().any(|job| job.key == running.key);
            if !wanted && running.since.elapsed() > WORTH_STOPPING {
                running.stopped = running.interrupter.as_ref().is_some_and(Interrupter::interrupt);
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

    /// The number of jobs that run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        let state = self.shared.lock();
        state.running.len() + state.waiting.len()
    }

    /// The reason why nothing is compiled though there is a compiler: it fails again and again.
    pub(crate) fn trouble(&self) -> Option<String> {
        let state = self.shared.lock();
        let Trouble { in_a_row, last } = &state.trouble;
        (*in_a_row >= COMPILER_FAILURES)
            .then(|| format!("The compiler failed {in_a_row} times in a row: {last}"))
    }

    /// Waits until nothing runs or waits, and all is kept. Only for owners without mail.
    pub(crate) fn wait_until_finished(&self) {
        let mut state = self.shared.lock();
        while !(state.running.is_empty() && state.waiting.is_empty() && state.writing == 0) {
            state = self.shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Starts threads while there is more to do than threads to do it.
    fn start_threads(&self, state: &mut State) {
        let is_for_aco = |job: &WantedJob| matches!(job.input, JobInput::Spirv(_));
        if !state.has_aco_thread
            && state.waiting.iter().any(is_for_aco)
            && let Some(worker) = state.aco.clone()
        {
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("aco".to_owned());
            let started = thread.spawn(move || aco::run(&shared, &worker));
            state.has_aco_thread = started.is_ok();
        }
        if state.configuration.is_none() {
            return;
        }
        let waiting = state.waiting.iter().filter(|job| !is_for_aco(job)).count();
        let wanted = (waiting + state.running.len()).min(thread_limit());
        while state.threads < wanted {
            let shared = Arc::clone(&self.shared);
            let started = std::thread::Builder::new()
                .name("compile".to_owned())
                .spawn(move || compiling::run(&shared));
            if let Err(error) = started {
                if state.threads == 0 {
                    state.give_up(&format!("no compiler thread could be started: {error}"));
                    (self.shared.notify)();
                }
                return;
            }
            state.threads += 1;
        }
    }
}

impl State {
    /// Keeps a result, unless another compiler is in use by now.
    fn remember(&mut self, generation: u64, key: JobKey, outcome: &JobResult) {
        if generation == self.generation {
            self.cache.insert(key, outcome.clone());
        }
    }

    /// Fails everything that waits: there is nobody to do it.
    fn give_up(&mut self, why: &str) {
        let failed = self.waiting.drain(..).map(|job| (job, JobResult::Failed(why.to_owned())));
        self.finished.results.extend(failed);
        self.finished.notices.push(why.to_owned());
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    fn job(shader: usize, key: u128) -> WantedJob {
        WantedJob {
            file: FileId(1),
            shader,
            build: gcn::Target::default().into(),
            key: JobKey(key),
            input: JobInput::Ir { ir: "".into(), features: "" },
            instructions: 1,
            fingerprints: Arc::from([]),
        }
    }

    fn manager() -> (JobManager, Receiver<()>) {
        let (sender, receiver) = channel();
        let sender = Mutex::new(sender);
        let notify = move || {
            let _ = sender.lock().map(|sender| sender.send(()));
        };
        (JobManager::new(Box::new(notify)), receiver)
    }

    /// A compiler that cannot be started, since it is not there.
    fn absent() -> Option<llvm::Configuration> {
        Some(llvm::Configuration::new("/nowhere/tungsten", "/nowhere/libLLVM.so", &[]))
    }

    #[test]
    fn jobs_wait_for_a_compiler_and_the_newest_wins() {
        let (manager, _) = manager();
        manager.want(FileId(1), vec![job(0, 1), job(1, 2)]);
        manager.want(FileId(1), vec![job(0, 3), job(1, 2)]);
        assert_eq!(manager.unfinished(), 2);
        manager.set_compiler(absent());
        manager.wait_until_finished();
        let mut keys: Vec<u128> =
            manager.take_finished().results.iter().map(|(job, _)| job.key.0).collect();
        keys.sort_unstable();
        assert_eq!(keys, [2, 3]);
        assert_eq!(manager.unfinished(), 0);
    }

    #[test]
    fn a_failure_is_a_result_and_a_notice() {
        let (manager, notified) = manager();
        manager.set_compiler(absent());
        manager.want(FileId(1), vec![job(0, 1)]);
        notified.recv().expect("told");
        let finished = manager.take_finished();
        assert!(matches!(&finished.results[..], [(_, JobResult::Failed(_))]), "{finished:?}");
        assert_eq!(finished.notices.len(), 1);
    }

    #[test]
    fn a_compiler_that_fails_again_and_again_is_told_with_its_reason() {
        let (manager, _) = manager();
        manager.set_compiler(absent());
        for number in 1..=COMPILER_FAILURES {
            assert_eq!(manager.trouble(), None);
            manager.want(FileId(1), vec![job(0, u128::from(number))]);
            manager.wait_until_finished();
        }
        let told = manager.trouble().expect("told");
        assert!(told.contains("3 times") && told.contains("/nowhere/tungsten"), "{told}");
        manager.set_compiler(None);
        assert_eq!(manager.trouble(), None);
    }

    #[test]
    fn a_closed_file_wants_nothing() {
        let (manager, _) = manager();
        manager.want(FileId(1), vec![job(0, 1)]);
        manager.want(FileId(1), Vec::new());
        assert_eq!(manager.unfinished(), 0);
    }

    /// Nobody starts a compiler for it.
    #[test]
    fn what_the_disk_has_is_not_compiled() {
        let folder = std::env::temp_dir().join(format!("tungsten-jobs-{}", std::process::id()));
        let disk = cache(Some(&folder)).expect("a cache");
        let wanted = job(0, 1);
        let request = compiling::request(&wanted).expect("a job of LLVM");
        let library = absent().expect("named").library;
        let output = llvm::Output {
            assembly: "s_endpgm".to_owned(),
            code: vec![1],
            warnings: vec![llvm::Warning { line: 2, message: "odd".to_owned() }],
        };
        disk.put(llvm::cache::Key::of(&request, &library), &output);
        let (manager, _) = manager();
        manager.set_cache(Some(disk));
        manager.set_compiler(absent());
        manager.want(FileId(1), vec![wanted.clone()]);
        manager.wait_until_finished();
        let outcome = JobResult::Compiled {
            assembly: "s_endpgm".into(),
            code: Arc::from([1]),
            warnings: Arc::from([(2, "odd".to_owned())]),
        };
        assert_eq!(manager.take_finished().results, [(wanted, outcome)]);
        std::fs::remove_dir_all(folder).expect("it is there");
        assert!(cache(None).is_none());
    }

    /// Only the same work of the same place, if it will give a result.
    #[test]
    fn what_runs_already_does_not_wait_as_well() {
        for (wanted, stopped, unfinished) in [
            (job(0, 1), false, 1),
            (job(0, 1), true, 2),
            (job(0, 2), false, 2),
            (job(1, 1), false, 2),
            (job(1, 2), false, 2),
        ] {
            let (manager, _) = manager();
            let since = Instant::now();
            let own = job(0, 1);
            let running =
                Running { slot: slot(&own), key: own.key, since, interrupter: None, stopped };
            manager.shared.lock().running.push(running);
            manager.want(FileId(1), vec![wanted]);
            assert_eq!(manager.unfinished(), unfinished);
        }
    }

    #[test]
    fn what_is_known_comes_back_at_once() {
        let (manager, notified) = manager();
        let outcome = JobResult::Failed("refused".to_owned());
        manager.shared.lock().cache.insert(JobKey(9), outcome.clone());
        manager.want(FileId(1), vec![job(0, 9)]);
        notified.try_recv().expect("told");
        assert_eq!(manager.take_finished().results, [(job(0, 9), outcome)]);
    }
}
