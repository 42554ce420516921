//! `textDocument/formatting`, `textDocument/rangeFormatting` and
//! `textDocument/onTypeFormatting`: the whole document, the statements that a range touches,
//! and the line that a line end has finished. The layout of the language is fixed, so the
//! options about tabs say nothing here.

use engine::ide::FormatScope;
use tower_lsp::ls_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    TextEdit,
};

use super::{DocumentRequest, Stop};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for DocumentFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        if engine::is_source(context.uri.path().as_str()) {
            return Ok(None);
        }
        let lines = context.lines()?;
        let edits = context.snapshot.formatting(
            context.file,
            context.configuration.format,
            FormatScope::Whole,
        )?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }
}

impl DocumentRequest for DocumentRangeFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        if engine::is_source(context.uri.path().as_str()) {
            return Ok(None);
        }
        let lines = context.lines()?;
        let scope = FormatScope::Range(from_protocol::range(&lines, self.range));
        let edits =
            context.snapshot.formatting(context.file, context.configuration.format, scope)?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }
}

impl DocumentRequest for DocumentOnTypeFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        if engine::is_source(context.uri.path().as_str()) {
            return Ok(None);
        }
        let lines = context.lines()?;
        if !self.ch.contains('\n') {
            return Ok(Some(Vec::new()));
        }
        let offset = from_protocol::offset(&lines, self.text_document_position.position);
        let edits =
            context.snapshot.on_new_line(context.file, context.configuration.format, offset)?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }
}
