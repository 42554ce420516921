//! Searches at random, for a bounded time, for inputs that something does not survive.
//!
//! Each input follows from a seed and its number, so any can be made again:
//! `TUNGSTEN_FUZZ_SECONDS` makes a search longer, `TUNGSTEN_FUZZ_SEED` another one, and
//! `TUNGSTEN_FUZZ_FIRST` begins it with the input of that number, which is shown.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::measure::Stopwatch;
use crate::random_shaders::Numbers;

fn setting<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Fewer inputs than this find nothing.
const LEAST: u64 = 20;

/// After so many inputs that fail a search ends: they have one cause as a rule.
const MOST_FAILURES: usize = 8;

/// An input whose check has not come back for so long, on a machine however busy, hangs.
const HANGS: Duration = Duration::from_secs(300);

/// The processor time that a check may take of an input: its budgets, and 200 µs for each
/// byte; ten times as much in a build that is not optimised.
fn bound(input: &impl Size) -> Duration {
    let slowness = if cfg!(unoptimised) { 10 } else { 1 };
    slowness * (input.budget() + Duration::from_micros(200) * input.bytes() as u32)
}

/// Has a length, by which its cost is judged.
pub trait Size {
    /// Bytes.
    fn bytes(&self) -> usize;

    /// Returns the time that may be spent on an input however short it is.
    fn budget(&self) -> Duration {
        Duration::from_secs(1)
    }
}

impl Size for String {
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl Size for Vec<u8> {
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl Size for Vec<u32> {
    fn bytes(&self) -> usize {
        4 * self.len()
    }
}

/// Ends the process where one input takes for ever: nothing else can end a loop.
struct Watch {
    /// The number of the input, from 1; 0 once there is none.
    number: Arc<AtomicU64>,
}

impl Watch {
    fn over(what: &str, seed: u64) -> Watch {
        let number = Arc::new(AtomicU64::new(u64::MAX));
        let (watched, what) = (Arc::clone(&number), what.to_owned());
        std::thread::spawn(move || {
            let (mut last, mut since) = (0, Instant::now());
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let now = watched.load(Ordering::Relaxed);
                if now == 0 {
                    return;
                }
                if now != last {
                    (last, since) = (now, Instant::now());
                }
                if since.elapsed() > HANGS {
                    eprintln!("{what} {} of seed {seed} takes for ever", now - 1);
                    std::process::abort();
                }
            }
        });
        Watch { number }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.number.store(0, Ordering::Relaxed);
    }
}

/// The most that an input took.
#[derive(Debug, Default)]
struct Slowest {
    took: Duration,
    bytes: usize,
    /// Of what it may take, in percent.
    percent: u128,
    number: u64,
}

/// Makes inputs and checks them until the time is over: so many seconds, unless more are
/// asked for. A busy machine is given up to ten times as long for the first few. A check
/// answers whether the input was understood without a complaint.
///
/// # Panics
/// Shows the input that a check panics at or takes too long for; complains where hardly
/// any input was tried.
pub fn search<T: Debug + Size>(
    what: &str,
    seconds: f64,
    damaged: impl Fn(&mut Numbers) -> T,
    check: impl Fn(&T) -> bool,
) {
    let seed = setting("TUNGSTEN_FUZZ_SEED", 7_u64);
    let asked = std::env::var("TUNGSTEN_FUZZ_FIRST").ok().and_then(|it| it.parse().ok());
    let first: u64 = asked.unwrap_or_default();
    let limit = Duration::from_secs_f64(setting("TUNGSTEN_FUZZ_SECONDS", seconds));
    let (start, mut count, mut understood) = (Instant::now(), 0, 0);
    let (mut slowest, mut failed) = (Slowest::default(), Vec::new());
    let watch = Watch::over(what, seed);
    while start.elapsed() < limit || count <= LEAST && start.elapsed() < 10 * limit {
        let number = first + count;
        watch.number.store(number + 1, Ordering::Relaxed);
        let input = damaged(&mut Numbers::new(seed.wrapping_mul(1 << 40).wrapping_add(number)));
        if asked == Some(number) {
            eprintln!("{what} {number} of seed {seed}:\n{input:?}");
        }
        let began = Stopwatch::start();
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&input)));
        let (took, may) = (began.elapsed(), bound(&input));
        if outcome.is_err() || took > may {
            failed.push(number);
            eprintln!("{what} {number} of seed {seed}, {took:?} of {may:?}:\n{input:?}");
            assert!(failed.len() < MOST_FAILURES, "{what} {failed:?} of seed {seed}");
        }
        let percent = took.as_micros() * 100 / may.as_micros();
        if (percent, took) > (slowest.percent, slowest.took) {
            slowest = Slowest { took, bytes: input.bytes(), percent, number };
        }
        understood += u64::from(outcome.is_ok_and(|it| it));
        count += 1;
    }
    // A row of a table: `.ci/full fuzz` takes it as it stands.
    let Slowest { took, bytes, percent, number } = slowest;
    eprintln!(
        "| {what} | {count} | {} | {} % | {:.1} ms for {bytes} bytes, number {number} | {percent} % |",
        failed.len(),
        100 * understood / count.max(1),
        took.as_secs_f64() * 1e3,
    );
    assert!(failed.is_empty(), "{what} {failed:?} of seed {seed}");
    assert!(count > LEAST, "only {count} {what} in {:?}", start.elapsed());
}
