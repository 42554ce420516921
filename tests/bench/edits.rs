//! The time that the engine takes, beside a yardstick of the same run: hashing the text
//! byte by byte. Ratios to it compare across machines; times do not.
//!
//! `cargo bench -p tests --bench edits`

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::ide::{InlayHintKind, WantedHints};
use engine::{Host, Language, Settings};
use gcn::Target;
use tests::measure::{self, CHIP, RUNS, Stopwatch, kernel, median, shader, yardstick};

#[allow(clippy::print_stdout)]
fn main() {
    edit_kernels();
    if std::env::args().any(|it| it == "kernels") {
        return;
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
}

/// The processor time of one edit in 100,000 lines until everything is current again: what is
/// wrong with the text, what its code costs, and what the server asks besides.
#[allow(clippy::print_stdout)]
fn edit_kernels() {
    for (kernels, bar) in [(100, 15_u64), (10, 25), (1, 115)] {
        let text = measure::kernels(kernels, 100_000 / kernels);
        let middle = text.match_indices("  v_fma_f32 v").map(|(at, _)| at);
        let at = middle.skip(5_000).find(|at| text[*at..].contains(", s7, ")).unwrap_or_default();
        let digit = at + text[at..].find(", s7, ").map_or(0, |at| at + 3);
        let line_end = at + text[at..].find('\n').unwrap_or_default();
        let edits: [(&str, usize, &[&str], u64); 4] = [
            ("a blank", at, &["", " "], 15),
            ("a comment", line_end, &["", " // a remark"], 15),
            ("a digit", digit, &["", "1"], bar),
            ("a line", at, &["", "  s_nop 0\n"], bar),
        ];
        for (what, place, states, bar) in edits {
            let mut host = Host::new(Settings::default());
            let texts: Vec<Arc<str>> = states
                .iter()
                .map(|it| [&text[..place], it, &text[place..]].concat().into())
                .collect();
            let mut times = Vec::new();
            for round in 0..RUNS {
                let text = texts[round % texts.len()].clone();
                let watch = Stopwatch::start();
                let file = host.set_file("bench.s", text, Language::Gcn);
                let snapshot = host.snapshot();
                let text_only = snapshot.diagnostics(file).unwrap_or_default();
                assert!(text_only.is_empty(), "{:?}", text_only.first());
                let costs = snapshot.cost_diagnostics(file).unwrap_or_default();
                assert!(!costs.is_empty());
                assert!(snapshot.assembly_kind(file).is_ok());
                assert!(snapshot.wanted_files(file).is_ok());
                times.push(watch.elapsed());
            }
            times.remove(0);
            times.sort();
            let median = times[times.len() / 2];
            let bar = Duration::from_millis(bar);
            println!("{kernels:>4} kernels, {what:<12} {median:>10.1?} {bar:>8.0?}");
        }
    }
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
