//! Diagnostics that the user does not want: by the settings, or by a line of the file.

use salsa::Database;
use source::{Diagnostic, Severity, TextRange, TextSize};
use tgsi::directives::Directive;

use super::directives::{ALLOW, ALLOW_FILE, directives, shader_of, unknown};
use crate::inputs::File;
use crate::queries::codes::{UNUSED_ALLOW, codes};
use crate::queries::shaders;

/// The codes that comments allow, with their places, in order.
pub(crate) fn allowed_codes(db: &dyn Database, file: File) -> Vec<(TextRange, String)> {
    let all = directives(db, file);
    let allowing = all.iter().filter(|it| matches!(it.key.as_str(), ALLOW | ALLOW_FILE));
    let values = allowing.flat_map(|directive| &directive.values);
    values.map(|(code, range)| (*range, code.clone())).collect()
}

/// Takes away what the settings allow, and gives the rest the severity that they
/// say. Errors stay what they are: what follows from them would be said for certain.
pub(crate) fn apply_settings(db: &dyn Database, file: File, diagnostics: &mut Vec<Diagnostic>) {
    let rules = file.settings(db).rules(db);
    let is_allowed =
        |diagnostic: &Diagnostic| rules.allow.iter().any(|code| names(code, diagnostic));
    diagnostics
        .retain(|diagnostic| diagnostic.severity == Severity::Error || !is_allowed(diagnostic));
    for diagnostic in
        diagnostics.iter_mut().filter(|diagnostic| diagnostic.severity != Severity::Error)
    {
        let said = rules.severities.iter().find(|(code, _)| names(code, diagnostic));
        diagnostic.severity = said.map_or(diagnostic.severity, |(_, severity)| *severity);
    }
}

/// Takes away what lines of the file allow. Returns what is wrong with those lines: codes
/// that do not exist, and those that nothing would say.
pub(super) fn apply(
    db: &dyn Database,
    file: File,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut unused = Vec::new();
    for directive in directives(db, file).iter() {
        if matches!(directive.key.as_str(), ALLOW | ALLOW_FILE) {
            allow(db, file, directive, diagnostics, &mut unused);
        }
    }
    unused
}

/// Tells whether a word names the code of a diagnostic, with or without its language.
fn names(word: &str, diagnostic: &Diagnostic) -> bool {
    let code = diagnostic.code.0;
    code == word || code.split_once("::").is_some_and(|(_, short)| short == word)
}

fn allow(
    db: &dyn Database,
    file: File,
    directive: &Directive,
    diagnostics: &mut Vec<Diagnostic>,
    said: &mut Vec<Diagnostic>,
) {
    let scope = scope(db, file, directive);
    for (word, range) in &directive.values {
        let short = |code: &'static str| code.split_once("::").map_or(code, |(_, short)| short);
        if !codes().any(|code| code == word || short(code) == word) {
            said.push(unknown(
                "diagnostic",
                word,
                codes().flat_map(|code| [code, short(code)]),
                *range,
            ));
            continue;
        }
        let before = diagnostics.len();
        diagnostics.retain(|diagnostic| {
            let here =
                scope.start() <= diagnostic.range.start() && diagnostic.range.start() < scope.end();
            !(here && diagnostic.severity != Severity::Error && names(word, diagnostic))
        });
        if diagnostics.len() == before {
            let message =
                format!("`{word}` is allowed here, but is not reported: the line has no effect");
            let diagnostic =
                Diagnostic::hint(UNUSED_ALLOW, *range, message).with_tag(source::Tag::Unnecessary);
            said.push(match directive.values.len() {
                1 => diagnostic.with_fix("Remove it", directive.range, ""),
                _ => diagnostic,
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
