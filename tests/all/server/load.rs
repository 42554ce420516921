//! The real process under load, in small: every question is answered, the last word is
//! of the last text, and threads and compilers are bounded. How soon it answers is
//! measured elsewhere, on a quiet machine: `cargo bench -p tests --bench latency`.

use std::path::Path;
use std::time::Duration;

use tests::load::{self, Load};

/// Threads beside workers and compilers: main, session, the reader of standard input,
/// who watches the parent, and those that look for files or a libLLVM for a moment.
const OTHER_THREADS: u64 = 18;

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_busy_server_answers_everything_and_is_right_in_the_end() {
    let load = Load { documents: 24, edits: 40, pause: Duration::from_millis(50) };
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
    let bound = cores.clamp(2, 8) + 2 * cores.min(4) + OTHER_THREADS;
    assert!(outcome.threads <= bound, "{} threads are more than {bound}", outcome.threads);
    assert!(outcome.compilers as u64 <= cores.min(4), "{} compilers", outcome.compilers);
}
