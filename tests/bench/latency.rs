//! The latency of the real server: the process, over its standard streams, with its
//! compilers running. Beside each figure stands its bar, and a yardstick of the same run:
//! the way of a question that costs nothing, there and back.
//!
//! `cargo build --release && cargo bench -p tests --bench latency`
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use gcn::program::Options;
use serde_json::{Value, json};
use tests::client::{Client, Place};
use tests::load::{self, Load, Search};
use tests::measure::{CHIP, RUNS, kernel, shader};
use tests::writers::objects::with_code;

const URI: &str = "file:///latency.tgsi";

/// Fails where a bar is missed, unless the machine is too busy to tell.
fn main() -> ExitCode {
    let program = program();
    println!("{:<52} {:>10} {:>10} {:>10}", "work", "median", "p99", "bar");
    let mut kept = Vec::new();
    let before = idle(&program);
    kept.push(start(&program));
    for (language, lines, bar) in [("tgsi", 300, 5), ("gcn", 20_000, 15), ("gcn", 100_000, 80)] {
        kept.push(edits(&program, language, lines, Duration::from_millis(bar)));
    }
    kept.extend(code_object(&program));
    kept.extend(questions(&program));
    kept.extend(busy(&program, "under load", Search::None));
    kept.extend(busy(&program, "under load and a search", Search::Running));
    memory(&program);
    let quiet = before && idle(&program);
    let missed = kept.iter().filter(|kept| !**kept).count();
    match (missed, quiet) {
        (0, _) => println!("every bar is kept"),
        (missed, true) => println!("{missed} bars are missed"),
        (missed, false) => {
            println!("skipped: the machine is not quiet, which {missed} missed bars may be of");
        }
    }
    ExitCode::from(u8::from(missed > 0 && quiet))
}

/// The server beside this benchmark: both are built for release.
fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    let folder = own.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    let program = folder.join("tungsten");
    assert!(program.exists(), "{} is not there: cargo build --release", program.display());
    program
}

/// One row. Returns whether the bar is kept: 99 of 100 times are within it.
fn report(work: &str, mut times: Vec<Duration>, bar: Duration) -> bool {
    times.sort();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len()) - 1;
        times[place]
    };
    let (median, late) = (at(0.5), at(0.99));
    println!("{work:<52} {median:>10.1?} {late:>10.1?} {bar:>10.0?}");
    late <= bar
}

/// The yardstick. Returns whether the machine is quiet.
fn idle(program: &Path) -> bool {
    let mut client = Client::start(program, json!({}), json!({"compile": false}));
    let times = (0..1_000).map(|_| {
        let id = client.send("tungsten/status", Value::Null);
        client.timed_answer(id).0
    });
    let bar = Duration::from_millis(1);
    let quiet = report("yardstick: the status of an idle server", times.collect(), bar);
    client.stop();
    quiet
}

/// From the start of the process to the diagnostics of its first document.
fn start(program: &Path) -> bool {
    let text = shader(300, 0);
    let mut resident = 0;
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        let mut client = Client::start(program, json!({}), Value::Null);
        client.open(URI, &text);
        let found = client.arrived_diagnostics(URI, 0);
        resident = resident.max(client.resident());
        client.stop();
        found.at - start
    });
    let bar = Duration::from_millis(50);
    let soon = report("start to the first diagnostics, 300 lines", times.collect(), bar);
    println!("{:<52} {:>6} MiB {:>10} {:>6} MiB", "memory then", resident / 1024, "", 40);
    soon && resident / 1024 <= 40
}

/// From an edit in the middle to its diagnostics.
fn edits(program: &Path, language: &str, lines: usize, bar: Duration) -> bool {
    let text =
        if language == "gcn" { CHIP.to_owned() + &kernel(lines, 0) } else { shader(lines, 0) };
    let uri = format!("file:///latency.{language}");
    let mut client = Client::start(program, json!({}), json!({"compile": false}));
    client.open_as(language, &uri, &text);
    client.diagnostics(&uri, 0);
    let place = digit(&text);
    let times = (1..=RUNS as i64 * 3).map(|version| {
        let sent = client.edit(&uri, version, place, &(version % 8).to_string());
        client.arrived_diagnostics(&uri, version).at - sent
    });
    let times = times.collect();
    let kept = report(&format!("edit to diagnostics, {lines} lines of {language}"), times, bar);
    client.stop();
    kept
}

/// A code object that an editor opens: its listing, then the costs of all lines and its
/// diagnostics.
fn code_object(program: &Path) -> Vec<bool> {
    const INSTRUCTIONS: usize = 30_000;
    let text = CHIP.to_owned() + &kernel(INSTRUCTIONS, 0);
    let options = Options::of(&text, "");
    let assembled = gcn::program::assemble(&text, &options, &|_| None, &source::no_checkpoint);
    let code = assembled.image(assembled.instructions[0].section).bytes;
    let folder = std::env::temp_dir().join(format!("tungsten-latency-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("kernel.co");
    std::fs::write(&path, with_code(&code)).expect("a file");
    let source = format!("file://{}", path.display()).replace('/', "%2F").replace(':', "%3A");
    let uri = format!("tungsten-decoded:/kernel.co.gcn?{source}");
    let (mut listings, mut costs, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let mut client = Client::start(program, json!({}), json!({"compile": false}));
        let id = client.send("workspace/textDocumentContent", json!({"uri": uri}));
        let (time, content) = client.timed_answer(id);
        listings.push(time);
        let content = content.expect("a listing");
        let text = content["text"].as_str().expect("a text");
        assert!(text.lines().count() > INSTRUCTIONS, "{} lines", text.lines().count());
        let opened = Instant::now();
        client.open_as("gcn", &uri, text);
        let id = client.send("tungsten/costs", json!({"textDocument": {"uri": uri}}));
        let (_, answer) = client.timed_answer(id);
        costs.push(opened.elapsed());
        let lines = answer.expect("costs")["codes"][0]["lines"].as_array().map(Vec::len);
        assert!(lines.is_some_and(|it| it > INSTRUCTIONS / 2), "{lines:?} lines with costs");
        diagnostics.push(client.arrived_diagnostics(&uri, 0).at - opened);
        client.stop();
    }
    let _ = std::fs::remove_dir_all(&folder);
    let bar = Duration::from_millis(150);
    vec![
        report("a code object of 30,000 instructions: its listing", listings, bar),
        report("the same opened: costs of all lines", costs, bar),
        report("the same opened: first diagnostics", diagnostics, bar),
    ]
}

/// A digit in the middle of a text that names a register, and is all its name.
fn digit(text: &str) -> Place {
    let middle = text.lines().count() / 2;
    let found = text.lines().enumerate().skip(middle).find_map(|(line, words)| {
        let start =
            words.find("TEMP[").map(|at| at + 5).or_else(|| words.find(", v").map(|at| at + 3))?;
        let digits = words[start..].bytes().take_while(u8::is_ascii_digit).count();
        (digits == 1).then_some(Place { line, start, end: start + 1 })
    });
    found.unwrap_or_else(|| panic!("there is such a digit"))
}

/// Questions while compiles for four chips run.
fn questions(program: &Path) -> Vec<bool> {
    let options = json!({"targets": ["tahiti", "bonaire", "polaris10", "vega10"]});
    let mut client = Client::start(program, json!({}), options);
    if !client.has_compiler() {
        println!("skipped: no libLLVM, so nothing compiles while questions are asked");
        client.stop();
        return Vec::new();
    }
    let text = shader(300, 0);
    let place = digit(&text);
    client.open(URI, &text);
    let (mut completions, mut hovers, mut busy) = (Vec::new(), Vec::new(), 0);
    for version in 1..=60 {
        client.edit(URI, version, place, &(version % 8).to_string());
        // Compiles begin after a pause in typing.
        client.listen(Instant::now() + Duration::from_millis(50));
        for question in 0..5 {
            let status = client.call("tungsten/status", Value::Null);
            busy += usize::from(status.is_ok_and(|it| it["compiling"] != 0));
            let at = json!({
                "textDocument": {"uri": URI},
                "position": {"line": place.line, "character": place.end + question % 2},
            });
            let id = client.send("textDocument/completion", at.clone());
            completions.push(client.timed_answer(id).0);
            let id = client.send("textDocument/hover", at);
            hovers.push(client.timed_answer(id).0);
        }
    }
    let bar = Duration::from_millis(10);
    let kept = vec![
        report("completion while compiling", completions, bar),
        report("hover while compiling", hovers, bar),
    ];
    println!("{:<52} {busy:>10} of 300", "asked while a compile ran or waited");
    client.stop();
    kept
}

/// 24 documents, 20 edits a second in one of them, compiles for four chips, and perhaps a search
/// for a faster form of another one.
fn busy(program: &Path, name: &str, search: Search) -> Vec<bool> {
    let load = Load { documents: 24, edits: 200, pause: Duration::from_millis(50), search };
    let outcome = load::run(program, load);
    if search == Search::Running && !outcome.compiled {
        println!("skipped: no libLLVM, so no search runs beside the typing");
        return Vec::new();
    }
    let bar = Duration::from_millis(10);
    let late = |times: &[Duration]| times.iter().filter(|time| **time > bar).count();
    let count = outcome.completions.len() + outcome.hovers.len();
    let late = late(&outcome.completions) + late(&outcome.hovers);
    let kept = vec![
        report(&format!("{name}: completion"), outcome.completions, bar),
        report(&format!("{name}: hover"), outcome.hovers, bar),
        // Soon enough means before the next edit.
        report(&format!("{name}: edit to diagnostics"), outcome.diagnostics, load.pause),
    ];
    println!("{:<52} {late:>10} of {count}", format!("{name}: answers after more than 10 ms"));
    println!("{:<52} {:>10}", format!("{name}: refused"), outcome.refused);
    println!(
        "{:<52} {:>10} {:>10}",
        format!("{name}: threads, compilers"),
        outcome.threads,
        outcome.compilers
    );
    assert_eq!(outcome.searched, search == Search::Running, "the search ended before the typing");
    assert_eq!(outcome.last, outcome.fresh, "what was said last is not of the last text");
    assert!(outcome.told.is_sorted(), "an older text had the last word: {:?}", outcome.told);
    kept
}

/// Memory after many edits.
fn memory(program: &Path) {
    let mut client = Client::start(program, json!({}), json!({"compile": false}));
    for (language, lines) in [("tgsi", 300), ("gcn", 2_000)] {
        let text =
            if language == "gcn" { CHIP.to_owned() + &kernel(lines, 0) } else { shader(lines, 0) };
        let uri = format!("file:///memory.{language}");
        client.open_as(language, &uri, &text);
        let place = digit(&text);
        let mut before = 0;
        for version in 1..=10_000 {
            client.edit(&uri, version, place, &(version % 8).to_string());
            client.diagnostics(&uri, version);
            if version == 1_000 {
                before = client.resident();
            }
        }
        let after = client.resident();
        let work = format!("memory after 1,000 and 10,000 edits, {lines} lines of {language}");
        println!("{work:<60} {:>8} KiB {:>8} KiB", before, after);
    }
    client.stop();
}
