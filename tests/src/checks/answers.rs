//! Answers of the engine on damaged documents, edited one into the next: every place lies
//! in the text, and a fresh engine gives the same.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use engine::ide::{
    FormatNumbers, FormatScope, InlayHintKind, Refactoring, References, Symbol, WantedHints,
};
use engine::{FileId, Host, Language, Settings, Snapshot};
use source::{TextRange, TextSize, apply_edits};

use crate::random_shaders::Numbers;
use crate::search::{Size, search};
use crate::writers::{assembly, shaders};

fn inside(text: &str, range: TextRange, what: &str) {
    assert!(text.get(Range::<usize>::from(range)).is_some(), "{what}: {range:?}");
}

/// Asks what has no place.
fn ask_all(snapshot: &Snapshot, file: FileId, text: &str) {
    let whole = TextRange::up_to(TextSize::of(text));
    for found in snapshot.all_diagnostics(file).expect("alone") {
        inside(text, found.range, &found.message);
        found.related.iter().for_each(|it| inside(text, it.range, &it.message));
        for fix in &found.fixes {
            assert!(apply_edits(text, &fix.edits).is_some(), "{}", fix.title);
        }
    }
    let mut end = TextSize::new(0);
    for token in snapshot.semantic_tokens(file, whole).expect("alone") {
        inside(text, token.range, "token");
        assert!(token.range.start() >= end, "tokens overlap");
        end = token.range.end();
    }
    for fold in snapshot.folds(file).expect("alone") {
        inside(text, fold.range, "fold");
    }
    for symbol in snapshot.symbols(file).expect("alone") {
        check_symbol(text, &symbol);
    }
    for hint in snapshot
        .inlay_hints(file, whole, &WantedHints::everywhere(&InlayHintKind::ALL))
        .expect("alone")
    {
        assert!(text.is_char_boundary(hint.offset.into()), "{hint:?}");
    }
    for lens in snapshot.code_lenses(file).expect("alone") {
        inside(text, lens.range, "lens");
        let _ = snapshot.lens_title(file, &lens.measured);
    }
    for costs in snapshot.code_costs(file).expect("alone") {
        inside(text, costs.range, "costs");
    }
    for (range, _) in snapshot.includes(file).expect("alone") {
        inside(text, range, "include");
    }
    for (range, _) in snapshot.allowed_codes(file).expect("alone") {
        inside(text, range, "allowed code");
    }
    let edits = snapshot.formatting(file, FormatNumbers::default(), FormatScope::Whole);
    assert!(apply_edits(text, &edits.expect("alone")).is_some(), "a layout overlaps");
    if let Some((_, edits)) = snapshot.converted(file, whole).expect("alone") {
        assert!(apply_edits(text, &edits).is_some(), "a conversion overlaps");
    }
}

fn check_symbol(text: &str, symbol: &Symbol) {
    inside(text, symbol.range, "symbol");
    assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
    for child in &symbol.children {
        assert!(symbol.range.contains_range(child.range), "{symbol:?}");
        check_symbol(text, child);
    }
}

/// Asks everything at one place.
fn ask(snapshot: &Snapshot, file: FileId, text: &str, offset: TextSize) {
    if let Some(hover) = snapshot.hover(file, offset).expect("alone") {
        inside(text, hover.range, "hover");
        assert!(!hover.markdown.is_empty());
    }
    if let Some(completion) = snapshot.completion(file, offset).expect("alone") {
        inside(text, completion.replace, "completion");
        assert!(completion.replace.contains_inclusive(offset), "completion elsewhere");
    }
    let _ = snapshot.signature_help(file, offset).expect("alone");
    if let Some(found) = snapshot.definitions(file, offset).expect("alone") {
        inside(text, found.origin, "origin");
        for destination in found.destinations.iter().filter(|it| it.file.is_none()) {
            inside(text, destination.range, "definition");
            inside(text, destination.selection, "definition's name");
        }
    }
    for place in snapshot.references(file, offset, References::All).expect("alone") {
        inside(text, place.range, "reference");
    }
    for highlight in snapshot.highlights(file, offset).expect("alone") {
        inside(text, highlight.range, "highlight");
    }
    if let Ok(named) = snapshot.prepare_rename(file, offset).expect("alone") {
        inside(text, named.range, "renamed");
    }
    let renamed = snapshot.rename(file, offset, "other").expect("alone");
    for edit in renamed.unwrap_or_default() {
        inside(text, edit.edit.range, "rename");
    }
    let mut inner: Option<TextRange> = None;
    for range in snapshot.selections(file, offset).expect("alone") {
        inside(text, range, "selection");
        assert!(inner.is_none_or(|inner| range.contains_range(inner)), "selections do not nest");
        inner = Some(range);
    }
    for refactoring in Refactoring::ALL {
        let edits = snapshot.refactored(file, offset, refactoring).expect("alone");
        assert!(edits.is_none_or(|edits| apply_edits(text, &edits).is_some()));
    }
    if let Some(callable) = snapshot.callable(file, offset).expect("alone") {
        inside(text, callable.range, "callable");
    }
    let _ = snapshot.callers(file, offset).expect("alone");
    let _ = snapshot.callees(file, offset).expect("alone");
    let _ = snapshot.expanded(file, offset).expect("alone");
    let edits = snapshot.on_new_line(file, FormatNumbers::default(), offset).expect("alone");
    assert!(apply_edits(text, &edits).is_some(), "edits of a line end overlap");
}

/// Returns the answers that are compared of a text.
fn said(snapshot: &Snapshot, file: FileId) -> String {
    let text = snapshot.text(file).expect("alone");
    let whole = TextRange::up_to(TextSize::of(&*text));
    let middle = (text.len() / 2..).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let hover = snapshot.hover(file, TextSize::new(middle as u32)).expect("alone");
    format!(
        "{:?}\n{:?}\n{:?}\n{hover:?}",
        snapshot.all_diagnostics(file).expect("alone"),
        snapshot.symbols(file).expect("alone"),
        snapshot.semantic_tokens(file, whole).expect("alone"),
    )
}

/// A document's texts, one after the other.
#[derive(Debug)]
struct Edited {
    language: Language,
    texts: Vec<String>,
    offsets: Vec<usize>,
}

impl Size for Edited {
    fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }

    /// Each text may spend the budgets of an expansion, which every question walks through,
    /// and once more in the fresh engine.
    fn budget(&self) -> Duration {
        Duration::from_secs(8) * (1 + self.texts.len() as u32)
    }
}

/// Sets a document's texts one after the other for so many seconds, and asks everything.
///
/// # Panics
/// Where a place is outside of its text, or a fresh engine says something else.
pub fn damaged_documents_are_answered(tgsi: Vec<String>, gcn: Vec<String>, seconds: f64) {
    let (tgsi, gcn) = (shaders::language(tgsi), assembly::language(gcn));
    let edited = |random: &mut Numbers| {
        let is_tgsi = random.once_in(2);
        let (language, writer) = match is_tgsi {
            true => (Language::Tgsi, &tgsi),
            false => (Language::Gcn, &gcn),
        };
        let first = writer.text(random);
        let mut texts = vec![first];
        for _ in 0..random.below(3) {
            let last = texts.last().cloned().unwrap_or_default();
            texts.push(writer.damaged(&last, random));
        }
        Edited { language, texts, offsets: (0..3).map(|_| random.below(6_000)).collect() }
    };
    search("documents", seconds, edited, |edited| {
        let new = || Host::new(Settings { compile: false, ..Settings::default() });
        let mut host = new();
        let mut last = (String::new(), String::new());
        for text in &edited.texts {
            let file = host.set_file("a", Arc::from(text.as_str()), edited.language);
            let snapshot = host.snapshot();
            ask_all(&snapshot, file, text);
            for offset in &edited.offsets {
                let at = offset % (text.len() + 1);
                let at = (at..=text.len()).find(|at| text.is_char_boundary(*at));
                ask(&snapshot, file, text, TextSize::new(at.unwrap_or(text.len()) as u32));
            }
            last = (text.clone(), said(&snapshot, file));
        }
        let mut fresh = new();
        let file = fresh.set_file("a", Arc::from(last.0.as_str()), edited.language);
        let snapshot = fresh.snapshot();
        assert_eq!(said(&snapshot, file), last.1, "a fresh engine says something else");
        snapshot.all_diagnostics(file).expect("alone").is_empty()
    });
}
