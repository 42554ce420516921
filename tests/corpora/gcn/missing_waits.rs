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
            None if guards_nothing(row) => "guards nothing",
            None if is_of_other_lanes(row) => "other lanes",
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
    assert_eq!(counts.get(&("states", "guards nothing")), Some(&5));
    assert_eq!(counts.get(&("register", "other lanes")), Some(&6));
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

/// Pairs of instructions, the second of which needs no states after the first on the chips from
/// gfx90a on: moves into and out of accumulation registers are copies there. MI100 wants three
/// (`llc -run-pass post-RA-hazard-rec` of LLVM 22 puts `S_NOP 2` between them for gfx908, and
/// nothing for gfx90a, gfx942 and gfx950).
const WITHOUT_STATES: [(&str, &str); 1] = [("v_accvgpr_write_b32", "v_accvgpr_read_b32")];

/// Writes of a register on one side of a divergent branch, while loads of the other sides may be
/// outstanding: LLVM waits for these, though they return to other lanes. Kernels and consumers.
const IN_OTHER_LANES: [(&str, &str); 2] = [
    ("switch_case.O2", "v_lshl_add_u32 v1, v2, 2, v2"),
    ("switch_case.O2", "v_mov_b32_e32 v1, s6"),
];

/// Tells whether a wait that was taken out was for lanes that are not active behind it.
fn is_of_other_lanes(row: &[&str]) -> bool {
    let (file, kind, consumer) = (row[0], row[4], row[6]);
    let is_own = |own: &(&str, &str)| file.contains(own.0) && consumer == own.1;
    kind == "register" && IN_OTHER_LANES.iter().any(is_own)
}

/// Tells whether a line that was taken out guarded no hazard of its pair. Within inline assembly
/// the author put it there, and no rule of LLVM did. Behind inline assembly LLVM puts a state
/// before whatever touches its result from gfx942 on, as if it kept a part of the register: it
/// does not read what is inside.
fn guards_nothing(row: &[&str]) -> bool {
    let (untouched, line, kind, consumer, producer) = (row[1], row[2], row[4], row[6], row[8]);
    let name = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let pair = (name(producer), name(consumer));
    if kind != "states" || !WITHOUT_STATES.iter().any(|it| (it.0, it.1) == (&*pair.0, &*pair.1)) {
        return false;
    }
    let text = std::fs::read_to_string(shared("data/cdna/compiled/kernels").join(untouched));
    let text = text.expect("the kernel");
    let lines: Vec<&str> = text.lines().collect();
    let at = line.parse::<usize>().expect("a line") - 1;
    let last = |word: &str| lines[..at].iter().rposition(|line| line.contains(word));
    let (begin, end) = (last(";;#ASMSTART"), last(";;#ASMEND"));
    begin > end || at.checked_sub(1) == end
}
