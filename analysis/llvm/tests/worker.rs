//! The worker with every libLLVM of this machine: what compiles, what is
//! refused, and that nothing LLVM does to its process does harm beyond it.
//!
//! A test binary with its own `main`, because it also is the worker.

mod cases;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use cases::Library;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if_eq("compile-worker").is_some() {
        llvm::worker::run(arguments)
    }
    if arguments.next_if_eq(cases::HANG).is_some() {
        cases::hang(arguments.next().unwrap_or_default())
    }
    // What remains are the harness's options, and names to choose by.
    let chosen: Vec<String> = arguments.filter(|argument| !argument.starts_with('-')).collect();
    let found = llvm::library::find(&llvm::Search::default());
    let libraries: Vec<Library> =
        found.into_iter().filter(llvm::Found::is_usable).map(Library::new).collect();
    if libraries.is_empty() {
        eprintln!("skipped: no libLLVM on this machine");
        return ExitCode::SUCCESS;
    }
    let (mut passed, mut failed) = (0, 0);
    for library in &libraries {
        for (name, test) in cases::ALL {
            let name = format!("{name} [LLVM {}]", library.version());
            if !chosen.is_empty() && !chosen.iter().any(|part| name.contains(part.as_str())) {
                continue;
            }
            let begin = std::time::Instant::now();
            let good = catch_unwind(AssertUnwindSafe(|| test(library))).is_ok();
            let verdict = if good { "ok" } else { "FAILED" };
            eprintln!("test {name} ... {verdict} ({} ms)", begin.elapsed().as_millis());
            *(if good { &mut passed } else { &mut failed }) += 1;
        }
    }
    eprintln!("test result: {passed} passed; {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
