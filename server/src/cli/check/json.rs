//! Diagnostics for scripts: one JSON object a line.

use std::io;

use engine::{FileId, Snapshot};
use serde::Serialize;
use source::Diagnostic;

use super::severity;
use crate::cli::files::{LineColumnRange, SourceFile};
use crate::cli::output::Output;
use crate::language;

/// A diagnostic as scripts read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDiagnostic<'a> {
    file: &'a str,
    language: &'static str,
    dialect: Option<&'static str>,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: LineColumnRange,
    shader: Option<usize>,
    related: Vec<Related<'a>>,
    fixes: Vec<Fix<'a>>,
}

#[derive(Debug, Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    place: LineColumnRange,
    message: &'a str,
}

#[derive(Debug, Serialize)]
struct Fix<'a> {
    title: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Debug, Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    place: LineColumnRange,
    insert: &'a str,
}

/// Prints the diagnostics of a file.
pub(super) fn print(
    file: &SourceFile,
    snapshot: &Snapshot,
    id: FileId,
    diagnostics: &[Diagnostic],
    output: &mut Output,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        let place = |range| file.place(range);
        output.json(&JsonDiagnostic {
            file: &file.name,
            language: language::name(file.language),
            dialect: snapshot
                .assembly_kind(id)
                .ok()
                .flatten()
                .map(|reading| reading.dialect.name()),
            code: diagnostic.code.0,
            severity: severity(diagnostic.severity),
            message: &diagnostic.message,
            place: place(diagnostic.range),
            shader: snapshot.shader_at(id, diagnostic.range.start()).ok().flatten(),
            related: diagnostic
                .related
                .iter()
                .map(|it| Related { place: place(it.range), message: &it.message })
                .collect(),
            fixes: diagnostic
                .fixes
                .iter()
                .map(|fix| {
                    let edits = fix.edits.iter();
                    let edits = edits
                        .map(|edit| Edit { place: place(edit.range), insert: &edit.insert })
                        .collect();
                    Fix { title: &fix.title, edits }
                })
                .collect(),
        })?;
    }
    Ok(())
}
