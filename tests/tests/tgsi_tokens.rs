//! Binary tokens against the words that Mesa makes of the same programs.

use std::path::Path;

use tgsi::tokens::{self, Layout};

/// A program of the corpora and Mesa 21's words for it.
struct Golden {
    name: String,
    text: String,
    words: Vec<u32>,
}

/// All of them; `None` where the corpora are absent.
fn golden() -> Option<Vec<Golden>> {
    let root = tests::corpora::shared("corpora/tgsi")?;
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root.join("tokens")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            read_golden(&root, &path, &mut all);
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Some(all)
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

fn parse(text: &str) -> tgsi::ast::Shader {
    tgsi::parser::parse(text, &text::no_checkpoint).shader.expect("a shader")
}

#[test]
fn encoding_gives_the_words_of_mesa() {
    let Some(golden) = golden() else { return };
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
    println!("{same} of {} programs encoded like Mesa", golden.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(same > 250, "only {same} programs");
}

/// What Mesa 21 prints of the same programs.
fn dumps() -> std::collections::HashMap<String, String> {
    let mut all = std::collections::HashMap::new();
    let Some(folder) = tests::corpora::shared("corpora/tgsi/dump") else { return all };
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
    let Some(golden) = golden() else { return };
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
        assert_eq!(tokens::decode(words, Layout::Y2016).text, decoded.text);
        let shader = decoded.shader.expect("a shader");
        assert_eq!(tokens::encode(&shader, Layout::Y2016).as_ref(), Ok(words), "{name}");
        let meaning = |text: &str| tokens::encode(&parse(text), Layout::Y2016);
        assert_eq!(meaning(text), meaning(&decoded.text), "{name}");
    }
    println!("{same} of {} programs decoded like Mesa prints them", golden.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
}
