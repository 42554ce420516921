//! `textDocument/codeAction`: the mends that findings offer.

use std::collections::HashMap;

use text::Fix;
use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Uri,
    WorkspaceEdit,
};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::errands::known_findings;
use crate::lsp::to_protocol::Lines;
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for CodeActionParams {
    type Answer = Option<CodeActionResponse>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let wanted = self.context.only.as_ref();
        if wanted.is_some_and(|kinds| !kinds.iter().any(holds_quick_fixes)) {
            return Ok(Some(Vec::new()));
        }
        let lines = context.lines()?;
        let range = from_protocol::range(&lines, self.range);
        let mut actions = Vec::new();
        for mut diagnostic in known_findings(context)? {
            if diagnostic.range.intersect(range).is_none() {
                continue;
            }
            let fixes = std::mem::take(&mut diagnostic.fixes);
            // A lone mend is surely the wanted one; of several the user chooses.
            let preferred = fixes.len() == 1;
            let diagnostic = to_protocol::diagnostic(&lines, None, diagnostic);
            actions.extend(fixes.into_iter().map(|fix| {
                CodeActionOrCommand::CodeAction(CodeAction {
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![diagnostic.clone()]),
                    is_preferred: Some(preferred),
                    edit: Some(edit(&lines, &context.uri, &fix)),
                    title: fix.title,
                    ..CodeAction::default()
                })
            }));
        }
        Ok(Some(actions))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}

/// Kinds are a hierarchy: the empty kind and `quickfix` hold quick fixes.
fn holds_quick_fixes(kind: &CodeActionKind) -> bool {
    *kind == CodeActionKind::EMPTY || *kind == CodeActionKind::QUICKFIX
}

fn edit(lines: &Lines, uri: &Uri, fix: &Fix) -> WorkspaceEdit {
    WorkspaceEdit::new(HashMap::from([(uri.clone(), to_protocol::edits(lines, &fix.edits))]))
}
