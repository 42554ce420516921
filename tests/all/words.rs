//! The words of everything that a user reads: messages, pages, help and documents.

use std::path::Path;

use crate::architecture::{root, sources};
use crate::opcodes::literals;

/// The words that are not used: the phrase, the words in its place, and the phrases in which it
/// is right.
fn unused_words() -> Vec<(String, String, Vec<String>)> {
    let table = std::fs::read_to_string(root().join("tests/data/words.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let fields: Vec<&str> = row.split('\t').collect();
        let but = fields[2].split('|').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        (fields[0].to_owned(), fields[1].to_owned(), but)
    })
    .collect()
}

/// Lower-case letters, with one blank for every run of white space.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Tells whether a text has a phrase as whole words, and not only within the phrases in `but`.
fn has(text: &str, phrase: &str, but: &[String]) -> bool {
    let is_letter = |sign: Option<char>| sign.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(phrase).any(|(at, _)| {
        let end = at + phrase.len();
        let is_whole = !is_letter(text[..at].chars().next_back())
            && !is_letter(text[end..].chars().next())
            && !text[..at].ends_with('-')
            && !text[end..].starts_with('-');
        let is_right = but.iter().any(|longer| {
            longer.match_indices(phrase).any(|(inside, _)| {
                let start = at.checked_sub(inside);
                start.is_some_and(|start| {
                    text.get(start..start + longer.len()) == Some(longer.as_str())
                })
            })
        });
        is_whole && !is_right
    })
}

/// The paragraphs of a document, without blocks of code.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if line.trim().is_empty() {
            found.push(String::new());
        } else if !in_code {
            let last = found.last_mut().expect("never empty");
            last.push_str(line);
            last.push(' ');
        }
    }
    found
}

/// Tells whether a file of the repository is in a folder of one of these names.
fn is_below(file: &Path, folders: &[&str]) -> bool {
    // The path to the root goes through folders that say nothing of the file.
    let inside = file.strip_prefix(root()).unwrap();
    inside.iter().any(|part| folders.iter().any(|folder| part == *folder))
}

/// The sources of the editors' clients: a folder, its language, and the signs around its texts.
const CLIENTS: [(&str, &str, &[char]); 4] = [
    ("editors/vscode/src", "ts", &['"', '`']),
    ("editors/vscode/panel", "ts", &['"', '`']),
    ("editors/nvim", "lua", &['\'', '"']),
    ("editors/playground/web", "mjs", &['"', '`']),
];

/// The texts of more than two words between two equal signs on a line that is no comment.
fn quoted(text: &str, signs: &[char]) -> Vec<String> {
    let comments = ["//", "--", "*", "/*"];
    let lines = text.lines().map(str::trim_start);
    let mut found = Vec::new();
    for line in lines.filter(|line| !comments.iter().any(|it| line.starts_with(it))) {
        let mut rest = line;
        while let Some(start) = rest.find(signs) {
            let sign = rest[start..].chars().next().expect("found");
            let inside = &rest[start + sign.len_utf8()..];
            let Some(end) = inside.find(sign) else { break };
            if inside[..end].split_whitespace().count() > 2 {
                found.push(inside[..end].to_owned());
            }
            rest = &inside[end + sign.len_utf8()..];
        }
    }
    found
}

/// All that users read, with the file that holds it.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut add = |file: &Path, parts: Vec<String>| {
        let name = file.strip_prefix(root()).unwrap_or(file).display().to_string();
        texts.extend(parts.into_iter().map(|part| (name.clone(), plain(&part))));
    };
    let mut files = Vec::new();
    for folder in ["analysis", "server"] {
        sources(&root().join(folder), "rs", &mut files);
    }
    let message = |(_, text): (String, String)| {
        let text = text.replace("\\\n", "");
        (text.split_whitespace().count() > 2).then_some(text)
    };
    for file in files {
        if is_below(&file, &["tests", "build", "examples", "benches"])
            || file.to_string_lossy().ends_with("tests.rs")
        {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let mut parts: Vec<String> = literals(code).into_iter().filter_map(message).collect();
        if file.starts_with(root().join("server/src/cli")) {
            // Help texts are doc comments.
            let help = code.lines().filter_map(|line| line.trim_start().strip_prefix("/// "));
            parts.extend(help.map(str::to_owned));
        }
        add(&file, parts);
    }
    let mut files = Vec::new();
    for folder in ["analysis", "server", "editors", "xtask/site"] {
        sources(&root().join(folder), "md", &mut files);
        sources(&root().join(folder), "tsv", &mut files);
    }
    files.retain(|file| {
        !is_below(file, &["records", "golden", "node_modules", "dist"])
            && !file.ends_with("golden.tsv")
    });
    for name in
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md"]
    {
        files.push(root().join(name));
    }
    files.push(root().join("editors/nvim/doc/tungsten.txt"));
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_table = file.extension().is_some_and(|it| it == "tsv");
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        add(&file, if is_table { rows.map(str::to_owned).collect() } else { paragraphs(&text) });
    }
    for (folder, extension, quotes) in CLIENTS {
        let mut files = Vec::new();
        sources(&root().join(folder), extension, &mut files);
        for file in files.iter().filter(|file| !is_below(file, &["node_modules", "dist"])) {
            let text = std::fs::read_to_string(file).unwrap();
            add(file, quoted(&text, quotes));
        }
    }
    let manifest = root().join("editors/vscode/package.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    add(&manifest, text.lines().map(str::to_owned).collect());
    texts
}

#[test]
fn texts_are_in_plain_words() {
    let words = unused_words();
    assert!(words.len() > 30);
    let texts = texts();
    assert!(texts.len() > 5000, "{}", texts.len());
    let of_code = texts.iter().filter(|(file, _)| file.ends_with(".rs")).count();
    assert!(of_code > 1500, "{of_code} texts of code");
    let is_client = |file: &str| CLIENTS.iter().any(|(folder, ..)| file.starts_with(folder));
    let of_clients = texts.iter().filter(|(file, _)| is_client(file)).count();
    assert!(of_clients > 120, "{of_clients} texts of clients");
    let mut found = Vec::new();
    for (file, text) in &texts {
        for (phrase, instead, but) in &words {
            if has(text, phrase, but) {
                found.push(format!("{file}: `{phrase}` ({instead}) in: {text}"));
            }
        }
    }
    assert!(found.is_empty(), "{} texts:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_phrase_is_found_as_whole_words() {
    let but = ["stands for".to_owned()];
    assert!(has("what stands here", "stands", &but));
    assert!(!has("what it stands for", "stands", &but));
    assert!(has("it stands for a and stands at b", "stands", &but));
    assert!(!has("it withstands this", "stands", &but));
    assert!(!has("a stand-in", "stand", &[]));
    assert_eq!(plain("  A\n  b "), "a b");
    assert_eq!(
        quoted("// \"not of a code\"\nsay(\"one two three\", \"x\")", &['"']),
        ["one two three"]
    );
    assert_eq!(paragraphs("a\nb\n```\nc\n```\n\nd")[..], ["a b ".to_owned(), "d ".to_owned()]);
}
