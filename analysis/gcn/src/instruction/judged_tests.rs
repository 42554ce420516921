//! Encoder and decoder against what other assemblers say of our own lines: the tables in
//! the tests' data, of which every line of some chips and a share of the others is read.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::decode::recognise;
use super::{Assembled, InstructionSet, NoSymbols, assemble_line, decode};
use crate::Target;

/// The chips, and of how many lines one is read: chips that differ in little share most.
const CLASSES: [(&str, usize); 12] = [
    ("gfx600", 2),
    ("gfx704", 3),
    ("gfx801", 3),
    ("gfx803", 2),
    ("gfx810", 3),
    ("gfx900", 2),
    ("gfx904", 3),
    ("gfx906", 3),
    ("gfx908", 2),
    ("gfx90a", 2),
    ("gfx942", 3),
    ("gfx950", 2),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/judged")
}

/// The rows of a class that are read: line, verdict, bytes or column, spelling.
fn rows(class: &str, step: usize) -> Vec<[String; 4]> {
    let path = folder().join(format!("gcn-{class}.tsv.gz"));
    let compressed = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_string(&mut text).expect("a table");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1).step_by(step);
    rows.map(|row| {
        let mut cells = row.split('\t').map(str::to_owned);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    })
    .collect()
}

/// The patterns of lines on which we differ on purpose.
fn exceptions() -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("EXCEPTIONS.tsv")).expect("exceptions");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.filter_map(|row| Some(row.split_once('\t')?.0.to_owned())).collect()
}

/// Tells whether a pattern, in which `*` stands for any letters, fits a line.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.trim_start().strip_prefix(first) else { return false };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || pattern.ends_with('*')
}

fn hex(assembled: Option<Assembled>) -> String {
    let known = assembled.filter(|it| it.fixup.is_none());
    let bytes = known.map(|it| it.bytes().map(|byte| format!("{byte:02x}")).collect());
    bytes.unwrap_or_else(|| "err".to_owned())
}

fn words(hex: &str) -> Vec<u32> {
    let bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("digits"))
        .collect();
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("words"))).collect()
}

#[test]
fn lines_become_the_bytes_that_others_make_of_them() {
    let exceptions = exceptions();
    let mut wrong = Vec::new();
    for (class, step) in CLASSES {
        let set = InstructionSet::of(Target::find(class).expect("a chip"));
        for [line, verdict, answer, _] in rows(class, step) {
            let theirs = if verdict == "err" { "err" } else { &answer };
            let (ours, cut) = match assemble_line(&line, set, &NoSymbols) {
                Ok(assembled) => (hex(Some(assembled)), None),
                // What does not fit others cut without a word.
                Err(error) => ("err".to_owned(), error.cut),
            };
            let is_ours =
                |theirs: &str| theirs == ours || cut.is_some_and(|it| hex(Some(it)) == theirs);
            let agrees = theirs.split(['=', ' ']).any(is_ours);
            if !agrees && !exceptions.iter().any(|pattern| fits(pattern, &line)) {
                wrong.push(format!("{class}: {line}: {verdict} {theirs}, ours {ours}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// Lines that we spell otherwise than LLVM's printer, at most: addresses of images in fewer
/// registers, SDWA comparisons with their suffix.
const OTHER_SPELLINGS: usize = 864;

#[test]
fn bytes_become_lines_that_others_print_and_read() {
    let exceptions = exceptions();
    let (mut wrong, mut other) = (Vec::new(), Vec::new());
    for (class, step) in CLASSES {
        let set = InstructionSet::of(Target::find(class).expect("a chip"));
        for [line, verdict, answer, spelled] in rows(class, step) {
            if verdict != "ok" || exceptions.iter().any(|pattern| fits(pattern, &line)) {
                continue;
            }
            let words = words(&answer);
            let Ok(decoded) = decode(&words, set) else {
                wrong.push(format!("{class}: {line} is not read"));
                continue;
            };
            let again = assemble_line(&decoded.text, set, &NoSymbols);
            if !again.is_ok_and(|again| again.words() == words) {
                wrong.push(format!("{class}: {line} reads {}", decoded.text));
            }
            let spelled = if spelled.is_empty() { &line } else { &spelled };
            if spelled != "-" && decoded.text != *spelled {
                other.push(format!("{class}: {spelled} reads {}", decoded.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    let shown: Vec<_> = other.iter().step_by(other.len().div_ceil(30).max(1)).collect();
    assert!(other.len() <= OTHER_SPELLINGS, "{} lines: {shown:#?}", other.len());
}

/// Reads and writes of an instruction follow from the form that is shown.
#[test]
fn the_description_of_words_is_of_the_form_that_they_are_read_as() {
    let exceptions = exceptions();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (class, step) in CLASSES {
        let set = InstructionSet::of(Target::find(class).expect("a chip"));
        for [line, verdict, answer, _] in rows(class, step) {
            if verdict != "ok" || exceptions.iter().any(|pattern| fits(pattern, &line)) {
                continue;
            }
            let words = words(&answer);
            let Ok(read) = recognise(&words, set) else { continue };
            let described = set.describe(&words).map(|(form, _)| form);
            if described.map(|form| form.slots()) != Some(read.form.slots()) {
                wrong.push(format!("{class}: {line}"));
            }
            count += 1;
        }
    }
    assert!(count > 40_000, "{count} lines");
    let shown: Vec<_> = wrong.iter().step_by(wrong.len().div_ceil(30).max(1)).collect();
    assert!(wrong.is_empty(), "{} lines of {count}: {shown:#?}", wrong.len());
}
