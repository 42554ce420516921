//! Diagnostics for people: with the lines that they are about.

use std::io;

use codespan_reporting::diagnostic::{self as report, Label};
use codespan_reporting::term;
use codespan_reporting::term::termcolor::WriteColor;
use source::{Diagnostic, Printable, Severity};

use super::severity;
use crate::cli::files::{Drawn, LineColumnRange, SourceFile};
use crate::cli::output::{Output, conclude, counted, drawing_on_error, name_at_line_start};

/// Prints diagnostics with the lines they are about.
pub(super) fn print(
    file: &SourceFile,
    diagnostics: &[Diagnostic],
    output: &mut Output,
) -> io::Result<()> {
    write_reports(file, diagnostics, &mut output.drawing())
}

/// Says on standard error what is wrong, with the lines it is about.
pub(in crate::cli) fn complain_of(file: &SourceFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
    write_reports(file, diagnostics, &mut drawing_on_error())
}

fn write_reports(
    file: &SourceFile,
    diagnostics: &[Diagnostic],
    writer: &mut impl WriteColor,
) -> io::Result<()> {
    if diagnostics.is_empty() {
        return Ok(());
    }
    let config = term::Config::default();
    let drawn_file = Drawn::of(file);
    for diagnostic in diagnostics {
        let drawn = is_drawable(file, diagnostic)
            && match term::emit_to_write_style(
                writer,
                &config,
                &drawn_file,
                &report(&drawn_file, diagnostic),
            ) {
                Ok(()) => true,
                Err(codespan_reporting::files::Error::Io(error)) => return Err(error),
                Err(_) => false,
            };
        if !drawn {
            let LineColumnRange { line, column, .. } = file.place(diagnostic.range);
            let severity = severity(diagnostic.severity);
            let (name, code) = (name_at_line_start(&file.name), diagnostic.code.0);
            let message = Printable::line(&diagnostic.message);
            writeln!(writer, "{name}:{line}:{column}: {severity}[{code}]: {message}")?;
        }
    }
    Ok(())
}

/// A longer line says nothing to the reader, and each diagnostic would repeat it.
const LONGEST_DRAWN: usize = 1000;

fn is_drawable(file: &SourceFile, diagnostic: &Diagnostic) -> bool {
    let ranges = diagnostic.related.iter().map(|related| related.range);
    ranges.chain([diagnostic.range]).all(|range| {
        let (first, last) = (file.line(range.start()), file.line(range.end()));
        last - first < 100 && (first..=last).all(|line| file.line_text(line).len() < LONGEST_DRAWN)
    })
}

fn report(file: &Drawn<'_>, diagnostic: &Diagnostic) -> report::Diagnostic<()> {
    let mut labels = vec![Label::primary((), file.range(diagnostic.range))];
    labels.extend(diagnostic.related.iter().map(|related| {
        Label::secondary((), file.range(related.range)).with_message(line(&related.message))
    }));
    let notes = diagnostic.fixes.iter().map(|fix| format!("fix: {}", line(&fix.title))).collect();
    report::Diagnostic::new(match diagnostic.severity {
        Severity::Error => report::Severity::Error,
        Severity::Warning => report::Severity::Warning,
        Severity::Hint => report::Severity::Help,
    })
    .with_code(diagnostic.code.0)
    .with_message(line(&diagnostic.message))
    .with_labels(labels)
    .with_notes(notes)
}

fn line(message: &str) -> String {
    Printable::line(message).into_string()
}

/// The counts of what was found in all files.
#[derive(Debug, Default)]
pub(super) struct Counts {
    errors: usize,
    warnings: usize,
    hints: usize,
}

impl Counts {
    /// Counts the diagnostics of a file.
    pub(super) fn add(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Hint => self.hints += 1,
            }
        }
    }

    /// Says on standard error how many there were.
    pub(super) fn print(&self, files: usize) {
        conclude(&format!(
            "{}, {}, {} in {}",
            counted(self.errors, "error"),
            counted(self.warnings, "warning"),
            counted(self.hints, "hint"),
            counted(files, "file")
        ));
    }
}
