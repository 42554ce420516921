//! `LIMITS.md` says what the constants say, and names every limit of the two lists.

use std::collections::BTreeMap;
use std::path::Path;

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
        server::limits::REQUEST_MEMORY,
        server::limits::MEMORY_OF_A_BYTE,
        server::limits::FILES_READ_AT_ONCE,
        server::limits::FOLDER_FILES,
        server::limits::FOLDER_NAMES,
        server::limits::FOLDER_FILE_BYTES,
        server::limits::FOLDER_BYTES,
        server::limits::COMPILER_FAILURES,
        source::MAX_TEXT_LENGTH,
        source::MAX_DIAGNOSTICS,
        gcn::object::MAX_BYTES,
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
        gcn::limits::NAMES_COMPARED,
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
