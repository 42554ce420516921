//! The quick fix of symbols without a value: a place for them in the project's file, beside
//! the assembly where there is none.

use source::{Diagnostic, TextEdit};
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionParams, CreateFile, CreateFileOptions,
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    ResourceOp, TextDocumentEdit, Uri, WorkspaceEdit,
};

use super::Stop;
use crate::lsp::session::path_of;
use crate::lsp::to_protocol::{self, Lines};
use crate::lsp::workers::Context;
use crate::project::{self, symbols};

/// The quick fix for the symbols of the document, where one of them is told of in the lines of
/// the range and the client can make the file.
pub(super) fn definition(
    params: &CodeActionParams,
    context: &Context,
    known: &[Diagnostic],
) -> Result<Option<CodeAction>, Stop> {
    if !context.client.creates_files {
        return Ok(None);
    }
    let lines = context.lines()?;
    let (first, last) = (params.range.start.line, params.range.end.line);
    let is_here = |found: &Diagnostic| {
        let place = lines.range(found.range);
        found.code == gcn::codes::UNDEFINED_SYMBOL
            && place.start.line <= last
            && first <= place.end.line
    };
    if !known.iter().any(is_here) {
        return Ok(None);
    }
    let names = context.snapshot.undefined_symbols(context.file)?;
    let title = match names.as_slice() {
        [] => return Ok(None),
        [name] => format!("Define `{name}` as 0 in {}", project::NAME),
        names => format!("Define {} symbols as 0 in {}", names.len(), project::NAME),
    };
    Ok(edit(context, &names).map(|edit| CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(edit),
        ..CodeAction::default()
    }))
}

/// The edit of the project's file, which is made where there is none.
fn edit(context: &Context, names: &[String]) -> Option<WorkspaceEdit> {
    let path = path_of(&context.uri)?;
    let folder = path.parent()?;
    let found = project::find(folder, &context.access);
    let (path, text) = match &found {
        Some(project) => (project.path.clone(), &*project.text),
        None => (folder.join(project::NAME), ""),
    };
    let uri = Uri::from_file_path(path)?;
    let edit = symbols::define(text, names)?;
    let create = found.is_none().then(|| creation(uri.clone()));
    let change = changes(context, uri, text, edit);
    let operations = create.into_iter().chain([DocumentChangeOperation::Edit(change)]);
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(operations.collect())),
        ..WorkspaceEdit::default()
    })
}

fn creation(uri: Uri) -> DocumentChangeOperation {
    let options = CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) };
    DocumentChangeOperation::Op(ResourceOp::Create(CreateFile {
        uri,
        options: Some(options),
        annotation_id: None,
    }))
}

fn changes(context: &Context, uri: Uri, text: &str, edit: TextEdit) -> TextDocumentEdit {
    let lines = Lines::new(text.into(), context.client.column_unit);
    TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            version: context.version_of(&uri),
            uri,
        },
        edits: to_protocol::edits(&lines, &[edit]).into_iter().map(OneOf::Left).collect(),
    }
}
