//! The time that the engine takes, beside a yardstick of the same run: hashing the text
//! byte by byte. Ratios to it compare across machines; times do not.
//!
//! `cargo bench -p tests --bench edits`, with `-- kernels` edits of large assembly files alone.
//! Edits have bars of processor time; a missed one fails the benchmark.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::ide::{InlayHintKind, WantedHints};
use engine::{Host, Language, Settings};
use gcn::Target;
use tests::measure::{self, CHIP, RUNS, Stopwatch, kernel, median, shader, yardstick};

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let missed = edit_kernels();
    let code = ExitCode::from(u8::from(missed > 0));
    if std::env::args().any(|it| it == "kernels") {
        return code;
    }
    println!("{:<44} {:>12} {:>12} {:>10}", "work", "median", "per line", "x yardstick");
    for lines in [300, 3_000, 30_000] {
        let text = shader(lines, 0);
        let yardstick = yardstick(&text);
        let report = |work: &str, time: Duration| {
            let per_line = time.as_nanos() / lines as u128;
            let ratio = time.as_secs_f64() / yardstick.as_secs_f64();
            let name = format!("{work}, {lines} lines");
            println!("{name:<44} {time:>12.1?} {per_line:>9} ns {ratio:>10.1}");
        };
        report("yardstick: hash every byte", yardstick);
        report(
            "lex",
            median(|| tgsi::lexer::Lexer::new(&text).for_each(|token| _ = black_box(token))),
        );
        let parse = || tgsi::parser::parse(&text, &source::no_checkpoint);
        report("parse", median(|| drop(black_box(parse()))));
        let shader = parse().shader.unwrap_or_else(|| panic!("the text is a shader"));
        let validate = || tgsi::validate::validate(&shader, &source::no_checkpoint);
        report("validate", median(|| drop(black_box(validate()))));
        report("edit to diagnostics, compile off", edit(lines, false));
        if lines <= 3_000 {
            report("edit to diagnostics and job, compile on", edit(lines, true));
        }
    }
    for lines in [2_000, 20_000, 100_000] {
        for (work, chip) in [("assembly", CHIP), ("of an unnamed chip", "")] {
            let time = edit_assembly(lines, chip);
            let per_line = time.as_nanos() / lines as u128;
            let name = format!("edit to diagnostics, {work}, {lines} lines");
            println!("{name:<52} {time:>12.1?} {per_line:>9} ns");
        }
    }
    for kernels in [20, 1] {
        // One line more, so that the middle is one that the salt changes.
        for (work, time) in edit_costs(kernels, 20_000 / kernels + 2) {
            let name = format!("{work}, {kernels} kernels of {}", 20_000 / kernels);
            println!("{name:<52} {time:>12.1?}");
        }
    }
    code
}

/// The questions that are asked right behind an edit, and the processor time that each row may
/// take.
const QUESTIONS: Duration = Duration::from_millis(10);

/// The processor time of one edit in 100,000 lines until everything is current again: what is
/// wrong with the text, what its code costs, and what the server asks besides; and of a hover and
/// a completion that are asked right behind the edit. Returns how many bars are missed: a busy
/// machine can only add time, so that the least of the rounds is judged.
#[allow(clippy::print_stdout)]
fn edit_kernels() -> usize {
    println!("{:<44} {:>10} {:>10} {:>8}", "an edit of 100,000 lines", "least", "median", "bar");
    let mut missed = 0;
    for (kernels, bar) in [(100, 15), (1, 115)] {
        let text = measure::kernels(kernels, 100_000 / kernels);
        // A line in the middle of the text that the salt does not change.
        let middle = text.match_indices("  v_fma_f32 v").map(|(at, _)| at).skip(5_000);
        let line = |at: usize| text[at..].lines().next().unwrap_or_default();
        let at = middle.clone().find(|at| line(*at).contains(", s7, ")).unwrap_or_default();
        let digit = at + line(at).find(", s7").unwrap_or_default() + ", s7".len();
        let line_end = at + line(at).len();
        let edits = [
            ("a blank", at, " ", 15),
            ("a comment", line_end, " // a remark", 15),
            ("a digit", digit, "1", bar),
            ("a line", at, "  s_nop 0\n", bar),
        ];
        for (what, place, typed, bar) in edits {
            let name = format!("{what}, {kernels} kernels");
            let texts = ["", typed].map(|it| [&text[..place], it, &text[place..]].concat().into());
            let times = times_of_edits(&texts, |snapshot, file| {
                assert!(snapshot.diagnostics(file).is_ok_and(|found| found.is_empty()));
                assert!(snapshot.cost_diagnostics(file).is_ok_and(|found| !found.is_empty()));
                assert!(snapshot.assembly_kind(file).is_ok());
                assert!(snapshot.wanted_files(file).is_ok());
            });
            missed += report_edit(&name, times, Duration::from_millis(bar));
            let offset = source::TextSize::new(at as u32 + 4);
            let times = times_of_edits(&texts, |snapshot, file| {
                assert!(snapshot.hover(file, offset).is_ok_and(|it| it.is_some()));
            });
            missed += report_edit(&format!("{name}: a hover behind it"), times, QUESTIONS);
            let times = times_of_edits(&texts, |snapshot, file| {
                assert!(snapshot.completion(file, offset).is_ok_and(|it| it.is_some()));
            });
            missed += report_edit(&format!("{name}: a completion"), times, QUESTIONS);
        }
    }
    missed
}

/// The processor times of questions right behind edits that lead from one text to the other.
fn times_of_edits(
    texts: &[Arc<str>; 2],
    ask: impl Fn(&engine::Snapshot, engine::FileId),
) -> Vec<Duration> {
    let mut host = Host::new(Settings::default());
    let mut times = Vec::new();
    for round in 0..=RUNS {
        let text = texts[round % 2].clone();
        let watch = Stopwatch::start();
        let file = host.set_file("bench.s", text, Language::Gcn);
        ask(&host.snapshot(), file);
        // In the first round everything is new.
        times.extend((round > 0).then(|| watch.elapsed()));
    }
    times.sort();
    times
}

/// One row. Returns 1 where the bar is missed.
#[allow(clippy::print_stdout)]
fn report_edit(name: &str, times: Vec<Duration>, bar: Duration) -> usize {
    let (least, median) = (times[0], times[times.len() / 2]);
    let verdict = if least <= bar { "" } else { "missed" };
    println!("{name:<44} {least:>10.1?} {median:>10.1?} {bar:>8.0?} {verdict}");
    usize::from(least > bar)
}

/// From a changed instruction in one of several kernels: to the diagnostics of the text,
/// and then to what editors ask of costs, one after the other.
fn edit_costs(kernels: usize, lines: usize) -> Vec<(&'static str, Duration)> {
    let mut host = Host::new(Settings { targets: vec![Target::default()], ..Settings::default() });
    let text = |salt: usize| -> Arc<str> {
        let mut text = String::from(CHIP);
        for number in 0..kernels {
            let own = kernel(lines, if number == kernels / 2 { salt } else { 0 });
            let code = own.split_once("kernel:\n").map_or("", |(_, code)| code);
            // Labels are the file's.
            let code = code.replace('L', &format!("L{number}_"));
            text.push_str(&format!(".type k{number},@function\nk{number}:\n{code}"));
        }
        text.into()
    };
    let works =
        ["edit to diagnostics", "its diagnostics of costs", "hints of 60 lines", "all its costs"];
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); works.len()];
    for round in 0..=RUNS {
        let text = text(round);
        let file = host.set_file("bench.s", text.clone(), Language::Gcn);
        let snapshot = host.snapshot();
        let middle = (text.len() / 2) as u32;
        let sight = source::TextRange::at(middle.into(), 2_000.into());
        let questions: [&dyn Fn() -> bool; 4] = [
            &|| snapshot.diagnostics(file).is_ok_and(|found| found.is_empty()),
            &|| snapshot.cost_diagnostics(file).is_ok_and(|found| !found.is_empty()),
            &|| {
                let hints = snapshot.inlay_hints(
                    file,
                    sight,
                    &WantedHints::everywhere(&InlayHintKind::ALL),
                );
                hints.is_ok_and(|hints| hints.len() > 30)
            },
            &|| snapshot.code_costs(file).is_ok_and(|codes| codes.len() == kernels),
        ];
        for (question, times) in questions.iter().zip(&mut times) {
            let start = Instant::now();
            assert!(question());
            // In the first round everything is new.
            times.extend((round > 0).then(|| start.elapsed()));
        }
    }
    let median = |mut times: Vec<Duration>| {
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    works.into_iter().zip(times.into_iter().map(median)).collect()
}

/// From a changed assembly text to its diagnostics.
fn edit_assembly(lines: usize, head: &str) -> Duration {
    let mut host = Host::new(Settings { targets: vec![Target::default()], ..Settings::default() });
    let text = |salt| (head.to_owned() + &kernel(lines, salt)).into();
    let texts: Vec<Arc<str>> = (0..RUNS).map(text).collect();
    let mut next = texts.iter().cycle();
    median(|| {
        if let Some(text) = next.next() {
            let file = host.set_file("bench.s", text.clone(), Language::Gcn);
            let found = host.snapshot().diagnostics(file).unwrap_or_default();
            assert!(found.is_empty(), "{:?}", found.first());
        }
    })
}

/// From a changed text to its diagnostics, and with a compiler to the job wanted.
fn edit(lines: usize, compile: bool) -> Duration {
    let targets = vec![Target::default()];
    let mut host = Host::new(Settings { targets, compile, ..Settings::default() });
    let texts: Vec<Arc<str>> = (0..RUNS).map(|salt| shader(lines, salt).into()).collect();
    let mut next = texts.iter().cycle();
    median(|| {
        if let Some(text) = next.next() {
            let file = host.set_file("bench.tgsi", text.clone(), Language::Tgsi);
            let snapshot = host.snapshot();
            let diagnostics = snapshot.diagnostics(file);
            let errors =
                |diagnostic: &source::Diagnostic| diagnostic.severity == source::Severity::Error;
            assert!(diagnostics.is_ok_and(|diagnostics| !diagnostics.iter().any(errors)));
            if compile {
                assert!(snapshot.wanted_jobs(file).is_ok_and(|jobs| jobs.len() == 1));
            }
        }
    })
}
