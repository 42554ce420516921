//! Checking files on all processors. Each thread has an engine of its own; what they find is
//! handed on in the order of the files.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::Stop;
use super::budgets::Budgets;
use super::opened::{Opener, Outcome};
use super::reading::Subject;
use super::watch::Dependencies;

/// Files that are read before the first of them was handed on: so many, or of so many bytes.
const AHEAD: usize = 256;
const BYTES_AHEAD: usize = 64 << 20;

/// A subject with its place in the order.
type Task<'a> = (usize, Arc<Subject<'a>>);

/// The outcome for a place, or what a thread panicked with.
type Answer = (usize, Result<Outcome, Box<dyn Any + Send>>);

/// Returns the number of threads that so many files are checked on.
pub(super) fn threads(files: usize) -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(files)
}

/// Checks subjects on so many threads, and hands each on with its outcome. Returns what the
/// diagnostics depend on beside the subjects.
pub(super) fn check<'a>(
    threads: usize,
    mut subjects: impl Iterator<Item = Subject<'a>>,
    opener: impl Fn() -> Opener<'a> + Sync,
    budgets: &Mutex<Budgets<'_>>,
    mut hand_on: impl FnMut(&Subject<'a>, Outcome) -> Result<(), Stop>,
) -> Result<Dependencies, Stop> {
    std::thread::scope(|scope| {
        let (tasks, queue) = channel::<Task<'a>>();
        let (queue, opener) = (Arc::new(Mutex::new(queue)), &opener);
        let (answer, answers) = channel::<Answer>();
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (queue, answer) = (Arc::clone(&queue), answer.clone());
                scope.spawn(move || work(opener(), &queue, &answer, budgets))
            })
            .collect();
        let (mut ahead, mut bytes, mut read) = (VecDeque::new(), 0, 0);
        let mut early = BTreeMap::new();
        loop {
            while ahead.len() < threads || ahead.len() < AHEAD && bytes < BYTES_AHEAD {
                let Some(subject) = subjects.next() else { break };
                let subject = Arc::new(subject);
                bytes += subject.file.text.len();
                ahead.push_back(Arc::clone(&subject));
                // The threads take all of them, unless one panicked.
                let _ = tasks.send((read, subject));
                read += 1;
            }
            let Some(first) = ahead.pop_front() else { break };
            let place = read - ahead.len() - 1;
            while !early.contains_key(&place) {
                let Ok((place, outcome)) = answers.recv() else { break };
                early.insert(place, outcome.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            bytes -= first.file.text.len();
            if let Some(outcome) = early.remove(&place) {
                hand_on(&first, outcome)?;
            }
        }
        drop(tasks);
        let mut dependencies = Dependencies::default();
        for worker in workers {
            dependencies.join(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        Ok(dependencies)
    })
}

/// Checks one subject after the other until there is none left, or nobody listens.
fn work<'a>(
    mut opener: Opener<'a>,
    queue: &Mutex<Receiver<Task<'a>>>,
    answer: &Sender<Answer>,
    budgets: &Mutex<Budgets<'_>>,
) -> Dependencies {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, subject)) = next else { break };
        let outcome = catch_unwind(AssertUnwindSafe(|| opener.check(&subject, budgets)));
        if answer.send((place, outcome)).is_err() {
            break;
        }
    }
    opener.dependencies
}
