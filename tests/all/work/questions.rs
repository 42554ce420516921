//! The questions of an editor about a document.

use std::sync::Arc;
use std::time::Duration;

use engine::ide::{FormatOptions, FormatScope, InlayHintKind, References};
use engine::{FileId, Host, Language, Settings, Snapshot};
use tests::measure::Stopwatch;
use text::{TextRange, TextSize};

use super::shapes::{GCN, Shape, TGSI};
use super::{SIZE, judge};

type Ask = fn(&Snapshot, FileId, TextSize, TextRange);

/// Every question, with a place and the whole text; what is answered is tested elsewhere.
const QUESTIONS: [(&str, Ask); 20] = [
    ("diagnostics", |it, file, _, _| drop(it.diagnostics(file))),
    ("diagnostics of costs", |it, file, _, _| drop(it.cost_diagnostics(file))),
    ("costs", |it, file, _, _| drop(it.code_costs(file))),
    ("tokens", |it, file, _, whole| drop(it.semantic_tokens(file, whole))),
    ("folds", |it, file, _, _| drop(it.folds(file))),
    ("symbols", |it, file, _, _| drop(it.symbols(file))),
    ("hints", |it, file, _, whole| {
        let kinds = [InlayHintKind::Value, InlayHintKind::Clocks, InlayHintKind::VectorRegisters];
        drop(it.inlay_hints(file, whole, &kinds));
    }),
    ("layout", |it, file, _, _| {
        drop(it.formatting(file, &FormatOptions::default(), FormatScope::Whole));
    }),
    ("layout of a line", |it, file, at, _| {
        drop(it.on_new_line(file, &FormatOptions::default(), at));
    }),
    ("lenses", |it, file, _, _| drop(it.code_lenses(file))),
    ("hover", |it, file, at, _| drop(it.hover(file, at))),
    ("completion", |it, file, at, _| drop(it.completion(file, at))),
    ("signature", |it, file, at, _| drop(it.signature_help(file, at))),
    ("definitions", |it, file, at, _| drop(it.definitions(file, at))),
    ("references", |it, file, at, _| drop(it.references(file, at, References::All))),
    ("highlights", |it, file, at, _| drop(it.highlights(file, at))),
    ("selections", |it, file, at, _| drop(it.selections(file, at))),
    ("rename", |it, file, at, _| drop(it.rename(file, at, "other"))),
    ("expansion", |it, file, at, _| drop(it.expanded(file, at))),
    ("the other dialect", |it, file, _, whole| drop(it.converted(file, whole))),
];

/// Measures each question about a text, asked one after the other.
fn times(language: Language, text: &str) -> Vec<Duration> {
    let mut host = Host::new(Settings { compile: false, ..Settings::default() });
    let file = host.set_file("a", Arc::from(text), language);
    let snapshot = host.snapshot();
    // The end of a line: the same word of a piece whatever the size.
    let half = (text.len() / 2..).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let middle = half + text[half..].find('\n').unwrap_or_default();
    let (at, whole) = (TextSize::new(middle as u32), TextRange::up_to(TextSize::of(text)));
    let time = |(_, ask): &(&str, Ask)| {
        let start = Stopwatch::start();
        ask(&snapshot, file, at, whole);
        start.elapsed()
    };
    QUESTIONS.iter().map(time).collect()
}

fn check(language: Language, shapes: &[Shape]) {
    let mut wrong = Vec::new();
    for shape in shapes {
        let texts = [SIZE, 4 * SIZE].map(|bytes| shape.text(bytes));
        // All are measured at once; only what looks wrong is measured again.
        let [one, four] = texts.each_ref().map(|text| times(language, text));
        for (number, (question, _)) in QUESTIONS.iter().enumerate() {
            let name = format!("{} of {}", question, shape.name);
            let mut first = Some((one[number], four[number]));
            wrong.extend(judge(&name, || {
                first.take().unwrap_or_else(|| {
                    let [one, four] = texts.each_ref().map(|text| times(language, text));
                    (one[number], four[number])
                })
            }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "for each instruction its registers are looked for among all declarations"]
fn questions_of_shaders_take_time_in_proportion() {
    check(Language::Tgsi, &TGSI);
}

#[test]
fn questions_of_assembly_take_time_in_proportion() {
    check(Language::Gcn, &GCN);
}
