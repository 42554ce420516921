//! What the benchmarks share: a median of runs, the yardstick that makes
//! machines comparable, and a shader of any size.

use std::hash::{DefaultHasher, Hasher};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often each piece of work is timed; the median counts.
pub const RUNS: usize = 31;

/// The median time of some work.
pub fn median(work: impl FnMut()) -> Duration {
    median_of(RUNS, work)
}

/// The median time of so many runs, for work that takes long.
pub fn median_of(runs: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times.get(runs / 2).copied().unwrap_or_default()
}

/// How long it takes to hash a text byte by byte.
pub fn yardstick(text: &str) -> Duration {
    median(|| {
        let mut hasher = DefaultHasher::new();
        for byte in text.bytes() {
            hasher.write_u8(byte);
        }
        black_box(hasher.finish());
    })
}

/// A sound fragment shader of so many lines; `salt` changes one instruction in
/// its middle.
pub fn shader(lines: usize, salt: usize) -> String {
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..15]\nDCL TEMP[0..15]\n",
    );
    let body = lines.saturating_sub(8);
    for line in 0..body {
        let (a, b, c) = (line % 16, (line * 7 + 3) % 16, (line * 5 + 1) % 16);
        let salt = if line == body / 2 { salt % 16 } else { b };
        let statement = match line % 4 {
            0 => format!("MAD TEMP[{a}].xyz, IN[0].xyzw, CONST[0][{salt}], CONST[0][{c}].wzyx"),
            1 => format!("MUL TEMP[{a}], CONST[0][{salt}].xxxx, IN[0]"),
            2 => format!("MOV TEMP[{a}].w, CONST[0][{salt}].yyyy"),
            _ => format!("ADD TEMP[{a}].xy, IN[0], -CONST[0][{salt}]"),
        };
        text.push_str(&format!("{line:>3}: {statement}\n"));
    }
    text.push_str("MOV OUT[0], IN[0]\nEND\n");
    text
}
