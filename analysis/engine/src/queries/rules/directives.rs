//! Lines `# tungsten: key=value` of a file, which decide before the settings do:
//!
//! | key | holds for |
//! |---|---|
//! | `target=CHIP,CHIP` | the shader that it stands in or, between shaders, the next one: the chips that it is compiled for; the first is the main one |
//! | `profile=NAME` | the same: the driver that it is judged for |
//! | `dialect=NAME` | the same: the reader of TGSI that decides what is an error, or `auto` |
//! | `allow=CODE,CODE` | on a line of its own the statement that follows, behind a statement what begins in that line, between shaders the whole next shader |
//! | `allow-file=CODE,CODE` | the whole file |
//! | `run=FILE` | as `target`: the file of inputs that it is run on, to show values |
//! | `lane=N` | as `target`: the invocation whose values are shown |
//!
//! All other keys are those of the state that a shader is compiled for. Errors are not to
//! be allowed: a shader with an error is not read completely.

use std::sync::Arc;

use gcn::Target;
use lower::Environment;
use lower::environment_keys::{KEYS, SetError};
use salsa::Database;
use source::{Diagnostic, TextRange};
use tgsi::dialects::Dialect;
use tgsi::directives::Directive;
use tgsi::profiles::Profile;

use super::{dialects, pipelines};
use crate::inputs::{Build, Compiler, File};
use crate::queries::codes::{DIRECTIVE, TARGET as UNKNOWN_TARGET};
use crate::queries::{execution, shaders};

pub(crate) const TARGET: &str = "target";
pub(crate) const PROFILE: &str = "profile";
pub(crate) const DIALECT: &str = "dialect";
pub(crate) const RUN: &str = "run";
pub(crate) const LANE: &str = "lane";
pub(super) const ALLOW: &str = "allow";
pub(super) const ALLOW_FILE: &str = "allow-file";

/// The keys that are none of the state.
const OWN_KEYS: [&str; 7] = [TARGET, PROFILE, DIALECT, ALLOW, ALLOW_FILE, RUN, LANE];

/// The settings that stand in lines of a file.
#[salsa::tracked(returns(clone))]
pub(crate) fn directives(db: &dyn Database, file: File) -> Arc<Vec<Directive>> {
    Arc::new(tgsi::directives::directives(&file.text(db)))
}

/// The value of a key in the last line of a shader that is understood.
pub(super) fn last_value<T>(
    db: &dyn Database,
    file: File,
    shader: usize,
    key: &str,
    understand: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let directives = directives(db, file);
    if directives.is_empty() {
        return None;
    }
    let regions = shaders::regions(db, file);
    directives.iter().rev().find_map(|directive| {
        let here = directive.key == key && shader_of(&regions, directive.comment) == Some(shader);
        understand(&directive.values.first().filter(|_| here)?.0)
    })
}

/// The targets that a shader is compiled for; the first is the main one. Those that its
/// file names are replaced by none: where no chip of that name is known there is none.
#[salsa::tracked(returns(clone))]
pub(crate) fn targets(db: &dyn Database, file: File, shader: usize) -> Arc<[Target]> {
    let settings = file.settings(db);
    let named = targets_named(db, file, shader);
    let mut targets = named.unwrap_or_else(|| settings.targets(db).to_vec());
    for extra in settings.extra_builds(db) {
        if extra.compiler == Compiler::Llvm && !targets.contains(&extra.target) {
            targets.push(extra.target);
        }
    }
    Arc::from(targets)
}

/// The builds of a shader: each target by each compiler, and those that somebody looks at
/// besides. The first is the main one.
#[salsa::tracked(returns(clone))]
pub(crate) fn builds(db: &dyn Database, file: File, shader: usize) -> Arc<[Build]> {
    let settings = file.settings(db);
    let named = targets_named(db, file, shader);
    let targets = named.unwrap_or_else(|| settings.targets(db).to_vec());
    let compilers = settings.compilers(db);
    let own = targets.iter().flat_map(|target| {
        compilers.iter().map(|compiler| Build { target: *target, compiler: *compiler })
    });
    let mut builds: Vec<Build> = own.collect();
    for extra in settings.extra_builds(db) {
        if !builds.contains(extra) {
            builds.push(*extra);
        }
    }
    Arc::from(builds)
}

/// The build that a shader has before all others.
pub(crate) fn main_build(db: &dyn Database, file: File, shader: usize) -> Option<Build> {
    builds(db, file, shader).first().copied()
}

/// The target that a shader is compiled for before all others.
pub(crate) fn main_target(db: &dyn Database, file: File, shader: usize) -> Option<Target> {
    main_build(db, file, shader).map(|build| build.target)
}

/// The last line of a key that holds for a shader.
pub(crate) fn last_directive(
    db: &dyn Database,
    file: File,
    shader: usize,
    key: &str,
) -> Option<Directive> {
    let directives = directives(db, file);
    let mut found = directives.iter().rev().filter(|directive| directive.key == key);
    found.find(|it| shader_of_directive(db, file, it) == Some(shader)).cloned()
}

/// The targets that the last line about them names; `None` without such a line.
pub(crate) fn targets_named(db: &dyn Database, file: File, shader: usize) -> Option<Vec<Target>> {
    let last = last_directive(db, file, shader, TARGET)?;
    let mut targets: Vec<Target> = Vec::new();
    for target in last.values.iter().filter_map(|(name, _)| Target::find(name)) {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    Some(targets)
}

/// The state that a shader is compiled for: that of the settings and of its place in
/// the pipeline that its file holds, with what the lines of settings in it or before
/// it change.
#[salsa::tracked(returns(copy))]
pub(crate) fn environment(db: &dyn Database, file: File, shader: usize) -> Environment {
    let mut environment = file.settings(db).environment(db);
    if environment.next_stage == Environment::default().next_stage
        && let Some(next) = pipelines::next_stage(db, file, shader)
    {
        environment.next_stage = next;
    }
    let directives = directives(db, file);
    if directives.is_empty() {
        return environment;
    }
    let regions = shaders::regions(db, file);
    for directive in directives.iter() {
        if shader_of(&regions, directive.comment) == Some(shader) {
            // What is wrong with a setting is said by `check`; it changes nothing.
            let _ = environment.set(&directive.key, &value_of(directive));
        }
    }
    environment
}

/// The values of a setting as they stand behind its sign of equality.
fn value_of(directive: &Directive) -> String {
    let values: Vec<&str> = directive.values.iter().map(|(value, _)| value.as_str()).collect();
    values.join(",")
}

/// The shader that a comment stands in, or else the next one.
pub(super) fn shader_of(regions: &tgsi::regions::Regions, comment: TextRange) -> Option<usize> {
    let next = regions.shaders.partition_point(|region| region.range().end() < comment.start());
    (next < regions.shaders.len()).then_some(next)
}

/// The shader that a line of settings is for.
pub(crate) fn shader_of_directive(
    db: &dyn Database,
    file: File,
    directive: &Directive,
) -> Option<usize> {
    shader_of(&shaders::regions(db, file), directive.comment)
}

/// Diagnostics of lines of settings that are not understood.
pub(super) fn check(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for directive in directives(db, file).iter() {
        match directive.key.as_str() {
            ALLOW | ALLOW_FILE => {} // `suppressions` judges them, who knows what is allowed.
            TARGET => found.extend(check_targets(directive)),
            PROFILE => {
                let known = || Profile::all().iter().map(|profile| profile.name.as_str());
                found.extend(check_names(directive, known, |it| Profile::find(it).is_some()));
            }
            DIALECT => {
                let known = || Dialect::all().iter().map(|it| it.name).chain([dialects::ANY]);
                found.extend(check_names(directive, known, |it| known().any(|name| name == it)));
            }
            RUN | LANE => found.extend(execution::complaint(db, file, directive)),
            key => match Environment::default().set(key, &value_of(directive)) {
                Ok(()) => {}
                Err(SetError::BadValue(wanted)) => {
                    let message = format!("`{key}` takes {wanted}");
                    found.push(Diagnostic::hint(DIRECTIVE, directive.range, message));
                }
                Err(SetError::UnknownKey) => {
                    let known = OWN_KEYS.into_iter().chain(KEYS.iter().map(|key| key.name));
                    found.push(unknown("setting", key, known, directive.range));
                }
            },
        }
    }
    found
}

fn check_names<'a, Known: Iterator<Item = &'a str>>(
    directive: &Directive,
    known: impl Fn() -> Known,
    is_known: impl Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let wrong = directive.values.iter().filter(|(name, _)| !is_known(name));
    wrong.map(|(name, range)| unknown(&directive.key, name, known(), *range)).collect()
}

/// Refuses chips that do not exist: nothing is compiled for another in their place.
fn check_targets(directive: &Directive) -> Vec<Diagnostic> {
    if directive.values.is_empty() {
        let message = format!("`{TARGET}` takes the name of a chip");
        return vec![Diagnostic::error(UNKNOWN_TARGET, directive.range, message)];
    }
    let wrong = directive.values.iter().filter(|(name, _)| Target::find(name).is_none());
    wrong
        .map(|(name, range)| {
            let rows = Target::all().map(Target::row);
            let known =
                rows.flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
            let message = unknown_message("chip", name, known);
            Diagnostic::error(UNKNOWN_TARGET, *range, message)
        })
        .collect()
}

/// A hint that nothing of a kind is called so.
pub(super) fn unknown<'a>(
    what: &str,
    word: &str,
    known: impl Iterator<Item = &'a str>,
    range: TextRange,
) -> Diagnostic {
    Diagnostic::hint(DIRECTIVE, range, unknown_message(what, word, known))
}

fn unknown_message<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = source::closest_match(word, known).map(|word| format!("; `{word}`?"));
    format!("no {what} is called `{word}`{}", nearest.unwrap_or_default())
}
