//! Edits that code actions make, and `codeAction/resolve`, which brings the edits of
//! one once it is chosen.
//!
//! An action that waits to be chosen keeps in a few words what it does. When it is chosen
//! that is worked out anew, of the same version of the document, so nothing is remembered
//! here of actions that nobody chooses.

use engine::ide::{FormatScope, Refactoring};
use serde::{Deserialize, Serialize};
use source::{Fix, TextEdit};
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
    /// Every fix that leaves no choice.
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
                let single =
                    found.iter().filter_map(|diagnostic| match diagnostic.fixes.as_slice() {
                        [fix] => Some(fix),
                        _ => None,
                    });
                Some(together(single))
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

/// The edits of fixes that do not touch one another, the earlier ones first; each
/// fix is whole or left out.
fn together<'a>(fixes: impl Iterator<Item = &'a Fix>) -> Vec<TextEdit> {
    let mut all: Vec<TextEdit> = Vec::new();
    for fix in fixes {
        let is_free = |edit: &TextEdit| {
            // Places are disjoint and in order, so only the neighbours can touch.
            let next = all.partition_point(|it| it.range.start() < edit.range.start());
            let before = next.checked_sub(1).and_then(|it| all.get(it));
            before.is_none_or(|it| it.range.end() < edit.range.start())
                && all.get(next).is_none_or(|it| edit.range.end() < it.range.start())
        };
        if fix.edits.iter().all(is_free) {
            // Diagnostics come in order, so that most of it goes to the end.
            for edit in &fix.edits {
                let place = all.partition_point(|it| it.range.start() < edit.range.start());
                all.insert(place, edit.clone());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use source::{TextRange, TextSize};

    use super::*;

    fn fix(places: &[(u32, u32)]) -> Fix {
        let range =
            |(start, end): &(u32, u32)| TextRange::new(TextSize::new(*start), TextSize::new(*end));
        let edits = places.iter().map(|place| TextEdit { range: range(place), insert: "x".into() });
        Fix { title: String::new(), edits: edits.collect() }
    }

    #[test]
    fn fixes_that_touch_are_not_made_together() {
        let fixes =
            [fix(&[(4, 6), (20, 21)]), fix(&[(6, 8)]), fix(&[(0, 2), (21, 22)]), fix(&[(9, 9)])];
        let edits = together(fixes.iter());
        let starts: Vec<u32> = edits.iter().map(|edit| edit.range.start().into()).collect();
        assert_eq!(starts, [4, 9, 20]);
    }
}
