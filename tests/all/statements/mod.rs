//! The founding documents of TGSI and Gallium, statement by statement: a row of a table for
//! each, with the section that makes it, in our own words, and a check that can fail.
//!
//! `cargo test -p tests statements` runs every row and counts them by section. The tables are
//! `data/statements/*.tsv`; `data/statements/README.md` says what their columns hold.
//! `TUNGSTEN_STATEMENT=words` chooses the rows whose section or statement contains it.

mod judging;
mod numbers;
mod running;
mod streams;
mod table;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use judging::Judge;
use table::{Row, Verdict};

/// The tables, each the statements of one document.
macro_rules! documents {
    ($($test:ident: $file:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                check($file);
            }
        )+

        const DOCUMENTS: &[&str] = &[$($file),+];
    };
}

documents! {
    tgsi_2020: "tgsi-2020",
    tgsi_2009: "tgsi-2009",
    tokens_2007: "tokens-2007",
    gallium_2020: "gallium-2020",
}

/// Checks every chosen row of a document, and prints how many its sections have.
fn check(document: &str) {
    let chosen = std::env::var("TUNGSTEN_STATEMENT").ok();
    let mut judge = Judge::new();
    let (mut failed, mut count) = (String::new(), 0);
    let mut sections: BTreeMap<String, usize> = BTreeMap::new();
    for row in table::read(document) {
        let wanted = |part: &String| row.section.contains(part) || row.statement.contains(part);
        if !chosen.as_ref().is_none_or(wanted) {
            continue;
        }
        count += 1;
        let section = row.section.split(' ').next().unwrap_or_default();
        *sections.entry(section.to_owned()).or_default() += 1;
        if let Err(why) = outcome(&row, &mut judge) {
            let _ = writeln!(failed, "{document}.tsv:{} {}: {why}", row.line, row.statement);
        }
    }
    for (section, count) in sections {
        println!("{document} {section}: {count}");
    }
    println!("{document}: {count} statements");
    assert!(failed.is_empty(), "{failed}");
    assert!(count > 0 || chosen.is_some(), "no row of {document} was read");
}

/// Every form of the document of 2007 with each of its bits changed: nothing is lost in silence.
///
/// Words that come back otherwise mean the same: the size of a token whose kind is known (its bits
/// 4 to 11) is written as it must be, an extension of default values is left out, and of a swizzle
/// that an extension replaces only the components that it takes are kept.
#[test]
fn every_form_of_tokens_comes_back_or_says_why_not() {
    let mut counts: BTreeMap<streams::Changed, usize> = BTreeMap::new();
    let mut wrong = String::new();
    let (mut forms, mut other_forms) = (0, 0);
    for row in table::read("tokens-2007").iter().filter(|row| row.check == "tokens") {
        forms += 1;
        match streams::change_bits(&row.program, &row.given) {
            Ok(outcomes) => {
                for (bit, outcome) in outcomes {
                    *counts.entry(outcome).or_default() += 1;
                    let is_respelled = outcome == streams::Changed::Respelled;
                    other_forms += usize::from(is_respelled && !(4..12).contains(&bit));
                }
            }
            Err(why) => {
                let _ = writeln!(wrong, "line {}, {}: {why}", row.line, row.statement);
            }
        }
    }
    println!("{forms} forms: {counts:?}");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(forms >= 130, "{forms} forms");
    assert!(other_forms <= 40, "{other_forms} bits beside sizes are respelled");
}

/// Returns what is wrong with a row: what its check found, or a page that is silent.
fn outcome(row: &Row, judge: &mut Judge) -> Result<(), String> {
    match row.check.as_str() {
        "op" => running::opcode(&row.program, &row.expected)?,
        "run" => running::run(&row.program, &row.given, &row.expected)?,
        "check" => judge.check(&row.program, &row.expected)?,
        "told" => judge.told(&row.program, &row.expected)?,
        "tokens" => streams::round_trip(&row.program, &row.given, &row.expected)?,
        "decode" => streams::decode(&row.program, &row.given, &row.expected)?,
        "encode" => streams::encode(&row.program, &row.given, &row.expected)?,
        "explain" => texts::explain(&row.program, &row.expected)?,
        "caps" => texts::requirements(&row.program, &row.expected)?,
        "ir" => texts::intermediate(&row.program, &row.given, &row.expected)?,
        other => return Err(format!("`{other}` is not a check")),
    }
    match &row.verdict {
        Verdict::Honoured => Ok(()),
        Verdict::Deviates { page, says } | Verdict::Contradictory { page, says } => {
            texts::explain(page, says)
        }
    }
}

#[test]
fn there_are_as_many_statements_as_promised() {
    let rows: Vec<Row> = DOCUMENTS.iter().flat_map(|document| table::read(document)).collect();
    let checks: BTreeSet<[&str; 4]> = (rows.iter())
        .map(|row| [&row.check, &row.program, &row.given, &row.expected].map(String::as_str))
        .collect();
    println!("{} statements, {} checks", rows.len(), checks.len());
    assert!(rows.len() >= LEAST, "{} statements", rows.len());
    assert_eq!(checks.len(), rows.len(), "two rows check the same");
}

/// The number of statements that have a row, at least.
const LEAST: usize = 1600;

#[test]
fn every_table_is_read() {
    let files = std::fs::read_dir(table::folder()).expect("a folder").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let tables: BTreeSet<String> =
        names.filter_map(|name| name.strip_suffix(".tsv").map(str::to_owned)).collect();
    assert_eq!(tables, DOCUMENTS.iter().map(|name| (*name).to_owned()).collect());
}
