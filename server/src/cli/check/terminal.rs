//! Findings for people: with the lines that they are about.

use std::io;

use codespan_reporting::diagnostic::{self as report, Label};
use codespan_reporting::term;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use text::{Diagnostic, Severity};

use super::severity;
use crate::cli::files::{Place, SourceFile};
use crate::cli::output::{Output, colours_on};

/// Prints findings with the lines they are about.
pub(super) fn print(
    file: &SourceFile,
    diagnostics: &[Diagnostic],
    output: &mut Output,
) -> io::Result<()> {
    let mut written = Vec::new();
    if output.colours() {
        write_reports(file, diagnostics, &mut Ansi::new(&mut written))?;
    } else {
        write_reports(file, diagnostics, &mut NoColor::new(&mut written))?;
    }
    output.text(&String::from_utf8_lossy(&written))
}

/// Says on standard error what is wrong, with the lines it is about.
pub(in crate::cli) fn complain_of(file: &SourceFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let stderr = io::stderr();
    if colours_on(&stderr) {
        write_reports(file, diagnostics, &mut Ansi::new(stderr.lock()))
    } else {
        write_reports(file, diagnostics, &mut NoColor::new(stderr.lock()))
    }
}

fn write_reports(
    file: &SourceFile,
    diagnostics: &[Diagnostic],
    writer: &mut impl WriteColor,
) -> io::Result<()> {
    let config = term::Config::default();
    for diagnostic in diagnostics {
        let drawn = is_drawable(file, diagnostic)
            && match term::emit_to_write_style(writer, &config, file, &report(file, diagnostic)) {
                Ok(()) => true,
                Err(codespan_reporting::files::Error::Io(error)) => return Err(error),
                Err(_) => false,
            };
        if !drawn {
            let Place { line, column, .. } = file.place(diagnostic.range);
            let severity = severity(diagnostic.severity);
            let (name, code, message) = (&file.name, diagnostic.code.0, &diagnostic.message);
            writeln!(writer, "{name}:{line}:{column}: {severity}[{code}]: {message}")?;
        }
    }
    Ok(())
}

/// A longer line says nothing to the reader, and each finding would repeat it.
const LONGEST_DRAWN: usize = 1000;

fn is_drawable(file: &SourceFile, diagnostic: &Diagnostic) -> bool {
    let ranges = diagnostic.related.iter().map(|related| related.range);
    ranges.chain([diagnostic.range]).all(|range| {
        let (first, last) = (file.line(range.start()), file.line(range.end()));
        last - first < 100 && (first..=last).all(|line| file.line_text(line).len() < LONGEST_DRAWN)
    })
}

fn report(file: &SourceFile, diagnostic: &Diagnostic) -> report::Diagnostic<()> {
    let mut labels = vec![Label::primary((), bounded(file, diagnostic.range))];
    labels.extend(diagnostic.related.iter().map(|related| {
        Label::secondary((), bounded(file, related.range)).with_message(&related.message)
    }));
    let notes = diagnostic.fixes.iter().map(|fix| format!("fix: {}", fix.title)).collect();
    report::Diagnostic::new(match diagnostic.severity {
        Severity::Error => report::Severity::Error,
        Severity::Warning => report::Severity::Warning,
        Severity::Hint => report::Severity::Help,
    })
    .with_code(diagnostic.code.0)
    .with_message(&diagnostic.message)
    .with_labels(labels)
    .with_notes(notes)
}

/// The range within the text: the printer refuses any other.
fn bounded(file: &SourceFile, range: text::TextRange) -> std::ops::Range<usize> {
    let length = file.text.len();
    usize::from(range.start()).min(length)..usize::from(range.end()).min(length)
}

/// What was found in all files.
#[derive(Debug, Default)]
pub(super) struct Counts {
    errors: usize,
    warnings: usize,
    hints: usize,
}

impl Counts {
    /// Counts the findings of a file.
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
        let count = |number: usize, word: &str| match number {
            1 => format!("1 {word}"),
            _ => format!("{number} {word}s"),
        };
        eprintln!(
            "{}, {}, {} in {}",
            count(self.errors, "error"),
            count(self.warnings, "warning"),
            count(self.hints, "hint"),
            count(files, "file")
        );
    }
}
