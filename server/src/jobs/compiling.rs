//! A compiler thread: takes jobs one at a time and owns a worker process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use diff_exec::Lowered;
use engine::{JobResult, WantedJob};
use gcn::Target;
use llvm::cache::Key;
use llvm::{CompileError, Compiler, Job};

use super::{Running, Shared, State, Trouble, slot};

/// A compiler, with the count of the manager's configuration that it is of.
struct Own {
    generation: u64,
    compiler: Compiler,
}

/// A job in the compiler's words.
pub(super) fn request(job: &WantedJob) -> Option<Job> {
    let (ir, features) = job.input.ir()?;
    Some(Job {
        ir: ir.to_string(),
        processor: job.build.target.row().processor.to_owned(),
        features: features.to_owned(),
        instructions: job.instructions,
    })
}

/// The job of a shader that is lowered to be compared.
pub(crate) fn of_lowered(lowered: &Lowered) -> Job {
    Job {
        ir: lowered.ir.clone(),
        processor: lowered.processor.to_owned(),
        features: lowered.features.to_owned(),
        instructions: lowered.instructions,
    }
}

/// Checks that a library is not older than the chip: LLVM ends the process over a name that
/// it does not know.
fn knows(version: &str, target: Target) -> Result<(), CompileError> {
    let (processor, since) = (target.row().processor, target.row().llvm_since);
    match is_older(version, target) {
        true => Err(CompileError::OldLibrary { version: version.to_owned(), processor, since }),
        false => Ok(()),
    }
}

/// Tells whether a library's version is older than a chip.
pub(crate) fn is_older(version: &str, target: Target) -> bool {
    let major = version.split('.').next().and_then(|it| it.parse::<u32>().ok());
    major.is_some_and(|major| major < target.row().llvm_since)
}

/// Works until the manager is dropped.
pub(super) fn run(shared: &Shared) {
    let mut idle: Option<Own> = None;
    while let Some((job, request, mut own)) = next(shared, idle.take()) {
        let generation = own.generation;
        let disk = shared.lock().disk.clone();
        let disk = disk.map(|disk| (Key::of(&request, own.compiler.library()), disk));
        if let Some(output) = disk.as_ref().and_then(|(key, disk)| disk.get(*key)) {
            finish(shared, job, generation, Ok(output));
            idle = Some(own);
            continue;
        }
        let version = own.compiler.version().map(str::to_owned);
        if let Err(error) = version.and_then(|version| knows(&version, job.build.target)) {
            finish(shared, job, generation, Err(error));
            idle = Some(own);
            continue;
        }
        // A compiler that panicked is given up with its process; the job must
        // be ended whatever happens, since its place waits for that.
        let result = catch_unwind(AssertUnwindSafe(move || {
            let result = own.compiler.compile(&request);
            (result, own)
        }));
        let result = match result {
            Ok((result, own)) => {
                idle = Some(own);
                result
            }
            Err(_) => Err(CompileError::Died("the server's side of it failed".to_owned())),
        };
        // Nobody waits for the disk.
        let kept = disk.filter(|_| result.is_ok()).map(|disk| (disk, result.clone()));
        if kept.is_some() {
            shared.lock().writing += 1;
        }
        finish(shared, job, generation, result);
        if let Some(((key, disk), Ok(output))) = kept {
            disk.put(key, &output);
            shared.lock().writing -= 1;
            shared.wake.notify_all();
        }
    }
}

/// Waits for a job whose place is not being compiled by another thread.
fn next(shared: &Shared, mut idle: Option<Own>) -> Option<(WantedJob, Job, Own)> {
    let mut state = shared.lock();
    loop {
        if state.stopping {
            return None;
        }
        if let Some(configuration) = state.configuration.clone()
            && let Some((job, request)) = take(&mut state)
        {
            let generation = state.generation;
            let own = idle
                .take_if(|own| own.generation == generation)
                .unwrap_or_else(|| Own { generation, compiler: Compiler::new(configuration) });
            state.running.push(Running {
                slot: slot(&job),
                key: job.key,
                since: Instant::now(),
                interrupter: Some(own.compiler.interrupter()),
                stopped: false,
            });
            return Some((job, request, own));
        }
        state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn take(state: &mut State) -> Option<(WantedJob, Job)> {
    let free = |job: &WantedJob| state.running.iter().all(|running| running.slot != slot(job));
    let (at, request) = state.waiting.iter().enumerate().find_map(|(at, job)| {
        let request = request(job)?;
        free(job).then_some((at, request))
    })?;
    Some((state.waiting.remove(at)?, request))
}

fn finish(
    shared: &Shared,
    job: WantedJob,
    generation: u64,
    result: Result<llvm::Output, CompileError>,
) {
    let mut state = shared.lock();
    let place = slot(&job);
    state.running.retain(|running| running.slot != place);
    let outcome = match result {
        Ok(output) => {
            let outcome = JobResult::Compiled {
                assembly: Arc::from(output.assembly),
                code: Arc::from(output.code),
                warnings: output.warnings.into_iter().map(|it| (it.line, it.message)).collect(),
            };
            state.remember(generation, job.key, &outcome);
            state.trouble = Trouble::default();
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
            let outcome = JobResult::Failed(message.clone());
            if matches!(error, CompileError::Rejected(_)) {
                state.remember(generation, job.key, &outcome);
                state.trouble = Trouble::default();
            } else {
                state.trouble.in_a_row = state.trouble.in_a_row.saturating_add(1);
                state.trouble.last.clone_from(&message);
                state.finished.notices.push(message);
            }
            outcome
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
