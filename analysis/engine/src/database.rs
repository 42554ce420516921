//! The salsa database and its inputs. Everything else is a pure function of
//! these.

use std::sync::Arc;

use gcn::Target;
use gcn::assembler::Dialect;
use lower::Environment;
use text::Severity;
use tgsi::profiles::Profile;

use crate::compile::SlotState;
use crate::host::FileId;
use crate::ide::Baseline;
use crate::programs::LastProgram;

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// TGSI text, perhaps in a driver's log.
    Tgsi,
    /// GCN assembly.
    Gcn,
}

/// What the user set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The targets that shaders are compiled for; the first is the main one.
    pub targets: Vec<Target>,
    /// Whether shaders are compiled at all: false where there is no compiler.
    pub compile: bool,
}

/// What the user set for assembly files, where a file does not say it itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssemblySettings {
    /// The chip of files that name none.
    pub target: Option<Target>,
    /// The assembly language of every file.
    pub dialect: Option<Dialect>,
    /// Symbols that have a value from the start, as a command line gives them. Of two of
    /// a name the last counts.
    pub symbols: Vec<(String, i64)>,
}

/// Which rules count beside those of the language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleSettings {
    /// The driver that shaders are judged for, where a file does not say it.
    pub profile: Option<Arc<Profile>>,
    /// The reader of TGSI that decides what is an error, where a file does not say it;
    /// any reader's text is taken without it.
    pub dialect: Option<&'static tgsi::dialects::Dialect>,
    /// Codes of findings that are not shown, errors excepted.
    pub allow: Vec<String>,
    /// Codes of findings and how grave they are, errors excepted.
    pub severities: Vec<(String, Severity)>,
}

/// On what shaders are run, where a file does not say it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunSettings {
    /// The name or path of a file of inputs; without it only shaders run that name one.
    pub inputs: Option<String>,
    /// The invocation whose values are shown, from 0; else the file of inputs says it.
    pub lane: Option<usize>,
}

/// What the user set for one file: for the files of one project, say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileSettings {
    /// The targets that its shaders are compiled for; the first is the main one.
    pub targets: Vec<Target>,
    /// What counts if it is assembly.
    pub assembly: AssemblySettings,
    /// The rules it is judged by.
    pub rules: RuleSettings,
    /// The state that its shaders are compiled for, where it does not say so.
    pub environment: Environment,
    /// On what its shaders are run.
    pub run: RunSettings,
}

/// The storage of every query. Cloning it makes a handle for another thread;
/// a write waits until all other handles are dropped.
#[salsa::db]
#[derive(Clone, Default)]
pub(crate) struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Database")
    }
}

#[cfg(test)]
impl Database {
    /// A database that calls `observe` with the name of each query it executes.
    pub(crate) fn observed(observe: impl Fn(String) + Send + Sync + 'static) -> Self {
        let callback = move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                observe(format!("{database_key:?}"));
            }
        };
        Database { storage: salsa::Storage::new(Some(Box::new(callback))) }
    }
}

/// An open or read file.
#[salsa::input]
pub(crate) struct File {
    /// The host's number for it.
    #[returns(copy)]
    pub(crate) id: FileId,
    /// Its path or URI.
    #[returns(clone)]
    pub(crate) name: Arc<str>,
    #[returns(clone)]
    pub(crate) text: Arc<str>,
    #[returns(copy)]
    pub(crate) language: Language,
    /// The results of compile jobs: one per shader and target that ever
    /// compiled. Inputs cannot be deleted, so slots are used again.
    #[returns(clone)]
    pub(crate) slots: Arc<[Slot]>,
    /// What the names in its `.include` directives mean, as far as somebody has
    /// looked; no file where there is none.
    #[returns(clone)]
    pub(crate) includes: Arc<[(Arc<str>, Option<File>)]>,
    /// Those names among them whose files are not to be read.
    #[returns(clone)]
    pub(crate) outside: Arc<[Arc<str>]>,
    /// A file that includes it.
    #[returns(copy)]
    pub(crate) includer: Option<File>,
    /// Its own settings; those of all files where there are none.
    #[returns(clone)]
    pub(crate) own: Option<Arc<FileSettings>>,
    /// The pipelines that it is a part of: the files of each, in order.
    #[returns(clone)]
    pub(crate) pipelines: Arc<[Arc<[File]>]>,
    /// What its next program need not compute again; set once.
    #[returns(clone)]
    pub(crate) last_program: LastProgram,
}

/// Where the results of one shader and target arrive.
#[salsa::input]
pub(crate) struct Slot {
    #[returns(copy)]
    pub(crate) shader: usize,
    #[returns(copy)]
    pub(crate) target: Target,
    #[returns(clone)]
    pub(crate) state: Arc<SlotState>,
    /// What the user pinned to compare later results with.
    #[returns(clone)]
    pub(crate) baseline: Option<Arc<Baseline>>,
}

/// The settings as an input.
#[salsa::input(singleton)]
pub(crate) struct Configuration {
    #[returns(clone)]
    pub(crate) settings: Arc<Settings>,
}

/// The settings for assembly files as an input of their own: other files do not
/// depend on them.
#[salsa::input(singleton)]
pub(crate) struct Assembly {
    #[returns(clone)]
    pub(crate) settings: Arc<AssemblySettings>,
}

/// The state that shaders are compiled for as an input of its own.
#[salsa::input(singleton)]
pub(crate) struct State {
    #[returns(copy)]
    pub(crate) environment: Environment,
}

/// The rules as an input of their own: compiling does not depend on them.
#[salsa::input(singleton)]
pub(crate) struct Rules {
    #[returns(clone)]
    pub(crate) settings: Arc<RuleSettings>,
}

/// On what shaders are run, as an input of its own: only the runs depend on it.
#[salsa::input(singleton)]
pub(crate) struct Runs {
    #[returns(clone)]
    pub(crate) settings: Arc<RunSettings>,
}

/// The targets that a file's shaders are compiled for; the first is the main one.
pub(crate) fn targets(db: &dyn salsa::Database, file: File) -> Vec<Target> {
    match file.own(db) {
        Some(own) => own.targets.clone(),
        None => Configuration::get(db).settings(db).targets.clone(),
    }
}

/// The state that a file's shaders are compiled for, as far as it is set outside.
pub(crate) fn environment(db: &dyn salsa::Database, file: File) -> Environment {
    match file.own(db) {
        Some(own) => own.environment,
        None => State::get(db).environment(db),
    }
}

/// The settings of a file, if it is assembly.
pub(crate) fn assembly_settings(db: &dyn salsa::Database, file: File) -> AssemblySettings {
    match file.own(db) {
        Some(own) => own.assembly.clone(),
        None => Assembly::get(db).settings(db).as_ref().clone(),
    }
}

/// The rules that a file is judged by.
pub(crate) fn rule_settings(db: &dyn salsa::Database, file: File) -> RuleSettings {
    match file.own(db) {
        Some(own) => own.rules.clone(),
        None => Rules::get(db).settings(db).as_ref().clone(),
    }
}

/// On what a file's shaders are run, as far as it is set outside.
pub(crate) fn run_settings(db: &dyn salsa::Database, file: File) -> RunSettings {
    match file.own(db) {
        Some(own) => own.run.clone(),
        None => Runs::get(db).settings(db).as_ref().clone(),
    }
}
