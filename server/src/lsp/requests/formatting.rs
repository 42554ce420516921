//! `textDocument/formatting`: the whole document. The layout of the language is
//! fixed, so the options about tabs say nothing here.

use engine::ide::FormatScope;
use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{DocumentFormattingParams, TextEdit, Uri};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn aim(&self) -> Aim {
        Aim::Document
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let edits =
            context.snapshot.formatting(context.file, &context.format, FormatScope::Whole)?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}
