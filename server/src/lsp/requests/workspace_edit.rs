//! Edits of a document as the client takes them.

use std::collections::HashMap;

use tower_lsp::ls_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    WorkspaceEdit,
};

use crate::lsp::workers::Context;

/// Edits of the document, bound to its version where the client can check it.
pub(crate) fn workspace_edit(context: &Context, edits: Vec<TextEdit>) -> WorkspaceEdit {
    if !context.client.versioned_edits {
        return WorkspaceEdit::new(HashMap::from([(context.uri.clone(), edits)]));
    }
    let text_document = OptionalVersionedTextDocumentIdentifier {
        uri: context.uri.clone(),
        version: Some(context.version),
    };
    let edits = edits.into_iter().map(OneOf::Left).collect();
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
            text_document,
            edits,
        }])),
        ..WorkspaceEdit::default()
    }
}
