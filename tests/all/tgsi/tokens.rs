//! Binary tokens against the words that Mesa makes of the same programs.

use std::path::Path;

use proptest::prelude::*;
use tests::survival::check_words as survive;
use tgsi::ast::StatementKind;
use tgsi::format;
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
    eprintln!("{same} of {} programs encoded like Mesa", golden.len());
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
        let options = format::Options { numbers: format::Numbers::Always };
        assert_eq!(format::format(&decoded.text, &options), decoded.text, "{name}");
        let shader = decoded.shader.expect("a shader");
        assert_eq!(tokens::encode(&shader, Layout::Y2016).as_ref(), Ok(words), "{name}");
        let meaning = |text: &str| tokens::encode(&parse(text), Layout::Y2016);
        assert_eq!(meaning(text), meaning(&decoded.text), "{name}");
    }
    eprintln!("{same} of {} programs decoded like Mesa prints them", golden.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// A program without what the specification of 2007 has no words for, in
/// declarations of that year.
fn in_words_of(layout: Layout, text: &str) -> tgsi::ast::Shader {
    let mut shader = parse(text);
    if layout == Layout::Y2007 {
        for statement in &mut shader.statements {
            if let StatementKind::Declaration(declaration) = &mut statement.kind {
                (declaration.semantic, declaration.mask) = (None, None);
            }
        }
    }
    shader
}

#[test]
fn every_era_reads_what_it_writes() {
    let Some(golden) = golden() else { return };
    let options = format::Options { numbers: format::Numbers::Always };
    for layout in Layout::ALL {
        let (mut count, mut identical) = (0, 0);
        for Golden { name, text, .. } in &golden {
            // Older years lack what newer programs use.
            let Ok(words) = tokens::encode(&in_words_of(layout, text), layout) else { continue };
            let decoded = tokens::decode(&words, layout);
            assert!(!decoded.has_errors(), "{name} {layout}: {:?}", decoded.diagnostics);
            let again = tokens::encode(&parse(&decoded.text), layout);
            assert_eq!(again.as_ref(), Ok(&words), "{name} {layout}\n{}", decoded.text);
            // Canonical text comes back to the last character, in every era
            // that has a token for each of its words. Blank lines are the
            // formatter's to keep, and no token's.
            let canonical = format::format(text, &options);
            if let Ok(words) = tokens::encode(&parse(&canonical), layout) {
                let back = tokens::decode(&words, layout).text;
                assert!(
                    back.lines().eq(canonical.lines().filter(|line| !line.is_empty())),
                    "{name} {layout}\n{canonical}\n{back}"
                );
                identical += 1;
            }
            // The first specification has no semantics; its own text is canonical.
            let again = again.expect("as above");
            assert_eq!(tokens::decode(&again, layout).text, decoded.text);
            count += 1;
        }
        eprintln!("{layout}: {count} of {} programs", golden.len());
        eprintln!("{layout}: {identical} canonical texts come back the same");
        assert!(count > 50, "{layout}: only {count} programs");
        assert!(layout == Layout::Y2007 || identical == count, "{layout}: {identical}");
    }
}

#[test]
fn eras_are_told_apart() {
    let Some(golden) = golden() else { return };
    for layout in Layout::ALL {
        let (mut right, mut count, mut silent) = (0, 0, 0);
        for Golden { text, .. } in &golden {
            let Ok(words) = tokens::encode(&in_words_of(layout, text), layout) else { continue };
            let found = tokens::detect(&words);
            count += 1;
            right += usize::from(found.layout == layout);
            // Two eras may read the same words as the same text.
            let same =
                || tokens::decode(&words, found.layout).text == tokens::decode(&words, layout).text;
            silent += usize::from(found.layout != layout && same());
            if found.layout != layout && !same() {
                eprintln!("{layout}: {found:?}");
            }
        }
        eprintln!("{layout}: {right} of {count} told, {silent} more read the same");
        assert!((right + silent) * 100 >= count * 95, "{layout}: {right} of {count}");
    }
}

const STREAM: [u32; 20] = [
    0x0000_1202,
    0x0000_0001,
    0x006f_2040,
    0x0000_0000,
    0x0000_0001,
    0x0000_0001,
    0x002f_3030,
    0x0000_0000,
    0x0000_0001,
    0x001f_1030,
    0x0002_0001,
    0x0000_0001,
    0x01a1_0062,
    0x0000_00f3,
    0x3900_0002,
    0x3900_00a1,
    0x0001_0000,
    0x3900_0061,
    0x0001_0000,
    0x0007_5002,
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_words_are_survived(words in proptest::collection::vec(any::<u32>(), 0..80)) {
        survive(&words);
        let mut with_header = vec![(words.len() as u32) << 8 | 2, 0];
        with_header.extend(&words);
        survive(&with_header);
        with_header.insert(0, 0x0101);
        survive(&with_header);
    }

    #[test]
    fn real_words_with_damage_are_survived(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0u32..32, 0u8..4), 1..6)
    ) {
        let mut words = STREAM.to_vec();
        for (place, bit, kind) in damage {
            let at = place.index(words.len());
            match kind {
                0 => words.truncate(at.max(1)),
                1 => words.insert(at, 1 << bit),
                _ => words[at] ^= 1 << bit,
            }
        }
        survive(&words);
    }
}

#[test]
fn damaged_programs_are_survived() {
    let Some(golden) = golden() else { return };
    // A small generator keeps the damage the same in every run.
    let mut state = 0x2545_f491u32;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below.max(1)
    };
    let mut count = 0;
    for Golden { words, .. } in golden.iter().filter(|golden| golden.words.len() < 400) {
        survive(&words[..random(words.len())]);
        for _ in 0..2 {
            let mut damaged = words.clone();
            for _ in 0..=random(3) {
                damaged[random(words.len())] ^= 1 << random(32);
            }
            survive(&damaged);
            count += 1;
        }
    }
    eprintln!("{count} damaged streams in {} eras survived", Layout::ALL.len());
}

#[test]
fn large_streams_take_linear_time() {
    let size = if cfg!(debug_assertions) { 1 << 15 } else { 1 << 20 };
    let cases: [(&str, &[u32]); 9] = [
        ("zeros", &[0]),
        ("ones", &[u32::MAX]),
        ("ends", &[0x0007_5002]),
        ("open blocks", &[0x0004_a002 | 1 << 23, 0x3900_0004]),
        ("declarations", &[0x000f_4020, 0xffff_0000]),
        ("unknown tokens", &[0x0000_001f]),
        ("immediates", &[0x0000_0051, 1, 2, 3, 4]),
        ("extensions", &[0x8000_0002]),
        ("dimensions", &[0x0000_0003]),
    ];
    for (name, pattern) in cases {
        for version in [&[][..], &[0x0101]] {
            let mut words = version.to_vec();
            words.extend([(size as u32) << 8 | 2, 0]);
            words.extend(pattern.iter().cycle().take(size));
            let start = std::time::Instant::now();
            let found = tokens::detect(&words);
            let decoded = tokens::decode(&words, found.layout);
            let taken = start.elapsed();
            eprintln!("{name}: {} bytes of text in {taken:?}", decoded.text.len());
            assert!(taken < std::time::Duration::from_secs(20), "{name} took {taken:?}");
        }
    }
}
