//! The worker's side: libLLVM behind the jobs of a [`worker`](::worker) process.

use std::ffi::{CStr, c_char};
use std::path::Path;

use ::worker::{Refusal, Service};

use crate::compile::Session;
use crate::{Job, Output};

/// The first argument of the program that makes it a worker.
pub const COMMAND: &str = "compile-worker";

/// Serves compile jobs until standard input ends. Never returns.
///
/// The first argument is the path of the library; for the second see
/// [`serve`](::worker::serve()).
pub fn run(mut arguments: impl Iterator<Item = String>) -> ! {
    let Some(library) = arguments.next() else {
        ::worker::serve::refuse_usage(&format!(
            "{COMMAND} LIBRARY [{}]",
            ::worker::serve::BACKGROUND
        ))
    };
    let manner = arguments.next().unwrap_or_default();
    ::worker::serve(&manner, move || Session::load(Path::new(&library), fatal).map_err(Refusal::of))
}

impl Service for Session {
    type Job = Job;
    type Output = Output;

    fn version(&self) -> &str {
        Session::version(self)
    }

    fn run(&mut self, job: &Job) -> Result<Output, Refusal> {
        self.compile(&job.ir, &job.processor, &job.features).map_err(Refusal::of)
    }
}

/// Called by LLVM before it aborts.
extern "C" fn fatal(message: *const c_char) {
    let text = if message.is_null() {
        String::new()
    } else {
        // SAFETY: LLVM passes a NUL-terminated string that lives through the call.
        unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
    };
    ::worker::serve::give_up(&text)
}
