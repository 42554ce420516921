//! `LIMITS.md` says what the constants say, and names every limit of the two lists. What is
//! beyond those of a file is told.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use engine::{Host, Language, Settings};
use source::Severity;

/// Names and values, from the constants themselves.
macro_rules! limits {
    ($($name:path),* $(,)?) => {
        [$((stringify!($name), u64::try_from($name).expect("not negative"))),*]
    };
}

fn constants() -> BTreeMap<String, u64> {
    let listed = limits![
        server::limits::MESSAGE_BYTES,
        server::limits::HEADER_BYTES,
        server::limits::OPEN_REQUESTS,
        server::limits::REQUEST_SECONDS,
        server::limits::ANSWER_ENTRIES,
        server::limits::ANSWER_COSTS,
        server::limits::ANSWER_TOKENS,
        server::limits::SELECTION_DEPTH,
        server::limits::REQUEST_MEMORY,
        server::limits::MEMORY_OF_A_BYTE,
        server::limits::ORDINARY_MEMORY,
        server::limits::EXPANSION_MEMORY,
        server::limits::FILES_READ_AT_ONCE,
        server::limits::FOLDER_FILES,
        server::limits::FOLDER_NAMES,
        server::limits::FOLDER_PATTERN_BYTES,
        server::limits::FOLDER_FILE_BYTES,
        server::limits::FOLDER_BYTES,
        server::limits::ADVICE_SECONDS,
        server::limits::PROOF_SECONDS,
        server::limits::REMEMBERED_ADVICE,
        server::limits::COMPILER_FAILURES,
        source::MAX_TEXT_LENGTH,
        source::MAX_SHADERS,
        source::MAX_DIAGNOSTICS,
        gcn::object::MAX_BYTES,
        gcn::object::MAX_FILE,
        gcn::object::MAX_UNPACKED,
        gcn::object::MAX_ENTRIES,
        tgsi::tokens::MAX_BYTES,
        gcn::limits::EXPANSION_DEPTH,
        gcn::limits::EXPANSION_LINES,
        gcn::limits::EXPANSION_BYTES,
        gcn::limits::EXPANSION_WORK,
        gcn::limits::EXPANDED_TEXT,
        gcn::limits::EXPANSION_PROBLEMS,
        gcn::limits::MISSING_FILES,
        gcn::limits::EXPRESSION_DEPTH,
        gcn::limits::SYMBOL_DEPTH,
        gcn::limits::SYMBOL_WORK,
        gcn::limits::EXPRESSION_BYTES,
        gcn::limits::SCOPES,
        gcn::limits::NEAR_NAMES,
        gcn::limits::BROKEN_LINES,
        gcn::limits::NAMES_COMPARED,
        gcn::limits::KERNELS,
        gcn::limits::EDITED_INSTRUCTIONS,
        gcn::limits::EXPLAINED_WAITS,
        tgsi_interp::inputs::MOST_REGISTERS,
        tgsi_interp::inputs::MOST_TEXELS,
    ];
    let compiler = llvm::Limits::default();
    let others = [
        ("tgsi_interp::Limits::steps", tgsi_interp::Limits::default().steps),
        ("llvm::Limits::LONGEST", llvm::Limits::LONGEST.as_secs()),
        ("llvm::Limits::memory", compiler.memory),
    ];
    let all = listed.into_iter().chain(others);
    all.map(|(name, value)| (name.replace(' ', ""), value)).collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../server").join(path))
        .expect("readable")
}

#[test]
fn the_table_says_what_the_constants_say() {
    let page = read("LIMITS.md");
    let rows = page.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, _, value, _, name, _] = fields.as_slice() else { return None };
        Some((name.strip_prefix('`')?.strip_suffix('`')?.to_owned(), value.replace(',', "")))
    });
    let told: BTreeMap<String, u64> =
        rows.map(|(name, value)| (name, value.parse().expect("a number"))).collect();
    assert_eq!(told, constants());
}

#[test]
fn every_limit_of_the_lists_is_in_the_table() {
    let known = constants();
    for (path, room) in [("src/limits.rs", "server"), ("../analysis/gcn/src/limits.rs", "gcn")] {
        let source = read(path);
        let names = source.lines().filter_map(|line| line.strip_prefix("pub const "));
        let names: Vec<&str> = names.filter_map(|rest| rest.split(':').next()).collect();
        assert!(names.len() > 5, "{path}");
        for name in names {
            assert!(known.contains_key(&format!("{room}::limits::{name}")), "{path}: {name}");
        }
    }
}

/// Returns what an engine says of a text, and of the costs of its code, in severities and messages.
fn told(language: Language, name: &str, text: &str) -> Vec<(Severity, String)> {
    let mut host = Host::new(Settings { compile: false, ..Settings::default() });
    let file = host.set_file(name, Arc::from(text), language);
    let snapshot = host.snapshot();
    let of_text = snapshot.diagnostics(file).expect("nothing cancels it");
    let of_costs = snapshot.cost_diagnostics(file).expect("nothing cancels it");
    let all = of_text.iter().chain(of_costs.iter());
    all.map(|it| (it.severity, it.message.clone())).collect()
}

#[test]
fn a_file_that_is_too_large_is_told_so() {
    let text = " ".repeat(source::MAX_TEXT_LENGTH + 1);
    for (language, name) in [(Language::Tgsi, "a.tgsi"), (Language::Gcn, "a.s")] {
        let told = told(language, name, &text);
        let [(Severity::Error, message)] = told.as_slice() else { panic!("{told:?}") };
        assert!(message.contains("larger than 32 MiB"), "{message}");
    }
}

#[test]
fn the_first_of_too_many_shaders_and_kernels_are_looked_at() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n";
    let shaders =
        |more: usize| told(Language::Tgsi, "a.tgsi", &shader.repeat(source::MAX_SHADERS + more));
    let count = |found: &[(Severity, String)], words: &str| {
        found.iter().filter(|(_, message)| message.contains(words)).count()
    };
    assert_eq!(count(&shaders(0), "of the file are analysed"), 0);
    let found = shaders(3);
    assert_eq!(count(&found, "only the first 10000 shaders of the file are analysed"), 1);
    assert_eq!(count(&found, "analysed, not the 3 after them"), 1);

    let kernels = |more: usize| {
        let kernel = |it: usize| format!(".type k{it},@function\nk{it}:\n s_endpgm\n");
        let text: String = (0..gcn::limits::KERNELS + more).map(kernel).collect();
        told(Language::Gcn, "a.s", &format!("{}{text}", tests::measure::CHIP))
    };
    assert_eq!(count(&kernels(0), "costs are computed"), 0);
    assert_eq!(count(&kernels(2), "for the first 2000 kernels, not for the 2 after them"), 1);
}
