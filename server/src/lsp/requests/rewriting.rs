//! Edits that code actions make, and `codeAction/resolve`, which brings the edits of
//! one once it is chosen.
//!
//! An action that waits to be chosen keeps in a few words what it does. When it is chosen
//! that is worked out anew, of the same version of the document, so nothing is remembered
//! here of actions that nobody chooses.

use engine::ide::{self, FixScope, FormatScope, Refactoring};
use serde::{Deserialize, Serialize};
use source::TextEdit;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, NumberOrString, Position, Range, WorkspaceEdit,
};

use super::workspace_edit::workspace_edit;
use super::{DocumentRequest, Stop, resolving};
use crate::lsp::tasks::known_diagnostics;
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

/// The rewriting that an action makes of its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Rewriting {
    /// A fix of a diagnostic, by the diagnostic's code and place and its own title.
    Fix { code: Option<NumberOrString>, diagnostic: Range, title: String },
    /// Every fix that is sure.
    FixAll,
    /// The layout of the whole document.
    Format,
    /// The lines of a range in the other dialect of assembly.
    Convert { range: Range },
    /// A rewriting of the shader at a place, by its name.
    Refactor { position: Position, refactoring: String },
}

/// The rewriting of an action that waits to be chosen.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Offered {
    pub(super) rewriting: Rewriting,
}

impl Rewriting {
    /// Its edits; `None` where it cannot be made.
    pub(super) fn edits(&self, context: &Context) -> Result<Option<Vec<TextEdit>>, Stop> {
        let (snapshot, file) = (&context.snapshot, context.file);
        Ok(match self {
            Rewriting::Fix { code, diagnostic, title } => {
                let lines = context.lines()?;
                let is_it = |found: &source::Diagnostic| {
                    matches!(code, Some(NumberOrString::String(code)) if *code == found.code.0)
                        && lines.range(found.range) == *diagnostic
                };
                let found = known_diagnostics(context)?.into_iter().filter(is_it);
                let mut fixes = found.flat_map(|found| found.fixes);
                fixes.find(|fix| fix.title == *title).map(|fix| fix.edits)
            }
            Rewriting::FixAll => {
                let found = snapshot.diagnostics(file)?;
                let sure = found.iter().filter_map(|it| ide::fix_within(it, FixScope::Sure));
                let edits = ide::disjoint(sure).into_iter().flat_map(|fix| fix.edits.clone());
                Some(edits.collect())
            }
            Rewriting::Format => {
                Some(snapshot.formatting(file, context.configuration.format, FormatScope::Whole)?)
            }
            Rewriting::Convert { range } => {
                let range = from_protocol::range(&context.lines()?, *range);
                snapshot.converted(file, range)?.map(|(_, edits)| edits)
            }
            Rewriting::Refactor { position, refactoring } => {
                let offset = from_protocol::offset(&context.lines()?, *position);
                match Refactoring::find(refactoring) {
                    Some(refactoring) => snapshot.refactored(file, offset, refactoring)?,
                    None => None,
                }
            }
        })
    }
}

/// The kind of a rewriting of a shader.
pub(super) fn kind(refactoring: Refactoring) -> CodeActionKind {
    match refactoring {
        Refactoring::ExtractImmediate => CodeActionKind::REFACTOR_EXTRACT,
        Refactoring::InlineMove => CodeActionKind::REFACTOR_INLINE,
        Refactoring::RenumberTemporaries | Refactoring::SplitRange => {
            CodeActionKind::REFACTOR_REWRITE
        }
    }
}

/// Edits as the client takes them.
pub(super) fn edit(context: &Context, edits: &[TextEdit]) -> Result<WorkspaceEdit, Stop> {
    Ok(workspace_edit(context, to_protocol::edits(&context.lines()?, edits)))
}

impl DocumentRequest for CodeAction {
    type Answer = Option<CodeAction>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let Some(kept) = resolving::kept::<Offered>(context, self.data.as_ref())? else {
            return Ok(None);
        };
        let edits = kept.rewriting.edits(context)?.ok_or_else(resolving::outdated)?;
        Ok(Some(CodeAction { edit: Some(edit(context, &edits)?), ..self.clone() }))
    }
}
