//! Assembly that is spread over files which include each other.

use std::sync::Arc;

use engine::{FileId, Host, Language, Settings};
use source::{TextRange, TextSize};

use super::{SIZE, judge, work_of};

/// A way in which files include each other: the text of each, by its number and their count.
type Shape = (&'static str, fn(usize, usize) -> String);

const SHAPES: [Shape; 7] = [
    ("a chain of files", |number, count| match number + 1 == count {
        true => " s_endpgm\n".to_owned(),
        false => format!(" v_mov_b32 v1, v2\n{}", include(number + 1)),
    }),
    ("a fan of files", |number, count| match number {
        0 => (1..count).map(include).collect(),
        _ => format!(" v_mov_b32 v{number}, v2\n"),
    }),
    ("one file often", |number, count| match number {
        0 => include(1).repeat(count),
        _ => " v_mov_b32 v1, v2\n".to_owned(),
    }),
    ("names that are missing", |number, count| match number {
        0 => (count..2 * count).map(include).collect(),
        _ => String::new(),
    }),
    // As often as texts may stand within each other.
    ("a file in itself", |_, count| format!("{}{}", " s_nop 0\n".repeat(count / 64), include(0))),
    ("two files in each other", |number, count| {
        format!("{}{}", " s_nop 0\n".repeat(count / 64), include(1 - number % 2))
    }),
    // As many lines as there are files in the other shapes.
    ("each file twice in the one before", |number, count| match number == count.ilog2() as usize {
        true => " s_nop 0\n".to_owned(),
        false => include(number + 1).repeat(2),
    }),
];

fn include(number: usize) -> String {
    format!(" .include \"{number}.inc\"\n")
}

/// Brings what a file wants until it wants no more, as a session does, and asks about it.
fn read(shape: &Shape, count: usize) -> u64 {
    let name = |number: usize| format!("{number}.{}", if number == 0 { "s" } else { "inc" });
    let texts: Vec<Arc<str>> =
        (0..count).map(|number| Arc::from((shape.1)(number, count))).collect();
    let mut host = Host::new(Settings { compile: false, ..Settings::default() });
    let main = host.set_file(&name(0), Arc::clone(&texts[0]), Language::Gcn);
    work_of(|| {
        let mut known = Vec::new();
        loop {
            let wanted = host.snapshot().wanted_includes(main).expect("nothing cancels it");
            if wanted.is_empty() {
                break;
            }
            for name in wanted {
                known.push((name.clone(), bring(&mut host, &texts, &name)));
            }
            host.set_includes(main, known.clone());
        }
        let (snapshot, whole) = (host.snapshot(), TextRange::up_to(TextSize::of(&*texts[0])));
        assert!(snapshot.diagnostics(main).is_ok());
        assert!(snapshot.includes(main).is_ok());
        assert!(snapshot.semantic_tokens(main, whole).is_ok());
        let included = known.into_iter().find_map(|(_, file)| file);
        let found = included.map(|file| (snapshot.diagnostics(file), snapshot.symbols(file)));
        assert!(found.is_none_or(|(found, symbols)| found.is_ok() && symbols.is_ok()));
    })
}

/// Gives the engine the file of a name, where there is one.
fn bring(host: &mut Host, texts: &[Arc<str>], name: &str) -> Option<FileId> {
    let number: usize = name.strip_suffix(".inc")?.parse().ok()?;
    let text = texts.get(number)?;
    Some(host.set_file(name, Arc::clone(text), Language::Gcn))
}

#[test]
fn files_that_include_each_other_take_work_in_proportion() {
    let count = SIZE / 16;
    let wrong = SHAPES
        .iter()
        .filter_map(|shape| judge(shape.0, || (read(shape, count), read(shape, 4 * count))));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
