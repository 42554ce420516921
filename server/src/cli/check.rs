//! `tungsten check`: what is wrong with files.

mod annotations;
mod budgets;
mod changes;
mod fixing;
mod json;
mod opened;
mod report;
mod stages;
mod terminal;
mod watch;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::ValueEnum;
use engine::{AssemblySettings, Language, RuleSettings, Settings};
use gcn::Target;
use gcn::assembler::Dialect;
use source::Severity;
use tgsi::dialects::Dialect as Reader;
use thiserror::Error;

use super::files::SourceFile;
use super::named::Named;
use super::output::{Output, hide_progress, show_progress};
use super::{Status, Stop, complain, failed, profiles, read_targets};
use crate::configuration::{Configuration, symbol, unknown_dialect};
use crate::language;
use crate::settings::ANY_DIALECT;
use budgets::{Budgets, Held};
use changes::Changes;
use opened::Opener;
use report::Report;
pub(super) use terminal::complain_of;
use watch::Dependencies;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files and folders to check; `-` is standard input, folders are searched as git sees them
    #[arg(required_unless_present = "workspace", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check every shader and assembly file of the current folder
    #[arg(long)]
    workspace: bool,
    /// Check again whenever a file changes, until interrupted
    #[arg(long)]
    watch: bool,
    /// Alias of `--format json`
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
    /// Form of the diagnostics
    #[arg(long, default_value = "text")]
    format: Format,
    /// The chips to check for; assembly that names none is checked for the first
    #[arg(long, value_delimiter = ',', value_name = "TARGET")]
    target: Vec<String>,
    /// The assembly language of every file, llvm or clrx, or the reader of TGSI that
    /// decides what is an error, such as mesa-21 or virglrenderer; auto takes those of any
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<String>,
    /// A folder to look in for included files, beside those around each file
    #[arg(long, short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// A symbol of assembly files with a value
    #[arg(long = "defsym", value_name = "NAME=VALUE", value_parser = symbol)]
    symbols: Vec<(String, i64)>,
    /// The driver to check for: a name of `tungsten profiles`, or a file
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Diagnostics that are not shown, by their code
    #[arg(long, value_delimiter = ',', value_name = "CODE", value_parser = code)]
    allow: Vec<String>,
    /// Diagnostics that count as errors, by their code; `warnings` are all warnings
    #[arg(long, value_delimiter = ',', value_name = "CODE", value_parser = denied)]
    deny: Vec<String>,
    /// Make the fixes that are sure, again and again until none is left, and show the rest;
    /// with `-` the fixed text goes to standard output
    #[arg(long, group = "changing", conflicts_with = "watch")]
    fix: bool,
    /// Make also fixes that guess what was meant, or that lose comments
    #[arg(long, requires = "changing")]
    unsafe_fixes: bool,
    /// Show what `--fix` would change, and write nothing; exit status 1 if that is anything
    #[arg(long, group = "changing", conflicts_with_all = ["watch", "json", "format"])]
    diff: bool,
    /// Take all shaders of the files in order as the stages of one pipeline
    #[arg(long)]
    pipeline: bool,
}

/// A code that no diagnostic has, and the one that was probably meant.
#[derive(Debug, Error)]
#[error("no diagnostic has this code{}", .0.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default())]
struct UnknownCode(Option<&'static str>);

/// Reads the code of a diagnostic, with or without its language.
fn code(word: &str) -> Result<String, UnknownCode> {
    let names = || engine::codes().flat_map(|code| [code, without_language(code)]);
    match names().any(|name| name == word) {
        true => Ok(word.to_owned()),
        false => Err(UnknownCode(source::closest_match(word, names()))),
    }
}

/// Reads what is denied: a code, or all warnings.
fn denied(word: &str) -> Result<String, UnknownCode> {
    if word == report::ALL_WARNINGS { Ok(word.to_owned()) } else { code(word) }
}

/// A code without its language.
fn without_language(code: &'static str) -> &'static str {
    code.split_once("::").map_or(code, |(_, short)| short)
}

/// The form in which diagnostics are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// With the lines they are about
    Text,
    /// One JSON object per diagnostic
    Json,
    /// One SARIF 2.1.0 log, as code scanners exchange it
    Sarif,
    /// Workflow commands that GitHub shows beside the lines
    Github,
}

/// Files of one run at which a terminal is shown how far it is.
const MANY: usize = 20;

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    if arguments.watch {
        return watch::run(arguments, output);
    }
    let wishes = Wishes::read(arguments)?;
    once(arguments, &wishes, &mut Dependencies::default(), output)
}

/// The settings that the arguments make for all files.
struct Wishes {
    targets: Vec<Target>,
    /// A target that nobody asked for is a guess.
    asked: bool,
    assembly: AssemblySettings,
    rules: RuleSettings,
    /// The reader of TGSI, if one is named; none is any.
    reader: Option<Option<&'static Reader>>,
}

impl Wishes {
    /// Complains of what is not understood.
    fn read(arguments: &Arguments) -> Result<Wishes, Stop> {
        let targets = read_targets(&arguments.target)?;
        let name = arguments.dialect.as_deref();
        let dialect = name.and_then(Dialect::find);
        let reader = match name {
            Some(ANY_DIALECT) => Some(None),
            Some(name) => Reader::find(name).map(Some),
            None => None,
        };
        if let (Some(name), None, None) = (name, dialect, reader) {
            return Err(failed(format_args!(
                "{}; no assembly language is called so either: llvm or clrx",
                unknown_dialect(name)
            )));
        }
        let asked = !arguments.target.is_empty();
        let target = targets.first().copied().filter(|_| asked);
        let assembly = AssemblySettings { target, dialect, symbols: arguments.symbols.clone() };
        let rules = RuleSettings {
            profile: arguments.profile.as_deref().map(profiles::find).transpose()?,
            dialect: reader.flatten(),
            allow: arguments.allow.clone(),
            ..RuleSettings::default()
        };
        Ok(Wishes { targets, asked, assembly, rules, reader })
    }

    /// The settings for files of a project: what the arguments say counts more.
    fn over(&self, project: &Configuration) -> Settings {
        let assembly = &self.assembly;
        let mut rules = project.rules.clone();
        rules.profile = self.rules.profile.clone().or(rules.profile);
        rules.dialect = self.reader.unwrap_or(rules.dialect);
        rules.allow.extend(self.rules.allow.iter().cloned());
        Settings {
            targets: if self.asked { self.targets.clone() } else { project.targets.clone() },
            assembly: AssemblySettings {
                target: assembly.target.or(project.assembly.target),
                dialect: assembly.dialect.or(project.assembly.dialect),
                // The last of a name counts.
                symbols: [&*project.assembly.symbols, &assembly.symbols].concat(),
            },
            rules,
            environment: project.environment,
            run: project.run.clone(),
            extra_builds: project.budgets.iter().map(|budget| budget.target.into()).collect(),
            compile: !project.budgets.is_empty(),
            budgets: project.budgets.clone(),
            ..Settings::default()
        }
    }
}

/// Checks every file once, and notes what that depends on.
fn once(
    arguments: &Arguments,
    wishes: &Wishes,
    dependencies: &mut Dependencies,
    output: &mut Output,
) -> Result<Status, Stop> {
    let named = Named::by(&arguments.files);
    let mut status = named.complain_of_rest();
    let mut opener = Opener::new(arguments, wishes, named.folders(), dependencies);
    let mut report =
        Report::new(if arguments.json { Format::Json } else { arguments.format }, &arguments.deny);
    let mut changes = Changes::asked(arguments)?;
    let mut stages = Vec::new();
    let mut display = Display::of(named.files.len());
    let compiler = budgets::arguments();
    let mut budgets = Budgets::new(&compiler);
    let mut checked = 0;
    for path in &named.files {
        display.step();
        opener.note(path);
        let targets = if wishes.asked { &*wishes.targets } else { &[] };
        let Ok(mut file) = SourceFile::read_for(path, targets) else {
            status = Status::Failed;
            continue;
        };
        if file.language == Language::Gcn && language::is_foreign(&file.name, &file.text) {
            // In a folder nobody named it.
            if named.names(path) {
                complain(format_args!("{}: assembly of another machine, not checked", file.name));
            }
            continue;
        }
        checked += 1;
        let opened = opener.open(path, &file);
        if let Some(changes) = &mut changes {
            display.hide();
            let changed = changes.make(&mut opener, &opened, file, output);
            let (now, ended) = match changed {
                Err(Stop::Failed) => {
                    status = Status::Failed;
                    opener.close(opened);
                    continue;
                }
                changed => changed?,
            };
            file = now;
            status = status.max(ended);
        }
        if budgets.compile(&mut opener.host, &opened) == Held::No {
            status = Status::Failed;
        }
        let snapshot = opener.host.snapshot();
        let Ok(mut diagnostics) = snapshot.all_diagnostics(opened.id) else {
            complain(format_args!("{}: the analysis was cancelled", file.name));
            status = Status::Failed;
            continue;
        };
        report.deny(&mut diagnostics);
        if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            status = status.max(Status::Bad);
        }
        display.hide();
        match &changes {
            Some(changes) if changes.takes_output(path) => report.aside(&file, &diagnostics)?,
            _ => report.file(&file, &snapshot, opened.id, &diagnostics, output)?,
        }
        if let Some(changes) = &mut changes {
            changes.leave(&diagnostics);
        }
        // A change of the engine waits for every snapshot.
        drop(snapshot);
        let id = opened.id;
        opener.close(opened);
        if arguments.pipeline {
            stages.push((id, file));
        }
    }
    display.hide();
    if arguments.pipeline {
        status = status.max(stages::check(&opener.host, &stages, &mut report, output)?);
    }
    report.end(checked, output)?;
    if let Some(changes) = changes {
        changes.conclude();
    }
    Ok(status)
}

/// The progress of a run over many files, on a terminal.
struct Display {
    done: usize,
    all: usize,
    shown: bool,
}

impl Display {
    fn of(all: usize) -> Display {
        let seen = all >= MANY && io::stderr().is_terminal();
        Display { done: 0, all: if seen { all } else { 0 }, shown: false }
    }

    fn step(&mut self) {
        self.done += 1;
        // A terminal is slower than a check.
        if self.all > 0 && self.done.is_multiple_of(8) {
            show_progress(&format!("{} of {} files", self.done, self.all));
            self.shown = true;
        }
    }

    fn hide(&mut self) {
        if std::mem::take(&mut self.shown) {
            hide_progress();
        }
    }
}

/// The word for a severity.
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}
