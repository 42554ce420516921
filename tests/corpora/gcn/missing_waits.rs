//! Compiled kernels: silence about what LLVM made, and what is said once a wait or an `s_nop`
//! is taken out of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tests::corpora::shared;

use crate::TUNGSTEN;

/// A diagnostic: its line, severity, code and message.
type Found = (u64, String, String, String);

/// Checks files beneath a folder; returns the diagnostics of each.
fn check(folder: &Path, files: &[&str]) -> BTreeMap<String, Vec<Found>> {
    let mut all = BTreeMap::<String, Vec<Found>>::new();
    for files in files.chunks(100) {
        let mut run = Command::new(TUNGSTEN);
        run.args(["check", "--format", "json"]).args(files).current_dir(folder);
        let output = run.output().expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("text");
        for line in text.lines() {
            let found: Value = serde_json::from_str(line).expect(line);
            let word = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
            let line = found["line"].as_u64().unwrap_or(0);
            let own = (line, word("severity"), word("code"), word("message"));
            all.entry(word("file")).or_default().push(own);
        }
    }
    all
}

fn is_said(severity: &str) -> bool {
    matches!(severity, "error" | "warning")
}

#[test]
fn nothing_is_wrong_with_what_llvm_compiled() {
    let list = std::fs::read_to_string(shared("data/cdna/compiled/removed/UNTOUCHED.txt"));
    let list = list.expect("the list");
    let files: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    assert!(files.len() >= 160, "{}", files.len());
    let found = check(&shared("data/cdna/compiled/kernels"), &files);
    let wrong: Vec<_> = found
        .iter()
        .flat_map(|(file, all)| all.iter().map(move |it| (file, it)))
        .filter(|(_, it)| is_said(&it.1))
        .collect();
    let hints = found.values().flatten().filter(|it| it.1 == "hint").count();
    println!("{} files, {hints} hints", files.len());
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(9)]);
}

/// The least part of lines taken out that must be found, of registers and of wait states.
const FOUND: f64 = 0.99;

#[test]
fn waits_and_states_that_were_taken_out_are_missed() {
    let list = std::fs::read_to_string(shared("data/cdna/compiled/removed/MANIFEST.tsv"));
    let list = list.expect("the list");
    let rows: Vec<Vec<&str>> = list.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows.len(), 834);
    let files: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let found = check(&shared("data/cdna/compiled/removed"), &files);
    let mut counts = BTreeMap::<(&str, &str), usize>::new();
    let mut missed = Vec::new();
    for row in &rows {
        let (file, kind, line) = (row[0], row[4], row[5].parse::<u64>().unwrap_or(0));
        let own = found.get(file).map_or(&[][..], Vec::as_slice);
        // A register that is written while it is still being loaded is told where it is written,
        // which may be before the line that reads it.
        let early = |it: &&Found| !row[9].is_empty() && it.2 == "gcn::missing-wait";
        let at = own.iter().find(|it| it.0 == line);
        let verdict = match at.map(|it| it.1.as_str()) {
            Some("hint") => "hint",
            Some(_) => "found",
            None if own.iter().any(|it| early(&it)) => "found at another line",
            None if excused(file, kind) => "not needed",
            None => "missed",
        };
        *counts.entry((kind, verdict)).or_default() += 1;
        if verdict == "missed" && matches!(kind, "register" | "states") {
            missed.push((file, line, row[6]));
        }
    }
    for ((kind, verdict), count) in &counts {
        println!("{count}\t{kind}: {verdict}");
    }
    for kind in ["register", "states"] {
        let count = |wanted: &[&str]| {
            let own = counts.iter().filter(|(key, _)| key.0 == kind && wanted.contains(&key.1));
            own.map(|it| *it.1).sum::<usize>() as f64
        };
        let all = count(&["hint", "found", "found at another line", "missed"]);
        let part = count(&["hint", "found", "found at another line"]) / all;
        println!("{kind}: {:.2} %", 100.0 * part);
        assert!(part >= FOUND, "{kind}: {part}: {missed:?}");
    }
}

/// Tells whether a line is one that the hardware does not need: moves to and from accumulation
/// registers need no states on these chips, but the kernel was written with some for MI100, and
/// LLVM is careful behind inline assembly.
fn excused(file: &str, kind: &str) -> bool {
    kind == "states" && file.contains("/agpr_asm.")
}
