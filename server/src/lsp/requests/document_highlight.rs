//! `textDocument/documentHighlight`: where the register under the cursor is
//! read and written.

use engine::ide::HighlightKind;
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use super::{DocumentRequest, Stop};
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentHighlightParams {
    type Answer = Option<Vec<DocumentHighlight>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (lines, offset) = context.at(self.text_document_position_params.position)?;
        let found = context.snapshot.highlights(context.file, offset)?;
        let highlights =
            context.listed("places", found).into_iter().map(|highlight| DocumentHighlight {
                range: lines.range(highlight.range),
                kind: Some(match highlight.kind {
                    HighlightKind::Text => DocumentHighlightKind::TEXT,
                    HighlightKind::Read => DocumentHighlightKind::READ,
                    HighlightKind::Write => DocumentHighlightKind::WRITE,
                }),
            });
        Ok(Some(highlights.collect()))
    }
}
