//! `textDocument/prepareRename` and `textDocument/rename`: another number for
//! a register. What would change the meaning is refused, with the reason.

use std::borrow::Cow;

use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit,
};

use super::workspace_edit::workspace_edit;
use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for TextDocumentPositionParams {
    type Answer = Option<PrepareRenameResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.position)?;
        let found = context.snapshot.prepare_rename(context.file, offset)?.map_err(refused)?;
        Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
            range: lines.range(found.range),
            placeholder: found.name,
        }))
    }
}

impl DocumentRequest for RenameParams {
    type Answer = Option<WorkspaceEdit>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position.position)?;
        let edits = context.snapshot.rename(context.file, offset, &self.new_name)?;
        let edits = to_protocol::edits(&lines, &edits.map_err(refused)?);
        Ok(Some(workspace_edit(context, edits)))
    }
}

/// The protocol's `RequestFailed`: the request was fine, the answer is no.
const REQUEST_FAILED: i64 = -32803;

fn refused(reason: String) -> Stop {
    let code = ErrorCode::ServerError(REQUEST_FAILED);
    Stop::Refused(Error { code, message: Cow::Owned(reason), data: None })
}
