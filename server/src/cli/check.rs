//! `tungsten check`: what is wrong with files.

mod annotations;
mod budgets;
mod changes;
mod fixing;
mod json;
mod opened;
mod pool;
mod reading;
mod report;
mod stages;
mod terminal;
mod watch;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Mutex;

use clap::ValueEnum;
use engine::{AssemblySettings, RuleSettings, Settings};
use gcn::Target;
use gcn::assembler::Dialect;
use source::{Diagnostic, Severity};
use tgsi::dialects::Dialect as Reader;
use thiserror::Error;

use super::files::SourceFile;
use super::named::Named;
use super::output::{Output, hide_progress, show_progress};
use super::{Status, Stop, complain, failed, profiles, read_targets};
use crate::configuration::{Configuration, symbol, unknown_dialect};
use crate::settings::ANY_DIALECT;
use budgets::{Budgets, Held};
use changes::Changes;
use opened::{Opener, Outcome};
use reading::{Subject, Subjects};
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
    let mut changes = Changes::asked(arguments)?;
    let mut subjects = Subjects::new(&named, wishes);
    let mut run = Run {
        status: named.complain_of_rest(),
        report: Report::new(
            if arguments.json { Format::Json } else { arguments.format },
            &arguments.deny,
        ),
        display: Display::of(named.files.len()),
        checked: 0,
        output,
    };
    let compiler = budgets::arguments();
    let budgets = Mutex::new(Budgets::new(&compiler));
    let opener = || Opener::new(arguments, wishes);
    let threads = pool::threads(named.files.len());
    dependencies.join(if changes.is_some() || arguments.pipeline || threads < 2 {
        run.in_turn(&mut subjects, opener(), &budgets, changes.as_mut())?
    } else {
        let hand_on = |subject: &Subject<'_>, outcome| {
            run.count_file();
            Ok(run.take(&subject.file, outcome)?)
        };
        pool::check(threads, &mut subjects, opener, &budgets, hand_on)?
    });
    run.display.hide();
    if subjects.unreadable > 0 {
        run.status = Status::Failed;
    }
    run.report.end(run.checked, run.output)?;
    if let Some(changes) = changes {
        changes.conclude();
    }
    dependencies.join(subjects.dependencies);
    Ok(run.status)
}

/// A run over files as far as it has come.
struct Run<'a> {
    status: Status,
    report: Report,
    display: Display,
    checked: usize,
    output: &'a mut Output,
}

impl Run<'_> {
    /// Checks one file after the other, and changes them where that is asked. Where they are a
    /// pipeline, checks them together.
    fn in_turn<'a>(
        &mut self,
        subjects: &mut Subjects<'a>,
        mut opener: Opener<'a>,
        budgets: &Mutex<Budgets<'_>>,
        mut changes: Option<&mut Changes>,
    ) -> Result<Dependencies, Stop> {
        let mut stages = Vec::new();
        for subject in subjects {
            self.count_file();
            let opened = opener.open(&subject);
            let Subject { path, mut file, .. } = subject;
            if let Some(changes) = &mut changes {
                self.display.hide();
                let ended;
                (file, ended) = match changes.make(&mut opener, &opened, file, self.output) {
                    Err(Stop::Failed) => {
                        self.status = Status::Failed;
                        opener.close(opened);
                        continue;
                    }
                    changed => changed?,
                };
                self.status = self.status.max(ended);
            }
            let outcome = opener.judge(&opened, budgets);
            if let Some(changes) = &mut changes {
                changes.leave(outcome.diagnostics.as_deref().unwrap_or_default());
            }
            match &changes {
                Some(changes) if changes.takes_output(path) => self.take_aside(&file, outcome)?,
                _ => self.take(&file, outcome)?,
            }
            let id = opened.id;
            opener.close(opened);
            if opener.keeps_files() {
                stages.push((id, file));
            }
        }
        self.display.hide();
        if opener.keeps_files() {
            let found = stages::check(&opener.host, &stages, &mut self.report, self.output)?;
            self.status = self.status.max(found);
        }
        Ok(opener.dependencies)
    }

    fn count_file(&mut self) {
        self.checked += 1;
        self.display.step();
    }

    /// Writes the diagnostics of a file.
    fn take(&mut self, file: &SourceFile, outcome: Outcome) -> io::Result<()> {
        let context = outcome.context;
        match self.judge(file, outcome.diagnostics, outcome.held) {
            Some(diagnostics) => self.report.file(file, &context, &diagnostics, self.output),
            None => Ok(()),
        }
    }

    /// Tells of the diagnostics of a file whose text takes standard output.
    fn take_aside(&mut self, file: &SourceFile, outcome: Outcome) -> io::Result<()> {
        match self.judge(file, outcome.diagnostics, outcome.held) {
            Some(diagnostics) => self.report.aside(file, &diagnostics),
            None => Ok(()),
        }
    }

    /// Judges the run by the diagnostics of a file. Returns them with the severities of `--deny`.
    fn judge(
        &mut self,
        file: &SourceFile,
        diagnostics: Option<Vec<Diagnostic>>,
        held: Held,
    ) -> Option<Vec<Diagnostic>> {
        self.display.hide();
        if held == Held::No {
            self.status = Status::Failed;
        }
        let Some(mut diagnostics) = diagnostics else {
            complain(format_args!("{}: the analysis was cancelled", file.name));
            self.status = Status::Failed;
            return None;
        };
        self.report.deny(&mut diagnostics);
        if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            self.status = self.status.max(Status::Bad);
        }
        Some(diagnostics)
    }
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
