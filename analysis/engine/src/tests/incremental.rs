//! Work that an edit makes, by the log of the queries that run: no more than a file with
//! the edited shader or kernel alone would.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gcn::Target;
use source::{TextRange, TextSize};

use super::{FRAGMENT, VERTEX, compiled, finish_all, settings};
use crate::ide::{InlayHintKind, WantedHints};
use crate::inputs::Database;
use crate::{FileId, Host, Language, Settings};

const KERNEL: &str = "\
.type one,@function
one:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v0, s4
  s_endpgm
";

/// A host with the log of its queries.
struct Observed {
    host: Host,
    log: Arc<Mutex<Vec<String>>>,
    files: Vec<FileId>,
}

impl Observed {
    fn new() -> Observed {
        let log = Arc::new(Mutex::new(Vec::new()));
        let writer = log.clone();
        let db = Database::observed(move |query| writer.lock().unwrap().push(query));
        Observed { host: Host::with_database(db, settings()), log, files: Vec::new() }
    }

    fn set(&mut self, name: &str, language: Language, text: &str) {
        let file = self.host.set_file(name, Arc::from(text), language);
        if !self.files.contains(&file) {
            self.files.push(file);
        }
    }

    /// Asks everything that an editor asks by itself, and says how often each query ran.
    fn ask(&self) -> BTreeMap<String, usize> {
        self.log.lock().unwrap().clear();
        let snapshot = self.host.snapshot();
        for file in &self.files {
            let whole = TextRange::up_to(TextSize::of(&*snapshot.text(*file).unwrap()));
            snapshot.all_diagnostics(*file).unwrap();
            snapshot.wanted_jobs(*file).unwrap();
            snapshot.symbols(*file).unwrap();
            snapshot
                .inlay_hints(*file, whole, &WantedHints::everywhere(&InlayHintKind::ALL))
                .unwrap();
            snapshot.code_costs(*file).unwrap();
            for lens in snapshot.code_lenses(*file).unwrap() {
                snapshot.lens_title(*file, &lens.measured).unwrap();
            }
        }
        let mut counts = BTreeMap::new();
        for query in self.log.lock().unwrap().drain(..) {
            let name = query.split('(').next().unwrap_or_default().to_owned();
            *counts.entry(name).or_insert(0) += 1;
        }
        counts
    }
}

/// All questions about one file that holds nothing else.
fn alone(language: Language, text: &str) -> BTreeMap<String, usize> {
    let mut observed = Observed::new();
    observed.set("alone", language, text);
    observed.ask()
}

#[track_caller]
fn assert_no_more(found: &BTreeMap<String, usize>, most: &BTreeMap<String, usize>) {
    for (query, count) in found {
        let most = most.get(query).copied().unwrap_or(0);
        assert!(*count <= most, "{query} ran {count} times, not {most}: {found:?}");
    }
}

#[test]
fn an_edit_of_a_shader_runs_no_query_of_another_shader_or_file() {
    let mut observed = Observed::new();
    observed.set("a.tgsi", Language::Tgsi, &format!("{VERTEX}{VERTEX}"));
    observed.set("b.tgsi", Language::Tgsi, &format!("{VERTEX}{FRAGMENT}"));
    observed.set("c.s", Language::Gcn, KERNEL);
    let first = observed.ask();
    assert!(first["parse"] >= 4, "{first:?}");
    assert!(observed.ask().is_empty(), "nothing has changed");

    let edited = VERTEX.replace("MOV OUT[0], IN[0]", "ADD OUT[0], IN[0], IN[0]");
    observed.set("a.tgsi", Language::Tgsi, &format!("{VERTEX}{edited}"));
    let mut again = observed.ask();
    assert_eq!(again["parse"], 1, "{again:?}");
    // What the lines between shaders set is read off the file for each of them; where it is
    // the same nothing follows from it.
    assert_eq!(again.remove("environment"), Some(2), "{again:?}");
    assert_no_more(&again, &alone(Language::Tgsi, &edited));
}

#[test]
fn an_edit_of_assembly_runs_no_query_of_another_file() {
    let mut observed = Observed::new();
    observed.set("a.s", Language::Gcn, KERNEL);
    observed.set("b.s", Language::Gcn, &KERNEL.replace("v0", "v1"));
    observed.set("c.tgsi", Language::Tgsi, VERTEX);
    observed.ask();
    assert!(observed.ask().is_empty(), "nothing has changed");
    let edited = KERNEL.replace("v_mov_b32 v0, s4", "v_mov_b32 v0, s5");
    observed.set("a.s", Language::Gcn, &edited);
    let again = observed.ask();
    assert!(!again.is_empty());
    assert_no_more(&again, &alone(Language::Gcn, &edited));
}

#[test]
fn comments_and_white_space_lower_and_analyse_nothing_again() {
    let mut observed = Observed::new();
    observed.set("a.tgsi", Language::Tgsi, VERTEX);
    observed.set("c.s", Language::Gcn, KERNEL);
    let first = observed.ask();
    // What the reports of costs and the compiles are made from.
    let deep: Vec<&String> = first.keys().filter(|name| name.contains("report")).collect();
    assert!(!deep.is_empty(), "{first:?}");
    observed.set("a.tgsi", Language::Tgsi, &VERTEX.replace("VERT\n", "VERT\n\n// a note\n"));
    observed.set("c.s", Language::Gcn, &KERNEL.replace("one:\n", "one: // a note\n\n"));
    let again = observed.ask();
    for query in deep {
        assert!(!again.contains_key(query), "{query}: {again:?}");
    }
    // Before the shader nothing of it changes at all.
    observed.set(
        "a.tgsi",
        Language::Tgsi,
        &format!("# a log\n{}", VERTEX.replace("VERT\n", "VERT\n\n// a note\n")),
    );
    let again = observed.ask();
    assert!(!again.contains_key("parse") && !again.contains_key("diagnostics"), "{again:?}");
}

#[test]
fn a_hover_lowers_a_changed_shader_for_the_main_chip_alone() {
    let mut observed = Observed::new();
    let chips = ["polaris10", "tahiti", "bonaire", "vega10"];
    let targets = chips.map(|name| Target::find(name).unwrap()).to_vec();
    observed.host.set_settings(Settings { targets, compile: true, ..Settings::default() });
    observed.set("a.tgsi", Language::Tgsi, VERTEX);
    let file = observed.files[0];
    finish_all(&mut observed.host, file, &compiled());
    let edited = VERTEX.replace("  1: END", "  1: MOV OUT[0], IN[0].yxzw\n  2: END");
    observed.set("a.tgsi", Language::Tgsi, &edited);
    observed.log.lock().unwrap().clear();
    let place = TextSize::new(edited.find("MOV").unwrap() as u32);
    let hover = observed.host.snapshot().hover(file, place).unwrap().unwrap();
    for chip in chips {
        let row = format!("\n| {chip} |");
        assert!(hover.markdown.contains(&row), "{}", hover.markdown);
    }
    let log = observed.log.lock().unwrap();
    let lowered = log.iter().filter(|query| query.starts_with("lowered(")).count();
    assert_eq!(lowered, 1, "{log:?}");
}

#[test]
fn removing_a_file_computes_nothing_and_a_shader_has_no_kernels_to_evict() {
    let mut observed = Observed::new();
    observed.set("a.tgsi", Language::Tgsi, VERTEX);
    observed.ask();
    let file = observed.files[0];
    observed.host.remove_file(file);
    assert!(observed.log.lock().unwrap().is_empty(), "{:?}", observed.log);
    assert_eq!(observed.host.take_removed(), [file]);
    observed.host.snapshot().evict_caches(file).unwrap();
    let evicted = observed.log.lock().unwrap().clone();
    let ran = |name: &str| evicted.iter().any(|query| query.starts_with(name));
    assert!(ran("regions("), "{evicted:?}");
    assert!(!ran("own_reading") && !ran("program") && !ran("kernels"), "{evicted:?}");

    observed.set("a.tgsi", Language::Tgsi, VERTEX);
    observed.log.lock().unwrap().clear();
    observed.host.snapshot().evict_caches(file).unwrap();
    assert!(observed.log.lock().unwrap().is_empty(), "it was added again");
}
