//! Rewritings of shaders as code actions, and `codeAction/resolve`, which brings the
//! edits of one once it is chosen.

use engine::ide::Refactoring;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result as Answered};
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Position, Uri,
};

use super::workspace_edit::workspace_edit;
use super::{About, DocumentRequest, Nothing, Stop, Subject};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

/// What an action keeps until it is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chosen {
    uri: Uri,
    /// Of the document that the action was offered for.
    version: i32,
    position: Position,
    refactoring: String,
}

fn kind(refactoring: Refactoring) -> CodeActionKind {
    match refactoring {
        Refactoring::ExtractImmediate => CodeActionKind::REFACTOR_EXTRACT,
        Refactoring::InlineMove => CodeActionKind::REFACTOR_INLINE,
        Refactoring::RenumberTemporaries | Refactoring::SplitRange => {
            CodeActionKind::REFACTOR_REWRITE
        }
    }
}

/// The rewritings at the start of the range, of the kinds that are wanted. A client that
/// asks for edits later gets them later.
pub(super) fn offered(
    params: &CodeActionParams,
    context: &Context,
    wants: impl Fn(&CodeActionKind) -> bool,
) -> Result<CodeActionResponse, Stop> {
    let lines = context.lines()?;
    let position = params.range.start;
    let offset = from_protocol::offset(&lines, position);
    let mut actions = Vec::new();
    for refactoring in context.snapshot.refactorings(context.file, offset)? {
        let kind = kind(refactoring);
        if !wants(&kind) {
            continue;
        }
        let mut action = CodeAction {
            title: refactoring.title().to_owned(),
            kind: Some(kind),
            ..CodeAction::default()
        };
        if context.client.resolves_actions {
            let chosen = Chosen {
                uri: context.uri.clone(),
                version: context.version,
                position,
                refactoring: refactoring.id().to_owned(),
            };
            action.data = serde_json::to_value(chosen).ok();
        } else {
            let edits = context.snapshot.refactored(context.file, offset, refactoring)?;
            let edits = to_protocol::edits(&lines, &edits.unwrap_or_default());
            action.edit = Some(workspace_edit(context, edits));
        }
        actions.push(CodeActionOrCommand::CodeAction(action));
    }
    Ok(actions)
}

fn chosen(action: &CodeAction) -> Option<Chosen> {
    serde_json::from_value(action.data.clone()?).ok()
}

impl About for CodeAction {
    fn subject(&self) -> Subject {
        chosen(self).map_or(Subject::Nothing, |chosen| Subject::Place(chosen.uri))
    }
}

impl Nothing for CodeAction {
    fn nothing() -> Self {
        CodeAction::default()
    }
}

impl DocumentRequest for CodeAction {
    type Answer = CodeAction;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let mut action = self.clone();
        let Some(chosen) = chosen(self) else { return Ok(action) };
        // The place is one of another text.
        if chosen.version != context.version {
            return Err(Stop::Refused(Error::content_modified()));
        }
        let Some(refactoring) = Refactoring::find(&chosen.refactoring) else { return Ok(action) };
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, chosen.position);
        let edits = context.snapshot.refactored(context.file, offset, refactoring)?;
        let edits = to_protocol::edits(&lines, &edits.unwrap_or_default());
        action.edit = Some(workspace_edit(context, edits));
        Ok(action)
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(self.clone())
    }
}
