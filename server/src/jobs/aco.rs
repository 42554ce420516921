//! The thread of ACO: takes jobs of SPIR-V one at a time, and owns the driver's workers.
//!
//! The listing is there before its lines are known: a job has two results, of which the second
//! is joined to the source.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use engine::{JobInput, JobResult, SpirvShader, WantedJob};

use super::{Running, Shared, State, slot};
use crate::aco::{self, Aco, Made};

/// Works until the manager is dropped. `worker` is our own executable.
pub(super) fn run(shared: &Shared, worker: &Path) {
    let mut idle: Option<Aco> = None;
    while let Some((job, shader)) = next(shared) {
        let own = idle.take().map_or_else(|| Aco::find(worker, aco::Priority::Background), Ok);
        let mut own = match own {
            Ok(own) => own,
            Err(error) => {
                finish(shared, &job, JobResult::Failed(error.to_string()));
                continue;
            }
        };
        // What panicked is given up with its processes; the job must end whatever happens.
        let result = catch_unwind(AssertUnwindSafe(|| {
            let result = compile(shared, &job, &shader, &mut own);
            (result, own)
        }));
        let result = match result {
            Ok((result, own)) => {
                idle = Some(own);
                result
            }
            Err(_) => JobResult::Failed("the server's side of it failed".to_owned()),
        };
        finish(shared, &job, result);
    }
}

/// Compiles a job; the plain listing is told at once.
fn compile(shared: &Shared, job: &WantedJob, shader: &SpirvShader, aco: &mut Aco) -> JobResult {
    let (request, stage) = aco::job(&shader.module);
    let target = job.build.target;
    let made = aco.compile(&request, stage, target).and_then(|plain| {
        let mut state = shared.lock();
        state.finished.results.push((job.clone(), result(&plain)));
        drop(state);
        (shared.notify)();
        aco.join((&request, stage), shader, target, plain)
    });
    match made {
        Ok(made) => result(&made),
        Err(error) => JobResult::Failed(error.to_string()),
    }
}

fn result(made: &Made) -> JobResult {
    JobResult::Read { compiled: Arc::clone(&made.compiled), notes: made.sentences().into() }
}

/// Waits for a job of SPIR-V. The thread is the only one that takes such.
fn next(shared: &Shared) -> Option<(WantedJob, SpirvShader)> {
    let mut state = shared.lock();
    loop {
        if state.stopping {
            return None;
        }
        if let Some(found) = take(&mut state) {
            state.running.push(Running {
                slot: slot(&found.0),
                key: found.0.key,
                since: Instant::now(),
                interrupter: None,
                stopped: false,
            });
            return Some(found);
        }
        state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn take(state: &mut State) -> Option<(WantedJob, SpirvShader)> {
    let of_aco = |job: &WantedJob| matches!(job.input, JobInput::Spirv(_));
    let at = state.waiting.iter().position(of_aco)?;
    let job = state.waiting.remove(at)?;
    match &job.input {
        JobInput::Spirv(shader) => {
            let shader = shader.clone();
            Some((job, shader))
        }
        JobInput::Ir { .. } => None,
    }
}

fn finish(shared: &Shared, job: &WantedJob, outcome: JobResult) {
    let mut state = shared.lock();
    let place = slot(job);
    state.running.retain(|running| running.slot != place);
    if matches!(outcome, JobResult::Read { .. }) {
        state.cache.insert(job.key, outcome.clone());
    }
    state.finished.results.push((job.clone(), outcome));
    drop(state);
    shared.wake.notify_all();
    (shared.notify)();
}
