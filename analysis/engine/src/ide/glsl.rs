//! GLSL of hosts: the texts that are asked about, and the answers as documents.

use std::sync::Arc;

use editor_model::CompiledState;
use salsa::Database;
use source::TextRange;
use tgsi::glsl::{self, Refusal};

use super::views::{CompiledView, Document, one_line};
use crate::inputs::{File, HostOutcome};
use crate::queries::rules::hosts::{asked, sentence};
use crate::queries::shaders;

/// The shaders of a file that hosts can be asked about, by their numbers: those without
/// holes that only a program fills.
pub(crate) fn askable(db: &dyn Database, file: File) -> Vec<(usize, Arc<str>)> {
    let texts = shaders::shaders(db, file).iter().map(|shader| shader.text(db)).enumerate();
    texts.filter(|(_, text)| !tgsi::holes::has_holes(text)).collect()
}

/// The places of the statements of a shader in its file, in order.
pub(crate) fn statement_ranges(db: &dyn Database, file: File, shader: usize) -> Vec<TextRange> {
    let Some(asked) = asked(db, file, shader) else { return Vec::new() };
    let statements = asked.parse.shader.iter().flat_map(|it| &it.statements);
    statements.map(|it| asked.map.to_file(it.range)).collect()
}

/// The GLSL that a host is handed, each line joined to its statement, with the host's
/// complaints below the lines that they are about; `None` where the file has no such shader.
pub(crate) fn glsl_view(
    db: &dyn Database,
    file: File,
    shader: usize,
    host: &str,
) -> Option<CompiledView> {
    let asked = asked(db, file, shader)?;
    let ast = asked.parse.shader.as_ref()?;
    let answers = file.answers(db);
    let mut document = Document::default();
    let title = &asked.title;
    let answer = asked.answer(&answers, host);
    let (state, message) = match answer.map(|it| it.outcome) {
        None => {
            document.line(None, &format!("// {title} for {host}"));
            (CompiledState::Pending, None)
        }
        Some(HostOutcome::Failed(why)) => {
            document.line(None, &format!("// {title} for {host}"));
            document.line(None, &format!("// {}", one_line(&why)));
            (CompiledState::Unavailable, Some(why))
        }
        Some(HostOutcome::Answered { glsl, refusals }) => {
            let verdict = if refusals.is_empty() { "accepted" } else { "refused" };
            document.line(None, &format!("// {title} for {host}: {verdict}"));
            let told = |refusal: &Refusal| format!("// ^ {}", one_line(&sentence(refusal, host)));
            let text = glsl.as_deref().unwrap_or_default();
            let unplaced = refusals.iter().filter(|it| it.line.is_none() || glsl.is_none());
            for refusal in unplaced {
                document.line(asked.line(refusal.statement), &told(refusal));
            }
            let joined = glsl::join(ast, text);
            for (place, (line, statement)) in text.lines().zip(joined).enumerate() {
                document.line(asked.line(statement), line);
                let number = u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1);
                for refusal in refusals.iter().filter(|it| it.line == Some(number)) {
                    document.line(asked.line(refusal.statement), &told(refusal));
                }
            }
            (CompiledState::Fresh, None)
        }
    };
    Some(document.finish(state, message))
}

/// The verdict of each host about a shader: a table whose rows are joined to the statements
/// that are refused; `None` where the file has no such shader.
pub(crate) fn hosts_view(
    db: &dyn Database,
    file: File,
    shader: usize,
    hosts: &[String],
) -> Option<CompiledView> {
    let asked = asked(db, file, shader)?;
    let answers = file.answers(db);
    let mut document = Document::default();
    document.line(None, &format!("// {}, as virglrenderer hands it to each host", asked.title));
    let width = hosts.iter().map(String::len).max().unwrap_or(0).max(4);
    document.line(None, &format!("{:width$}  {:8}  line  reason", "host", "verdict"));
    let mut state = CompiledState::Fresh;
    for host in hosts {
        let row = match asked.answer(&answers, host).map(|it| it.outcome) {
            None => {
                state = CompiledState::Pending;
                (None, "asked".to_owned(), String::new())
            }
            Some(HostOutcome::Failed(why)) => (None, "unknown".to_owned(), why),
            Some(HostOutcome::Answered { refusals, .. }) => match refusals.first() {
                None => (None, "accepted".to_owned(), String::new()),
                Some(first) => (first.statement, "refused".to_owned(), sentence(first, host)),
            },
        };
        let (statement, verdict, reason) = row;
        let line = asked.line(statement);
        let number = line.map_or(String::new(), |it| (it + 1).to_string());
        let row = format!("{host:width$}  {verdict:8}  {number:>4}  {}", one_line(&reason));
        document.line(line, row.trim_end());
    }
    Some(document.finish(state, None))
}
