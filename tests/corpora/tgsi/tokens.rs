//! Binary tokens against the words that Mesa makes of the same programs.

use std::path::Path;

use tests::checks::tokens::{
    damaged_streams_are_survived, eras_are_told_apart, every_era_reads_what_it_writes, parse,
};
use tests::corpus::Program;
use tgsi::format;
use tgsi::tokens::{self, Layout};

/// A program of the corpora and Mesa 21's words for it.
struct Golden {
    name: String,
    text: String,
    words: Vec<u32>,
}

/// All of them.
fn golden() -> Vec<Golden> {
    let root = tests::corpora::shared("corpora/tgsi");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root.join("tokens")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            read_golden(&root, &path, &mut all);
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn read_golden(root: &Path, path: &Path, all: &mut Vec<Golden>) {
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = row["file"].as_str().unwrap().to_owned();
        let words = row["words"].as_array().unwrap().iter();
        let words =
            words.map(|word| u32::from_str_radix(word.as_str().unwrap(), 16).unwrap()).collect();
        let text = std::fs::read_to_string(root.join(&name)).unwrap();
        all.push(Golden { name, text, words });
    }
}

#[test]
fn encoding_gives_the_words_of_mesa() {
    let golden = golden();
    let mut same = 0;
    let mut different = Vec::new();
    for Golden { name, text, words } in &golden {
        match tokens::encode(&parse(text), Layout::Y2016) {
            Ok(ours) if ours == *words => same += 1,
            Ok(ours) => {
                let place = ours.iter().zip(words).position(|(a, b)| a != b);
                let place = place.unwrap_or(ours.len().min(words.len()));
                let at = |words: &[u32]| words.get(place).copied().unwrap_or_default();
                let (ours, theirs) = (at(&ours), at(words));
                different.push(format!("{name}: word {place}: {ours:08x}, Mesa {theirs:08x}"));
            }
            Err(error) => different.push(format!("{name}: {}", error.message)),
        }
    }
    eprintln!("{same} of {} programs encoded like Mesa", golden.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(same > 250, "only {same} programs");
}

/// Reads Mesa 21's output for the same programs.
fn dumps() -> std::collections::HashMap<String, String> {
    let mut all = std::collections::HashMap::new();
    let folder = tests::corpora::shared("corpora/tgsi/dump");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            for line in std::fs::read_to_string(path).unwrap().lines() {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                let field = |name: &str| row[name].as_str().unwrap().to_owned();
                all.insert(field("file"), field("text"));
            }
        }
    }
    all
}

/// The lines of a dump without floats, which Mesa rounds.
fn comparable(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.filter(|line| !line.contains("FLT32") && !line.contains("FLT64")).collect()
}

#[test]
fn decoding_gives_the_text_of_mesa() {
    let golden = golden();
    let dumps = dumps();
    let mut same = 0;
    let mut different = Vec::new();
    for Golden { name, text, words } in &golden {
        let decoded = tokens::decode(words, Layout::Y2016);
        assert_eq!(decoded.diagnostics, [], "{name}");
        assert_eq!(decoded.words.len(), words.len());
        let ours = comparable(&decoded.text);
        let theirs = comparable(&dumps[name]);
        if ours == theirs {
            same += 1;
        } else {
            let place = ours.iter().zip(&theirs).position(|(a, b)| a != b);
            let place = place.unwrap_or(ours.len().min(theirs.len()));
            different.push(format!("{name}: {:?}, Mesa {:?}", ours.get(place), theirs.get(place)));
        }
        // Nothing is lost on the way, floats included.
        let again = tokens::encode(&parse(&decoded.text), Layout::Y2016);
        assert_eq!(again.as_ref(), Ok(words), "{name}");
        let numbers = format::Numbers::Always;
        assert_eq!(format::format(&decoded.text, numbers), decoded.text, "{name}");
        let shader = decoded.shader.expect("a shader");
        assert_eq!(tokens::encode(&shader, Layout::Y2016).as_ref(), Ok(words), "{name}");
        let meaning = |text: &str| tokens::encode(&parse(text), Layout::Y2016);
        assert_eq!(meaning(text), meaning(&decoded.text), "{name}");
    }
    eprintln!("{same} of {} programs decoded like Mesa prints them", golden.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// The programs with golden words.
fn programs() -> Vec<Program> {
    let golden = golden().into_iter();
    let stage = |text: &str| text.split_whitespace().next().unwrap_or_default().to_owned();
    let program = |it: Golden| Program {
        stage: stage(&it.text),
        accepted: true,
        name: it.name,
        text: it.text,
    };
    golden.map(program).collect()
}

#[test]
fn every_era_reads_what_it_writes_of_real_programs() {
    for (layout, count) in every_era_reads_what_it_writes(&programs()) {
        assert!(count > 50, "{layout}: only {count} programs");
    }
}

#[test]
fn eras_of_real_programs_are_told_apart() {
    eras_are_told_apart(&programs());
}

#[test]
fn damaged_programs_are_survived() {
    let streams: Vec<Vec<u32>> = golden().into_iter().map(|it| it.words).collect();
    assert!(damaged_streams_are_survived(&streams) > 200);
}
