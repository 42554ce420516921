//! Real kernels of MI200 to MI350, as MIOpen and AITER ship them: what is said of them is counted
//! by rule in `cdna_kernels.tsv`, and each row has its reason there. The suspects among them are
//! in `tests/results/matrix-kernels.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tests::corpora::shared;

use crate::TUNGSTEN;

/// The table, and its path.
const TABLE: &str = include_str!("cdna_kernels.tsv");
const PATH: &str = "corpora/gcn/cdna_kernels.tsv";
const HEAD: &str = "from\tseverity\tcode\tsaid\tkernels\tplaces\treason";

/// A rule: whose kernels, severity, code, and what is said without names.
type Rule = [String; 4];

/// The files of kernels, as paths from their folder.
fn kernels(folder: &Path) -> Vec<String> {
    let list = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the list");
    let files = list.lines().skip(1).filter_map(|row| row.split('\t').next());
    files.filter(|file| !file.ends_with(".inc")).map(str::to_owned).collect()
}

/// Returns a message without names of registers and instructions and without the states that
/// there are.
fn without_names(message: &str) -> String {
    let parts = message.split('`').enumerate();
    let said: String = parts.map(|(place, part)| if place % 2 == 0 { part } else { "_" }).collect();
    let words = said.split(' ').collect::<Vec<_>>();
    let is_count = |place: usize| words.get(place + 1) == Some(&"more");
    let named =
        words.iter().enumerate().map(|(place, word)| if is_count(place) { "n" } else { word });
    named.collect::<Vec<_>>().join(" ").replace("_ of _", "_")
}

fn found(folder: &Path) -> BTreeMap<Rule, (usize, usize)> {
    let files = kernels(folder);
    assert!(files.len() >= 40, "{} kernels", files.len());
    let mut run = Command::new(TUNGSTEN);
    run.args(["check", "--format", "json"]).args(&files).current_dir(folder);
    let output = run.output().expect("the program runs");
    let mut rules = BTreeMap::<Rule, (BTreeSet<String>, usize)>::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let found: Value = serde_json::from_str(line).expect(line);
        let word = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let (file, severity) = (word("file"), word("severity"));
        if severity == "hint" {
            continue;
        }
        let chip = file.split(['-', '_']).next().unwrap_or_default();
        let from = format!("{} {chip}", if file.ends_with(".co") { "AITER" } else { "MIOpen" });
        let rule = [from, severity, word("code"), without_names(&word("message"))];
        let own = rules.entry(rule).or_default();
        own.0.insert(file);
        own.1 += 1;
    }
    rules.into_iter().map(|(rule, (files, places))| (rule, (files.len(), places))).collect()
}

#[test]
fn what_is_said_of_shipped_kernels_is_counted_with_its_reason() {
    let found = found(&shared("data/cdna/kernels"));
    let mut reasons = BTreeMap::new();
    let mut counted = BTreeMap::new();
    for row in TABLE.lines().filter(|row| !row.starts_with('#') && *row != HEAD) {
        let [from, severity, code, said, kernels, places, reason] =
            row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{row}")
        };
        let rule: Rule = [from, severity, code, said].map(str::to_owned);
        let count = (kernels.parse().expect(row), places.parse().expect(row));
        reasons.insert(rule.clone(), reason.to_owned());
        counted.insert(rule, count);
    }
    if std::env::var_os("TUNGSTEN_UPDATE").is_some_and(|it| it == "1") {
        let head = TABLE.lines().filter(|row| row.starts_with('#'));
        let mut text: String = head.chain([HEAD]).map(|row| format!("{row}\n")).collect();
        for (rule, (kernels, places)) in &found {
            let reason = reasons.get(rule).map_or("", String::as_str);
            text += &format!("{}\t{kernels}\t{places}\t{reason}\n", rule.join("\t"));
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PATH);
        std::fs::write(path, text).expect("the table can be written");
        return;
    }
    let none: Vec<&Rule> = reasons.iter().filter(|it| it.1.is_empty()).map(|it| it.0).collect();
    assert!(none.is_empty(), "without a reason: {none:#?}");
    assert_eq!(found, counted, "`TUNGSTEN_UPDATE=1` writes the table anew");
    // MIOpen's kernels are assembled from their text: nothing is wrong with that.
    assert!(found.keys().all(|rule| !(rule[0].starts_with("MIOpen") && rule[1] == "error")));
}
