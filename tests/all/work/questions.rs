//! The questions of an editor about a document.

use std::sync::Arc;

use engine::ide::{
    CompiledRef, FormatNumbers, FormatScope, InlayHintKind, Refactoring, References, WantedHints,
};
use engine::{FileId, Host, Language, Settings, Snapshot};
use source::{TextRange, TextSize};

use super::shapes::{GCN, Shape, TGSI};
use super::{SIZE, judge, work_of};

type Ask = fn(&Snapshot, FileId, TextSize, TextRange);

/// Every question, with a place and the whole text; what is answered is tested elsewhere.
const QUESTIONS: [(&str, Ask); 36] = [
    ("diagnostics", |it, file, _, _| drop(it.diagnostics(file))),
    ("diagnostics of costs", |it, file, _, _| drop(it.cost_diagnostics(file))),
    ("costs", |it, file, _, _| drop(it.code_costs(file))),
    ("tokens", |it, file, _, whole| drop(it.semantic_tokens(file, whole))),
    ("folds", |it, file, _, _| drop(it.folds(file))),
    ("symbols", |it, file, _, _| drop(it.symbols(file))),
    ("hints", |it, file, _, whole| {
        let kinds = [InlayHintKind::Value, InlayHintKind::Clocks, InlayHintKind::VectorRegisters];
        drop(it.inlay_hints(file, whole, &WantedHints::everywhere(&kinds)));
    }),
    ("layout", |it, file, _, _| {
        drop(it.formatting(file, FormatNumbers::default(), FormatScope::Whole));
    }),
    ("layout of a line", |it, file, at, _| {
        drop(it.on_new_line(file, FormatNumbers::default(), at));
    }),
    ("layout of a part", |it, file, at, _| {
        let scope = FormatScope::Range(TextRange::up_to(at));
        drop(it.formatting(file, FormatNumbers::default(), scope));
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
    ("whether it can be renamed", |it, file, at, _| drop(it.prepare_rename(file, at))),
    ("callers", |it, file, at, _| drop((it.callable(file, at), it.callers(file, at)))),
    ("callees", |it, file, at, _| drop(it.callees(file, at))),
    ("rewritings", |it, file, at, _| drop(it.refactorings(file, at))),
    ("rewritings at the first declaration", |it, file, _, _| {
        drop(it.refactorings(file, TextSize::new(8)));
    }),
    ("each rewriting", |it, file, at, _| {
        for at in [at, TextSize::new(8)] {
            for refactoring in Refactoring::ALL {
                drop(it.refactored(file, at, refactoring));
            }
        }
    }),
    ("links", |it, file, _, _| drop((it.includes(file), it.allowed_codes(file)))),
    ("files that are wanted", |it, file, _, _| drop(it.wanted_files(file))),
    ("what it is taken for", |it, file, _, _| {
        drop((it.assembly_kind(file), it.shader_readers(file)));
    }),
    ("shaders", |it, file, _, _| drop(it.shaders(file))),
    ("compiles that are wanted", |it, file, _, _| drop(it.wanted_jobs(file))),
    ("inputs of a run", |it, file, _, _| drop(it.inputs_name(file, 0))),
    ("lane of a run", |it, file, _, _| _ = it.inputs_lane(file, 0)),
    ("code for the compiler", |it, file, _, _| {
        let target = gcn::Target::find("gfx803").expect("a chip");
        drop(it.ir(file, &CompiledRef::new(0, target)));
    }),
    ("whether it expands", |it, file, at, _| _ = it.expands(file, at)),
    ("expansion", |it, file, at, _| drop(it.expanded(file, at))),
    ("the other dialect", |it, file, _, whole| drop(it.converted(file, whole))),
];

/// Asks every question about a text, one after the other.
pub(super) fn ask_all(language: Language, text: &str, middle: usize) {
    let mut host = Host::new(Settings { compile: false, ..Settings::default() });
    let file = host.set_file("a", Arc::from(text), language);
    let snapshot = host.snapshot();
    let (at, whole) = (TextSize::new(middle as u32), TextRange::up_to(TextSize::of(text)));
    for (_, ask) in &QUESTIONS {
        ask(&snapshot, file, at, whole);
    }
}

/// Measures each question about a shape's text of a size, asked one after the other.
fn works(language: Language, shape: &Shape, bytes: usize) -> Vec<u64> {
    let (text, middle) = shape.text_and_middle(bytes);
    let mut host = Host::new(Settings { compile: false, ..Settings::default() });
    let file = host.set_file("a", Arc::from(&*text), language);
    let snapshot = host.snapshot();
    let (at, whole) = (TextSize::new(middle as u32), TextRange::up_to(TextSize::of(&*text)));
    QUESTIONS.iter().map(|(_, ask)| work_of(|| ask(&snapshot, file, at, whole))).collect()
}

fn check(language: Language, shapes: &[Shape]) {
    let mut wrong = Vec::new();
    for shape in shapes {
        // All are measured at once; only what looks wrong is measured again.
        let [one, four] = [SIZE, 4 * SIZE].map(|bytes| works(language, shape, bytes));
        for (number, (question, _)) in QUESTIONS.iter().enumerate() {
            let name = format!("{} of {}", question, shape.name);
            let mut first = Some((one[number], four[number]));
            wrong.extend(judge(&name, || {
                first.take().unwrap_or_else(|| {
                    let [one, four] = [SIZE, 4 * SIZE].map(|bytes| works(language, shape, bytes));
                    (one[number], four[number])
                })
            }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn questions_of_shaders_take_work_in_proportion() {
    check(Language::Tgsi, &TGSI);
}

#[test]
fn questions_of_assembly_take_work_in_proportion() {
    check(Language::Gcn, &GCN);
}
