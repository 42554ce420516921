//! Time in proportion to the length of a text: each question of the engine, each
//! reader and the two that execute are given inputs of n and of four times n bytes, of every
//! shape that some careless way of reading is quadratic in.

mod executed;
mod questions;
mod shapes;

use std::time::Duration;

/// Bytes of the smaller input.
const SIZE: usize = if cfg!(unoptimised) { 1 << 12 } else { 1 << 15 };

/// The most that four times the input may take, in times of once: sixteen would be quadratic.
const MOST_TIMES: u32 = 9;

/// The time that a busy machine may add.
const GRACE: Duration = Duration::from_millis(if cfg!(unoptimised) { 60 } else { 10 });

/// The times that a pair which looks quadratic is measured again: what else the machine does only
/// adds.
const AGAIN: usize = 5;

/// Tells whether four times the input took too long.
fn is_too_long(one: Duration, four: Duration) -> bool {
    four > MOST_TIMES * one + GRACE
}

/// Measures once, and again where the two times look quadratic; the shortest of each count.
/// Returns what is too long, in words.
fn judge(name: &str, mut measure: impl FnMut() -> (Duration, Duration)) -> Option<String> {
    let (mut one, mut four) = measure();
    for _ in 0..AGAIN {
        if !is_too_long(one, four) {
            return None;
        }
        let again = measure();
        // The longer of the small one is what it may take, the shorter of the large one what
        // it needs.
        (one, four) = (one.max(again.0), four.min(again.1));
    }
    is_too_long(one, four).then(|| format!("{name}: {one:.1?} became {four:.1?}"))
}
