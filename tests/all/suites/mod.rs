//! The literate suites in `suites/`: one test for each file, whose cases are its headings.
//!
//! `TUNGSTEN_UPDATE_SUITES=1 cargo test -p tests suites` writes what was found into the
//! `diagnostics` and `fixed` blocks. `TUNGSTEN_SUITE` chooses the cases whose suite or heading
//! contains it. Machine code is checked with every libLLVM on this machine.

mod program;
mod shader;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use shader::Benches;
use source::{LineIndex, TextSize};
use tests::bench::{Bench, libraries};
use tests::literate::{Block, missing_pattern, read};

/// A test for each suite, by the name of its file.
macro_rules! suites {
    ($($name:ident),+ $(,)?) => {
        $(
            #[test]
            #[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
            fn $name() {
                run(stringify!($name));
            }
        )+

        const NAMES: &[&str] = &[$(stringify!($name)),+];
    };
}

suites! {
    codes,
    compiling,
    compute,
    costs,
    dumps,
    environment,
    diagnostics,
    fragment,
    geometry,
    history,
    merged,
    opcodes,
    programs,
    registers,
    services,
    spirv,
    tessellation,
    validation,
    vertex,
    views,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites")
}

#[test]
fn every_suite_has_a_test() {
    let files = std::fs::read_dir(folder()).expect("a folder").flatten().map(|it| it.path());
    let suites = files.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let stem = |path: PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let found: BTreeSet<String> = suites.map(stem).collect();
    assert_eq!(found, NAMES.iter().map(|name| (*name).to_owned()).collect());
}

/// Checks the cases of a suite that are chosen.
fn run(name: &str) {
    let path = folder().join(name).with_extension("md");
    let text = std::fs::read_to_string(&path).expect("readable");
    let chosen = std::env::var("TUNGSTEN_SUITE").ok();
    let wanted = |name: &str| chosen.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let libraries = libraries();
    assert!(!libraries.is_empty(), "no libLLVM on this machine");
    let mut benches = Benches::new();
    let mut updated = text.clone();
    let (mut passed, mut failed) = (0, String::new());
    // From the last to the first, so that what is written moves no block to come.
    for case in read(&text).iter().rev().filter(|case| wanted(name) || wanted(&case.name)) {
        let result = match case.block("asm") {
            Some(program) => program::check_program(case, program, &mut updated),
            None => shader::check(case, &libraries, &mut benches, &mut updated),
        };
        match result {
            Ok(()) => passed += 1,
            Err(message) => {
                let _ = writeln!(failed, "{name}.md:{} {}\n{message}", case.line, case.name);
            }
        }
    }
    if updated != text && std::env::var_os("TUNGSTEN_UPDATE_SUITES").is_some() {
        std::fs::write(&path, updated).expect("writable");
    }
    eprintln!("{passed} cases of {name}.md");
    assert!(failed.is_empty(), "{failed}");
    assert!(passed > 0 || chosen.is_some(), "no case was read");
}

/// Compares what was found with a block, and writes it there for an update.
fn compare(block: &Block, found: &str, suite: &mut String) -> Result<(), String> {
    if found == block.text {
        return Ok(());
    }
    replace_block(suite, block, found);
    if std::env::var_os("TUNGSTEN_UPDATE_SUITES").is_none() {
        return Err(format!("found:\n{found}expected:\n{}", block.text));
    }
    Ok(())
}

/// The offset that a block's argument names.
fn place(text: &str, block: &Block) -> Result<TextSize, String> {
    let (line, column) = block.place().ok_or("the block wants LINE:COLUMN")?;
    let lines = LineIndex::new(text);
    let line = lines.line_range(line.saturating_sub(1)).ok_or("there is no such line")?;
    Ok(line.start() + TextSize::new(column.saturating_sub(1)))
}

fn check_hover(
    bench: &Bench,
    file: engine::FileId,
    text: &str,
    block: &Block,
) -> Result<(), String> {
    let hover = bench.host.snapshot().hover(file, place(text, block)?).unwrap_or_default();
    let mut markdown = hover.as_ref().map(|hover| hover.markdown.clone()).unwrap_or_default();
    for link in hover.iter().flat_map(|hover| &hover.links) {
        let _ = write!(markdown, "\nlink: {}", link.title);
    }
    match missing_pattern(&markdown, &block.text) {
        Some(pattern) => Err(format!("`{pattern}` is missing, or out of order, in\n{markdown}")),
        None => Ok(()),
    }
}

fn check_completion(
    bench: &Bench,
    file: engine::FileId,
    text: &str,
    block: &Block,
) -> Result<(), String> {
    let offset = place(text, block)?;
    let found = bench.host.snapshot().completion(file, offset).unwrap_or_default();
    let labels: Vec<String> =
        found.into_iter().flat_map(|found| found.items).map(|item| item.label).collect();
    for line in block.text.lines() {
        let (label, wanted) = match line.strip_prefix('!') {
            Some(label) => (label, false),
            None => (line, true),
        };
        if labels.iter().any(|it| it == label) != wanted {
            let verb = if wanted { "is not offered" } else { "is offered" };
            return Err(format!("`{label}` {verb}: {}", labels.join(" ")));
        }
    }
    Ok(())
}

/// Writes what was found into the suite's text, in which nothing before the
/// block has changed.
fn replace_block(suite: &mut String, block: &Block, text: &str) {
    // The fence's line goes before the block's text.
    let start: usize = suite.split_inclusive('\n').take(block.line).map(str::len).sum();
    suite.replace_range(start..start + block.text.len(), text);
}
