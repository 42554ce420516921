//! `textDocument/documentHighlight`: where the register under the cursor is
//! read and written.

use engine::ide::HighlightKind;
use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Uri};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentHighlightParams {
    type Answer = Option<Vec<DocumentHighlight>>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document_position_params.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.text_document_position_params.position);
        let found = context.snapshot.highlights(context.file, offset)?.into_iter();
        let highlights = found.map(|highlight| DocumentHighlight {
            range: lines.range(highlight.range),
            kind: Some(match highlight.kind {
                HighlightKind::Text => DocumentHighlightKind::TEXT,
                HighlightKind::Read => DocumentHighlightKind::READ,
                HighlightKind::Write => DocumentHighlightKind::WRITE,
            }),
        });
        Ok(Some(highlights.collect()))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}
