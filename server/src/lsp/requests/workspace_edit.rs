//! Edits of documents as the client takes them.

use tower_lsp::ls_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    Uri, WorkspaceEdit,
};

use crate::lsp::client::ClientAbilities;
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
    let edits = edits.into_iter().map(|(uri, edits)| {
        let version = context.version_of(&uri);
        (uri, version, edits)
    });
    workspace_edit_of(&context.client, edits.collect())
}

/// Edits of these versions of files.
pub(crate) fn workspace_edit_of(
    client: &ClientAbilities,
    edits: Vec<(Uri, Option<i32>, Vec<TextEdit>)>,
) -> WorkspaceEdit {
    if !client.versioned_edits {
        return WorkspaceEdit::new(edits.into_iter().map(|(uri, _, edits)| (uri, edits)).collect());
    }
    let edits = edits.into_iter().map(|(uri, version, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { version, uri },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(edits.collect())),
        ..WorkspaceEdit::default()
    }
}
