//! Edits of a document as the client takes them.

use std::collections::HashMap;

use tower_lsp::ls_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    Uri, WorkspaceEdit,
};

use crate::lsp::workers::Context;

/// Edits of the document, bound to its version where the client can check it.
pub(crate) fn workspace_edit(context: &Context, edits: Vec<TextEdit>) -> WorkspaceEdit {
    workspace_edits(context, edits, Vec::new())
}

/// Edits of the document, bound to its version where the client can check it, and of
/// other files, whose versions are not known here.
pub(crate) fn workspace_edits(
    context: &Context,
    own: Vec<TextEdit>,
    others: Vec<(Uri, Vec<TextEdit>)>,
) -> WorkspaceEdit {
    let own = (context.uri.clone(), own);
    if !context.client.versioned_edits {
        return WorkspaceEdit::new(HashMap::from_iter(std::iter::once(own).chain(others)));
    }
    let document = |(uri, edits): (Uri, Vec<TextEdit>), version| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    };
    let own = document(own, Some(context.version));
    let others = others.into_iter().map(|other| document(other, None));
    let edits = std::iter::once(own).chain(others).collect();
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(edits)),
        ..WorkspaceEdit::default()
    }
}
