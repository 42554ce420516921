//! The table of what occurs in the programs: each word of the language, era, layout and
//! shape with a count and the name of one file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tgsi::Opcode;
use tgsi::ast::{Declaration, Instruction, PropertyValue, Shader, StatementKind};

use super::manifest::{Entry, entries, folder};
use super::shaders;

const WORDS: &str = include_str!("../../../../analysis/tgsi/data/words.tsv");

/// Lists of words that the table shows.
const LISTS: [&str; 11] = [
    "file",
    "semantic",
    "property",
    "target",
    "interpolation",
    "location",
    "immediate",
    "return",
    "memory",
    "qualifier",
    "primitive",
];

/// Words that no program here says, with the reason.
const EXCEPTIONS: [(&str, &str, &str); 2] = [
    ("opcode", "BRA", "its target had no form in text"),
    ("opcode", "CALLNZ", "its target had no form in text"),
];

/// The occurrences of each word of a list: their number, and the first file.
#[derive(Default)]
struct Found(BTreeMap<(String, String), (usize, String)>);

impl Found {
    fn add(&mut self, entry: &Entry, list: &str, word: &str) {
        let key = (list.to_owned(), word.to_owned());
        let (count, _) = self.0.entry(key).or_insert((0, entry.file.clone()));
        *count += 1;
    }

    fn shader(&mut self, entry: &Entry, shader: &Shader) {
        self.add(entry, "stage", shader.stage.value.word());
        for statement in &shader.statements {
            match &statement.kind {
                StatementKind::Declaration(declaration) => self.declaration(entry, declaration),
                StatementKind::Immediate(immediate) => {
                    self.add(entry, "file", "IMM");
                    self.add(entry, "immediate", immediate.ty.value.word());
                }
                StatementKind::Property(property) => {
                    if let Some(name) = property.name {
                        self.add(entry, "property", name.value.word());
                    }
                    if let Some(PropertyValue::Primitive(primitive)) =
                        property.value.as_ref().map(|it| &it.value)
                    {
                        self.add(entry, "primitive", primitive.word());
                    }
                }
                StatementKind::Instruction(instruction) => self.instruction(entry, instruction),
                StatementKind::Unknown => {}
            }
        }
    }

    fn declaration(&mut self, entry: &Entry, declaration: &Declaration) {
        self.add(entry, "file", declaration.file.value.word());
        if let Some(semantic) = declaration.semantic {
            self.add(entry, "semantic", semantic.value.name.word());
        }
        if let Some(interpolation) = declaration.interpolation {
            self.add(entry, "interpolation", interpolation.value.word());
        }
        if let Some(location) = declaration.location {
            self.add(entry, "location", location.value.word());
        }
        if let Some(memory) = declaration.memory {
            self.add(entry, "memory", memory.value.word());
        }
        if let Some(image) = &declaration.image {
            self.add(entry, "target", image.target.value.word());
        }
        if let Some(view) = &declaration.sampler_view {
            self.add(entry, "target", view.target.value.word());
            for ty in view.returns {
                self.add(entry, "return", ty.word());
            }
        }
    }

    fn instruction(&mut self, entry: &Entry, instruction: &Instruction) {
        self.add(entry, "opcode", instruction.opcode.value.mnemonic());
        for destination in &instruction.destinations {
            self.add(entry, "file", destination.register.file.word());
        }
        for source in &instruction.sources {
            self.add(entry, "file", source.register.file.word());
        }
        if let Some(target) = instruction.target {
            self.add(entry, "target", target.value.word());
        }
        for qualifier in &instruction.qualifiers {
            self.add(entry, "qualifier", qualifier.value.word());
        }
    }
}

/// The rows that there must be: every word that a text can say.
fn wanted() -> Vec<(&'static str, String)> {
    let opcodes = Opcode::all().filter(|it| it.had_text_form() && !it.is_gap());
    let mut rows: Vec<_> = opcodes.map(|it| ("opcode", it.mnemonic().to_owned())).collect();
    for stage in tgsi::Stage::ALL {
        rows.push(("stage", stage.word().to_owned()));
    }
    for line in WORDS.lines().skip(1) {
        let (list, rest) = line.split_once('\t').expect("a list and a word");
        let word = rest.split('\t').next().expect("a word");
        if let Some(list) = LISTS.iter().find(|it| **it == list) {
            rows.push((list, word.to_owned()));
        }
    }
    rows
}

fn table() -> (String, Vec<String>) {
    let mut found = Found::default();
    for entry in entries().iter().filter(|entry| entry.has_shaders()) {
        found.add(entry, "era", &entry.era);
        match entry.shape.split_once(": ") {
            Some((kind, shape)) => found.add(entry, kind, shape),
            None => found.add(entry, "shape", &entry.shape),
        }
        for code in entry.expect.split(' ').filter(|code| *code != "clean") {
            found.add(entry, "diagnostic", code);
        }
        for shader in shaders(&entry.text()) {
            found.shader(entry, &shader);
        }
    }
    let mut rows: Vec<(String, String)> =
        wanted().into_iter().map(|(list, word)| (list.to_owned(), word)).collect();
    rows.retain(|row| found.0.contains_key(row) || !is_exception(row));
    let others = found.0.keys().filter(|key| !rows.contains(key)).cloned().collect::<Vec<_>>();
    rows.extend(others);
    rows.sort();
    let mut text = String::from(
        "# What occurs in these programs\n\nMade of the programs by the test `tgsi::own`; with \
         `TUNGSTEN_UPDATE=1` it writes this file anew.\n\n| list | word | count | for example \
         |\n|---|---|---|---|\n",
    );
    let mut empty = Vec::new();
    for row in rows {
        match found.0.get(&row) {
            Some((count, file)) => {
                let (list, word) = &row;
                let _ = writeln!(text, "| {list} | {word} | {count} | {file} |");
            }
            None => empty.push(format!("{} {}", row.0, row.1)),
        }
    }
    text.push_str("\nNot here:\n\n");
    for (list, word, reason) in EXCEPTIONS {
        let _ = writeln!(text, "- {list} {word}: {reason}");
    }
    (text, empty)
}

fn is_exception((list, word): &(String, String)) -> bool {
    EXCEPTIONS.iter().any(|(of, name, _)| of == list && name == word)
}

#[test]
fn everything_that_text_can_say_occurs() {
    let (text, empty) = table();
    assert!(empty.is_empty(), "in no program: {}", empty.join(", "));
    for (list, word, _) in EXCEPTIONS {
        assert!(!text.contains(&format!("| {list} | {word} |")), "{word} occurs, no exception");
    }
    let path = folder().join("COVERAGE.md");
    if std::env::var_os("TUNGSTEN_UPDATE").is_some() {
        std::fs::write(&path, &text).expect("a file that can be written");
    }
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(current == text, "COVERAGE.md is stale: run with TUNGSTEN_UPDATE=1");
}

#[test]
fn each_layout_of_logs_has_two_files() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries().iter().filter(|entry| entry.shape.starts_with("log: ")) {
        *count.entry(entry.shape.clone()).or_default() += 1;
    }
    assert!(count.len() >= 20, "{count:?}");
    assert!(count.values().all(|count| *count >= 2), "{count:?}");
}
