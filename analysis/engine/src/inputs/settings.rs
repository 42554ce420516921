//! Settings of users and projects, as plain data.

use std::sync::Arc;

use gcn::Target;
use gcn::assembler::Dialect;
use lower::Environment;
use source::Severity;
use tgsi::profiles::Profile;

use super::{Build, Compiler};

/// Everything that is set for files: for all of them, or for those of one project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The targets that shaders are compiled for, where a file does not say it; the first
    /// is the main one.
    pub targets: Vec<Target>,
    /// Builds that are made of shaders besides, whatever a file says.
    pub extra_builds: Vec<Build>,
    /// The compilers; the first is the one whose costs are shown. LLVM where there is none.
    pub compilers: Vec<Compiler>,
    /// True if shaders are compiled at all: false where there is no compiler.
    pub compile: bool,
    /// The settings of assembly.
    pub assembly: AssemblySettings,
    /// The rules that count beside those of the language.
    pub rules: RuleSettings,
    /// The state that shaders are compiled for, where a file does not say it.
    pub environment: Environment,
    /// On what shaders are run.
    pub run: RunSettings,
    /// Limits for what code costs.
    pub budgets: Vec<Budget>,
}

/// A limit for what code costs on a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Budget {
    /// The chip.
    pub target: Target,
    /// The limit.
    pub limit: BudgetLimit,
}

/// A limit for one of the figures of a shader or kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BudgetLimit {
    /// At least so many waves on a SIMD.
    Waves(u32),
    /// At most so many vector registers used.
    Vgprs(u32),
    /// At most so many clocks of a wave that is alone.
    Clocks(u32),
}

/// Settings for assembly files, where a file does not say it itself.
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

/// Rules that count beside those of the language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleSettings {
    /// The driver that shaders are judged for, where a file does not say it.
    pub profile: Option<Arc<Profile>>,
    /// The reader of TGSI that decides what is an error, where a file does not say it;
    /// any reader's text is taken without it.
    pub dialect: Option<&'static tgsi::dialects::Dialect>,
    /// The host of virglrenderer that shaders are judged for, by its name.
    pub host: Option<Arc<str>>,
    /// Codes of diagnostics that are not shown, errors excepted.
    pub allow: Vec<String>,
    /// Codes of diagnostics and how grave they are, errors excepted.
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
