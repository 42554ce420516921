//! Everything that is said about the repository's own shaders, and about what stands there
//! while somebody writes them, pinned by checksums.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::path::{Path, PathBuf};

use editor_model::References;
use source::{TextRange, TextSize, no_checkpoint};

use crate::ast::Shader;
use crate::dialects::{Dialect, readers};
use crate::format::{self, Numbers, Scope};
use crate::profiles::{Profile, check};
use crate::service::completion::{CompletionContext, complete, complete_outside};
use crate::service::declared::Declared;
use crate::service::{
    accesses, folding, formula, navigation, refactor, rename, selection, signature,
    tokens as colours,
};
use crate::tokens::{self, Layout};
use crate::validate::linking::{Interface, link};
use crate::words::Stage;
use crate::{Opcode, capabilities, codes, describe, directives, formats, labels, parser, regions};
use crate::{requirements, validate, word_rows};

#[path = "../../../tests/src/asking.rs"]
pub(crate) mod asking;
#[path = "../../../tests/src/chance.rs"]
pub(crate) mod chance;
#[path = "../../../tests/src/places.rs"]
mod places;
#[path = "../../../tests/src/records.rs"]
pub(crate) mod records;
use asking::{everywhere, lines, wounded};
use records::Records;

/// Lines of each shader at which somebody writes.
const WRITTEN_AT: usize = 6;

pub(crate) fn table(name: &str) -> Records {
    Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join(name))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tgsi")
}

/// The files of the manifest with an end, and their texts.
fn files(end: &'static str) -> impl Iterator<Item = (String, Vec<u8>)> {
    let text = std::fs::read_to_string(folder().join("MANIFEST.tsv")).expect("a manifest");
    let names: Vec<String> =
        text.lines().map(|row| row.split('\t').next().unwrap_or_default().to_owned()).collect();
    names.into_iter().filter(move |name| name.ends_with(end)).map(|name| {
        let bytes = std::fs::read(folder().join(&name)).expect("a file of the manifest");
        (name, bytes)
    })
}

pub(crate) fn programs() -> impl Iterator<Item = (String, String)> {
    files(".tgsi").map(|(name, bytes)| (name, String::from_utf8(bytes).expect("a text")))
}

/// Returns what is wrong with a shader, who would read it, and what it asks of a driver.
pub(crate) fn judged(text: &str) -> (String, Option<Shader>) {
    let parse = parser::parse(text, &no_checkpoint);
    let mut found = parse.diagnostics;
    let Some(shader) = parse.shader else { return (format!("{found:#?}"), None) };
    found.extend(validate(&shader, &no_checkpoint));
    let readers: Vec<&str> = readers(&shader, text, &found).iter().map(|it| it.name).collect();
    let mut out = format!("{found:#?}\n{readers:?}\n");
    for dialect in Dialect::all() {
        let mut reported = found.clone();
        dialect.check(&shader, text, &mut reported);
        let lines = reported.iter().filter(|it| !found.contains(it));
        let _ = writeln!(out, "{}: {:#?}", dialect.name, lines.collect::<Vec<_>>());
    }
    let asked = requirements::requirements(&shader, &no_checkpoint);
    let _ = writeln!(out, "{asked:#?}");
    for profile in Profile::all() {
        let reported = check(profile, shader.stage.value, &asked);
        let _ = writeln!(out, "{}: {reported:?}", profile.name);
    }
    let _ = writeln!(out, "{:?}\n{:?}", labels::labels(&shader), labels::repairs(&shader));
    (out, Some(shader))
}

/// The answers about a shader as a whole.
pub(crate) fn whole(text: &str, shader: &Shader) -> String {
    let mut out = String::new();
    let mut say = |it: &dyn Debug| out += &format!("{it:#?}\n");
    let all = TextRange::up_to(TextSize::of(text));
    let length = u32::from(all.len());
    say(&colours::tokens(text, all));
    say(&colours::tokens(text, TextRange::new((length / 3).into(), (length / 2).into())));
    say(&folding::folds(text, shader));
    say(&accesses::accesses(text, shader));
    say(&Interface::new(shader));
    for instruction in shader.instructions() {
        say(&formula::expand(&Declared::new(shader), instruction));
    }
    out
}

fn formatted(text: &str) -> String {
    let mut out = String::new();
    for numbers in [Numbers::Keep, Numbers::Always, Numbers::Never] {
        let _ = writeln!(out, "{}", format::format(text, numbers));
        let length = text.len() as u32;
        let range = TextRange::new((length / 3).into(), (length / 2).into());
        for scope in [Scope::Range(range), Scope::Line(range)] {
            let _ = writeln!(out, "{:?}", format::text_edits(text, numbers, scope));
        }
    }
    out
}

/// The words of a shader in each era, and what they are read as.
fn encoded(shader: &Shader) -> String {
    let mut out = String::new();
    for layout in Layout::ALL {
        let words = tokens::encode(shader, layout);
        let _ = writeln!(out, "{layout}: {words:x?}");
        let Ok(words) = words else { continue };
        decoded(&mut out, &words, layout);
        let _ = writeln!(out, "{:?}", tokens::detect(&words));
    }
    out
}

fn decoded(out: &mut String, words: &[u32], layout: Layout) {
    let decoded = tokens::decode(words, layout);
    let _ = writeln!(out, "{}\n{:?}", decoded.text, decoded.diagnostics);
    for word in &decoded.words {
        let _ = writeln!(out, "{:08x} {}{}", word.bits, word.meaning_column(), word.fields_text());
    }
}

/// The answers at each word of a shader.
fn at_words(records: &mut Records, file: &str, text: &str, shader: &Shader) {
    let mut ask = |question: &str, ask: &dyn Fn(TextSize) -> Box<dyn Debug>| {
        records.add(file, question, &everywhere(text, |at| ask(TextSize::new(at as u32))));
    };
    ask("signature", &|at| Box::new(signature::signature(text, at)));
    ask("selections", &|at| Box::new(selection::selections(text, shader, at)));
    ask("mentions", &|at| {
        let definitions = navigation::definitions(text, shader, at);
        let references = navigation::references(text, shader, at, References::All);
        Box::new((definitions, references, navigation::highlights(text, shader, at)))
    });
    ask("rename", &|at| {
        let new = rename::rename(text, shader, at, "77");
        let prepared = rename::prepare(text, shader, at);
        Box::new((prepared.map_err(|it| it.to_string()), new.map_err(|it| it.to_string())))
    });
    ask("refactorings", &|at| {
        let edits = |it| refactor::edits(text, shader, at, it);
        Box::new(refactor::Refactoring::ALL.map(edits))
    });
    ask("indentation", &|at| {
        Box::new(format::new_line_indent(text, shader, "", Numbers::default(), at))
    });
}

#[test]
fn all_that_is_said_about_own_shaders() {
    let mut records = table("shaders.tsv");
    for (file, text) in programs() {
        let regions = regions::split(&text);
        records.add(&file, "regions", &format!("{regions:#?}"));
        records.add(&file, "directives", &format!("{:#?}", directives::directives(&text)));
        records.add(&file, "formatted", &formatted(&text));
        for (number, region) in regions.shaders.iter().enumerate() {
            let file = if number == 0 { file.clone() } else { format!("{file} {number}") };
            let text = region.text(&text);
            let (said, shader) = judged(text);
            records.add(&file, "judged", &said);
            let Some(shader) = shader else { continue };
            records.add(&file, "whole", &whole(text, &shader));
            records.add(&file, "encoded", &encoded(&shader));
        }
    }
    records.check();
}

#[test]
fn all_that_is_said_about_words_of_own_shaders() {
    let mut records = table("places.tsv");
    for (file, text) in programs().step_by(4) {
        let Some(region) = regions::split(&text).shaders.into_iter().next() else { continue };
        let text = region.text(&text);
        let Some(shader) = parser::parse(text, &no_checkpoint).shader else { continue };
        at_words(&mut records, &file, text, &shader);
    }
    records.check();
}

#[test]
fn all_that_is_said_about_unfinished_shaders() {
    let mut records = table("unfinished.tsv");
    for (file, text) in programs() {
        let (mut said, mut completed) = (String::new(), String::new());
        let (mut split, mut laid_out) = (String::new(), String::new());
        for (at, wounded) in wounded(&text, WRITTEN_AT) {
            let parse = parser::parse(&wounded, &no_checkpoint);
            let _ = writeln!(said, "{:?}", parse.diagnostics);
            let _ = writeln!(split, "{:?}", regions::split(&wounded));
            let _ = writeln!(laid_out, "{}", format::format(&wounded, Numbers::default()));
            let at = TextSize::new(at as u32);
            let _ = writeln!(completed, "{:?}", complete_outside(&wounded, at).items.len());
            let _ = writeln!(completed, "{:?}", signature::signature(&wounded, at));
            let Some(shader) = parse.shader else { continue };
            let _ = writeln!(said, "{:?}", validate(&shader, &no_checkpoint));
            let context = CompletionContext { text: &wounded, shader: &shader };
            let _ = writeln!(completed, "{:?}", complete(context, at));
        }
        records.add(&file, "judged", &said);
        records.add(&file, "completion", &completed);
        records.add(&file, "regions", &split);
        records.add(&file, "formatted", &laid_out);
    }
    records.check();
}

#[test]
fn all_that_is_said_about_token_files() {
    let mut records = table("tokens.tsv");
    for (file, bytes) in files(".tgsib") {
        let words = tokens::from_raw(&bytes).expect("whole words");
        let opened = tokens::open(&bytes).map_err(|error| error.to_string());
        let mut said = format!("{:?}\n{:?}\n", tokens::detect(&words), opened);
        for layout in Layout::ALL {
            decoded(&mut said, &words, layout);
        }
        records.add(&file, "read", &said);
        // A stream with a wrong word, or one that is cut off.
        let mut said = String::new();
        for place in 0..words.len() {
            let mut changed = words.clone();
            changed[place] ^= 1 << (place * 7 % 32);
            let _ = writeln!(said, "{:?}", tokens::detect(&changed));
            for layout in Layout::ALL {
                let read = tokens::decode(&changed, layout);
                let _ = writeln!(said, "{} {:?}", read.text, read.diagnostics);
                let cut = tokens::decode(&words[..place], layout);
                let _ = writeln!(said, "{:?}", cut.diagnostics);
            }
        }
        records.add(&file, "wounds", &said);
    }
    records.check();
}

#[test]
fn every_number_of_an_opcode_in_every_era() {
    let mut records = table("numbers.tsv");
    for layout in Layout::ALL {
        let text = "FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n";
        let shader = parser::parse(text, &no_checkpoint).shader.expect("a shader");
        let Ok(words) = tokens::encode(&shader, layout) else { continue };
        for place in 0..words.len() {
            let mut said = String::new();
            for bit in 0..32 {
                let mut changed = words.clone();
                changed[place] ^= 1 << bit;
                decoded(&mut said, &changed, layout);
            }
            let number = |word: u32, low: u32, n: u32| word & !(0xff << low) | n << low;
            for low in [4, 8, 12] {
                for n in 0..=255 {
                    let mut changed = words.clone();
                    changed[place] = number(changed[place], low, n);
                    let read = tokens::decode(&changed, layout);
                    let _ = writeln!(said, "{} {:?}", read.text, read.diagnostics);
                }
            }
            records.add(layout.name(), &format!("word {place}"), &said);
        }
    }
    records.check();
}

#[test]
fn stages_behind_one_another() {
    let shaders: Vec<(String, Interface)> = programs()
        .filter_map(|(file, text)| Some((file, Interface::new(&judged(&text).1?))))
        .collect();
    let mut records = table("links.tsv");
    for (file, first) in shaders.iter().step_by(3) {
        let linked = shaders.iter().step_by(5).map(|(_, second)| link(first, second));
        records.add(file, "linked", &lines(linked));
    }
    records.check();
}

#[test]
fn all_that_is_known_of_words() {
    let mut records = table("words.tsv");
    for opcode in Opcode::all() {
        records.add(opcode.mnemonic(), "opcode", &describe::opcode(opcode));
    }
    let mut lists = BTreeMap::<&str, String>::new();
    for row in word_rows::all() {
        let list = lists.entry(row.list).or_default();
        let _ = writeln!(list, "{} {:?}", row.word, describe::word(row.list, row.word));
        let asked = capabilities::of(row.list, row.word).map(|it| it.name);
        let _ = writeln!(list, "{:?}", asked.collect::<Vec<_>>());
    }
    for (list, said) in &lists {
        records.add(list, "words", said);
    }
    let mut alike = BTreeMap::<String, String>::new();
    for format in formats::all() {
        *alike.entry(format.name.chars().take(16).collect()).or_default() +=
            &format!("{format:?}\n{}\n", describe::format(format));
    }
    for (begin, said) in &alike {
        records.add(begin, "formats", said);
    }
    for capability in capabilities::all() {
        let mut said = format!("{capability:?}\n");
        for profile in Profile::all() {
            for stage in Stage::ALL {
                let _ = writeln!(said, "{:?}", profile.answer(capability.name, *stage));
            }
        }
        records.add(capability.name, "capability", &said);
    }
    records.add("-", "elsewhere", &lines(requirements::tests::elsewhere()));
    records.add("-", "examples", &lines(codes::examples()));
    records.add("-", "components", &lines(describe::texture_components()));
    records.add("-", "profiles", &lines(Profile::all()));
    records.add("-", "reference", &lines(describe::reference()));
    records.add("-", "dialects", &lines(Dialect::all()));
    records.check();
}
