//! A compiler thread: takes jobs one at a time and owns a worker process.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use engine::{Outcome, WantedJob};
use llvm::{CompileError, Compiler, Job};

use super::{Running, Shared, State, slot};

/// Works until the manager is dropped.
pub(super) fn run(shared: &Shared) {
    let mut own: Option<(u64, Compiler)> = None;
    while let Some((job, mut compiler)) = next(shared, &mut own) {
        let result = compiler.1.compile(&Job {
            ir: job.ir.to_string(),
            processor: job.target.row().processor.to_owned(),
            features: job.features.to_owned(),
            instructions: job.instructions,
        });
        own = Some(compiler);
        finish(shared, job, result);
    }
}

/// Waits for a job whose place is not being compiled by another thread.
fn next(
    shared: &Shared,
    own: &mut Option<(u64, Compiler)>,
) -> Option<(WantedJob, (u64, Compiler))> {
    let mut state = shared.lock();
    loop {
        if state.stopping {
            return None;
        }
        if let Some(configuration) = state.configuration.clone()
            && let Some(job) = take(&mut state)
        {
            let generation = state.generation;
            let compiler = match own.take() {
                Some((made, compiler)) if made == generation => compiler,
                _ => Compiler::new(configuration),
            };
            state.running.push(Running {
                slot: slot(&job),
                key: job.key,
                since: Instant::now(),
                interrupter: compiler.interrupter(),
                stopped: false,
            });
            return Some((job, (generation, compiler)));
        }
        state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn take(state: &mut State) -> Option<WantedJob> {
    let free = state
        .waiting
        .iter()
        .position(|job| state.running.iter().all(|running| running.slot != slot(job)))?;
    state.waiting.remove(free)
}

fn finish(shared: &Shared, job: WantedJob, result: Result<llvm::Output, CompileError>) {
    let mut state = shared.lock();
    let place = slot(&job);
    state.running.retain(|running| running.slot != place);
    let outcome = match result {
        Ok(output) => {
            let outcome = Outcome::Compiled {
                assembly: Arc::from(output.assembly),
                code: Arc::from(output.code),
            };
            state.cache.insert(job.key, outcome.clone());
            outcome
        }
        // Superseded: a newer job for the place waits, or nobody wants one.
        Err(CompileError::Interrupted) => {
            drop(state);
            shared.wake.notify_all();
            (shared.notify)();
            return;
        }
        Err(error) => {
            let message = line(&error.to_string());
            // A refusal is LLVM's last word on the job; the other failures may
            // be of the moment: the job is tried again when it is wanted again.
            if matches!(error, CompileError::Rejected(_)) {
                state.cache.insert(job.key, Outcome::Failed(message.clone()));
            } else {
                state.finished.notices.push(message.clone());
            }
            Outcome::Failed(message)
        }
    };
    state.finished.results.push((job, outcome));
    drop(state);
    // The place is free again: a newer job for it may be waiting.
    shared.wake.notify_all();
    (shared.notify)();
}

/// The first line of a message, bounded.
fn line(message: &str) -> String {
    message.trim().lines().next().unwrap_or("no reason given").chars().take(300).collect()
}
