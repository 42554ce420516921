//! The findings of a run, in the format that was asked for.

use std::io;

use engine::{FileId, Snapshot};
use serde_json::Value;
use text::Diagnostic;

use super::terminal::Counts;
use super::{Format, annotations, json, terminal};
use crate::cli::files::SourceFile;
use crate::cli::output::Output;

/// Writes the findings of one file after the other.
pub(super) struct Report {
    format: Format,
    counts: Counts,
    /// The results of a SARIF log, which is one document.
    results: Vec<Value>,
}

impl Report {
    /// A report without findings.
    pub(super) fn new(format: Format) -> Report {
        Report { format, counts: Counts::default(), results: Vec::new() }
    }

    /// Writes the findings of a file, or keeps them until the end.
    pub(super) fn file(
        &mut self,
        file: &SourceFile,
        snapshot: &Snapshot,
        id: FileId,
        findings: &[Diagnostic],
        output: &mut Output,
    ) -> io::Result<()> {
        self.counts.add(findings);
        match self.format {
            Format::Text => terminal::print(file, findings, output),
            Format::Json => json::print(file, snapshot, id, findings, output),
            Format::Github => annotations::github(file, findings, output),
            Format::Sarif => {
                let results = findings.iter().map(|finding| annotations::result(file, finding));
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
