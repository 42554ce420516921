//! `textDocument/hover`: what the thing under the cursor is.

use tower_lsp::ls_types::{Hover, HoverParams};

use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for HoverParams {
    type Answer = Option<Hover>;

    fn compute(&self, context: &Context) -> Result<Option<Hover>, Stop> {
        let (lines, offset) = context.at(self.text_document_position_params.position)?;
        let hover = context.snapshot.hover(context.file, offset)?;
        Ok(hover.map(|hover| to_protocol::hover(&lines, &context.uri, hover)))
    }
}
