//! The salsa database and its inputs. Everything else is a pure function of these, and
//! these know nothing of it.

mod answers;
mod builds;
mod results;
mod settings;

use std::sync::Arc;

pub use builds::{Build, Compiler};
pub use editor_model::FileId;
use gcn::Target;
use lower::Environment;
use salsa::Setter;

pub use answers::{HostAnswer, HostOutcome};
pub use results::{Baseline, JobKey, KeptInstruction, KeptStatement};
pub(crate) use results::{CompileSlotState, CompilerOutput, LastGood, LastProgram};
pub use settings::{AssemblySettings, Budget, BudgetLimit, RuleSettings, RunSettings, Settings};

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// TGSI text, perhaps in a driver's log.
    Tgsi,
    /// GCN assembly.
    Gcn,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::Tgsi, Language::Gcn];
}

/// Endings of the names of sources in languages that have string literals, which may hold
/// shaders.
const SOURCES: [&str; 19] = [
    "rs", "go", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "py", "js", "mjs", "cjs", "jsx",
    "ts", "tsx", "swift", "zig",
];

/// Tells whether a file is a source of another language, where all but the shaders in it is for
/// other tools.
pub fn is_source(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| SOURCES.iter().any(|source| ending.eq_ignore_ascii_case(source)))
}

/// The file that a name in another one means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Include<F = FileId> {
    /// This one.
    Found(F),
    /// There is none.
    Missing,
    /// Lies where files may not be read from.
    Outside,
}

impl<F> Include<F> {
    /// The file, if there is one.
    pub fn found(self) -> Option<F> {
        match self {
            Include::Found(file) => Some(file),
            Include::Missing | Include::Outside => None,
        }
    }

    /// The same with another file in its place.
    pub fn and_then<G>(self, other: impl FnOnce(F) -> Option<G>) -> Include<G> {
        match self {
            Include::Found(file) => other(file).map_or(Include::Missing, Include::Found),
            Include::Missing => Include::Missing,
            Include::Outside => Include::Outside,
        }
    }
}

impl From<Option<FileId>> for Include {
    fn from(found: Option<FileId>) -> Include {
        found.map_or(Include::Missing, Include::Found)
    }
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
#[salsa::input(debug)]
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
    pub(crate) slots: Arc<[CompileSlot]>,
    /// The files that the names in its `.include` directives mean, as far as somebody has
    /// looked.
    #[returns(clone)]
    pub(crate) includes: Arc<[(Arc<str>, Include<File>)]>,
    /// A file that includes it.
    #[returns(copy)]
    pub(crate) includer: Option<File>,
    /// Its settings: those of all files, or those of its project.
    #[returns(copy)]
    pub(crate) settings: FileSettings,
    /// The pipelines that it is a part of: the files of each, in order.
    #[returns(clone)]
    pub(crate) pipelines: Arc<[Arc<[File]>]>,
    /// The answers of hosts about its shaders.
    #[returns(clone)]
    pub(crate) answers: Arc<[HostAnswer]>,
    /// The results that its next program need not compute again; set once.
    #[returns(clone)]
    pub(crate) last_program: LastProgram,
}

/// The place where the results of one shader and build arrive.
#[salsa::input(debug)]
pub(crate) struct CompileSlot {
    #[returns(copy)]
    pub(crate) shader: usize,
    #[returns(copy)]
    pub(crate) build: Build,
    #[returns(clone)]
    pub(crate) state: Arc<CompileSlotState>,
    /// The result that the user pinned to compare later results with.
    #[returns(clone)]
    pub(crate) baseline: Option<Arc<Baseline>>,
}

/// [`Settings`] as an input. Salsa tracks each field apart: compiling does not depend on
/// the rules, and shaders do not depend on what is set for assembly.
#[salsa::input(debug)]
pub(crate) struct FileSettings {
    #[returns(deref)]
    pub(crate) targets: Vec<Target>,
    #[returns(deref)]
    pub(crate) extra_builds: Vec<Build>,
    #[returns(deref)]
    pub(crate) compilers: Vec<Compiler>,
    #[returns(copy)]
    pub(crate) compile: bool,
    #[returns(ref)]
    pub(crate) assembly: AssemblySettings,
    #[returns(ref)]
    pub(crate) rules: RuleSettings,
    #[returns(copy)]
    pub(crate) environment: Environment,
    #[returns(ref)]
    pub(crate) run: RunSettings,
    #[returns(deref)]
    pub(crate) budgets: Vec<Budget>,
}

impl FileSettings {
    /// Settings with these values.
    pub(crate) fn with(db: &Database, settings: Settings) -> FileSettings {
        let Settings {
            targets,
            extra_builds,
            mut compilers,
            compile,
            assembly,
            rules,
            environment,
            run,
            budgets,
        } = settings;
        if compilers.is_empty() {
            compilers.push(Compiler::default());
        }
        FileSettings::new(
            db,
            targets,
            extra_builds,
            compilers,
            compile,
            assembly,
            rules,
            environment,
            run,
            budgets,
        )
    }

    /// Their values.
    pub(crate) fn values(self, db: &Database) -> Settings {
        Settings {
            targets: self.targets(db).to_vec(),
            extra_builds: self.extra_builds(db).to_vec(),
            compilers: self.compilers(db).to_vec(),
            compile: self.compile(db),
            assembly: self.assembly(db).clone(),
            rules: self.rules(db).clone(),
            environment: self.environment(db),
            run: self.run(db).clone(),
            budgets: self.budgets(db).to_vec(),
        }
    }

    /// Takes new values; nothing is computed again for those that stay.
    pub(crate) fn replace(self, db: &mut Database, mut new: Settings) {
        if new.compilers.is_empty() {
            new.compilers.push(Compiler::default());
        }
        let old = self.values(db);
        macro_rules! replace {
            ($($field:ident by $set:ident;)*) => {$(
                if old.$field != new.$field {
                    self.$set(db).to(new.$field);
                }
            )*}
        }
        replace! {
            targets by set_targets;
            extra_builds by set_extra_builds;
            compilers by set_compilers;
            compile by set_compile;
            assembly by set_assembly;
            rules by set_rules;
            environment by set_environment;
            run by set_run;
            budgets by set_budgets;
        }
    }
}
