//! Shaders in source files, logs and captures: the cases of `records/sources.md`.

use std::fmt::Write as _;
use std::path::Path;

use source::{ColumnUnit, LineIndex, Severity, TextSize, no_checkpoint};

use crate::regions::{Region, split};
use crate::{holes, parser, validate};

/// The fence of a block.
const FENCE: &str = "~~~";

/// The diagnostics of a region, in positions of its file.
fn diagnostics(region: &Region, file: &str) -> Vec<source::Diagnostic> {
    let text = region.text(file);
    let mut all = match holes::has_holes(text) {
        true => holes::diagnostics(text, &no_checkpoint),
        false => {
            let parse = parser::parse(text, &no_checkpoint);
            let rules = parse.shader.iter().flat_map(|shader| validate(shader, &no_checkpoint));
            rules.chain(parse.diagnostics.iter().cloned()).collect()
        }
    };
    all.sort_by_key(|diagnostic| diagnostic.range.start());
    all.into_iter().map(|diagnostic| region.map().diagnostic_to_file(diagnostic)).collect()
}

/// The shaders and diagnostics of a file, one a line.
fn found(file: &str) -> String {
    let lines = LineIndex::new(file);
    let place = |offset: TextSize| {
        let at = lines.line_column(file, offset, ColumnUnit::Utf32);
        format!("{}:{}", at.line + 1, at.column + 1)
    };
    let regions = split(file);
    let mut out = String::new();
    for region in &regions.shaders {
        let stage = region.text(file).split_whitespace().next().unwrap_or_default();
        let last = lines.line(region.range().end()) + 1;
        let _ = writeln!(out, "{} {stage} to line {last}", place(region.range().start()));
        for it in diagnostics(region, file).iter().filter(|it| it.severity != Severity::Hint) {
            let severity = if it.severity == Severity::Error { "error" } else { "warning" };
            let _ = writeln!(
                out,
                "{} {severity} {} `{}`",
                place(it.range.start()),
                it.code.0,
                &file[it.range]
            );
        }
    }
    for it in &regions.diagnostics {
        let _ = writeln!(out, "{} {:?} {}", place(it.range.start()), it.severity, it.code.0);
    }
    out
}

#[test]
fn sources_logs_and_captures_show_their_shaders() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("records/sources.md");
    let suite = std::fs::read_to_string(&path).expect("the suite");
    let (mut updated, mut wrong, mut count) = (String::new(), String::new(), 0);
    let mut lines = suite.lines();
    let (mut name, mut file) = ("", String::new());
    while let Some(line) = lines.next() {
        let _ = writeln!(updated, "{line}");
        name = line.strip_prefix("## ").unwrap_or(name);
        let Some(kind) = line.strip_prefix(FENCE) else { continue };
        let body = lines.by_ref().take_while(|line| *line != FENCE);
        let body: String = body.flat_map(|line| [line, "\n"]).collect();
        if kind == "found" {
            count += 1;
            let found = found(&file);
            if found != body {
                let _ = writeln!(wrong, "{name}\n{found}");
            }
            updated += &found;
        } else {
            updated += &body;
            file = body.replace('␛', "\x1b");
        }
        let _ = writeln!(updated, "{FENCE}");
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).expect("writable");
        return;
    }
    assert!(count >= 40, "only {count} cases");
    assert!(wrong.is_empty(), "{wrong}");
}
