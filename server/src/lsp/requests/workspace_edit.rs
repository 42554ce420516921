//! Edits of documents as the client takes them.

use tower_lsp::ls_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    Uri, WorkspaceEdit,
};

use crate::lsp::workers::Context;

/// Edits of the document, bound to its version where the client can check it.
pub(crate) fn workspace_edit(context: &Context, edits: Vec<TextEdit>) -> WorkspaceEdit {
    workspace_edits(context, vec![(context.uri.clone(), edits)])
}

/// Edits of several files. Where the client can check it those of open ones are bound to
/// their versions; what others hold is what the disk says.
pub(crate) fn workspace_edits(
    context: &Context,
    edits: Vec<(Uri, Vec<TextEdit>)>,
) -> WorkspaceEdit {
    if !context.client.versioned_edits {
        return WorkspaceEdit::new(edits.into_iter().collect());
    }
    let edits = edits.into_iter().map(|(uri, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            version: context.version_of(&uri),
            uri,
        },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(edits.collect())),
        ..WorkspaceEdit::default()
    }
}
