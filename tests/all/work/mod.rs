//! Work in proportion to the length of a text: each question of the engine, each
//! reader and the two that execute are given inputs of n and of four times n bytes, of every
//! shape that some careless way of reading is quadratic in.
//!
//! In a build that counts (`cargo xtask work`) work is the number of stretches of code that
//! were run, which is the same every time. Elsewhere it is processor time, with room for
//! what else the machine does.

mod broken;
mod executed;
mod includes;
mod memory;
mod messages;
mod questions;
pub(crate) mod shapes;

#[cfg(not(counted))]
use tests::measure::Stopwatch;

/// Bytes of the smaller input.
const SIZE: usize = match (cfg!(counted), cfg!(unoptimised)) {
    (true, _) => 1 << 15,
    (false, true) => 1 << 12,
    (false, false) => 1 << 15,
};

/// The most that four times the input may take, in times of once: sixteen would be quadratic.
const MOST_TIMES: u64 = if cfg!(counted) { 5 } else { 9 };

/// The work that does not depend on the input, and the nanoseconds that a busy machine may add.
const GRACE: u64 = match (cfg!(counted), cfg!(unoptimised)) {
    (true, _) => 100_000,
    (false, true) => 60_000_000,
    (false, false) => 10_000_000,
};

/// The times that a pair which looks quadratic is measured again: what else the machine does only
/// adds.
const AGAIN: usize = if cfg!(counted) { 0 } else { 5 };

/// Measures the work of a closure: stretches of code, or nanoseconds.
#[cfg(counted)]
fn work_of(work: impl FnOnce()) -> u64 {
    let before = tests::measure::stretches_run();
    work();
    tests::measure::stretches_run() - before
}

/// Measures the work of a closure: stretches of code, or nanoseconds.
#[cfg(not(counted))]
fn work_of(work: impl FnOnce()) -> u64 {
    let start = Stopwatch::start();
    work();
    start.elapsed().as_nanos() as u64
}

/// Tells whether four times the input took too much.
fn is_too_much(one: u64, four: u64) -> bool {
    four > MOST_TIMES * one + GRACE
}

/// Measures once, and again where the two look quadratic. Returns what is too much, in words.
fn judge(name: &str, mut measure: impl FnMut() -> (u64, u64)) -> Option<String> {
    let (mut one, mut four) = measure();
    for _ in 0..AGAIN {
        if !is_too_much(one, four) {
            return None;
        }
        let again = measure();
        // The longer of the small one is what it may take, the shorter of the large one what
        // it needs.
        (one, four) = (one.max(again.0), four.min(again.1));
    }
    is_too_much(one, four).then(|| format!("{name}: {one} became {four}"))
}
