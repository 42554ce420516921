//! Searches at random, for a bounded time, for inputs that something does not survive.
//!
//! The inputs follow from a seed, so every run of a seed is the same one.
//! `TUNGSTEN_FUZZ_SECONDS` makes a search longer, `TUNGSTEN_FUZZ_SEED` another one.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::random_shaders::Numbers;

fn setting<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Fewer inputs than this find nothing.
const LEAST: usize = 20;

/// Makes inputs and checks them until the time is over: `seconds`, unless more are
/// asked for. A busy machine is given up to ten times as long for the first few.
///
/// # Panics
/// Shows the input that a check panics at; complains where a check takes ten seconds, or
/// hardly any input was tried.
pub fn search<T: Debug>(
    what: &str,
    seconds: f64,
    mut damaged: impl FnMut(&mut Numbers) -> T,
    check: impl Fn(&T),
) {
    let seed = setting("TUNGSTEN_FUZZ_SEED", 7_u64);
    let limit = Duration::from_secs_f64(setting("TUNGSTEN_FUZZ_SECONDS", seconds));
    let mut random = Numbers::new(seed);
    let (start, mut count, mut slowest) = (Instant::now(), 0, Duration::ZERO);
    while start.elapsed() < limit || count <= LEAST && start.elapsed() < 10 * limit {
        let input = damaged(&mut random);
        let began = Instant::now();
        if catch_unwind(AssertUnwindSafe(|| check(&input))).is_err() {
            panic!("{what} {count} of seed {seed}:\n{input:?}");
        }
        slowest = slowest.max(began.elapsed());
        count += 1;
    }
    eprintln!("{count} damaged {what} survived, the slowest in {slowest:?}");
    assert!(count > LEAST, "only {count} {what} in {:?}", start.elapsed());
    assert!(slowest < Duration::from_secs(10), "one of the {what} took {slowest:?}");
}
