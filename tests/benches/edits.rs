//! How long the engine takes, beside a yardstick of the same run: hashing the
//! text byte by byte. Ratios to it compare across machines; times do not.
//!
//! `cargo bench -p tests --bench edits`

use std::hash::{DefaultHasher, Hasher};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Host, Language, Settings};
use gcn::Target;

/// How often each piece of work is timed; the median counts.
const RUNS: usize = 31;

#[allow(clippy::print_stdout)]
fn main() {
    println!("{:<44} {:>12} {:>12} {:>10}", "work", "median", "per line", "x yardstick");
    for lines in [300, 3_000, 30_000] {
        let text = shader(lines, 0);
        let yardstick = median(|| {
            let mut hasher = DefaultHasher::new();
            for byte in text.bytes() {
                hasher.write_u8(byte);
            }
            black_box(hasher.finish());
        });
        let report = |work: &str, time: Duration| {
            let per_line = time.as_nanos() / lines as u128;
            let ratio = time.as_secs_f64() / yardstick.as_secs_f64();
            let name = format!("{work}, {lines} lines");
            println!("{name:<44} {time:>12.1?} {per_line:>9} ns {ratio:>10.1}");
        };
        report("yardstick: hash every byte", yardstick);
        report("lex", median(|| drop(black_box(tgsi::lexer::tokenize(&text)))));
        let parse = || tgsi::parser::parse(&text, &text::no_checkpoint);
        report("parse", median(|| drop(black_box(parse()))));
        let shader = parse().shader.unwrap_or_else(|| panic!("the text is a shader"));
        let validate = || tgsi::validate::validate(&shader, &text::no_checkpoint);
        report("validate", median(|| drop(black_box(validate()))));
        report("edit to findings, compile off", edit(lines, false));
        if lines <= 3_000 {
            report("edit to findings and job, compile on", edit(lines, true));
        }
    }
}

/// A sound fragment shader of so many lines; `salt` changes one instruction in
/// its middle.
fn shader(lines: usize, salt: usize) -> String {
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

/// From a changed text to its findings, and with a compiler to the job wanted.
fn edit(lines: usize, compile: bool) -> Duration {
    let targets = vec![Target::default()];
    let mut host = Host::new(Settings { targets, compile });
    let texts: Vec<Arc<str>> = (0..RUNS).map(|salt| shader(lines, salt).into()).collect();
    let mut next = texts.iter().cycle();
    median(|| {
        if let Some(text) = next.next() {
            let file = host.set_file("bench.tgsi", text.clone(), Language::Tgsi);
            let snapshot = host.snapshot();
            let findings = snapshot.diagnostics(file);
            let errors = |finding: &text::Diagnostic| finding.severity == text::Severity::Error;
            assert!(findings.is_ok_and(|findings| !findings.iter().any(errors)));
            if compile {
                assert!(snapshot.wanted_jobs(file).is_ok_and(|jobs| jobs.len() == 1));
            }
        }
    })
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}
