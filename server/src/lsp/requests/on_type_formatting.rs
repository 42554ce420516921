//! `textDocument/onTypeFormatting`: the line that a line end has finished.

use tower_lsp::ls_types::{DocumentOnTypeFormattingParams, TextEdit};

use super::{DocumentRequest, Stop};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for DocumentOnTypeFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        if !self.ch.contains('\n') {
            return Ok(Some(Vec::new()));
        }
        let offset = from_protocol::offset(&lines, self.text_document_position.position);
        let edits = context.snapshot.on_new_line(context.file, &context.format, offset)?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }
}
