//! The diagnostics of a run, in the format that was asked for.

use std::io;

use serde_json::Value;
use source::{Diagnostic, Severity};

use super::json::Context;
use super::terminal::Counts;
use super::{Format, annotations, json, terminal};
use crate::cli::files::SourceFile;
use crate::cli::output::Output;

/// The word of `--deny` for every warning.
pub(super) const ALL_WARNINGS: &str = "warnings";

/// Writes the diagnostics of one file after the other.
pub(super) struct Report {
    /// The codes that count as errors, with or without their language.
    denied: Vec<String>,
    format: Format,
    counts: Counts,
    /// The results of a SARIF log, which is one document.
    results: Vec<Value>,
}

impl Report {
    /// A report without diagnostics.
    pub(super) fn new(format: Format, denied: &[String]) -> Report {
        let denied = denied.to_vec();
        Report { denied, format, counts: Counts::default(), results: Vec::new() }
    }

    /// Makes errors of what the user does not want.
    pub(super) fn deny(&self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics {
            let code = diagnostic.code.0;
            let short = super::without_language(code);
            let is_warning = diagnostic.severity == Severity::Warning;
            let is_denied =
                |word: &String| word == code || word == short || is_warning && word == ALL_WARNINGS;
            if self.denied.iter().any(is_denied) {
                diagnostic.severity = Severity::Error;
            }
        }
    }

    /// Writes the diagnostics of a file, or keeps them until the end.
    pub(super) fn file(
        &mut self,
        file: &SourceFile,
        context: &Context,
        diagnostics: &[Diagnostic],
        output: &mut Output,
    ) -> io::Result<()> {
        self.counts.add(diagnostics);
        match self.format {
            Format::Text => terminal::print(file, diagnostics, output),
            Format::Json => json::print(file, context, diagnostics, output),
            Format::Github => annotations::github(file, diagnostics, output),
            Format::Sarif => {
                let results =
                    diagnostics.iter().map(|diagnostic| annotations::result(file, diagnostic));
                self.results.extend(results);
                Ok(())
            }
        }
    }

    /// Says on standard error what is wrong with a file whose text takes standard output.
    pub(super) fn aside(&mut self, file: &SourceFile, found: &[Diagnostic]) -> io::Result<()> {
        self.counts.add(found);
        terminal::complain_of(file, found)
    }

    /// Writes what comes after the last file.
    pub(super) fn end(self, files: usize, output: &mut Output) -> io::Result<()> {
        match self.format {
            Format::Text | Format::Github => {
                // What it sums up comes first, also where both streams are a terminal.
                output.flush()?;
                self.counts.print(files);
                Ok(())
            }
            Format::Json => Ok(()),
            Format::Sarif => output.json(&annotations::log(self.results)),
        }
    }
}
