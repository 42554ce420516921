//! The real process under load, in small: every question is answered, the last word is
//! of the last text, and threads and compilers are bounded. How soon it answers is
//! measured elsewhere, on a quiet machine: `cargo bench -p tests --bench latency`.

use std::path::Path;
use std::time::Duration;

use tests::load::{self, Load, Outcome, Search};

/// Threads beside workers and compilers: main, session, the reader of standard input,
/// who watches the parent, and those that look for files or a libLLVM for a moment.
const OTHER_THREADS: u64 = 18;

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_busy_server_answers_everything_and_is_right_in_the_end() {
    is_right_under(Search::None, 0);
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_search_for_a_faster_form_keeps_nobody_waiting() {
    // The search has one thread and one compiler of its own.
    let outcome = is_right_under(Search::Running, 1);
    assert!(outcome.searched, "the search ended before the last edit, or was not cancelled");
}

/// Puts the server under load, with so many more threads and compilers than it has for itself.
fn is_right_under(search: Search, more: u64) -> Outcome {
    let load = Load { documents: 24, edits: 40, pause: Duration::from_millis(50), search };
    let outcome = load::run(Path::new(crate::TUNGSTEN), load);
    eprintln!(
        "{} completions, {} hovers, {} refused, at most {} threads and {} compilers",
        outcome.completions.len(),
        outcome.hovers.len(),
        outcome.refused,
        outcome.threads,
        outcome.compilers,
    );
    assert!(outcome.compiled, "no libLLVM");
    // The next edit waits for both answers here, so none is overtaken.
    assert_eq!((outcome.completions.len(), outcome.hovers.len(), outcome.refused), (40, 40, 0));
    assert_eq!(outcome.last, outcome.fresh, "the last diagnostics are not of the last text");
    assert!(!outcome.diagnostics.is_empty(), "no edit had its diagnostics before the next one");
    assert!(outcome.told.is_sorted(), "an older text had the last word: {:?}", outcome.told);
    assert_eq!(outcome.told.last(), Some(&40));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let bound = cores.clamp(2, 8) + 2 * cores.min(4) + OTHER_THREADS + more;
    assert!(outcome.threads <= bound, "{} threads are more than {bound}", outcome.threads);
    let bound = cores.min(4) + more;
    assert!(outcome.compilers as u64 <= bound, "{} compilers", outcome.compilers);
    outcome
}
