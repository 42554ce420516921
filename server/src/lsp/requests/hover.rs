//! `textDocument/hover`: what the thing under the cursor is.

use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{Hover, HoverParams, Uri};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for HoverParams {
    type Answer = Option<Hover>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document_position_params.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Option<Hover>, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.text_document_position_params.position);
        let hover = context.snapshot.hover(context.file, offset)?;
        Ok(hover.map(|hover| to_protocol::hover(&lines, &context.uri, hover)))
    }

    fn nothing(&self) -> Answered<Option<Hover>> {
        Ok(None)
    }
}
