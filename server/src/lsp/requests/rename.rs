//! `textDocument/prepareRename` and `textDocument/rename`: another number for
//! a register. What would change the meaning is refused, with the reason.

use std::borrow::Cow;

use tower_lsp::jsonrpc::{Error, ErrorCode, Result as Answered};
use tower_lsp::ls_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, Uri, WorkspaceEdit,
};

use super::workspace_edit::workspace_edit;
use super::{Aim, DocumentRequest, Stop};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for TextDocumentPositionParams {
    type Answer = Option<PrepareRenameResponse>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.position);
        let found = context.snapshot.prepare_rename(context.file, offset)?.map_err(refused)?;
        Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
            range: lines.range(found.range),
            placeholder: found.name,
        }))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}

impl DocumentRequest for RenameParams {
    type Answer = Option<WorkspaceEdit>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document_position.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.text_document_position.position);
        let edits = context.snapshot.rename(context.file, offset, &self.new_name)?;
        let edits = to_protocol::edits(&lines, &edits.map_err(refused)?);
        Ok(Some(workspace_edit(context, edits)))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}

/// The protocol's `RequestFailed`: the request was fine, the answer is no.
const REQUEST_FAILED: i64 = -32803;

fn refused(reason: String) -> Stop {
    let code = ErrorCode::ServerError(REQUEST_FAILED);
    Stop::Refused(Error { code, message: Cow::Owned(reason), data: None })
}
