//! Statements about what is legal: a program is checked, and has these diagnostics.

use gcn::Target;
use source::{ColumnUnit, Diagnostic, LineIndex, Severity};
use tests::bench::Bench;

use super::table;

/// An engine that checks the programs of all rows.
pub(super) struct Judge {
    bench: Bench,
}

impl Judge {
    pub(super) fn new() -> Judge {
        Judge { bench: Bench::new(vec![Target::default()]) }
    }

    /// Compares the errors and warnings with a cell: `clean`, or `LINE code` of each.
    pub(super) fn check(&mut self, program: &str, expected: &str) -> Result<(), String> {
        let found = self.found(program, |it| it != Severity::Hint);
        let wanted: Vec<&str> = expected.split(" / ").filter(|it| *it != "clean").collect();
        if found == wanted { Ok(()) } else { Err(format!("found {}", found.join(" / "))) }
    }

    /// Looks for diagnostics, hints among them, `LINE code` of each.
    pub(super) fn told(&mut self, program: &str, expected: &str) -> Result<(), String> {
        let found = self.found(program, |_| true);
        match expected.split(" / ").find(|wanted| !found.iter().any(|it| it == wanted)) {
            None => Ok(()),
            Some(_) => Err(format!("found {}", found.join(" / "))),
        }
    }

    fn found(&mut self, program: &str, wanted: fn(Severity) -> bool) -> Vec<String> {
        let text = table::program(program);
        let file = self.bench.open("statement.tgsi", &text);
        let diagnostics = self.bench.host.snapshot().diagnostics(file).unwrap_or_default();
        let lines = LineIndex::new(&text);
        let line =
            |it: &Diagnostic| lines.line_column(&text, it.range.start(), ColumnUnit::Utf8).line + 1;
        // The compiler has checks of its own, which look at what it is given.
        let of_language = |it: &'static str| it.strip_prefix("tgsi::");
        let mut found: Vec<(u32, &str)> = (diagnostics.iter())
            .filter(|it| wanted(it.severity))
            .filter_map(|it| Some((line(it), of_language(it.code.0)?)))
            .collect();
        found.sort_unstable();
        found.iter().map(|(line, code)| format!("{line} {code}")).collect()
    }
}
