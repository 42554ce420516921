//! What hosts refuse: the answers of virglrenderer about the shaders of a file.

use std::sync::Arc;

use salsa::Database;
use source::{Diagnostic, SegmentMap, TextRange};
use tgsi::glsl::Refusal;

use crate::inputs::{File, HostAnswer, HostOutcome};
use crate::queries::codes::HOST_REFUSES;
use crate::queries::shaders;

/// A shader, its place in the file, and its lines.
pub(crate) struct Asked {
    pub(crate) parse: Arc<tgsi::parser::Parse>,
    text: Arc<str>,
    pub(crate) map: SegmentMap,
    lines: Arc<source::LineIndex>,
    /// Its stage, as its header spells it.
    pub(crate) title: &'static str,
}

impl Asked {
    /// The place of a statement in the file.
    fn range(&self, statement: usize) -> Option<TextRange> {
        Some(self.map.to_file(self.parse.shader.as_ref()?.statements.get(statement)?.range))
    }

    /// The line of a statement in the file, from 0.
    pub(crate) fn line(&self, statement: Option<usize>) -> Option<u32> {
        Some(self.lines.line(self.range(statement?)?.start()))
    }

    /// The answer about its present text.
    pub(crate) fn answer(&self, answers: &[HostAnswer], host: &str) -> Option<HostAnswer> {
        answers.iter().find(|it| &*it.host == host && it.text == self.text).cloned()
    }
}

/// Looks at a shader; `None` where the file has no such one with a stage.
pub(crate) fn asked(db: &dyn Database, file: File, shader: usize) -> Option<Asked> {
    let map = shaders::map(db, file, shader)?;
    let shader = *shaders::shaders(db, file).get(shader)?;
    let parse = shaders::parse(db, shader);
    let title = parse.shader.as_ref()?.stage.value.word();
    let lines = shaders::line_index(db, file);
    Some(Asked { parse, text: shader.text(db), map, lines, title })
}

/// A complaint and what would help, in a sentence.
pub(crate) fn sentence(refusal: &Refusal, host: &str) -> String {
    let message = refusal.message.clone();
    match refusal.need {
        Some(need) => format!("{message} ({})", need.sentence(host.starts_with("gles"))),
        None => message,
    }
}

/// What the chosen host of a file refuses, at the statements that made it.
pub(crate) fn refusal_diagnostics(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let Some(host) = &file.settings(db).rules(db).host else { return Vec::new() };
    let answers = file.answers(db);
    let mut found = Vec::new();
    if answers.is_empty() {
        return found;
    }
    for shader in 0..shaders::shaders(db, file).len() {
        let Some(asked) = asked(db, file, shader) else { continue };
        let Some(answer) = asked.answer(&answers, host) else { continue };
        let HostOutcome::Answered { refusals, .. } = answer.outcome else { continue };
        let head = asked.parse.shader.as_ref().map(|it| asked.map.to_file(it.stage.range));
        found.extend(refusals.iter().map(|refusal| {
            let range = refusal.statement.and_then(|it| asked.range(it)).or(head);
            let range = range.unwrap_or_default();
            let message = format!("{host} refuses this: {}", sentence(refusal, host));
            Diagnostic::warning(HOST_REFUSES, range, message)
        }));
    }
    found
}
