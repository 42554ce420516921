//! `textDocument/references`: every place that names a register or a label's
//! instruction.

use engine::ide::References;
use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{Location, ReferenceParams, Uri};

use super::{Aim, DocumentRequest, OtherFiles, Stop};
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
        let mut locations = Vec::new();
        let mut others = OtherFiles::new(context);
        for place in found {
            let location = match place.file {
                None => Some(Location::new(context.uri.clone(), lines.range(place.range))),
                Some(file) => others.location(file, place.range)?,
            };
            locations.extend(location);
        }
        Ok(Some(locations))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}
