//! Diagnostics for scripts: one JSON object a line.

use std::io;

use engine::{Cancelled, FileId, Snapshot};
use serde::Serialize;
use source::Diagnostic;

use super::severity;
use crate::cli::files::{Place, SourceFile};
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
    place: JsonPlace,
    shader: Option<usize>,
    related: Vec<Related<'a>>,
    fixes: Vec<Fix<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonPlace {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Debug, Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    place: JsonPlace,
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
    place: JsonPlace,
    insert: &'a str,
}

impl From<Place> for JsonPlace {
    fn from(place: Place) -> JsonPlace {
        let Place { line, column, end_line, end_column } = place;
        JsonPlace { line, column, end_line, end_column }
    }
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
        let place = |range| JsonPlace::from(file.place(range));
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
            shader: shader_of(snapshot, id, diagnostic).unwrap_or(None),
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

fn shader_of(
    snapshot: &Snapshot,
    id: FileId,
    diagnostic: &Diagnostic,
) -> Result<Option<usize>, Cancelled> {
    snapshot.shader_at(id, diagnostic.range.start())
}
