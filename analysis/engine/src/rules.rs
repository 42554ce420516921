//! Rules beside those of the language: what a chosen driver has, what the
//! stages of a pipeline say of each other, and what the user allows.
//!
//! A line `# tungsten: key=value` in a file decides before the settings do:
//!
//! | key | holds for |
//! |---|---|
//! | `profile=NAME` | the shader that it stands in or, between shaders, the next one |
//! | `dialect=NAME` | the same: the reader of TGSI that decides what is an error, or `auto` |
//! | `allow=CODE,CODE` | on a line of its own the statement that follows, behind a statement what begins in that line, between shaders the whole next shader |
//! | `allow-file=CODE,CODE` | the whole file |
//! | `run=FILE` | as `profile`: the file of inputs that it is run on, to show values |
//! | `lane=N` | as `profile`: the invocation whose values are shown |
//!
//! Errors are not to be allowed: a shader with an error is not read completely.

mod dialects;
mod pipelines;

use std::sync::Arc;

use lower::Environment;
use lower::environment_keys::{KEYS, SetError};
use salsa::Database;
use text::{Diagnostic, Severity, TextRange, TextSize};
use tgsi::dialects::Dialect;
use tgsi::directives::{Directive, directives};
use tgsi::profiles::{self, Profile};
use tgsi::requirements::Requirement;

use crate::codes::{DIRECTIVE, UNUSED_ALLOW, codes};
use crate::database::{File, rule_settings};
use crate::execution::{self, LANE, RUN};
use crate::shaders::{self, ShaderText};

pub(crate) use dialects::{dialect_reading, judge_dialect, judge_forms, readers, spans};
pub(crate) use pipelines::{halves, link, link_findings};

/// Keys that other parts of the engine read, or will.
const OTHER_KEYS: [&str; 3] = ["target", RUN, LANE];
const PROFILE: &str = "profile";
const DIALECT: &str = "dialect";
const ALLOW: &str = "allow";
const ALLOW_FILE: &str = "allow-file";

/// What a shader asks of a driver.
#[salsa::tracked(returns(clone))]
pub(crate) fn requirements<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
) -> Arc<Vec<Requirement>> {
    let parse = shaders::parse(db, shader);
    let requirements = parse.shader.as_ref().map(|shader| {
        tgsi::requirements::requirements(shader, &|| db.unwind_if_revision_cancelled())
    });
    Arc::new(requirements.unwrap_or_default())
}

/// What stands in the settings' lines of a file.
#[salsa::tracked(returns(clone))]
pub(crate) fn settings(db: &dyn Database, file: File) -> Arc<Vec<Directive>> {
    Arc::new(directives(&file.text(db)))
}

/// The profile of a shader: that of its last line, else that of the settings.
pub(crate) fn profile(db: &dyn Database, file: File, shader: usize) -> Option<Arc<Profile>> {
    let said = said_of(db, file, shader, PROFILE, Profile::find);
    said.cloned().or_else(|| rule_settings(db, file).profile.clone())
}

/// What the last line of settings of a shader that is understood says of a key.
fn said_of<T>(
    db: &dyn Database,
    file: File,
    shader: usize,
    key: &str,
    understand: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let directives = settings(db, file);
    if directives.is_empty() {
        return None;
    }
    let regions = shaders::regions(db, file);
    directives.iter().rev().find_map(|directive| {
        let here = directive.key == key && shader_of(&regions, directive.comment) == Some(shader);
        understand(&directive.values.first().filter(|_| here)?.0)
    })
}

/// The state that a shader is compiled for: that of the settings and of its place in
/// the pipeline that its file holds, with what the lines of settings in it or before
/// it change.
#[salsa::tracked(returns(copy))]
pub(crate) fn environment(db: &dyn Database, file: File, shader: usize) -> Environment {
    let mut environment = crate::database::environment(db, file);
    if environment.next_stage == Environment::default().next_stage
        && let Some(next) = pipelines::next_stage(db, file, shader)
    {
        environment.next_stage = next;
    }
    let directives = settings(db, file);
    if directives.is_empty() {
        return environment;
    }
    let regions = shaders::regions(db, file);
    for directive in directives.iter() {
        if shader_of(&regions, directive.comment) == Some(shader) {
            // What is wrong with a setting is said by `apply`; it changes nothing.
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
fn shader_of(regions: &tgsi::regions::Regions, comment: TextRange) -> Option<usize> {
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

/// What a shader uses beyond its profile, in positions of its text.
pub(crate) fn capability_findings<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
) -> Vec<Diagnostic> {
    let Some(profile) = profile(db, file, shader.index(db)) else { return Vec::new() };
    let parse = shaders::parse(db, shader);
    let Some(ast) = &parse.shader else { return Vec::new() };
    profiles::judge(&profile, ast.stage.value, &requirements(db, shader))
}

/// The codes that comments allow, with their places, in order.
pub(crate) fn allowed_codes(db: &dyn Database, file: File) -> Vec<(TextRange, String)> {
    let all = settings(db, file);
    let allowing = all.iter().filter(|it| matches!(it.key.as_str(), ALLOW | ALLOW_FILE));
    let values = allowing.flat_map(|directive| &directive.values);
    values.map(|(code, range)| (*range, code.clone())).collect()
}

/// Takes away what the user allows, and says which of the file's lines allow
/// nothing or are not understood. Findings are in positions of the file.
pub(crate) fn apply(db: &dyn Database, file: File, findings: &mut Vec<Diagnostic>) {
    overrule(db, file, findings);
    findings.extend(execution::unlined_failures(db, file));
    let directives = settings(db, file);
    if directives.is_empty() {
        return;
    }
    let mut said = Vec::new();
    for directive in directives.iter() {
        match directive.key.as_str() {
            ALLOW | ALLOW_FILE => allow(db, file, directive, findings, &mut said),
            PROFILE => {
                for (name, range) in &directive.values {
                    if Profile::find(name).is_none() {
                        let known = Profile::all().iter().map(|profile| profile.name.as_str());
                        said.push(unknown("profile", name, known, *range));
                    }
                }
            }
            DIALECT => {
                for (name, range) in &directive.values {
                    if name != dialects::ANY && Dialect::find(name).is_none() {
                        let known = Dialect::all().iter().map(|dialect| dialect.name);
                        said.push(unknown(DIALECT, name, known.chain([dialects::ANY]), *range));
                    }
                }
            }
            RUN | LANE => {
                said.extend(execution::complaint(db, file, directive));
            }
            key if OTHER_KEYS.contains(&key) => {}
            key => match Environment::default().set(key, &value_of(directive)) {
                Ok(()) => {}
                Err(SetError::BadValue(wanted)) => {
                    let message = format!("`{key}` takes {wanted}");
                    said.push(Diagnostic::hint(DIRECTIVE, directive.range, message));
                }
                Err(SetError::UnknownKey) => {
                    let of_state = KEYS.iter().map(|key| key.name);
                    let known = [PROFILE, DIALECT, ALLOW, ALLOW_FILE].into_iter();
                    let known = known.chain(OTHER_KEYS).chain(of_state);
                    said.push(unknown("setting", key, known, directive.range));
                }
            },
        }
    }
    findings.extend(said);
}

/// Takes away what the settings allow, and gives the rest the severity that they
/// say. Errors stay what they are: what follows from them would be said for certain.
pub(crate) fn overrule(db: &dyn Database, file: File, findings: &mut Vec<Diagnostic>) {
    let rules = rule_settings(db, file);
    let is_allowed = |finding: &Diagnostic| rules.allow.iter().any(|code| names(code, finding));
    findings.retain(|finding| finding.severity == Severity::Error || !is_allowed(finding));
    for finding in findings.iter_mut().filter(|finding| finding.severity != Severity::Error) {
        let said = rules.severities.iter().find(|(code, _)| names(code, finding));
        finding.severity = said.map_or(finding.severity, |(_, severity)| *severity);
    }
}

fn unknown<'a>(
    what: &str,
    word: &str,
    known: impl Iterator<Item = &'a str>,
    range: TextRange,
) -> Diagnostic {
    let nearest = text::nearest(word, known).map(|word| format!("; `{word}`?"));
    let message = format!("no {what} is called `{word}`{}", nearest.unwrap_or_default());
    Diagnostic::hint(DIRECTIVE, range, message)
}

/// Whether a word names the code of a finding, with or without its language.
fn names(word: &str, finding: &Diagnostic) -> bool {
    let code = finding.code.0;
    code == word || code.split_once("::").is_some_and(|(_, short)| short == word)
}

fn allow(
    db: &dyn Database,
    file: File,
    directive: &Directive,
    findings: &mut Vec<Diagnostic>,
    said: &mut Vec<Diagnostic>,
) {
    let scope = scope(db, file, directive);
    for (word, range) in &directive.values {
        let short = |code: &'static str| code.split_once("::").map_or(code, |(_, short)| short);
        if !codes().any(|code| code == word || short(code) == word) {
            said.push(unknown(
                "finding",
                word,
                codes().flat_map(|code| [code, short(code)]),
                *range,
            ));
            continue;
        }
        let before = findings.len();
        findings.retain(|finding| {
            let here =
                scope.start() <= finding.range.start() && finding.range.start() < scope.end();
            !(here && finding.severity != Severity::Error && names(word, finding))
        });
        if findings.len() == before {
            let message = format!("`{word}` is allowed here, and nothing would say it");
            let finding =
                Diagnostic::hint(UNUSED_ALLOW, *range, message).with_tag(text::Tag::Unnecessary);
            said.push(match directive.values.len() {
                1 => finding.with_fix("Remove it", directive.range, ""),
                _ => finding,
            });
        }
    }
}

/// The part of the file that a line allows something in.
fn scope(db: &dyn Database, file: File, directive: &Directive) -> TextRange {
    let text = file.text(db);
    let all = TextRange::up_to(TextSize::of(&*text));
    if directive.key == ALLOW_FILE {
        return all;
    }
    if !directive.own_line {
        let start = usize::from(directive.comment.start());
        let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
        return TextRange::new(TextSize::new(line as u32), directive.comment.end());
    }
    let regions = shaders::regions(db, file);
    let nothing = TextRange::empty(directive.comment.end());
    let Some(index) = shader_of(&regions, directive.comment) else { return nothing };
    let region = &regions.shaders[index];
    if directive.comment.start() < region.range().start() {
        return region.range();
    }
    let shader = shaders::shaders(db, file).get(index).map(|shader| shaders::parse(db, *shader));
    let statements = shader.as_ref().and_then(|parse| Some(&parse.shader.as_ref()?.statements));
    let Some(statements) = statements else { return nothing };
    // Statements are in order of the text, and so are their places in the file.
    let place = |range| region.map().to_file(range);
    let next = statements
        .partition_point(|statement| place(statement.range).start() < directive.comment.end());
    statements.get(next).map_or(nothing, |statement| place(statement.range))
}

#[cfg(test)]
mod tests;
