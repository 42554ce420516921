//! Which shaders of a folder are not executed, and why: one line for each
//! reason with the number of shaders, then the totals. Files that the parser
//! finds errors in are not counted.
//!
//! `cargo run -p run --example refused -- FOLDER`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use run::Program;
use text::Severity;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.extend(path.extension().is_some_and(|it| it == "tgsi").then_some(path)),
        }
    }
}

fn main() {
    let mut paths = Vec::new();
    for folder in std::env::args().skip(1) {
        files(Path::new(&folder), &mut paths);
    }
    paths.sort();
    let mut reasons: BTreeMap<String, (usize, PathBuf)> = BTreeMap::new();
    let (mut accepted, mut executed) = (0, 0);
    for path in paths {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for region in &tgsi::regions::split(&text).shaders {
            let parse = tgsi::parser::parse(region.text(&text), &text::no_checkpoint);
            let Some(shader) = parse.shader else { continue };
            if parse.diagnostics.iter().any(|it| it.severity == Severity::Error) {
                continue;
            }
            accepted += 1;
            match Program::prepare(&shader) {
                Ok(_) => executed += 1,
                Err(refusal) => {
                    reasons.entry(refusal.message).or_insert((0, path.clone())).0 += 1;
                }
            }
        }
    }
    for (reason, (count, path)) in reasons {
        eprintln!("{count:>5}  {reason}  ({})", path.display());
    }
    eprintln!("{executed} of {accepted} shaders without errors are executed");
}
