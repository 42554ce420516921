//! `tungsten check`: what is wrong with files.

use std::io;
use std::path::{Path, PathBuf};

use codespan_reporting::diagnostic::{self as report, Label};
use codespan_reporting::term;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use engine::{
    AssemblySettings, Cancelled, FileId, Host, Language, RuleSettings, Settings, Snapshot,
};
use gcn::assembler::Dialect;
use serde::Serialize;
use text::{Diagnostic, Severity};

use super::files::{Place, SourceFile};
use super::output::{Output, colours_on};
use super::{Status, complain, profiles, read_targets};
use crate::{includes, language};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object per finding
    #[arg(long)]
    json: bool,
    /// The chips to check for; assembly that names none is checked for the first
    #[arg(long, value_delimiter = ',', value_name = "TARGET")]
    target: Vec<String>,
    /// The assembly language of every file: llvm or clrx
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<String>,
    /// A folder to look in for included files, beside those around each file
    #[arg(long, short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// The driver to check for: a name of `tungsten profiles`, or a file
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Findings that are not shown, by their code
    #[arg(long, value_delimiter = ',', value_name = "CODE")]
    allow: Vec<String>,
    /// Take all shaders of the files in order as the stages of one pipeline
    #[arg(long)]
    pipeline: bool,
}

/// A finding as scripts read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    file: &'a str,
    language: &'static str,
    dialect: Option<&'static str>,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace,
    shader: Option<usize>,
    related: Vec<Related<'a>>,
    fixes: Vec<Fix<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonPlace {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Debug, Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    place: JsonPlace,
    message: &'a str,
}

#[derive(Debug, Serialize)]
struct Fix<'a> {
    title: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Debug, Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    place: JsonPlace,
    insert: &'a str,
}

impl From<Place> for JsonPlace {
    fn from(place: Place) -> JsonPlace {
        let Place { line, column, end_line, end_column } = place;
        JsonPlace { line, column, end_line, end_column }
    }
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let Some(targets) = read_targets(&arguments.target) else { return Ok(Status::Failed) };
    let mut status = Status::Good;
    let dialect = match arguments.dialect.as_deref().map(|name| (name, Dialect::find(name))) {
        Some((name, None)) => {
            complain(format_args!("no assembly language is called `{name}`: llvm or clrx"));
            return Ok(Status::Failed);
        }
        found => found.and_then(|(_, dialect)| dialect),
    };
    // A target that nobody asked for is a guess.
    let target = targets.first().copied().filter(|_| !arguments.target.is_empty());
    let mut host = Host::new(Settings { targets, compile: false });
    host.set_assembly_settings(AssemblySettings { target, dialect });
    let profile = match profiles::chosen(arguments.profile.as_ref()) {
        Ok(profile) => profile,
        Err(status) => return Ok(status),
    };
    host.set_rule_settings(RuleSettings { profile, allow: arguments.allow.clone() });
    let mut counts = Counts::default();
    let mut stages = Vec::new();
    for path in &arguments.files {
        let Some(file) = SourceFile::read(path) else {
            status = Status::Failed;
            continue;
        };
        if file.language == Language::Gcn && language::is_foreign(&file.name, &file.text) {
            complain(format_args!("{}: assembly of another machine, not checked", file.name));
            continue;
        }
        let id = host.set_file(&file.name, file.text.clone(), file.language);
        if file.language == Language::Gcn {
            bring_includes(&mut host, id, path, &arguments.include);
        }
        let snapshot = host.snapshot();
        let Ok(diagnostics) = snapshot.all_findings(id) else {
            complain(format_args!("{}: the analysis was cancelled", file.name));
            status = Status::Failed;
            continue;
        };
        if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            status = status.max(Status::Bad);
        }
        counts.add(&diagnostics);
        if arguments.json {
            print_json(&file, &snapshot, id, &diagnostics, output)?;
        } else {
            print(&file, &diagnostics, output)?;
        }
        // A change of the engine waits for every snapshot.
        drop(snapshot);
        match arguments.pipeline {
            true => stages.push((id, file)),
            false => host.remove_file(id),
        }
    }
    if arguments.pipeline {
        status = status.max(check_pipeline(&host, &stages, arguments, &mut counts, output)?);
    }
    if !arguments.json {
        counts.print(arguments.files.len());
    }
    Ok(status)
}

/// Prints what is wrong between the stages of a pipeline that stands in
/// several files; one file has said it already.
fn check_pipeline(
    host: &Host,
    stages: &[(FileId, SourceFile)],
    arguments: &Arguments,
    counts: &mut Counts,
    output: &mut Output,
) -> io::Result<Status> {
    let files: Vec<FileId> = stages.iter().map(|(id, _)| *id).collect();
    let snapshot = host.snapshot();
    let Ok(Some(found)) = snapshot.link(&files) else {
        complain("the shaders are no pipeline: each stage once, in order, and at least two");
        return Ok(Status::Failed);
    };
    if stages.len() < 2 {
        return Ok(Status::Good);
    }
    for (id, file) in stages {
        let here = found.iter().filter(|(place, _)| place == id);
        let mut here: Vec<Diagnostic> = here.map(|(_, finding)| finding.clone()).collect();
        here.sort_by_key(|finding| finding.range.start());
        counts.add(&here);
        match arguments.json {
            true => print_json(file, &snapshot, *id, &here, output)?,
            false => print(file, &here, output)?,
        }
    }
    Ok(Status::Good)
}

/// Rounds of looking for included files: each may bring files that include others.
const ROUNDS: usize = 64;

/// Gives the engine the files that a file includes, as far as they are found.
fn bring_includes(host: &mut Host, id: FileId, path: &Path, folders: &[PathBuf]) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for _ in 0..ROUNDS {
        let wanted = host.snapshot().wanted_includes(id).unwrap_or_default();
        if wanted.is_empty() {
            return;
        }
        let mut known = host.includes(id);
        for name in wanted {
            let found = includes::find(&path, &name, folders).map(|found| {
                let path = found.path.display().to_string();
                host.set_file(&path, found.text.into(), Language::Gcn)
            });
            known.push((name, found));
        }
        host.set_includes(id, known);
    }
}

fn print_json(
    file: &SourceFile,
    snapshot: &Snapshot,
    id: FileId,
    diagnostics: &[Diagnostic],
    output: &mut Output,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        let place = |range| JsonPlace::from(file.place(range));
        output.json(&Finding {
            file: &file.name,
            language: language::name(file.language),
            dialect: snapshot.reading(id).ok().flatten().map(|reading| reading.dialect.name()),
            code: diagnostic.code.0,
            severity: severity(diagnostic.severity),
            message: &diagnostic.message,
            place: place(diagnostic.range),
            shader: shader_of(snapshot, id, diagnostic).unwrap_or(None),
            related: diagnostic
                .related
                .iter()
                .map(|it| Related { place: place(it.range), message: &it.message })
                .collect(),
            fixes: diagnostic
                .fixes
                .iter()
                .map(|fix| {
                    let edits = fix.edits.iter();
                    let edits = edits
                        .map(|edit| Edit { place: place(edit.range), insert: &edit.insert })
                        .collect();
                    Fix { title: &fix.title, edits }
                })
                .collect(),
        })?;
    }
    Ok(())
}

fn shader_of(
    snapshot: &Snapshot,
    id: FileId,
    diagnostic: &Diagnostic,
) -> Result<Option<usize>, Cancelled> {
    snapshot.shader_at(id, diagnostic.range.start())
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

/// Prints findings with the lines they are about.
fn print(file: &SourceFile, diagnostics: &[Diagnostic], output: &mut Output) -> io::Result<()> {
    let mut written = Vec::new();
    if output.colours() {
        write_reports(file, diagnostics, &mut Ansi::new(&mut written))?;
    } else {
        write_reports(file, diagnostics, &mut NoColor::new(&mut written))?;
    }
    output.text(&String::from_utf8_lossy(&written))
}

/// Says on standard error what is wrong, with the lines it is about.
pub(super) fn complain_of(file: &SourceFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
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
struct Counts {
    errors: usize,
    warnings: usize,
    hints: usize,
}

impl Counts {
    fn add(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Hint => self.hints += 1,
            }
        }
    }

    fn print(&self, files: usize) {
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
