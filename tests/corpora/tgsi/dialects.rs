//! Dialects against the readers that they stand for: real shaders with the verdicts
//! of eleven parsers from 2009 to 2026, and probe files with those of three.

use std::collections::BTreeMap;

use source::{Diagnostic, Severity, no_checkpoint};
use tests::corpora;
use tgsi::dialects::Dialect;

/// Our names, and the corpora's.
const READERS: [(&str, &str); 11] = [
    ("mesa-2009", "o2009"),
    ("mesa-2010", "o2010a"),
    ("mesa-2010-autumn", "o2010"),
    ("mesa-2011", "o2011"),
    ("mesa-2012", "o2012"),
    ("mesa-2014", "o2014"),
    ("mesa-2016", "o2016"),
    ("mesa-2018", "o2018"),
    ("mesa-21", "m21"),
    ("mesa-24", "m24"),
    ("virglrenderer", "virgl26"),
];

/// The errors of a text for a reader. Only parsing is entry: the readers check no more.
fn errors(text: &str, dialect: &Dialect) -> Vec<Diagnostic> {
    let regions = tgsi::regions::split(text);
    let mut all: Vec<Diagnostic> = regions.diagnostics.clone();
    all.retain_mut(|diagnostic| dialect.check_form(diagnostic));
    for region in &regions.shaders {
        let here = region.text(text);
        let parse = tgsi::parser::parse(here, &no_checkpoint);
        let mut found = parse.diagnostics;
        if let Some(shader) = &parse.shader {
            dialect.check(shader, here, &mut found);
        }
        all.extend(found);
    }
    all.retain(|diagnostic| diagnostic.severity == Severity::Error);
    all
}

#[test]
fn real_shaders_have_errors_where_their_reader_refuses_them() {
    let programs = corpora::programs_with_verdicts();
    let mut wrong = Vec::new();
    for (name, short) in READERS {
        let dialect = Dialect::find(name).expect("a dialect");
        let mut counts: BTreeMap<(bool, bool), usize> = BTreeMap::new();
        for entry in &programs {
            let program = &entry.program;
            let accepted = entry.accepted_by.iter().any(|reader| reader == short);
            let found = errors(&program.text, dialect);
            *counts.entry((accepted, found.is_empty())).or_default() += 1;
            if accepted != found.is_empty() {
                let said = found.first().map_or("no error", |found| found.message.as_str());
                wrong.push((accepted, format!("{name}: {}: {said}", program.name)));
            }
        }
        let count = |key| counts.get(&key).copied().unwrap_or(0);
        eprintln!(
            "{name:18} takes {:4}, {:3} of them with an error here; refuses {:4}, {:3} without",
            count((true, true)) + count((true, false)),
            count((true, false)),
            count((false, true)) + count((false, false)),
            count((false, true)),
        );
    }
    let wrong: Vec<String> = wrong.into_iter().map(|(_, line)| line).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Probe files: whatever a reader refuses has an error, and nothing else has.
#[test]
fn probe_files_have_errors_where_their_reader_refuses_them() {
    let root = corpora::shared("data/tgsi");
    let table = std::fs::read_to_string(root.join("PARSER-CASES.tsv")).expect("a table");
    let mut wrong = Vec::new();
    let mut right = 0;
    for row in table.lines().skip(1) {
        let mut fields = row.split('\t');
        let name = fields.next().unwrap_or_default();
        let path = root.join("parser-cases").join(format!("{name}.tgsi"));
        let text = std::fs::read_to_string(path).expect("a probe file");
        for (reader, verdict) in ["mesa-21", "mesa-24", "virglrenderer"].into_iter().zip(fields) {
            // The sanity check of Mesa never came back; its parser had.
            if verdict == "CRASH signal 14" {
                continue;
            }
            let dialect = Dialect::find(reader).expect("a dialect");
            let found = errors(&text, dialect);
            if verdict.starts_with("ok") == found.is_empty() {
                right += 1;
                continue;
            }
            let said = found.first().map_or("no error", |found| found.message.as_str());
            wrong.push(format!("{name}: {reader}: {verdict}; here {said}"));
        }
    }
    eprintln!("{right} verdicts agree");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
