//! Diagnostics for scripts: one JSON object a line.

use std::io;

use engine::{FileId, Snapshot};
use gcn::assembler::Dialect;
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

/// The context of the diagnostics of a file, which scripts are told of.
#[derive(Debug, Default)]
pub(super) struct Context {
    dialect: Option<Dialect>,
    /// The shader of each diagnostic.
    shaders: Vec<Option<usize>>,
}

impl Context {
    /// Asks the engine for it.
    pub(super) fn of(snapshot: &Snapshot, id: FileId, diagnostics: &[Diagnostic]) -> Context {
        let kind = snapshot.assembly_kind(id).ok().flatten();
        let shader = |it: &Diagnostic| snapshot.shader_at(id, it.range.start()).ok().flatten();
        Context {
            dialect: kind.map(|kind| kind.dialect),
            shaders: diagnostics.iter().map(shader).collect(),
        }
    }
}

/// Prints the diagnostics of a file.
pub(super) fn print(
    file: &SourceFile,
    context: &Context,
    diagnostics: &[Diagnostic],
    output: &mut Output,
) -> io::Result<()> {
    for (diagnostic, shader) in diagnostics.iter().zip(&context.shaders) {
        let place = |range| file.place(range);
        output.json(&JsonDiagnostic {
            file: &file.name,
            language: language::name(file.language),
            dialect: context.dialect.map(Dialect::name),
            code: diagnostic.code.0,
            severity: severity(diagnostic.severity),
            message: &diagnostic.message,
            place: place(diagnostic.range),
            shader: *shader,
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
