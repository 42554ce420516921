//! `textDocument/references`: every place that names a register or a label's
//! instruction.

use engine::ide::References;
use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{Location, ReferenceParams, Uri};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for ReferenceParams {
    type Answer = Option<Vec<Location>>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document_position.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.text_document_position.position);
        let wanted = match self.context.include_declaration {
            true => References::All,
            false => References::Uses,
        };
        let found = context.snapshot.references(context.file, offset, wanted)?.into_iter();
        let locations = found.map(|range| Location::new(context.uri.clone(), lines.range(range)));
        Ok(Some(locations.collect()))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}
