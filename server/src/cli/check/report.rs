//! The diagnostics of a run, in the format that was asked for.

use std::io;

use engine::{FileId, Snapshot};
use serde_json::Value;
use source::Diagnostic;

use super::terminal::Counts;
use super::{Format, annotations, json, terminal};
use crate::cli::files::SourceFile;
use crate::cli::output::Output;

/// Writes the diagnostics of one file after the other.
pub(super) struct Report {
    format: Format,
    counts: Counts,
    /// The results of a SARIF log, which is one document.
    results: Vec<Value>,
}

impl Report {
    /// A report without diagnostics.
    pub(super) fn new(format: Format) -> Report {
        Report { format, counts: Counts::default(), results: Vec::new() }
    }

    /// Writes the diagnostics of a file, or keeps them until the end.
    pub(super) fn file(
        &mut self,
        file: &SourceFile,
        snapshot: &Snapshot,
        id: FileId,
        diagnostics: &[Diagnostic],
        output: &mut Output,
    ) -> io::Result<()> {
        self.counts.add(diagnostics);
        match self.format {
            Format::Text => terminal::print(file, diagnostics, output),
            Format::Json => json::print(file, snapshot, id, diagnostics, output),
            Format::Github => annotations::github(file, diagnostics, output),
            Format::Sarif => {
                let results =
                    diagnostics.iter().map(|diagnostic| annotations::result(file, diagnostic));
                self.results.extend(results);
                Ok(())
            }
        }
    }

    /// Writes what comes after the last file.
    pub(super) fn end(self, files: usize, output: &mut Output) -> io::Result<()> {
        match self.format {
            Format::Text | Format::Github => {
                self.counts.print(files);
                Ok(())
            }
            Format::Json => Ok(()),
            Format::Sarif => output.json(&annotations::log(self.results)),
        }
    }
}
