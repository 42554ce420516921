//! The repository's own TGSI programs: each is judged as its manifest says, is formatted
//! and written as tokens without loss, and leaves what was computed for it by hand.

mod coverage;
mod manifest;
mod outputs;
mod virglrenderer;

use std::collections::{BTreeMap, BTreeSet};

use manifest::{Entry, entries, files, folder};
use source::{Severity, no_checkpoint};
use tests::bench::Bench;
use tests::{literate, survival};
use tgsi::ast::Shader;
use tgsi::dialects::{Dialect, readers};
use tgsi::format::{self, Numbers, meaning};
use tgsi::lexer::{Lexer, TokenKind};
use tgsi::tokens::{self, Layout};

/// The shaders of a text.
fn shaders(text: &str) -> Vec<Shader> {
    let regions = tgsi::regions::split(text).shaders;
    let parsed =
        regions.iter().map(|region| tgsi::parser::parse(region.text(text), &no_checkpoint));
    parsed.filter_map(|parse| parse.shader).collect()
}

#[test]
fn the_manifest_lists_every_file_and_nothing_else() {
    let listed: Vec<String> = entries().iter().map(|entry| entry.file.clone()).collect();
    let sorted: BTreeSet<String> = listed.iter().cloned().collect();
    assert!(listed.iter().eq(&sorted), "the rows are not in order, or not once each");
    assert_eq!(files(), sorted);
}

#[test]
fn each_file_is_judged_as_its_row_says() {
    let mut wrong = Vec::new();
    let mut bench = Bench::new(Vec::new());
    for entry in entries().iter().filter(|entry| entry.has_shaders()) {
        let text = entry.text();
        let stages: Vec<&str> = shaders(&text).iter().map(|it| it.stage.value.word()).collect();
        let stages = if stages.is_empty() { "-".to_owned() } else { stages.join(" ") };
        if stages != entry.stage {
            wrong.push(format!("{}: stages {stages}, not {}", entry.file, entry.stage));
        }
        let file = bench.open(&entry.file, &text);
        let found = bench.host.snapshot().diagnostics(file).unwrap_or_default();
        let told = found.iter().filter(|it| it.severity != Severity::Hint);
        let codes: Vec<&str> =
            told.map(|it| it.code.0).filter(|code| code.starts_with("tgsi::")).collect();
        let codes = if codes.is_empty() { "clean".to_owned() } else { codes.join(" ") };
        if codes != entry.expect {
            wrong.push(format!("{}: {codes}, not {}", entry.file, entry.expect));
        }
        bench.host.remove_file(file);
        bench.host.evict_caches();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_of_an_era_are_read_by_its_reader() {
    let mut by_era: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries().iter().filter(|entry| entry.file.starts_with("eras/")) {
        *by_era.entry(entry.era.clone()).or_default() += 1;
        if Dialect::find(&entry.era).is_none() {
            continue; // Before the first dated reader, or between two.
        }
        let text = entry.text();
        let parse = tgsi::parser::parse(&text, &no_checkpoint);
        let shader = parse.shader.expect("a shader");
        let mut found = parse.diagnostics;
        found.extend(tgsi::validate(&shader, &no_checkpoint));
        let names: Vec<&str> = readers(&shader, &text, &found).iter().map(|it| it.name).collect();
        assert!(names.contains(&entry.era.as_str()), "{}: read by {names:?}", entry.file);
    }
    let sparse: Vec<_> =
        by_era.iter().filter(|(era, count)| *era != "between" && **count < 5).collect();
    assert!(sparse.is_empty(), "fewer than five programs: {sparse:?}");
}

#[test]
fn there_are_enough_programs() {
    let entries = entries();
    let programs = entries.iter().filter(|entry| entry.file.ends_with(".tgsi"));
    let own: usize = programs.map(|entry| shaders(&entry.text()).len()).sum();
    let suites = folder().join("../../suites");
    let suites = std::fs::read_dir(suites).expect("the suites").flatten().map(|it| it.path());
    let texts = suites.map(|path| std::fs::read_to_string(path).expect("a suite"));
    let blocks: usize = texts
        .flat_map(|text| literate::read(&text))
        .flat_map(|case| case.blocks)
        .filter(|block| block.kind == "tgsi")
        .map(|block| shaders(&block.text).len())
        .sum();
    println!("{own} own shaders, {blocks} in the suites");
    assert!(own >= 170 && own + blocks >= 300, "{own} and {blocks}");
}

/// The comments within the shaders of a text.
fn comments(text: &str) -> Vec<String> {
    use TokenKind::{BlockComment, LineComment};
    let regions = tgsi::regions::split(text).shaders;
    let mut found = Vec::new();
    for region in &regions {
        let part = region.text(text);
        let tokens = Lexer::new(part).filter(|it| matches!(it.0, LineComment | BlockComment));
        found.extend(tokens.map(|(_, range)| part[range].trim_end().to_owned()));
    }
    found
}

#[test]
fn formatting_loses_nothing_and_settles() {
    for entry in entries().iter().filter(|entry| entry.file.ends_with(".tgsi")) {
        let text = entry.text();
        survival::check_text(&text);
        for numbers in [Numbers::Keep, Numbers::Always, Numbers::Never] {
            let once = format::format(&text, numbers);
            let (before, after) = (shaders(&text), shaders(&once));
            let name = &entry.file;
            assert!(before.iter().map(meaning).eq(after.iter().map(meaning)), "{name}: {once}");
            assert_eq!(comments(&text), comments(&once), "{name}");
            assert_eq!(format::format(&once, numbers), once, "{name}");
        }
    }
}

/// Eras of tokens and how many programs each can say at least.
const LEAST_ENCODED: [(Layout, usize); 6] = [
    (Layout::Y2007, 2),
    (Layout::Y2008, 40),
    (Layout::Y2009, 60),
    (Layout::Y2012, 80),
    (Layout::Y2016, 250),
    (Layout::Y2022, 250),
];

#[test]
fn tokens_say_what_the_text_says() {
    for (layout, least) in LEAST_ENCODED {
        let mut count = 0;
        for entry in entries().iter().filter(|it| it.file.ends_with(".tgsi") && it.is_clean()) {
            for shader in shaders(&entry.text()) {
                // Older eras have no words for what is newer.
                let Ok(words) = tokens::encode(&shader, layout) else { continue };
                let decoded = tokens::decode(&words, layout);
                assert!(!decoded.has_errors(), "{} {layout}", entry.file);
                let again = shaders(&decoded.text);
                let again = tokens::encode(again.first().expect("a shader"), layout);
                assert_eq!(again.as_ref(), Ok(&words), "{} {layout}", entry.file);
                count += 1;
            }
        }
        println!("{layout}: {count} programs");
        assert!(count >= least, "{layout}: only {count} programs");
    }
}

#[test]
fn token_files_stand_for_the_text_beside_them() {
    let entries = entries();
    let binary = |entry: &&Entry| entry.file.ends_with(".tgsib");
    let mut eras = BTreeSet::new();
    for entry in entries.iter().filter(binary) {
        let layout = Layout::from_name(&entry.era).expect("an era of tokens");
        let bytes = std::fs::read(entry.path()).expect("a file of tokens");
        let words = tokens::from_raw(&bytes).expect("whole words");
        let beside = entry.path().with_extension("tgsi");
        let text = std::fs::read_to_string(beside).expect("the text");
        assert_eq!(tokens::detect(&words).layout, layout, "{}", entry.file);
        assert_eq!(tokens::decode(&words, layout).text, text, "{}", entry.file);
        let shader = shaders(&text).remove(0);
        assert_eq!(tokens::encode(&shader, layout).as_ref(), Ok(&words), "{}", entry.file);
        eras.insert(entry.era.clone());
    }
    assert!(eras.iter().eq(Layout::ALL.map(Layout::name).iter()), "{eras:?}");
}

#[test]
fn runs_leave_what_was_computed_by_hand() {
    let mut runs = 0;
    let mut wrong = Vec::new();
    for entry in entries().iter().filter(|entry| entry.shape == "inputs") {
        let name = entry.file.strip_suffix(".inputs.toml").expect("a name");
        let read = |end: &str| {
            std::fs::read_to_string(folder().join(format!("{name}{end}"))).expect("a file")
        };
        let (program, inputs) = (read(".tgsi"), read(".inputs.toml"));
        let shader = shaders(&program).remove(0);
        runs += 1;
        if let Err(message) = outputs::judge(&shader, &inputs, &read(".outputs.txt")) {
            wrong.push(format!("{name}: {message}"));
        }
    }
    assert!(runs >= 25, "{runs} runs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
